// Everything that is known of a system at an instant before forces are.
#pragma once

#include "gyrostat/dynamics/conserved.h"

namespace gyrostat {

struct Instant {
  const Mechanism& mechanism;
  const State& state;
  const Kinematics<double>& kinematics;               // at that state
  const std::vector<BasePoint<double>>& base_points;  // the same
  double t = 0;                                       // [s]

  [[nodiscard]] const System& system() const { return *mechanism.system; }

  /// R_NB, from the user's body axes.
  [[nodiscard]] Matrix3 rotation(std::uint32_t body) const {
    return to_eigen(kinematics.bodies[body].R) * mechanism.R_UB[body].transpose();
  }
  /// From the base point of a body to a point given from its origin in body axes; world axes [m].
  [[nodiscard]] Vector3 lever(std::uint32_t body, const Vector3& point) const {
    const Vector3 base = body == 0 ? Vector3(Vector3::Zero()) : base_point(system().joints[body]);
    return rotation(body) * (point - base);
  }
  [[nodiscard]] Vector3 angular_velocity(std::uint32_t body) const { return to_eigen(kinematics.bodies[body].w); }
  [[nodiscard]] Vector3 position(std::uint32_t body, const Vector3& point) const {
    return to_eigen(base_points[body].p) + lever(body, point);
  }
  [[nodiscard]] Vector3 velocity(std::uint32_t body, const Vector3& point) const {
    return to_eigen(base_points[body].v) + angular_velocity(body).cross(lever(body, point));
  }
};

/// Force and torque on a body, world axes, the force at a point given from the body's origin in body axes.
inline void act(const Instant& instant, std::uint32_t body, const Vector3& point, const Vector3& force,
                const Vector3& torque, Forces<double>& forces) {
  if (body == 0) return;
  forces.wrench[body].force += cast<double>(force);
  forces.wrench[body].torque += cast<double>(Vector3(torque + instant.lever(body, point).cross(force)));
}

}  // namespace gyrostat
