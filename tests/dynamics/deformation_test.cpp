// The modal integrals against sums over the nodes themselves: positions by the model's own geometry, velocities by
// differences.
#include <gtest/gtest.h>

#include "gyrostat/dynamics/conserved.h"

#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace deformation_test {

/// A tree with flexible bodies of one kind.
RandomCase tree(std::uint64_t seed, FlexibleTerms terms, bool mass_points) {
  RandomModelOptions options;
  options.most_bodies = 5;
  options.flexible = 0.7;
  options.wheels = options.locked = options.prescribed = 0;
  Description description = random_description(seed, options);
  Random random(seed);
  for (BodyDescription& body : description.bodies) {
    if (!body.flexible) continue;
    const std::size_t modes = body.flexible->data.modes();
    body.flexible->data = random_flexible(random, modes, terms == FlexibleTerms::stiffened, mass_points);
    body.flexible->terms = terms;
  }
  return RandomCase::from(load_description(std::move(description)), seed);
}

struct Sums {
  double kinetic = 0;
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero(), first_moment = Vector3::Zero();
};

/// Of a point mass, or of a rigid body with this inertia about its mass centre.
void add(double mass, const Vector3& p, const Vector3& v, const Matrix3& inertia, const Vector3& w, Sums& sums) {
  sums.kinetic += 0.5 * mass * v.squaredNorm() + 0.5 * w.dot(inertia * w);
  sums.linear += mass * v;
  sums.angular += p.cross(mass * v) + inertia * w;
  sums.first_moment += mass * p;
}

/// By poses at five instants.
Sums over_nodes(const RandomCase& c) {
  const System& system = c.system();
  Eigen::VectorXd qdot(c.state.q.size());
  coordinate_rates(system, c.state.q.data(), c.state.u.data(), qdot.data());
  const double h = 1e-3;
  const auto normalised = [&](Eigen::VectorXd q) {
    for (std::size_t i = 1; i < system.joints.size(); ++i) {
      const Joint& joint = system.joints[i];
      if (has_quaternion(joint.type)) q.segment<4>(joint.q + joint.nq - 4).normalize();
    }
    return q;
  };
  std::array<std::vector<Pose>, 5> at;
  std::array<Eigen::VectorXd, 5> q;
  for (int s = -2; s <= 2; ++s) {
    const auto k = static_cast<std::size_t>(s + 2);
    q[k] = normalised(c.state.q + s * h * qdot);
    at[k] = body_poses(system, q[k]);
  }
  const auto move = [&](const std::array<Pose, 5>& X, double mass, const Vector3& com, const Matrix3& inertia,
                        Sums& sums) {
    std::array<Vector3, 5> p;
    std::array<Matrix3, 5> R;
    for (std::size_t k = 0; k < 5; ++k) p[k] = X[k] * com, R[k] = X[k].R;
    const Vector3 v = (8 * (p[3] - p[1]) - (p[4] - p[0])) / (12 * h);
    const Matrix3 W = (8 * (R[3] - R[1]) - (R[4] - R[0])) / (12 * h) * R[2].transpose();
    add(mass, p[2], v, R[2] * inertia * R[2].transpose(), {W(2, 1), W(0, 2), W(1, 0)}, sums);
  };
  Sums sums;
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    std::array<Pose, 5> X;
    for (std::size_t k = 0; k < 5; ++k) X[k] = at[k][i];
    const Body& body = system.bodies[i];
    if (body.flexible == Body::none) {
      move(X, body.mass_properties.mass, body.mass_properties.com, body.mass_properties.inertia, sums);
      continue;
    }
    const FlexibleBody& flexible = system.flexible[body.flexible];
    for (const FlexibleNode& node : flexible.data.nodes) {
      std::array<Pose, 5> X_node;
      for (std::size_t k = 0; k < 5; ++k)
        X_node[k] = X[k] * node_pose(node, q[k].data() + flexible.q, flexible.terms, true);
      move(X_node, node.mass, Vector3::Zero(), node.inertia, sums);
    }
  }
  return sums;
}

Conserved<double> by_integrals(const RandomCase& c) {
  std::vector<BasePoint<double>> points;
  Kinematics<double> kinematics(*c.mechanism);
  update(*c.mechanism, c.state.q.data(), c.state.u.data(), kinematics);
  find_base_points(*c.mechanism, kinematics, c.state.u.data(), points);
  return conserved(*c.mechanism, kinematics, c.state.u.data(), points);
}

/// The differences have errors of 1e-3^4 times fifth derivatives: 1e-9.
TEST(Deformation, OfMassPointsIsExactAtLinear) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomCase c = tree(seed, FlexibleTerms::linear, true);
    if (c.system().flexible.empty()) continue;
    const Sums nodes = over_nodes(c);
    const Conserved<double> all = by_integrals(c);
    const double scale = 1 + nodes.kinetic;
    ASSERT_NEAR(all.kinetic, nodes.kinetic, 1e-8 * scale) << seed;
    ASSERT_LT((to_eigen(all.linear) - nodes.linear).norm(), 1e-8 * scale) << seed;
    ASSERT_LT((to_eigen(all.angular_origin) - nodes.angular).norm(), 1e-8 * scale) << seed;
    ASSERT_LT((all.mass * to_eigen(all.com) - nodes.first_moment).norm(), 1e-10 * scale) << seed;
    ++checked;
  }
  EXPECT_GT(checked, 150);
}

/// With second-order shapes and node inertias the sums are expansions: the inertia is good to second order in the
/// deformation, the coupling to first, the modal mass to zeroth. The mass centre has no error.
TEST(Deformation, IsGoodToTheOrderOfItsTerms) {
  int checked = 0;
  std::array<std::array<double, 2>, 2> kinetic_sum{}, angular_sum{};  // without and with rates; whole and half
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const int of_rates : {0, 1}) {
      std::array<double, 2> kinetic{}, angular{};
      double first_moment = 0;
      bool any = false;
      for (const int k : {0, 1}) {
        RandomCase c = tree(seed, FlexibleTerms::stiffened, false);
        any = !c.system().flexible.empty();
        const double size = k == 0 ? 1 : 0.5;
        for (const FlexibleBody& body : c.system().flexible) {
          for (std::uint32_t a = 0; a < body.data.modes(); ++a) {
            c.state.q[body.q + a] *= 0.4 * size;
            c.state.u[body.u + a] *= of_rates * size;
          }
        }
        const Sums nodes = over_nodes(c);
        const Conserved<double> all = by_integrals(c);
        kinetic[static_cast<std::size_t>(k)] = std::abs(all.kinetic - nodes.kinetic);
        angular[static_cast<std::size_t>(k)] = (to_eigen(all.angular_origin) - nodes.angular).norm();
        first_moment = std::max(first_moment, (all.mass * to_eigen(all.com) - nodes.first_moment).norm());
      }
      if (!any) continue;
      ASSERT_LT(first_moment, 1e-10) << seed;
      for (const std::size_t k : {0U, 1U}) {
        kinetic_sum[static_cast<std::size_t>(of_rates)][k] += kinetic[k];
        angular_sum[static_cast<std::size_t>(of_rates)][k] += angular[k];
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 150);
  for (const auto& error : {kinetic_sum[0], kinetic_sum[1], angular_sum[0], angular_sum[1]}) {
    EXPECT_GT(error[0], 1e-4);  // above what differences can show
    EXPECT_GT(error[0] / error[1], 7);
    EXPECT_LT(error[0] / error[1], 10);
  }
}

}  // namespace deformation_test
}  // namespace gyrostat::testing
