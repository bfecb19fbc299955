#include "gyrostat/analysis/root_locus.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace gyrostat {

namespace {

using Index = Eigen::Index;

/// All eigenvalues, conjugates too, with eigenvectors; zeros with the vectors of their chains.
struct Eigensystem {
  Eigen::MatrixXd A;
  Eigen::VectorXcd values;
  Eigen::MatrixXcd right, left;  // columns; rows, of which left * right is the unit matrix
};

Eigensystem eigensystem_of(Eigen::MatrixXd A) {
  Eigensystem s;
  const Modes modes = find_modes(A);
  s.values.resize(A.rows());
  s.right.resize(A.rows(), A.rows());
  Index k = 0;
  for (const Mode& mode : modes.modes) {
    s.values[k] = mode.eigenvalue;
    s.right.col(k++) = mode.shape.normalized();
    if (!mode.oscillates()) continue;
    s.values[k] = std::conj(mode.eigenvalue);
    s.right.col(k++) = mode.shape.normalized().conjugate();
  }
  s.left = s.right.fullPivLu().inverse();
  s.A = std::move(A);
  return s;
}

struct Match {
  std::vector<Index> next;  // by eigenvalue before: which one it has become
  double doubt = 0;         // the largest distance from what was expected over that from the next other eigenvalue
};

Match match(const Eigensystem& before, const Eigensystem& after) {
  const Index n = before.values.size();
  const Eigen::MatrixXd change = after.A - before.A;
  const double scale = 1e-12 + before.values.cwiseAbs().maxCoeff();
  Eigen::VectorXcd expected(n);
  for (Index k = 0; k < n; ++k) {
    const std::complex<double> slope = (before.left.row(k) * change * before.right.col(k))(0);
    expected[k] = std::isfinite(std::abs(slope)) ? before.values[k] + slope : before.values[k];
  }
  struct Pair {
    double distance;
    Index from, to;
  };
  std::vector<Pair> pairs;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) pairs.push_back({std::abs(expected[i] - after.values[j]), i, j});
  }
  std::ranges::stable_sort(pairs, {}, &Pair::distance);
  Match result;
  result.next.assign(static_cast<std::size_t>(n), -1);
  std::vector<bool> taken(static_cast<std::size_t>(n));
  for (const Pair& pair : pairs) {
    if (result.next[static_cast<std::size_t>(pair.from)] >= 0 || taken[static_cast<std::size_t>(pair.to)]) continue;
    result.next[static_cast<std::size_t>(pair.from)] = pair.to;
    taken[static_cast<std::size_t>(pair.to)] = true;
    double other = scale;
    for (Index j = 0; j < n; ++j) {
      const double distance = std::abs(after.values[j] - after.values[pair.to]);
      if (j != pair.to && distance > 1e-9 * scale) other = std::min(other, distance);
    }
    if (pair.distance > 1e-9 * scale) result.doubt = std::max(result.doubt, pair.distance / other);
  }
  return result;
}

}  // namespace

RootLocus root_locus(const std::function<Eigen::MatrixXd(double)>& matrix, const std::vector<double>& values) {
  constexpr double clear = 0.3;
  constexpr int most_halvings = 10;
  RootLocus locus;
  if (values.empty()) return locus;
  Eigensystem now = eigensystem_of(matrix(values.front()));
  std::vector<Index> place(static_cast<std::size_t>(now.values.size()));
  locus.branches.resize(place.size());
  const auto record = [&](double value) {
    locus.values.push_back(value);
    for (std::size_t k = 0; k < place.size(); ++k) locus.branches[k].push_back(now.values[place[k]]);
  };
  for (std::size_t k = 0; k < place.size(); ++k) place[k] = static_cast<Index>(k);
  record(values.front());
  for (std::size_t k = 1; k < values.size(); ++k) {
    double at = values[k - 1], to = values[k];
    for (int halvings = 0; at != values[k];) {
      Eigensystem after = eigensystem_of(matrix(to));
      const Match found = match(now, after);
      if (found.doubt > clear && halvings < most_halvings) {
        to = at + 0.5 * (to - at);
        ++halvings;
        continue;
      }
      for (Index& p : place) p = found.next[static_cast<std::size_t>(p)];
      now = std::move(after);
      record(to);
      at = to;
      to = values[k];
      halvings = std::max(0, halvings - 2);
    }
  }
  return locus;
}

}  // namespace gyrostat
