#include "gyrostat/forces/external.h"

namespace gyrostat {

namespace {

bool floats_freely(const Link& link, std::span<const Condition<double>> free) {
  return link.motion == JointMotion::floating && free[link.u];
}

}  // namespace

bool held_by_world(const Mechanism& mechanism, std::span<const Condition<double>> free) {
  for (std::size_t i = 1; i < mechanism.links.size(); ++i) {
    if (mechanism.links[i].parent == 0 && !floats_freely(mechanism.links[i], free)) return true;
  }
  return false;
}

External find_external(const Instant<double, double>& instant, const Forces<double>& forces,
                       std::span<const Wrench<double>> transmitted) {
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
    if (floats_freely(link, forces.free)) {
      const double* tau = forces.tau.data() + link.u;  // a torque in body axes, a force in those of the world
      add(i, {instant.from_body(i, {tau[0], tau[1], tau[2]}), {tau[3], tau[4], tau[5]}});
    } else {
      add(i, transmitted[i]);
    }
  }
  return sum;
}

}  // namespace gyrostat
