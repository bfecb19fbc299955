// Where the equations of motion cannot be solved: gimbals at lock, and motions without inertia.
#pragma once

#include <optional>
#include <string>

#include "gyrostat/dynamics/articulated_body.h"

namespace gyrostat {

/// An inertia that is smaller than this part of the terms it is the sum of is none: it is what rounding left of them.
inline constexpr double lost_inertia = 1e-13;

/// A force, torque or given acceleration that is not a number, naming what it acts on, or nothing.
std::optional<std::string> find_lost_force(const Mechanism& mechanism, const Forces<double>& forces);

/// What makes the system singular at coordinates q, naming the joint and the angle, or nothing. Of the forces it reads
/// which joints are free.
std::optional<std::string> find_gimbal_lock(const Mechanism& mechanism, const double* q, const Forces<double>& forces);

/// The same after accelerations were computed: also coordinates that are not finite,
/// inertias that are lost to rounding, and results that are not finite. Allocates; not for inner loops.
std::optional<std::string> find_singularity(const Mechanism& mechanism, const double* q,
                                            const Kinematics<double>& kinematics, const Forces<double>& forces,
                                            const ArticulatedBodyData<double>& workspace, const double* udot);

/// The part of it that holds for systems with constraints too: numbers that are not finite.
std::optional<std::string> find_non_finite_acceleration(const Mechanism& mechanism, const double* q,
                                                        const double* udot);

}  // namespace gyrostat
