// Two descriptions of one mechanism at one instant: forces of the first taken over to the second, motions compared.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "gyrostat/dynamics/composite_body.h"

#include "support/motion.h"
#include "support/random_dynamics.h"
#include "support/scene.h"

namespace gyrostat::testing {

/// Forces of every kind, and for a base that was not described, a state: it begins at rest in the world's frame.
inline void randomise(Scene& s, Random& random) {
  s.forces = random_forces(s.system(), random);
  for (const Joint& joint : s.system().joints) {
    if (joint.name != "base") continue;
    s.state.q.segment<3>(joint.q) = random.vector();
    s.state.q.segment<4>(joint.q + 3) = random.quaternion();
    for (std::uint32_t k = 0; k < 6; ++k) s.state.u[joint.u + k] = random.uniform(-1, 1);
  }
}

inline bool has_body(const Scene& s, const std::string& name) {
  return std::any_of(s.system().bodies.begin(), s.system().bodies.end(), [&](const Body& b) { return b.name == name; });
}
inline bool has_joint(const Scene& s, const std::string& name) {
  return std::any_of(s.system().joints.begin() + 1, s.system().joints.end(),
                     [&](const Joint& j) { return j.name == name; });
}

/// Calls `act(of a, of b)` for every joint that has a namesake with as many coordinates.
template <class Act>
void for_namesakes(const Scene& a, const Scene& b, Act act) {
  for (std::size_t i = 1; i < a.system().joints.size(); ++i) {
    const Joint& joint = a.system().joints[i];
    if (has_joint(b, joint.name) && b.joint(joint.name).nq == joint.nq) act(joint, b.joint(joint.name));
  }
}

template <class Act>
void for_wheels(const Scene& a, const Scene& b, Act act) {
  for (const Wheel& x : a.system().wheels) {
    for (const Wheel& y : b.system().wheels) {
      if (x.name == y.name && a.system().bodies[x.body].name == b.system().bodies[y.body].name) act(x, y);
    }
  }
}

/// Coordinates, speeds and forces of joints and wheels that have the same name in both.
inline void copy_by_name(const Scene& from, Scene& to) {
  for_namesakes(from, to, [&](const Joint& x, const Joint& y) {
    to.state.q.segment(y.q, y.nq) = from.state.q.segment(x.q, x.nq);
    to.state.u.segment(y.u, y.nu) = from.state.u.segment(x.u, x.nu);
    for (std::uint32_t k = 0; k < x.nu; ++k) {
      to.forces.tau[y.u + k] = from.forces.tau[x.u + k];
      to.forces.udot[y.u + k] = from.forces.udot[x.u + k];
    }
  });
  for_wheels(from, to, [&](const Wheel& x, const Wheel& y) {
    to.state.q[y.q] = from.state.q[x.q];
    to.state.u[y.u] = from.state.u[x.u];
    to.forces.tau[y.u] = from.forces.tau[x.u];
    to.forces.udot[y.u] = from.forces.udot[x.u];
  });
}

/// Wrenches act at the same places of the world. The state of `to` must be what it shall be.
inline void copy_wrenches(const Scene& from, Scene& to) {
  const std::vector<Pose> X = body_poses(from.system(), from.state.q);
  for (std::uint32_t i = 1; i < X.size(); ++i) {
    const Wrench<double>& wrench = from.forces.wrench[i];
    to.act(to.body(from.system().bodies[i].name), to_eigen(wrench.force), to_eigen(wrench.torque),
           X[i] * base_point(from.system().joints[i]));
  }
}

/// How much the equations of motion may magnify rounding.
inline double pivot_ratio(const Scene& s) {
  CompositeBodyData workspace(s.mechanism);
  Eigen::VectorXd udot(s.state.u.size());
  accelerations(s.mechanism, s.kinematics(), s.state.u.data(), s.forces, workspace, udot.data());
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t k = 0; k < workspace.factors.size; ++k) {
    least = std::min(least, workspace.factors.row(k)[k]);
    most = std::max(most, workspace.factors.row(k)[k]);
  }
  return workspace.factors.size == 0 ? 1 : most / least;
}

/// Where the bodies of an instant are, how they turn and accelerate.
struct Moved {
  const Scene& s;
  Eigen::VectorXd udot;
  Kinematics<double> kinematics;
  std::vector<Pose> X;

  explicit Moved(const Scene& scene)
      : s(scene), udot(s.accelerations()), kinematics(s.motion(udot)), X(body_poses(s.system(), s.state.q)) {}

  [[nodiscard]] Vector3 w(std::uint32_t i) const { return to_eigen(kinematics.bodies[i].w); }
  [[nodiscard]] Vector3 alpha(std::uint32_t i) const { return to_eigen(kinematics.bodies[i].alpha); }
  /// Acceleration of the point of body i that is at a place of the world.
  [[nodiscard]] Vector3 a(std::uint32_t i, const Vector3& at) const {
    const BodyMotion<double>& body = kinematics.bodies[i];
    return to_eigen(body.a) + to_eigen(body.W) * (at - X[i] * base_point(s.system().joints[i]));
  }
};

/// Limit for differences of accelerations: relative to the largest of them.
inline double limit_for(const Moved& m) {
  const double largest = m.udot.size() == 0 ? 0 : m.udot.cwiseAbs().maxCoeff();
  return std::max(1e-9, 1e-14 * pivot_ratio(m.s)) * (1 + largest);
}

/// Every body that both have is in the same place but for its frame, turns and accelerates in the same way, and so do
/// the wheels.
inline void expect_same_motion(const Moved& a, const Moved& b) {
  const double limit = limit_for(a);
  for (std::uint32_t i = 1; i < a.X.size(); ++i) {
    const Body& body = a.s.system().bodies[i];
    if (!has_body(b.s, body.name)) continue;
    const std::uint32_t j = b.s.body(body.name);
    const Vector3 com = a.X[i] * body.mass_properties.com;
    EXPECT_LT((a.w(i) - b.w(j)).norm(), 1e-11) << body.name;
    EXPECT_LT((a.alpha(i) - b.alpha(j)).norm(), limit) << body.name;
    EXPECT_LT((a.a(i, com) - b.a(j, com)).norm(), limit) << body.name;
  }
  for_wheels(a.s, b.s, [&](const Wheel& x, const Wheel& y) { EXPECT_NEAR(a.udot[x.u], b.udot[y.u], limit); });
}

/// The derivatives of speeds of joints with the same name are the same.
inline void expect_same_udot(const Moved& a, const Moved& b) {
  const double limit = limit_for(a);
  for_namesakes(a.s, b.s, [&](const Joint& x, const Joint& y) {
    for (std::uint32_t k = 0; k < x.nu; ++k) EXPECT_NEAR(a.udot[x.u + k], b.udot[y.u + k], limit) << x.name;
  });
}

/// Calls `check(seed, random)` until something fails.
template <class Check>
void for_seeds(std::uint64_t count, Check check) {
  for (std::uint64_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed ^ 0x5a3e);
    check(seed, random);
  }
}

inline RandomModelOptions small_models() {
  RandomModelOptions options;
  options.most_bodies = 10;
  return options;
}

}  // namespace gyrostat::testing
