// How far an expression is outside of two limits.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct DeadZoneBlock {
  Expression input;
  double low = 0, high = 0;

  static constexpr std::string_view kind = "dead_zone", note = "how far the input is outside of two limits";
  static constexpr auto fields() {
    using B = DeadZoneBlock;
    return std::tuple(required_field(&B::input, "input", Form::dynamic, "expression"),
                      required_field(&B::low, "low", Form::constant, "lower end of the zone"),
                      required_field(&B::high, "high", Form::constant, "upper end of the zone"));
  }
  [[nodiscard]] static bool feeds_through() { return true; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& wrong) const {
    if (low >= high) wrong("low", "must be below 'high' (" + shown(low) + " is not below " + shown(high) + ")");
  }
};

}  // namespace gyrostat
