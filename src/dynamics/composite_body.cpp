#include "gyrostat/dynamics/composite_body.h"

#include <algorithm>

#include "gyrostat/dynamics/free_speeds.h"

namespace gyrostat {

CompositeBodyData::CompositeBodyData(const Mechanism& mechanism)
    : composite(mechanism.links.size()),
      transmitted(mechanism.links.size()),
      mass_matrix(mechanism.nu),
      factors(mechanism.nu),
      inboard(mechanism.nu),
      place(mechanism.nu),
      last(mechanism.links.size()),
      bias(mechanism.nu),
      none(mechanism.nu),
      right(mechanism.nu) {
  free.reserve(mechanism.nu);
}

void number_free_speeds(const Mechanism& mechanism, const Forces<double>& forces, CompositeBodyData& w) {
  list_free_speeds(forces, w.free);
  w.factors.size = w.free.size();
  std::ranges::fill(w.place, -1);
  for (std::size_t a = 0; a < w.free.size(); ++a) w.place[w.free[a]] = static_cast<std::int64_t>(a);
  w.last[0] = -1;
  for (std::size_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    w.last[i] = w.last[link.parent];
    for (std::size_t k = link.u; k < link.u + link.nu; ++k) {
      if (w.place[k] < 0) continue;
      w.inboard[static_cast<std::size_t>(w.place[k])] = w.last[i];
      w.last[i] = w.place[k];
    }
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    const std::int64_t place = w.place[wheel.u];
    if (place >= 0) w.inboard[static_cast<std::size_t>(place)] = w.last[wheel.body];
  }
}

}  // namespace gyrostat
