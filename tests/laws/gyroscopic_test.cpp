// Without the gyroscopic torques of some bodies: all formulations leave out the same, and it does no work.
#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/conserved.h"
#include "gyrostat/dynamics/kane.h"
#include "gyrostat/dynamics/reactions.h"

#include "support/same_motion.h"

namespace gyrostat::testing {
namespace gyroscopic_test {

using D = Dual<1>;

/// A random system of which some bodies have lost their gyroscopic torque.
Description partly_gyroscopic(std::uint64_t seed) {
  RandomModelOptions options;
  options.most_bodies = seed % 10 == 0 ? 40 : 10;
  options.wheels = 0.5;
  Description d = random_description(seed, options);
  Random random(seed);
  for (const BodyDescription& body : d.bodies) {
    if (random.chance(0.5)) d.simulation.gyroscopic_dropped.push_back(body.name);
  }
  if (seed % 7 == 0) d.simulation.gyroscopic = false;
  return d;
}

TEST(Gyroscopic, SettingsReachTheBodiesNamed) {
  const Scene s(partly_gyroscopic(5));
  ASSERT_FALSE(s.loaded.model->description.simulation.gyroscopic_dropped.empty());
  for (std::uint32_t i = 1; i < s.mechanism.links.size(); ++i) {
    const auto& dropped = s.loaded.model->description.simulation.gyroscopic_dropped;
    EXPECT_EQ(s.mechanism.links[i].gyroscopic, std::ranges::find(dropped, s.system().bodies[i].name) == dropped.end());
  }
  Description none = partly_gyroscopic(5);
  none.simulation.gyroscopic = false;
  const Scene all(std::move(none));
  for (std::uint32_t i = 1; i < all.mechanism.links.size(); ++i) EXPECT_FALSE(all.mechanism.links[i].gyroscopic);
}

TEST(Gyroscopic, FormulationsAgreeWithoutIt) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Scene s(partly_gyroscopic(seed));
    Random random(seed);
    randomise(s, random);
    const auto nu = s.state.u.size();
    if (nu == 0) continue;
    const Eigen::VectorXd articulated = s.accelerations();
    const Kinematics<double> kinematics = s.kinematics();
    CompositeBodyData composite(s.mechanism);
    KaneData kane(s.mechanism);
    Eigen::VectorXd by_composite(nu), by_kane(nu), tau(nu);
    accelerations(s.mechanism, kinematics, s.state.u.data(), s.forces, composite, by_composite.data());
    accelerations(s.mechanism, kinematics, s.state.u.data(), s.forces, kane, by_kane.data());
    const double largest = 1 + articulated.cwiseAbs().maxCoeff();
    const double limit = std::max(1e-10, 1e-14 * pivot_ratio(s)) * largest;
    ASSERT_LT((articulated - by_composite).cwiseAbs().maxCoeff(), limit) << "seed " << seed;
    ASSERT_LT((articulated - by_kane).cwiseAbs().maxCoeff(), limit) << "seed " << seed;

    InverseDynamics<double> inverse(s.mechanism);
    inverse_dynamics(s.mechanism, s.state.q.data(), s.state.u.data(), articulated.data(), s.forces, inverse,
                     tau.data());
    for (const std::uint32_t k : composite.free) {
      ASSERT_NEAR(tau[k], s.forces.tau[k], 1e-9 * largest) << "seed " << seed << " speed " << k;
    }
  }
}

/// The torque left out is across the angular velocity.
TEST(Gyroscopic, KineticEnergyChangesByThePowerOfForcesWithoutIt) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Scene s(partly_gyroscopic(seed));
    Random random(seed);
    randomise(s, random);
    const Eigen::VectorXd udot = s.accelerations();
    const auto nq = static_cast<std::size_t>(s.state.q.size()), nu = static_cast<std::size_t>(udot.size());
    std::vector<double> qdot(nq);
    coordinate_rates(s.system(), s.state.q.data(), s.state.u.data(), qdot.data());
    std::vector<D> q(nq), u(nu);
    for (std::size_t k = 0; k < nq; ++k) {
      q[k].value = s.state.q[static_cast<Eigen::Index>(k)];
      q[k].d = {qdot[k]};
    }
    for (std::size_t k = 0; k < nu; ++k) {
      u[k].value = s.state.u[static_cast<Eigen::Index>(k)];
      u[k].d = {udot[static_cast<Eigen::Index>(k)]};
    }
    Kinematics<D> moving(s.mechanism);
    std::vector<BasePoint<D>> points;
    outward<D, false>(s.mechanism, q.data(), u.data(), nullptr, moving);
    find_base_points(s.mechanism, moving, u.data(), points);
    const Conserved<D> sum = conserved(s.mechanism, moving, u.data(), points);

    Reactions reactions(s.mechanism);
    find_reactions(s.mechanism, s.state.q.data(), s.state.u.data(), udot.data(), s.forces, reactions);
    double power = 0, scale = 1 + sum.kinetic.value;
    const auto add = [&](double part) { power += part, scale += std::abs(part); };
    for (std::size_t k = 0; k < nu; ++k) add((s.forces.tau[k] + reactions.driving[k]) * u[k].value);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Vec3<D>&w = moving.bodies[i].w, &v = points[i].v;
      add(to_eigen(s.forces.wrench[i].torque).dot(Vector3(w.x.value, w.y.value, w.z.value)));
      add(to_eigen(s.forces.wrench[i].force).dot(Vector3(v.x.value, v.y.value, v.z.value)));
    }
    ASSERT_NEAR(sum.kinetic.d[0], power, 1e-10 * (scale + (nu > 0 ? udot.cwiseAbs().maxCoeff() : 0)))
        << "seed " << seed;
  }
}

Description gyrostat_body() {
  Description d;
  d.bodies = {rigid_body("bus", 4, {2, 3, 4}, {1, -2, 0.5})};
  d.bodies[0].wheels = {wheel("w", Vector3::UnitY(), 0.5, 40)};
  return d;
}

/// With it: J w' + w x (J w + h) = T about the mass centre. Without it: J w' = T. The com moves as it must in both.
TEST(Gyroscopic, ASingleBodyByHand) {
  const Vector3 w(0.3, -0.2, 0.5), torque(1, 2, 3), J(2, 3, 4), h(0, 0.5 * 40, 0), c(1, -2, 0.5);
  for (const bool kept : {true, false}) {
    Description d = gyrostat_body();
    d.simulation.gyroscopic = kept;
    Scene s(std::move(d));
    s.state.u.head<3>() = w;
    s.act(1, Vector3::Zero(), torque, Vector3::Zero());
    const Eigen::VectorXd udot = s.accelerations();
    const Vector3 gyroscopic = w.cross(Vector3(J.cwiseProduct(w) + h));
    const Vector3 left = kept ? Vector3(torque - gyroscopic) : torque;
    // The wheel is free: about its axis the bus is without it.
    const Vector3 alpha = left.cwiseQuotient(Vector3(2, 3 - 0.5, 4));
    EXPECT_LT((udot.head<3>() - alpha).norm(), 1e-13) << kept;
    EXPECT_NEAR(udot[6], -alpha.y(), 1e-13) << kept;
    const Vector3 a = -(alpha.cross(c) + w.cross(w.cross(c)));  // of the origin: the com does not accelerate
    EXPECT_LT((udot.segment<3>(3) - a).norm(), 1e-13) << kept;
  }
}

TEST(Gyroscopic, IsNotMissedWhereNothingTurns) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Description d = partly_gyroscopic(seed);
    Scene without(d);
    d.simulation.gyroscopic = true;
    d.simulation.gyroscopic_dropped.clear();
    Scene with(std::move(d));
    Random random(seed);
    randomise(with, random);
    without.forces = with.forces;
    with.state.u.setZero();
    without.state.q = with.state.q;
    without.state.u.setZero();
    ASSERT_LT((with.accelerations() - without.accelerations()).norm(), 1e-9 * (1 + with.accelerations().norm()))
        << "seed " << seed;
  }
}

}  // namespace gyroscopic_test
}  // namespace gyrostat::testing
