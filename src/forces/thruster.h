// A thrust along a direction fixed in a body: thrust times command.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

struct ThrusterStructure : ElementStructure {
  std::uint32_t node = 0;
  Slot thrust = no_slot, command = no_slot;  // [N]; without a command: full thrust

  [[nodiscard]] auto tie() const { return std::tie(source, node, thrust, command); }
};

template <class C>
struct Thruster : ThrusterStructure {
  using Structure = ThrusterStructure;
  Vec3<C> direction;  // of the force on the body, unit vector, M axes

  static Thruster make(const ThrusterLoad& load, ElementContext& context) {
    Thruster e;
    e.node = context.node(load.at);
    e.direction = context.in_M(context.system.nodes[e.node].body, load.direction);
    e.thrust = context.slot(load.thrust);
    e.command = context.slot(load.command);
    return e;
  }

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>& values, Forces<T>& forces) const {
    apply_force(instant, node, force(instant, values), forces);
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>& values) const {
    return dot(force(instant, values), instant.velocity(node));
  }

  [[nodiscard]] std::vector<ElementOutput> outputs() const { return {{"thrust", "N", "thrust", thrust, command}}; }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.direction.x...), visit(e.direction.y...), visit(e.direction.z...);
  }

 private:
  template <class T>
  Vec3<T> force(const Instant<T, C>& instant, const Values<T>& values) const {
    const T magnitude = command == no_slot ? values.or_zero(thrust) : values[command] * values.or_zero(thrust);
    return magnitude * instant.from_M(instant.nodes[node].body, cast<T>(direction));
  }
};

}  // namespace gyrostat
