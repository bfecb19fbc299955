// How often a condition became true.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct CounterBlock {
  Expression input;
  Expression reset;  // back to zero when it becomes positive; empty: never

  static constexpr std::string_view kind = "counter", note = "how often a condition became true";
  static constexpr auto fields() {
    using B = CounterBlock;
    return std::tuple(
        required_field(&B::input, "input", Form::dynamic, "counts the instants when it becomes positive"),
        optional_field(&B::reset, "reset", Form::dynamic, "the count is 0 while it is positive; default never"));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  static expression::KnownDimension output_dimension() { return expression::bare_number; }
  void check(const Wrong& /*wrong*/) const {}
};

}  // namespace gyrostat
