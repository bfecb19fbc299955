#include "gyrostat/math/box_minimum.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gyrostat/math/least_norm.h"

namespace gyrostat {

namespace {

using Index = Eigen::Index;

constexpr double dependent = 1e-11;       // pivots of A over the largest that are taken for zero
constexpr double rounding = 1e-12;        // of a gradient, over what it is summed from
constexpr double noise_of_others = 1e-3;  // of those terms, the part of the largest of all that counts for each

enum class Side : signed char { low = -1, between = 0, high = 1 };

/// An active-set method: entries at a bound stay there until the gradient says that it is better to leave it.
class Search {
 public:
  Search(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& low, const Eigen::VectorXd& high)
      : A_(A), b_(b), low_(low), high_(high), x_(Eigen::VectorXd::Zero(b.size())) {
    for (Index k = 0; k < b.size(); ++k) {
      side_.push_back(low[k] == 0 ? Side::low : high[k] == 0 ? Side::high : Side::between);
    }
  }

  std::optional<Eigen::VectorXd> find() {
    const Index most = 50 + 20 * b_.size() * b_.size();
    for (Index pass = 0; pass < most; ++pass) {
      if (!move()) return std::nullopt;
      if (hit_) continue;
      if (!leave_a_bound()) return x_;
    }
    return std::nullopt;
  }

 private:
  /// To the least value with what is at a bound held there, or up to the first bound in the way.
  bool move() {
    hit_ = false;
    std::vector<Index> loose;
    for (Index k = 0; k < b_.size(); ++k) {
      if (side_[static_cast<std::size_t>(k)] == Side::between) loose.push_back(k);
    }
    if (loose.empty()) return true;
    find_largest();
    const Eigen::VectorXd gradient = A_ * x_ + b_;
    const Eigen::MatrixXd part = A_(loose, loose);
    const Eigen::VectorXd wanted = -gradient(loose);
    Eigen::VectorXd step = least_norm_solution(part, wanted, dependent);
    // where the function falls without curving, down to the next bound
    const Eigen::VectorXd rest = wanted - part * step;
    const Eigen::VectorXd moved = part.cwiseAbs() * step.cwiseAbs();  // what `rest` is left of, beside the gradient
    bool falls = false;
    for (std::size_t i = 0; i < loose.size(); ++i) {
      const auto k = static_cast<Index>(i);
      falls = falls || std::abs(rest[k]) > 1e3 * rounding * (scale(loose[i]) + moved[k] + noise(loose[i]));
    }
    if (falls) step = rest;
    double length = falls ? std::numeric_limits<double>::infinity() : 1;
    Index blocking = -1;
    bool at_high = false;
    for (std::size_t i = 0; i < loose.size(); ++i) {
      const Index k = loose[i];
      const double by = step[static_cast<Index>(i)];
      if (by == 0) continue;
      const double room = ((by > 0 ? high_ : low_)[k] - x_[k]) / by;
      if (room < length) length = std::max(room, 0.0), blocking = k, at_high = by > 0;
    }
    if (std::isinf(length)) return false;
    for (std::size_t i = 0; i < loose.size(); ++i) x_[loose[i]] += length * step[static_cast<Index>(i)];
    if (blocking < 0) return true;
    hit_ = true;
    x_[blocking] = at_high ? high_[blocking] : low_[blocking];
    side_[static_cast<std::size_t>(blocking)] = at_high ? Side::high : Side::low;
    return true;
  }

  /// Of those whose gradient points inward, that with the steepest.
  bool leave_a_bound() {
    find_largest();
    const Eigen::VectorXd gradient = A_ * x_ + b_;
    Index steepest = -1;
    double most = 0;
    for (Index k = 0; k < b_.size(); ++k) {
      const auto side = static_cast<double>(side_[static_cast<std::size_t>(k)]);
      const double inward = side * gradient[k] / (scale(k) + noise(k));
      if (side == 0 || !(inward > rounding) || inward <= most) continue;
      most = inward;
      steepest = k;
    }
    if (steepest < 0) return false;
    side_[static_cast<std::size_t>(steepest)] = Side::between;
    return true;
  }

  /// Of the terms that make entry k of the gradient.
  [[nodiscard]] double scale(Index k) const {
    return std::abs(b_[k]) + A_.row(k).cwiseAbs().dot(x_.cwiseAbs()) + std::numeric_limits<double>::min();
  }

  /// Entries that are zero but for rounding of others, with which they are measured in the metric of A.
  [[nodiscard]] double noise(Index k) const { return noise_of_others * std::sqrt(A_(k, k)) * largest_; }
  void find_largest() {
    largest_ = 0;
    for (Index k = 0; k < b_.size(); ++k) {
      if (A_(k, k) > 0) largest_ = std::max(largest_, scale(k) / std::sqrt(A_(k, k)));
    }
  }

  const Eigen::MatrixXd& A_;
  const Eigen::VectorXd &b_, &low_, &high_;
  Eigen::VectorXd x_;
  std::vector<Side> side_;
  bool hit_ = false;
  double largest_ = 0;
};

/// A matrix without negative eigenvalues has zeros in the row of a diagonal entry that is zero; rounding may leave
/// less.
Eigen::MatrixXd without_negative_diagonal(Eigen::MatrixXd A) {
  for (Index k = 0; k < A.rows(); ++k) {
    if (A(k, k) > 0) continue;
    A.row(k).setZero();
    A.col(k).setZero();
  }
  return A;
}

}  // namespace

std::optional<Eigen::VectorXd> minimum_in_box(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                              const Eigen::VectorXd& low, const Eigen::VectorXd& high) {
  const Eigen::MatrixXd positive = without_negative_diagonal(A);
  return Search(positive, b, low, high).find();
}

}  // namespace gyrostat
