// What a plot draws: curves over time, and the panels they share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/results/results_reader.h"

namespace gyrostat::app {

/// The least and the largest of finite values.
struct Range {
  double least = 0, most = 0;

  [[nodiscard]] double largest() const;
  /// Half of the distance: the whole may be more than a number can be.
  [[nodiscard]] double half_width() const { return most / 2 - least / 2; }
  /// Is it so narrow that only rounding is to be seen in it, or nothing?
  [[nodiscard]] bool is_flat(double rounding = 1e-10) const;
  [[nodiscard]] Range with(const Range& other) const;
  /// Where a value lies in it: 0 for the least, 1 for the largest.
  [[nodiscard]] double part(double value) const;
  /// A flat one opened, so that there is something to draw in.
  [[nodiscard]] Range opened() const;
};

struct Curve {
  std::string name, unit;      // fit to be printed
  std::vector<double> values;  // one per time of the curves
  Range range;                 // of the finite ones
  std::size_t finite = 0;      // how many values are
  std::size_t not_finite = 0;  // how many records are not
};

struct Curves {
  Range time;                 // s; what the plot is wide
  std::vector<double> times;  // s; never decrease
  std::vector<Curve> all;
  std::size_t records = 0;  // within the time
};

/// Times may be far from zero: this is how close to each other, in parts of themselves, they can be told apart.
constexpr double time_rounding = 1e-13;

/// The part of the time that is asked for [s].
struct Interval {
  std::optional<double> from, to;
};

/// Columns as curves. Where records lie before or after the time asked for, the curves go to its ends, interpolated
/// linearly. Times without records throw UsageError.
Curves read_curves(const results::ResultsReader& results, std::span<const std::string> names, const Interval& interval);

/// Curves that share a y axis: all of one unit.
struct Panel {
  std::vector<const Curve*> curves;
  Range range;  // of all of them
};

/// One unit to a panel, no curve squeezed flat by its neighbours, and no more than so many together. Curves without a
/// finite value are in none.
std::vector<Panel> make_panels(const Curves& curves, std::size_t most_together);

/// A place in a panel: x from 0 to 1 over the time. A value that is NaN interrupts the curve.
struct Point {
  double x = 0, value = 0;
};

/// The points that suffice to draw a curve in so many columns of dots: of those that fall into one column the first,
/// the least, the largest and the last.
std::vector<Point> thinned(const Curves& curves, const Curve& curve, std::size_t columns);

/// What is to be said of values that are not drawn, or not as they are.
std::vector<std::string> remarks_on(const Curves& curves, std::span<const Panel> panels);

}  // namespace gyrostat::app
