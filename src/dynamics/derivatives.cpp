#include "gyrostat/dynamics/derivatives.h"

namespace gyrostat {

Directional::Directional(const Mechanism& mechanism)
    : tangents(mechanism.links.size()),
      through(mechanism.links.size()),
      pull(mechanism.links.size()),
      rise(mechanism.links.size()),
      drive(mechanism.nu),
      columns(mechanism.nu) {}

Derivatives::Derivatives(const Mechanism& mechanism)
    : udot(mechanism.nu),
      articulated(mechanism),
      kinematics(mechanism),
      motion(mechanism),
      tau(mechanism.nu),
      moments(mechanism.links.size()),
      body_of(mechanism.nu),
      along_q(mechanism),
      along_u(mechanism) {
  by_q.rows = by_u.rows = mechanism.nu;
  by_q.blocks = by_u.blocks = (mechanism.nu + Pack::lanes - 1) / Pack::lanes;
  by_q.entries.resize(by_q.rows * by_q.blocks);
  by_u.entries.resize(by_u.rows * by_u.blocks);
  for (std::size_t l = 0; l < Pack::lanes; ++l) units[l][l] = 1;
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) body_of[k] = i;
  }
  for (const WheelLink& wheel : mechanism.wheels) body_of[wheel.u] = wheel.body;
}

}  // namespace gyrostat
