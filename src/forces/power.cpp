#include "gyrostat/forces/power.h"

#include <algorithm>

#include "gyrostat/dynamics/joint_motion.h"
#include "gyrostat/forces/deflection.h"
#include "gyrostat/forces/gravity_gradient.h"

namespace gyrostat {

namespace {

using Values = std::span<const double>;

double power_of(const Actions& actions, const SpeedAction& action, const Instant<double>& instant, Values values,
                double rest_rate) {
  const double speed = instant.u[action.u];
  const double deflection = instant.q[action.q] - rest_of(action, values);
  const double damping = at_deflection(actions, instant, action.damping, deflection);
  double power = speed * (value_at(values, action.force) - damping * speed);
  if (rest_rate != 0) power -= at_deflection(actions, instant, action.stiffness, deflection) * deflection * rest_rate;
  return power;
}

double power_of(const AxisTorqueAction& action, const Instant<double>& instant, Values values) {
  const JointOf<double>& joint = instant.mechanism.joints[action.joint];
  const Link& link = instant.mechanism.links[action.joint];
  const JointPosition<double> x = joint_position(joint, instant.q + link.q);
  Vec3<double> torque, w;
  for (std::size_t k = 0; k < joint.rotations; ++k) {
    torque += value_at(values, action.along[k]) * x.rotation[k];
    w += instant.u[link.u + joint.first_rotation + k] * x.rotation[k];
  }
  return dot(torque, w);
}

double power_of(const BodyAction& action, const Instant<double>& instant, Values values) {
  const auto vector = [&](const std::array<Slot, 3>& slots) {
    const Vec3<double> v = {value_at(values, slots[0]), value_at(values, slots[1]), value_at(values, slots[2])};
    return action.axes == Axes::body ? instant.to_world(action.at.body, v) : v;
  };
  return dot(vector(action.force), instant.velocity(action.at.body, action.at.point)) +
         dot(vector(action.torque), instant.angular_velocity(action.at.body));
}

double power_of(const Actions& actions, const SpringAction& spring, const Instant<double>& instant, Values values) {
  const SpringLine<double> line = spring_line(spring, instant);
  const double damping = at_deflection(actions, instant, spring.damping, line.distance - spring.length);
  return -(damping * line.rate + value_at(values, spring.force)) * line.rate;
}

double power_of(const ThrusterAction& action, const Instant<double>& instant, Values values) {
  const double command = action.command == nothing ? 1 : values[action.command];
  const Vec3<double> direction = instant.to_world(action.at.body, cast<double>(action.direction));
  return command * value_at(values, action.thrust) * dot(direction, instant.velocity(action.at.body, action.at.point));
}

double power_of(const TorqueBetweenAction& action, const Instant<double>& instant, Values values) {
  const Vec3<double> axis = instant.to_world(action.from, cast<double>(action.axis));
  return value_at(values, action.torque) *
         dot(axis, instant.angular_velocity(action.to) - instant.angular_velocity(action.from));
}

double power_of(std::span<const Wrench<double>> wrench, const Instant<double>& instant) {
  double power = 0;
  for (std::uint32_t i = 1; i < wrench.size(); ++i) {
    power += dot(wrench[i].force, instant.base_points[i].v) + dot(wrench[i].torque, instant.angular_velocity(i));
  }
  return power;
}

}  // namespace

void find_powers(const Actions& actions, const Instant<double>& instant, Values values,
                 std::span<const double> thermal_rates, Forces<double>& scratch, std::span<double> powers) {
  std::ranges::fill(powers, 0.0);
  std::size_t thermal = 0;
  for (const SpeedAction& action : actions.speeds) {
    const double rest_rate = action.thermal == nothing ? 0 : thermal_rates[thermal++];
    powers[action.source] += power_of(actions, action, instant, values, rest_rate);
  }
  for (const AxisTorqueAction& action : actions.axis_torques)
    powers[action.source] += power_of(action, instant, values);
  for (const BodyAction& action : actions.bodies) powers[action.source] += power_of(action, instant, values);
  for (const SpringAction& action : actions.springs)
    powers[action.source] += power_of(actions, action, instant, values);
  for (const ThrusterAction& action : actions.thrusters) powers[action.source] += power_of(action, instant, values);
  for (const TorqueBetweenAction& action : actions.torques_between) {
    powers[action.source] += power_of(action, instant, values);
  }
  if (actions.gravity_gradient == GravityGradient::perturbation) {
    std::ranges::fill(scratch.wrench, Wrench<double>{});
    apply_gradient(*actions.orbit, instant, scratch);
    powers[actions.sources.size()] = power_of(scratch.wrench, instant);
  }
}

bool held_by_world(const Mechanism& mechanism) {
  for (std::size_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    const bool floats = link.motion == JointMotion::floating && mechanism.system->joints[i].motion == Motion::free;
    if (link.parent == 0 && !floats) return true;
  }
  return false;
}

External find_external(const Instant<double>& instant, const Forces<double>& forces,
                       std::span<const Wrench<double>> through) {
  const Vec3<double> com = mass_centre(instant);
  External sum;
  const auto add = [&](std::uint32_t body, const Wrench<double>& wrench) {
    sum.force += wrench.force;
    sum.torque += wrench.torque + cross(instant.base_points[body].p - com, wrench.force);
  };
  for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
    const Link& link = instant.mechanism.links[i];
    add(i, forces.wrench[i]);
    if (link.parent != 0) continue;
    if (link.motion == JointMotion::floating && forces.free[link.u]) {
      const double* tau = forces.tau.data() + link.u;  // a torque in body axes, a force in those of the world
      add(i, {instant.to_world(i, {tau[0], tau[1], tau[2]}), {tau[3], tau[4], tau[5]}});
    } else {
      add(i, through[i]);
    }
  }
  return sum;
}

}  // namespace gyrostat
