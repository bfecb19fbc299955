// What forces do to energy and momentum, for random models: springs and gravity give back what they took, dampers only
// take, and what bodies do to each other moves nothing as a whole.
#include <gtest/gtest.h>

#include "support/at_start.h"
#include "support/motion.h"
#include "support/random_model.h"

namespace gyrostat::testing {
namespace {

PointReference random_end(const Description& d, Random& random) {
  PointReference end;
  const BodyDescription& body = d.bodies[random.index(d.bodies.size())];
  end.body = body.name;
  if (!body.points.empty() && random.chance(0.4)) {
    end.point = body.points[random.index(body.points.size())].name;
  } else if (random.chance(0.6)) {
    end.position = random.vector();
  }
  return end;
}

SpringLoad random_spring(const Description& d, Random& random, bool to_the_world) {
  SpringLoad spring;
  spring.from = random_end(d, random);
  if (to_the_world) {
    spring.to.body = "world";
    spring.to.position = random.vector(3);
    if (random.chance(0.5)) std::swap(spring.from, spring.to);
  } else {
    do {
      spring.to = random_end(d, random);
    } while (spring.to.body == spring.from.body);
  }
  spring.length = random.chance(0.3) ? 0 : random.uniform(0, 2);
  return spring;
}

const std::vector<std::string> tables = {"line", "curve"};

Coefficient random_coefficient(Random& random) {
  if (random.chance(0.4)) return {0, tables[random.index(tables.size())]};
  return {random.uniform(0.5, 10), ""};
}

struct Kinds {
  bool springs = false, dampers = false, gravity = false, world = true;
};

/// Random bodies and joints with random springs or dampers wherever the format has them.
Description with_loads(std::uint64_t seed, const Kinds& kinds) {
  RandomModelOptions options;
  options.most_bodies = 10;
  options.springs = 0;
  if (!kinds.world) options.implicit_base = 1;
  Description d = random_description(seed, options);
  Random random(seed ^ 0xf0ce);
  d.tables.push_back({"line", {-9, -1, 0.5, 9}, {5, 1, 4, 2}, Interpolation::linear, Outside::hold});
  d.tables.push_back({"curve", {-9, -3, 0.5, 3, 9}, {5, 3, 4, 2, 2}, Interpolation::cubic, Outside::hold});
  for (JointDescription& j : d.joints) {
    for (std::size_t k = 0; k < j.speed.size(); ++k) {
      if (kinds.springs && !has_quaternion(j.type)) j.stiffness.push_back(random_coefficient(random));
      if (kinds.springs && !has_quaternion(j.type)) j.rest.push_back(random.uniform(-1, 1));
      if (kinds.dampers) {
        j.damping.push_back(has_quaternion(j.type) ? Coefficient{random.uniform(0, 3), ""}
                                                   : random_coefficient(random));
      }
    }
  }
  for (BodyDescription& body : d.bodies) {
    for (WheelDescription& wheel : body.wheels) {
      if (!wheel.speed.empty()) continue;
      if (kinds.springs) wheel.stiffness = random.uniform(0, 5);
      if (kinds.dampers) wheel.damping = random.uniform(0, 5);
    }
  }
  for (int k = 0; k < 4; ++k) {
    const bool to_the_world = kinds.world && (d.bodies.size() == 1 || random.chance(0.4));
    if (d.bodies.size() == 1 && !to_the_world) break;
    SpringLoad spring = random_spring(d, random, to_the_world);
    if (kinds.springs) spring.stiffness = random_coefficient(random);
    if (kinds.dampers) spring.damping = random_coefficient(random);
    d.loads.emplace_back(spring);
  }
  if (kinds.gravity) d.environment.gravity = random.vector(10);
  return d;
}

/// What the forces do at speeds u, from the model's kinematics [W].
double power(const AtStart& at, const Eigen::VectorXd& u) {
  const std::vector<Velocity> V = velocities(at.system(), at.state.q, u);
  const std::vector<Pose> X = body_poses(at.system(), at.state.q);
  double sum = 0;
  for (Eigen::Index k = 0; k < u.size(); ++k) sum += at.forces.tau[static_cast<std::size_t>(k)] * u[k];
  for (std::size_t i = 1; i < V.size(); ++i) {
    const Vector3 base = X[i].R * base_point(at.system().joints[i]);
    sum += to_eigen(at.forces.wrench[i].force).dot(V[i].v + V[i].w.cross(base)) +
           to_eigen(at.forces.wrench[i].torque).dot(V[i].w);
  }
  return sum;
}

Eigen::VectorXd random_speeds(const AtStart& at, Random& random) {
  Eigen::VectorXd u(at.state.u.size());
  for (double& x : u) x = random.uniform(-1, 1);
  return u;
}

double potential_after(AtStart& at, const Eigen::VectorXd& u, double t) {
  const State before = at.state;
  at.state.q = coordinates_after(at.system(), before.q, u, t);
  at.update();
  const double potential = at.potential;
  at.state = before;
  at.update();
  return potential;
}

TEST(Work, SpringsAndGravityGiveBackWhatTheyTook) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    AtStart at(with_loads(seed, {.springs = true, .dampers = false, .gravity = true}));
    Random random(seed);
    for (int attempt = 0; attempt < 3; ++attempt) {
      const Eigen::VectorXd u = random_speeds(at, random);
      const double gained = rate_of([&](double t) { return potential_after(at, u, t); }, 1e-4);
      const double done = power(at, u);
      EXPECT_NEAR(done, -gained, 1e-6 * (1 + std::abs(gained) + std::abs(at.potential)));
    }
  }
}

TEST(Work, EachForceIsMinusTheSlopeOfThePotentialEnergyAlongItsSpeed) {
  for (std::uint64_t seed = 201; seed <= 230; ++seed) {
    SCOPED_TRACE(seed);
    AtStart at(with_loads(seed, {.springs = true, .dampers = false, .gravity = true}));
    for (Eigen::Index k = 0; k < at.state.u.size(); ++k) {
      const Eigen::VectorXd u = Eigen::VectorXd::Unit(at.state.u.size(), k);
      const double gained = rate_of([&](double t) { return potential_after(at, u, t); }, 1e-4);
      EXPECT_NEAR(power(at, u), -gained, 1e-6 * (1 + std::abs(gained) + std::abs(at.potential))) << "speed " << k;
    }
  }
}

TEST(Work, SpringsAndGravityDoNotSeeSpeeds) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    AtStart at(with_loads(seed, {.springs = true, .dampers = false, .gravity = true}));
    const Forces<double> before = at.forces;
    at.state.u.setConstant(0.5);
    at.update();
    EXPECT_EQ(at.forces.tau, before.tau) << seed;
    for (std::size_t i = 0; i < before.wrench.size(); ++i) {
      EXPECT_EQ(to_eigen(at.forces.wrench[i].force), to_eigen(before.wrench[i].force)) << seed;
      EXPECT_EQ(to_eigen(at.forces.wrench[i].torque), to_eigen(before.wrench[i].torque)) << seed;
    }
  }
}

TEST(Work, DampersOnlyTake) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    AtStart at(with_loads(seed, {.springs = false, .dampers = true}));
    Random random(seed);
    EXPECT_EQ(at.potential, 0);
    for (int attempt = 0; attempt < 3; ++attempt) {
      at.state.u = random_speeds(at, random);
      at.update();
      EXPECT_LE(power(at, at.state.u), 0);
      if (at.state.u.size() > 0 && at.loaded.model->description.loads.size() > 3) {
        EXPECT_LT(power(at, at.state.u), 0);
      }
    }
    at.state.u.setZero();
    at.update();
    for (const double tau : at.forces.tau) EXPECT_EQ(tau, 0);
    for (const Wrench<double>& wrench : at.forces.wrench) {
      EXPECT_TRUE(to_eigen(wrench.force).isZero(0));
      EXPECT_TRUE(to_eigen(wrench.torque).isZero(0));
    }
  }
}

TEST(Work, DampersTakeTwiceAsMuchTwiceAsFastTwice) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    AtStart at(with_loads(seed, {.springs = false, .dampers = true}));
    Random random(seed);
    at.state.u = random_speeds(at, random);
    at.update();
    const double once = power(at, at.state.u);
    at.state.u *= 2;
    at.update();
    EXPECT_NEAR(power(at, at.state.u), 4 * once, 1e-10 * (1 + std::abs(once))) << seed;
  }
}

TEST(Work, WhatBodiesDoToEachOtherMovesNothingAsAWhole) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const AtStart at(with_loads(seed, {.springs = true, .dampers = true, .gravity = false, .world = false}));
    const std::vector<Pose> X = body_poses(at.system(), at.state.q);
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
    double size = 1;
    for (std::size_t i = 1; i < X.size(); ++i) {
      const Vector3 f = to_eigen(at.forces.wrench[i].force), base = X[i] * base_point(at.system().joints[i]);
      force += f;
      torque += to_eigen(at.forces.wrench[i].torque) + base.cross(f);
      size += f.norm() * (1 + base.norm());
    }
    EXPECT_LT(force.norm(), 1e-12 * size);
    EXPECT_LT(torque.norm(), 1e-12 * size);
  }
}

TEST(Work, TheKineticEnergyGrowsByWhatForcesAndDrivesDo) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    AtStart at(with_loads(seed, {.springs = true, .dampers = true, .gravity = true}));
    if (at.state.u.size() == 0) continue;
    double done = power(at, at.state.u);
    for (Eigen::Index k = 0; k < at.state.u.size(); ++k) {
      done += at.reactions.driving[static_cast<std::size_t>(k)] * at.state.u[k];
    }
    const State now = at.state;
    const Eigen::VectorXd udot = at.udot;
    const double fastest = 1 + now.u.cwiseAbs().maxCoeff() + udot.cwiseAbs().maxCoeff();
    const auto kinetic_after = [&](double t) {
      at.state = {coordinates_after(at.system(), now.q, now.u, t), now.u + t * udot};
      at.update();
      return at.conserved.kinetic;
    };
    const double gained = rate_of(kinetic_after, 1e-3 / fastest), kinetic = kinetic_after(0);
    EXPECT_NEAR(gained, done, 1e-8 * fastest * (1 + kinetic));
  }
}

}  // namespace
}  // namespace gyrostat::testing
