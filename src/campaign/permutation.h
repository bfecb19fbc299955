// A permutation of 0 .. n - 1 that is a function of a key: nothing is stored, whatever n is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gyrostat/campaign/streams.h"
#include "gyrostat/math/random.h"

namespace gyrostat::campaign {

/// A Feistel network over the numbers of 2 h bits, at least n of them and fewer than 4 n (of n > 1); what falls beyond
/// n is permuted again (cycle walking). `which` tells the permutations of one seed from each other.
inline std::uint64_t permuted(std::uint64_t k, std::uint64_t n, std::uint32_t which, std::uint64_t seed) {
  constexpr std::uint32_t rounds = 8;
  const std::uint32_t half = std::max(1U, (static_cast<std::uint32_t>(std::bit_width(n - 1)) + 1) / 2);
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = k >> half, right = k & mask;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const Random128 random =
          philox({static_cast<std::uint32_t>(right), which, round, word(Stream::permutation)}, seed);
      const std::uint64_t next = left ^ (random[0] & mask);
      left = right;
      right = next;
    }
    k = (left << half) | right;
  } while (k >= n);
  return k;
}

}  // namespace gyrostat::campaign
