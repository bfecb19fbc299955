// A controller with a filtered derivative and an integral that stops at the limits.
#pragma once

#include <optional>

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct PidBlock {
  Expression input;
  double kp = 0, ki = 0, kd = 0;
  double filter = 0;   // time constant of the derivative's filter [s]
  double initial = 0;  // of the integral
  std::optional<double> low, high;

  static constexpr std::string_view kind = "pid", note = "kp e + ki integral of e + kd e'";
  static constexpr auto fields() {
    using B = PidBlock;
    return std::tuple(
        required_field(&B::input, "input", Form::dynamic, "the error e"),
        optional_field(&B::kp, "kp", Form::constant, "default 0"),
        optional_field(&B::ki, "ki", Form::constant, "default 0"),
        optional_field(&B::kd, "kd", Form::constant, "default 0; needs a filter"),
        optional_field(&B::filter, "filter", Form::constant, "time constant of the derivative's filter, s",
                       dimension::time),
        optional_field(&B::initial, "initial", Form::constant, "integral of e at t = 0; default 0"),
        optional_field(&B::low, "low", Form::constant, "lower limit of the output; the integral stops there"),
        optional_field(&B::high, "high", Form::constant, "upper limit of the output; the integral stops there"));
  }
  [[nodiscard]] bool feeds_through() const { return kp != 0 || kd != 0; }
  void check(const Wrong& wrong) const {
    not_negative(wrong, "filter", filter);
    if (kd != 0 && filter == 0) wrong("kd", "a derivative needs a 'filter', the time constant that keeps it finite");
    if (low && high && *low >= *high) wrong("low", "must be below 'high'");
  }
};

}  // namespace gyrostat
