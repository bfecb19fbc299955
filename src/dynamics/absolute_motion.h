// Absolute coordinates of all bodies, as the DASC thesis has them: the position of the mass centre and Euler
// parameters, found outward from the coordinates of the joints. Nothing here is shared with other formulations. Numbers
// in comments are the equations of docs/theory/absolute.md.
#pragma once

#include <array>
#include <vector>

#include "gyrostat/dynamics/absolute_flexible.h"
#include "gyrostat/dynamics/settings.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

/// Constants of a body.
struct AbsoluteBody {
  static constexpr std::uint32_t none = Body::none;

  std::uint32_t parent = 0, root = 0;  // root: the first body of its tree
  double mass = 0;                     // [kg]
  Vector3 com = Vector3::Zero();       // from the body's origin, body axes [m]
  Matrix3 inertia = Matrix3::Zero();   // (8) about the com, body axes, less what wheels have about their axes [kg m^2]
  Vector3 base = Vector3::Zero();      // base point from the com, body axes [m]
  bool gyroscopic = true;
  std::uint32_t wheel = 0, wheels = 0;         // its first in System::wheels, and how many
  std::uint32_t flexible = none, node = none;  // its place among the flexible bodies or their nodes
  std::uint32_t own = 6;                       // its coordinates but those of wheels: a node has none
};

/// Constants of a joint, in the tree or cut, from the user's parent P to the user's child C.
struct AbsoluteJoint {
  std::uint32_t P = 0, C = 0;
  bool reversed = false;                                   // C is inboard
  bool ball = false;                                       // its rotation is given by Euler parameters
  std::uint8_t translations = 0, rotations = 0;            // as it has speeds
  std::uint8_t first_translation = 0, first_rotation = 0;  // among its speeds
  std::uint32_t q = 0, u = 0;                              // in the state
  std::uint32_t q_translation = 0, q_rotation = 0;         // in the state
  Vector3 p_P = Vector3::Zero(), p_C = Vector3::Zero();    // joint points from the coms, P and C axes [m]
  Eigen::Vector4d e_0 = {1, 0, 0, 0};                      // Euler parameters at zero coordinates
  std::array<Vector3, 3> d, a;                             // axes, P axes at zero coordinates
  std::array<Vector3, 3> d_dual;                           // d_dual[i].d[k] is 1 or 0, in the span of d
  std::uint8_t locked_translations = 0, locked_rotations = 0;
  std::array<Vector3, 3> n;     // unit vectors orthogonal to all d, P axes
  std::array<Vector3, 3> x, y;  // pairs whose products are constant, P and C axes

  [[nodiscard]] std::uint32_t speeds() const { return translations + rotations; }
  [[nodiscard]] std::uint32_t locked() const { return locked_translations + locked_rotations; }
  [[nodiscard]] std::uint32_t outboard() const { return reversed ? P : C; }
};

/// `held`: nothing moves, and `position` are the coordinates it has.
AbsoluteJoint make_absolute_joint(const System& system, const Joint& joint, bool held, const double* position);

/// Constants of a system's motion.
struct AbsoluteModel {
  std::vector<AbsoluteBody> bodies;   // bodies[0] is the world
  std::vector<AbsoluteJoint> joints;  // joints[0] means nothing
  std::vector<Wheel> wheels;
  std::vector<AbsoluteFlexible> flexible;
  std::vector<AbsoluteNode> nodes;
  std::uint32_t speeds = 0;

  AbsoluteModel(const System& system, const DynamicsSettings& settings);

  /// The body whose coordinates move body i: the flexible body that it is a node of, or itself.
  [[nodiscard]] std::uint32_t carrier(std::uint32_t i) const {
    return bodies[i].node == AbsoluteBody::none ? i : bodies[i].parent;
  }
};

/// A body in motion, world axes. Positions and velocities are those of the com less those of the com of the tree's
/// first body, so that a spacecraft far from the world's origin loses no digits.
struct AbsoluteMotion {
  Eigen::Vector4d e = {1, 0, 0, 0};  // Euler parameters, scalar first
  Matrix3 A = Matrix3::Identity();   // from body axes to world axes
  Vector3 r = Vector3::Zero();       // [m]
  Vector3 v = Vector3::Zero();       // [m/s]
  Vector3 w = Vector3::Zero();       // [rad/s]
};

/// A joint of the tree in motion, world axes.
struct AbsoluteJointMotion {
  std::array<Vector3, 6> column;        // by speed: the axis about or along which it moves C
  std::array<Vector3, 6> dual;          // by speed: its product with the relative velocity is the speed
  Vector3 zeta = Vector3::Zero();       // from P's joint point to C's [m]
  Vector3 zeta_rate = Vector3::Zero();  // its derivative as P sees it [m/s]
  Vector3 w_PC = Vector3::Zero();       // angular velocity of C relative to P [rad/s]
  Vector3 w_PC_rate = Vector3::Zero();  // (6) its derivative at constant speeds [rad/s^2]
  Vector3 point = Vector3::Zero();      // C's joint point from the com of the tree's first body [m]
};

struct AbsoluteState {
  std::vector<AbsoluteMotion> bodies;
  std::vector<AbsoluteJointMotion> joints;
  std::vector<Vector3> origin, origin_rate;  // by body, set for the first of each tree: its com and its velocity
  std::vector<AbsoluteDeformation> flexible;
  std::vector<AbsoluteNodeMotion> nodes;

  explicit AbsoluteState(const AbsoluteModel& model);

  /// From the com of body i to that of body k [m], and its rate [m/s].
  [[nodiscard]] Vector3 between(const AbsoluteModel& model, std::uint32_t i, std::uint32_t k) const {
    const std::uint32_t a = model.bodies[i].root, b = model.bodies[k].root;
    const Vector3 apart = a == b ? Vector3(Vector3::Zero()) : Vector3(origin[b] - origin[a]);
    return bodies[k].r - bodies[i].r + apart;
  }
  [[nodiscard]] Vector3 rate_between(const AbsoluteModel& model, std::uint32_t i, std::uint32_t k) const {
    const std::uint32_t a = model.bodies[i].root, b = model.bodies[k].root;
    const Vector3 apart = a == b ? Vector3(Vector3::Zero()) : Vector3(origin_rate[b] - origin_rate[a]);
    return bodies[k].v - bodies[i].v + apart;
  }
};

/// Positions and velocities of all bodies at coordinates q and speeds u of the tree.
void find_motion(const AbsoluteModel& model, const double* q, const double* u, AbsoluteState& state);

/// Product of Euler parameters: first `left`, then, about axes that it has turned, `right`.
inline Eigen::Vector4d turned_by(const Eigen::Vector4d& left, const Eigen::Vector4d& right) {
  Eigen::Vector4d product;
  product[0] = left[0] * right[0] - left.tail<3>().dot(right.tail<3>());
  product.tail<3>() = left[0] * right.tail<3>() + right[0] * left.tail<3>() + left.tail<3>().cross(right.tail<3>());
  return product;
}

/// (2) of Euler parameters of unit length.
inline Matrix3 rotation_of(const Eigen::Vector4d& e) {
  const Vector3 v = e.tail<3>();
  return (e[0] * e[0] - v.squaredNorm()) * Matrix3::Identity() + 2 * v * v.transpose() + 2 * e[0] * skew(v);
}

}  // namespace gyrostat
