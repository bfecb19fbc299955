#include "gyrostat/dynamics/composite_body.h"

#include "gyrostat/dynamics/free_speeds.h"

namespace gyrostat {

namespace {

/// For each free speed, which one (counted among the free) is next towards the base.
std::vector<std::int64_t> inboard_speeds(const Mechanism& mechanism, const std::vector<std::uint32_t>& free) {
  std::vector<std::int64_t> number(mechanism.nu, -1), last(mechanism.links.size(), -1), inboard(free.size(), -1);
  for (std::size_t a = 0; a < free.size(); ++a) number[free[a]] = static_cast<std::int64_t>(a);
  for (std::size_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    last[i] = last[link.parent];
    for (std::size_t k = link.u; k < link.u + link.nu; ++k) {
      if (number[k] < 0) continue;
      inboard[static_cast<std::size_t>(number[k])] = last[i];
      last[i] = number[k];
    }
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    if (!wheel.prescribed) inboard[static_cast<std::size_t>(number[wheel.u])] = last[wheel.body];
  }
  return inboard;
}

}  // namespace

CompositeBody::CompositeBody(const Mechanism& mechanism)
    : composite(mechanism.links.size()),
      through(mechanism.links.size()),
      mass_matrix(mechanism.nu),
      factors(0),
      free(free_speeds(mechanism)),
      bias(mechanism.nu),
      none(mechanism.nu) {
  inboard = inboard_speeds(mechanism, free);
  factors = LowerTriangle(free.size());
  right.resize(free.size());
}

}  // namespace gyrostat
