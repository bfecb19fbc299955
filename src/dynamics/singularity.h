// Where the equations of motion cannot be solved: gimbals at lock, and motions without inertia.
#pragma once

#include <optional>
#include <string>

#include "gyrostat/dynamics/articulated_body.h"

namespace gyrostat {

/// Three rotation axes whose unit vectors span less volume than this count as locked: beyond it accelerations have lost
/// more than a third of their digits.
inline constexpr double locked_gimbal_volume = 1e-5;

/// What makes the system singular at coordinates q, naming the joint and the angle, or nothing.
std::optional<std::string> find_gimbal_lock(const Mechanism& mechanism, const double* q);

/// The same after accelerations were computed: also pivots that are not positive, and results that are not finite.
std::optional<std::string> find_singularity(const Mechanism& mechanism, const double* q,
                                            const ArticulatedBody<double>& workspace, const double* udot);

}  // namespace gyrostat
