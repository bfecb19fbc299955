// Forward dynamics of a free-flying tree in n + 3 equations: the angular acceleration of the base and those of n line
// hinges, by augmented bodies and barycentres (Fleischer and Likins 1974). The translation of the base follows from
// them. Numbers in comments are the equations of docs/theory/augmented_body.md.
#pragma once

#include "gyrostat/dynamics/line_hinges.h"

namespace gyrostat {

/// What one evaluation knows of a body, world axes. "Branch" is the body and all outboard of it.
struct AugmentedMotion {
  Mat3<double> R_Nk;
  Vec3<double> w, sigma;     // (4) angular velocity; (5) angular acceleration without unknowns
  Mat3<double> W;            // what takes a vector fixed in the body to its second derivative without unknowns
  Vec3<double> link;         // from the parent's base point to this one's [m]
  Vec3<double> link_second;  // (7) its second derivative without unknowns, times the total mass
  Vec3<double> d, z;         // (8) sum of D over the branch; (9) the same of its second derivative, as above
  Sym3<double> K;            // (10) sum of all Phi of the branch [kg m^2]
  Vec3<double> E, F;         // (11) torque on the branch, that of motion included; the force on it
  Vec3<double> r, rho;       // (12) base point from the mass centre of all; (13) its second derivative, as above
};

/// Constants. Which hinges are free is asked in every evaluation; the base must be.
struct AugmentedBody {
  LineHinges tree;

  AugmentedBody(const System& system, const DynamicsSettings& settings) : tree(system, settings, {}) {}
};

/// Workspace. The unknowns are the base's angular acceleration in world axes and the free hinges.
struct AugmentedBodyData {
  std::vector<AugmentedMotion> bodies;  // as the tree's bodies
  std::vector<Vec3<double>> g;          // axes of the tree's hinges, world axes
  std::vector<std::uint32_t> unknown;   // in the tree's hinges: those whose acceleration is not given
  std::size_t order = 3, stride = 4;    // of the system matrix; its column `order` is the right-hand side
  std::vector<double> matrix;           // rows of `stride`; the upper triangle is used
  std::vector<double> h;                // (15) three rows of `stride`, by unknown

  explicit AugmentedBodyData(const LineHinges& tree);
  explicit AugmentedBodyData(const AugmentedBody& constants) : AugmentedBodyData(constants.tree) {}

  /// Sizes the equations for as many unknowns as there are. Allocates nothing.
  void size_equations() {
    order = 3 + unknown.size();
    stride = order + 1;
  }
};

/// What keeps the formulation from taking the system, naming it, or empty.
std::string outside_domain_of_augmented_body(const System& system, const DynamicsSettings& settings);

/// Derivatives of all speeds. Throws std::invalid_argument if the base is not free.
void accelerations(const AugmentedBody& constants, const double* q, const double* u, const Forces<double>& forces,
                   AugmentedBodyData& workspace, double* udot);

// Its parts, in their order; the linearised formulations use them.

/// Where the bodies are and how they move, and the sums over branches.
void sum_branches(const LineHinges& tree, const double* q, const double* u, const Forces<double>& forces,
                  AugmentedBodyData& workspace);
/// The equations of the unknown hinges.
void assemble(const LineHinges& tree, const Forces<double>& forces, AugmentedBodyData& workspace);
/// From their solution to udot. `others` is what other hinges add to the acceleration of the base point.
void fill_udot(const LineHinges& tree, const double* q, const double* u, const Forces<double>& forces,
               const Vec3<double>& others, const AugmentedBodyData& workspace, double* udot);

/// (15) of a hinge: a_0s, h_s and the total mass times f_s.
struct HingeVectors {
  Vec3<double> a0, h, Mf;
};
inline HingeVectors hinge_vectors(const LineHinges& tree, const AugmentedBodyData& workspace, std::uint32_t hinge) {
  const AugmentedMotion& body = workspace.bodies[tree.hinges[hinge].body];
  const Vec3<double>& g = workspace.g[hinge];
  const Vec3<double> h = cross(g, body.d), Me = tree.mass * (body.r - body.d);
  return {body.K * g - cross(Me, h), h, cross(g, Me)};  // (15)
}

/// (14): the torque on a branch, with what comes from inboard of it.
inline Vec3<double> branch_torque(const AugmentedBodyData& workspace, std::uint32_t k) {
  const AugmentedMotion& body = workspace.bodies[k];
  return body.E + cross(body.d, workspace.bodies[0].F + (body.rho - body.z));  // (14)
}

/// (16): the matrix of all hinges, free or not, after the base's three rows. For constructors: it allocates.
Eigen::MatrixXd system_matrix(const LineHinges& tree, const AugmentedBodyData& workspace);

}  // namespace gyrostat
