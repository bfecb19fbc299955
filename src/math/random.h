// Random numbers by counting: a number is a function of a key and a counter alone, whatever was drawn before.
// Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011).
#pragma once

#include <array>
#include <cstdint>

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

/// The same with a seed of 64 bits for the key.
inline Random128 philox(const Random128& counter, std::uint64_t seed) {
  return philox(counter, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

/// Of 64 random bits, in (0, 1): the middles of 2^52 equal intervals, so that 1 - u is exact.
inline double uniform_number(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t whole = (std::uint64_t{high} << 20) ^ (low >> 12);
  return (static_cast<double>(whole) + 0.5) * 0x1p-52;
}

}  // namespace gyrostat
