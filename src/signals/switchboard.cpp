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
  const auto next = std::ranges::find_if(std::ranges::lower_bound(times_, t), times_.end(),
                                         [t](double time) { return !is_due(time, t); });
  return next == times_.end() ? never : *next;
}

std::uint32_t Switchboard::by_the_clock(std::uint32_t k, double t) const {
  const Switch& s = program_.switches[k];
  if (s.kind != Switch::Kind::knots) return is_due(*s.time, t) != s.falls ? 1 : 0;
  const std::span<const double> knots = program_.tables[s.table].knots();
  auto passed =
      static_cast<std::uint32_t>(std::ranges::count_if(knots, [&](double knot) { return is_due(*s.time + knot, t); }));
  if (passed == knots.size() && t >= end_ && is_due(t, *s.time + knots.back())) --passed;
  return passed;
}

}  // namespace gyrostat
