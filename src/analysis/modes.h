// Eigenvalues and mode shapes of a linear model.
#pragma once

#include "gyrostat/analysis/state_space.h"

namespace gyrostat {

struct Mode {
  std::complex<double> eigenvalue;  // [1/s]; of a complex pair, the one above the real axis
  bool rigid = false;               // an eigenvalue that is zero, with others that belong to the same chain
  Eigen::VectorXcd shape;           // by state, the right eigenvector; its largest component is 1
  Eigen::VectorXcd left;            // by state, the left eigenvector, left^T shape = 1; none of a rigid one
  Eigen::VectorXd participation;    // by state: how much of the mode is in it and drives it; they add up to 1

  [[nodiscard]] bool oscillates() const { return eigenvalue.imag() != 0; }
  /// By more than rounding explains.
  [[nodiscard]] bool grows() const { return eigenvalue.real() > 1e-9 * std::abs(eigenvalue); }
  [[nodiscard]] double natural_frequency() const { return std::abs(eigenvalue); }  // [rad/s]
  [[nodiscard]] double damping_ratio() const { return -eigenvalue.real() / std::abs(eigenvalue); }
  [[nodiscard]] double time_constant() const { return -1 / eigenvalue.real(); }  // [s]
};

struct Modes {
  std::vector<Mode> modes;          // rigid ones first, then by natural frequency
  std::size_t rigid = 0;            // how often zero is an eigenvalue
  std::vector<std::size_t> chains;  // lengths of the chains (Jordan blocks) of the zero eigenvalue, longest first
  Eigen::VectorXd zeros;            // by state: its part in them; the parts add up to `rigid`
  bool stable = false;              // no mode grows, and zero is no eigenvalue
};

/// Powers of two by which states are divided, so that rows and columns of A get like norms: what the units of the
/// states are does not decide what counts as zero. A becomes that of the divided states.
Eigen::VectorXd balance(Eigen::MatrixXd& A);

/// Of x' = A x. Zero eigenvalues are found by the ranks of A and of what is left of it (a staircase of null spaces):
/// a chain of k of them, which rounding would spread over a circle of radius eps^(1/k), is told by its rank to eps.
Modes find_modes(const Eigen::MatrixXd& A);

/// Of a model in continuous or in discrete time. In the latter, eigenvalues are those of A, and what stays as it is has
/// the eigenvalue one; `stable` and Mode::grows are those of continuous time.
Modes find_modes(const StateSpace& space);

/// The eigenvalue in continuous time that one in discrete time stands for: its logarithm over the period [1/s].
std::complex<double> continuous_eigenvalue(const Mode& mode, double period);

/// A real part of this much of an eigenvalue, or less, is none.
inline constexpr double negligible_damping = 1e-9;

/// "2 chains of 2, 1 chain of 1"
std::string words_of_chains(const Modes& modes);

/// What takes part in the zero eigenvalues: "base 12, pan_command 1".
std::string words_of_zeros(const Modes& modes, const std::vector<LinearVariable>& states);

/// What moves in a mode, in words: "boom_z (arm against bus) 97 %". By joints, flexible bodies, wheels and signals.
std::string words_of(const Mode& mode, const std::vector<LinearVariable>& states, const System& system);

}  // namespace gyrostat
