// One-dimensional tables: piecewise linear, or a cubic spline with continuous second derivative.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gyrostat {

enum class Interpolation { linear, cubic };

/// What a table answers outside its range: not a number (the run stops and says so), the end value, or the end
/// segment continued.
enum class Outside { error, hold, extend };

struct ValueAndSlope {
  double value, slope;
};

/// y(x) through given points. On segment s, with h = x - x[s],
///   y = y[s] + h (b[s] + h (c[s] + h d[s])).
/// A cubic table is the not-a-knot spline: it reproduces any cubic polynomial.
class Table {
 public:
  /// `x` strictly increasing, at least two points, as many `y`. Precondition, checked by `problem_of`.
  Table(std::vector<double> x, std::vector<double> y, Interpolation interpolation, Outside outside);

  /// What is wrong with the points, or empty.
  static std::string problem_of(std::span<const double> x, std::span<const double> y);

  [[nodiscard]] ValueAndSlope at(double x) const { return on(segment(x), x); }

  /// The same on a given segment, continued beyond its ends.
  [[nodiscard]] ValueAndSlope on(std::size_t segment, double x) const;

  /// The second derivative.
  [[nodiscard]] double curvature(double x) const { return curvature_on(segment(x), x); }
  [[nodiscard]] double curvature_on(std::size_t segment, double x) const;

  /// The segment that holds x: 0 below the first knot, knots().size() above the last, else that number of the pieces
  /// between knots, counted from 1. The last knot belongs to the last piece.
  [[nodiscard]] std::size_t segment(double x) const;

  /// From x to the nearer end of a segment, negative outside of it.
  [[nodiscard]] double distance_from_knots(double x, std::size_t segment) const;

  [[nodiscard]] std::span<const double> knots() const { return x_; }
  [[nodiscard]] Interpolation interpolation() const { return interpolation_; }
  [[nodiscard]] Outside outside() const { return outside_; }
  [[nodiscard]] std::span<const double> values() const { return y_; }

  bool operator==(const Table&) const = default;

 private:
  std::vector<double> x_, y_, b_, c_, d_;
  Interpolation interpolation_;
  Outside outside_;
};

}  // namespace gyrostat
