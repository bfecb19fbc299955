// Forward dynamics of a free-flying tree some of whose joints move little (Fleischer and Likins 1974, Eq. 16): they
// turn to first order, and the block of the matrix that belongs to the largest terminal appendage of such joints is
// constant and factored once. Numbers in comments are the equations of docs/theory/linear_partial.md.
#pragma once

#include <array>

#include "gyrostat/dynamics/augmented_body.h"
#include "gyrostat/math/pack.h"

namespace gyrostat {

/// Six columns, a right-hand side, and one to make eight.
using AppendageRow = Pack;

struct LinearPartial {
  AugmentedBody rest;                        // all bodies; its unknowns are the free hinges outside the appendage
  std::vector<std::uint32_t> appendage;      // joints of the largest terminal appendage, ascending; may be empty
  std::vector<std::uint32_t> inside;         // in rest.tree.hinges: its free hinges
  std::vector<char> on_path;                 // by unknown of `rest`: it lies between the base and the appendage
  std::vector<double> L, per_pivot;          // (2) factors of the constant block; L by rows
  std::vector<std::array<double, 6>> reach;  // (1) by unknown of `rest`: how it acts on the hinges inside
  std::vector<AppendageRow> W;               // (3) by hinge inside
  std::array<AppendageRow, 7> H{};           // (4)
  std::vector<Vec3<double>> h;               // by hinge inside
  std::vector<double> x;                     // by hinge inside: its acceleration

  LinearPartial(const System& system, const DynamicsSettings& settings);
};

/// What keeps the formulation from taking the system, naming it, or empty.
std::string outside_domain_of_linear_partial(const System& system, const DynamicsSettings& settings);

/// Derivatives of all speeds. Precondition: the workspace was made of this system.
void accelerations(const System& system, const State& state, const Forces<double>& forces, LinearPartial& workspace,
                   Eigen::VectorXd& udot);

}  // namespace gyrostat
