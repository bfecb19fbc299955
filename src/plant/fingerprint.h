// A number made of everything that decides how a run goes on.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "gyrostat/signals/compile.h"

namespace gyrostat {

/// FNV-1a over all that was added, in order.
class Fingerprint {
 public:
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) step(static_cast<unsigned char>(c));
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  template <class I>
  void add(I number) requires(std::is_integral_v<I> || std::is_enum_v<I>) {
    const auto bits = static_cast<std::uint64_t>(number);
    for (int shift = 0; shift < 64; shift += 8) step(static_cast<unsigned char>(bits >> shift));
  }
  template <class X, std::size_t N>
  void add(const std::array<X, N>& list) {
    for (const X& x : list) add(x);
  }
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  void step(unsigned char byte) { sum_ = (sum_ ^ byte) * 1099511628211u; }

  std::uint64_t sum_ = 14695981039346656037u;
};

void add_to(Fingerprint& f, const Mechanism& mechanism);
/// The initial state, names, and what joints do.
void add_to(Fingerprint& f, const System& system);
void add_to(Fingerprint& f, const SignalProgram& signals);

}  // namespace gyrostat
