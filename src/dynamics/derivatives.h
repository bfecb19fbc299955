// Exact derivatives of accelerations, several directions at a time, whatever the forces depend on. Numbers in comments
// are the equations of docs/theory/derivatives.md.
//
// The equations of motion say that inverse dynamics at the accelerations found gives the forces that act. Along any
// direction the change of both is the same:  M d(udot) = d(tau) - d(inverse dynamics) with udot kept. The second term
// is inverse dynamics in dual numbers; M^-1 is the articulated bodies that are there already, with one right-hand side
// for each direction.
#pragma once

#include <array>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/inertia.h"

namespace gyrostat {

/// A number with its derivatives along as many directions as are worked on together.
using Directional = Dual<8>;

struct DerivativesData {
  std::vector<Twist<Directional>> increment;     // by body: acceleration beyond the bias, for udot kept
  std::vector<Wrench<Directional>> transmitted;  // by body: what its joint transmits
  std::vector<Directional> tau;                  // by speed: inverse dynamics, wheels included
  std::vector<Directional> udot;                 // by speed: values, and the derivatives of given ones

  // Of M^-1 times right-hand sides: the parts of one direction after another, eight numbers for each.
  struct Eight {
    alignas(64) std::array<double, 8> lanes{};
  };
  std::vector<Eight> right;                        // by speed: what is left for it, then its acceleration
  std::vector<Wrench<Directional>> exerted;        // by body: by the multipliers of constraints
  std::vector<Directional> reached;                // by row of the constraints
  std::vector<Eight> y, lambda;                    // by row that is kept
  std::vector<std::array<Eight, 6>> bias, change;  // by body: articulated bias force, acceleration increment
  std::vector<std::uint8_t> has_bias;              // by body: is there any beside what its first child hands over?
  std::vector<Eight> nodes;                        // six for each loaded node of a flexible body
  std::vector<std::array<Eight, 12>> motion;       // by body with several children: its change of motion, (7)

  explicit DerivativesData(const Mechanism& mechanism);
};

/// Vectors f at places x: the sums of f and of x f^T.
struct VectorMoments {
  Vec3<double> sum;
  Mat3<double> moment;
};

/// A body with all that is outboard of it, as changes of its own motion see them while no joint in it changes: about
/// its base point, velocities relative to that of the base point. World axes.       (6)
struct Composite {
  Inertia<double> inertia;
  VectorMoments momentum;      // of velocities times mass
  VectorMoments force;         // of applied forces,
  Vec3<double> torque;         // and the sum of applied torques
  Wrench<double> transmitted;  // by its joint
  Vec3<double> velocity;       // of the base point, relative to the parent's [m/s]
};

/// The force along a speed's column that changes of its body's motion need.       (8)
struct CompositeRow {
  Wrench<double> by_acceleration;
  Vec3<double> by_angular_velocity, by_turn;
};

/// Those of the bodies from `first` on: behind the last that has wheels or modes.
struct Composites {
  std::uint32_t first;
  std::vector<Composite> bodies;   // by body
  std::vector<CompositeRow> rows;  // by speed

  explicit Composites(const Mechanism& mechanism);
};

/// The point at which accelerations are differentiated, in plain numbers: all that was computed there.
struct Differentiated {
  const Mechanism& mechanism;
  const Kinematics<double>& kinematics;
  const ArticulatedBodyData<double>& articulated;  // the inward pass at this point
  const double* udot;
  const Closures<double>* closures = nullptr;  // with the multipliers there; of a tree, none
  const Composites* composites = nullptr;      // where bodies outboard of those that vary are not among them
};

/// Derivatives of all speeds' derivatives. `kinematics` holds the outward pass without given derivatives at coordinates
/// and speeds `u` that vary along the directions; `forces` are those there, and are free and given as they were at the
/// point. `closures` are the constraints there, whose rows the plan of the point keeps. `udot` gets the values at the
/// point and their derivatives.
void differentiate(const Differentiated& at, const Kinematics<Directional>& kinematics, const Directional* u,
                   const Forces<Directional>& forces, const Closures<Directional>& closures, DerivativesData& workspace,
                   Directional* udot);

/// The outward pass (outward.h), compiled once.
void update(const Mechanism& mechanism, const Directional* q, const Directional* u,
            Kinematics<Directional>& kinematics);

// --- by all coordinates and speeds, for forces that do not depend on them
// ---------------------------------------------

/// Row k, column j: the derivative of udot[k] by direction j.
struct JacobianRows {
  std::size_t rows = 0, columns = 0;
  std::vector<double> entries;

  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const { return entries[row * columns + column]; }
};

struct Derivatives {
  std::vector<double> udot;
  JacobianRows
      by_q;  // by motion along a unit of each speed: a coordinate, or a turn about a child axis for quaternions
  JacobianRows by_u;  // by each speed

  ArticulatedBodyData<double> articulated;
  Kinematics<double> kinematics;
  Kinematics<Directional> directional;
  std::vector<Directional> q, u, unit, qdot, along;
  Forces<Directional> forces;
  DerivativesData data;
  Composites composites;
  std::vector<std::uint32_t> body_of;  // by speed: whose motion relative to its parent, or whose wheel's, it is

  explicit Derivatives(const Mechanism& mechanism);
};

/// Forces are kept as they are: tau as numbers, wrenches as vectors in world axes about base points.
void differentiate(const Mechanism& mechanism, const double* q, const double* u, const Forces<double>& forces,
                   Derivatives& derivatives);

}  // namespace gyrostat
