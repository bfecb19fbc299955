// Forward dynamics in three sweeps, cost linear in the number of bodies. Numbers in comments are the equations of
// docs/theory/articulated_body.md.
#pragma once

#include "gyrostat/dynamics/inertia.h"
#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

/// What the inward sweep leaves for the outward one: by speed, but for a floating base.
template <class T>
struct ArticulatedColumn {
  Wrench<T> U;  // the articulated inertia times the column
  T per_D{};    // 1 / (column . U)
  T udot{};     // derivative of the speed while the parent does not accelerate
};

template <class T>
struct Gathered {
  Inertia<T> inertia;
  Wrench<T> bias;
};

template <class T>
struct ArticulatedBody {
  std::vector<ArticulatedColumn<T>> columns;  // by speed
  std::vector<Column<T>> rise;                // by body: its acceleration beyond the bias
  std::vector<Gathered<T>> gathered;          // of children but the first
  std::vector<Inertia<T>> floating;           // of floating bodies with all that hangs on them

  explicit ArticulatedBody(const Mechanism& mechanism)
      : columns(mechanism.nu),
        rise(mechanism.links.size()),
        gathered(mechanism.gathers),
        floating(mechanism.floating.size()) {}
};

/// Derivatives of all speeds. `kinematics` holds the outward pass at this state without given derivatives.
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, ArticulatedBody<double>& workspace, double* udot);
void accelerations(const Mechanism& mechanism, const Kinematics<Pack>& kinematics, const Pack* u,
                   const Forces<Pack>& forces, ArticulatedBody<Pack>& workspace, Pack* udot);

/// The outward pass (outward.h), compiled once for these scalars.
void update(const Mechanism& mechanism, const double* q, const double* u, Kinematics<double>& kinematics);
void update(const Mechanism& mechanism, const Pack* q, const Pack* u, Kinematics<Pack>& kinematics);

}  // namespace gyrostat
