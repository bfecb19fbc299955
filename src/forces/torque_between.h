// A torque between two bodies about an axis fixed in the first: on the second, and the opposite on the first.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

struct TorqueBetweenStructure : ElementStructure {
  std::uint32_t from = 0, to = 0;  // bodies
  Slot torque = no_slot;           // [N m]

  [[nodiscard]] auto tie() const { return std::tie(source, from, to, torque); }
};

template <class C>
struct TorqueBetween : TorqueBetweenStructure {
  using Structure = TorqueBetweenStructure;
  Vec3<C> axis;  // unit vector, M axes of `from`

  static TorqueBetween make(const TorqueBetweenLoad& load, ElementContext& context) {
    TorqueBetween e;
    e.from = context.system.body(load.from);
    e.to = context.system.body(load.to);
    e.axis = context.in_M(e.from, load.axis);
    e.torque = context.slot(load.torque);
    return e;
  }

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>& values, Forces<T>& forces) const {
    const Vec3<T> on_second = in_world(instant, values);
    forces.wrench[to].torque += on_second;
    forces.wrench[from].torque -= on_second;
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>& values) const {
    return dot(in_world(instant, values), instant.angular_velocity(to) - instant.angular_velocity(from));
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.axis.x...), visit(e.axis.y...), visit(e.axis.z...);
  }

 private:
  template <class T>
  Vec3<T> in_world(const Instant<T, C>& instant, const Values<T>& values) const {
    return values.or_zero(torque) * instant.from_M(from, cast<T>(axis));
  }
};

}  // namespace gyrostat
