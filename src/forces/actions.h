// Forces on joints, wheels and bodies, as the model lists them. Values that change as the simulation runs stand in an
// array of numbers that somebody else computes; an action knows where.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "gyrostat/expression/program.h"
#include "gyrostat/forces/instant.h"
#include "gyrostat/forces/orbit.h"

namespace gyrostat {

using expression::Slot;

/// The place of a value that is not given and counts as zero.
inline constexpr Slot nothing = static_cast<Slot>(-1);

template <class T>
T value_at(std::span<const T> values, Slot slot) {
  return slot == nothing ? T(0.0) : values[slot];
}

/// What does the work: in the ledger, actions with the same number are one entry.
using SourceNumber = std::uint32_t;

/// A stiffness or damping: constant, or a table of the deflection.
struct DeflectionCoefficient {
  double value = 0;
  int table = -1;           // in Actions::tables; negative: constant
  std::uint32_t place = 0;  // among all coefficients with tables
};

/// On one freedom of a joint, or on a wheel.
struct SpeedAction {
  std::uint32_t q = 0, u = 0;  // in the state; q is not used by a spherical joint, which has no springs
  DeflectionCoefficient stiffness, damping;
  double rest = 0;
  Slot thermal = nothing;  // the rest that follows the thermal lag, instead of `rest`
  Slot force = nothing;    // conjugate to the speed [N m, N]
  SourceNumber source = 0;
};

/// N-BOD's hinge torque: a sum of torques along the rotation axes, wherever they point.
struct AxisTorqueAction {
  std::uint32_t joint = 0;
  std::array<Slot, 3> along = {nothing, nothing, nothing};
  SourceNumber source = 0;
};

struct BodyPoint {
  std::uint32_t body = 0;
  Vector3 point = Vector3::Zero();  // from the body's origin, body axes [m]
};

struct BodyAction {
  BodyPoint at;
  std::array<Slot, 3> force = {nothing, nothing, nothing}, torque = {nothing, nothing, nothing};
  Axes axes = Axes::body;
  SourceNumber source = 0;
};

struct SpringAction {
  BodyPoint from, to;
  DeflectionCoefficient stiffness, damping;
  double length = 0;
  Slot force = nothing;
  SourceNumber source = 0;
};

struct ThrusterAction {
  BodyPoint at;
  Vector3 direction = Vector3::UnitX();      // body axes
  Slot thrust = nothing, command = nothing;  // no command: full thrust
  SourceNumber source = 0;
};

struct TorqueBetweenAction {
  std::uint32_t from = 0, to = 0;
  Vector3 axis = Vector3::UnitX();  // axes of `from`
  Slot torque = nothing;
  SourceNumber source = 0;
};

/// The derivative of a speed that the model prescribes.
struct GivenAcceleration {
  std::uint32_t u = 0;
  Slot value = nothing;
};

/// A thermal spring's rest coordinate follows x' = (steady * factor - x) / time_constant.
struct ThermalRest {
  double initial = 0, steady = 0, time_constant = 1;
  Slot factor = nothing;  // nothing: 1
};

struct Actions {
  std::vector<std::string> sources;  // "joints.pan", "loads[0]", ...
  std::vector<Table> tables;
  std::vector<SpeedAction> speeds;
  std::vector<AxisTorqueAction> axis_torques;
  std::vector<BodyAction> bodies;
  std::vector<SpringAction> springs;
  std::vector<ThrusterAction> thrusters;
  std::vector<TorqueBetweenAction> torques_between;
  std::vector<GivenAcceleration> given;
  std::uint32_t coefficients_with_tables = 0;
  std::vector<ThermalRest> thermal;   // their values stand one after the other at `thermal_place`
  Vector3 gravity = Vector3::Zero();  // uniform [m/s^2]
  std::optional<Orbit> orbit;
  GravityGradient gravity_gradient = GravityGradient::none;

  /// Where the value of an expression of the model will stand.
  using Place = std::function<Slot(const Expression&)>;
  /// `thermal_place` is where the first rest of a thermal spring stands; there are thermal_rest_count of them.
  Actions(const Description& description, const System& system, const Place& place, Slot thermal_place = 0);
};

/// One for each coordinate of each joint of the tree with a thermal spring.
std::size_t thermal_rest_count(const Description& description, const System& system);

/// Forces of all actions at an instant; whatever stood in `forces` is replaced. For double and Dual<8>.
template <class T>
void apply(const Actions& actions, const Instant<T>& instant, std::span<const T> values, Forces<T>& forces);

/// Of uniform gravity (zero where a mass is at the world's origin), of springs, and of the centre of attraction where
/// the orbit is integrated along [J]. For double and Dual<8>.
template <class T>
T potential_energy(const Actions& actions, const Instant<T>& instant, std::span<const T> values);

/// A table of a spring with the deflection it is asked at now: it bends at its knots.
struct Deflection {
  int table = 0;
  SourceNumber source = 0;
  double value = 0;
};
/// Of all springs and dampers with tables, always in the same order.
void find_deflections(const Actions& actions, const Instant<double>& instant, std::span<const double> values,
                      std::vector<Deflection>& deflections);

}  // namespace gyrostat
