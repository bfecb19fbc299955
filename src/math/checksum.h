// A number made of bytes, other for other bytes but for rare chance: not against a forger.
#pragma once

#include <cstdint>
#include <string_view>

namespace gyrostat {

inline constexpr std::uint64_t empty_checksum = 14695981039346656037u;

/// FNV-1a, continued from `sum`.
constexpr std::uint64_t checksum(std::string_view bytes, std::uint64_t sum = empty_checksum) {
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return sum;
}

}  // namespace gyrostat
