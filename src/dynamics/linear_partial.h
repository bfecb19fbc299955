// Forward dynamics of a free-flying tree some of whose joints move little (Fleischer and Likins 1974, Eq. 16): they
// turn to first order, and the block of the matrix that belongs to the largest terminal appendage of such joints is
// constant and factored once. Numbers in comments are the equations of docs/theory/linear_partial.md.
#pragma once

#include <array>

#include "gyrostat/dynamics/augmented_body.h"
#include "gyrostat/math/pack.h"

namespace gyrostat {

/// Six columns, a right-hand side, and one to make eight.
using AppendageRow = Pack<8>;

/// Constants. Hinges of the appendage are free or given for good, as the System has it; `accelerations` throws
/// std::invalid_argument if the forces say otherwise. Which of the others are free is asked in every evaluation.
struct LinearPartial {
  LineHinges tree;
  std::vector<std::uint32_t> appendage;         // joints of the largest terminal appendage, ascending; may be empty
  std::vector<std::uint32_t> appendage_hinges;  // in tree.hinges: those of these joints
  std::vector<std::uint32_t> inside;            // the free ones of them
  std::vector<std::uint32_t> outside;           // in tree.hinges: all others
  std::vector<char> on_path;                    // by hinge outside: it lies between the base and the appendage
  std::vector<double> L, pivot_inverse;         // (2) factors of the constant block; L by rows

  LinearPartial(const System& system, const DynamicsSettings& settings);
};

struct LinearPartialData {
  AugmentedBodyData rest;                    // all bodies; its unknowns are the free hinges outside the appendage
  std::vector<char> on_path;                 // by unknown of `rest`
  std::vector<std::array<double, 6>> reach;  // (1) by unknown of `rest`: how it acts on the hinges inside
  std::vector<AppendageRow> W;               // (3) by hinge inside
  std::array<AppendageRow, 7> H{};           // (4)
  std::vector<Vec3<double>> h;               // by hinge inside
  std::vector<double> x;                     // by hinge inside: its acceleration

  explicit LinearPartialData(const LinearPartial& constants);
};

/// What keeps the formulation from taking the system, naming it, or empty.
std::string outside_domain_of_linear_partial(const System& system, const DynamicsSettings& settings);

/// Derivatives of all speeds.
void accelerations(const LinearPartial& constants, const double* q, const double* u, const Forces<double>& forces,
                   LinearPartialData& workspace, double* udot);

}  // namespace gyrostat
