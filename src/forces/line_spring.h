// Spring, damper and force along the line between two nodes. With the distance s of the nodes the tension is
//   k (s - s_0) + d s' + f,
// where k and d may be tables of the deflection s - s_0, or expressions; the work of a spring whose stiffness is an
// expression is no potential energy. Where the nodes coincide there is no line, and no force.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

/// The line between two nodes.
template <class T>
struct NodeLine {
  T distance{};       // [m]
  T rate{};           // of the distance [m/s]; zero where the nodes coincide
  Vec3<T> direction;  // from the first to the second, unit length; zero where they coincide
};

template <class T, class C>
NodeLine<T> node_line(const Instant<T, C>& instant, std::uint32_t from, std::uint32_t to) {
  using std::sqrt;
  const Vec3<T> along = instant.position(to) - instant.position(from);
  NodeLine<T> line;
  line.distance = sqrt(dot(along, along));
  line.direction = select(line.distance > 0.0, T(1.0) / line.distance, T(0.0)) * along;
  line.rate = dot(line.direction, instant.velocity(to) - instant.velocity(from));
  return line;
}

struct LineSpringStructure : ElementStructure {
  std::uint32_t from = 0, to = 0;  // nodes
  TableSpring spring;
  Slot force = no_slot;    // f, tension positive [N]
  Slot damper = no_slot;   // minus the tension of a damping that is a table or an expression
  Slot varying = no_slot;  // minus the tension of a stiffness that is an expression

  [[nodiscard]] auto tie() const {
    return std::tie(source, from, to, spring.table, spring.force, force, damper, varying);
  }
};

template <class C>
struct LineSpring : LineSpringStructure {
  using Structure = LineSpringStructure;
  C stiffness{}, damping{};  // constant parts [N/m, N s/m]
  C length{};                // s_0 [m]

  static LineSpring make(const SpringLoad& load, ElementContext& context) {
    LineSpring e;
    e.from = context.node(load.from);
    e.to = context.node(load.to);
    e.stiffness = load.stiffness.value;
    e.damping = load.damping.value;
    e.length = load.length;
    e.force = context.slot(load.force);
    const auto deflection = [&] {
      return context.compiler.difference(context.observe({Observable::Kind::distance, e.from, e.to}),
                                         context.compiler.number(load.length));
    };
    if (!load.stiffness.table.empty()) {
      e.spring = {static_cast<std::int32_t>(context.compiler.table(load.stiffness.table)),
                  context.table_spring(load.stiffness.table, deflection())};
    }
    if (!load.damping.table.empty()) {
      e.damper = context.table_damper(load.damping.table, deflection(),
                                      context.observe({Observable::Kind::distance_rate, e.from, e.to}));
    }
    if (!load.stiffness.expression.empty()) e.varying = context.varying(load.stiffness.expression, deflection());
    if (!load.damping.expression.empty()) {
      e.damper =
          context.varying(load.damping.expression, context.observe({Observable::Kind::distance_rate, e.from, e.to}));
    }
    return e;
  }

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>& values, Forces<T>& forces) const {
    const NodeLine<T> line = node_line(instant, from, to);
    const T tension =
        T(stiffness) * (line.distance - T(length)) - values.or_zero(spring.force) + dissipative(line, values);
    apply_force(instant, from, tension * line.direction, forces);
    apply_force(instant, to, -(tension * line.direction), forces);
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>& values) const {
    const NodeLine<T> line = node_line(instant, from, to);
    return -(dissipative(line, values) * line.rate);
  }

  template <class T>
  [[nodiscard]] T potential(const Instant<T, C>& instant, const Values<T>&, std::span<const Table> tables) const {
    const T x = node_line(instant, from, to).distance - T(length);
    return T(0.5) * T(stiffness) * x * x + spring.energy(tables, x);
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.stiffness...), visit(e.damping...), visit(e.length...);
  }

 private:
  template <class T>
  T dissipative(const NodeLine<T>& line, const Values<T>& values) const {
    return T(damping) * line.rate + values.or_zero(force) - values.or_zero(damper) - values.or_zero(varying);
  }
};

}  // namespace gyrostat
