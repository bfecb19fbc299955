// What the commands about results files have in common.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/results/results_reader.h"

namespace gyrostat::app {

/// A wrong name or time on the command line.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The columns that the names and patterns mean, each once, in the order asked for. "time" is always shown and may be
/// asked for. A name that is none throws UsageError.
std::vector<std::string> select_columns(const std::string& file, std::span<const results::Column> columns,
                                        std::span<const std::string> names);

/// Without control characters: a file must not command the terminal.
std::string printable(std::string_view text);

/// Characters, as a terminal counts them.
std::size_t width_of(std::string_view text);

/// The text with blanks after it, or before it.
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

/// Long names keep their end, which tells them apart.
std::string shortened(std::string_view name, std::size_t longest);

/// "[rad]"; nothing for what has no unit.
std::string bracketed(std::string_view unit);

/// A number in a few digits.
std::string brief(double value);

}  // namespace gyrostat::app
