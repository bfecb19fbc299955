#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/format/limits.h"
#include "gyrostat/format/read_sections.h"

namespace gyrostat::reading {

namespace {

/// Names of the outputs of a block: identifiers, each once.
std::vector<std::string> read_outputs(const Value& value) {
  if (value.node.items.size() > limits::parts) {
    value.error(fmt::format("{} outputs; the limit is {}", value.node.items.size(), limits::parts));
    return {};
  }
  std::vector<std::string> names = read_names(value);
  if (value.is_list() && names.empty()) value.error("at least one output is needed");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) check_name(value.item(i), names[i], Dots::refused);
  }
  return names;
}

/// The SI unit of a signal. Values are in SI, so one with a factor would be wrong by it.
std::optional<Dimension> read_unit(const Value& value) {
  const std::string text = read_text(value);
  if (text.empty()) return std::nullopt;
  const UnitParsed parsed = parse_unit(text);
  if (parsed.complaint) {
    value.error(parsed.complaint->message);
    return std::nullopt;
  }
  if (parsed.unit.factor != 1) {
    value.error(fmt::format("signals are in SI: write {}", unit_text(parsed.unit.dimension)));
    return std::nullopt;
  }
  return parsed.unit.dimension;
}

/// A condition, or {when, for}.
ModeTransition read_transition(const Value& value, std::string_view to) {
  ModeTransition transition{std::string(to), {}, 0, !value.is_mapping()};
  if (transition.brief) {
    transition.when = read_dynamic(value, std::nullopt);
    return transition;
  }
  const Fields fields(value, format::mode_transition);
  transition.when = fields.dynamic("when");
  transition.hold = fields.constant("for");
  const auto when = fields.find("when");
  if (when && transition.when.empty()) transition.hold = unreadable;  // it is reported, and not missing
  return transition;
}

/// A number or an expression, or three of them.
ModeEntry read_mode_entry(const Value& value, std::string_view signal) {
  ModeEntry entry{std::string(signal), {}};
  const bool vector = value.is_list() && value.node.items.size() == 3;
  for (std::size_t k = 0; vector && k < 3; ++k) entry.value.push_back(read_dynamic(value.item(k), std::nullopt));
  if (vector) return entry;
  if (value.is_scalar()) {
    entry.value.push_back(read_dynamic(value, std::nullopt));
  } else {
    value.expected("what the signal is set to: a number, an expression, or a vector of 3");
  }
  return entry;
}

std::vector<ModeState> read_mode_states(const Value& value) {
  constexpr std::string_view what = "states by name: {detumble: {to: {point: \"norm(bus.omega) < 0.01\"}}, point: }";
  std::vector<ModeState> states;
  if (!value.is_mapping() || value.node.items.empty()) {
    value.expected(what);
    return states;
  }
  if (value.node.items.size() / 2 > limits::parts) {
    value.error(fmt::format("{} states; the limit is {}", value.node.items.size() / 2, limits::parts));
    return states;
  }
  for_each_entry(
      value,
      [&](std::string_view name, const Value& at) {
        const Fields fields(at, format::mode_state);
        ModeState& state = states.emplace_back(ModeState{std::string(name), fields.constant("minimum"), {}, {}});
        if (const auto to = fields.find("to")) {
          for_each_entry(
              *to, [&](std::string_view t, const Value& v) { state.transitions.push_back(read_transition(v, t)); },
              Dots::refused);
        }
        if (const auto entry = fields.find("entry")) {
          for_each_entry(*entry,
                         [&](std::string_view s, const Value& v) { state.entry.push_back(read_mode_entry(v, s)); });
        }
      },
      Dots::refused);
  return states;
}

/// Reads the fields of a kind, each as its type and format say (field.h).
struct FieldReader {
  const Fields& fields;
  std::size_t component = 0;           // to take where a constant is given for each component of a vector
  bool* for_each_component = nullptr;  // set where one is; null: none may be

  template <class Member>
  void operator()(const FieldFormat& format, Member& member) const {
    const auto value = fields.find(format.name);
    if (value && format.filled && value->is_list() && value->node.items.empty()) value->error("the list is empty");
    read(format, value, member);
  }

 private:
  using Found = std::optional<Value>;

  void read(const FieldFormat& format, const Found& value, double& x) const {
    if (value && for_each_component != nullptr && value->is_list() && value->node.items.size() == 3) {
      *for_each_component = true;
      const Value item = value->item(component);
      x = format.dimension == dimension::none ? read_measured(item).value : read_constant(item, format.dimension);
      return;
    }
    const double fallback = format.required ? unreadable : x;
    // Without a dimension it has that of whatever the expressions around it mean: any unit will do.
    x = format.dimension == dimension::none ? fields.measured(format.name, fallback)
                                            : fields.constant(format.name, fallback);
  }
  void read(const FieldFormat& /*format*/, const Found& value, std::optional<double>& x) const {
    if (value) x = read_measured(*value).value;
  }
  void read(const FieldFormat& format, const Found& /*value*/, std::vector<double>& list) const {
    list = fields.constant_list(format.name);
  }
  void read(const FieldFormat& /*format*/, const Found& value, std::vector<std::vector<double>>& rows) const {
    if (value) rows = read_matrix(*value);
  }
  void read(const FieldFormat& format, const Found& /*value*/, Vector3& direction) const {
    direction = fields.direction(format.name);
  }
  void read(const FieldFormat& format, const Found& /*value*/, Expression& expression) const {
    expression = fields.dynamic(format.name);
  }
  void read(const FieldFormat& format, const Found& value, std::vector<Expression>& list) const {
    if (value && format.form == Form::dynamic_vector) list = read_dynamic_vector(*value, format.dimension);
    if (value && format.form == Form::dynamic_list) list = read_dynamic_list(*value);
  }
  void read(const FieldFormat& format, const Found& value, Coefficient& coefficient) const {
    if (value) coefficient = read_dynamic_coefficient(*value, format.dimension);
  }
  void read(const FieldFormat& format, const Found& value, PointReference& at) const {
    if (format.form == Form::body_name) {
      at.body = value ? read_name(*value) : std::string();
    } else if (value) {
      at = format.form == Form::attachment ? read_attachment(*value) : read_point(*value, std::move(at.body));
    }
  }
  void read(const FieldFormat& /*format*/, const Found& value, long& integer) const {
    if (value) integer = read_integer(*value);
  }
  void read(const FieldFormat& format, const Found& value, std::string& text) const {
    const bool name = format.form == Form::body_name || format.form == Form::coordinate_name;
    text = value && name ? read_name(*value) : fields.text(format.name, text);
  }
  void read(const FieldFormat& /*format*/, const Found& value, std::vector<std::string>& outputs) const {
    if (value) outputs = read_outputs(*value);
  }
  void read(const FieldFormat& /*format*/, const Found& value, std::vector<Vector3>& directions) const {
    if (value) directions = read_directions(*value, 1, 3);
  }
  void read(const FieldFormat& /*format*/, const Found& value,
            std::vector<std::pair<std::string, double>>& coefficients) const {
    if (!value) return;
    constexpr std::string_view what = "coordinates with their coefficients: {left.angle: 1, right.angle: -1}";
    if (!value->is_mapping()) return value->expected(what);
    if (value->node.items.empty()) return value->error(fmt::format("expected {}, got none", what));
    std::unordered_map<std::string_view, std::uint32_t> seen;
    for (std::size_t i = 0; i + 1 < value->node.items.size(); i += 2) {
      const YamlNode& key = value->node.items[i];
      const Value at_key{key, {&value->path, key.text, {}}, value->context};
      const bool named = key.kind == YamlNode::Kind::scalar && !key.text.empty();
      if (!named) at_key.expected("the name of a coordinate, like left.angle");
      const auto [first, is_new] = seen.try_emplace(key.text, key.line);
      if (named && !is_new) at_key.error(fmt::format("given twice; first on line {}", first->second + 1));
      const Value entry{value->node.items[i + 1], {&value->path, key.text, {}}, value->context};
      coefficients.emplace_back(named && is_new ? key.text : std::string(), read_coupling_coefficient(entry));
    }
  }
  void read(const FieldFormat& /*format*/, const Found& value, std::vector<ModeState>& states) const {
    if (value) states = read_mode_states(*value);
  }
  void read(const FieldFormat& format, const Found& /*value*/, Axes& axes) const {
    axes = fields.choice_as(format.name, axes);
  }
};

template <IsKind Kind>
Kind read_kind(const Fields& fields, std::size_t component, bool* for_each_component) {
  Kind kind;
  for_each_field(kind, FieldReader{fields, component, for_each_component});
  if constexpr (requires { Kind::check_presence([](std::string_view) { return true; }, Wrong{}); }) {
    const Wrong wrong = [&](std::string_view field, std::string message) {
      const auto at = field.empty() ? std::nullopt : fields.find(field);
      (at ? *at : fields.value()).error(std::move(message));
    };
    Kind::check_presence([&](std::string_view field) { return fields.has(field); }, wrong);
  }
  return kind;
}

/// The alternative of the variant whose kind has that name, read from `fields` of the whole.
template <class Variant>
struct KindReader;
template <class... Kind>
struct KindReader<std::variant<Kind...>> {
  /// Without `for_each_component`, constants are single numbers.
  static std::variant<Kind...> read(std::string_view name, const Fields& fields, std::size_t component = 0,
                                    bool* for_each_component = nullptr) {
    std::variant<Kind...> result;
    (read_if_named<Kind>(name, fields, component, for_each_component, result), ...);
    return result;
  }

 private:
  template <class K>
  static void read_if_named(std::string_view name, const Fields& fields, std::size_t component,
                            bool* for_each_component, std::variant<Kind...>& result) {
    if constexpr (IsKind<K>) {
      if (K::kind != name) return;
      if constexpr (is_flat<K>()) {
        result = read_kind<K>(fields, component, for_each_component);
      } else {
        const Value inside = *fields.find(name);
        result = read_kind<K>(Fields(inside, object_format<K>), component, for_each_component);
      }
    }
  }
};

}  // namespace

SignalDescription read_signal(const Value& value, std::string_view name) {
  SignalDescription signal{std::string(name), Expression{}};
  if (expression::is_reserved(name)) value.error_at_name(fmt::format("'{}' is the name of a function", name));
  if (!value.is_mapping()) {
    if (value.is_scalar()) {
      signal.block = read_dynamic(value, std::nullopt);
    } else if (value.is_list() && value.node.items.size() == 3) {
      for (std::size_t k = 0; k < 3; ++k) signal.components.emplace_back(read_dynamic(value.item(k), std::nullopt));
      signal.block = signal.components.front();
    } else {
      value.expected("an expression, a vector of 3, or a block like {integral: ...}");
    }
    return signal;
  }
  const Fields fields(value, format::signal);
  const auto kind = fields.kind();
  if (const auto initial = fields.find("initial"); initial && kind && *kind != "integral") {
    initial->error(fmt::format("'initial' stands beside 'integral' only; for {} it goes inside", *kind));
  }
  if (kind && *kind == "expression") {
    signal.block = read_dynamic(*fields.find("expression"), std::nullopt);
  } else if (kind) {
    bool for_each_component = false;
    signal.block = KindReader<Block>::read(*kind, fields, 0, &for_each_component);
    for (std::size_t k = 0; for_each_component && k < 3; ++k)
      signal.components.push_back(KindReader<Block>::read(*kind, fields, k, &for_each_component));
  }
  if (const auto unit = fields.find("unit")) signal.dimension = read_unit(*unit);
  return signal;
}

ConstraintDescription read_constraint(const Value& value, std::string_view name, const JointsByName& joints) {
  const Fields fields(value, format::constraint);
  ConstraintDescription constraint{std::string(name), {}, {}};
  const auto kind = fields.kind();
  if (!kind) return constraint;
  for (const FieldFormat& field : field_formats<PointRelation>) {
    if (*kind == PointRelation::kind || field.name == PointRelation::kind) continue;
    if (const auto found = fields.find(field.name))
      found->error(fmt::format("does not go with '{}'; only 'point' has it", *kind));
  }
  constraint.relation = KindReader<Relation>::read(*kind, fields);
  const auto equals = fields.find("equals");
  if (!equals && *kind == DistanceRelation::kind)
    fields.missing("equals", "the distance that is kept: a length, or an expression of t");
  if (!equals && *kind == CoordinateRelation::kind)
    fields.missing("equals", "the value of the coordinate: a constant, or an expression of t");
  if (!equals) return constraint;
  const std::optional<Dimension> dimension = dimension_of(constraint.relation, joints);
  const auto* point = std::get_if<PointRelation>(&constraint.relation);
  const std::size_t count = point != nullptr ? std::max<std::size_t>(1, point->directions.size()) : 1;
  if (!equals->is_list()) {
    constraint.equals = {read_dynamic(*equals, dimension)};
  } else if (equals->node.items.size() != count) {
    equals->error(fmt::format("expected {} value{}{}, got {}", count, count == 1 ? "" : "s",
                              count > 1 ? ", one for each direction" : "", equals->node.items.size()));
  } else {
    for (std::size_t i = 0; i < count; ++i) constraint.equals.push_back(read_dynamic(equals->item(i), dimension));
  }
  return constraint;
}

std::optional<LoadDescription> read_load(const Value& value) {
  const Fields fields(value, format::load);
  const auto kind = fields.kind();
  if (!kind) return std::nullopt;
  for (const FieldFormat& field : field_formats<BodyLoad>) {
    if (*kind == BodyLoad::kind || field.name == BodyLoad::kind) continue;
    if (const auto found = fields.find(field.name)) found->error(fmt::format("does not go with '{}'", *kind));
  }
  return KindReader<LoadDescription>::read(*kind, fields);
}

}  // namespace gyrostat::reading
