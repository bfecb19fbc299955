// Equations of constraint between two bodies in absolute coordinates, and their second derivatives: one for each
// direction that a joint locks, and one for each speed that it has, which gives the joint's accelerations from the
// bodies'. Numbers in comments are the equations of docs/theory/absolute.md.
#pragma once

#include "gyrostat/dynamics/absolute_motion.h"
#include "gyrostat/dynamics/forces.h"

namespace gyrostat {

/// With h = [v of the com, world axes; w, body axes] of the bodies P and C, and h' its derivative,
///   rate = on[0].h_P + on[1].h_C,   its derivative = on[0].h'_P + on[1].h'_C - gamma.                      (9)
/// A multiplier lambda exerts lambda times `on`: force and torque about the com.
struct AbsoluteRow {
  std::array<Vector6, 2> on;
  double gamma = 0;
};

/// Constants of a constraint between two bodies that no coordinate of the tree satisfies by itself.
struct AbsoluteClosure {
  enum class Kind { joint, point, distance };

  Kind kind = Kind::joint;
  AbsoluteJoint joint;  // of a point: its directions n and its nodes; of a distance: its nodes
  std::uint32_t constraint = 0, first_equal = 0;
  std::uint32_t first_row = 0;  // among the rows of closures

  [[nodiscard]] std::uint32_t rows() const { return kind == Kind::distance ? 1 : joint.locked(); }
};

/// A coupling of speeds.
struct AbsoluteCoupling {
  struct Term {
    std::uint32_t u = 0;
    double coefficient = 0;
  };
  std::vector<Term> terms;
  std::uint32_t constraint = 0, first_equal = 0;
};

/// Constants of all constraints of a system.
struct AbsoluteConstraints {
  std::vector<AbsoluteClosure> closures;
  std::vector<AbsoluteCoupling> couplings;
  std::uint32_t closure_rows = 0;

  explicit AbsoluteConstraints(const System& system);
};

/// Where a closure's nodes are, world axes.
struct AbsoluteNodes {
  Vector3 s_P, s_C;    // from the coms [m]
  Vector3 zeta, rate;  // from P's node to C's [m], and its rate [m/s]
};
AbsoluteNodes find_nodes(const AbsoluteModel& model, const AbsoluteState& state, const AbsoluteClosure& closure);

/// Rows of joint i of the tree: those of its speeds in their order, whose rates are the speeds; then those it locks.
/// Six in all.
void find_rows(const AbsoluteModel& model, const AbsoluteState& state, std::uint32_t i, AbsoluteRow* rows);

/// Rows of a closure. gamma holds the motion's part; what is given is to be added.
void find_rows(const AbsoluteModel& model, const AbsoluteState& state, const AbsoluteClosure& closure,
               AbsoluteRow* rows);

/// (18) The derivatives of a closure row's rate by the speeds of the tree, added to `column`. Returns the square of the
/// size that they would have if no axis on the way were oblique to the row: what their rounding is to be measured by.
double add_by_speeds(const AbsoluteModel& model, const AbsoluteState& state, const AbsoluteClosure& closure,
                     const AbsoluteRow& row, double* column);

}  // namespace gyrostat
