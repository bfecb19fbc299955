// Spring, damper and motor between two bodies, about an axis a fixed in the first. The angle x is that of a line s of
// the second body from a line r of the first, seen along the axis:
//   x = atan2(a x r . s, r . s),                     r of unit length across the axis, -pi < x <= pi
//   torque on the second = f - k (x - x_0) - d w,    w = a . (w_second - w_first)
// where k and d may be tables of the deflection x - x_0, or expressions; the first gets the opposite. The rate of x is
// w where s is across the axis too. Elsewhere the work of the spring is not what its energy changes by, and the
// difference counts as power.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

struct TorsionSpringStructure : ElementStructure {
  std::uint32_t from = 0, to = 0;  // bodies
  TableSpring spring;
  Slot angle = no_slot;   // x [rad]
  Slot torque = no_slot;  // on the second, all of it [N m]

  [[nodiscard]] auto tie() const { return std::tie(source, from, to, spring.table, spring.force, angle, torque); }
};

template <class C>
struct TorsionSpring : TorsionSpringStructure {
  using Structure = TorsionSpringStructure;
  Vec3<C> axis, along, across;  // a, r and a x r, M axes of `from`
  Vec3<C> second;               // s, M axes of `to`
  C stiffness{}, rest{};        // constant part [N m/rad]; x_0 [rad]

  static TorsionSpring make(const TorsionSpringLoad& load, ElementContext& context) {
    using Kind = Observable::Kind;
    ExpressionCompiler& compiler = context.compiler;
    const std::uint32_t number = context.torsion_springs++;
    TorsionSpring e;
    e.from = context.system.body(load.from);
    e.to = context.system.body(load.to);
    e.set_lines(load, context);
    e.stiffness = load.stiffness.value;
    e.rest = load.rest;
    // expressions first, so that their switches have their names and that of the angle has the load's
    const auto slot = [&](const Expression& expression) { return context.slot(expression); };
    const Slot motor = slot(load.torque), k = slot(load.stiffness.expression), d = slot(load.damping.expression);
    e.angle = context.use(compiler.builder().angle_of(context.observe({Kind::torsion_sine, number}),
                                                      context.observe({Kind::torsion_cosine, number})));
    const Slot x = compiler.difference(e.angle, compiler.number(load.rest));
    const Slot rate = context.observe({Kind::torsion_rate, number});
    // the constants are in the program even where they are zero, so that lanes of a pack may differ in them
    Slot total = compiler.sum(compiler.scaled(-load.stiffness.value, x), compiler.scaled(-load.damping.value, rate));
    if (!load.stiffness.table.empty()) {
      e.spring = {static_cast<std::int32_t>(compiler.table(load.stiffness.table)),
                  context.table_spring(load.stiffness.table, x)};
      total = compiler.sum(total, e.spring.force);
    }
    if (!load.damping.table.empty()) total = compiler.sum(total, context.table_damper(load.damping.table, x, rate));
    if (k != no_slot) total = compiler.difference(total, compiler.product(k, x));
    if (d != no_slot) total = compiler.difference(total, compiler.product(d, rate));
    if (motor != no_slot) total = compiler.sum(total, motor);
    e.torque = context.use(total);
    return e;
  }

  /// The second line as the first body sees it along the axis.
  template <class T>
  struct Line {
    T sine{}, cosine{};  // of the angle, times the length of the line across the axis
  };
  template <class T>
  [[nodiscard]] Line<T> line(const Instant<T, C>& instant) const {
    return components(instant, instant.from_M(to, cast<T>(second)));
  }

  /// w [rad/s]
  template <class T>
  [[nodiscard]] T rate(const Instant<T, C>& instant) const {
    return dot(instant.from_M(from, cast<T>(axis)), relative(instant));
  }

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>& values, Forces<T>& forces) const {
    const Vec3<T> on_second = values[torque] * instant.from_M(from, cast<T>(axis));
    forces.wrench[to].torque += on_second;
    forces.wrench[from].torque -= on_second;
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>& values) const {
    const T elastic = values.or_zero(spring.force) - T(stiffness) * (values[angle] - T(rest));
    return values[torque] * rate(instant) - elastic * angle_rate(instant);
  }

  /// From the motion alone, since sensors of energy ask before signals are computed.
  template <class T>
  [[nodiscard]] T potential(const Instant<T, C>& instant, const Values<T>&, std::span<const Table> tables) const {
    using std::atan2;
    const Line<T> seen = line(instant);
    const T x = atan2(seen.sine, seen.cosine) - T(rest);
    return T(0.5) * T(stiffness) * x * x + spring.energy(tables, x);
  }

  [[nodiscard]] std::vector<ElementOutput> outputs() const {
    return {{"angle", "rad", "angle of the second line from the first about the axis", angle, no_slot, false},
            {"torque", "N*m", "torque on the second body", torque}};
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    const auto visit_vector = [&](auto&... v) { visit(v.x...), visit(v.y...), visit(v.z...); };
    visit_vector(e.axis...), visit_vector(e.along...), visit_vector(e.across...), visit_vector(e.second...);
    visit(e.stiffness...), visit(e.rest...);
  }

 private:
  void set_lines(const TorsionSpringLoad& load, const ElementContext& context) {
    const Vector3 across_axis = (load.from_line - load.axis.dot(load.from_line) * load.axis).normalized();
    axis = context.in_M(from, load.axis);
    along = context.in_M(from, across_axis);
    across = context.in_M(from, load.axis.cross(across_axis));
    second = context.in_M(to, load.to_line);
  }
  template <class T>
  Line<T> components(const Instant<T, C>& instant, const Vec3<T>& v) const {
    return {dot(instant.from_M(from, cast<T>(across)), v), dot(instant.from_M(from, cast<T>(along)), v)};
  }
  template <class T>
  Vec3<T> relative(const Instant<T, C>& instant) const {
    return instant.angular_velocity(to) - instant.angular_velocity(from);
  }
  /// Of x; zero where the second line is along the axis and has no angle.
  template <class T>
  T angle_rate(const Instant<T, C>& instant) const {
    const Vec3<T> s = instant.from_M(to, cast<T>(second));
    const Line<T> now = components(instant, s), change = components(instant, cross(relative(instant), s));
    const T square = now.sine * now.sine + now.cosine * now.cosine;
    return select(square > 0.0, (now.cosine * change.sine - now.sine * change.cosine) / square, T(0.0));
  }
};

}  // namespace gyrostat
