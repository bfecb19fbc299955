// A number made of everything that decides how a run goes on.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "gyrostat/math/checksum.h"
#include "gyrostat/signals/compile.h"

namespace gyrostat {

/// The checksum of all that was added, in order.
class Fingerprint {
 public:
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    sum_ = checksum(text, sum_);
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  template <class I>
  void add(I number) requires(std::is_integral_v<I> || std::is_enum_v<I>) {
    const auto bytes = std::bit_cast<std::array<char, 8>>(static_cast<std::uint64_t>(number));
    sum_ = checksum({bytes.data(), bytes.size()}, sum_);
  }
  template <class X, std::size_t N>
  void add(const std::array<X, N>& list) {
    for (const X& x : list) add(x);
  }
  /// Of things one after the other.
  template <class... X>
  void add_each(const X&... x) {
    (add(x), ...);
  }
  /// Of a list, its length before what is in it: two lists are not one that is longer.
  template <class List>
  void add_list(const List& list) {
    add(static_cast<std::uint64_t>(list.size()));
    for (const auto& x : list) add(x);
  }
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = empty_checksum;
};

void add_to(Fingerprint& f, const Mechanism& mechanism);
/// The initial state, names, nodes, what joints do, and constraints.
void add_to(Fingerprint& f, const System& system);
void add_to(Fingerprint& f, const SignalProgram& signals);

}  // namespace gyrostat
