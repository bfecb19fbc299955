// A lag of first order.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct LowPassBlock {
  Expression input;
  double time_constant = 0;  // [s]
  double initial = 0;        // of the output

  static constexpr std::string_view kind = "low_pass", note = "a lag of first order";
  static constexpr auto fields() {
    using B = LowPassBlock;
    return std::tuple(required_field(&B::input, "input", Form::dynamic, "expression"),
                      required_field(&B::time_constant, "time_constant", Form::constant,
                                     "s; 1/(2 pi f) of a corner frequency f", dimension::time),
                      optional_field(&B::initial, "initial", Form::constant, "the output at t = 0; default 0"));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& wrong) const { positive(wrong, "time_constant", time_constant); }
};

}  // namespace gyrostat
