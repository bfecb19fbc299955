// Which of several expressions has the largest magnitude. The hysteresis has the dimension of whatever they mean.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct LargestBlock {
  std::vector<Expression> inputs;
  double hysteresis = 0;

  static constexpr std::string_view kind = "largest", note = "1, 2, ...: which input has the largest magnitude";
  static constexpr auto fields() {
    using B = LargestBlock;
    return std::tuple(
        filled(required_field(&B::inputs, "inputs", Form::dynamic_list, "expressions; the output is 1 for the first")),
        optional_field(&B::hysteresis, "hysteresis", Form::constant,
                       "another one takes over when its magnitude is larger by more than this; default 0"));
  }
  [[nodiscard]] static bool feeds_through() { return true; }
  static expression::KnownDimension output_dimension() { return expression::bare_number; }
  void check(const Wrong& wrong) const {
    if (inputs.size() == 1) wrong("inputs", "there is nothing to choose from: at least two are needed");
    not_negative(wrong, "hysteresis", hysteresis);
  }
};

}  // namespace gyrostat
