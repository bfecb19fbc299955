// An expression in whole steps.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct QuantizeBlock {
  Expression input;
  double step = 0;

  static constexpr std::string_view kind = "quantize", note = "the input, rounded to whole steps";
  static constexpr auto fields() {
    using B = QuantizeBlock;
    return std::tuple(required_field(&B::input, "input", Form::dynamic, "expression"),
                      required_field(&B::step, "step", Form::constant, "the output is a multiple of it"));
  }
  [[nodiscard]] static bool feeds_through() { return true; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& wrong) const { positive(wrong, "step", step); }
};

}  // namespace gyrostat
