// What the random numbers of a campaign are for: the last word of the counter, so that no two uses share a number. 0 is
// that of noise in models.
#pragma once

#include <cstdint>

namespace gyrostat::campaign {

enum class Stream : std::uint32_t { monte_carlo = 1, within_stratum, permutation, scrambling, behind_scrambling };

constexpr std::uint32_t word(Stream stream) { return static_cast<std::uint32_t>(stream); }

}  // namespace gyrostat::campaign
