#include "gyrostat/forces/observable.h"

namespace gyrostat {

std::optional<Observable> observable(const Reference& reference, const Description& description, const System& system) {
  using Kind = Observable::Kind;
  const auto joint = [&]() -> const Joint& {
    return system.joints[system.joint(description.joints[reference.object].name)];
  };
  const auto body = [&] { return system.body(description.bodies[reference.object].name); };
  const auto node = [&](const std::string& name) {
    return system.node(description.bodies[reference.object].name + "." + name);
  };
  const auto wheel = [&]() -> const Wheel& {
    const BodyDescription& of = description.bodies[reference.object];
    return system.wheels[system.wheel(of.name + "." + of.wheels[reference.part].name)];
  };
  const auto point = [&] { return node(description.bodies[reference.object].points[reference.part].name); };
  const std::uint32_t k = reference.component;
  switch (reference.quantity) {
    case Quantity::time: return Observable{};
    case Quantity::joint_coordinate: return Observable{Kind::coordinate, joint().q + k};
    case Quantity::joint_speed: return Observable{Kind::speed, joint().u + k};
    case Quantity::modal_coordinate:
      return Observable{Kind::coordinate, system.flexible[system.bodies[body()].flexible].q + k};
    case Quantity::modal_rate: return Observable{Kind::speed, system.flexible[system.bodies[body()].flexible].u + k};
    case Quantity::wheel_angle: return Observable{Kind::coordinate, wheel().q};
    case Quantity::wheel_rate: return Observable{Kind::speed, wheel().u};
    case Quantity::body_omega: return Observable{Kind::omega, body(), 0, k};
    case Quantity::body_position: return Observable{Kind::position, system.bodies[body()].origin_node, 0, k};
    case Quantity::body_velocity: return Observable{Kind::velocity, system.bodies[body()].origin_node, 0, k};
    case Quantity::body_quaternion: return Observable{Kind::quaternion, body(), 0, k};
    case Quantity::body_attitude_angle: return Observable{Kind::attitude_angle, body(), 0, k};
    case Quantity::body_direction_cosine: return Observable{Kind::direction_cosine, body(), 0, k};
    case Quantity::point_position: return Observable{Kind::position, point(), 0, k};
    case Quantity::point_velocity: return Observable{Kind::velocity, point(), 0, k};
    case Quantity::system_com: return Observable{Kind::com, 0, 0, k};
    case Quantity::system_momentum: return Observable{Kind::momentum, 0, 0, k};
    case Quantity::system_energy: return Observable{Kind::energy};
    case Quantity::orbit_radius: return Observable{Kind::orbit_radius};
    case Quantity::orbit_true_anomaly: return Observable{Kind::orbit_true_anomaly};
    case Quantity::orbit_nadir: return Observable{Kind::orbit_nadir, 0, 0, k};
    case Quantity::sun_direction:
    case Quantity::parameter:
    case Quantity::signal: break;
  }
  return std::nullopt;
}

}  // namespace gyrostat
