#include "axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace gyrostat::app {

namespace {

/// 12 times 10^3 is "1.2e4".
std::string scientific(std::int64_t whole, int exponent) {
  if (whole == 0) return "0";
  while (whole % 10 == 0) {
    whole /= 10;
    ++exponent;
  }
  const std::string digits = fmt::format("{}", std::abs(whole));
  return fmt::format("{}{}{}{}e{}", whole < 0 ? "-" : "", digits.substr(0, 1), digits.size() > 1 ? "." : "",
                     digits.substr(1), exponent + static_cast<int>(digits.size()) - 1);
}

/// The axis with this step, if the range has room on it; in the middle of the rows.
std::optional<RowAxis> fitted(const Range& range, const Step& step, std::int64_t rows_per_step, std::size_t rows,
                              std::size_t dots_per_row, std::size_t middle_dot) {
  const auto dots = static_cast<double>(dots_per_row), middle = static_cast<double>(middle_dot);
  const double row = step.times(1) / static_cast<double>(rows_per_step);
  if (!std::isfinite(row) || row < std::numeric_limits<double>::min()) return {};
  const double above = range.most / row - (middle + 0.49) / dots;
  const double below = range.least / row + static_cast<double>(rows) - (middle + 0.51) / dots;
  const double lowest = std::ceil(above), highest = std::floor(below);
  if (!(lowest <= highest) || std::max(std::abs(lowest), std::abs(highest)) > 1e15) return {};
  return RowAxis{step, rows_per_step, static_cast<std::int64_t>(std::floor(lowest / 2 + highest / 2)), row};
}

}  // namespace

double Step::times(std::int64_t count) const {
  const auto whole = static_cast<double>(count * digit);
  return exponent < 0 ? whole / std::pow(10, -exponent) : whole * std::pow(10, exponent);
}

Step Step::next() const { return digit == 5 ? Step{1, exponent + 1} : Step{digit == 1 ? 2 : 5, exponent}; }

Step step_from(double size) {
  Step step{1, static_cast<int>(std::floor(std::log10(size))) - 1};
  while (step.times(1) < size * (1 - 1e-9)) step = step.next();
  return step;
}

std::string tick_label(const Step& step, std::int64_t count, double largest) {
  if (largest < 1e-3 || largest >= 1e7) return scientific(count * step.digit, step.exponent);
  return fmt::format("{:.{}f}", step.times(count), std::max(0, -step.exponent));
}

std::vector<Tick> ticks_in(const Range& range, const Step& step) {
  const double size = step.times(1), slack = 1e-9;
  const auto first = static_cast<std::int64_t>(std::ceil(range.least / size - slack));
  const auto last = static_cast<std::int64_t>(std::floor(range.most / size + slack));
  std::vector<Tick> ticks;
  for (std::int64_t k = first; k <= last; ++k) ticks.push_back({step.times(k), tick_label(step, k, range.largest())});
  return ticks;
}

RowAxis fit_rows(const Range& range, std::size_t rows, std::size_t dots_per_row, std::size_t middle_dot) {
  const auto count = static_cast<std::int64_t>(rows);
  const std::int64_t fewest = count < 4 ? 1 : std::max<std::int64_t>(2, count / 8);
  const std::int64_t most = std::max(fewest, count / 2), preferred = std::clamp<std::int64_t>(count / 5, fewest, most);
  constexpr Step largest_step = {1, 308};  // what is beyond has no name among numbers
  RowAxis best = fitted(range, largest_step, 1, rows, dots_per_row, middle_dot).value_or(RowAxis{});
  double least = std::numeric_limits<double>::infinity();
  Step step = step_from(range.half_width() / static_cast<double>(count));
  for (int tried = 0; tried < 15; ++tried, step = step.next()) {
    for (std::int64_t n = fewest; n <= most; ++n) {
      const auto axis = fitted(range, step, n, rows, dots_per_row, middle_dot);
      if (!axis) continue;
      const double cost = axis->row * (1 + 0.02 * static_cast<double>(std::abs(n - preferred)));
      if (!(cost < least)) continue;
      best = *axis;
      least = cost;
    }
  }
  return best;
}

}  // namespace gyrostat::app
