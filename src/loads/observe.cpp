#include "gyrostat/loads/observe.h"

#include <limits>

namespace gyrostat {

namespace {

double quaternion_component(const Quaternion& q, std::uint32_t k) {
  return k == 0 ? q.w : k == 1 ? q.x : k == 2 ? q.y : q.z;
}

double whole_system(Quantity quantity, std::uint32_t component, const Instant& instant, const Actions& actions) {
  const Conserved<double> sum =
      conserved(instant.mechanism, instant.kinematics, instant.state.u.data(), instant.base_points);
  if (quantity == Quantity::system_energy) return sum.kinetic + potential_energy(actions, instant);
  return to_eigen(quantity == Quantity::system_com ? sum.com : sum.angular_com)[component];
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
    default: break;
  }
  return o;
}

double observe(const Observable& o, const Instant& instant, const Description& description, const Actions& actions) {
  switch (o.quantity) {
    case Quantity::time: return instant.t;
    case Quantity::joint_coordinate:
    case Quantity::wheel_angle: return instant.state.q[o.index];
    case Quantity::joint_speed:
    case Quantity::wheel_rate: return instant.state.u[o.index];
    case Quantity::body_omega:
      return (instant.rotation(o.object).transpose() * instant.angular_velocity(o.object))[o.component];
    case Quantity::body_position:
    case Quantity::point_position: return instant.position(o.object, o.point)[o.component];
    case Quantity::body_velocity:
    case Quantity::point_velocity: return instant.velocity(o.object, o.point)[o.component];
    case Quantity::body_quaternion: return quaternion_component(to_quaternion(instant.rotation(o.object)), o.component);
    case Quantity::body_direction_cosine:  // C = R_body_world
      return instant.rotation(o.object)(o.component % 3, o.component / 3);
    case Quantity::system_com:
    case Quantity::system_momentum:
    case Quantity::system_energy: return whole_system(o.quantity, o.component, instant, actions);
    case Quantity::sun_direction: return (*description.environment.sun)[o.component];
    default: return std::numeric_limits<double>::quiet_NaN();  // others never get here
  }
}

}  // namespace gyrostat
