// Checks that kinds share. Numbers that could not be read are NaN, and no comparison with them is true.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/format/field.h"

namespace gyrostat {

/// A number as a message shows it.
std::string shown(double value);

inline void not_negative(const Wrong& wrong, std::string_view field, double value) {
  if (value < 0) wrong(field, "must not be negative");
}

inline void positive(const Wrong& wrong, std::string_view field, double value) {
  if (value <= 0) wrong(field, "must be positive, got " + shown(value));
}

/// A time that the simulation can tell from zero: instants closer than a picosecond are one.
inline void long_enough(const Wrong& wrong, std::string_view field, double value) {
  if (value <= 0) wrong(field, "must be positive");
  if (value > 0 && value < 1e-9) wrong(field, "must be at least 1 ns");
}

inline void distinct(const Wrong& wrong, std::string_view field, const std::vector<std::string>& names) {
  if (std::set<std::string_view>(names.begin(), names.end()).size() != names.size())
    wrong(field, "a name occurs twice");
}

}  // namespace gyrostat
