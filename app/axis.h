// Where the ticks of an axis are, and what they say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "curves.h"

namespace gyrostat::app {

/// 1, 2 or 5 times a power of ten.
struct Step {
  int digit = 1, exponent = 0;

  [[nodiscard]] double times(std::int64_t count) const;
  [[nodiscard]] Step next() const;
};

/// The smallest step that is no less than `size`, which is positive.
Step step_from(double size);

/// So many steps, in as many digits as the step needs where no tick is larger than `largest`.
std::string tick_label(const Step& step, std::int64_t count, double largest);

struct Tick {
  double value = 0;
  std::string label;
};

/// The multiples of the step in the range.
std::vector<Tick> ticks_in(const Range& range, const Step& step);

/// A y axis of rows of text, each of several dots: every tick is in the middle of a row.
struct RowAxis {
  Step step;
  std::int64_t rows_per_step = 1;
  std::int64_t top = 0;  // the first row is so many rows above zero
  double row = 1;        // height of a row

  /// How many rows below the middle of the first one a value is.
  [[nodiscard]] double below_top(double value) const { return static_cast<double>(top) - value / row; }
};

/// The axis on which a range, not a flat one, is as high as it can be.
RowAxis fit_rows(const Range& range, std::size_t rows, std::size_t dots_per_row, std::size_t middle_dot);

}  // namespace gyrostat::app
