// Forward dynamics in mixed coordinates (the DASC thesis, sections 3.4 and 3.5): Newton's and Euler's equations in
// absolute coordinates, taken to the coordinates of the tree's joints and the absolute ones of bodies that float, by
// the matrix that takes their velocities to those of all bodies. Joints of the tree have no multipliers; cut joints and
// other constraints do. Numbers in comments are the equations of docs/theory/mixed.md.
#pragma once

#include "gyrostat/dynamics/absolute.h"

namespace gyrostat {

/// Constants: those of absolute coordinates, without its structure.
struct Mixed {
  Absolute absolute;
  std::uint32_t longest_path = 0;  // the most speeds from a body to the world
  bool singular = false;           // a body has no mass or inertia in some direction

  Mixed(const System& system, const DynamicsSettings& settings);
};

struct MixedData {
  static constexpr std::uint32_t not_free = ~0U;

  AbsoluteState state;
  std::vector<AbsoluteRow> rows;                   // of closures
  AbsoluteRank rank;                               // G: J^T
  std::vector<std::uint32_t> unknown;              // by speed: where it stands among the free ones
  std::uint32_t unknowns = 0;                      // how many
  std::vector<Vector6> h0;                         // (3) accelerations of the bodies while free speeds are constant
  Eigen::Matrix<double, 6, Eigen::Dynamic> B, MB;  // (1) of the body at hand, for the free speeds on its path
  std::vector<std::uint32_t> path;                 // those speeds, as unknowns
  Eigen::VectorXd about;                           // of a wheel: the rows of B about its axis
  Eigen::MatrixXd M;                               // (4) of the unknowns, factored
  Eigen::VectorXd f;                               // (5)
  Eigen::MatrixXd Y, S;                            // (7) L^-1 J^T, and the matrix of the multipliers
  Eigen::VectorXd z, gamma, lambda, step;          // of the kept constraints
  std::vector<std::uint32_t> kept;                 // rows of the constraints: closures, then couplings

  explicit MixedData(const Mixed& constants);
};

/// What keeps the formulation from taking the system, naming it, or empty.
std::string outside_domain_of_mixed(const System& system, const DynamicsSettings& settings);

/// Derivatives of all speeds. Not a number where the motion is not determined.
void accelerations(const Mixed& constants, const double* q, const double* u, const Forces<double>& forces,
                   MixedData& data, double* udot);

}  // namespace gyrostat
