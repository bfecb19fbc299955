// Flexible bodies in absolute coordinates: the frame of a body and its modal coordinates, and the motion of its nodes
// that follows from them. Nothing here is shared with other formulations but the integrals over the body's mass.
// Numbers in comments are the equations of docs/theory/absolute.md.
#pragma once

#include <vector>

#include "gyrostat/model/system.h"

namespace gyrostat {

/// Constants of a flexible body. Its reference point is the com of the undeformed body.
struct AbsoluteFlexible {
  std::uint32_t body = 0, q = 0, u = 0;
  FlexibleTerms terms = FlexibleTerms::stiffened;
  ModalIntegrals integrals;  // about the reference point

  [[nodiscard]] std::uint32_t modes() const { return static_cast<std::uint32_t>(integrals.Ct0.cols()); }
};

/// Constants of a node: a body without mass that moves with a flexible one.
struct AbsoluteNode {
  std::uint32_t body = 0, flexible = 0;
  bool loaded = false;  // inertia attaches to it
  FlexibleNode node;    // from the body's reference point
};

/// h = [v of the reference point, world axes; w, body axes; modal rates].
struct AbsoluteDeformation {
  Eigen::MatrixXd M;      // (21)
  Eigen::VectorXd force;  // (22) minus the velocity terms
};

/// With h of the node and of its flexible body: h_node = B h, h'_node = B h' + b.
struct AbsoluteNodeMotion {
  Matrix3 R = Matrix3::Identity();  // from node axes to the flexible body's
  Vector3 r = Vector3::Zero();      // from the reference point, the flexible body's axes [m]
  Eigen::MatrixXd B;                // (24)
  Vector6 b = Vector6::Zero();      // (25)
};

AbsoluteFlexible make_absolute_flexible(const FlexibleBody& body, const Vector3& com);
AbsoluteNode make_absolute_node(const System& system, std::uint32_t body, std::uint32_t flexible);

/// A rotation that changes: exp([theta]x), seen from axes that do not.
struct AbsoluteRotation {
  Eigen::Vector4d e;   // Euler parameters, scalar first
  Matrix3 T;           // angular velocity for unit rates of theta
  Vector3 omega_rate;  // angular acceleration for the given second derivative of theta
};
AbsoluteRotation follow_rotation_vector(const Vector3& theta, const Vector3& rate, const Vector3& second);

/// A: from body axes to world axes; w: body axes.
void find_deformation(const AbsoluteFlexible& body, const Matrix3& A, const Vector3& w, const double* eta,
                      const double* etad, AbsoluteDeformation& deformation);
/// Returns the Euler parameters of the node relative to its flexible body.
Eigen::Vector4d find_node_motion(const AbsoluteFlexible& body, const AbsoluteNode& node, const Matrix3& A,
                                 const Vector3& w, const double* eta, const double* etad, AbsoluteNodeMotion& motion);

}  // namespace gyrostat
