// Spring, damper and driving force on one speed of a joint, on a wheel, or on a mode of a flexible body:
//   tau = f - k (q - q_0) - d u,
// where k and d may be tables of the deflection q - q_0, and q_0 may follow the temperature of the sunlit side.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

struct JointForceStructure : ElementStructure {
  std::uint32_t q = 0, u = 0;  // in the state; q is not read by a spherical joint, which has no springs
  TableSpring spring;
  Slot thermal_rest = no_slot, thermal_rate = no_slot;  // q_0 and its rate where they follow a thermal lag
  Slot force = no_slot;                                 // the driving force [N m, N]
  Slot damper = no_slot;                                // the force of a damping that is a table

  [[nodiscard]] auto tie() const {
    return std::tie(source, q, u, spring.table, spring.force, thermal_rest, thermal_rate, force, damper);
  }
};

template <class C>
struct JointForce : JointForceStructure {
  using Structure = JointForceStructure;
  C stiffness{}, damping{};  // constant parts [N m/rad, N/m; N m s/rad, N s/m]
  C rest{};                  // q_0 [rad, m]

  /// On speed k of a joint.
  static JointForce make(const JointDescription& d, const Joint& joint, std::uint32_t k, ElementContext& context) {
    ExpressionCompiler& compiler = context.compiler;
    JointForce e;
    e.q = has_quaternion(joint.type) ? 0 : joint.q + k;
    e.u = joint.u + k;
    if (!d.stiffness.empty()) e.stiffness = d.stiffness[k].value;
    if (!d.damping.empty()) e.damping = d.damping[k].value;
    if (!d.rest.empty()) e.rest = d.rest[k];
    if (!d.torque.empty()) e.force = context.slot(d.torque[k]);
    if (d.thermal) e.follow_heat(*d.thermal, k, d.name + ".rest", context);
    const auto deflection = [&] {
      return compiler.difference(context.observe({Observable::Kind::coordinate, e.q}),
                                 e.thermal_rest == no_slot ? compiler.number(e.rest) : e.thermal_rest);
    };
    if (!d.stiffness.empty() && !d.stiffness[k].table.empty()) {
      e.spring = {static_cast<std::int32_t>(compiler.table(d.stiffness[k].table)),
                  context.table_spring(d.stiffness[k].table, deflection())};
    }
    if (!d.damping.empty() && !d.damping[k].table.empty()) {
      const Slot speed = context.observe({Observable::Kind::speed, e.u});
      e.damper = context.table_damper(d.damping[k].table, deflection(), speed);
    }
    return e;
  }
  static JointForce make(const WheelDescription& d, const Wheel& wheel, ElementContext& context) {
    JointForce e;
    e.q = wheel.q;
    e.u = wheel.u;
    e.stiffness = d.stiffness;
    e.damping = d.damping;
    e.force = context.slot(d.torque);
    return e;
  }

  /// Of mode k.
  static JointForce make(const FlexibleBody& body, std::uint32_t k) {
    const auto mode = static_cast<Eigen::Index>(k);
    JointForce e;
    e.q = body.q + k;
    e.u = body.u + k;
    e.stiffness = body.data.stiffness(mode, mode);
    if (body.data.damping.size() > 0) e.damping = body.data.damping(mode, mode);
    return e;
  }

  /// q_0' = (steady * factor - q_0) / time_constant, from the rest that was given.
  void follow_heat(const ThermalSpring& thermal, std::uint32_t k, const std::string& name, ElementContext& context) {
    ExpressionCompiler& compiler = context.compiler;
    const std::size_t state = compiler.add_state(rest, name);
    thermal_rest = compiler.states[state].slot;
    const Slot steady = compiler.number(thermal.steady[k]);
    const Slot goal = thermal.factor.empty() ? steady : compiler.product(steady, compiler.add(thermal.factor));
    thermal_rate = compiler.scaled(1 / thermal.time_constant, compiler.difference(goal, thermal_rest));
    compiler.states[state].rate = thermal_rate;
  }

  template <class T>
  [[nodiscard]] T deflection(const Instant<T, C>& instant, const Values<T>& values) const {
    return instant.q[q] - (thermal_rest == no_slot ? T(rest) : values[thermal_rest]);
  }

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>& values, Forces<T>& forces) const {
    forces.tau[u] = forces.tau[u] + values.or_zero(force) - T(stiffness) * deflection(instant, values) -
                    T(damping) * instant.u[u] + values.or_zero(spring.force) + values.or_zero(damper);
  }

  /// The spring's force is left out, but for the work that a moving q_0 does on it.
  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>& values) const {
    const T speed = instant.u[u];
    const T power = speed * (values.or_zero(force) + values.or_zero(damper) - T(damping) * speed);
    if (thermal_rate == no_slot) return power;
    const T tension = T(stiffness) * deflection(instant, values) - values.or_zero(spring.force);
    return power - tension * values[thermal_rate];
  }

  template <class T>
  [[nodiscard]] T potential(const Instant<T, C>& instant, const Values<T>& values,
                            std::span<const Table> tables) const {
    const T x = deflection(instant, values);
    return T(0.5) * T(stiffness) * x * x + spring.energy(tables, x);
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.stiffness...), visit(e.damping...), visit(e.rest...);
  }
};

}  // namespace gyrostat
