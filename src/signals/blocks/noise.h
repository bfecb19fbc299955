// A new random number with normal distribution at each multiple of a period.
#pragma once

#include "gyrostat/signals/blocks/periodic.h"
#include "gyrostat/signals/noise.h"

namespace gyrostat {

struct Noise : Periodic {
  std::uint64_t seed = 0;
  double std = 0;

  explicit Noise(const NoiseBlock& b) : Periodic{b.period}, seed(static_cast<std::uint64_t>(b.seed)), std(b.std) {}

  [[nodiscard]] std::vector<double> numbers() const { return {period, static_cast<double>(seed), std}; }

  std::optional<std::string_view> update(const HeldCall& call) const {
    if (!is_due_at(call)) return std::nullopt;
    call.outputs[0] = std * normal_number(seed, call.memory.next, call.noise_stream);
    ++call.memory.next;
    return "";
  }
};

}  // namespace gyrostat
