// Which equations of constraint are independent at a configuration. Those of the joints of the tree always are; cut
// joints, couplings, distances and points may repeat each other. Numbers in comments are the equations of
// docs/theory/absolute.md.
#pragma once

#include "gyrostat/dynamics/absolute_rows.h"

namespace gyrostat {

/// A row that keeps less than this part of its size when what others determine is taken from it is redundant. Loops are
/// closed to 1e-10 or better, which leaves as much in rows that repeat others.
inline constexpr double redundant_part = 1e-8;

/// Rows of constraints as functions of the speeds of the tree: rows of closures, then couplings.
struct AbsoluteRank {
  Eigen::MatrixXd G;       // (18) a column for each row; zero where a speed is given
  Eigen::VectorXd size;    // of each column, before axes are taken into account
  std::vector<bool> kept;  // by row
  std::uint32_t kept_count = 0;
  Eigen::MatrixXd remaining;  // of the columns, while they are made orthogonal
  std::vector<std::uint32_t> candidates;

  AbsoluteRank(const AbsoluteModel& model, const AbsoluteConstraints& constraints);
};

/// Fills G. `rows` are those of the closures; `given(k)` says of speed k that its acceleration is not free.
template <class Given>
void find_by_speeds(const AbsoluteModel& model, const AbsoluteConstraints& constraints, const AbsoluteState& state,
                    const AbsoluteRow* rows, const Given& given, AbsoluteRank& rank) {
  rank.G.setZero();
  Eigen::Index r = 0;
  for (const AbsoluteClosure& closure : constraints.closures) {
    for (std::uint32_t k = 0; k < closure.rows(); ++k, ++r) {
      rank.size[r] = std::sqrt(add_by_speeds(model, state, closure, rows[closure.first_row + k], rank.G.col(r).data()));
    }
  }
  for (const AbsoluteCoupling& coupling : constraints.couplings) {
    double square = 0;
    for (const AbsoluteCoupling::Term& term : coupling.terms) {
      rank.G(term.u, r) += term.coefficient;
      square += term.coefficient * term.coefficient;
    }
    rank.size[r++] = std::sqrt(square);
  }
  for (std::uint32_t k = 0; k < model.speeds; ++k) {
    if (given(k)) rank.G.row(k).setZero();
  }
}

/// Sets `kept` by a QR decomposition of G with column pivoting: modified Gram-Schmidt, what is left largest first.
void find_independent(AbsoluteRank& rank);

}  // namespace gyrostat
