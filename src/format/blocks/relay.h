// One of two values, with hysteresis.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct RelayBlock {
  Expression input;
  double on = 0, off = 0;    // thresholds
  double high = 1, low = 0;  // what it gives when on, when off
  long start = 0;

  static constexpr std::string_view kind = "relay", note = "one of two values, with hysteresis";
  static constexpr auto fields() {
    using B = RelayBlock;
    return std::tuple(required_field(&B::input, "input", Form::dynamic, "expression"),
                      required_field(&B::on, "on", Form::constant, "turns on when the input is above it"),
                      required_field(&B::off, "off", Form::constant, "turns off when the input is below it"),
                      optional_field(&B::high, "high", Form::constant, "the output when on; default 1"),
                      optional_field(&B::low, "low", Form::constant, "the output when off; default 0"),
                      optional_field(&B::start, "start", Form::whole_number,
                                     "1: on at t = 0 if the input is between the thresholds; default 0: off"));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  void check(const Wrong& wrong) const {
    if (off > on) wrong("off", "must not be above 'on' (" + shown(off) + " is above " + shown(on) + ")");
    if (start != 0 && start != 1) wrong("start", "must be 0 or 1, got " + std::to_string(start));
  }
};

}  // namespace gyrostat
