// What joints transmit, and what it takes to drive and to lock them.
#pragma once

#include "gyrostat/dynamics/inverse_dynamics.h"

namespace gyrostat {

struct Reaction {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();  // on the user's child at the joint point, child axes
};

struct Reactions {
  std::vector<Reaction> joints;  // by body
  std::vector<double> driving;   // by speed: what locks and drives add to the forces given; zero for free ones
  InverseDynamics<double> workspace;

  explicit Reactions(const Mechanism& mechanism)
      : joints(mechanism.links.size()), driving(mechanism.nu), workspace(mechanism) {}
};

/// For the accelerations `udot` that the forces make, however they were found. Cost linear in the number of bodies.
void find_reactions(const Mechanism& mechanism, const double* q, const double* u, const double* udot,
                    const Forces<double>& forces, Reactions& reactions);

}  // namespace gyrostat
