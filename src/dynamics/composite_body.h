// Forward dynamics by the mass matrix, which is assembled from composite bodies. Numbers in comments are the equations
// of docs/theory/composite_body.md.
#pragma once

#include "gyrostat/dynamics/inverse_dynamics.h"

namespace gyrostat {

/// Row-major square matrix of which the lower triangle is used. Row k has entries for the speeds of joints inboard of
/// its own; others are zero and stay zero.
struct LowerTriangle {
  std::size_t size = 0;
  std::vector<double> entries;

  explicit LowerTriangle(std::size_t n) : size(n), entries(n * n) {}
  [[nodiscard]] double* row(std::size_t k) { return entries.data() + k * size; }
  [[nodiscard]] const double* row(std::size_t k) const { return entries.data() + k * size; }
};

struct CompositeBody {
  std::vector<Inertia<double>> composite;  // by body: it and all bodies outboard of it as one
  std::vector<Wrench<double>> through;     // by body: transmitted by its joint while no speed changes
  LowerTriangle mass_matrix;               // of all speeds, wheels included
  LowerTriangle factors;                   // of the free ones: M = L^T D L
  std::vector<std::int64_t> inboard;       // by speed: the next one towards the base, -1 at the base
  std::vector<std::uint32_t> free;         // speeds that the equations of motion decide
  std::vector<double> bias;                // by speed
  std::vector<double> none;                // derivatives of speeds that do not change
  std::vector<double> right;               // right-hand side, then the solution

  explicit CompositeBody(const Mechanism& mechanism);
};

/// The matrix that maps derivatives of all speeds to the forces conjugate to them.
void mass_matrix(const Mechanism& mechanism, const Kinematics<double>& kinematics, CompositeBody& workspace);

/// Derivatives of all speeds. `kinematics` holds the outward pass at this state without given derivatives.
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, CompositeBody& workspace, double* udot);

}  // namespace gyrostat
