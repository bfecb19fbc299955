// Forward dynamics by the mass matrix, which is assembled from composite bodies. Numbers in comments are the equations
// of docs/theory/composite_body.md.
#pragma once

#include <Eigen/Cholesky>

#include "gyrostat/dynamics/closures.h"
#include "gyrostat/dynamics/inverse_dynamics.h"

namespace gyrostat {

/// Row-major square matrix of which the lower triangle is used. Row k has entries for the speeds of joints inboard of
/// its own; others are zero and stay zero.
struct LowerTriangle {
  std::size_t size = 0;  // of the part in use, at most that which it was made with
  std::vector<double> entries;

  explicit LowerTriangle(std::size_t n) : size(n), entries(n * n) {}
  [[nodiscard]] double* row(std::size_t k) { return entries.data() + k * size; }
  [[nodiscard]] const double* row(std::size_t k) const { return entries.data() + k * size; }
};

/// The formulation has no constants beside the mechanism. Which speeds are free is asked in every evaluation.
struct CompositeBody {};

struct CompositeBodyData {
  std::vector<Inertia<double>> composite;   // by body: it and all bodies outboard of it as one
  std::vector<Wrench<double>> transmitted;  // by body: by its joint while no speed changes
  LowerTriangle mass_matrix;                // of all speeds, wheels included
  LowerTriangle factors;                    // of the free ones: M = L^T D L
  std::vector<std::uint32_t> free;          // speeds that the equations of motion decide
  std::vector<std::int64_t> inboard;        // by free speed: the next one towards the base, -1 at the base
  std::vector<std::int64_t> place;          // by speed: its place among the free ones, or -1
  std::vector<std::int64_t> last;           // by body: the free speed nearest to it on the way to the base, or -1
  std::vector<double> bias;                 // by speed
  std::vector<double> none;                 // derivatives of speeds that do not change
  std::vector<double> right;                // right-hand side, then the solution

  // Under constraints: rows that are kept, by free speeds.
  Eigen::MatrixXd J, M_inverse_Jt, JM_inverse_Jt;
  Eigen::LLT<Eigen::MatrixXd> compliance;  // the factors of the last
  Eigen::VectorXd left;                    // what is left of the rows, then the multipliers

  explicit CompositeBodyData(const Mechanism& mechanism);
};

/// The matrix that maps derivatives of all speeds to the forces conjugate to them.
void mass_matrix(const Mechanism& mechanism, const Kinematics<double>& kinematics, CompositeBodyData& workspace);

/// Derivatives of all speeds. `kinematics` holds the outward pass at this state without given derivatives.
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, CompositeBodyData& workspace, double* udot);

/// The same under constraints.
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, Closures<double>& closures, CompositeBodyData& workspace,
                   double* udot);

/// Sets `free`, `inboard` and the sizes that follow from them.
void number_free_speeds(const Mechanism& mechanism, const Forces<double>& forces, CompositeBodyData& workspace);

}  // namespace gyrostat
