// Power, momentum, Newton and Euler: laws that know nothing of any formulation, by exact derivatives along the motion.
#include <gtest/gtest.h>

#include "gyrostat/dynamics/conserved.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/dynamics/reactions.h"

#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace {

using D = Dual<1>;

RandomModelOptions options_of(std::uint64_t seed) {
  RandomModelOptions options;
  options.most_bodies = seed % 10 == 0 ? 60 : 12;
  return options;
}

/// The system as it moves: values and their rates.
struct Moving {
  Kinematics<D> kinematics;
  std::vector<D> u;
  std::vector<BasePoint<D>> points;

  Moving(const RandomCase& c, const Eigen::VectorXd& udot) : kinematics(*c.mechanism) {
    const auto nq = static_cast<std::size_t>(c.state.q.size()), nu = static_cast<std::size_t>(c.state.u.size());
    std::vector<double> qdot(nq);
    coordinate_rates(c.system(), c.state.q.data(), c.state.u.data(), qdot.data());
    std::vector<D> q(nq);
    u.resize(nu);
    for (std::size_t k = 0; k < nq; ++k)
      q[k] = chain(c.state.q[static_cast<Eigen::Index>(k)], qdot[k], D::variable(0, 0));
    for (std::size_t k = 0; k < nu; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      u[k] = chain(c.state.u[i], udot[i], D::variable(0, 0));
    }
    outward<D, false>(*c.mechanism, q.data(), u.data(), nullptr, kinematics);
    find_base_points(*c.mechanism, kinematics, u.data(), points);
  }
};

Vector3 value(const Vec3<D>& a) { return {a.x.value, a.y.value, a.z.value}; }
Vector3 rate(const Vec3<D>& a) { return {a.x.d[0], a.y.d[0], a.z.d[0]}; }

TEST(Balance, KineticEnergyChangesByThePowerOfForces) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomCase c = RandomCase::make(seed, options_of(seed));
    if (c.state.u.size() == 0) continue;
    const Eigen::VectorXd udot = c.accelerations();
    const Moving moving(c, udot);
    Reactions reactions(*c.mechanism);
    find_reactions(*c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), c.forces, reactions);
    double power = 0, scale = 1;
    const auto add = [&](double part) { power += part, scale += std::abs(part); };
    for (std::size_t k = 0; k < c.forces.tau.size(); ++k) {
      add((c.forces.tau[k] + reactions.driving[k]) * c.state.u[static_cast<Eigen::Index>(k)]);
    }
    for (std::size_t i = 1; i < c.forces.wrench.size(); ++i) {
      add(to_eigen(c.forces.wrench[i].torque).dot(value(moving.kinematics.bodies[i].w)));
      add(to_eigen(c.forces.wrench[i].force).dot(value(moving.points[i].v)));
    }
    const Conserved<D> sum = conserved(*c.mechanism, moving.kinematics, moving.u.data(), moving.points);
    ASSERT_NEAR(sum.kinetic.d[0], power, 1e-10 * (scale + sum.kinetic.value + udot.cwiseAbs().maxCoeff()))
        << "seed " << seed;
  }
}

TEST(Balance, MomentumOfAFreeSystemChangesByExternalForcesAlone) {
  RandomModelOptions options;
  options.implicit_base = 1;
  options.most_bodies = 20;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomCase c = RandomCase::make(seed, options);
    for (std::size_t k = 0; k < 6; ++k) c.forces.tau[k] = 0;  // of the base: those would be external
    const Eigen::VectorXd udot = c.accelerations();
    const Moving moving(c, udot);
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
    for (std::size_t i = 1; i < c.forces.wrench.size(); ++i) {
      const Vector3 f = to_eigen(c.forces.wrench[i].force);
      force += f;
      torque += to_eigen(c.forces.wrench[i].torque) + value(moving.points[i].p).cross(f);
    }
    const Conserved<D> sum = conserved(*c.mechanism, moving.kinematics, moving.u.data(), moving.points);
    const double limit = 1e-10 * (10 + udot.cwiseAbs().maxCoeff() * sum.mass.value);
    ASSERT_LT((rate(sum.linear) - force).norm(), limit) << "seed " << seed;
    ASSERT_LT((rate(sum.angular_origin) - torque).norm(), 10 * limit) << "seed " << seed;
    const Vector3 about_com = torque - value(sum.com).cross(force);
    ASSERT_LT((rate(sum.angular_com) - about_com).norm(), 10 * limit) << "seed " << seed;
  }
}

/// Reactions are on the user's child at the joint point in child axes; poses come from the model, not from the
/// dynamics.
TEST(Balance, ReactionsBalanceEveryBodyByNewtonAndEuler) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomCase c = RandomCase::make(seed, options_of(seed));
    const System& system = c.system();
    const Eigen::VectorXd udot = c.accelerations();
    const Moving moving(c, udot);
    Reactions reactions(*c.mechanism);
    find_reactions(*c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), c.forces, reactions);
    const std::vector<Pose> X = body_poses(system, c.state.q);

    std::vector<Vector3> force(system.bodies.size(), Vector3::Zero()), torque = force;  // about the com
    const auto com = [&](std::size_t i) { return Vector3(X[i] * system.bodies[i].mass_properties.com); };
    const auto act = [&](std::size_t i, const Vector3& f, const Vector3& t, const Vector3& at) {
      force[i] += f;
      torque[i] += t + (at - com(i)).cross(f);
    };
    double scale = 1;
    for (std::size_t i = 1; i < system.bodies.size(); ++i) {
      const Joint& joint = system.joints[i];
      const std::size_t child = joint.reversed ? system.parent[i] : i, parent = joint.reversed ? i : system.parent[i];
      const Vector3 at = X[child] * joint.child_point;
      const Vector3 f = X[child].R * reactions.joints[i].force, t = X[child].R * reactions.joints[i].torque;
      if (child != 0) act(child, f, t, at);
      if (parent != 0) act(parent, -f, -t, at);
      act(i, to_eigen(c.forces.wrench[i].force), to_eigen(c.forces.wrench[i].torque), X[i] * base_point(joint));
      scale = std::max({scale, f.norm(), t.norm()});
    }
    for (std::uint32_t i = 1; i < system.bodies.size(); ++i) {
      // This body's momentum alone, from the whole machinery restricted to one link.
      const Link& link = c.mechanism->links[i];
      const BodyMotion<D>& body = moving.kinematics.bodies[i];
      const Moments<D> m = moments(link, body.R_NM);
      const Vec3<D>& v = moving.points[i].v;
      const Vec3<D> linear = D(link.mass) * v + cross(body.w, m.mc);
      Vec3<D> h = (m.E.xx + m.E.yy + m.E.zz) * body.w - m.E * body.w + cross(m.mc, v);
      for (std::uint32_t k = c.mechanism->wheel_of[i]; k < c.mechanism->wheel_of[i + 1]; ++k) {
        const WheelLink& wheel = c.mechanism->wheels[k];
        h += (D(wheel.inertia) * moving.u[wheel.u]) * (body.R_NM * cast<D>(wheel.axis));
      }
      const Vec3<D> about_com = link.mass == 0 ? h : h - D(1 / link.mass) * cross(m.mc, linear);
      ASSERT_LT((rate(linear) - force[i]).norm(), 1e-10 * scale) << "seed " << seed << " body " << i;
      if (link.mass > 0) {
        ASSERT_LT((rate(about_com) - torque[i]).norm(), 1e-9 * scale) << "seed " << seed << " body " << i;
      }
    }
  }
}

}  // namespace
}  // namespace gyrostat::testing
