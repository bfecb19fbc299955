// An expression between two limits, which have the dimension of whatever it means.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct SaturateBlock {
  Expression input;
  double low = 0, high = 0;

  static constexpr std::string_view kind = "saturate", note = "the input between two limits";
  static constexpr auto fields() {
    using B = SaturateBlock;
    return std::tuple(required_field(&B::input, "input", Form::dynamic, "expression"),
                      required_field(&B::low, "low", Form::constant, "lower limit"),
                      required_field(&B::high, "high", Form::constant, "upper limit"));
  }
  [[nodiscard]] static bool feeds_through() { return true; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& wrong) const {
    if (low >= high) wrong("low", "must be below 'high' (" + shown(low) + " is not below " + shown(high) + ")");
  }
};

}  // namespace gyrostat
