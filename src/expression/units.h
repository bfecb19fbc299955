// Units and dimensions: "3500 N*m/rad" is a number in SI and what it measures.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gyrostat/expression/syntax.h"

namespace gyrostat {

/// Exponents of kilogram, metre, second and radian.
struct Dimension {
  int mass = 0, length = 0, time = 0, angle = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.mass + b.mass, a.length + b.length, a.time + b.time, a.angle + b.angle};
}
constexpr Dimension operator^(const Dimension& a, int n) { return {a.mass * n, a.length * n, a.time * n, a.angle * n}; }
constexpr Dimension operator/(const Dimension& a, const Dimension& b) { return a * (b ^ -1); }

namespace dimension {
inline constexpr Dimension none{}, mass{1}, length{0, 1}, time{0, 0, 1}, angle{0, 0, 0, 1};
inline constexpr Dimension angular_rate = angle / time, velocity = length / time;
inline constexpr Dimension acceleration = velocity / time, angular_acceleration = angular_rate / time;
inline constexpr Dimension force = mass * acceleration, torque = force * length, inertia = mass * length * length;
inline constexpr Dimension stiffness = force / length, damping = force / velocity;
inline constexpr Dimension angular_stiffness = torque / angle, angular_damping = torque / angular_rate;
inline constexpr Dimension gravity_parameter = (length ^ 3) / (time ^ 2);
}  // namespace dimension

/// May a value of dimension `have` stand where `want` is asked? A radian is a number to many formulas: where mass is
/// involved (a stiffness in N*m or N*m/rad) angles are not compared.
bool compatible(const Dimension& have, const Dimension& want);

/// The same for a value that a formula made: angles are not compared at all (2*pi/T is a rate).
bool compatible_but_for_angle(const Dimension& have, const Dimension& want);

/// "kg*m^2/s", "rad/s", "a plain number".
std::string unit_text(const Dimension& dimension);

struct Unit {
  double factor = 1;  // SI value of one unit
  Dimension dimension;
};

struct UnitParsed {
  Unit unit;
  std::optional<expression::Complaint> complaint;  // its offset is into the unit's text
};

/// Products and quotients of units with whole powers: `N*m/rad`, `kg*m^2`, `1/s`.
UnitParsed parse_unit(std::string_view text);

/// What a number of an expression measures: nothing unless a unit stands behind it.
Dimension dimension_of_unit(const expression::Expression& expression, const expression::Node& node);

/// "NUMBER UNIT" taken apart, without a judgement of the unit; nothing if the text is not of that form, as "2 m + x".
struct QuantityText {
  double number = 0;
  std::string_view unit;
  std::size_t unit_offset = 0;
};
std::optional<QuantityText> split_quantity(std::string_view text);

}  // namespace gyrostat
