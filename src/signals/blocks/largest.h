// y = the number of the input with the largest magnitude. Another one takes over when it exceeds the present one's by
// more than the hysteresis; of several that are equally large at the start, the first is taken.
#pragma once

#include <cmath>

#include <fmt/format.h>

#include "gyrostat/format/limits.h"
#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Largest {
  double hysteresis = 0;

  explicit Largest(const LargestBlock& b) : hysteresis(b.hysteresis) {}

  [[nodiscard]] std::vector<double> numbers() const { return {hysteresis}; }

  [[nodiscard]] static double next_time(const HeldMemory&, double) { return never; }

  /// How far the largest is above the present one, less the hysteresis. Before the start, 0, none is present.
  [[nodiscard]] double excess(const HeldInputs& u, double output) const {
    const double largest = std::abs(u[of(u) - 1]);
    return output == 0 ? largest : largest - std::abs(u[static_cast<std::size_t>(output) - 1]) - hysteresis;
  }
  [[nodiscard]] bool crossed(double, const HeldMemory&, const HeldInputs& u, double output) const {
    return output == 0 || excess(u, output) > 0;
  }
  [[nodiscard]] double event_function(double, const HeldMemory&, const HeldInputs& u, double output) const {
    double least = never;
    const std::size_t present = static_cast<std::size_t>(output) - 1;
    for (std::size_t k = 0; k < u.size(); ++k) {
      if (k != present) least = std::min(least, std::abs(u[present]) + hysteresis - std::abs(u[k]));
    }
    return least;
  }

  /// Of an output that has been stored.
  [[nodiscard]] static bool is_possible(double output, std::size_t inputs) {
    return output >= 0 && output <= static_cast<double>(inputs) && output == std::floor(output);
  }

  std::optional<std::string_view> update(const HeldCall& call) const {
    double& output = call.outputs[0];
    if (output != 0 && !(excess(call.inputs, output) > 0)) return std::nullopt;
    const std::size_t next = of(call.inputs);
    output = static_cast<double>(next);
    return name(next);
  }

 private:
  /// The number of the first that no other exceeds.
  static std::size_t of(const HeldInputs& u) {
    std::size_t largest = 0;
    for (std::size_t k = 1; k < u.size(); ++k) {
      if (std::abs(u[k]) > std::abs(u[largest])) largest = k;
    }
    return largest + 1;
  }
  static std::string_view name(std::size_t number) {
    static const std::vector<std::string> names = [] {
      std::vector<std::string> list;
      for (std::size_t k = 0; k <= limits::parts; ++k) list.push_back(fmt::format("input {}", k));
      return list;
    }();
    return names[number];
  }
};

}  // namespace gyrostat
