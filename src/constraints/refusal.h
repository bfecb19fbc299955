// What is said of constraints that cannot be solved for, or not be satisfied; the joint or constraint is named before
// it.
#pragma once

#include <string>

#include <fmt/format.h>

namespace gyrostat {

inline constexpr const char* massless_before_closed =
    "moves no mass before its loop is closed; give what it carries mass or inertia, or replace a massless link between "
    "two joints by a distance constraint";

/// How far a run moves the initial state to satisfy its constraints, by itself [m or rad].
inline constexpr double most_assembled = 0.01;

/// "the initial coordinates are 0.5 m or rad away from closing it, more than .."
inline std::string too_far(double residual, const char* from) {
  return fmt::format(
      "the initial coordinates are {:.3g} m or rad away from {}, more than a run moves them by itself ({}); `gyrostat "
      "assemble` finds coordinates that do",
      residual, from, most_assembled);
}

/// Residuals of positions are left [m or rad].
inline std::string not_closed(double residual) {
  return fmt::format(
      "cannot be closed: {:.3g} m or rad is left. Its bodies do not reach each other with what may move, or "
      "constraints contradict each other: correct points, axes or values, or let more joints move",
      residual);
}

/// Residuals of rates are left [m/s or rad/s].
inline std::string rate_not_met(double residual) {
  return fmt::format(
      "no speeds of what may move give it its rate: {:.3g} m/s or rad/s is left. Constraints contradict each other, or "
      "what they move is held: correct one of them, or let more joints move",
      residual);
}

}  // namespace gyrostat
