#include <algorithm>
#include <cmath>

#include "gyrostat/dynamics/joint_motion.h"
#include "gyrostat/forces/actions.h"
#include "gyrostat/forces/deflection.h"
#include "gyrostat/forces/gravity_gradient.h"

namespace gyrostat {

namespace {

template <class T>
Vec3<T> vector_at(std::span<const T> values, const std::array<Slot, 3>& slots) {
  return {value_at(values, slots[0]), value_at(values, slots[1]), value_at(values, slots[2])};
}

template <class T>
void apply_axis_torque(const AxisTorqueAction& action, const Instant<T>& instant, std::span<const T> values,
                       Forces<T>& forces) {
  const JointOf<double>& joint = instant.mechanism.joints[action.joint];
  const Link& link = instant.mechanism.links[action.joint];
  const JointPosition<T> x = joint_position(joint, instant.q + link.q);
  Vec3<T> torque;
  for (std::size_t k = 0; k < joint.rotations; ++k) torque += value_at(values, action.along[k]) * x.rotation[k];
  for (std::size_t k = 0; k < joint.rotations; ++k) {
    T& tau = forces.tau[link.u + joint.first_rotation + k];
    tau = tau + dot(x.rotation[k], torque);
  }
}

/// Tension pulls the two points together.
template <class T>
void apply_spring(const Actions& actions, const SpringAction& spring, const Instant<T>& instant,
                  std::span<const T> values, Forces<T>& forces) {
  const SpringLine<T> line = spring_line(spring, instant);
  if (!(line.distance > 0.0)) return;  // without a direction there is no force
  const T deflection = line.distance - T(spring.length);
  const T tension = at_deflection(actions, instant, spring.stiffness, deflection) * deflection +
                    at_deflection(actions, instant, spring.damping, deflection) * line.rate +
                    value_at(values, spring.force);
  act(instant, spring.from.body, spring.from.point, tension * line.direction, {}, forces);
  act(instant, spring.to.body, spring.to.point, -(tension * line.direction), {}, forces);
}

template <class T>
void apply_body_action(const BodyAction& action, const Instant<T>& instant, std::span<const T> values,
                       Forces<T>& forces) {
  Vec3<T> force = vector_at(values, action.force), torque = vector_at(values, action.torque);
  if (action.axes == Axes::body) {
    force = instant.to_world(action.at.body, force);
    torque = instant.to_world(action.at.body, torque);
  }
  act(instant, action.at.body, action.at.point, force, torque, forces);
}

template <class T>
void apply_uniform_gravity(const Vector3& gravity, const Instant<T>& instant, Forces<T>& forces) {
  const Vec3<T> g = cast<T>(gravity);
  for (std::uint32_t i = 1; i < forces.wrench.size(); ++i) {
    const Link& link = instant.mechanism.links[i];
    forces.wrench[i].force += T(link.mass) * g;
    forces.wrench[i].torque += cross(instant.kinematics.bodies[i].R_NM * cast<T>(link.mc), g);
  }
}

}  // namespace

template <class T>
void apply(const Actions& actions, const Instant<T>& instant, std::span<const T> values, Forces<T>& forces) {
  std::ranges::fill(forces.tau, T(0.0));
  std::ranges::fill(forces.wrench, Wrench<T>{});
  for (const SpeedAction& action : actions.speeds) {
    const T deflection = instant.q[action.q] - rest_of(action, values);
    forces.tau[action.u] = forces.tau[action.u] + value_at(values, action.force) -
                           at_deflection(actions, instant, action.stiffness, deflection) * deflection -
                           at_deflection(actions, instant, action.damping, deflection) * instant.u[action.u];
  }
  for (const AxisTorqueAction& action : actions.axis_torques) apply_axis_torque(action, instant, values, forces);
  for (const BodyAction& action : actions.bodies) apply_body_action(action, instant, values, forces);
  for (const SpringAction& spring : actions.springs) apply_spring(actions, spring, instant, values, forces);
  for (const ThrusterAction& action : actions.thrusters) {
    const T command = action.command == nothing ? T(1.0) : values[action.command];
    const Vec3<T> direction = instant.to_world(action.at.body, cast<T>(action.direction));
    act(instant, action.at.body, action.at.point, (command * value_at(values, action.thrust)) * direction, {}, forces);
  }
  for (const TorqueBetweenAction& action : actions.torques_between) {
    const Vec3<T> torque = value_at(values, action.torque) * instant.to_world(action.from, cast<T>(action.axis));
    act(instant, action.to, Vector3::Zero(), {}, torque, forces);
    act(instant, action.from, Vector3::Zero(), {}, -torque, forces);
  }
  if (!actions.gravity.isZero(0)) apply_uniform_gravity(actions.gravity, instant, forces);
  if (actions.gravity_gradient == GravityGradient::perturbation) apply_gradient(*actions.orbit, instant, forces);
  if (actions.gravity_gradient == GravityGradient::full) apply_attraction(actions.orbit->mu(), instant, forces);
  for (const GivenAcceleration& given : actions.given) forces.udot[given.u] = value_at(values, given.value);
}

template <class T>
T potential_energy(const Actions& actions, const Instant<T>& instant, std::span<const T> values) {
  T energy(0.0);
  for (const SpeedAction& action : actions.speeds) {
    energy = energy + spring_energy<T>(actions, action.stiffness, instant.q[action.q] - rest_of(action, values));
  }
  for (const SpringAction& spring : actions.springs) {
    const T deflection = spring_line(spring, instant).distance - T(spring.length);
    energy = energy + spring_energy<T>(actions, spring.stiffness, deflection);
  }
  if (!actions.gravity.isZero(0)) {
    const Vec3<T> g = cast<T>(actions.gravity);
    for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
      const MassProperties& body = instant.system().bodies[i].mass_properties;
      energy = energy - T(body.mass) * dot(g, instant.position(i, body.com));
    }
  }
  if (actions.gravity_gradient == GravityGradient::full) {
    energy = energy + potential_of_attraction(actions.orbit->mu(), instant);
  }
  return energy;
}

void find_deflections(const Actions& actions, const Instant<double>& instant, std::span<const double> values,
                      std::vector<Deflection>& deflections) {
  deflections.resize(actions.coefficients_with_tables);
  const auto add = [&](const DeflectionCoefficient& c, SourceNumber source, double value) {
    if (c.table >= 0) deflections[c.place] = {c.table, source, value};
  };
  for (const SpeedAction& action : actions.speeds) {
    if (action.stiffness.table < 0 && action.damping.table < 0) continue;
    const double deflection = instant.q[action.q] - rest_of(action, values);
    add(action.stiffness, action.source, deflection);
    add(action.damping, action.source, deflection);
  }
  for (const SpringAction& spring : actions.springs) {
    if (spring.stiffness.table < 0 && spring.damping.table < 0) continue;
    const double deflection = spring_line(spring, instant).distance - spring.length;
    add(spring.stiffness, spring.source, deflection);
    add(spring.damping, spring.source, deflection);
  }
}

using Jacobian = Dual<8>;
template void apply(const Actions&, const Instant<double>&, std::span<const double>, Forces<double>&);
template void apply(const Actions&, const Instant<Jacobian>&, std::span<const Jacobian>, Forces<Jacobian>&);
template double potential_energy(const Actions&, const Instant<double>&, std::span<const double>);
template Jacobian potential_energy(const Actions&, const Instant<Jacobian>&, std::span<const Jacobian>);

}  // namespace gyrostat
