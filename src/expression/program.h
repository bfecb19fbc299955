// Expressions compiled to a flat program: evaluated millions of times, for one system or several at once, with or
// without derivatives, and with every discontinuity in the open.
//
// A program works on an array of slots: inputs, written by the caller; constants and what follows from them alone,
// written once by `prepare`; and what the instructions compute. The scalar may be double, Dual, Jet or Pack.
//
// Parameters are constants that are neither folded nor shared: programs compiled from the same text with other values
// of the parameters differ in the values of their constants only, and can be evaluated as lanes of a pack.
//
// Everything that jumps or bends (abs, sign, min, max, clamp, comparisons, ?:, step, ramp, pulse) becomes a choice
// between two smooth branches by the sign of a guard; floor is held at its whole number. The choices are the program's
// switches. An integrator watches the guards, and between two events may hold each switch where it is, so that what it
// integrates is smooth. A table bends at its knots, which are switches too; held, by the number of a segment, it goes
// on beyond them. An atan2 that is held goes on beyond its branch cut.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "gyrostat/expression/syntax.h"
#include "gyrostat/math/dual.h"
#include "gyrostat/math/pack.h"
#include "gyrostat/math/table.h"

namespace gyrostat::expression {

using Slot = std::uint32_t;

enum class Code : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sqrt,
  exp,
  log,
  sinh,
  cosh,
  tanh,
  asinh,
  floor,
  select,
  table
};

struct Instruction {
  Code code;
  Slot target;
  std::uint32_t a = 0, b = 0;  // operand slots; for table, b is the table
  std::uint32_t which = 0;     // the switch of select and table; of atan2 and floor one more, 0 where it never jumps

  bool operator==(const Instruction&) const = default;
};

struct Switch {
  enum class Kind : std::uint8_t {
    not_negative,  // on where guard >= 0
    positive,      // on where guard > 0
    branch_cut,    // atan2(guard, other) jumps where guard passes zero while other < 0
    knots,         // the table bends where the guard passes one of its knots
    steps,         // floor(guard) jumps where the guard passes a whole number
  };
  Kind kind = Kind::not_negative;
  Slot guard = 0;
  Slot other = 0;
  std::uint32_t table = 0;
  std::optional<double> time;  // the guard is t - time or time - t: the instant is known [s]
  bool falls = false;          // it is time - t
  bool fixed = false;          // the guard is a constant: it never changes
  std::string_view cause;      // "step", "abs", "<" ...: the function or operator it comes from
};

struct Program {
  std::size_t inputs = 0;  // the first slots, which the builder was told of
  std::size_t slots = 0;
  std::vector<std::pair<Slot, double>> constants;
  std::vector<Instruction> prologue;  // what follows from constants alone
  std::vector<Instruction> instructions;
  std::vector<Switch> switches;
  std::vector<Table> tables;
};

/// The position of a floor at x: its value, counted from a whole number below all that an event can be made of.
inline constexpr double lowest_step = -2147483648.0;
inline std::uint32_t step_position(double x) {
  return static_cast<std::uint32_t>(std::clamp(std::floor(x) - lowest_step, 0.0, 4294967295.0));
}
inline double step_at(std::uint32_t position) { return position + lowest_step; }
/// Of x from the nearer end of the step; negative beyond it.
inline double distance_from_steps(double x, std::uint32_t position) {
  return std::min(x - step_at(position), step_at(position) + 1 - x);
}

/// Where a switch is held: on or off, the segment of a table's knots, the step of a floor. Of a pack, lane by lane.
template <class Scalar>
struct PositionOf {
  using type = std::uint32_t;
};
template <std::size_t N>
struct PositionOf<Pack<N>> {
  struct type {
    typename Pack<N>::Mask on;
    std::array<std::uint32_t, N> segment{};

    void set(std::size_t lane, std::uint32_t position) {
      on.set(lane, position != 0);
      segment[lane] = position;
    }
  };
};
template <class Scalar>
using Position = typename PositionOf<Scalar>::type;

inline bool is_on(std::uint32_t position) { return position != 0; }
template <class P>
const auto& is_on(const P& position) requires requires {
  position.on;
}
{ return position.on; }

/// A table on the segment where it is held.
template <class Scalar>
Scalar look_up_held(const Table& table, const Scalar& x, std::uint32_t position) {
  return lookup(table, x, position);
}
template <std::size_t N>
Pack<N> look_up_held(const Table& table, const Pack<N>& x, const Position<Pack<N>>& position) {
  Pack<N> y;
  for (std::size_t lane = 0; lane < N; ++lane) y[lane] = table.on(position.segment[lane], x[lane]).value;
  return y;
}

/// A floor where it is held.
template <class Scalar>
Scalar floor_held(const Scalar& /*x*/, std::uint32_t position) {
  return Scalar(step_at(position));
}
template <std::size_t N>
Pack<N> floor_held(const Pack<N>& /*x*/, const Position<Pack<N>>& position) {
  Pack<N> y;
  for (std::size_t lane = 0; lane < N; ++lane) y[lane] = step_at(position.segment[lane]);
  return y;
}

/// Runs instructions. `condition(k)` says whether switch k is on, `arc` is the atan2 of an instruction, `look_up` its
/// table and `step` its floor.
template <class Scalar, class Condition, class Atan2, class Lookup, class Floor>
void run(std::span<const Instruction> instructions, std::span<Scalar> slots, Condition condition, Atan2 arc,
         Lookup look_up, Floor step) {
  using std::acos, std::asin, std::asinh, std::atan, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin,
      std::sinh, std::sqrt, std::tan, std::tanh;
  for (const Instruction& i : instructions) {
    const Scalar& a = slots[i.a];
    Scalar& y = slots[i.target];
    switch (i.code) {
      case Code::add: y = a + slots[i.b]; break;
      case Code::subtract: y = a - slots[i.b]; break;
      case Code::multiply: y = a * slots[i.b]; break;
      case Code::divide: y = a / slots[i.b]; break;
      case Code::negate: y = -a; break;
      case Code::power: y = pow(a, slots[i.b]); break;
      case Code::sin: y = sin(a); break;
      case Code::cos: y = cos(a); break;
      case Code::tan: y = tan(a); break;
      case Code::asin: y = asin(a); break;
      case Code::acos: y = acos(a); break;
      case Code::atan: y = atan(a); break;
      case Code::atan2: y = arc(i, a, slots[i.b]); break;
      case Code::sqrt: y = sqrt(a); break;
      case Code::exp: y = exp(a); break;
      case Code::log: y = log(a); break;
      case Code::sinh: y = sinh(a); break;
      case Code::cosh: y = cosh(a); break;
      case Code::tanh: y = tanh(a); break;
      case Code::asinh: y = asinh(a); break;
      case Code::floor: y = step(i, a); break;
      case Code::select: y = select(condition(i.which), a, slots[i.b]); break;
      case Code::table: y = look_up(i, a); break;
    }
  }
}

/// Every switch as its guard says now.
template <class Scalar>
void evaluate(const Program& program, std::span<const Instruction> instructions, std::span<Scalar> slots) {
  using std::atan2, std::floor;
  run(
      instructions, slots,
      [&](std::uint32_t k) {
        const Switch& s = program.switches[k];
        const Scalar& guard = slots[s.guard];
        using Condition = decltype(guard >= 0.0);
        return s.kind == Switch::Kind::positive ? Condition(guard > 0.0) : Condition(guard >= 0.0);
      },
      [](const Instruction&, const Scalar& y, const Scalar& x) { return atan2(y, x); },
      [&](const Instruction& i, const Scalar& x) { return lookup(program.tables[i.b], x); },
      [](const Instruction&, const Scalar& x) { return floor(x); });
}
template <class Scalar>
void evaluate(const Program& program, std::span<Scalar> slots) {
  evaluate<Scalar>(program, program.instructions, slots);
}

/// Every switch held at its position, whatever the guards are.
template <class Scalar>
void evaluate(const Program& program, std::span<const Instruction> instructions, std::span<Scalar> slots,
              std::span<const Position<Scalar>> positions) {
  using std::atan2, std::floor;
  run(
      instructions, slots, [&](std::uint32_t k) { return is_on(positions[k]); },
      [&](const Instruction& i, const Scalar& y, const Scalar& x) {
        const Scalar angle = atan2(y, x);
        if (i.which == 0) return angle;
        // held above the cut, an angle of the third quadrant is one beyond pi; held below, one of the second is below
        // -pi
        constexpr double half_pi = std::numbers::pi / 2;
        const Scalar risen = select(angle < -half_pi, angle + Scalar(2 * std::numbers::pi), angle);
        const Scalar fallen = select(angle > half_pi, angle - Scalar(2 * std::numbers::pi), angle);
        return select(is_on(positions[i.which - 1]), risen, fallen);
      },
      [&](const Instruction& i, const Scalar& x) { return look_up_held(program.tables[i.b], x, positions[i.which]); },
      [&](const Instruction& i, const Scalar& x) {
        return i.which == 0 ? floor(x) : floor_held(x, positions[i.which - 1]);
      });
}
template <class Scalar>
void evaluate(const Program& program, std::span<Scalar> slots, std::span<const Position<Scalar>> positions) {
  evaluate<Scalar>(program, program.instructions, slots, positions);
}

/// Writes the constants and what follows from them; once for each array of slots.
template <class Scalar>
void prepare(const Program& program, std::span<Scalar> slots) {
  for (const auto& [slot, value] : program.constants) slots[slot] = Scalar(value);
  evaluate<Scalar>(program, program.prologue, slots);
}

/// Compiles expressions into one program; equal sub-expressions are computed once, constants folded.
class ProgramBuilder {
 public:
  /// `time` is the input that holds t.
  ProgramBuilder(std::size_t inputs, Slot time) : time_(time) { program_.inputs = program_.slots = inputs; }

  using ResolveName = std::function<Slot(std::string_view)>;            // an input, a constant, an earlier result
  using ResolveTable = std::function<std::uint32_t(std::string_view)>;  // what add_table returned

  std::uint32_t add_table(Table table);
  /// The first of `count` further inputs, side by side.
  Slot add_inputs(std::size_t count = 1);
  Slot constant(double value);
  /// A constant whose value may be another one in the same program.
  Slot parameter(double value);

  /// The slot where the value of the expression will stand. Precondition: the expression was parsed without complaint
  /// and every name in it resolves.
  Slot add(const Expression& expression, const ResolveName& name, const ResolveTable& table = {});

  // Arithmetic on slots, for what is not written as an expression.
  Slot emit(Code code, Slot a, std::uint32_t b = 0, std::uint32_t which = 0);
  Slot clamp(Slot x, Slot low, Slot high, std::string_view cause);
  Slot look_up(std::uint32_t table, Slot x);
  /// atan2(y, x), whose branch cut is a switch.
  Slot angle_of(Slot y, Slot x);
  /// floor(x), whose jumps are a switch.
  Slot floor_of(Slot x);
  /// yes where the guard is positive, else no.
  Slot where_positive(Slot guard, Slot yes, Slot no, std::string_view cause);

  /// How many switches there are by now: those of what is added next have these numbers and above.
  [[nodiscard]] std::size_t switch_count() const { return program_.switches.size(); }

  Program finish() { return std::move(program_); }

 private:
  using Key = std::tuple<Code, std::uint32_t, std::uint32_t, std::uint32_t>;

  Slot lower(const Node& node, Slot a, Slot b, Slot c);
  Slot choose(Switch::Kind kind, Slot guard, Slot yes, Slot no, std::string_view cause);
  Slot select_by(std::uint32_t which, Slot yes, Slot no);
  Slot choose_by_value(Slot condition, Slot yes, Slot no);
  Slot integer_power(Slot base, int exponent);
  std::uint32_t find_switch(Switch wanted);
  /// Of a constant that is no parameter and does not follow from one.
  std::optional<double> literal(Slot slot) const;
  /// Of any constant.
  std::optional<double> value_of(Slot slot) const;

  Program program_;
  Slot time_;
  std::map<std::uint64_t, Slot> constant_slots_;  // by their bits
  struct Constant {
    double value = 0;
    bool literal = true;
  };
  std::unordered_map<Slot, Constant> constants_;
  std::map<Key, Slot> computed_;
  std::map<std::tuple<Switch::Kind, Slot, Slot, std::uint32_t>, std::uint32_t> known_switches_;

  /// A choice between constants, or between such choices: what comparisons make.
  struct Truth {
    std::uint32_t which = 0;
    Slot yes = 0, no = 0;
    int depth = 0;
  };
  std::map<Slot, Truth> truths_;
};

}  // namespace gyrostat::expression
