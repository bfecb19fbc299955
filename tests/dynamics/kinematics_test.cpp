// The outward pass against the model's geometry and its derivatives by differences.
#include "gyrostat/dynamics/kinematics.h"

#include <map>

#include "gyrostat/dynamics/conserved.h"
#include "gyrostat/dynamics/outward.h"

#include "support/motion.h"
#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace kinematics_test {

/// Random systems, and how often each type of joint came in each direction.
template <class Check>
void for_random_cases(Check check) {
  std::map<std::pair<JointType, bool>, int> seen;
  RandomModelOptions options;
  options.most_bodies = 8;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomCase c = RandomCase::make(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    check(c, Random(seed ^ 0xacce1));
    for (std::size_t i = 1; i < c.system().joints.size(); ++i) {
      ++seen[{c.system().joints[i].type, c.system().joints[i].reversed}];
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(seen.size(), 22U) << "every type of the tree in both directions";
}

Eigen::VectorXd random_vector(Random& random, Eigen::Index size) {
  Eigen::VectorXd x(size);
  for (double& entry : x) entry = random.uniform(-2, 2);
  return x;
}

/// R of the user's axes of body i.
Matrix3 user_rotation(const RandomCase& c, const Kinematics<double>& kinematics, std::size_t i) {
  return to_eigen(kinematics.bodies[i].R_NM) * to_eigen(c.mechanism->bodies[i].R_BM).transpose();
}

double distance(const Vec3<double>& a, const Vector3& b) { return (to_eigen(a) - b).cwiseAbs().maxCoeff(); }

TEST(Kinematics, PutBodiesWhereTheFormatSays) {
  for_random_cases([](const RandomCase& c, Random) {
    const System& system = c.system();
    const std::vector<Pose> X = reference_poses(system, c.loaded.model->description, c.state.q);
    for (std::size_t i = 1; i < X.size(); ++i) {
      const Vector3 base = X[i] * base_point(system.joints[i]);
      const std::uint32_t parent = system.parent[i];
      const Vector3 inboard = parent == 0 ? Vector3(Vector3::Zero()) : X[parent] * base_point(system.joints[parent]);
      EXPECT_LT((user_rotation(c, c.kinematics, i) - X[i].R).cwiseAbs().maxCoeff(), 1e-13) << "body " << i;
      EXPECT_LT(distance(c.kinematics.bodies[i].r, base - inboard), 1e-12) << "body " << i;
    }
  });
}

TEST(Kinematics, PutAnOnlyAxisAlongZ) {
  for_random_cases([](const RandomCase& c, Random) {
    const System& system = c.system();
    const std::vector<Pose> X = body_poses(system, c.state.q);
    for (std::size_t i = 1; i < X.size(); ++i) {
      const Joint& joint = system.joints[i];
      if (joint.nu != 1) continue;
      const Vector3 axis =
          X[joint.reversed ? i : system.parent[i]].R * (joint.rotations == 1 ? joint.a[0] : joint.d[0]);
      EXPECT_LT(distance(c.kinematics.bodies[i].R_NM.z, joint.reversed ? Vector3(-axis) : axis), 1e-13);
      EXPECT_EQ(c.mechanism->links[i].motion, joint.rotations == 1 ? JointMotion::revolute : JointMotion::prismatic);
    }
  });
}

TEST(Kinematics, VelocitiesAreRatesOfThePoses) {
  for_random_cases([](const RandomCase& c, Random) {
    const System& system = c.system();
    std::vector<BasePoint<double>> points;
    find_base_points(*c.mechanism, c.kinematics, c.state.u.data(), points);
    const auto poses_at = [&](double t) {
      return reference_poses(system, c.loaded.model->description, coordinates_after(system, c.state.q, c.state.u, t));
    };
    const double h = 1e-3;
    const std::vector<Pose> now = poses_at(0);
    const std::map<double, std::vector<Pose>> X = {
        {h, poses_at(h)}, {-h, poses_at(-h)}, {2 * h, poses_at(2 * h)}, {-2 * h, poses_at(-2 * h)}};
    const std::vector<Velocity> by_subspaces = velocities(system, c.state.q, c.state.u);
    for (std::size_t i = 1; i < now.size(); ++i) {
      const Vector3& base = base_point(system.joints[i]);
      const Matrix3 Rdot = rate_of([&](double t) { return X.at(t)[i].R; }, h);
      const Vector3 w = vector_of_skew(Rdot * now[i].R.transpose());
      const Vector3 v = rate_of([&](double t) { return Vector3(X.at(t)[i] * base); }, h);
      EXPECT_LT(distance(points[i].p, now[i] * base), 1e-12) << "body " << i;
      EXPECT_LT(distance(c.kinematics.bodies[i].w, w), 1e-9) << "body " << i;
      EXPECT_LT(distance(points[i].v, v), 1e-8) << "body " << i;
      EXPECT_LT(distance(c.kinematics.bodies[i].w, by_subspaces[i].w), 1e-12) << "body " << i;
      EXPECT_LT(distance(points[i].v, by_subspaces[i].v + by_subspaces[i].w.cross(now[i].R * base)), 1e-11);
    }
  });
}

/// Accelerations of all bodies against rates of the velocities along a motion with derivatives udot of the speeds.
void expect_accelerations(const RandomCase& c, const Kinematics<double>& kinematics, const Eigen::VectorXd& udot) {
  const System& system = c.system();
  const std::size_t count = system.bodies.size();
  const double h = 1e-3;
  /// [w; v of the base point] of all bodies
  const auto motion_at = [&](double t) {
    const Eigen::VectorXd q = coordinates_after(system, c.state.q, c.state.u, t);
    const std::vector<Velocity> V = velocities(system, q, c.state.u + t * udot);
    const std::vector<Pose> X = body_poses(system, q);
    Eigen::MatrixXd all(6, static_cast<Eigen::Index>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const Vector3 base = i == 0 ? Vector3(Vector3::Zero()) : X[i].R * base_point(system.joints[i]);
      all.col(static_cast<Eigen::Index>(i)) << V[i].w, V[i].v + V[i].w.cross(base);
    }
    return all;
  };
  const Eigen::MatrixXd rates = rate_of(motion_at, h);
  for (std::size_t i = 1; i < count; ++i) {
    const BodyMotion<double>& body = kinematics.bodies[i];
    const Vector3 alpha = rates.col(static_cast<Eigen::Index>(i)).head<3>(), w = to_eigen(body.w);
    const Vector3 a = rates.col(static_cast<Eigen::Index>(i)).tail<3>();
    const double limit = 1e-8 * (1 + rates.cwiseAbs().maxCoeff());
    EXPECT_LT(distance(body.alpha, alpha), limit) << "body " << i;
    EXPECT_LT(distance(body.a, a), limit) << "body " << i;
    EXPECT_LT((to_eigen(body.W) - skew(alpha) - skew(w) * skew(w)).cwiseAbs().maxCoeff(), limit) << "body " << i;
  }
}

TEST(Kinematics, BiasAccelerationsAreThoseAtConstantSpeeds) {
  for_random_cases([](const RandomCase& c, Random) {
    expect_accelerations(c, c.kinematics, Eigen::VectorXd::Zero(c.state.u.size()));
  });
}

TEST(Kinematics, AccelerationsAreThoseOfGivenDerivativesOfTheSpeeds) {
  for_random_cases([](const RandomCase& c, Random random) {
    const Eigen::VectorXd udot = random_vector(random, c.state.u.size());
    Kinematics<double> kinematics(*c.mechanism);
    outward<double, true>(*c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), kinematics);
    expect_accelerations(c, kinematics, udot);
  });
}

TEST(Kinematics, OfNoGivenDerivativesAreTheBias) {
  for_random_cases([](const RandomCase& c, Random) {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(c.state.u.size());
    Kinematics<double> kinematics(*c.mechanism);
    outward<double, true>(*c.mechanism, c.state.q.data(), c.state.u.data(), none.data(), kinematics);
    for (std::size_t i = 1; i < kinematics.bodies.size(); ++i) {
      EXPECT_LT(distance(kinematics.bodies[i].alpha, to_eigen(c.kinematics.bodies[i].alpha)), 1e-12);
      EXPECT_LT(distance(kinematics.bodies[i].a, to_eigen(c.kinematics.bodies[i].a)), 1e-11);
    }
  });
}

TEST(Kinematics, ColumnsAreTheSubspacesOfTheTree) {
  for_random_cases([](const RandomCase& c, Random) {
    const System& system = c.system();
    const std::vector<Pose> X = body_poses(system, c.state.q);
    for (std::uint32_t i = 1; i < X.size(); ++i) {
      const Joint& joint = system.joints[i];
      const Link& link = c.mechanism->links[i];
      const Subspace S = tree_subspace(joint, c.state.q.data() + joint.q);
      Twist<double> only;
      const Twist<double>* columns = subspace_of(link, c.kinematics, c.kinematics.bodies[i], only);
      ASSERT_EQ(link.nu, S.cols());
      ASSERT_EQ(link.u, joint.u);
      for (int k = 0; k < S.cols(); ++k) {
        const Vector3 w = X[i].R * S.col(k).head<3>();
        const Vector3 v = X[i].R * S.col(k).tail<3>() + w.cross(X[i].R * base_point(joint));
        EXPECT_LT(distance(columns[k].w, w), 1e-13) << type_name(joint.type) << " speed " << k;
        EXPECT_LT(distance(columns[k].v, v), 1e-12) << type_name(joint.type) << " speed " << k;
      }
    }
  });
}

/// The kinematic equation: coordinates change as the bodies do, and a quaternion keeps its length.
TEST(CoordinateRates, AreTheDerivativesOfTheCoordinates) {
  for_random_cases([](const RandomCase& c, Random) {
    const System& system = c.system();
    Eigen::VectorXd qdot(c.state.q.size());
    coordinate_rates(system, c.state.q.data(), c.state.u.data(), qdot.data());
    const Eigen::VectorXd expected =
        rate_of([&](double t) { return coordinates_after(system, c.state.q, c.state.u, t); });
    ASSERT_EQ(qdot.size(), expected.size());
    if (qdot.size() == 0) return;
    EXPECT_LT((qdot - expected).cwiseAbs().maxCoeff(), 1e-10 * (1 + expected.cwiseAbs().maxCoeff()));
  });
}

TEST(Kinematics, DoNotDependOnTheTurnsAnAngleHasMade) {
  for_random_cases([](const RandomCase& c, Random) {
    State turned = c.state;
    for (const Joint& joint : c.system().joints) {
      const bool angle_first = joint.rotation_first;
      for (std::uint32_t k = 0; k < joint.rotations && !has_quaternion(joint.type); ++k) {
        turned.q[joint.q + k + (angle_first ? 0U : joint.translations)] += 2 * std::numbers::pi * 1000;
      }
    }
    Kinematics<double> kinematics(*c.mechanism);
    update(*c.mechanism, turned.q.data(), turned.u.data(), kinematics);
    for (std::size_t i = 1; i < kinematics.bodies.size(); ++i) {
      const BodyMotion<double>&a = kinematics.bodies[i], &b = c.kinematics.bodies[i];
      EXPECT_LT((to_eigen(a.R_NM) - to_eigen(b.R_NM)).cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_LT(distance(a.a, to_eigen(b.a)), 1e-8);
    }
  });
}

}  // namespace kinematics_test
}  // namespace gyrostat::testing
