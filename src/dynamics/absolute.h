// Forward dynamics in absolute coordinates (the DASC thesis, chapters 2 and 3): Newton's and Euler's equations of every
// body, one equation of constraint for each direction that a joint locks, in the tree or cut, and for each
// acceleration that is given; Lagrange multipliers in two steps. Takes loops. Numbers in comments are the equations
// of docs/theory/absolute.md.
#pragma once

#include "gyrostat/dynamics/absolute_plan.h"
#include "gyrostat/dynamics/absolute_rank.h"

namespace gyrostat {

/// Workspace. After `accelerations` it holds the solution.
struct AbsoluteData {
  AbsoluteState state;
  std::vector<AbsoluteRow> rows;  // of joints, six for each, those of the world unused; then of closures
  AbsoluteRank rank;              // of the constraints; nothing where there are none
  AbsolutePlan plan;
  std::vector<double> D;       // (14) by block: its columns, one for each equation that acts on it
  std::vector<double> masses;  // (16) by singular block: its mass matrix, factored
  Eigen::MatrixXd Y;           // M^-1 D^T of a block
  Eigen::VectorXd f, h;        // forces; accelerations of all coordinates
  Eigen::VectorXd gamma;       // by equation
  Eigen::VectorXd lambda;      // by equation: multipliers, zero for redundant ones
  Eigen::VectorXd step;        // of lambda
  double inconsistency = 0;  // the largest error of a redundant equation that the others should imply [m/s^2, rad/s^2]

  explicit AbsoluteData(const Absolute& constants);

  /// Is the equation solved, or implied by others?
  [[nodiscard]] bool is_kept(const AbsoluteEquation& equation, std::uint32_t e) const {
    return e < plan.first_constraint || rank.kept[equation.constraint];
  }
};

/// What keeps the formulation from taking the system, naming it, or empty.
std::string outside_domain_of_absolute(const System& system, const DynamicsSettings& settings);

/// Derivatives of all speeds. Not a number where the motion is not determined. Allocates only when other speeds are
/// free than last time.
void accelerations(const Absolute& constants, const double* q, const double* u, const Forces<double>& forces,
                   AbsoluteData& data, double* udot);

/// What a joint or constraint does to the user's child (a point's body, a distance's second node).
struct AbsoluteReaction {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();  // at the joint point, child axes [N, N m]
  bool unique = true;  // not where redundant constraints share the load: then that of the smallest multipliers
};

struct AbsoluteReactions {
  std::vector<AbsoluteReaction> joints;       // by body; forces along and about the joint's own axes included
  std::vector<AbsoluteReaction> constraints;  // of the system; of a coupling, `unique` alone
  std::vector<double> multipliers;            // rows of the constraints, in the order of the system
  std::vector<std::uint32_t> first;           // by constraint, and one more: where its multipliers begin
  std::vector<double> driving;                // by speed: what is needed beyond tau where the acceleration is given
};

/// Of the accelerations found last; `forces` are those they were found with.
void find_reactions(const Absolute& constants, const Forces<double>& forces, const AbsoluteData& data,
                    AbsoluteReactions& reactions);

// Parts that `mixed` and the reactions use.

/// More equations of loops and constraints than can be compared with each other, in words, or empty.
std::string too_many_constraints(const System& system);

/// The forces on the coordinates of body i, those of its joints left out: applied ones less gyroscopic ones.    (7)
Vector6 body_force(const Absolute& constants, const AbsoluteState& state, std::uint32_t i, const double* u,
                   const Forces<double>& forces);
/// d becomes the row of D of equation e, kept or not, by coordinates.
void find_equation(const Absolute& constants, const AbsoluteData& data, std::uint32_t e, Eigen::VectorXd& d);
/// x becomes M^-1 x in every block.
void divide_by_masses(const Absolute& constants, const AbsoluteData& data, Eigen::VectorXd& x);
/// x += D^T lambda, over all blocks.
void add_constraint_forces(const AbsoluteData& data, const Eigen::VectorXd& lambda, Eigen::VectorXd& x);
/// errors = gamma - D x; zero where an equation is redundant.
void find_errors(const AbsoluteData& data, const Eigen::VectorXd& gamma, const Eigen::VectorXd& x,
                 Eigen::VectorXd& errors);

}  // namespace gyrostat
