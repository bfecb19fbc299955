// Everything that is known of a system at an instant before forces are, over any scalar.
#pragma once

#include <span>

#include "gyrostat/dynamics/conserved.h"

namespace gyrostat {

template <class T>
struct Instant {
  const Mechanism& mechanism;
  const T* q;
  const T* u;
  const Kinematics<T>& kinematics;               // at that state
  const std::vector<BasePoint<T>>& base_points;  // the same
  double t = 0;                                  // [s]
  std::span<const std::uint32_t> segments =
      {};  // of tables of springs, where they are held; by DeflectionCoefficient::place

  [[nodiscard]] const System& system() const { return *mechanism.system; }

  /// The same vector in the axes the recursions use, from the user's body axes.
  [[nodiscard]] Vec3<T> own_axes(std::uint32_t body, const Vec3<T>& v) const {
    return transpose_times(cast<T>(mechanism.bodies[body].R_BM), v);
  }
  /// World axes, from the user's body axes.
  [[nodiscard]] Vec3<T> to_world(std::uint32_t body, const Vec3<T>& v) const {
    return kinematics.bodies[body].R_NM * own_axes(body, v);
  }
  /// The user's body axes, from world axes.
  [[nodiscard]] Vec3<T> to_body(std::uint32_t body, const Vec3<T>& v) const {
    return cast<T>(mechanism.bodies[body].R_BM) * transpose_times(kinematics.bodies[body].R_NM, v);
  }
  /// R_NB, from the user's body axes.
  [[nodiscard]] Mat3<T> rotation(std::uint32_t body) const {
    return kinematics.bodies[body].R_NM * cast<T>(transposed(mechanism.bodies[body].R_BM));
  }
  /// From the base point of a body to a point given from its origin in body axes; world axes [m].
  [[nodiscard]] Vec3<T> lever(std::uint32_t body, const Vector3& point) const {
    if (body == 0) return cast<T>(point);
    return to_world(body, cast<T>(cast<double>(point) - mechanism.bodies[body].base));
  }
  [[nodiscard]] const Vec3<T>& angular_velocity(std::uint32_t body) const { return kinematics.bodies[body].w; }
  [[nodiscard]] Vec3<T> position(std::uint32_t body, const Vector3& point) const {
    return base_points[body].p + lever(body, point);
  }
  [[nodiscard]] Vec3<T> velocity(std::uint32_t body, const Vector3& point) const {
    return base_points[body].v + cross(angular_velocity(body), lever(body, point));
  }
};

/// A double precision instant of a state.
inline Instant<double> instant_of(const Mechanism& mechanism, const State& state, const Kinematics<double>& kinematics,
                                  const std::vector<BasePoint<double>>& base_points, double t = 0) {
  return {mechanism, state.q.data(), state.u.data(), kinematics, base_points, t};
}

/// Force and torque on a body, world axes, the force at a point given from the body's origin in body axes.
template <class T>
void act(const Instant<T>& instant, std::uint32_t body, const Vector3& point, const Vec3<T>& force,
         const Vec3<T>& torque, Forces<T>& forces) {
  if (body == 0) return;
  forces.wrench[body].force += force;
  forces.wrench[body].torque += torque + cross(instant.lever(body, point), force);
}

}  // namespace gyrostat
