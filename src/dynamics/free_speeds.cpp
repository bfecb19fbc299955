#include "gyrostat/dynamics/free_speeds.h"

#include <algorithm>

namespace gyrostat {

std::vector<std::uint32_t> free_speeds(const Mechanism& mechanism) {
  std::vector<std::uint32_t> list;
  for (const Link& link : mechanism.links) {
    if (link.motion != Motion::free) continue;
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) list.push_back(k);
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    if (!wheel.prescribed) list.push_back(wheel.u);
  }
  return list;
}

void set_given(const Mechanism& mechanism, const Forces<double>& forces, double* udot) {
  std::fill(udot, udot + mechanism.nu, 0.0);
  for (const Link& link : mechanism.links) {
    if (link.motion != Motion::prescribed) continue;
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) udot[k] = forces.udot[k];
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    if (wheel.prescribed) udot[wheel.u] = forces.udot[wheel.u];
  }
}

}  // namespace gyrostat
