// Where the equations of flexible bodies hold, and where they are used beyond that.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

/// How far a flexible body is from where its equations hold.
struct FlexibleRange {
  double spin = 0;          // its angular velocity over its first frequency, where spin does not stiffen it; else 0
  double deflection = 0;    // the largest displacement of a node over the largest distance of a node from the frame
  bool indefinite = false;  // its mass matrix, as it is deformed
};

/// Of flexible body number k of the system, after `update`.
FlexibleRange range_of(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* q,
                       std::size_t k);

inline constexpr double most_spin = 0.3, most_deflection = 0.1;

/// A flexible body among the bodies `first` .. `end` - 1 whose mass matrix is indefinite, in words, or nothing.
std::optional<std::string> find_indefinite(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                           const double* q, std::uint32_t first, std::uint32_t end);

/// What is beyond the range, in words.
std::string spin_warning(std::string_view body, double spin);
std::string deflection_warning(std::string_view body, double deflection);

}  // namespace gyrostat
