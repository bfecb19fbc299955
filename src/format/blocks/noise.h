// Gaussian noise, held over each period.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct NoiseBlock {
  long seed = 0;
  double std = 0;
  double period = 0;  // [s]

  static constexpr std::string_view kind = "noise", note = "Gaussian, held over each period";
  static constexpr auto fields() {
    return ::std::tuple(
        required_field(&NoiseBlock::seed, "seed", Form::whole_number, "the same seed gives the same noise"),
        required_field(&NoiseBlock::std, "std", Form::constant, "standard deviation"),
        required_field(&NoiseBlock::period, "period", Form::constant, "s", dimension::time));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  void check(const Wrong& wrong) const {
    long_enough(wrong, "period", period);
    not_negative(wrong, "std", std);
    not_negative(wrong, "seed", static_cast<double>(seed));
  }
};

}  // namespace gyrostat
