#include "gyrostat/math/following_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "gyrostat/math/box_minimum.h"

namespace gyrostat {

namespace {

using Index = Eigen::Index;
using At = FollowingLimits::At;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double tiny = std::numeric_limits<double>::min();

// Over what is summed, so that units do not mix.
constexpr double settled = 1e-13;      // of what is left of an equation, or else it no longer falls
constexpr double most_left = 1e-10;    // of what is left of it at all, and by which limits may be exceeded
constexpr double same = 1e-6;          // of accelerations of two solutions that are one
constexpr double most_patterns = 1e4;  // that are tried

double sign_of(At at) { return static_cast<double>(at); }

}  // namespace

double FollowingLimits::limit(std::size_t k, const Eigen::VectorXd& x) const {
  const Force& f = forces[k];
  if (f.coefficient == 0) return f.preload;
  return f.preload + f.coefficient * (f.reaction + f.by_force * x).norm();
}

double FollowingLimits::limit_scale(std::size_t k, const Eigen::VectorXd& x) const {
  const Force& f = forces[k];
  if (f.coefficient == 0) return f.preload;
  return f.preload + f.coefficient * (f.reaction.norm() + f.by_force.colwise().norm().dot(x.cwiseAbs()));
}

double FollowingLimits::acceleration(Index k, const Eigen::VectorXd& x) const {
  return without[k] + by_force.row(k).dot(x);
}

double FollowingLimits::acceleration_scale(Index k, const Eigen::VectorXd& x) const {
  return std::abs(without[k]) + by_force.row(k).cwiseAbs().dot(x.cwiseAbs());
}

/// Of the equation of a force.
double FollowingLimits::residual(std::size_t k, At at, const Eigen::VectorXd& x) const {
  const auto i = static_cast<Index>(k);
  return at == At::between ? acceleration(i, x) : x[i] - sign_of(at) * limit(k, x);
}

double FollowingLimits::residual_scale(std::size_t k, At at, const Eigen::VectorXd& x) const {
  const auto i = static_cast<Index>(k);
  return at == At::between ? acceleration_scale(i, x) : std::abs(x[i]) + limit_scale(k, x);
}

/// Newton's method: x at the limits that the pattern says.
bool FollowingLimits::meets(const Pattern& pattern, Eigen::VectorXd& x) const {
  constexpr int most_steps = 40;
  const Index n = x.size();
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(n);  // of each force
  for (Index k = 0; k < decided(); ++k) {
    if (by_force(k, k) > 0) unit[k] = 1 / std::sqrt(by_force(k, k));
  }
  double last = infinite;
  Eigen::VectorXd best = x;
  for (int step = 0; step < most_steps; ++step) {
    double largest = 0;
    Eigen::VectorXd left(n);
    Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(n, n);
    for (Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      left[i] = residual(k, pattern[k], x);
      largest = std::max(largest, std::abs(left[i]) / (residual_scale(k, pattern[k], x) + tiny));
      if (pattern[k] == At::between) {
        slopes.row(i) = by_force.row(i);
        continue;
      }
      slopes(i, i) = 1;
      if (forces[k].coefficient == 0) continue;
      const Eigen::Vector3d R = forces[k].reaction + forces[k].by_force * x;
      const double length = R.norm();
      if (length == 0) continue;
      slopes.row(i) -= (sign_of(pattern[k]) * forces[k].coefficient / length) * (R.transpose() * forces[k].by_force);
    }
    if (!left.allFinite()) return false;
    if (largest < last) {
      last = largest;
      best = x;
    } else if (last <= most_left) {
      break;
    }
    if (last <= settled) break;
    slopes *= unit.asDiagonal();
    const Eigen::VectorXd rows = slopes.cwiseAbs().rowwise().maxCoeff().cwiseMax(tiny).cwiseInverse();
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(rows.asDiagonal() * slopes);
    if (!lu.isInvertible()) return false;
    x -= unit.cwiseProduct(lu.solve(rows.cwiseProduct(left)));
  }
  x = best;
  return last <= most_left;
}

bool FollowingLimits::hold(const Pattern& pattern, const Eigen::VectorXd& x) const {
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const auto i = static_cast<Index>(k);
    if (!(std::abs(residual(k, pattern[k], x)) <= most_left * residual_scale(k, pattern[k], x))) return false;
    if (forces[k].slides) continue;
    if (pattern[k] == At::between) {
      const double beyond = (forces[k].only == 0 ? std::abs(x[i]) : forces[k].only * x[i]) - limit(k, x);
      if (!(beyond <= most_left * limit_scale(k, x))) return false;
    } else if (!(sign_of(pattern[k]) * acceleration(i, x) <= most_left * acceleration_scale(i, x))) {
      return false;
    }
  }
  return true;
}

/// Where the forces would be within the limits that x makes.
bool FollowingLimits::propose(Pattern& pattern, const Eigen::VectorXd& x) const {
  const Index n = decided(), sliding = x.size() - n;
  const Eigen::VectorXd b = without + by_force.rightCols(sliding) * x.tail(sliding);
  const Eigen::MatrixXd W = by_force.leftCols(n);
  Eigen::VectorXd low(n), high(n);
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double most = limit(k, x);
    low[i] = forces[k].only > 0 ? -infinite : -most;
    high[i] = forces[k].only < 0 ? infinite : most;
  }
  const auto found = minimum_in_box((W + W.transpose()) / 2, b, low, high);
  if (!found) return false;
  for (Index i = 0; i < n; ++i) {
    const bool at_low = (*found)[i] == low[i], at_high = (*found)[i] == high[i];
    At at = at_low ? At::low : at_high ? At::high : At::between;
    if (at_low && at_high) at = b[i] + W.row(i).dot(*found) > 0 ? At::low : At::high;
    pattern[static_cast<std::size_t>(i)] = at;
  }
  return true;
}

FollowingLimits::Outcome FollowingLimits::find(Pattern& pattern, Eigen::VectorXd& x) const {
  constexpr std::size_t most = 30;
  std::vector<Pattern> seen;
  for (std::size_t k = 0; k < forces.size(); ++k) {
    if (forces[k].slides) pattern[k] = At::high;
  }
  while (seen.size() < most && propose(pattern, x) && std::ranges::find(seen, pattern) == seen.end()) {
    seen.push_back(pattern);
    Eigen::VectorXd next = x;
    if (!meets(pattern, next)) break;
    x = next;
    if (hold(pattern, x)) return Outcome::found;
  }
  return try_all(pattern, x);
}

/// The pattern after this one, as digits are counted; false after the last.
bool FollowingLimits::next(Pattern& pattern) const {
  for (std::size_t k = 0; k < static_cast<std::size_t>(decided()); ++k) {
    const At first = forces[k].only > 0 ? At::between : At::low, last = forces[k].only < 0 ? At::between : At::high;
    if (pattern[k] != last) {
      pattern[k] = pattern[k] == At::low ? At::between : At::high;
      return true;
    }
    pattern[k] = first;
  }
  return false;
}

FollowingLimits::Outcome FollowingLimits::try_all(Pattern& pattern, Eigen::VectorXd& x) const {
  double patterns = 1;
  Pattern trial(forces.size(), At::high);
  for (std::size_t k = 0; k < static_cast<std::size_t>(decided()); ++k) {
    patterns *= forces[k].only == 0 ? 3 : 2;
    trial[k] = forces[k].only > 0 ? At::between : At::low;
  }
  if (patterns > most_patterns) return Outcome::unsettled;
  bool any = false;
  do {
    Eigen::VectorXd forces_there = Eigen::VectorXd::Zero(x.size());
    if (!meets(trial, forces_there) || !hold(trial, forces_there)) continue;
    for (Index k = 0; any && k < decided(); ++k) {
      const double scale = acceleration_scale(k, x) + acceleration_scale(k, forces_there);
      if (std::abs(acceleration(k, x) - acceleration(k, forces_there)) > same * scale) return Outcome::several;
    }
    if (any) continue;  // a force that is just at its limit
    any = true;
    pattern = trial;
    x = forces_there;
  } while (next(trial));
  return any ? Outcome::found : Outcome::none;
}

}  // namespace gyrostat
