#include "gyrostat/math/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gyrostat {

namespace {

/// Second derivatives at the knots of the not-a-knot spline, by elimination of a tridiagonal system whose first and
/// last rows say that the third derivative is continuous across the second and the last but one knot.
std::vector<double> spline_curvatures(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> m(n, 0);
  if (n == 2) return m;
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto slope = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  if (n == 3) {  // one parabola
    std::fill(m.begin(), m.end(), 2 * (slope(1) - slope(0)) / (h(0) + h(1)));
    return m;
  }
  // Unknowns m[1] .. m[n-2]; m[0] and m[n-1] are eliminated by the not-a-knot conditions
  //   m[0] = m[1] - (h0/h1) (m[2] - m[1]),  and its mirror image.
  const std::size_t k = n - 2;
  std::vector<double> lower(k, 0), diagonal(k), upper(k, 0), right(k);
  for (std::size_t j = 0; j < k; ++j) {
    const std::size_t i = j + 1;
    lower[j] = h(i - 1);
    diagonal[j] = 2 * (h(i - 1) + h(i));
    upper[j] = h(i);
    right[j] = 6 * (slope(i) - slope(i - 1));
  }
  const double first = h(0) / h(1), last = h(n - 2) / h(n - 3);
  diagonal[0] += h(0) * (1 + first);
  upper[0] -= h(0) * first;
  diagonal[k - 1] += h(n - 2) * (1 + last);
  lower[k - 1] -= h(n - 2) * last;
  for (std::size_t j = 1; j < k; ++j) {
    const double factor = lower[j] / diagonal[j - 1];
    diagonal[j] -= factor * upper[j - 1];
    right[j] -= factor * right[j - 1];
  }
  for (std::size_t j = k; j-- > 0;) {
    const double next = j + 1 < k ? upper[j] * m[j + 2] : 0;
    m[j + 1] = (right[j] - next) / diagonal[j];
  }
  m[0] = m[1] - first * (m[2] - m[1]);
  m[n - 1] = m[n - 2] + last * (m[n - 2] - m[n - 3]);
  return m;
}

}  // namespace

std::string Table::problem_of(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) {
    return "x has " + std::to_string(x.size()) + " values and y has " + std::to_string(y.size());
  }
  if (x.size() < 2) return "a table needs at least two points";
  const auto finite = [](double v) { return std::isfinite(v); };
  if (!std::all_of(x.begin(), x.end(), finite) || !std::all_of(y.begin(), y.end(), finite)) {
    return "the points of a table must be finite";
  }
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    if (!(x[i] < x[i + 1])) return "x must increase strictly; it does not at value " + std::to_string(i + 2);
  }
  return {};
}

Table::Table(std::vector<double> x, std::vector<double> y, Interpolation interpolation, Outside outside)
    : x_(std::move(x)), y_(std::move(y)), interpolation_(interpolation), outside_(outside) {
  const std::size_t segments = x_.size() - 1;
  b_.resize(segments);
  c_.assign(segments, 0);
  d_.assign(segments, 0);
  const std::vector<double> m =
      interpolation_ == Interpolation::cubic ? spline_curvatures(x_, y_) : std::vector<double>(x_.size(), 0);
  for (std::size_t s = 0; s < segments; ++s) {
    const double h = x_[s + 1] - x_[s];
    b_[s] = (y_[s + 1] - y_[s]) / h - h * (2 * m[s] + m[s + 1]) / 6;
    c_[s] = m[s] / 2;
    d_[s] = (m[s + 1] - m[s]) / (6 * h);
  }
}

std::size_t Table::segment(double x) const {
  if (x == x_.back()) return x_.size() - 1;
  return static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin());
}

double Table::curvature_on(std::size_t segment, double x) const {
  const bool outside = segment == 0 || segment == x_.size();
  if (outside && outside_ != Outside::extend) {
    return outside_ == Outside::hold ? 0 : std::numeric_limits<double>::quiet_NaN();
  }
  const std::size_t s = std::clamp<std::size_t>(segment, 1, b_.size()) - 1;
  return 2 * c_[s] + 6 * d_[s] * (x - x_[s]);
}

ValueAndSlope Table::on(std::size_t segment, double x) const {
  if (std::isnan(x)) return {x, x};
  const bool below = segment == 0, above = segment == x_.size();
  if ((below || above) && outside_ != Outside::extend) {
    if (outside_ == Outside::hold) return {below ? y_.front() : y_.back(), 0};
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }
  const std::size_t s = std::clamp<std::size_t>(segment, 1, b_.size()) - 1;
  const double h = x - x_[s];
  return {y_[s] + h * (b_[s] + h * (c_[s] + h * d_[s])), b_[s] + h * (2 * c_[s] + h * 3 * d_[s])};
}

double Table::distance_from_knots(double x, std::size_t segment) const {
  const double below = segment == 0 ? std::numeric_limits<double>::infinity() : x - x_[segment - 1];
  const double above = segment == x_.size() ? std::numeric_limits<double>::infinity() : x_[segment] - x;
  return std::min(below, above);
}

}  // namespace gyrostat
