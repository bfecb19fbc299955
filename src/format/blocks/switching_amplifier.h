// A relay with a deadband, hysteresis and minimum times. Its deadband has the dimension of whatever its input means.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct SwitchingAmplifierBlock {
  Expression input;
  double deadband = 0, hysteresis = 0;
  double min_on_time = 0, min_off_time = 0;  // [s]

  static constexpr std::string_view kind = "switching_amplifier",
                                    note = "-1, 0 or 1: a relay with deadband and minimum times";
  static constexpr auto fields() {
    using B = SwitchingAmplifierBlock;
    return std::tuple(
        required_field(&B::input, "input", Form::dynamic, "expression"),
        required_field(&B::deadband, "deadband", Form::constant,
                       "on with the sign of the input when |input| exceeds it"),
        optional_field(&B::hysteresis, "hysteresis", Form::constant,
                       "off when |input| falls below deadband - hysteresis; default 0"),
        optional_field(&B::min_on_time, "min_on_time", Form::constant, "s; default 0", dimension::time),
        optional_field(&B::min_off_time, "min_off_time", Form::constant, "s; default 0", dimension::time));
  }
  [[nodiscard]] static bool feeds_through() { return true; }
  static expression::KnownDimension output_dimension(const expression::KnownDimension& /*input*/) {
    return expression::bare_number;
  }
  void check(const Wrong& wrong) const {
    not_negative(wrong, "deadband", deadband);
    if (hysteresis < 0 || (deadband >= 0 && hysteresis > deadband))
      wrong("hysteresis", "must be between 0 and the deadband");
    not_negative(wrong, "min_on_time", min_on_time);
    not_negative(wrong, "min_off_time", min_off_time);
  }
};

}  // namespace gyrostat
