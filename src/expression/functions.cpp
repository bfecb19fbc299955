#include "gyrostat/expression/functions.h"

#include <algorithm>
#include <array>

namespace gyrostat::expression {

namespace {

struct FunctionEntry {
  std::string_view name;
  Operation operation;
  int operands;
  bool reserved = true;
};

constexpr std::array functions = {FunctionEntry{"sin", Operation::sin, 1},
                                  FunctionEntry{"cos", Operation::cos, 1},
                                  FunctionEntry{"tan", Operation::tan, 1},
                                  FunctionEntry{"asin", Operation::asin, 1},
                                  FunctionEntry{"acos", Operation::acos, 1},
                                  FunctionEntry{"atan", Operation::atan, 1},
                                  FunctionEntry{"atan2", Operation::atan2, 2},
                                  FunctionEntry{"sqrt", Operation::sqrt, 1},
                                  FunctionEntry{"exp", Operation::exp, 1},
                                  FunctionEntry{"log", Operation::log, 1},
                                  FunctionEntry{"abs", Operation::abs, 1},
                                  FunctionEntry{"sign", Operation::sign, 1},
                                  FunctionEntry{"min", Operation::min, 2},
                                  FunctionEntry{"max", Operation::max, 2},
                                  FunctionEntry{"clamp", Operation::clamp, 3},
                                  FunctionEntry{"deg", Operation::deg, 1},
                                  FunctionEntry{"rpm", Operation::rpm, 1},
                                  FunctionEntry{"step", Operation::step, 1},
                                  FunctionEntry{"ramp", Operation::ramp, 1},
                                  FunctionEntry{"pulse", Operation::pulse, 2},
                                  FunctionEntry{"table", Operation::table, 1},
                                  FunctionEntry{"sinh", Operation::sinh, 1, false},
                                  FunctionEntry{"cosh", Operation::cosh, 1, false},
                                  FunctionEntry{"tanh", Operation::tanh, 1, false},
                                  FunctionEntry{"asinh", Operation::asinh, 1, false},
                                  FunctionEntry{"floor", Operation::floor, 1, false},
                                  FunctionEntry{"dot", Operation::dot, 2, false},
                                  FunctionEntry{"cross", Operation::cross, 2, false},
                                  FunctionEntry{"norm", Operation::norm, 1, false},
                                  FunctionEntry{"unit", Operation::unit, 1, false},
                                  FunctionEntry{"angle", Operation::angle, 2, false},
                                  FunctionEntry{"sum", Operation::sum, 1, false},
                                  FunctionEntry{"in", Operation::in, 1, false},
                                  FunctionEntry{"quaternion", Operation::quaternion, 2, false},
                                  FunctionEntry{"rotation", Operation::rotation, 2, false},
                                  FunctionEntry{"euler_angles", Operation::euler_angles, 1, false},
                                  FunctionEntry{"inverse", Operation::inverse, 1, false},
                                  FunctionEntry{"error_vector", Operation::error_vector, 2, false},
                                  FunctionEntry{"rotate", Operation::rotate, 2, false},
                                  FunctionEntry{"slerp", Operation::slerp, 3, false}};

constexpr std::array abbreviations = {
    AbbreviationEntry{"if", Abbreviation::choice, 3},   AbbreviationEntry{"ceil", Abbreviation::ceil, 1},
    AbbreviationEntry{"round", Abbreviation::round, 1}, AbbreviationEntry{"mod", Abbreviation::mod, 2},
    AbbreviationEntry{"hypot", Abbreviation::hypot, 2}, AbbreviationEntry{"attitude", Abbreviation::attitude, 2}};

}  // namespace

const AbbreviationEntry* find_abbreviation(std::string_view name) {
  const auto found = std::ranges::find(abbreviations, name, &AbbreviationEntry::name);
  return found == abbreviations.end() ? nullptr : found;
}

std::vector<std::string_view> all_function_names() {
  std::vector<std::string_view> names;
  for (const FunctionEntry& f : functions) names.push_back(f.name);
  for (const AbbreviationEntry& f : abbreviations) names.push_back(f.name);
  return names;
}

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::number:
    case Operation::name: return 0;
    case Operation::negate:
    case Operation::logical_not:
    case Operation::component: return 1;
    case Operation::vector:
    case Operation::conditional: return 3;
    default: break;
  }
  for (const auto& f : functions) {
    if (f.operation == operation) return f.operands;
  }
  return 2;
}

bool is_reserved(std::string_view name) {
  return std::ranges::any_of(functions, [&](const FunctionEntry& f) { return f.reserved && f.name == name; });
}

std::optional<Operation> function_named(std::string_view name) {
  for (const auto& f : functions) {
    if (f.name == name) return f.operation;
  }
  return std::nullopt;
}

std::string_view function_name(Operation operation) {
  for (const auto& f : functions) {
    if (f.operation == operation) return f.name;
  }
  return {};
}

}  // namespace gyrostat::expression
