#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gyrostat/expression/nearest_part.h"
#include "gyrostat/expression/vectors.h"
#include "gyrostat/format/limits.h"
#include "gyrostat/format/read_fields.h"

namespace gyrostat::reading {

namespace {

using expression::Constant;

std::variant<Constant, std::string> parameter(const Context& context, std::string_view name) {
  if (name == "t") return "t changes as the simulation runs, but a constant is needed here";
  const auto found = context.parameters.find(std::string(name));
  if (found != context.parameters.end()) return found->second;
  if (name.find('.') != std::string_view::npos) {
    return fmt::format("'{}' changes as the simulation runs, but a constant is needed here", name);
  }
  return fmt::format("no parameter '{}'{}", name,
                     context.problems.full() ? "" : did_you_mean_part(name, context.parameter_names));
}

/// Parameters are numbers and vectors without axes.
std::optional<expression::Symbol> parameter_symbol(const Context& context, std::string_view name) {
  const auto known = [&](const std::string& whole) { return context.parameters.contains(whole); };
  const std::string text(name);
  if (known(text)) return expression::Symbol{{}, {text}};
  if (!known(text + ".x")) return std::nullopt;
  return expression::Symbol{{expression::Type::vector}, {text + ".x", text + ".y", text + ".z"}};
}

/// Notes what a number, or each component of a vector, is computed from.
void note_formulas(const Value& value, const std::vector<expression::Expression>& components) {
  if (value.context.formulas == nullptr) return;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const Path path = components.size() == 1 ? value.path : Path{&value.path, {}, k};
    value.context.formulas->insert_or_assign(path.text(), components[k]);
  }
}

void note_number(const Value& value, double number) {
  if (value.context.formulas != nullptr) note_formulas(value, {expression::constant(number)});
}

/// The numbers of an expression of parameters: one, or three of a vector; none if something is wrong, and reported.
std::vector<Constant> evaluate_parameters(const Value& value, const expression::Expression& parsed) {
  auto lowered = lower_vectors(parsed, [&](std::string_view name) { return parameter_symbol(value.context, name); });
  if (const auto* complaint = std::get_if<expression::Complaint>(&lowered)) {
    value.error_at(complaint->offset, complaint->message);
    return {};
  }
  std::vector<Constant> constants;
  for (const expression::Expression& part : std::get<expression::Lowered>(lowered).components) {
    auto result =
        expression::evaluate_constant(part, [&](std::string_view name) { return parameter(value.context, name); });
    if (const auto* complaint = std::get_if<expression::Complaint>(&result)) {
      value.error_at(complaint->offset, complaint->message);
      return {};
    }
    constants.push_back(std::get<Constant>(result));
  }
  note_formulas(value, std::get<expression::Lowered>(lowered).components);
  return constants;
}

/// What is wrong where 3 numbers are expected and a name stands that is no parameter: an axis by its letter, a point.
std::optional<std::string> no_vector(const Value& value, const expression::Expression& parsed) {
  if (parsed.nodes.size() != 1 || parsed.nodes[0].operation != expression::Operation::name) return std::nullopt;
  const std::string& name = parsed.names[0];
  if (name == "pi" || parameter_symbol(value.context, name)) return std::nullopt;
  const std::size_t axis = name.size() == 1 ? std::string_view("xyz").find(name) : std::string_view::npos;
  constexpr std::array<std::string_view, 3> axes = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  return fmt::format("expected 3 numbers{}, or a parameter that is a vector; {}",
                     axis < axes.size() ? fmt::format(", like {}", axes[axis]) : "",
                     std::get<std::string>(parameter(value.context, name)));
}

/// The whole text as a plain decimal number.
std::optional<double> plain_number(std::string_view text, std::errc& error) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  error = result.ec;
  if (result.ptr != end || text.empty()) return std::nullopt;
  if (result.ec == std::errc{} && !std::isfinite(value)) return std::nullopt;  // from_chars knows "inf" and "nan"
  return value;
}

bool is_not_finite(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string_view bare = std::string_view(text).substr(std::min(text.find_first_not_of("+-."), text.size()));
  return bare == "nan" || bare == "inf" || bare == "infinity";
}

/// A constant as it is written. `directly` says that its unit was given, so that angles are compared too.
std::optional<Constant> read_written(const Value& value, bool& directly) {
  directly = false;
  if (!value.is_scalar()) {
    value.expected("a number");
    return std::nullopt;
  }
  const std::string& text = value.node.text;
  std::errc error{};
  if (const auto number = plain_number(text, error)) {
    if (error == std::errc{}) {
      note_number(value, *number);
      return Constant{*number, std::nullopt};
    }
    value.error(fmt::format("the number {} cannot be represented (beyond 1e308 or below 1e-308)", text));
    return std::nullopt;
  }
  if (is_not_finite(text)) {
    value.expected("a finite number");
    return std::nullopt;
  }
  if (const auto quantity = split_quantity(text)) {
    const UnitParsed unit = parse_unit(quantity->unit);
    if (unit.complaint) {
      std::string message = unit.complaint->message;
      if (value.context.parameters.contains(std::string(quantity->unit))) {
        message += fmt::format("; to multiply by the parameter write {}*{}", quantity->number, quantity->unit);
      }
      value.error_at(quantity->unit_offset + unit.complaint->offset, std::move(message));
      return std::nullopt;
    }
    directly = true;
    const double number = quantity->number * unit.unit.factor;
    if (std::isfinite(number)) {
      note_number(value, number);
      return Constant{number, unit.unit.dimension};
    }
    value.error("the quantity is not a finite number in SI units");
    return std::nullopt;
  }
  const expression::Parsed parsed = expression::parse(text);
  if (parsed.complaint) {
    value.error_at(parsed.complaint->offset, parsed.complaint->message);
    return std::nullopt;
  }
  const std::vector<Constant> constants = evaluate_parameters(value, parsed.expression);
  if (constants.empty()) return std::nullopt;
  if (constants.size() > 1) {
    value.error("expected a number, got a vector; a component of it is written v.x");
    return std::nullopt;
  }
  directly = parsed.expression.nodes.size() == 1;  // a parameter by itself has the unit it was given
  return constants.front();
}

/// False, and reported, if the constant measures something else.
bool check_dimension(const Value& value, const Constant& constant, bool directly, const Dimension& wanted) {
  if (!constant.dimension) return true;
  const bool fits =
      directly ? compatible(*constant.dimension, wanted) : compatible_but_for_angle(*constant.dimension, wanted);
  if (fits) return true;
  value.error(fmt::format("expected {}, got {}",
                          wanted == dimension::none ? "a plain number" : "a value in " + unit_text(wanted),
                          unit_text(*constant.dimension)));
  return false;
}

/// A list with one entry for each dimension, or one value that serves for all. Precondition: at least one dimension.
template <class Result, class Read>
std::vector<Result> read_for_each(const Value& value, const std::vector<Dimension>& dimensions, std::string_view one,
                                  std::string_view what, Read read) {
  if (!value.is_list()) {
    const bool alike =
        std::all_of(dimensions.begin(), dimensions.end(), [&](const Dimension& d) { return d == dimensions[0]; });
    if (alike) return std::vector<Result>(dimensions.size(), read(value, dimensions.at(0)));
    // one number for a rotation and a translation alike is never meant
    value.error(fmt::format("expected a list of {} {}: the joint has both rotations and translations",
                            dimensions.size(), what));
    return std::vector<Result>(dimensions.size());
  }
  std::vector<Result> results;
  if (value.node.items.size() != dimensions.size()) {
    value.error(fmt::format("expected {}, got {}",
                            dimensions.size() == 1 ? one : fmt::format("{} {}", dimensions.size(), what),
                            value.node.items.size()));
    return std::vector<Result>(dimensions.size());
  }
  for (std::size_t i = 0; i < dimensions.size(); ++i) results.push_back(read(value.item(i), dimensions[i]));
  return results;
}

}  // namespace

double within_limits(const Value& value, double number) {
  const double size = std::abs(number);
  if (std::isnan(size)) return unreadable;  // a parameter that could not be read, and was reported
  if (size == 0 || (size >= limits::smallest && size <= limits::largest)) return number;
  value.error(fmt::format("{:g} is too {} to compute with; the limit is {:g} in SI units", number,
                          size > 1 ? "large" : "small", size > 1 ? limits::largest : limits::smallest));
  return unreadable;
}

Constant read_measured(const Value& value) {
  bool directly = false;
  return read_written(value, directly).value_or(Constant{unreadable, std::nullopt});
}

double read_constant(const Value& value, const Dimension& dimension) {
  bool directly = false;
  const auto constant = read_written(value, directly);
  if (!constant) return unreadable;
  if (!check_dimension(value, *constant, directly, dimension)) return unreadable;
  return within_limits(value, constant->value);
}

double read_coupling_coefficient(const Value& value) { return within_limits(value, read_measured(value).value); }

bool may_be_vector(const Value& value) {
  std::errc error{};
  if (!value.is_scalar() || plain_number(value.node.text, error) || split_quantity(value.node.text)) return false;
  const expression::Parsed parsed = expression::parse(value.node.text);
  return !parsed.complaint && std::ranges::any_of(parsed.expression.names, [&](const std::string& name) {
    return parameter_symbol(value.context, name) && !value.context.parameters.contains(name);
  });
}

std::vector<double> read_constant_list(const Value& value, const Dimension& dimension) {
  std::vector<double> numbers;
  if (may_be_vector(value)) {
    const Vector3 v = read_vector(value, dimension);
    return {v.x(), v.y(), v.z()};
  }
  if (!value.is_list()) {
    value.expected("a list of numbers");
    return numbers;
  }
  numbers.reserve(value.node.items.size());
  for (std::size_t i = 0; i < value.node.items.size(); ++i) numbers.push_back(read_constant(value.item(i), dimension));
  return numbers;
}

std::vector<double> read_constants(const Value& value, const std::vector<Dimension>& dimensions) {
  return read_for_each<double>(value, dimensions, "1 number", "numbers", read_constant);
}

std::vector<std::vector<double>> read_matrix(const Value& value) {
  std::vector<std::vector<double>> rows;
  if (!value.is_list()) {
    value.expected("a list of rows, each a list of numbers");
    return rows;
  }
  for (std::size_t i = 0; i < value.node.items.size(); ++i) {
    const Value row = value.item(i);
    rows.push_back(read_constant_list(row, dimension::none));
    if (!row.is_list()) return {};
    if (rows.back().size() != rows.front().size()) {
      row.error(
          fmt::format("expected {} numbers as in the first row, got {}", rows.front().size(), rows.back().size()));
      return {};
    }
  }
  return rows;
}

std::vector<Constant> read_parameter(const Value& value) {
  if (value.is_list()) {
    if (value.node.items.size() == 3)
      return {read_measured(value.item(0)), read_measured(value.item(1)), read_measured(value.item(2))};
    value.error(fmt::format("a parameter is a number or a vector of 3, not a list of {}", value.node.items.size()));
    return {{unreadable, std::nullopt}};
  }
  std::errc error{};
  const std::string& text = value.node.text;
  if (!value.is_scalar() || plain_number(text, error) || split_quantity(text) || is_not_finite(text))
    return {read_measured(value)};
  const expression::Parsed parsed = expression::parse(text);
  if (parsed.complaint) return {read_measured(value)};
  std::vector<Constant> constants = evaluate_parameters(value, parsed.expression);
  if (constants.empty()) constants.push_back({unreadable, std::nullopt});
  return constants;
}

Vector3 read_vector(const Value& value, const Dimension& dimension) {
  std::errc error{};
  if (value.is_scalar() && !plain_number(value.node.text, error) && !split_quantity(value.node.text)) {
    const expression::Parsed parsed = expression::parse(value.node.text);
    if (parsed.complaint) {
      value.error_at(parsed.complaint->offset, parsed.complaint->message);
      return Vector3::Constant(unreadable);
    }
    if (const auto why = no_vector(value, parsed.expression)) {
      value.error(*why);
      return Vector3::Constant(unreadable);
    }
    const std::vector<Constant> constants = evaluate_parameters(value, parsed.expression);
    if (constants.size() != 3) {
      if (constants.size() == 1) value.expected("3 numbers");
      return Vector3::Constant(unreadable);
    }
    Vector3 v;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool fits = check_dimension(value, constants[i], false, dimension);
      v[static_cast<Eigen::Index>(i)] = fits ? within_limits(value, constants[i].value) : unreadable;
    }
    return v;
  }
  if (!value.is_list()) {
    value.expected("3 numbers");
    return Vector3::Constant(unreadable);
  }
  if (value.node.items.size() != 3) {
    value.error(fmt::format("expected 3 numbers, got {}", value.node.items.size()));
    return Vector3::Constant(unreadable);
  }
  Vector3 v;
  for (std::size_t i = 0; i < 3; ++i) v[static_cast<Eigen::Index>(i)] = read_constant(value.item(i), dimension);
  return v;
}

Vector3 read_direction(const Value& value) {
  Vector3 v = read_vector(value, dimension::none);
  if (v.hasNaN()) return v;
  const double length = v.norm();
  if (length > 0) return v / length;
  value.error("a direction cannot have zero length");
  return Vector3::Constant(unreadable);
}

std::vector<Vector3> read_directions(const Value& value, std::size_t least, std::size_t most) {
  std::vector<Vector3> directions;
  const std::string wanted = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  if (!value.is_list()) {
    value.expected(fmt::format("a list of {} axes, each 3 numbers", wanted));
    return directions;
  }
  const std::size_t count = value.node.items.size();
  if (count < least || count > most) {
    value.error(fmt::format("expected {} axes, each 3 numbers, got {}", wanted, count));
    return directions;
  }
  for (std::size_t i = 0; i < count; ++i) directions.push_back(read_direction(value.item(i)));
  return directions;
}

Coefficient read_coefficient(const Value& value, const Dimension& dimension) {
  if (!value.is_mapping()) return {read_constant(value, dimension), "", {}};
  const Fields fields(value, format::coefficient);
  return {0, fields.text("table"), {}};
}

Coefficient read_dynamic_coefficient(const Value& value, const Dimension& dimension) {
  std::errc error{};
  const std::string& text = value.node.text;
  const bool written = !value.is_scalar() || plain_number(text, error) || split_quantity(text) || is_not_finite(text);
  if (written) return read_coefficient(value, dimension);
  expression::Parsed parsed = expression::parse(text);
  const auto is_constant = [&](const std::string& name) {
    return name == "pi" || value.context.parameters.contains(name);
  };
  const bool of_parameters = std::ranges::all_of(parsed.expression.names, is_constant);
  if (parsed.complaint || of_parameters) return read_coefficient(value, dimension);
  return {0, "", std::move(parsed.expression)};
}

std::vector<Coefficient> read_coefficients(const Value& value, const std::vector<Dimension>& dimensions) {
  return read_for_each<Coefficient>(value, dimensions, "1 value", "values", read_coefficient);
}

Expression read_dynamic(const Value& value, const std::optional<Dimension>& dimension) {
  if (!value.is_scalar()) {
    value.expected("a number or an expression");
    return {};
  }
  const std::string& text = value.node.text;
  std::errc error{};
  if (plain_number(text, error) || split_quantity(text) || is_not_finite(text)) {
    const double constant = dimension ? read_constant(value, *dimension) : read_measured(value).value;
    return std::isnan(constant) ? Expression{} : expression::constant(constant);
  }
  expression::Parsed parsed = expression::parse(text);
  if (parsed.complaint) value.error_at(parsed.complaint->offset, parsed.complaint->message);
  return std::move(parsed.expression);
}

std::vector<Expression> read_dynamics(const Value& value, const std::vector<Dimension>& dimensions) {
  return read_for_each<Expression>(value, dimensions, "1 number or expression", "numbers or expressions", read_dynamic);
}

std::vector<Expression> read_dynamic_list(const Value& value) {
  std::vector<Expression> list;
  if (!value.is_list()) {
    value.expected("a list of expressions");
    return list;
  }
  if (value.node.items.size() > limits::parts) {
    value.error(fmt::format("{} expressions; the limit is {}", value.node.items.size(), limits::parts));
    return list;
  }
  for (std::size_t i = 0; i < value.node.items.size(); ++i) list.push_back(read_dynamic(value.item(i), std::nullopt));
  return list;
}

std::vector<Expression> read_dynamic_vector(const Value& value, const Dimension& dimension) {
  if (value.is_scalar()) return {read_dynamic(value, dimension)};  // a vector, to be taken apart
  if (!value.is_list()) {
    value.expected("3 numbers or expressions, or a vector");
    return {};
  }
  return read_dynamics(value, {dimension, dimension, dimension});
}

bool read_boolean(const Value& value) {
  const bool yes = value.is_scalar() && value.node.plain && value.node.text == "true";
  if (!yes && !(value.is_scalar() && value.node.plain && value.node.text == "false")) value.expected("true or false");
  return yes;
}

long read_integer(const Value& value) {
  long number = 0;
  const std::string& text = value.node.text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (value.is_scalar() && error == std::errc{} && end == text.data() + text.size()) return number;
  const bool is_formula =
      value.is_scalar() && std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c); });
  if (!is_formula) {
    value.expected("a whole number");
    return 0;
  }
  constexpr double most = 9007199254740992;  // 2^53: beyond it not every whole number is one of these
  const double x = read_constant(value, dimension::none);
  if (std::isnan(x)) return 0;  // reported
  if (x != std::round(x) || std::abs(x) > most) value.error(fmt::format("expected a whole number, got {}", x));
  return static_cast<long>(std::clamp(x, -most, most));
}

std::string read_text(const Value& value) {
  if (value.is_scalar()) return value.node.text;
  value.expected("text");
  return {};
}

std::string read_name(const Value& value) {
  if (value.is_scalar() && value.node.text.empty()) value.expected("a name");
  return read_text(value);
}

std::vector<std::string> read_names(const Value& value) {
  std::vector<std::string> names;
  if (!value.is_list()) {
    value.expected("a list of names");
    return names;
  }
  for (std::size_t i = 0; i < value.node.items.size(); ++i) {
    names.push_back(read_name(value.item(i)));
  }
  return names;
}

PointReference read_point(const Value& value, std::string body) {
  PointReference point{std::move(body), "", std::nullopt};
  if (value.is_list()) {
    point.position = read_vector(value, dimension::length);
  } else if (!value.is_scalar() || value.node.text.empty()) {
    value.expected("the name of a point, a position [x, y, z], or com");
  } else if (value.node.text != "com") {
    point.point = value.node.text;
  }
  return point;
}

PointReference read_attachment(const Value& value) {
  if (!value.is_list() || value.node.items.size() != 2) {
    value.expected("[BODY, POINT]");
    return {};
  }
  return read_point(value.item(1), read_name(value.item(0)));
}

}  // namespace gyrostat::reading
