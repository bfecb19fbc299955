// Inverse dynamics: the forces that given accelerations need, in two sweeps. Numbers in comments are the equations of
// docs/theory/inverse_dynamics.md.
#pragma once

#include "gyrostat/dynamics/inertia.h"
#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

template <class T>
struct InverseDynamics {
  Kinematics<T> kinematics;            // with the given accelerations
  std::vector<Wrench<T>> transmitted;  // by body: what its inboard joint does to it, about the base point, world axes

  template <class C>
  explicit InverseDynamics(const MechanismOf<C>& mechanism)
      : kinematics(mechanism), transmitted(mechanism.links.size()) {}
};

/// `tau` gets the force conjugate to every speed (wheels included) that makes the speeds change at the rates `udot`
/// while the wrenches of `forces` act; of `forces` nothing else is read.
void inverse_dynamics(const Mechanism& mechanism, const double* q, const double* u, const double* udot,
                      const Forces<double>& forces, InverseDynamics<double>& workspace, double* tau);

}  // namespace gyrostat
