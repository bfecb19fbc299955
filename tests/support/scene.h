// A described system at an instant, with the forces on it; things in it are found by name.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/kinematics.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/model/load.h"

namespace gyrostat::testing {

struct Scene {
  Loaded loaded;
  Mechanism mechanism;
  State state;
  Forces<double> forces;

  explicit Scene(Description description)
      : loaded(valid(std::move(description))),
        mechanism(loaded.model->system, DynamicsSettings(*loaded.model)),
        state(loaded.model->system.initial),
        forces(loaded.model->system) {}
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  [[nodiscard]] const System& system() const { return loaded.model->system; }

  [[nodiscard]] std::uint32_t body(const std::string& name) const {
    for (std::uint32_t i = 0; i < system().bodies.size(); ++i) {
      if (system().bodies[i].name == name) return i;
    }
    throw std::runtime_error("no body " + name);
  }
  /// The number of the body that the joint is inboard of.
  [[nodiscard]] std::uint32_t joint_number(const std::string& name) const {
    for (std::uint32_t i = 1; i < system().joints.size(); ++i) {
      if (system().joints[i].name == name) return i;
    }
    throw std::runtime_error("no joint " + name);
  }
  [[nodiscard]] const Joint& joint(const std::string& name) const { return system().joints[joint_number(name)]; }

  [[nodiscard]] Kinematics<double> kinematics() const {
    Kinematics<double> k(mechanism);
    update(mechanism, state.q.data(), state.u.data(), k);
    return k;
  }
  [[nodiscard]] Eigen::VectorXd accelerations() const {
    ArticulatedBodyData<double> workspace(mechanism);
    Eigen::VectorXd udot(state.u.size());
    gyrostat::accelerations(mechanism, kinematics(), state.u.data(), forces, workspace, udot.data());
    return udot;
  }
  /// The motion of all bodies with these derivatives of the speeds.
  [[nodiscard]] Kinematics<double> motion(const Eigen::VectorXd& udot) const {
    Kinematics<double> k(mechanism);
    outward<double, true>(mechanism, state.q.data(), state.u.data(), udot.data(), k);
    return k;
  }

  /// Adds a force at a point of a body (both in world axes, the point from the world's origin) and a torque.
  void act(std::uint32_t on, const Vector3& force, const Vector3& torque, const Vector3& at) {
    const Vector3 base = body_poses(system(), state.q)[on] * base_point(system().joints[on]);
    forces.wrench[on].force += cast<double>(force);
    forces.wrench[on].torque += cast<double>(Vector3(torque + (at - base).cross(force)));
  }

 private:
  static Loaded valid(Description description) {
    Loaded loaded = load_description(std::move(description));
    std::string text;
    for (const Problem& problem : loaded.problems.all()) text += problem.path + ": " + problem.message + "\n";
    if (!loaded.model) throw std::runtime_error(text);
    return loaded;
  }
};

/// A body with the com at its origin and principal axes along its own.
inline BodyDescription rigid_body(std::string name, double mass, const Vector3& moments,
                                  const Vector3& com = Vector3::Zero()) {
  BodyDescription b;
  b.name = std::move(name);
  b.mass = mass;
  b.com = com;
  b.inertia = moments.asDiagonal();
  return b;
}

inline WheelDescription wheel(std::string name, const Vector3& axis, double inertia, double rate) {
  WheelDescription w;
  w.name = std::move(name);
  w.axis = axis;
  w.inertia = inertia;
  w.rate = rate;
  return w;
}

/// A joint with one axis.
inline JointDescription one_axis(std::string name, JointType type, std::string parent, std::string child,
                                 const Vector3& axis, double position = 0, double speed = 0) {
  JointDescription j;
  j.name = std::move(name);
  j.type = type;
  j.parent = std::move(parent);
  j.child = std::move(child);
  (type == JointType::prismatic ? j.translations : j.rotations) = {axis};
  j.position = {position};
  j.speed = {speed};
  return j;
}

/// Its speeds change as told; the rates are those of Forces::udot.
inline void prescribe(JointDescription& j) {
  j.prescribed.kind = Prescribed::Kind::acceleration;
  j.prescribed.motion.assign(j.speed.size(), expression::constant(0));
}

}  // namespace gyrostat::testing
