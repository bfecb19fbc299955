// Sums over the nodes of a flexible body that its equations of motion need; the nodes themselves are not needed after
// that. The arrangement is that of Wallrapp's Standard Input Data. Numbers in comments are the equations of
// docs/theory/flexible.md.
#pragma once

#include <optional>

#include "gyrostat/flexible/flexible_data.h"
#include "gyrostat/math/mass_properties.h"

namespace gyrostat {

/// Which terms of the deformation the equations of motion keep.
enum class FlexibleTerms : std::uint8_t {
  ruthless,   // none in mass and velocity terms
  linear,     // a consistent mass matrix without second-order shapes
  stiffened,  // with second-order shapes
};

/// About a point, body axes; a and b are modes. With modal coordinates eta and rates etad, the momentum of a body whose
/// frame moves with w and v is
///   angular: J w + mc x v + Cr etad,   linear: mass v + w x mc + Ct etad,   modal: Cr' w + Ct' v + Me etad,
///   mc = mc0 + Ct0 eta + 1/2 Gm_ab eta_a eta_b,   Ct_b = Ct0_b + Gm_ab eta_a,
///   Cr_b = Cr0_b + Cr1_ab eta_a,   J = J0 + J1_a eta_a + 1/2 J2_ab eta_a eta_b.
struct ModalIntegrals {
  double mass = 0;                // [kg]
  Vector3 mc0 = Vector3::Zero();  // [kg m]
  Matrix3 J0 = Matrix3::Zero();   // [kg m^2]
  Eigen::Matrix3Xd Ct0, Cr0;      // by mode
  std::vector<Matrix3> J1;        // by mode
  std::vector<Matrix3> J2;        // by pair (pair_index)
  Eigen::Matrix3Xd Cr1;           // by a m + b: not symmetric
  Eigen::Matrix3Xd Gm;            // by pair
  Eigen::MatrixXd Me;             // m x m
};

/// About `point`, which is given in the body's frame. `linear` and `ruthless` leave the second-order shapes out.
ModalIntegrals modal_integrals(const FlexibleData& data, const Vector3& point, FlexibleTerms terms);

/// Where a node and its axes are in the body's frame at modal coordinates eta. `ruthless` does not move nodes to which
/// inertia attaches.
Pose node_pose(const FlexibleNode& node, const double* eta, FlexibleTerms terms, bool loaded);

/// Of the undeformed body.
MassProperties mass_properties(const FlexibleData& data);

}  // namespace gyrostat
