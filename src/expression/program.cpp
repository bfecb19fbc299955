#include "gyrostat/expression/program.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gyrostat/expression/arithmetic.h"

namespace gyrostat::expression {

namespace {

/// The operation a code computes, for folding; nothing for select and table.
std::optional<Operation> operation_of(Code code) {
  switch (code) {
    case Code::add: return Operation::add;
    case Code::subtract: return Operation::subtract;
    case Code::multiply: return Operation::multiply;
    case Code::divide: return Operation::divide;
    case Code::negate: return Operation::negate;
    case Code::power: return Operation::power;
    case Code::sin: return Operation::sin;
    case Code::cos: return Operation::cos;
    case Code::tan: return Operation::tan;
    case Code::asin: return Operation::asin;
    case Code::acos: return Operation::acos;
    case Code::atan: return Operation::atan;
    case Code::atan2: return Operation::atan2;
    case Code::sqrt: return Operation::sqrt;
    case Code::exp: return Operation::exp;
    case Code::log: return Operation::log;
    case Code::sinh: return Operation::sinh;
    case Code::cosh: return Operation::cosh;
    case Code::tanh: return Operation::tanh;
    case Code::asinh: return Operation::asinh;
    case Code::floor: return Operation::floor;
    case Code::select:
    case Code::table: return std::nullopt;
  }
  return std::nullopt;
}

bool takes_two(Code code) {
  return code == Code::add || code == Code::subtract || code == Code::multiply || code == Code::divide ||
         code == Code::power || code == Code::atan2;
}

}  // namespace

std::uint32_t ProgramBuilder::add_table(Table table) {
  program_.tables.push_back(std::move(table));
  return static_cast<std::uint32_t>(program_.tables.size() - 1);
}

Slot ProgramBuilder::constant(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);  // keeps 0 and -0 apart, and NaN in order
  if (const auto found = constant_slots_.find(bits); found != constant_slots_.end()) return found->second;
  const Slot slot = static_cast<Slot>(program_.slots++);
  program_.constants.emplace_back(slot, value);
  constant_slots_.emplace(bits, slot);
  constants_[slot] = {value, true};
  return slot;
}

Slot ProgramBuilder::parameter(double value) {
  const Slot slot = add_inputs();
  program_.constants.emplace_back(slot, value);
  constants_[slot] = {value, false};
  return slot;
}

Slot ProgramBuilder::add_inputs(std::size_t count) {
  program_.slots += count;
  return static_cast<Slot>(program_.slots - count);
}

std::optional<double> ProgramBuilder::value_of(Slot slot) const {
  const auto found = constants_.find(slot);
  return found == constants_.end() ? std::nullopt : std::optional(found->second.value);
}

std::optional<double> ProgramBuilder::literal(Slot slot) const {
  const auto found = constants_.find(slot);
  return found == constants_.end() || !found->second.literal ? std::nullopt : std::optional(found->second.value);
}

Slot ProgramBuilder::emit(Code code, Slot a, std::uint32_t b, std::uint32_t which) {
  const auto operation = operation_of(code);
  const auto value_a = value_of(a), value_b = takes_two(code) ? value_of(b) : std::optional(0.0);
  const bool of_constants = operation && value_a && value_b && which == 0;
  if (of_constants && literal(a) && (!takes_two(code) || literal(b))) {
    return constant(arithmetic(*operation, *value_a, *value_b));
  }
  const auto [found, is_new] = computed_.try_emplace(Key{code, a, b, which}, static_cast<Slot>(program_.slots));
  if (!is_new) return found->second;
  const Slot slot = add_inputs();
  (of_constants ? program_.prologue : program_.instructions).push_back({code, slot, a, b, which});
  if (of_constants) constants_[slot] = {arithmetic(*operation, *value_a, *value_b), false};
  return slot;
}

std::uint32_t ProgramBuilder::find_switch(Switch wanted) {
  const auto next = static_cast<std::uint32_t>(program_.switches.size());
  const auto [found, is_new] =
      known_switches_.try_emplace(std::tuple(wanted.kind, wanted.guard, wanted.other, wanted.table), next);
  if (!is_new) return found->second;
  wanted.fixed =
      value_of(wanted.guard).has_value() && (wanted.kind != Switch::Kind::branch_cut || value_of(wanted.other));
  const bool known_instant = wanted.kind != Switch::Kind::steps;  // one, or those of the knots
  if (wanted.guard == time_ && known_instant) wanted.time = 0;
  // t - constant, or the constant - t of a comparison; instructions are in the order of their targets
  const auto computed = std::lower_bound(program_.instructions.begin(), program_.instructions.end(), wanted.guard,
                                         [](const Instruction& i, Slot target) { return i.target < target; });
  const bool difference =
      computed != program_.instructions.end() && computed->target == wanted.guard && computed->code == Code::subtract;
  if (difference && known_instant) {
    if (computed->a == time_) wanted.time = value_of(computed->b);
    if (computed->b == time_ && wanted.kind != Switch::Kind::knots) {
      wanted.time = value_of(computed->a);
      wanted.falls = wanted.time.has_value();
    }
  }
  program_.switches.push_back(wanted);
  return next;
}

Slot ProgramBuilder::choose(Switch::Kind kind, Slot guard, Slot yes, Slot no, std::string_view cause) {
  if (yes == no) return yes;
  if (const auto value = literal(guard)) {
    return (kind == Switch::Kind::positive ? *value > 0 : *value >= 0) ? yes : no;
  }
  const std::uint32_t which = find_switch({kind, guard, 0, 0, std::nullopt, false, false, cause});
  return select_by(which, yes, no);
}

Slot ProgramBuilder::select_by(std::uint32_t which, Slot yes, Slot no) {
  if (yes == no) return yes;
  const Slot slot = emit(Code::select, yes, no, which);
  const auto depth = [&](Slot s) { return literal(s) ? 0 : truths_.contains(s) ? truths_.at(s).depth : max_depth; };
  const int deeper = 1 + std::max(depth(yes), depth(no));
  if (deeper < max_depth) truths_[slot] = {which, yes, no, deeper};
  return slot;
}

/// condition ? yes : no. Where the condition is made of comparisons, their own switches decide; any other number is
/// false where it is zero.
Slot ProgramBuilder::choose_by_value(Slot condition, Slot yes, Slot no) {
  std::map<Slot, Slot> decided;
  const std::function<Slot(Slot)> decide = [&](Slot truth) {
    if (const auto value = literal(truth)) return *value != 0 ? yes : no;
    if (const auto found = decided.find(truth); found != decided.end()) return found->second;
    const Truth chosen = truths_.at(truth);
    return decided[truth] = select_by(chosen.which, decide(chosen.yes), decide(chosen.no));
  };
  if (literal(condition) || truths_.contains(condition)) return decide(condition);
  const Slot if_not_positive = choose(Switch::Kind::positive, emit(Code::negate, condition), yes, no, "?:");
  return choose(Switch::Kind::positive, condition, yes, if_not_positive, "?:");
}

Slot ProgramBuilder::where_positive(Slot guard, Slot yes, Slot no, std::string_view cause) {
  return choose(Switch::Kind::positive, guard, yes, no, cause);
}

Slot ProgramBuilder::clamp(Slot x, Slot low, Slot high, std::string_view cause) {
  const Slot not_low = where_positive(emit(Code::subtract, x, high), high, x, cause);
  return where_positive(emit(Code::subtract, low, x), low, not_low, cause);
}

Slot ProgramBuilder::look_up(std::uint32_t table, Slot x) {
  if (const auto value = literal(x)) return constant(program_.tables[table].at(*value).value);
  const std::uint32_t knots = find_switch({Switch::Kind::knots, x, 0, table, std::nullopt, false, false, "table"});
  return emit(Code::table, x, table, knots);
}

Slot ProgramBuilder::angle_of(Slot y, Slot x) {
  if (literal(y) || literal(x).value_or(-1) > 0) return emit(Code::atan2, y, x);
  return emit(Code::atan2, y, x,
              1 + find_switch({Switch::Kind::branch_cut, y, x, 0, std::nullopt, false, false, "atan2"}));
}

Slot ProgramBuilder::floor_of(Slot x) {
  if (literal(x)) return emit(Code::floor, x);
  return emit(Code::floor, x, 0, 1 + find_switch({Switch::Kind::steps, x, 0, 0, std::nullopt, false, false, "floor"}));
}

Slot ProgramBuilder::integer_power(Slot base, int exponent) {
  if (exponent < 0) return emit(Code::divide, constant(1), integer_power(base, -exponent));
  if (exponent == 0) return constant(1);
  if (exponent == 1) return base;
  const Slot half = integer_power(base, exponent / 2);
  const Slot even = emit(Code::multiply, half, half);
  return exponent % 2 == 0 ? even : emit(Code::multiply, even, base);
}

Slot ProgramBuilder::lower(const Node& node, Slot a, Slot b, Slot c) {
  using Kind = Switch::Kind;
  const auto number = [this](double value) { return constant(value); };
  const auto minus = [this](Slot x, Slot y) { return emit(Code::subtract, x, y); };
  const std::string_view function = function_name(node.operation);
  switch (node.operation) {
    case Operation::number: return number(node.value);
    case Operation::name:
    case Operation::table: break;  // need the caller's tables of names
    case Operation::negate: return emit(Code::negate, a);
    case Operation::add: return emit(Code::add, a, b);
    case Operation::subtract: return minus(a, b);
    case Operation::multiply: return emit(Code::multiply, a, b);
    case Operation::divide: return emit(Code::divide, a, b);
    case Operation::power: {
      const auto exponent = literal(b);
      if (exponent && *exponent == std::round(*exponent) && std::abs(*exponent) <= 64) {
        return integer_power(a, static_cast<int>(*exponent));
      }
      return emit(Code::power, a, b);
    }
    case Operation::less: return choose(Kind::positive, minus(b, a), number(1), number(0), "<");
    case Operation::less_equal: return choose(Kind::not_negative, minus(b, a), number(1), number(0), "<=");
    case Operation::greater: return choose(Kind::positive, minus(a, b), number(1), number(0), ">");
    case Operation::greater_equal: return choose(Kind::not_negative, minus(a, b), number(1), number(0), ">=");
    case Operation::equal:
    case Operation::not_equal: {
      const bool equal = node.operation == Operation::equal;
      const std::string_view sign = equal ? "==" : "!=";
      const Slot same = number(equal ? 1 : 0), other = number(equal ? 0 : 1);
      const Slot not_above = choose(Kind::positive, minus(b, a), other, same, sign);
      return choose(Kind::positive, minus(a, b), other, not_above, sign);
    }
    case Operation::logical_and: return choose_by_value(a, choose_by_value(b, number(1), number(0)), number(0));
    case Operation::logical_or: return choose_by_value(a, number(1), choose_by_value(b, number(1), number(0)));
    case Operation::logical_not: return choose_by_value(a, number(0), number(1));
    case Operation::conditional: return choose_by_value(a, b, c);
    case Operation::sin: return emit(Code::sin, a);
    case Operation::cos: return emit(Code::cos, a);
    case Operation::tan: return emit(Code::tan, a);
    case Operation::asin: return emit(Code::asin, a);
    case Operation::acos: return emit(Code::acos, a);
    case Operation::atan: return emit(Code::atan, a);
    case Operation::atan2: return angle_of(a, b);
    case Operation::sqrt: return emit(Code::sqrt, a);
    case Operation::exp: return emit(Code::exp, a);
    case Operation::log: return emit(Code::log, a);
    case Operation::sinh: return emit(Code::sinh, a);
    case Operation::cosh: return emit(Code::cosh, a);
    case Operation::tanh: return emit(Code::tanh, a);
    case Operation::asinh: return emit(Code::asinh, a);
    case Operation::floor: return floor_of(a);
    case Operation::abs: return choose(Kind::not_negative, a, a, emit(Code::negate, a), function);
    case Operation::sign: {
      const Slot not_positive = choose(Kind::not_negative, a, number(0), number(-1), function);
      return choose(Kind::positive, a, number(1), not_positive, function);
    }
    case Operation::min: return choose(Kind::not_negative, minus(b, a), a, b, function);
    case Operation::max: return choose(Kind::not_negative, minus(a, b), a, b, function);
    case Operation::clamp: return clamp(a, b, c, function);
    case Operation::deg: return emit(Code::multiply, a, number(radians_per_degree));
    case Operation::rpm: return emit(Code::multiply, a, number(radians_per_second_per_rpm));
    case Operation::step: return choose(Kind::not_negative, minus(time_, a), number(1), number(0), function);
    case Operation::ramp: {
      const Slot since = minus(time_, a);
      return choose(Kind::not_negative, since, since, number(0), function);
    }
    case Operation::pulse: {
      const Slot not_over = choose(Kind::not_negative, minus(time_, b), number(0), number(1), function);
      return choose(Kind::not_negative, minus(time_, a), not_over, number(0), function);
    }
    default: break;  // of vectors: the tree is lowered before
  }
  return 0;
}

Slot ProgramBuilder::add(const Expression& expression, const ResolveName& name, const ResolveTable& table) {
  std::vector<Slot> slots(expression.nodes.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Node& node = expression.nodes[i];
    const Slot a = slots[node.operand[0]];
    if (node.operation == Operation::name) {
      slots[i] = name(expression.names[node.name]);
    } else if (node.operation == Operation::table) {
      const std::uint32_t which = table(expression.names[node.name]);
      slots[i] = look_up(which, a);
    } else {
      slots[i] = lower(node, a, slots[node.operand[1]], slots[node.operand[2]]);
    }
  }
  return slots.back();
}

}  // namespace gyrostat::expression
