// Mass, mass centre and inertia of a body or of several together.
#pragma once

#include "gyrostat/math/spatial.h"

namespace gyrostat {

struct MassProperties {
  double mass = 0;                    // [kg]
  Vector3 com = Vector3::Zero();      // from the frame's origin [m]
  Matrix3 inertia = Matrix3::Zero();  // about the com, frame axes; the matrix elements [kg m^2]
};

/// What `body`, given in frame B, is in frame A.
MassProperties in_frame(const Pose& X_AB, const MassProperties& body);

/// Two bodies taken as one, both in the same frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// Principal moments in ascending order [kg m^2].
Vector3 principal_moments(const Matrix3& inertia);

/// The 6x6 matrix that maps a twist at the frame's origin to momentum: [h about the origin; p].
Matrix6 spatial_inertia(const MassProperties& body);

}  // namespace gyrostat
