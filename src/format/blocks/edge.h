// A pulse that begins when a condition becomes true.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct EdgeBlock {
  Expression input;
  double duration = 0;  // [s]

  static constexpr std::string_view kind = "edge", note = "a pulse when a condition becomes true";
  static constexpr auto fields() {
    using B = EdgeBlock;
    return std::tuple(required_field(&B::input, "input", Form::dynamic, "a pulse begins when it becomes positive"),
                      required_field(&B::duration, "duration", Form::constant,
                                     "of a pulse, s; begun anew by a further edge", dimension::time));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  static expression::KnownDimension output_dimension() { return expression::bare_number; }
  void check(const Wrong& wrong) const { long_enough(wrong, "duration", duration); }
};

}  // namespace gyrostat
