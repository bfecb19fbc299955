// Forces that hold within limits which follow reactions, and these follow the forces.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace gyrostat {

/// Forces x within -L <= x <= L, with L_k = preload_k + coefficient_k |R_k|, of which the reactions R_k = R_k0 + R_k' x
/// and the accelerations a = without + by_force x are affine functions. a_k is zero between the limits of a force, not
/// negative at the low one and not positive at the high one. Forces that slide are at their limit, whatever a is.
struct FollowingLimits {
  struct Force {
    double preload = 0, coefficient = 0;
    Eigen::Vector3d reaction = Eigen::Vector3d::Zero();  // R_k0
    Eigen::Matrix3Xd by_force;                           // R_k'
    int only = 0;                                        // -1: has no high limit, 1: no low one
    bool slides = false;
  };
  /// Those that slide come last, and are not among the accelerations.
  std::vector<Force> forces;
  Eigen::VectorXd without;
  Eigen::MatrixXd by_force;

  enum class At : signed char { low = -1, between = 0, high = 1 };
  using Pattern = std::vector<At>;
  enum class Outcome { found, none, several, unsettled };

  /// Which limits are met, and the forces there; both are where the search begins. Where the limits that the last
  /// forces make do not lead to a pattern, all patterns are tried unless they are too many: that is `unsettled`.
  Outcome find(Pattern& pattern, Eigen::VectorXd& x) const;

  /// Is all of it so, rounding apart?
  [[nodiscard]] bool hold(const Pattern& pattern, const Eigen::VectorXd& x) const;

  [[nodiscard]] double limit(std::size_t k, const Eigen::VectorXd& x) const;

 private:
  [[nodiscard]] Eigen::Index decided() const { return without.size(); }
  [[nodiscard]] double acceleration(Eigen::Index k, const Eigen::VectorXd& x) const;
  [[nodiscard]] double acceleration_scale(Eigen::Index k, const Eigen::VectorXd& x) const;
  [[nodiscard]] double limit_scale(std::size_t k, const Eigen::VectorXd& x) const;
  [[nodiscard]] double residual(std::size_t k, At at, const Eigen::VectorXd& x) const;
  [[nodiscard]] double residual_scale(std::size_t k, At at, const Eigen::VectorXd& x) const;
  [[nodiscard]] bool meets(const Pattern& pattern, Eigen::VectorXd& x) const;
  [[nodiscard]] bool propose(Pattern& pattern, const Eigen::VectorXd& x) const;
  Outcome try_all(Pattern& pattern, Eigen::VectorXd& x) const;
  [[nodiscard]] bool next(Pattern& pattern) const;
};

}  // namespace gyrostat
