// An expression that is frozen while a condition holds.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct HoldBlock {
  Expression input;
  Expression when;  // holds while it is positive

  static constexpr std::string_view kind = "hold", note = "the input, frozen while a condition holds";
  static constexpr auto fields() {
    return std::tuple(required_field(&HoldBlock::input, "input", Form::dynamic, "expression"),
                      required_field(&HoldBlock::when, "when", Form::dynamic,
                                     "while it is positive, the output stays what it was when that began"));
  }
  [[nodiscard]] static bool feeds_through() { return true; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& /*wrong*/) const {}
};

}  // namespace gyrostat
