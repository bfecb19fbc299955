#include "gyrostat/simulate/measures.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gyrostat/simulate/quadrature.h"

namespace gyrostat {

namespace {

bool is_extreme(MeasureKind kind) { return kind == MeasureKind::max || kind == MeasureKind::min; }

/// Between a condition that is `before` at one instant and not so at another: where it changes, as events are located.
double locate_change(Slot slot, bool before, double from, double to, const Measures::ValuesAt& values_at) {
  while (to - from > 0.5 * same_instant(to)) {
    const double middle = from + (to - from) / 2;
    if (middle <= from || middle >= to) break;
    ((values_at(middle)[slot] > 0) == before ? from : to) = middle;
  }
  return to;
}

}  // namespace

Measures::Measures(const SignalProgram& signals, const std::vector<MeasureSettings>& settings) {
  for (const MeasureSettings& s : settings) {
    const auto found = std::ranges::find(signals.names, s.signal);
    if (found == signals.names.end()) throw std::invalid_argument("there is no signal '" + s.signal + "' to measure");
    const auto& outputs = signals.outputs[static_cast<std::size_t>(found - signals.names.begin())];
    if (outputs.size() != 1) throw std::invalid_argument("signal '" + s.signal + "' has several outputs");
    taken_.push_back({s, outputs.front()});
  }
}

double Measures::next_time(double t) const {
  double next = never;
  for (const Taken& m : taken_) {
    for (const double instant : {m.settings.after, m.settings.before}) {
      if (!is_due(instant, t)) next = std::min(next, instant);
    }
  }
  return next;
}

void Measures::note_extreme(Taken& m, double value) {
  const bool beyond = m.settings.kind == MeasureKind::max ? value > m.extreme : value < m.extreme;
  if (beyond || std::isnan(m.extreme)) m.extreme = value;
}

void Measures::note(double t, const double* values) {
  for (Taken& m : taken_) {
    m.last = values[m.slot];
    if (!is_due(m.settings.after, t) || t > m.settings.before + same_instant(t)) continue;
    if (is_extreme(m.settings.kind)) note_extreme(m, m.last);
    if (m.settings.kind != MeasureKind::first_time || m.found < never) continue;
    if (m.last > 0) {
      m.since = std::min(m.since, t);
      if (t - m.since >= m.settings.hold) m.found = m.since;
    } else {
      m.since = never;
    }
  }
}

void Measures::sample(std::size_t k, const double* values) {
  for (Taken& m : taken_) m.samples[k] = values[m.slot];
}

/// An extreme between nodes is near that of the parabola through three of them; it is evaluated there if it may be the
/// largest so far.
void Measures::take_extreme(Taken& m, const std::array<double, 5>& t, const std::array<double, 5>& x,
                            const ValuesAt& values_at) {
  for (const double value : x) note_extreme(m, value);
  const double sign = m.settings.kind == MeasureKind::max ? 1 : -1;
  for (std::size_t k = 1; k + 1 < t.size(); ++k) {
    const double before = (x[k] - x[k - 1]) / (t[k] - t[k - 1]), after = (x[k + 1] - x[k]) / (t[k + 1] - t[k]);
    if (!(sign * before > 0 && sign * after < 0)) continue;
    const double curvature = (after - before) / (t[k + 1] - t[k - 1]);
    const double top = (t[k - 1] + t[k]) / 2 - before / (2 * curvature);
    if (!(top > t[k - 1] && top < t[k + 1])) continue;
    const double value = x[k - 1] + (top - t[k - 1]) * (before + (top - t[k]) * curvature);
    if (sign * value > sign * m.extreme) note_extreme(m, values_at(top)[m.slot]);
  }
}

void Measures::take_condition(Taken& m, const std::array<double, 5>& t, const std::array<double, 5>& x,
                              const ValuesAt& values_at) {
  bool holds = m.since < never;
  for (std::size_t k = 1; k < t.size() && m.found == never; ++k) {
    const bool now = x[k] > 0;
    const double changed = now == holds ? t[k] : locate_change(m.slot, holds, t[k - 1], t[k], values_at);
    if (now && !holds) m.since = changed;
    if (holds || now) {  // it held until `changed`, or begins to and holds until t[k]
      const double until = now ? t[k] : changed;
      if (until - m.since >= m.settings.hold) m.found = m.since;
    }
    if (!now) m.since = never;
    holds = now;
  }
}

void Measures::take(double from, double to, const double* values, const ValuesAt& values_at) {
  std::array<double, 5> t = {from, 0, 0, 0, to}, x{};
  for (std::size_t k = 0; k < gauss_nodes.size(); ++k) t[k + 1] = from + gauss_nodes[k] * (to - from);
  std::vector<double> ends(taken_.size());  // before another instant is evaluated
  for (std::size_t i = 0; i < taken_.size(); ++i) ends[i] = values[taken_[i].slot];
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    Taken& m = taken_[i];
    x = {m.last, m.samples[0], m.samples[1], m.samples[2], ends[i]};
    m.last = ends[i];
    const double middle = t[2];
    if (middle < m.settings.after || middle > m.settings.before) continue;
    if (is_extreme(m.settings.kind)) {
      take_extreme(m, t, x, values_at);
    } else if (m.settings.kind == MeasureKind::first_time) {
      take_condition(m, t, x, values_at);
    } else {
      const bool squared = m.settings.kind == MeasureKind::rms;
      for (std::size_t k = 0; k < gauss_weights.size(); ++k) {
        m.sum += gauss_weights[k] * (to - from) * (squared ? x[k + 1] * x[k + 1] : x[k + 1]);
      }
      m.length += to - from;
    }
  }
}

std::vector<double> Measures::results() const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> all;
  for (const Taken& m : taken_) {
    switch (m.settings.kind) {
      case MeasureKind::max:
      case MeasureKind::min: all.push_back(m.extreme); break;
      case MeasureKind::final: all.push_back(m.last); break;
      case MeasureKind::integral: all.push_back(m.sum); break;
      case MeasureKind::mean: all.push_back(m.length > 0 ? m.sum / m.length : none); break;
      case MeasureKind::rms: all.push_back(m.length > 0 ? std::sqrt(m.sum / m.length) : none); break;
      case MeasureKind::first_time: all.push_back(m.found); break;
    }
  }
  return all;
}

std::vector<double> Measures::save() const {
  std::vector<double> all;
  for (const Taken& m : taken_) all.insert(all.end(), {m.extreme, m.sum, m.length, m.last, m.since, m.found});
  return all;
}

void Measures::restore(const std::vector<double>& saved) {
  auto from = saved.begin();
  for (Taken& m : taken_) {
    for (double* x : {&m.extreme, &m.sum, &m.length, &m.last, &m.since, &m.found}) *x = *from++;
  }
}

}  // namespace gyrostat
