#include "curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gyrostat/results/interpolate.h"

#include "results_text.h"

namespace gyrostat::app {

using results::Between;
using results::locate;
using results::ResultsReader;
using results::Side;

namespace {

constexpr double smallest = 1e-300;  // nothing below this has a scale of its own
constexpr double squeezed = 20;      // a panel this many times as wide as a curve makes the curve flat

/// Which records are drawn, and between which the ends lie if no record is there.
struct Window {
  Range time;
  std::size_t first = 0, end = 0;
  std::optional<Between> before, after;
};

Window window_of(const ResultsReader& results, const Interval& interval) {
  const std::string file = printable(results.path());
  const std::vector<double>& times = results.time();
  if (times.empty()) throw UsageError(file + ": has no records");
  if (!std::ranges::is_sorted(times) || !std::isfinite(times.front()) || !std::isfinite(times.back()))
    throw UsageError(file + ": is damaged: its times are not in order");
  const double begin = interval.from.value_or(times.front()), end = interval.to.value_or(times.back());
  if (std::isnan(begin)) throw UsageError("--from nan: is no time");
  if (std::isnan(end)) throw UsageError("--to nan: is no time");
  if (interval.from && interval.to && !(begin < end))
    throw UsageError(fmt::format("--from {} --to {}: the first must be before the second", begin, end));
  if (begin > times.back() || end < times.front()) {
    throw UsageError(fmt::format("{}: {}: the records are from {} to {} s", file,
                                 begin > times.back() ? fmt::format("--from {}", begin) : fmt::format("--to {}", end),
                                 times.front(), times.back()));
  }
  Window window;
  window.time = {std::max(begin, times.front()), std::min(end, times.back())};
  window.first = static_cast<std::size_t>(std::ranges::lower_bound(times, window.time.least) - times.begin());
  window.end = static_cast<std::size_t>(std::ranges::upper_bound(times, window.time.most) - times.begin());
  if (times[window.first] > window.time.least) window.before = locate(times, window.time.least, Side::after);
  if (times[window.end - 1] < window.time.most) window.after = locate(times, window.time.most, Side::before);
  return window;
}

template <class Value>
std::vector<double> cut(const Window& window, std::span<const double> whole, Value&& at_end) {
  std::vector<double> part;
  part.reserve(window.end - window.first + 2);
  if (window.before) part.push_back(at_end(*window.before, window.time.least));
  for (std::size_t i = window.first; i < window.end; ++i) part.push_back(whole[i]);
  if (window.after) part.push_back(at_end(*window.after, window.time.most));
  return part;
}

void measure(Curve& curve) {
  for (const double value : curve.values) {
    if (!std::isfinite(value)) continue;
    curve.range = curve.finite == 0 ? Range{value, value} : curve.range.with({value, value});
    ++curve.finite;
  }
}

/// How many times as wide as its narrowest curve a panel is; curves that do not change do not count.
double squeeze(const Panel& panel) {
  double narrowest = std::numeric_limits<double>::infinity();
  for (const Curve* curve : panel.curves)
    if (!curve->range.is_flat()) narrowest = std::min(narrowest, curve->range.half_width());
  return panel.range.half_width() / narrowest;
}

Panel with(const Panel& panel, const Curve& curve) {
  Panel wider = panel;
  wider.curves.push_back(&curve);
  wider.range = panel.range.with(curve.range);
  return wider;
}

}  // namespace

double Range::largest() const { return std::max(std::abs(least), std::abs(most)); }

bool Range::is_flat(double rounding) const { return half_width() <= std::max(rounding / 2 * largest(), smallest); }

Range Range::with(const Range& other) const { return {std::min(least, other.least), std::max(most, other.most)}; }

double Range::part(double value) const {
  const double half = half_width();
  return half > 0 ? (value / 2 - least / 2) / half : 0.5;
}

Range Range::opened() const {
  constexpr double limit = std::numeric_limits<double>::max();
  if (!is_flat()) return *this;
  const double middle = least + half_width(), room = std::abs(middle) < smallest ? 1 : std::abs(middle) / 4;
  return {middle > room - limit ? middle - room : -limit, middle < limit - room ? middle + room : limit};
}

Curves read_curves(const ResultsReader& results, std::span<const std::string> names, const Interval& interval) {
  const Window window = window_of(results, interval);
  Curves curves;
  curves.time = window.time;
  curves.times = cut(window, results.time(), [](const Between&, double t) { return t; });
  curves.records = window.end - window.first;
  for (const std::string& name : names) {
    const std::vector<double> whole = results.column(name);
    Curve curve;
    curve.name = printable(name);
    curve.unit = printable(results.columns()[*results.find(name)].unit);
    curve.values = cut(window, whole, [&](const Between& between, double) { return between.value(whole); });
    for (std::size_t i = window.first; i < window.end; ++i) curve.not_finite += std::isfinite(whole[i]) ? 0 : 1;
    measure(curve);
    curves.all.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Panel> make_panels(const Curves& curves, std::size_t most_together) {
  std::vector<std::vector<Panel>> units;  // panels of one unit stand together
  for (const Curve& curve : curves.all) {
    if (curve.finite == 0) continue;
    const auto same = std::ranges::find(units, curve.unit, [](const auto& list) { return list[0].curves[0]->unit; });
    if (same == units.end()) {
      units.push_back({{{&curve}, curve.range}});
      continue;
    }
    Panel* best = nullptr;
    double least = squeezed;
    for (Panel& panel : *same) {
      if (panel.curves.size() >= most_together || squeeze(with(panel, curve)) > least) continue;
      best = &panel;
      least = squeeze(with(panel, curve));
    }
    if (best != nullptr) {
      *best = with(*best, curve);
    } else {
      same->push_back({{&curve}, curve.range});
    }
  }
  std::vector<Panel> panels;
  for (std::vector<Panel>& list : units) std::ranges::move(list, std::back_inserter(panels));
  return panels;
}

std::vector<Point> thinned(const Curves& curves, const Curve& curve, std::size_t columns) {
  const auto column_of = [&](std::size_t i) {
    return std::llround(curves.time.part(curves.times[i]) * static_cast<double>(columns - 1));
  };
  const std::vector<double>& values = curve.values;
  std::vector<Point> points;
  for (std::size_t i = 0; i < values.size();) {
    if (!std::isfinite(values[i])) {
      if (!points.empty() && !std::isnan(points.back().value))
        points.push_back({points.back().x, std::numeric_limits<double>::quiet_NaN()});
      ++i;
      continue;
    }
    const auto column = column_of(i);
    std::size_t chosen[4] = {i, i, i, i};  // the first, the least, the largest, the last
    for (; i < values.size() && std::isfinite(values[i]) && column_of(i) == column; ++i) {
      if (values[i] < values[chosen[1]]) chosen[1] = i;
      if (values[i] > values[chosen[2]]) chosen[2] = i;
      chosen[3] = i;
    }
    std::ranges::sort(chosen);
    for (std::size_t k = 0; k < 4; ++k) {
      if (k > 0 && chosen[k] == chosen[k - 1]) continue;
      points.push_back({curves.time.part(curves.times[chosen[k]]), values[chosen[k]]});
    }
  }
  return points;
}

std::vector<std::string> remarks_on(const Curves& curves, std::span<const Panel> panels) {
  constexpr std::size_t most = 10;
  std::vector<std::string> remarks;
  for (const Curve& curve : curves.all) {
    if (curve.not_finite == 0) continue;
    remarks.push_back(curve.finite == 0 ? fmt::format("{}: no value is finite; not drawn", curve.name)
                                        : fmt::format("{}: {} of {} values not finite; not drawn", curve.name,
                                                      curve.not_finite, curves.records));
  }
  for (const Panel& panel : panels) {
    for (const Curve* curve : panel.curves) {
      if (!panel.range.is_flat() || curve->range.half_width() == 0) continue;
      remarks.push_back(
          fmt::format("{}: changes by {:.2g} only; drawn as constant", curve->name, 2 * curve->range.half_width()));
    }
  }
  if (remarks.size() > most + 1) {
    const std::size_t left_out = remarks.size() - most;
    remarks.resize(most);
    remarks.push_back(fmt::format("... and {} more", left_out));
  }
  return remarks;
}

}  // namespace gyrostat::app
