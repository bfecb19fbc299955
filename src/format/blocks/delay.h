// An expression a time ago.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct DelayBlock {
  Expression input;
  double time = 0;  // [s]

  static constexpr std::string_view kind = "delay", note = "the input a time ago";
  static constexpr auto fields() {
    return std::tuple(required_field(&DelayBlock::input, "input", Form::dynamic, "expression"),
                      required_field(&DelayBlock::time, "time", Form::constant, "s", dimension::time));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& wrong) const { long_enough(wrong, "time", time); }
};

}  // namespace gyrostat
