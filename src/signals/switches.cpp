#include "gyrostat/signals/switches.h"

namespace gyrostat {

using expression::Switch;

namespace {

/// There is no branch cut where the other argument of atan2 is positive.
bool on_smooth_side(const Switch& s, const double* values) {
  return s.kind == Switch::Kind::branch_cut && !(values[s.other] < 0);
}

}  // namespace

Switches::Switches(const expression::Program& program, const std::vector<bool>& matters)
    : program_(&program), matters_(matters) {
  for (std::uint32_t k = 0; k < program.switches.size(); ++k) {
    const Switch& s = program.switches[k];
    if (s.fixed) continue;
    if (!matters_[k]) {
      unwatched_.push_back(k);
    } else if (!s.time) {
      watched_.push_back(k);
    } else if (s.kind == Switch::Kind::knots) {
      for (const double knot : program.tables[s.table].knots()) times_.push_back(*s.time + knot);
    } else {
      times_.push_back(*s.time);
    }
  }
  std::ranges::sort(times_);
}

double Switches::next_time(double t) const {
  const auto next = std::ranges::find_if(std::ranges::lower_bound(times_, t), times_.end(),
                                         [t](double time) { return !is_due(time, t); });
  return next == times_.end() ? never : *next;
}

bool Switches::any_crossed(const double* values, std::span<const std::uint32_t> positions) const {
  return std::ranges::any_of(watched_, [&](std::uint32_t k) {
    return by_guard(k, values) != positions[k] && !on_smooth_side(program_->switches[k], values);
  });
}

void Switches::append_event_functions(const double* values, std::span<const std::uint32_t> positions,
                                      std::vector<double>& list) const {
  for (const std::uint32_t k : watched_) {
    const Switch& s = program_->switches[k];
    const double guard = values[s.guard];
    if (s.kind == Switch::Kind::knots) {
      list.push_back(program_->tables[s.table].distance_from_knots(guard, positions[k]));
    } else if (s.kind == Switch::Kind::steps) {
      list.push_back(expression::distance_from_steps(guard, positions[k]));
    } else if (on_smooth_side(s, values)) {
      list.push_back(never);
    } else {
      list.push_back(positions[k] != 0 ? guard : -guard);
    }
  }
}

std::uint32_t Switches::position_after(std::uint32_t k, double t, const double* values, double end) const {
  return program_->switches[k].time ? by_clock(k, t, end) : by_guard(k, values);
}

bool Switches::is_smooth(std::uint32_t k, const double* values) const {
  return on_smooth_side(program_->switches[k], values);
}

bool Switches::is_position(std::uint32_t k, std::uint32_t position) const {
  const expression::Switch& s = program_->switches[k];
  if (s.kind == expression::Switch::Kind::steps) return true;
  return position <= (s.kind == expression::Switch::Kind::knots ? program_->tables[s.table].knots().size() : 1);
}

void Switches::follow_smoothly(const double* values, std::span<std::uint32_t> positions) const {
  for (const std::uint32_t k : watched_) {
    if (on_smooth_side(program_->switches[k], values)) positions[k] = by_guard(k, values);
  }
}

std::uint32_t Switches::by_guard(std::uint32_t k, const double* values) const {
  const Switch& s = program_->switches[k];
  const double guard = values[s.guard];
  switch (s.kind) {
    case Switch::Kind::positive: return guard > 0 ? 1 : 0;
    case Switch::Kind::steps: return expression::step_position(guard);
    case Switch::Kind::knots: return static_cast<std::uint32_t>(program_->tables[s.table].segment(guard));
    default: return guard >= 0 ? 1 : 0;
  }
}

std::uint32_t Switches::by_clock(std::uint32_t k, double t, double end) const {
  const Switch& s = program_->switches[k];
  if (s.kind != Switch::Kind::knots) return is_due(*s.time, t) != s.falls ? 1 : 0;
  const std::span<const double> knots = program_->tables[s.table].knots();
  auto passed =
      static_cast<std::uint32_t>(std::ranges::count_if(knots, [&](double knot) { return is_due(*s.time + knot, t); }));
  if (passed == knots.size() && t >= end && is_due(t, *s.time + knots.back())) --passed;
  return passed;
}

}  // namespace gyrostat
