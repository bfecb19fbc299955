// The nested-body equations against the laws of motion, taken from the joints' geometry as the model has it: momenta of
// every body, differentiated numerically along the motion.
#include "gyrostat/dynamics/nested_body.h"

#include <atomic>
#include <cstdlib>
#include <set>

#include "support/assemble.h"
#include "support/load.h"
#include "support/random_dynamics.h"
#include "support/reference.h"

namespace gyrostat {
namespace {

using testing::assemble;
using testing::joint;
using testing::Random;
using testing::random_description;
using testing::revolute;
using testing::solid;

/// A body's motion, from body_poses and tree_subspace.
struct Moving {
  Vector3 w, v;  // v of the mass centre [rad/s, m/s]
};

std::vector<Moving> velocities(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  const std::vector<Pose> X_N = body_poses(system, q);
  std::vector<Vector3> w(X_N.size(), Vector3::Zero()), v = w;  // of the bodies' origins
  std::vector<Moving> moving(X_N.size());
  for (std::size_t i = 1; i < X_N.size(); ++i) {
    const Joint& j = system.joints[i];
    const std::size_t p = system.parent[i];
    const Vector6 V = tree_subspace(j, q.data() + j.q) * u.segment(j.u, j.nu);
    w[i] = w[p] + X_N[i].R * V.head<3>();
    v[i] = v[p] + w[p].cross(X_N[i].p - X_N[p].p) + X_N[i].R * V.tail<3>();
    moving[i] = {w[i], v[i] + w[i].cross(X_N[i].R * system.bodies[i].mass_properties.com)};
  }
  return moving;
}

/// For each body its linear momentum and its angular momentum about its mass centre, wheels included; then for each
/// wheel its momentum about its axis; the kinetic energy last.
Eigen::VectorXd momenta(const System& system, const State& state) {
  const auto n = static_cast<Eigen::Index>(system.bodies.size()),
             wheels = static_cast<Eigen::Index>(system.wheels.size());
  Eigen::VectorXd m = Eigen::VectorXd::Zero(6 * n + wheels + 1);
  const std::vector<Pose> X_N = body_poses(system, state.q);
  const std::vector<Moving> moving = velocities(system, state.q, state.u);
  double& energy = m[6 * n + wheels];
  for (Eigen::Index i = 1; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const MassProperties body = in_frame(X_N[k], system.bodies[k].mass_properties);
    m.segment<3>(6 * i) = body.mass * moving[k].v;
    m.segment<3>(6 * i + 3) = body.inertia * moving[k].w;
    energy += (body.mass * moving[k].v.squaredNorm() + moving[k].w.dot(body.inertia * moving[k].w)) / 2;
  }
  for (Eigen::Index k = 0; k < wheels; ++k) {
    const Wheel& wheel = system.wheels[static_cast<std::size_t>(k)];
    const Vector3 axis = X_N[wheel.body].R * wheel.axis;
    const double relative = state.u[wheel.u], about = axis.dot(moving[wheel.body].w);
    m.segment<3>(6 * wheel.body + 3) += wheel.inertia * relative * axis;
    m[6 * n + k] = wheel.inertia * (about + relative);
    energy += wheel.inertia * (relative * relative / 2 + relative * about);
  }
  return m;
}

/// The coordinates a little later, on a curve that leaves q with speeds u.
Eigen::VectorXd later(const System& system, const State& state, double h) {
  Eigen::VectorXd moved = state.q;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& j = system.joints[i];
    if (!has_quaternion(j.type)) {
      moved.segment(j.q, j.nu) += h * state.u.segment(j.u, j.nu);
      continue;
    }
    if (j.type == JointType::free) moved.segment<3>(j.q) += h * state.u.segment<3>(j.u + 3);
    Eigen::Ref<Eigen::Vector4d> q = moved.segment<4>(j.q + j.nq - 4);
    const Vector3 turn = h * state.u.segment<3>(j.u) / 2;
    q = testing::quaternion_product(q, {1, turn.x(), turn.y(), turn.z()}).normalized();
  }
  return moved;
}

/// Time derivative of the momenta. They are at most quadratic in the speeds, where a central difference is exact; in
/// the coordinates it is one of fourth order.
Eigen::VectorXd momentum_rates(const System& system, const State& state, const Eigen::VectorXd& udot) {
  const double h = 3e-4, s = 1 / (1 + udot.norm());
  const auto at = [&](double t) { return momenta(system, {later(system, state, t), state.u}); };
  const auto faster = [&](double t) { return momenta(system, {state.q, state.u + t * udot}); };
  const Eigen::VectorXd by_q = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  return by_q + (faster(s) - faster(-s)) / (2 * s);
}

/// A body's torque about its mass centre.
Vector3 torque_about_com(const System& system, const std::vector<Pose>& X_N, const Forces<double>& forces,
                         std::size_t i) {
  const Vector3 alpha = X_N[i].R * (system.bodies[i].mass_properties.com - base_point(system.joints[i]));
  return to_eigen(forces.wrench[i].torque) - alpha.cross(to_eigen(forces.wrench[i].force));
}

struct Case {
  System system;
  DynamicsSettings settings;
  Forces<double> forces;
  Eigen::VectorXd udot;

  explicit Case(System s) : system(std::move(s)), settings(system), forces(system), udot(system.initial.u) {}

  void push(std::uint64_t seed) {
    Random random(seed + 1000);
    for (double& tau : forces.tau) tau = random.uniform(-5, 5);
    for (double& given : forces.udot) given = random.uniform(-5, 5);
    testing::hold_locked(system, forces);
    for (std::size_t i = 1; i < system.bodies.size(); ++i)
      forces.wrench[i] = {cast<double>(random.vector(5)), cast<double>(random.vector(5))};
  }
  void solve() {
    const NestedBody constants(system, settings);
    NestedBodyData workspace(constants);
    forces.free = Forces<double>(system).free;
    udot.setConstant(std::nan(""));
    accelerations(constants, system.initial.q.data(), system.initial.u.data(), forces, workspace, udot.data());
  }
};

Case pushed(Description description, std::uint64_t seed) {
  Case c(std::move(load_description(std::move(description)).model->system));
  c.push(seed);
  return c;
}

Case random_case(std::uint64_t seed, const testing::RandomModelOptions& options = {}) {
  return pushed(random_description(seed, options), seed);
}

template <class Check>
void for_seeds(std::uint64_t count, Check check) {
  for (std::uint64_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    check(seed);
  }
}

/// For each speed that is not given: the force conjugate to it less the momentum rates in its direction, which vanishes
/// where the laws of motion hold (Jourdain's principle); relative to the largest term.
void expect_laws_of_motion(const Case& c) {
  const System& system = c.system;
  const State& state = system.initial;
  const Eigen::VectorXd rate = momentum_rates(system, state, c.udot);
  const std::vector<Pose> X_N = body_poses(system, state.q);
  const std::vector<Moving> moving = velocities(system, state.q, state.u);
  const std::vector<StateEntry> entries = speed_entries(system);
  std::vector<Vector3> force(system.bodies.size()), torque = force;
  const Eigen::VectorXd now = momenta(system, state);
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    force[i] = to_eigen(c.forces.wrench[i].force) - rate.segment<3>(at);
    torque[i] = torque_about_com(system, X_N, c.forces, i) - rate.segment<3>(at + 3);
    if (!c.settings.gyroscopic[i]) torque[i] += moving[i].w.cross(now.segment<3>(at + 3));
  }
  for (std::size_t m = 0; m < entries.size(); ++m) {
    const auto k = static_cast<Eigen::Index>(m);
    if (entries[m].motion != Motion::free) {
      EXPECT_EQ(c.udot[k], entries[m].motion == Motion::locked ? 0 : c.forces.udot[m]) << entries[m].name;
      continue;
    }
    const std::vector<Moving> unit = velocities(system, state.q, Eigen::VectorXd::Unit(state.u.size(), k));
    double residual = c.forces.tau[m], scale = 1 + std::abs(residual);
    for (std::size_t i = 1; i < system.bodies.size(); ++i) {
      residual += unit[i].v.dot(force[i]) + unit[i].w.dot(torque[i]);
      scale += unit[i].v.norm() * force[i].norm() + unit[i].w.norm() * torque[i].norm();
    }
    const Eigen::Index first = state.u.size() - static_cast<Eigen::Index>(system.wheels.size());
    if (k >= first) residual -= rate[static_cast<Eigen::Index>(6 * system.bodies.size()) + k - first];
    EXPECT_LT(std::abs(residual), 2e-10 * scale) << entries[m].name;
  }
}

TEST(NestedBody, FulfilsTheLawsOfMotionOfRandomSystems) {
  std::set<std::pair<JointType, bool>> types;
  for_seeds(500, [&](std::uint64_t seed) {
    Case c = random_case(seed);
    for (const Joint& j : c.system.joints) {
      if (j.motion == Motion::free && !j.name.empty()) types.emplace(j.type, j.reversed);
    }
    c.solve();
    expect_laws_of_motion(c);
  });
  EXPECT_EQ(types.size(), 22U) << "every type of joint, in both directions";
}

TEST(NestedBody, LeavesOutTheGyroscopicTorqueOfTheBodiesNamed) {
  for_seeds(200, [&](std::uint64_t seed) {
    Case c = random_case(seed, {.most_bodies = 10, .wheels = 0.7});
    Random random(seed);
    for (std::size_t i = 1; i < c.system.bodies.size(); ++i) c.settings.gyroscopic[i] = random.chance(0.5);
    c.solve();
    expect_laws_of_motion(c);
  });
}

/// Free-flying: what is between the bodies does not change the momentum of the whole.
TEST(NestedBody, ChangesMomentumAsExternalForcesSay) {
  for_seeds(200, [&](std::uint64_t seed) {
    Case c = random_case(seed, {.implicit_base = 1});
    const Joint& base = c.system.joints[1];
    ASSERT_EQ(base.type, JointType::free);
    for (std::uint32_t i = 0; i < 6; ++i) c.forces.tau[base.u + i] = 0;
    c.solve();
    const Eigen::VectorXd rate = momentum_rates(c.system, c.system.initial, c.udot);
    const std::vector<Pose> X_N = body_poses(c.system, c.system.initial.q);
    const Vector3 com = total_mass_properties(c.system, c.system.initial.q).com;
    Vector3 force = Vector3::Zero(), torque = force, p_dot = force, h_dot = force;
    double scale = 1;
    for (std::size_t i = 1; i < X_N.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(6 * i);
      const Vector3 f = to_eigen(c.forces.wrench[i].force);
      const Vector3 arm = X_N[i] * c.system.bodies[i].mass_properties.com - com;
      force += f;
      torque += torque_about_com(c.system, X_N, c.forces, i) + arm.cross(f);
      p_dot += rate.segment<3>(at);
      h_dot += rate.segment<3>(at + 3) + arm.cross(Vector3(rate.segment<3>(at)));
      scale += rate.segment<6>(at).norm() * (1 + arm.norm());
    }
    EXPECT_LT((force - p_dot).norm(), 2e-10 * scale);
    EXPECT_LT((torque - h_dot).norm(), 2e-10 * scale);
  });
}

Case driven_by_loads_alone(std::uint64_t seed) {
  Description description = random_description(seed, {.prescribed = 0});
  for (BodyDescription& body : description.bodies) {
    for (WheelDescription& wheel : body.wheels) wheel.speed = {};
  }
  return pushed(std::move(description), seed);
}

void expect_power_balance(const Case& c) {
  const State& state = c.system.initial;
  const Eigen::VectorXd rate = momentum_rates(c.system, state, c.udot);
  const std::vector<Moving> moving = velocities(c.system, state.q, state.u);
  const std::vector<Pose> X_N = body_poses(c.system, state.q);
  double power = 0, scale = 1 + rate.norm();
  const std::vector<StateEntry> entries = speed_entries(c.system);
  for (std::size_t m = 0; m < entries.size(); ++m) {
    if (entries[m].motion == Motion::free) power += c.forces.tau[m] * state.u[static_cast<Eigen::Index>(m)];
  }
  for (std::size_t i = 1; i < X_N.size(); ++i) {
    const double of_body = moving[i].v.dot(to_eigen(c.forces.wrench[i].force)) +
                           moving[i].w.dot(torque_about_com(c.system, X_N, c.forces, i));
    power += of_body;
    scale += std::abs(of_body);
  }
  EXPECT_LT(std::abs(rate[rate.size() - 1] - power), 2e-10 * scale);
}

/// A torque w x anything does no work, so that the balance holds without those torques too.
TEST(NestedBody, ChangesKineticEnergyByThePowerOfTheLoads) {
  for_seeds(200, [&](std::uint64_t seed) {
    Case c = driven_by_loads_alone(seed);
    for (const bool gyroscopic : {true, false}) {
      c.settings.gyroscopic.assign(c.system.bodies.size(), gyroscopic);
      c.solve();
      expect_power_balance(c);
    }
  });
}

/// A free body with principal moments 2, 3, 4 kg m^2 and angular velocity (1, 2, 3) rad/s; a wheel of 0.5 kg m^2 on z.
Case spinning_body(double wheel_rate, bool prescribed = false) {
  Description description;
  description.bodies = {solid("bus")};
  description.bodies[0].inertia = Vector3(2, 3, 4).asDiagonal();
  WheelDescription wheel;
  wheel.name = "wheel";
  wheel.inertia = 0.5;
  wheel.rate = wheel_rate;
  if (prescribed) wheel.speed = expression::constant(wheel_rate);
  description.bodies[0].wheels = {wheel};
  description.joints = {joint("base", JointType::free, "world", "bus")};
  description.joints[0].speed = {1, 2, 3, 0, 0, 0};
  return Case(assemble(description).system);
}

TEST(NestedBody, TurnsAFreeBodyAsEulerSays) {
  Case c = spinning_body(0, true);
  c.solve();
  // 2 x' = (3 - 4) 2 3, 3 y' = (4 - 2) 3 1, 4 z' = (2 - 3) 1 2
  EXPECT_LT((c.udot.head<3>() - Vector3(-3, 2, -0.5)).norm(), 1e-14);
  c.settings.gyroscopic[1] = false;
  c.solve();
  EXPECT_EQ(c.udot.norm(), 0) << "its angular velocity stays constant in its own axes";
}

TEST(NestedBody, TurnsAGyrostat) {
  Case c = spinning_body(10);
  c.forces.tau[6] = 0.7;  // motor on the wheel
  c.solve();
  // The wheel adds w x (0, 0, 5) = (10, -5, 0). About z the bus without the wheel has 3.5 kg m^2 and gets
  // -0.7 + (2 - 3) 1 2 = -2.7 N m; the wheel's acceleration relative to it is 0.7 / 0.5 less that of the bus.
  const double z = -2.7 / 3.5;
  EXPECT_LT((c.udot.head<3>() - Vector3(-3 - 10 / 2., 2 + 5 / 3., z)).norm(), 1e-14);
  EXPECT_NEAR(c.udot[6], 1.4 - z, 1e-14);
  c.settings.gyroscopic[1] = false;
  c.solve();
  EXPECT_LT((c.udot.head<3>() - Vector3(0, 0, -0.7 / 3.5)).norm(), 1e-14);
}

TEST(NestedBody, DrivesAWheelWhoseSpeedIsPrescribed) {
  Case c = spinning_body(10, true);
  c.forces.udot[6] = 4;
  c.forces.tau[6] = 1e3;  // has no say
  c.solve();
  EXPECT_LT((c.udot.head<3>() - Vector3(-3 - 10 / 2., 2 + 5 / 3., -0.5 - 0.5 * 4 / 4)).norm(), 1e-14);
  EXPECT_EQ(c.udot[6], 4);
}

TEST(NestedBody, SlidesAPointMassOnATurningBody) {
  Description description;
  description.bodies = {solid("table"), testing::point_mass("bead")};
  description.joints = {revolute("turn", "world", "table"), joint("slot", JointType::prismatic, "table", "bead")};
  description.joints[0].speed = {2};
  description.joints[1].translations = {Vector3::UnitX()};
  description.joints[1].position = {3}, description.joints[1].speed = {5};
  Case c(assemble(description).system);
  c.solve();
  EXPECT_NEAR(c.udot[1], 3 * 2 * 2, 1e-13);                      // r w^2
  EXPECT_NEAR(c.udot[0], -2. * 3 * 5 * 2 / (1 + 3 * 3), 1e-13);  // d/dt (1 + r^2) w = 0
}

TEST(NestedBody, IsAsExactFarFromTheOriginAsNearIt) {
  Case c = random_case(7, {.least_bodies = 10, .reversed = 0, .implicit_base = 1});
  c.solve();
  const Eigen::VectorXd near = c.udot;
  c.system.initial.q[c.system.joints[1].q] += 1e9;
  c.solve();
  EXPECT_EQ(c.udot, near);
}

TEST(NestedBody, RemembersNothingOfOtherInstants) {
  for_seeds(50, [](std::uint64_t seed) {
    Case c = random_case(seed);
    c.solve();
    const NestedBody constants(c.system, c.settings);
    NestedBodyData workspace(constants);
    Eigen::VectorXd udot(c.udot.size());
    const Forces<double> forces = c.forces;
    c.push(seed + 1);
    const Eigen::VectorXd &q = c.system.initial.q, &u = c.system.initial.u, faster = 2 * u;
    accelerations(constants, q.data(), faster.data(), c.forces, workspace, udot.data());
    accelerations(constants, q.data(), u.data(), forces, workspace, udot.data());
    EXPECT_EQ(udot, c.udot);
  });
}

TEST(NestedBody, KnowsASystemThatCannotMove) {
  Case c = spinning_body(10, true);
  c.system.joints[1].motion = Motion::locked;
  c.solve();
  EXPECT_EQ(c.udot.norm(), 0);
}

TEST(NestedBody, TakesTreesOnly) {
  const auto said_of = [](const System& system) {
    return outside_domain_of_nested_body(system, DynamicsSettings(system));
  };
  EXPECT_EQ(said_of(random_case(3).system), "");
  Description description;
  description.bodies = {solid("a"), solid("b")};
  description.joints = {revolute("left", "world", "a"), revolute("right", "world", "b"), revolute("rod", "a", "b")};
  description.joints[2].cut = true;
  EXPECT_EQ(said_of(assemble(description).system), "joint 'rod' closes a loop, and nested_body takes trees only");
}

}  // namespace
}  // namespace gyrostat
