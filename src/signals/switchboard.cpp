#include "gyrostat/signals/switchboard.h"

namespace gyrostat {

using expression::Switch;

Switchboard::Switchboard(const expression::Program& program) : program_(program), modes_(program.switches.size(), 0) {
  for (std::uint32_t k = 0; k < program.switches.size(); ++k) {
    const Switch& s = program.switches[k];
    if (!s.time) {
      watched_.push_back(k);
    } else if (s.kind == Switch::Kind::knots) {
      for (const double knot : program.tables[s.table].knots()) times_.push_back(*s.time + knot);
    } else {
      times_.push_back(*s.time);
    }
  }
  std::ranges::sort(times_);
}

double Switchboard::next_time(double t) const {
  const auto next = std::ranges::upper_bound(times_, t + same_instant(t));
  return next == times_.end() ? never : *next;
}

std::uint32_t Switchboard::by_the_clock(std::uint32_t k, double t) const {
  const Switch& s = program_.switches[k];
  const double since = t - *s.time + same_instant(t);
  if (s.kind == Switch::Kind::knots) {
    return static_cast<std::uint32_t>(program_.tables[s.table].segment(since));
  }
  return (since >= 0) != s.falls ? 1 : 0;
}

}  // namespace gyrostat
