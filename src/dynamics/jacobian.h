// How the motion of a point of a body depends on the speeds.
#pragma once

#include <Eigen/Core>

#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

/// Rows: angular velocity of the body, then velocity of the point given from the body's frame origin in body axes;
/// world axes. One column for each speed: [w; v] = jacobian * u.
void point_jacobian(const Mechanism& mechanism, const Kinematics<double>& kinematics, std::uint32_t body,
                    const Vector3& point, Eigen::Matrix<double, 6, Eigen::Dynamic>& jacobian);

}  // namespace gyrostat
