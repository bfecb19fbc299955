// y grows by a normal random number at each multiple of a period.
#pragma once

#include "gyrostat/signals/blocks/periodic.h"
#include "gyrostat/signals/noise.h"

namespace gyrostat {

struct RandomWalk : Periodic {
  std::uint64_t seed = 0;
  double step = 0;  // standard deviation
  double initial = 0;

  explicit RandomWalk(const RandomWalkBlock& b)
      : Periodic{b.period},
        seed(static_cast<std::uint64_t>(b.seed)),
        step(b.intensity * std::sqrt(b.period)),
        initial(b.initial) {}

  [[nodiscard]] std::vector<double> numbers() const { return {period, static_cast<double>(seed), step, initial}; }
  void start(std::span<double> outputs) const { outputs[0] = initial; }

  std::optional<std::string_view> update(const HeldCall& call) const {
    if (!is_due_at(call)) return std::nullopt;
    if (call.memory.next > 0) call.outputs[0] += step * normal_number(seed, call.memory.next, call.noise_stream);
    ++call.memory.next;
    return "";
  }
};

}  // namespace gyrostat
