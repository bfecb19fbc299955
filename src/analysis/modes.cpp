#include "gyrostat/analysis/modes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gyrostat {

namespace {

using Index = Eigen::Index;

/// A = U [T *; 0 rest] U^T, T strictly upper triangular in blocks: the zero eigenvalues.
struct Staircase {
  Eigen::MatrixXd U, form;
  std::vector<Index> nullities;  // of A, and of what is left after each

  [[nodiscard]] Index zeros() const { return std::accumulate(nullities.begin(), nullities.end(), Index{0}); }
};

Staircase deflate_zeros(const Eigen::MatrixXd& A) {
  const Index n = A.rows();
  Staircase s{Eigen::MatrixXd::Identity(n, n), A, {}};
  const double tolerance = 100 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * A.norm();
  Index done = 0;
  while (done < n) {
    const Eigen::MatrixXd rest = s.form.bottomRightCorner(n - done, n - done);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rest, Eigen::ComputeFullV);
    const Index nullity = (svd.singularValues().array() <= tolerance).count();
    if (nullity == 0) break;
    Eigen::MatrixXd V(n - done, n - done);  // the null space first
    V << svd.matrixV().rightCols(nullity), svd.matrixV().leftCols(n - done - nullity);
    s.U.rightCols(n - done) *= V;
    s.form.rightCols(n - done) *= V;
    s.form.bottomRows(n - done) = (V.transpose() * s.form.bottomRows(n - done)).eval();
    s.form.block(done, done, n - done, nullity).setZero();
    done += nullity;
    s.nullities.push_back(nullity);
  }
  return s;
}

/// The diagonal of the projection onto the zero eigenvalues along all others: U [1 Y; 0 0] U^T with T Y - Y R = X,
/// where [T X; 0 R] is the form. T is nilpotent, so that Y is found in as many steps as the longest chain has.
Eigen::VectorXd zero_participation(const Staircase& s) {
  const Index n = s.form.rows(), zeros = s.zeros(), rest = n - zeros;
  Eigen::MatrixXd projection = Eigen::MatrixXd::Zero(n, n);
  projection.topLeftCorner(zeros, zeros).setIdentity();
  if (zeros > 0 && rest > 0) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> R_transposed(s.form.bottomRightCorner(rest, rest).transpose());
    Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(zeros, rest);
    for (std::size_t k = 0; k <= s.nullities.size(); ++k) {
      const Eigen::MatrixXd right = s.form.topLeftCorner(zeros, zeros) * Y - s.form.topRightCorner(zeros, rest);
      Y = R_transposed.solve(right.transpose()).transpose();
    }
    projection.topRightCorner(zeros, rest) = Y;
  }
  return (s.U * projection * s.U.transpose()).diagonal();
}

/// Eigenvalues that belong to a chain of two are known to the root of the accuracy only, which is relative to the norm
/// of the matrix, and their mean to all of it: those that near to each other get their mean, and a pair that near to
/// the real axis becomes real.
Eigen::VectorXcd averaged(const Eigen::VectorXcd& found, double norm) {
  const auto radius = [norm](std::complex<double> value) {
    const double size = std::abs(value);
    return 4 * std::sqrt(std::numeric_limits<double>::epsilon() * size * std::max(size, norm));
  };
  Eigen::VectorXcd result = found;
  std::vector<bool> done(static_cast<std::size_t>(found.size()));
  for (Index k = 0; k < found.size(); ++k) {
    if (done[static_cast<std::size_t>(k)]) continue;
    std::vector<Index> near;
    std::complex<double> sum = 0;
    for (Index j = k; j < found.size(); ++j) {
      if (std::abs(found[j] - found[k]) > radius(found[k])) continue;
      near.push_back(j);
      sum += found[j];
    }
    const std::complex<double> mean = sum / static_cast<double>(near.size());
    for (const Index j : near) {
      done[static_cast<std::size_t>(j)] = true;
      result[j] = std::abs(mean.imag()) <= radius(mean) ? mean.real() : mean;
    }
  }
  return result;
}

/// The largest component becomes 1; what it was.
std::complex<double> normalise(Eigen::VectorXcd& shape) {
  Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  const std::complex<double> factor = shape[largest];
  if (factor == 0.0) return 1;
  shape /= factor;
  return factor;
}

Eigen::VectorXd participation_of(const Eigen::VectorXcd& right, const Eigen::VectorXcd& left) {
  Eigen::VectorXd p = (right.array() * left.array()).abs().matrix();
  const double total = p.sum();
  return total > 0 ? Eigen::VectorXd(p / total) : p;
}

/// A joint, a flexible body, a wheel or a signal: what its states have together.
struct Part {
  std::string name;
  double share = 0;
};

/// The largest first, in whole per cent; of equals the first. A free joint has a rotation and a translation.
std::vector<Part> parts_of(const Eigen::VectorXd& participation, const std::vector<LinearVariable>& states) {
  std::vector<Part> parts;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const std::string& name = states[k].name;
    const std::size_t last = name.rfind('.');
    const std::string_view quantity = last == std::string::npos ? "" : std::string_view(name).substr(last + 1);
    // Of "bus.rw1.rate" the wheel. A signal has one state with its own name, which may have dots, or x1, x2, ...
    const bool numbered = quantity.starts_with('x') && quantity.find_first_not_of("0123456789", 1) == quantity.npos;
    std::string owner = states[k].description == signal_state && !numbered ? name : name.substr(0, last);
    if (quantity.starts_with("rotation_") || quantity.starts_with("omega_")) owner += " rotation";
    if (quantity.starts_with("position_") || quantity.starts_with("velocity_")) owner += " translation";
    const auto known = std::ranges::find(parts, owner, &Part::name);
    Part& part = known == parts.end() ? parts.emplace_back(Part{owner, 0}) : *known;
    part.share += participation[static_cast<Index>(k)];
  }
  const auto percent = [](const Part& part) { return -std::lround(100 * part.share); };
  std::ranges::stable_sort(parts, {}, percent);
  return parts;
}

}  // namespace

Eigen::VectorXd balance(Eigen::MatrixXd& A) {
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(A.rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (Index k = 0; k < A.rows(); ++k) {
      const double column = A.col(k).cwiseAbs().sum() - std::abs(A(k, k));
      const double row = A.row(k).cwiseAbs().sum() - std::abs(A(k, k));
      if (column == 0 || row == 0) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * factor + row / factor > 0.95 * (column + row)) continue;
      changed = true;
      A.col(k) *= factor;
      A.row(k) /= factor;
      scale[k] *= factor;
    }
  }
  return scale;
}

Modes find_modes(const Eigen::MatrixXd& given) {
  Modes result;
  const Index n = given.rows();
  if (n == 0) return result;
  Eigen::MatrixXd A = given;
  const Eigen::VectorXd scale = balance(A);
  const Staircase s = deflate_zeros(A);
  const Index zeros = s.zeros(), rest = n - zeros;
  result.rigid = static_cast<std::size_t>(zeros);
  for (std::size_t k = 0; k < s.nullities.size(); ++k) {
    const Index here = s.nullities[k], next = k + 1 < s.nullities.size() ? s.nullities[k + 1] : 0;
    result.chains.insert(result.chains.begin(), static_cast<std::size_t>(std::max<Index>(here - next, 0)), k + 1);
  }
  for (Index k = 0; k < zeros; ++k) {
    Mode mode;
    mode.rigid = true;
    const Eigen::VectorXd shape = scale.cwiseProduct(s.U.col(k));
    mode.shape = shape.cast<std::complex<double>>();
    normalise(mode.shape);
    mode.participation = s.U.col(k).cwiseAbs2();
    result.modes.push_back(std::move(mode));
  }
  result.zeros = zero_participation(s);
  result.stable = zeros == 0;
  if (rest > 0) {
    const Eigen::MatrixXd block = s.form.bottomRightCorner(rest, rest);
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(block);
    if (solver.info() != Eigen::Success) throw AnalysisError("the eigenvalues were not found: QR did not converge");
    const Eigen::MatrixXcd right = solver.eigenvectors();
    const Eigen::MatrixXcd left = right.inverse();  // rows
    const Eigen::VectorXcd eigenvalues = averaged(solver.eigenvalues(), block.norm());
    // [T X; 0 block] [a; v] = lambda [a; v]
    const auto shape_of = [&](std::complex<double> lambda, const Eigen::VectorXcd& v) {
      Eigen::VectorXcd whole(n);
      whole.tail(rest) = v;
      if (zeros > 0) {
        const Eigen::MatrixXcd T = s.form.topLeftCorner(zeros, zeros).cast<std::complex<double>>();
        const Eigen::VectorXcd by = -(s.form.topRightCorner(zeros, rest) * v);
        whole.head(zeros) = (T - lambda * Eigen::MatrixXcd::Identity(zeros, zeros)).partialPivLu().solve(by);
      }
      return Eigen::VectorXcd(s.U * whole);
    };
    for (Index k = 0; k < rest; ++k) {
      const std::complex<double> lambda = eigenvalues[k], found = solver.eigenvalues()[k];
      if (lambda.imag() < 0) continue;
      Mode mode;
      mode.eigenvalue = lambda;
      Eigen::VectorXcd w = Eigen::VectorXcd::Zero(n), v = right.col(k);
      w.tail(rest) = left.row(k).transpose();
      if (lambda.imag() == 0 && found.imag() != 0) {  // a real one twice, that rounding made a pair
        v = found.imag() > 0 ? Eigen::VectorXcd(v.real()) : Eigen::VectorXcd(v.imag());
      }
      const Eigen::VectorXcd shape = shape_of(lambda, v);
      mode.participation = participation_of(shape, s.U * w);
      mode.shape = scale.cast<std::complex<double>>().cwiseProduct(shape);
      mode.left = scale.cwiseInverse().cast<std::complex<double>>().cwiseProduct(s.U * w) * normalise(mode.shape);
      result.stable = result.stable && !mode.grows();
      result.modes.push_back(std::move(mode));
    }
  }
  std::stable_sort(result.modes.begin() + zeros, result.modes.end(),
                   [](const Mode& a, const Mode& b) { return a.natural_frequency() < b.natural_frequency(); });
  return result;
}

Modes find_modes(const StateSpace& space) {
  if (space.period == 0) return find_modes(space.A);
  Modes found = find_modes(Eigen::MatrixXd(space.A - Eigen::MatrixXd::Identity(space.A.rows(), space.A.cols())));
  for (Mode& mode : found.modes) mode.eigenvalue += 1.0;
  return found;
}

std::complex<double> continuous_eigenvalue(const Mode& mode, double period) {
  if (period == 0) return mode.eigenvalue;
  return mode.rigid ? 0.0 : std::log(mode.eigenvalue) / period;
}

std::string words_of_chains(const Modes& modes) {
  std::string text;
  const std::vector<std::size_t>& chains = modes.chains;
  for (std::size_t k = 0; k < chains.size();) {
    std::size_t same = k;
    while (same < chains.size() && chains[same] == chains[k]) ++same;
    text +=
        fmt::format("{}{} {} of {}", text.empty() ? "" : ", ", same - k, same - k == 1 ? "chain" : "chains", chains[k]);
    k = same;
  }
  return text;
}

std::string words_of_zeros(const Modes& modes, const std::vector<LinearVariable>& states) {
  std::vector<std::string> words;
  for (const Part& part : parts_of(modes.zeros, states)) {
    if (part.share > 0.005) words.push_back(fmt::format("{} {:.3g}", part.name, part.share));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string words_of(const Mode& mode, const std::vector<LinearVariable>& states, const System& system) {
  const std::vector<Part> parts = parts_of(mode.participation, states);
  std::vector<std::string> words;
  double told = 0;
  for (const Part& part : parts) {
    if (words.size() == 3 || told > 0.95 || part.share < 0.02) break;
    std::string text = part.name;
    if (const auto joint = system.index.joints.find(part.name)) {
      const std::uint32_t parent = system.parent[*joint];
      if (parent != 0) {
        text += fmt::format(" ({} against {})", system.bodies[*joint].name, system.bodies[parent].name);
      }
    }
    words.push_back(fmt::format("{} {:.0f} %", text, 100 * part.share));
    told += part.share;
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace gyrostat
