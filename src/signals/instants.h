// Instants: when two are one, and when one has come.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace gyrostat {

/// Two instants closer than this are one: events are located no better [s].
inline double same_instant(double t) { return std::max(1e-12, 1e-15 * std::abs(t)); }

/// Has an instant come by t?
inline bool is_due(double instant, double t) { return instant <= t + same_instant(t); }

inline constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace gyrostat
