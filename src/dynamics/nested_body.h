// The equations of motion of a tree by nests of bodies and free coordinate vectors, after N-BOD (Frisch 1974). Numbers
// in brackets are equations of docs/theory/nested_body.md. All vectors are in the axes of the computing frame unless
// said otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Cholesky>

#include "gyrostat/dynamics/forces.h"
#include "gyrostat/dynamics/settings.h"

namespace gyrostat {

/// What the formulation knows of a system: built once, shared by threads. Which speeds are free is asked in every
/// evaluation.
struct NestedBody {
  using Vector = Vec3<double>;
  using Rotation = Mat3<double>;
  using Dyadic = Sym3<double>;

  /// Where the free coordinate vectors of one kind begin: in the coordinates, in the speeds.
  struct Vectors {
    std::uint32_t count = 0, coordinate = 0, speed = 0;
  };

  /// Hinge k and the body outboard of it: what does not change. P and C are the joint's parent and child as the user
  /// names them.
  struct Hinge {
    std::uint32_t inboard = 0;   // J(k)
    std::uint32_t nest_end = 0;  // nest k is the bodies k, k + 1, ... nest_end - 1
    bool reversed = false;       // C is inboard
    bool ball = false;           // the rotation has a quaternion for coordinates
    bool computing = false;      // body k, the first of its tree, is the computing frame of the tree
    double sign = 1;             // of the outboard body's motion for a positive speed: -1 where reversed
    Vectors rotations, translations;
    std::array<Vector, 3> a, d;  // axes of rotation and directions of translation at zero coordinates, P's axes
    Rotation R_0;                // R_PC at zero coordinates
    Vector beta;                 // from the inboard body's base point to its joint point, inboard body's axes [m]
    Vector alpha;                // from the base point of body k to its mass centre, its axes [m]
    double mass = 0;             // of body k [kg]
    double nest_mass = 0;        // (14) [kg]
    Dyadic inertia;              // of body k about its mass centre, despun wheels included, its axes [kg m^2]
    bool gyroscopic = true;      // its torque w x L is kept
  };

  struct Wheel {
    std::uint32_t body = 0, speed = 0;
    Vector axis;         // body's axes
    double inertia = 0;  // about it [kg m^2]
  };

  std::vector<Hinge> hinges;  // by body; entry 0, the world, means nothing
  std::vector<Wheel> wheels;
  std::size_t speeds = 0;

  /// Precondition: outside_domain_of_nested_body(system, settings) is empty.
  NestedBody(const System& system, const DynamicsSettings& settings);
};

/// Where it computes: one for each evaluation at a time.
struct NestedBodyData {
  using Vector = NestedBody::Vector;
  using Rotation = NestedBody::Rotation;
  using Dyadic = NestedBody::Dyadic;

  /// Body k, as it moves where all unknown accelerations are zero.
  struct MovingBody {
    Rotation R_Xk;          // from body axes to those of the computing frame X
    Vector w;               // angular velocity [rad/s]
    Vector w_dot;           // angular acceleration [rad/s^2]
    Vector base, com;       // from the base point of the tree's first body [m]
    Vector pivot;           // the point that nest k turns about [m]
    Vector base_accel;      // of the base point [m/s^2]
    Dyadic inertia;         // about the mass centre [kg m^2]
    Vector torque, force;   // applied, about the base point; then (12), (13), about the mass centre [N m, N]
    Vector wheel_momentum;  // of its wheels relative to it [N m s]
    Vector wheel_torque;    // that prescribed wheels take [N m]
  };

  /// Nest k about its pivot.
  struct Nest {
    Vector moment;         // of mass (14) [kg m]
    Dyadic inertia;        // (14) [kg m^2]
    Vector torque, force;  // (15) [N m, N]
  };

  std::vector<Vector> q;           // by speed: its free coordinate vector (3)
  std::vector<MovingBody> bodies;  // entry 0 is the world as the tree in hand sees it
  Eigen::MatrixXd A;               // (18), (19): lower triangle, by speed; that of a given speed says udot = given
  Eigen::VectorXd b, solution;     // (20), (21)
  Eigen::LDLT<Eigen::MatrixXd> factors;

  explicit NestedBodyData(const NestedBody& constants);
};

/// What keeps the formulation from taking the system, naming it ("joint 'x' ..."), or empty.
std::string outside_domain_of_nested_body(const System& system, const DynamicsSettings& settings);

/// The time derivatives of all speeds; those that are given are copied.
void accelerations(const NestedBody& constants, const double* q, const double* u, const Forces<double>& forces,
                   NestedBodyData& workspace, double* udot);

}  // namespace gyrostat
