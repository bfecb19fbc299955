// Where a linear model is taken out of the closed loop: what is perturbed, and what is measured.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "gyrostat/format/parts.h"

namespace gyrostat {

/// What reads an output of a signal gets it with the input added; where the loop is opened, the input in its place.
struct SignalInput {
  std::uint32_t signal = 0, part = 0;
  bool opened = false;

  bool operator==(const SignalInput&) const = default;
};

/// The input acts on one speed, beside all other forces.
struct SpeedInput {
  std::uint32_t u = 0;

  bool operator==(const SpeedInput&) const = default;
};

/// It is a component of a force at a node, or of a torque on the node's body.
struct NodeInput {
  std::uint32_t node = 0, component = 0;
  bool torque = false;
  Axes axes = Axes::body;

  bool operator==(const NodeInput&) const = default;
};

using InputPoint = std::variant<SignalInput, SpeedInput, NodeInput>;

struct AnalysisPoints {
  std::vector<InputPoint> inputs;
  std::vector<Expression> outputs;  // valid ones
};

}  // namespace gyrostat
