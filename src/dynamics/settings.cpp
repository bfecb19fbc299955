#include "gyrostat/dynamics/settings.h"

#include <algorithm>

namespace gyrostat {

DynamicsSettings::DynamicsSettings(const System& system)
    : gyroscopic(system.bodies.size(), true), about(system.initial.q) {}

DynamicsSettings::DynamicsSettings(const Model& model) : DynamicsSettings(model.system) {
  const System& system = model.system;
  const SimulationDescription& simulation = model.description.simulation;
  computing_frame = simulation.computing_frame == "body" ? ComputingFrame::body : ComputingFrame::inertial;
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    gyroscopic[i] = simulation.gyroscopic && std::ranges::find(simulation.gyroscopic_dropped, system.bodies[i].name) ==
                                                 simulation.gyroscopic_dropped.end();
  }
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    for (const auto& [name, coordinates] : simulation.about) {
      if (name == joint.name) std::ranges::copy(coordinates, about.begin() + joint.q);
    }
    if (std::ranges::find(simulation.linearized, joint.name) != simulation.linearized.end()) linearized.push_back(i);
  }
}

}  // namespace gyrostat
