// Accelerations with their exact derivatives by coordinates and speeds: a recursion of its own, eight directions at a
// time. Numbers in comments are the equations of docs/theory/derivatives.md.
#pragma once

#include <array>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/inverse_dynamics.h"

namespace gyrostat {

/// How a body's motion changes along eight directions, seen from the body; world axes.
struct BodyTangent {
  Vec3<Pack> w, alpha, a;  // changes of what BodyMotion calls so
  Mat3<Pack> W;
  Vec3<Pack> theta, r;  // where a direction begins: the turn of the body and the way of its base point
  Vec3<Pack> turned;    // the turns of all joints inboard: what is fixed in the world turns back by it
};

/// Row k, column j: the derivative of udot[k] by direction j.
struct JacobianRows {
  std::size_t rows = 0, blocks = 0;  // columns in blocks of eight; those beyond the last are zero
  std::vector<Pack> entries;

  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const {
    return entries[row * blocks + column / Pack::lanes][column % Pack::lanes];
  }
};

/// What the sweeps carry along eight directions.
struct Directional {
  std::vector<BodyTangent> tangents;
  std::vector<Wrench<Pack>> through;  // by body: change of what its joint transmits
  std::vector<Wrench<Pack>> pull;     // by body: articulated bias
  std::vector<Column<Pack>> rise;     // by body: change of its acceleration
  std::vector<Pack> drive;            // by speed: first minus the change of its force, then that of its acceleration
  std::vector<Column<Pack>> columns;  // by speed: changes of columns

  explicit Directional(const Mechanism& mechanism);
};

struct Derivatives {
  std::vector<double> udot;
  JacobianRows
      by_q;  // by motion along a unit of each speed: a coordinate, or a turn about a child axis for quaternions
  JacobianRows by_u;  // by each speed

  ArticulatedBody<double> articulated;
  Kinematics<double> kinematics;   // without accelerations
  InverseDynamics<double> motion;  // with them
  std::vector<double> tau;
  std::vector<Moments<double>> moments;     // by body
  std::vector<std::uint32_t> body_of;       // by speed of a joint
  std::array<Pack, Pack::lanes + 1> units;  // one in lane l, and all zero
  BodyTangent still;                        // of bodies that no direction moves
  Directional along_q, along_u;             // worked on together: one fills the waits of the other

  explicit Derivatives(const Mechanism& mechanism);
};

/// Forces are kept as they are: tau as numbers, wrenches as vectors in world axes about base points.
void differentiate(const Mechanism& mechanism, const double* q, const double* u, const Forces<double>& forces,
                   Derivatives& derivatives);

}  // namespace gyrostat
