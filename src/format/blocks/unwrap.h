// An angle without its jumps by a turn. The period has the dimension of whatever the input means.
#pragma once

#include <numbers>

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct UnwrapBlock {
  Expression input;
  double period = 2 * std::numbers::pi;

  static constexpr std::string_view kind = "unwrap", note = "an angle without its jumps by a turn";
  static constexpr auto fields() {
    return std::tuple(required_field(&UnwrapBlock::input, "input", Form::dynamic, "expression"),
                      optional_field(&UnwrapBlock::period, "period", Form::constant, "what it jumps by; default 2*pi"));
  }
  [[nodiscard]] static bool feeds_through() { return true; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& wrong) const {
    if (period <= 0) wrong("period", "must be positive");
  }
};

}  // namespace gyrostat
