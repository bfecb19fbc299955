// A function of a shared library, called at its period.
#pragma once

#include <vector>

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct PluginBlock {
  std::string library, function;
  std::vector<Expression> inputs;
  std::vector<std::string> outputs;
  double period = 0;  // [s]

  static constexpr std::string_view kind = "plugin", note = "a function of a shared library, called at its period";
  static constexpr auto fields() {
    using B = PluginBlock;
    return std::tuple(required_field(&B::library, "library", Form::path, "shared library, relative to the model file"),
                      required_field(&B::function, "function", Form::text, "symbol"),
                      required_field(&B::inputs, "inputs", Form::dynamic_list, "expressions"),
                      required_field(&B::outputs, "outputs", Form::output_names, "names, used as SIGNAL.OUTPUT"),
                      required_field(&B::period, "period", Form::constant, "s", dimension::time));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  void check(const Wrong& wrong) const {
    long_enough(wrong, "period", period);
    distinct(wrong, "outputs", outputs);
  }
};

}  // namespace gyrostat
