// From the description of what acts on a system to force elements.
#pragma once

#include <span>

#include "gyrostat/forces/elements.h"
#include "gyrostat/forces/restraint.h"
#include "gyrostat/model/analysis_points.h"

namespace gyrostat {

/// The derivative of a speed that the model prescribes.
struct GivenAcceleration {
  std::uint32_t u = 0;
  Slot value = no_slot;
};

struct ForceModel {
  ForceElements<double> elements;
  std::vector<std::string> sources;  // by number: "joints.pan", "loads[0]", ..., "gravity gradient"
  std::uint32_t first_load = 0;      // the source "loads[0]"; the others follow it
  std::vector<GivenAcceleration> given;
  std::vector<JointLatch> latches;
  std::vector<Restraint> restraints;
  std::vector<std::uint32_t> by_reaction;  // restraints whose friction follows the reaction of their joint
  std::vector<Slot> used;                  // values that forces depend on
  std::optional<Orbit> orbit;
};

/// `inputs` are the slots of the analysis points' inputs.
ForceModel build_forces(ElementContext& context, const AnalysisPoints& points, std::span<const Slot> inputs);

}  // namespace gyrostat
