// An expression that is followed no faster than at given rates.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct RateLimitBlock {
  Expression input;
  double rise = 0, fall = 0;  // largest rates up and down, both positive [1/s of the input's]
  double lag = 0;             // time constant where neither limits [s]
  double initial = 0;         // of the output

  static constexpr std::string_view kind = "rate_limit", note = "the input, followed no faster than at given rates";
  static constexpr auto fields() {
    using B = RateLimitBlock;
    return std::tuple(
        required_field(&B::input, "input", Form::dynamic, "expression"),
        required_field(&B::rise, "rise", Form::constant, "largest rate upward"),
        optional_field(&B::fall, "fall", Form::constant, "largest rate downward, positive; default that upward"),
        required_field(&B::lag, "lag", Form::constant, "s; with this lag it follows an input that is slow enough",
                       dimension::time),
        optional_field(&B::initial, "initial", Form::constant, "the output at t = 0; default 0"));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& input) { return input; }
  void check(const Wrong& wrong) const {
    positive(wrong, "rise", rise);
    not_negative(wrong, "fall", fall);
    positive(wrong, "lag", lag);
  }
};

}  // namespace gyrostat
