// Jacobians of points against differences of where the format puts them.
#include "gyrostat/dynamics/jacobian.h"

#include "support/motion.h"
#include "support/random_dynamics.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace {

using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;

TEST(Jacobian, IsTheMotionOfThePointForUnitSpeeds) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomModelOptions options;
    options.most_bodies = 8;
    const RandomCase c = RandomCase::make(seed, options);
    const System& system = c.system();
    Random random(seed);
    const std::vector<Pose> X = body_poses(system, c.state.q);
    for (std::uint32_t body = 1; body < X.size(); ++body) {
      const Vector3 point = random.vector(2);
      Jacobian J;
      point_jacobian(*c.mechanism, c.kinematics, body, point, J);
      ASSERT_EQ(J.cols(), c.state.u.size());
      for (Eigen::Index k = 0; k < J.cols(); ++k) {
        const Eigen::VectorXd unit = Eigen::VectorXd::Unit(J.cols(), k);
        const auto pose_at = [&](double t) {
          const Eigen::VectorXd q = coordinates_after(system, c.state.q, unit, t);
          const Pose now = reference_poses(system, c.loaded.model->description, q)[body];
          Eigen::Matrix<double, 3, 4> all;
          all << now.R, now * point;
          return all;
        };
        const Eigen::Matrix<double, 3, 4> rate = rate_of(pose_at);
        const Vector3 w = vector_of_skew(rate.leftCols<3>() * X[body].R.transpose());
        ASSERT_LT((J.col(k).head<3>() - w).norm(), 1e-9) << "seed " << seed << " body " << body << " speed " << k;
        ASSERT_LT((J.col(k).tail<3>() - rate.col(3)).norm(), 1e-8)
            << "seed " << seed << " body " << body << " speed " << k;
      }
    }
  }
}

TEST(Jacobian, TimesTheSpeedsIsTheVelocity) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomCase c = RandomCase::make(seed);
    Random random(seed);
    const std::vector<Pose> X = body_poses(c.system(), c.state.q);
    const std::vector<Velocity> V = velocities(c.system(), c.state.q, c.state.u);
    Jacobian J;  // used again for every body: nothing of the last one stays
    for (std::uint32_t body = 0; body < X.size(); ++body) {
      const Vector3 point = random.vector(2);
      point_jacobian(*c.mechanism, c.kinematics, body, point, J);
      Vector6 expected;
      expected << V[body].w, V[body].v + V[body].w.cross(X[body].R * point);
      ASSERT_LT((J * c.state.u - expected).norm(), 1e-11 * (1 + expected.norm())) << "seed " << seed;
    }
  }
}

/// The principle of virtual work: forces at a point act on the speeds by the transpose.
TEST(Jacobian, TransposedTakesAForceToTheSpeeds) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomModelOptions options;
    options.most_bodies = 12;
    RandomCase c = RandomCase::make(seed, options);
    Random random(seed);
    const System& system = c.system();
    const auto body = static_cast<std::uint32_t>(1 + random.index(system.body_count()));
    const Vector3 point = random.vector(), force = random.vector(5), torque = random.vector(5);
    Jacobian J;
    point_jacobian(*c.mechanism, c.kinematics, body, point, J);
    Vector6 F;
    F << torque, force;
    const Eigen::VectorXd generalised = J.transpose() * F;
    const Eigen::VectorXd without = c.accelerations();
    RandomCase by_wrench = RandomCase::make(seed, options);
    const Vector3 lever = body_poses(system, c.state.q)[body].R * (point - base_point(system.joints[body]));
    by_wrench.forces.wrench[body].torque += cast<double>(Vector3(torque + lever.cross(force)));
    by_wrench.forces.wrench[body].force += cast<double>(force);
    for (std::size_t k = 0; k < c.forces.tau.size(); ++k) {
      c.forces.tau[k] += generalised[static_cast<Eigen::Index>(k)];
    }
    const Eigen::VectorXd a = c.accelerations(), b = by_wrench.accelerations();
    if (a.size() == 0) continue;
    ASSERT_LT((a - b).cwiseAbs().maxCoeff(), 1e-9 * (1 + a.cwiseAbs().maxCoeff() + without.cwiseAbs().maxCoeff()))
        << "seed " << seed;
  }
}

TEST(Jacobian, OfAPointOfTheWorldIsZero) {
  const RandomCase c = RandomCase::make(3);
  Jacobian J = Jacobian::Ones(6, 2);
  point_jacobian(*c.mechanism, c.kinematics, 0, {1, 2, 3}, J);
  EXPECT_EQ(J.cols(), c.state.u.size());
  EXPECT_TRUE((J.array() == 0).all());
}

TEST(Jacobian, OfTwoBarsInAPlaneByHand) {
  Description d;
  d.bodies = {rigid_body("a", 1, {1, 1, 1}), rigid_body("b", 1, {1, 1, 1})};
  d.joints = {one_axis("hip", JointType::revolute, "world", "a", Vector3::UnitZ(), 0.3),
              one_axis("knee", JointType::revolute, "a", "b", Vector3::UnitZ(), 0.5)};
  d.joints[1].parent_point = {2, 0, 0};
  const Scene s(std::move(d));
  Jacobian J;
  point_jacobian(s.mechanism, s.kinematics(), s.body("b"), {3, 0, 0}, J);
  Jacobian expected(6, 2);
  const double x1 = 2 * std::cos(0.3), y1 = 2 * std::sin(0.3), x2 = 3 * std::cos(0.8), y2 = 3 * std::sin(0.8);
  expected << 0, 0, 0, 0, 1, 1, -y1 - y2, -y2, x1 + x2, x2, 0, 0;
  EXPECT_LT((J - expected).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace gyrostat::testing
