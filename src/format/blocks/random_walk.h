// A sum of independent normal steps.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct RandomWalkBlock {
  long seed = 0;
  double intensity = 0;  // standard deviation after one second, [1/sqrt(s) of the output's]
  double period = 0;     // [s]
  double initial = 0;

  static constexpr std::string_view kind = "random_walk", note = "a sum of independent normal steps";
  static constexpr auto fields() {
    using B = RandomWalkBlock;
    return std::tuple(
        required_field(&B::seed, "seed", Form::whole_number, "the same seed gives the same walk"),
        required_field(&B::intensity, "intensity", Form::constant, "standard deviation of its change over one second"),
        required_field(&B::period, "period", Form::constant, "s, from step to step", dimension::time),
        optional_field(&B::initial, "initial", Form::constant, "its value at t = 0; default 0"));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  void check(const Wrong& wrong) const {
    long_enough(wrong, "period", period);
    not_negative(wrong, "intensity", intensity);
    not_negative(wrong, "seed", static_cast<double>(seed));
  }
};

}  // namespace gyrostat
