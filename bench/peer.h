// The same mechanism in another engine: forward dynamics without gravity, contacts, damping or applied forces, for
// comparing accelerations and time.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include <Eigen/Eigenvalues>

#include "gyrostat/model/system.h"

namespace gyrostat::bench {

struct Peer {
  virtual ~Peer() = default;
  [[nodiscard]] virtual std::string name() const = 0;

  /// Hands over q and u. What an engine can put off to evaluate() is put off.
  virtual void set_state(const State& state) = 0;

  /// What the engine computes for one right-hand side: from q and u through positions and velocities to accelerations.
  virtual void evaluate() = 0;

  /// Of the last evaluation, in the layout of u.
  [[nodiscard]] virtual Eigen::VectorXd accelerations() const = 0;

  /// What accelerations can be expected to agree to, relative.
  [[nodiscard]] virtual double tolerance() const { return 1e-9; }
};

/// Nothing if the engine is not built in, or cannot hold the mechanism: MuJoCo's reader stops at a hundred levels of
/// XML, that is at chains of 96 bodies. Throws std::invalid_argument unless only_hinges(system). Of loops, which
/// Simbody alone takes, all bodies must move in parallel planes: it closes them by a ball, ours by a hinge.
std::unique_ptr<Peer> bullet_peer(const System& system);
std::unique_ptr<Peer> simbody_peer(const System& system);
std::unique_ptr<Peer> mujoco_peer(const System& system);

/// One body flies freely, all others hang on it and on each other by hinges, no joint is reversed: all that peers know.
inline bool only_hinges(const System& system) {
  if (!system.wheels.empty() || system.body_count() == 0) return false;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (joint.reversed || joint.motion != Motion::free) return false;
    if (joint.type != (i == 1 ? JointType::free : JointType::revolute)) return false;
    if ((system.parent[i] == 0) != (i == 1)) return false;
  }
  return true;
}

inline void require_only_hinges(const System& system) {
  if (!only_hinges(system)) throw std::invalid_argument("peers know one free body and hinges, nothing else");
}

/// A frame A at a body's mass centre, along its principal axes.
struct Principal {
  Pose X_BA;
  Vector3 moments;  // [kg m^2]
};

inline Principal principal(const MassProperties& body) {
  Matrix3 R = Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia).eigenvectors();
  if (R.determinant() < 0) R.col(2) *= -1;
  return {{R, body.com}, (R.transpose() * body.inertia * R).diagonal()};
}

}  // namespace gyrostat::bench
