// Noise by counting: the n-th number is a function of the seed, the stream and n alone (math/random.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "gyrostat/math/random.h"

namespace gyrostat {

/// The n-th number of a stream with the normal distribution of mean 0 and deviation 1.
inline double normal_number(std::uint64_t seed, std::uint64_t n, std::uint64_t stream = 0) {
  const Random128 bits = philox({static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32),
                                 static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)},
                                seed);
  return std::sqrt(-2 * std::log(uniform_number(bits[0], bits[1]))) *
         std::cos(2 * std::numbers::pi * uniform_number(bits[2], bits[3]));
}

}  // namespace gyrostat
