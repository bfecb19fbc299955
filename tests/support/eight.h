// Several states, with forces, one in each lane.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "gyrostat/dynamics/kernels.h"

#include "support/random_dynamics.h"

namespace gyrostat::testing {

/// All that the equations of motion are given, of one scalar.
template <class T>
struct Given {
  std::vector<T> q, u, udot;  // udot is for inverse dynamics
  Forces<T> forces;

  explicit Given(const System& system)
      : q(static_cast<std::size_t>(system.initial.q.size())),
        u(static_cast<std::size_t>(system.initial.u.size())),
        udot(u.size()),
        forces(system) {}
};

/// Calls `act` with every number of `a` and the one in the same place of `b`.
template <class A, class B, class Act>
void for_pairs(A& a, B& b, Act act) {
  for (std::size_t k = 0; k < a.q.size(); ++k) act(a.q[k], b.q[k]);
  for (std::size_t k = 0; k < a.u.size(); ++k) {
    act(a.u[k], b.u[k]);
    act(a.udot[k], b.udot[k]);
    act(a.forces.tau[k], b.forces.tau[k]);
    act(a.forces.udot[k], b.forces.udot[k]);
  }
  for (std::size_t i = 0; i < a.forces.wrench.size(); ++i) {
    auto& x = a.forces.wrench[i];
    auto& y = b.forces.wrench[i];
    act(x.torque.x, y.torque.x), act(x.torque.y, y.torque.y), act(x.torque.z, y.torque.z);
    act(x.force.x, y.force.x), act(x.force.y, y.force.y), act(x.force.z, y.force.z);
  }
}

template <std::size_t N>
void put_in_lane(Given<Pack<N>>& all, std::size_t lane, const Given<double>& one) {
  for_pairs(all, one, [&](Pack<N>& x, double y) { x[lane] = y; });
  for (std::size_t k = 0; k < one.forces.free.size(); ++k) all.forces.free[k].set(lane, one.forces.free[k]);
}

/// A state not far from the initial one (gimbals stay away from lock), at any speeds and forces.
inline Given<double> random_given(const System& system, Random& random) {
  Given<double> x(system);
  for (std::size_t k = 0; k < x.q.size(); ++k) {
    x.q[k] = system.initial.q[static_cast<Eigen::Index>(k)] + random.uniform(-0.05, 0.05);
  }
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type)) continue;
    const Eigen::Vector4d attitude = random.quaternion();
    std::copy(attitude.begin(), attitude.end(), x.q.data() + joint.q + (joint.type == JointType::free ? 3 : 0));
  }
  for (const Wheel& wheel : system.wheels) x.q[wheel.q] = random.uniform(-1e3, 1e3);
  for (double& u : x.u) u = random.uniform(-2, 2);
  for (double& udot : x.udot) udot = random.uniform(-5, 5);
  x.forces = random_forces(system, random);
  return x;
}

/// Bias accelerations, accelerations, and forces for given accelerations: all that comes of it.
template <class T, class C>
std::vector<T> outcome(const KernelsOf<T, C>& k, const MechanismOf<C>& mechanism, const Given<T>& x) {
  Kinematics<T> kinematics(mechanism);
  ArticulatedBodyData<T> workspace(mechanism);
  InverseDynamics<T> inverse(mechanism);
  std::vector<T> result(2 * mechanism.nu);
  k.update(mechanism, x.q.data(), x.u.data(), kinematics);
  k.accelerations(mechanism, kinematics, x.u.data(), x.forces, workspace, result.data());
  k.inverse_dynamics(mechanism, x.q.data(), x.u.data(), x.udot.data(), x.forces, inverse, result.data() + mechanism.nu);
  for (const BodyMotion<T>& body : kinematics.bodies) {
    for (const Vec3<T>& v : {body.R_NM.x, body.R_NM.y, body.r, body.w, body.alpha, body.a}) {
      result.insert(result.end(), {v.x, v.y, v.z});
    }
  }
  return result;
}

inline std::vector<double> outcome(const Mechanism& mechanism, const Given<double>& x) {
  return outcome(kernels().one, mechanism, x);
}

/// How much the equations of motion may magnify rounding: the ratio of the pivots of the mass matrix.
inline double pivot_ratio(const Mechanism& mechanism, const Given<double>& x) {
  Kinematics<double> kinematics(mechanism);
  CompositeBodyData workspace(mechanism);
  std::vector<double> udot(mechanism.nu);
  update(mechanism, x.q.data(), x.u.data(), kinematics);
  accelerations(mechanism, kinematics, x.u.data(), x.forces, workspace, udot.data());
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t k = 0; k < workspace.factors.size; ++k) {
    least = std::min(least, workspace.factors.row(k)[k]);
    most = std::max(most, workspace.factors.row(k)[k]);
  }
  return workspace.factors.size == 0 ? 1 : most / least;
}

inline bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace gyrostat::testing
