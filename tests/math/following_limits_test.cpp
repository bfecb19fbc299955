// Forces within limits that follow reactions: against solutions that are chosen beforehand.
#include "gyrostat/math/following_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace following_limits_test {

using At = FollowingLimits::At;
using Outcome = FollowingLimits::Outcome;

struct Case {
  FollowingLimits of;
  FollowingLimits::Pattern pattern;
  Eigen::VectorXd x;
};

/// n forces that are decided and m that slide, in units that differ by `ratio` from one to the next. The pattern and
/// the forces are chosen; preloads and accelerations are then such that they are the solution.
Case any_case(std::mt19937& random, Eigen::Index n, Eigen::Index m, double ratio, double coupling) {
  std::uniform_real_distribution<double> any(-1, 1), positive(0.2, 1);
  const Eigen::Index all = n + m;
  Case c;
  Eigen::VectorXd unit(all);
  for (Eigen::Index k = 0; k < all; ++k) unit[k] = std::pow(ratio, static_cast<double>(k));
  const Eigen::MatrixXd root = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return any(random); });
  const Eigen::MatrixXd W = root * root.transpose() + 0.3 * Eigen::MatrixXd::Identity(n, n);
  c.of.by_force.resize(n, all);
  c.of.by_force.leftCols(n) = unit.head(n).cwiseInverse().asDiagonal() * W * unit.head(n).cwiseInverse().asDiagonal();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = n; j < all; ++j) c.of.by_force(i, j) = coupling * any(random) / (unit[i] * unit[j]);
  }
  c.x.resize(all);
  for (Eigen::Index k = 0; k < all; ++k) c.x[k] = unit[k] * (k < n ? any(random) : positive(random));
  c.of.without.resize(n);
  for (Eigen::Index k = 0; k < all; ++k) {
    FollowingLimits::Force force;
    force.slides = k >= n;
    const At at = force.slides ? At::high : std::array{At::low, At::between, At::high}[random() % 3];
    if (!force.slides && at != At::high && random() % 4 == 0) force.only = -1;
    force.coefficient = coupling * unit[k];
    force.by_force.resize(3, all);
    for (Eigen::Index j = 0; j < all; ++j) {
      force.by_force.col(j) = Eigen::Vector3d(any(random), any(random), any(random)) / unit[j];
    }
    force.reaction = Eigen::Vector3d(any(random), any(random), any(random));
    c.pattern.push_back(at);
    c.of.forces.push_back(std::move(force));
  }
  // the preload that puts it at its limit, or within
  for (Eigen::Index k = 0; k < n; ++k) {
    const At at = c.pattern[static_cast<std::size_t>(k)];
    if (at != At::between) c.x[k] = static_cast<double>(at) * std::abs(c.x[k]);
  }
  for (Eigen::Index k = 0; k < all; ++k) {
    FollowingLimits::Force& force = c.of.forces[static_cast<std::size_t>(k)];
    const At at = c.pattern[static_cast<std::size_t>(k)];
    if (force.slides) {
      const Eigen::Vector3d along = (force.reaction + force.by_force * c.x).normalized();
      force.reaction = along * (c.x[k] / force.coefficient) - force.by_force * c.x;
      continue;
    }
    const double length = (force.reaction + force.by_force * c.x).norm();
    force.coefficient = std::min(force.coefficient, 0.5 * std::abs(c.x[k]) / length);
    force.preload = std::abs(c.x[k]) - force.coefficient * length + (at == At::between ? 0.1 * unit[k] : 0);
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const double away = -static_cast<double>(c.pattern[static_cast<std::size_t>(i)]) * positive(random) / unit[i];
    c.of.without[i] = away - c.of.by_force.row(i).dot(c.x);
  }
  return c;
}

void expect_found(const Case& c, double within) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(c.x.size());
  FollowingLimits::Pattern pattern(c.pattern.size(), At::high);
  ASSERT_TRUE(c.of.hold(c.pattern, c.x));
  ASSERT_EQ(c.of.find(pattern, x), Outcome::found);
  EXPECT_EQ(pattern, c.pattern);
  for (Eigen::Index k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], c.x[k], within * std::abs(c.x[k])) << k;
}

TEST(FollowingLimits, AreMetByTheForcesThatWereChosen) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    expect_found(any_case(random, 1 + trial % 6, trial % 3, 1, 0.03), 1e-9);
  }
}

TEST(FollowingLimits, AreMetInUnitsThatDifferByMillions) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    expect_found(any_case(random, 1 + trial % 4, trial % 3, trial % 2 == 0 ? 1e3 : 1e-3, 0.03), 1e-9);
  }
}

/// Where the coupling is strong there may be other solutions, or the limits of the last forces lead nowhere. What is
/// found is a solution, and where there is one it is not denied.
TEST(FollowingLimits, OfStrongCouplingAreMetOrSeveral) {
  std::mt19937 random(7);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const Case c = any_case(random, 1 + trial % 5, 1 + trial % 2, 1, 0.6);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(c.x.size());
    FollowingLimits::Pattern pattern(c.pattern.size(), At::high);
    const Outcome outcome = c.of.find(pattern, x);
    if (outcome == Outcome::found) {
      EXPECT_TRUE(c.of.hold(pattern, x));
    }
    found += outcome == Outcome::found ? 1 : 0;
  }
  EXPECT_GT(found, 200);
}

/// x = 2 |1 + x|, one force that slides: there is none.
TEST(FollowingLimits, ThatNoForceMeetsAreReported) {
  const auto with = [](Eigen::Index held) {
    FollowingLimits of;
    of.without = Eigen::VectorXd::Constant(held, 0.5);
    of.by_force = Eigen::MatrixXd::Zero(held, held + 1);
    of.by_force.leftCols(held).setIdentity();
    of.forces.resize(static_cast<std::size_t>(held) + 1);
    for (FollowingLimits::Force& force : of.forces) force.preload = 1;
    FollowingLimits::Force& slides = of.forces.back();
    slides.slides = true;
    slides.preload = 0;
    slides.coefficient = 2;
    slides.reaction.x() = 1;
    slides.by_force = Eigen::Matrix3Xd::Zero(3, held + 1);
    slides.by_force(0, held) = 1;
    return of;
  };
  for (const Eigen::Index held : {1, 5, 12}) {
    const FollowingLimits of = with(held);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(held + 1);
    FollowingLimits::Pattern pattern(of.forces.size(), At::high);
    EXPECT_EQ(of.find(pattern, x), held > 8 ? Outcome::unsettled : Outcome::none);
  }
}

/// A force whose friction elsewhere pushes more than it holds itself: a = 4 + x - 4 |1 + x / 2| = -x. It may go either
/// way, or stay.
TEST(FollowingLimits, ThatSeveralForcesMeetAreReportedUnlessOneIsNear) {
  FollowingLimits of;
  of.without = Eigen::VectorXd::Constant(1, 4);
  of.by_force.resize(1, 2);
  of.by_force << 1, -4;
  of.forces.resize(2);
  of.forces[0].preload = 1;
  FollowingLimits::Force& slides = of.forces[1];
  slides.slides = true;
  slides.coefficient = 1;
  slides.reaction.x() = 1;
  slides.by_force = Eigen::Matrix3Xd::Zero(3, 2);
  slides.by_force(0, 0) = 0.5;
  const auto holds = [&](At at, double x) { return of.hold({at, At::high}, Eigen::Vector2d(x, 1 + x / 2)); };
  EXPECT_TRUE(holds(At::low, -1));
  EXPECT_TRUE(holds(At::between, 0));
  EXPECT_TRUE(holds(At::high, 1));
  EXPECT_FALSE(holds(At::between, 0.5));
}

}  // namespace following_limits_test
}  // namespace gyrostat
