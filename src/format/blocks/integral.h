// The integral of an expression over time.
#pragma once

#include "gyrostat/format/field.h"

namespace gyrostat {

struct IntegralBlock {
  Expression input;
  double initial = 0;

  static constexpr std::string_view kind = "integral", note = "what is integrated over time";
  static constexpr bool flat = true;
  static constexpr auto fields() {
    return std::tuple(
        optional_field(&IntegralBlock::input, "integral", Form::dynamic, note),
        optional_field(&IntegralBlock::initial, "initial", Form::constant, "of integral: its value at t = 0"));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  /// Of the output, from that of the input.
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) {
    if (!input.dimension) return {};
    return {false, *input.dimension * dimension::time};
  }
  void check(const Wrong& /*wrong*/) const {}
};

}  // namespace gyrostat
