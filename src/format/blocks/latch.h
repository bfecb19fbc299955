// A memory of one bit: set by one condition, reset by another.
#pragma once

#include <cmath>

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct LatchBlock {
  Expression set, reset;  // true where they are positive; an empty one never is
  double initial = 0;

  static constexpr std::string_view kind = "latch", note = "1 once it is set, 0 once it is reset";
  static constexpr auto fields() {
    using B = LatchBlock;
    return std::tuple(
        required_field(&B::set, "set", Form::dynamic, "turns the output to 1 when it becomes positive"),
        optional_field(&B::reset, "reset", Form::dynamic, "turns it to 0, and goes before `set`; default never"),
        optional_field(&B::initial, "initial", Form::constant, "0 (default) or 1"));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  static expression::KnownDimension output_dimension() { return expression::bare_number; }
  void check(const Wrong& wrong) const {
    if (initial != 0 && initial != 1 && !std::isnan(initial)) wrong("initial", "must be 0 or 1, got " + shown(initial));
  }
};

}  // namespace gyrostat
