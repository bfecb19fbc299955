#include "gyrostat/forces/observe.h"

#include <limits>
#include <type_traits>

#include "gyrostat/forces/gravity_gradient.h"
#include "gyrostat/math/quaternion.h"

namespace gyrostat {

namespace {

template <class T>
const T& component(const Vec3<T>& v, std::uint32_t k) {
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}
template <class T>
const Vec3<T>& column(const Mat3<T>& m, std::uint32_t k) {
  return k == 0 ? m.x : k == 1 ? m.y : m.z;
}

/// The orbit of the mass centre: as given, or as it is flown.
template <class T>
T observe_orbit(const Observable& o, const Instant<T>& instant, const Actions& actions, Shared<T>& shared) {
  using std::sqrt;
  if (actions.gravity_gradient != GravityGradient::full) {
    if (!shared.orbit) shared.orbit = actions.orbit->at(instant.t);
    if (o.quantity == Quantity::orbit_radius) return T(shared.orbit->radius);
    if (o.quantity == Quantity::orbit_true_anomaly) return T(shared.orbit->true_anomaly);
    return T(-shared.orbit->position[o.component] / shared.orbit->radius);
  }
  const Conserved<T>& whole = shared.whole(instant);
  const T radius = sqrt(dot(whole.com, whole.com));
  if (o.quantity == Quantity::orbit_radius) return radius;
  if (o.quantity == Quantity::orbit_nadir) return -component(whole.com, o.component) / radius;
  if constexpr (std::is_same_v<T, double>) {
    return actions.orbit->true_anomaly(to_eigen(whole.com), to_eigen(whole.com_velocity));
  } else {
    // e sin and e cos of the anomaly: for the derivatives
    const T outward = dot(whole.com, whole.com_velocity), mu(actions.orbit->mu());
    const Vec3<T> h = cross(whole.com, whole.com_velocity);
    T angle = atan2(sqrt(dot(h, h)) * outward / (mu * radius), dot(h, h) / (mu * radius) - T(1.0));
    const auto value = [](const Vec3<T>& v) { return Vector3(v.x.value, v.y.value, v.z.value); };
    angle.value = actions.orbit->true_anomaly(value(whole.com), value(whole.com_velocity));
    return angle;
  }
}

}  // namespace

Observable observable(const Reference& reference, const Description& description, const System& system,
                      const Numbers& numbers) {
  Observable o;
  o.quantity = reference.quantity;
  o.component = reference.component;
  switch (reference.quantity) {
    case Quantity::joint_coordinate:
      o.index = system.joints[numbers.joint(description.joints[reference.object].name)].q + reference.component;
      break;
    case Quantity::joint_speed:
      o.index = system.joints[numbers.joint(description.joints[reference.object].name)].u + reference.component;
      break;
    case Quantity::wheel_angle:
    case Quantity::wheel_rate: {
      const BodyDescription& body = description.bodies[reference.object];
      const Wheel& wheel = system.wheels[numbers.wheel(body.name, body.wheels[reference.part].name)];
      o.index = reference.quantity == Quantity::wheel_angle ? wheel.q : wheel.u;
      break;
    }
    case Quantity::point_position:
    case Quantity::point_velocity:
      o.point = description.bodies[reference.object].points[reference.part].position;
      o.object = numbers.body(description.bodies[reference.object].name);
      break;
    case Quantity::body_omega:
    case Quantity::body_position:
    case Quantity::body_velocity:
    case Quantity::body_quaternion:
    case Quantity::body_direction_cosine: o.object = numbers.body(description.bodies[reference.object].name); break;
    case Quantity::sun_direction: o.direction = *description.environment.sun; break;
    default: break;
  }
  return o;
}

template <class T>
T observe(const Observable& o, const Instant<T>& instant, const Actions& actions, std::span<const T> values,
          Shared<T>& shared) {
  switch (o.quantity) {
    case Quantity::time: return T(instant.t);
    case Quantity::joint_coordinate:
    case Quantity::wheel_angle: return instant.q[o.index];
    case Quantity::joint_speed:
    case Quantity::wheel_rate: return instant.u[o.index];
    case Quantity::body_omega:
      return component(instant.to_body(o.object, instant.angular_velocity(o.object)), o.component);
    case Quantity::body_position:
    case Quantity::point_position: return component(instant.position(o.object, o.point), o.component);
    case Quantity::body_velocity:
    case Quantity::point_velocity: return component(instant.velocity(o.object, o.point), o.component);
    case Quantity::body_quaternion: return quaternion_of(instant.rotation(o.object))[o.component];
    case Quantity::body_direction_cosine:  // C = R_body_world
      return component(column(instant.rotation(o.object), o.component / 3), o.component % 3);
    case Quantity::system_com: return component(shared.whole(instant).com, o.component);
    case Quantity::system_momentum: return component(shared.whole(instant).angular_com, o.component);
    case Quantity::system_energy: return shared.whole(instant).kinetic + shared.potential_of(actions, instant, values);
    case Quantity::orbit_radius:
    case Quantity::orbit_true_anomaly:
    case Quantity::orbit_nadir: return observe_orbit(o, instant, actions, shared);
    case Quantity::sun_direction: return T(o.direction[o.component]);
    default: return T(std::numeric_limits<double>::quiet_NaN());  // others never get here
  }
}

using Jacobian = Dual<8>;
template double observe(const Observable&, const Instant<double>&, const Actions&, std::span<const double>,
                        Shared<double>&);
template Jacobian observe(const Observable&, const Instant<Jacobian>&, const Actions&, std::span<const Jacobian>,
                          Shared<Jacobian>&);

}  // namespace gyrostat
