#include "gyrostat/campaign/sobol.h"

#include <bit>
#include <cassert>

#include "gyrostat/campaign/streams.h"
#include "gyrostat/math/random.h"

namespace gyrostat::campaign {

SobolSequence::SobolSequence(std::size_t dimensions) : directions_(dimensions) {
  assert(dimensions <= sobol_dimensions);
  std::size_t at = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    auto& v = directions_[d];
    if (d == 0) {  // the sequence of van der Corput
      for (std::uint32_t j = 0; j < 32; ++j) v[j] = 1U << (31 - j);
      continue;
    }
    const std::uint32_t polynomial = joe_kuo[at++];
    const auto degree = static_cast<std::uint32_t>(std::bit_width(polynomial)) - 1;
    for (std::uint32_t j = 0; j < degree; ++j) v[j] = std::uint32_t{joe_kuo[at++]} << (31 - j);
    for (std::uint32_t j = degree; j < 32; ++j) {  // (9)
      v[j] = v[j - degree] ^ (v[j - degree] >> degree);
      for (std::uint32_t i = 1; i < degree; ++i) {
        if (((polynomial >> (degree - i)) & 1U) != 0) v[j] ^= v[j - i];
      }
    }
  }
}

std::uint32_t SobolSequence::bits(std::uint64_t k, std::size_t dimension) const {
  const auto& v = directions_[dimension];
  std::uint32_t x = 0;
  for (std::uint64_t gray = k ^ (k >> 1U); gray != 0; gray &= gray - 1)
    x ^= v[static_cast<std::size_t>(std::countr_zero(gray))];
  return x;
}

double SobolSequence::scrambled(std::uint64_t k, std::size_t dimension, std::uint64_t seed) const {
  const std::uint64_t digits = owen_scramble(bits(k, dimension), static_cast<std::uint32_t>(dimension), seed);
  return (static_cast<double>(digits) + 0.5) * 0x1p-52;
}

std::uint64_t owen_scramble(std::uint32_t bits, std::uint32_t dimension, std::uint64_t seed) {
  // The random bits are those of the nodes of a binary tree. One draw of 128 bits serves a part of the tree of depth 7,
  // which has 127 nodes: the root of the part is node 1, and node n has the children 2n and 2n + 1.
  constexpr std::uint32_t depth = 7;
  std::uint32_t result = 0;
  for (std::uint32_t level = 0; level < 32; level += depth) {
    const std::uint32_t before = level == 0 ? 0 : bits >> (32 - level);
    const Random128 random = philox({before, level, dimension, word(Stream::scrambling)}, seed);
    std::uint32_t node = 1;
    for (std::uint32_t i = level; i < level + depth && i < 32; ++i) {
      const std::uint32_t bit = (bits >> (31 - i)) & 1U;
      const std::uint32_t turned = (random[node / 32] >> (node % 32)) & 1U;
      result |= (bit ^ turned) << (31 - i);
      node = 2 * node + bit;
    }
  }
  const Random128 random = philox({bits, 32, dimension, word(Stream::behind_scrambling)}, seed);
  return (std::uint64_t{result} << 20U) | (random[0] >> 12U);
}

}  // namespace gyrostat::campaign
