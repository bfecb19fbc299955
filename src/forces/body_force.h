// A force at a node and a torque on its body, in body or world axes.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

struct BodyForceStructure : ElementStructure {
  std::uint32_t node = 0;
  std::array<Slot, 3> force = {no_slot, no_slot, no_slot}, torque = {no_slot, no_slot, no_slot};  // [N, N m]
  Axes axes = Axes::body;

  [[nodiscard]] auto tie() const { return std::tie(source, node, force, torque, axes); }
};

template <class C>
struct BodyForce : BodyForceStructure {
  using Structure = BodyForceStructure;

  static BodyForce make(const BodyLoad& load, ElementContext& context) {
    BodyForce e;
    e.node = context.node(load.at);
    e.force = context.slots(load.force);
    e.torque = context.slots(load.torque);
    e.axes = load.axes;
    return e;
  }

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>& values, Forces<T>& forces) const {
    apply_force(instant, node, in_world(instant, values, force), forces);
    forces.wrench[instant.nodes[node].body].torque += in_world(instant, values, torque);
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>& values) const {
    return dot(in_world(instant, values, force), instant.velocity(node)) +
           dot(in_world(instant, values, torque), instant.angular_velocity(instant.nodes[node].body));
  }

  [[nodiscard]] std::vector<ElementOutput> outputs() const {
    constexpr std::array<std::string_view, 6> names = {"force_x",  "force_y",  "force_z",
                                                       "torque_x", "torque_y", "torque_z"};
    const bool body = axes == Axes::body;
    std::vector<ElementOutput> list;
    for (std::size_t k = 0; k < 3; ++k) {
      list.push_back({names[k], "N", body ? "force, body axes" : "force, world axes", force[k]});
    }
    for (std::size_t k = 0; k < 3; ++k) {
      list.push_back({names[3 + k], "N*m", body ? "torque, body axes" : "torque, world axes", torque[k]});
    }
    return list;
  }

  template <class Visit>
  static void for_numbers(Visit, auto&...) {}

 private:
  template <class T>
  Vec3<T> in_world(const Instant<T, C>& instant, const Values<T>& values, const std::array<Slot, 3>& slots) const {
    const Vec3<T> v = values.vector(slots);
    return axes == Axes::body ? instant.from_body(instant.nodes[node].body, v) : v;
  }
};

}  // namespace gyrostat
