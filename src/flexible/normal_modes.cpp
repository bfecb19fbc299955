#include "gyrostat/flexible/normal_modes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace gyrostat {

namespace {

/// The order by `values`, in which those that are equal to rounding keep their order.
std::vector<std::size_t> ascending_order(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  for (auto run = order.begin(); run != order.end();) {
    const double limit = values[*run] * (1 + 1e-8);
    const auto end = std::find_if(run, order.end(), [&](std::size_t i) { return values[i] > limit; });
    std::sort(run, end);
    run = end;
  }
  return order;
}

}  // namespace

NormalModes normal_modes(const Eigen::MatrixXd& E, const Eigen::MatrixXd& M) {
  const Eigen::Index n = E.cols();
  NormalModes modes{Eigen::MatrixXd(n, 0), Eigen::VectorXd(0), 0};
  if (n == 0) return modes;
  const Eigen::MatrixXd QR = Eigen::HouseholderQR<Eigen::MatrixXd>(E).matrixQR().topRows(n);
  const auto R = QR.triangularView<Eigen::Upper>();
  const Eigen::MatrixXd half = R.transpose().solve(M);
  const Eigen::MatrixXd C = R.transpose().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (C + C.transpose()));
  const Eigen::VectorXd& mu = solver.eigenvalues();  // 1/omega^2, ascending
  const double rounding =
      10 * std::numeric_limits<double>::epsilon() * static_cast<double>(std::max<Eigen::Index>(n, 50));
  const double least = rounding * std::max(mu(n - 1), 0.0);
  const Eigen::Index count = (mu.array() > least).count();
  modes.massless = static_cast<std::size_t>(n - count);
  if (count == 0) return modes;
  const Eigen::VectorXd norms = mu.tail(count).reverse().cwiseSqrt();
  modes.shapes = R.solve(solver.eigenvectors().rightCols(count).rowwise().reverse());
  modes.shapes *= norms.cwiseInverse().asDiagonal();
  // What rounding left of low modes in high ones is removed: the modal mass is then the unit matrix to rounding.
  const Eigen::LLT<Eigen::MatrixXd> mass(modes.shapes.transpose() * M * modes.shapes);
  modes.shapes = mass.matrixL().solve(modes.shapes.transpose()).transpose().eval();
  modes.stiffness = (E * modes.shapes).colwise().squaredNorm();
  return modes;
}

std::vector<std::vector<Eigen::Index>> coupled_sets(const Eigen::MatrixXd& E, const Eigen::MatrixXd& M) {
  const Eigen::Index n = E.cols();
  std::vector<Eigen::Index> first(static_cast<std::size_t>(n));  // unknown of each set, by unknown
  std::iota(first.begin(), first.end(), Eigen::Index{0});
  const auto find = [&](Eigen::Index i) {
    while (first[static_cast<std::size_t>(i)] != i) i = first[static_cast<std::size_t>(i)];
    return i;
  };
  const auto join = [&](Eigen::Index i, Eigen::Index j) {
    const Eigen::Index a = find(i), b = find(j);
    first[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  };
  for (Eigen::Index row = 0; row < E.rows(); ++row) {
    Eigen::Index before = -1;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (E(row, j) == 0) continue;
      if (before >= 0) join(before, j);
      before = j;
    }
  }
  const Eigen::VectorXd roots = M.diagonal().cwiseMax(0).cwiseSqrt();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      if (std::abs(M(i, j)) > 1e-13 * roots(i) * roots(j)) join(i, j);
    }
  }
  std::vector<std::vector<Eigen::Index>> sets;
  std::vector<std::size_t> number(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index root = find(i);
    if (root == i) {
      number[static_cast<std::size_t>(i)] = sets.size();
      sets.emplace_back();
    }
    sets[number[static_cast<std::size_t>(root)]].push_back(i);
  }
  return sets;
}

Eigen::MatrixXd part_of(const Eigen::MatrixXd& E, const std::vector<Eigen::Index>& columns) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index row = 0; row < E.rows(); ++row) {
    if (std::any_of(columns.begin(), columns.end(), [&](Eigen::Index j) { return E(row, j) != 0; }))
      rows.push_back(row);
  }
  return E(rows, columns);
}

Eigen::VectorXd signs_of(const Eigen::MatrixXd& shapes, const Eigen::VectorXd& size) {
  Eigen::VectorXd signs(shapes.cols());
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    const Eigen::VectorXd sized = shapes.col(k).cwiseProduct(size);
    const double least = (1 - 1e-6) * sized.cwiseAbs().maxCoeff();
    Eigen::Index last = sized.size() - 1;
    while (std::abs(sized(last)) < least) --last;
    signs(k) = sized(last) < 0 ? -1 : 1;
  }
  return signs;
}

NormalModes normal_modes_by_set(const Eigen::MatrixXd& E, const Eigen::MatrixXd& M, const Eigen::VectorXd& size) {
  const Eigen::Index n = E.cols();
  std::vector<Eigen::VectorXd> shapes;
  std::vector<double> stiffness;
  NormalModes modes;
  for (const auto& set : coupled_sets(E, M)) {
    const NormalModes part = normal_modes(part_of(E, set), M(set, set));
    modes.massless += part.massless;
    for (Eigen::Index k = 0; k < part.shapes.cols(); ++k) {
      shapes.emplace_back(Eigen::VectorXd::Zero(n));
      shapes.back()(set) = part.shapes.col(k);
      stiffness.push_back(part.stiffness(k));
    }
  }
  const auto count = static_cast<Eigen::Index>(shapes.size());
  modes.shapes.resize(n, count);
  modes.stiffness.resize(count);
  Eigen::Index k = 0;
  for (const std::size_t i : ascending_order(stiffness)) {
    modes.shapes.col(k) = shapes[i];
    modes.stiffness(k++) = stiffness[i];
  }
  modes.shapes *= signs_of(modes.shapes, size).asDiagonal();
  return modes;
}

}  // namespace gyrostat
