// What constraints exert: forces of multipliers, reactions of cut joints, and which multipliers are unique.
#pragma once

#include "gyrostat/constraints/constraints.h"
#include "gyrostat/dynamics/closures.h"
#include "gyrostat/dynamics/reactions.h"

namespace gyrostat {

struct Multipliers {
  std::vector<double> values;  // by row: of least norm, where they are not unique [N or N m, per unit of the row]
  std::vector<bool> unique;    // by row
};

/// Of the multipliers that a formulation found. Where rows are redundant, others exert the same: those of least norm
/// are returned.
Multipliers unique_or_least(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                            const std::vector<Truth>& free, const Closures<double>& closures);

/// Forces that redundant constraints leave open: other multipliers, which exert the same on what is free to move, make
/// other ones. Statics and dynamics of rigid bodies do not determine them.
struct IndeterminateForces {
  using Components = std::array<bool, 6>;  // of a Reaction: force x, y, z, torque x, y, z
  std::vector<Components> joints;          // by body: of the joints of the tree
  std::vector<Components> cut_joints;      // by constraint of the system
  std::vector<bool> driving;               // by speed: what locks and drives add
};

/// At coordinates q. `closures` has all rows.
IndeterminateForces find_indeterminate(const Mechanism& mechanism, const Constraints& constraints,
                                       const Kinematics<double>& kinematics, const double* q,
                                       const std::vector<Truth>& free, const Closures<double>& closures);

/// Adds what multipliers exert on bodies and speeds.
template <class T>
void add_forces(const Closures<T>& closures, const std::vector<T>& multipliers, Forces<T>& forces) {
  for (std::size_t r = 0; r < multipliers.size(); ++r) {
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t body = closures.structure->bodies[r][side];
      if (body == 0) continue;
      const Wrench<T>& F = closures.values.rows[r].on_bodies[side];
      forces.wrench[body].torque += multipliers[r] * F.torque;
      forces.wrench[body].force += multipliers[r] * F.force;
    }
  }
  for (std::size_t k = 0; k < closures.structure->terms.size(); ++k) {
    const auto [row, u] = closures.structure->terms[k];
    forces.tau[u] = forces.tau[u] + multipliers[row] * closures.values.coefficients[k];
  }
}

/// Of a cut joint, as those of joints of the tree: on the user's child at the joint point, child axes.
Reaction reaction_of(const CutJointConstraint<double>& joint, const Mechanism& mechanism,
                     const Kinematics<double>& kinematics, const Closures<double>& closures,
                     const std::vector<double>& multipliers);

}  // namespace gyrostat
