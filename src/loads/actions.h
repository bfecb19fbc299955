// Forces on joints, wheels and bodies, as the model lists them. Values that change as the simulation runs stand in an
// array of numbers that somebody else computes; an action knows where.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "gyrostat/expression/program.h"
#include "gyrostat/loads/instant.h"

namespace gyrostat {

using expression::Slot;

/// The place of a value that is not given and counts as zero.
inline constexpr Slot nothing = static_cast<Slot>(-1);

inline double value_at(std::span<const double> values, Slot slot) { return slot == nothing ? 0 : values[slot]; }

/// A stiffness or damping: constant, or a table of the deflection.
struct DeflectionCoefficient {
  double value = 0;
  int table = -1;  // in Actions::tables; negative: constant
};

/// On one freedom of a joint, or on a wheel.
struct SpeedAction {
  std::uint32_t q = 0, u = 0;  // in the state; q is not used by a spherical joint, which has no springs
  DeflectionCoefficient stiffness, damping;
  double rest = 0;
  Slot force = nothing;  // conjugate to the speed [N m, N]
};

/// N-BOD's hinge torque: a sum of torques along the rotation axes, wherever they point.
struct AxisTorqueAction {
  std::uint32_t joint = 0;
  std::array<Slot, 3> along = {nothing, nothing, nothing};
};

struct BodyPoint {
  std::uint32_t body = 0;
  Vector3 point = Vector3::Zero();  // from the body's origin, body axes [m]
};

struct BodyAction {
  BodyPoint at;
  std::array<Slot, 3> force = {nothing, nothing, nothing}, torque = {nothing, nothing, nothing};
  Axes axes = Axes::body;
};

struct SpringAction {
  BodyPoint from, to;
  DeflectionCoefficient stiffness, damping;
  double length = 0;
  Slot force = nothing;
};

struct ThrusterAction {
  BodyPoint at;
  Vector3 direction = Vector3::UnitX();      // body axes
  Slot thrust = nothing, command = nothing;  // no command: full thrust
};

struct TorqueBetweenAction {
  std::uint32_t from = 0, to = 0;
  Vector3 axis = Vector3::UnitX();  // axes of `from`
  Slot torque = nothing;
};

/// The derivative of a speed that the model prescribes.
struct GivenAcceleration {
  std::uint32_t u = 0;
  Slot value = nothing;
};

struct Actions {
  std::vector<Table> tables;
  std::vector<SpeedAction> speeds;
  std::vector<AxisTorqueAction> axis_torques;
  std::vector<BodyAction> bodies;
  std::vector<SpringAction> springs;
  std::vector<ThrusterAction> thrusters;
  std::vector<TorqueBetweenAction> torques_between;
  std::vector<GivenAcceleration> given;
  Vector3 gravity = Vector3::Zero();  // uniform [m/s^2]

  /// Where the value of an expression of the model will stand.
  using Place = std::function<Slot(const Expression&)>;
  Actions(const Description& description, const System& system, const Place& place);
};

/// Forces of all actions at an instant; whatever stood in `forces` is replaced.
void apply(const Actions& actions, const Instant& instant, std::span<const double> values, Forces<double>& forces);

/// Of uniform gravity (zero where a mass is at the world's origin) and of springs [J].
double potential_energy(const Actions& actions, const Instant& instant);

}  // namespace gyrostat
