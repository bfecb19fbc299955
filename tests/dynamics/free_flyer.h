// Random free-flying trees of rotational joints, what acts on them, and the laws they must obey: for the formulations
// that take such trees only.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "gyrostat/dynamics/augmented_body.h"
#include "gyrostat/dynamics/linear_partial.h"
#include "gyrostat/dynamics/linear_total_fixed.h"

#include "support/assemble.h"
#include "support/random_dynamics.h"

namespace gyrostat::testing {

struct FreeFlyerOptions {
  std::size_t least_bodies = 1, most_bodies = 12;
  double locked = 0.1, prescribed = 0.15, reversed = 0.4, massless = 0.2, point_mass = 0.15;
};

/// A joint of any type that only turns, or a weld. A weld where no rotation is allowed.
inline JointDescription random_rotation(Random& random, std::size_t rotations, bool for_point_mass) {
  RandomModel model(random.index(1U << 30U), {});
  return model.joint({.translations = 0, .rotations = rotations}, for_point_mass);
}

inline void set_motion(JointDescription& j, Random& random, const FreeFlyerOptions& options) {
  if (random.chance(options.reversed)) std::swap(j.parent, j.child);
  if (random.chance(options.locked)) {
    j.locked = true;
    j.speed.assign(j.speed.size(), 0);
  } else if (!j.speed.empty() && random.chance(options.prescribed)) {
    j.prescribed.kind = Prescribed::Kind::acceleration;
    j.prescribed.motion.assign(j.speed.size(), expression::constant(0.1));
  }
}

inline BodyDescription random_body(Random& random, std::string name) {
  BodyDescription b;
  b.name = std::move(name);
  b.mass = random.uniform(0.5, 5);
  b.com = random.vector();
  const Vector3 part = random.vector_between(0.2, 1);
  const Matrix3 R = random.rotation();
  b.inertia = R * Matrix3((part.sum() * Vector3::Ones() - part).asDiagonal()) * R.transpose();
  return b;
}

inline Description description_of(std::vector<BodyDescription> bodies, std::vector<JointDescription> joints = {}) {
  Description d;
  d.bodies = std::move(bodies);
  d.joints = std::move(joints);
  return d;
}

/// A massless body has one outboard neighbour, which has inertia; together they turn about three axes at most.
inline Assembled random_free_flyer(std::uint64_t seed, const FreeFlyerOptions& options = {}) {
  Random random(seed);
  Description d;
  const std::size_t count = random.between(options.least_bodies, options.most_bodies);
  JointDescription base = joint("base", JointType::free, "world", "b0");
  const Eigen::Vector4d attitude = random.quaternion();
  base.position = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  base.position.insert(base.position.end(), attitude.begin(), attitude.end());
  for (double& speed : base.speed) speed = random.uniform(-1, 1);
  base.parent_point = random.vector();
  base.child_point = random.vector();
  if (random.chance(options.reversed)) std::swap(base.parent, base.child);
  d.joints.push_back(base);
  d.bodies.push_back(random_body(random, "b0"));
  std::size_t left = 0;  // axes that the neighbour of a massless body may have; 0: there is none
  std::string inner;
  for (std::size_t i = 1; i < count; ++i) {
    BodyDescription b = random_body(random, "b" + std::to_string(i));
    const bool supports = left > 0;
    const bool massless = !supports && i + 1 < count && random.chance(options.massless);
    b.point_mass = !supports && !massless && random.chance(options.point_mass);
    if (massless || b.point_mass) b.inertia.setZero();
    if (massless) b.mass = 0;
    JointDescription j = random_rotation(random, supports ? left : massless ? 2 : 3, b.point_mass);
    j.name = "j" + std::to_string(i);
    j.child = b.name;
    j.parent = supports ? inner : d.bodies[random.index(d.bodies.size())].name;
    left = massless ? 3 - j.rotations.size() : 0;
    inner = b.name;
    set_motion(j, random, options);
    d.joints.push_back(std::move(j));
    d.bodies.push_back(std::move(b));
  }
  return assemble(std::move(d));
}

/// Another formulation's answer.
inline Eigen::VectorXd reference_accelerations(const System& system, const DynamicsSettings& settings,
                                               const State& state, const Forces<double>& forces) {
  const Mechanism mechanism(system, settings);
  Kinematics<double> kinematics(mechanism);
  ArticulatedBodyData<double> workspace(mechanism);
  Eigen::VectorXd udot(state.u.size());
  update(mechanism, state.q.data(), state.u.data(), kinematics);
  accelerations(mechanism, kinematics, state.u.data(), forces, workspace, udot.data());
  return udot;
}

// clang-format off
inline AugmentedBodyData data_of(const AugmentedBody& constants) { return AugmentedBodyData(constants); }
inline LinearTotalData data_of(const LinearTotal& constants) { return LinearTotalData(constants); }
inline LinearTotalFixedData data_of(const LinearTotalFixed& constants) { return LinearTotalFixedData(constants); }
inline LinearPartialData data_of(const LinearPartial& constants) { return LinearPartialData(constants); }
// clang-format on

/// Every entry is filled in, whatever was there.
template <class Formulation>
Eigen::VectorXd accelerations_by(const System& system, const DynamicsSettings& settings, const State& state,
                                 const Forces<double>& forces) {
  const Formulation constants(system, settings);
  auto workspace = data_of(constants);
  Eigen::VectorXd udot = Eigen::VectorXd::Constant(state.u.size(), std::numeric_limits<double>::quiet_NaN());
  accelerations(constants, state.q.data(), state.u.data(), forces, workspace, udot.data());
  return udot;
}

/// The largest difference as a fraction of the largest number.
inline double difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

/// Coordinates after a time h at speeds u.
inline Eigen::VectorXd after(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& u, double h) {
  Eigen::VectorXd next = q;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    const auto at = static_cast<Eigen::Index>(joint.q), speed = static_cast<Eigen::Index>(joint.u);
    if (!has_quaternion(joint.type)) {
      next.segment(at, joint.nu) += h * u.segment(speed, joint.nu);
      continue;
    }
    const Eigen::Index turn = at + (joint.type == JointType::free ? 3 : 0);
    if (joint.type == JointType::free) next.segment<3>(at) += h * u.segment<3>(speed + 3);
    const Vector3 w = u.segment<3>(speed);
    const double angle = h * w.norm();
    if (angle == 0) continue;
    const Eigen::Quaterniond step(Eigen::AngleAxisd(angle, w.normalized()));
    const Eigen::Quaterniond now = Eigen::Quaterniond(q[turn], q[turn + 1], q[turn + 2], q[turn + 3]) * step;
    next.segment<4>(turn) << now.w(), now.x(), now.y(), now.z();
  }
  return next;
}

/// Twists [w; v of the origin] of all bodies in their own axes, from the joints' motion subspaces.
inline std::vector<Vector6> body_twists(const System& system, const State& state) {
  std::vector<Vector6> V(system.bodies.size(), Vector6::Zero());
  for (std::size_t i = 1; i < V.size(); ++i) {
    const Joint& joint = system.joints[i];
    const double* q = state.q.data() + joint.q;
    V[i] = twist_transform(tree_pose(joint, q)) * V[system.parent[i]] +
           tree_subspace(joint, q) * state.u.segment(static_cast<Eigen::Index>(joint.u), joint.nu);
  }
  return V;
}

/// A state `size` away from `about` in all joints but the base's, with speeds of that size; forces of that size.
struct SmallCase {
  State state;
  Forces<double> forces;

  SmallCase(const System& system, const Eigen::VectorXd& about, double size, std::uint64_t seed)
      : state{about, Eigen::VectorXd::Zero(system.initial.u.size())}, forces(system) {
    Random random(seed);
    Eigen::VectorXd shift = Eigen::VectorXd::Zero(state.u.size());
    for (Eigen::Index k = 6; k < shift.size(); ++k) shift[k] = random.uniform(-1, 1);
    state.q = after(system, about, shift, size);
    state.q.segment<4>(3) = random.quaternion();  // the base may have any attitude
    for (double& u : state.u) u = size * random.uniform(-1, 1);
    for (const Joint& joint : system.joints) {
      if (joint.motion == Motion::locked) state.u.segment(static_cast<Eigen::Index>(joint.u), joint.nu).setZero();
    }
    forces = random_forces(system, random, size);
  }
};

/// Calls `check(system, forces, random)` for many free flyers.
template <class Check>
void for_random_free_flyers(const FreeFlyerOptions& options, std::uint64_t count, Check check) {
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Assembled a = random_free_flyer(seed, options);
    ASSERT_EQ(text_of(a.problems), "");
    Random random(seed + 1000);
    const Forces<double> forces = random_forces(a.system, random, 1);
    check(a.system, forces, random);
    if (::testing::Test::HasFailure()) return;
  }
}

struct Quantities {
  Vector3 momentum = Vector3::Zero(), angular = Vector3::Zero();  // angular momentum about the world's origin
  double energy = 0;
};

inline Quantities quantities(const System& system, const State& state) {
  Quantities total;
  const std::vector<Pose> X_N = body_poses(system, state.q);
  const std::vector<Vector6> V = body_twists(system, state);
  for (std::size_t i = 1; i < X_N.size(); ++i) {
    const MassProperties& body = system.bodies[i].mass_properties;
    const Vector3 w = V[i].head<3>(), v = Vector3(V[i].tail<3>()) + w.cross(body.com);
    const Vector3 p = body.mass * (X_N[i].R * v), h = X_N[i].R * (body.inertia * w);
    total.momentum += p;
    total.angular += h + (X_N[i] * body.com).cross(p);
    total.energy += (body.mass * v.squaredNorm() + w.dot(body.inertia * w)) / 2;
  }
  return total;
}

/// Rates of momentum and energy in the motion with accelerations udot are those of the forces.
inline void expect_laws(const System& system, const State& state, const Forces<double>& forces,
                        const Eigen::VectorXd& udot, bool with_power) {
  const double h = 1e-5;
  const Quantities before = quantities(system, {after(system, state.q, state.u, -h), state.u - h * udot});
  const Quantities later = quantities(system, {after(system, state.q, state.u, h), state.u + h * udot});
  const std::vector<Pose> X_N = body_poses(system, state.q);
  const std::vector<Vector6> V = body_twists(system, state);
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  double power = 0;
  const auto act = [&](std::size_t i, const Wrench<double>& wrench) {
    const Vector3& base = base_point(system.joints[i]);
    const Vector3 w = V[i].head<3>(), v = Vector3(V[i].tail<3>()) + w.cross(base);
    force += to_eigen(wrench.force);
    torque += to_eigen(wrench.torque) + (X_N[i] * base).cross(to_eigen(wrench.force));
    power += to_eigen(wrench.torque).dot(X_N[i].R * w) + to_eigen(wrench.force).dot(X_N[i].R * v);
  };
  for (std::size_t i = 1; i < X_N.size(); ++i) act(i, forces.wrench[i]);
  for (Eigen::Index k = 6; k < state.u.size(); ++k) power += forces.tau[static_cast<std::size_t>(k)] * state.u[k];
  // What the base joint's own forces are on the base: those that have their power.
  const Joint& base = system.joints[1];
  const Subspace S = tree_subspace(base, state.q.data());
  const Vector6 F = S.transpose().fullPivLu().solve(Eigen::Map<const Vector6>(forces.tau.data()));
  const Vector3 at_origin = X_N[1].R * F.tail<3>();
  const Vector3 lever = X_N[1].R * base_point(base);
  act(1, {cast<double>(Vector3(X_N[1].R * F.head<3>() - lever.cross(at_origin))), cast<double>(at_origin)});
  const double scale = 1 + udot.cwiseAbs().maxCoeff();
  EXPECT_LT((((later.momentum - before.momentum) / (2 * h)) - force).norm(), 1e-6 * scale);
  EXPECT_LT((((later.angular - before.angular) / (2 * h)) - torque).norm(), 1e-6 * scale);
  if (with_power) {
    EXPECT_NEAR((later.energy - before.energy) / (2 * h), power, 1e-6 * scale);
  }
}

}  // namespace gyrostat::testing
