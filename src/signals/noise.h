// Random numbers by counting: the n-th number of a stream is a function of the seed and n alone, whatever was drawn
// before. Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace gyrostat {

using Random128 = std::array<std::uint32_t, 4>;

inline Random128 philox(Random128 counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * counter[0], b = std::uint64_t{0xCD9E8D57u} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

/// The n-th number of a stream with the normal distribution of mean 0 and deviation 1.
inline double normal_number(std::uint64_t seed, std::uint64_t n) {
  const Random128 bits = philox({static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32), 0, 0},
                                {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  const auto uniform = [](std::uint32_t high, std::uint32_t low) {  // in (0, 1)
    const std::uint64_t whole = (std::uint64_t{high} << 20) ^ (low >> 12);
    return (static_cast<double>(whole) + 0.5) * 0x1p-52;
  };
  return std::sqrt(-2 * std::log(uniform(bits[0], bits[1]))) *
         std::cos(2 * std::numbers::pi * uniform(bits[2], bits[3]));
}

}  // namespace gyrostat
