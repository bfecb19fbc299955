// Points of Sobol sequences, plain and with Owen's scrambling (docs/theory/campaigns.md, section 5).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gyrostat::campaign {

/// From the second dimension on: the primitive polynomial with its coefficients as bits, and as many initial numbers as
/// its degree (sobol_numbers.cpp).
extern const std::span<const std::uint16_t> joe_kuo;
inline constexpr std::size_t sobol_dimensions = 512;

class SobolSequence {
 public:
  /// Precondition: dimensions <= sobol_dimensions.
  explicit SobolSequence(std::size_t dimensions);

  /// The k-th point in one dimension, times 2^32, in the order of the Gray code, as Joe and Kuo have it: point 0 is 0,
  /// point 1 is 1/2. Precondition: k < 2^32.
  [[nodiscard]] std::uint32_t bits(std::uint64_t k, std::size_t dimension) const;

  /// The same scrambled, in (0, 1).
  [[nodiscard]] double scrambled(std::uint64_t k, std::size_t dimension, std::uint64_t seed) const;

 private:
  std::vector<std::array<std::uint32_t, 32>> directions_;  // by dimension
};

/// Nested uniform scrambling of Owen (1995) in base 2, exactly: bit i of the result is bit i of the number, turned over
/// or not as a random bit says that belongs to the seed, the dimension and the bits before it. The bits behind the 32nd
/// are random. The result has 52 bits.
std::uint64_t owen_scramble(std::uint32_t bits, std::uint32_t dimension, std::uint64_t seed);

}  // namespace gyrostat::campaign
