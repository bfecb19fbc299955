// Forward dynamics in three sweeps, cost linear in the number of bodies. Numbers in comments are the equations of
// docs/theory/articulated_body.md.
#pragma once

#include <algorithm>

#include "gyrostat/dynamics/closures.h"
#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

/// What the inward pass leaves for the outward one of a degree of freedom that it eliminated; not of a floating base.
template <class T>
struct Eliminated {
  Wrench<T> U;    // the articulated inertia times the motion-subspace column, at the parent's base point
  T D_inverse{};  // 1 / (column . U); zero where the acceleration is given
  T udot{};       // acceleration of the speed while the parent has none beyond its bias
};

/// A body with all that is outboard of it.
template <class T>
struct Articulated {
  Inertia<T> inertia;
  Wrench<T> bias;  // articulated bias force: the wrench it takes while the body has no acceleration beyond its bias
};

/// Eight numbers of a matrix's row, together in memory.
template <class T>
struct RowOfEight {
  T v[8]{};

  GYROSTAT_INLINE T& operator[](std::size_t k) { return v[k]; }
  GYROSTAT_INLINE const T& operator[](std::size_t k) const { return v[k]; }
};

/// How many of these a row for all loaded nodes of a flexible body takes.
inline std::size_t chunks_of(const FlexibleStructure& body) { return (6 * std::size_t{body.loaded} + 7) / 8; }

/// What the inward pass leaves of the modes of flexible bodies (flexible_sweeps.h).
template <class T>
struct ModalElimination {
  std::vector<Articulated<T>> nodes;  // of flexible bodies, with all that is outboard of them
  std::vector<T> modal_force;         // by mode: what is needed while neither the body nor the mode accelerates
  std::vector<std::size_t> first_N;   // by loaded node that is the first of its body: where the body's N begins
  std::vector<RowOfEight<T>> N, Y;    // six rows for each loaded node
  std::vector<RowOfEight<T>> B, Q;    // room for one body

  template <class C>
  explicit ModalElimination(const MechanismOf<C>& mechanism)
      : nodes(mechanism.modal_nodes.size()), modal_force(mechanism.modes) {
    std::size_t loaded = 0, numbers = 0, most = 0, most_B = 0;
    for (const FlexibleOf<C>& body : mechanism.flexible) {
      const std::size_t rows = 6 * std::size_t{body.loaded}, chunks = chunks_of(body);
      first_N.resize(loaded + body.loaded + 1, 0);
      first_N[loaded] = numbers;
      loaded += body.loaded;
      numbers += rows * chunks;
      most = std::max(most, rows * chunks);
      most_B = std::max(most_B, chunks * body.modes);
    }
    N.resize(numbers);
    Y.resize(6 * loaded);
    B.resize(most_B);
    Q.resize(most);
  }
};

/// The formulation has no constants beside the mechanism.
struct ArticulatedBody {};

template <class T>
struct ArticulatedBodyData {
  std::vector<Eliminated<T>> eliminated;    // by speed
  std::vector<Twist<T>> increment;          // by body: its acceleration beyond the bias
  std::vector<Articulated<T>> branch_sums;  // over children but the first
  std::vector<Inertia<T>> floating;         // of floating bodies with all that is outboard of them
  ModalElimination<T> flexible;             // of flexible bodies
  ClosureData<T> closures;                  // of a mechanism with constraints

  template <class C>
  explicit ArticulatedBodyData(const MechanismOf<C>& mechanism)
      : eliminated(mechanism.nu),
        increment(mechanism.links.size()),
        branch_sums(mechanism.branch_sums),
        floating(mechanism.floating.size()),
        flexible(mechanism) {}
};

/// Derivatives of all speeds. `kinematics` holds the outward pass at this state without given derivatives.
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, ArticulatedBodyData<double>& workspace, double* udot);

/// The same under constraints; `workspace.closures` has room for their plan. Where its rows are nearly dependent, by
/// accelerations_near_singularity.
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, Closures<double>& closures, ArticulatedBodyData<double>& workspace,
                   double* udot);

/// The outward pass (outward.h), compiled once.
void update(const Mechanism& mechanism, const double* q, const double* u, Kinematics<double>& kinematics);

}  // namespace gyrostat
