// An expression sampled at a period and held.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct SampleBlock {
  Expression input;
  double period = 0;  // [s]

  static constexpr std::string_view kind = "sample", note = "zero-order hold";
  static constexpr auto fields() {
    return std::tuple(required_field(&SampleBlock::input, "input", Form::dynamic, "expression"),
                      required_field(&SampleBlock::period, "period", Form::constant, "s", dimension::time));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& wrong) const { long_enough(wrong, "period", period); }
};

}  // namespace gyrostat
