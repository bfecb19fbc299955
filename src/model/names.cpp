#include "gyrostat/model/names.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/expression/glob.h"
#include "gyrostat/expression/nearest_part.h"
#include "gyrostat/expression/vectors.h"

namespace gyrostat {

namespace {

struct Attribute {
  std::string name;
  Quantity quantity;
  std::uint32_t component;
};

void add_components(std::vector<Attribute>& list, std::string_view name, std::string_view letters, Quantity quantity) {
  for (std::uint32_t i = 0; i < letters.size(); ++i)
    list.push_back({fmt::format("{}_{}", name, letters[i]), quantity, i});
}

const std::vector<Attribute>& body_attributes() {
  static const std::vector<Attribute> all = [] {
    std::vector<Attribute> list;
    add_components(list, "omega", "xyz", Quantity::body_omega);
    add_components(list, "position", "xyz", Quantity::body_position);
    add_components(list, "velocity", "xyz", Quantity::body_velocity);
    add_components(list, "quaternion", "wxyz", Quantity::body_quaternion);
    list.push_back({"roll", Quantity::body_attitude_angle, 0});
    list.push_back({"pitch", Quantity::body_attitude_angle, 1});
    list.push_back({"yaw", Quantity::body_attitude_angle, 2});
    for (std::uint32_t i = 0; i < 9; ++i) {
      list.push_back({fmt::format("C{}{}", i / 3 + 1, i % 3 + 1), Quantity::body_direction_cosine, i});
    }
    return list;
  }();
  return all;
}

const std::vector<Attribute>& part_attributes(bool wheel) {
  static const std::vector<Attribute> of_wheel = {{"angle", Quantity::wheel_angle, 0},
                                                  {"rate", Quantity::wheel_rate, 0}};
  static const std::vector<Attribute> of_point = [] {
    std::vector<Attribute> list;
    add_components(list, "position", "xyz", Quantity::point_position);
    add_components(list, "velocity", "xyz", Quantity::point_velocity);
    return list;
  }();
  return wheel ? of_wheel : of_point;
}

const std::vector<Attribute>& system_attributes() {
  static const std::vector<Attribute> all = [] {
    std::vector<Attribute> list;
    add_components(list, "com", "xyz", Quantity::system_com);
    add_components(list, "momentum", "xyz", Quantity::system_momentum);
    list.push_back({"energy", Quantity::system_energy, 0});
    return list;
  }();
  return all;
}

const std::vector<Attribute>& orbit_attributes() {
  static const std::vector<Attribute> all = [] {
    std::vector<Attribute> list = {{"radius", Quantity::orbit_radius, 0},
                                   {"true_anomaly", Quantity::orbit_true_anomaly, 0}};
    add_components(list, "nadir", "xyz", Quantity::orbit_nadir);
    return list;
  }();
  return all;
}

const std::vector<Attribute>& sun_attributes() {
  static const std::vector<Attribute> all = {
      {"x", Quantity::sun_direction, 0}, {"y", Quantity::sun_direction, 1}, {"z", Quantity::sun_direction, 2}};
  return all;
}

std::vector<Attribute> joint_attributes(const JointDescription& joint) {
  std::vector<Attribute> list;
  const std::size_t translations = joint.translations.size(), rotations = joint.rotations.size();
  std::uint32_t i = 0;
  for (auto& q : coordinate_names(joint.type, translations, rotations))
    list.push_back({q.name, Quantity::joint_coordinate, i++});
  i = 0;
  for (auto& u : speed_names(joint.type, translations, rotations)) list.push_back({u.name, Quantity::joint_speed, i++});
  return list;
}

/// Of a flexible body: mode1, mode1_rate, ...
std::vector<Attribute> modal_attributes(const BodyDescription& body) {
  std::vector<Attribute> list;
  const std::size_t modes = body.flexible ? body.flexible->data.modes() : 0;
  for (std::uint32_t k = 0; k < modes; ++k) {
    list.push_back({fmt::format("mode{}", k + 1), Quantity::modal_coordinate, k});
    list.push_back({fmt::format("mode{}_rate", k + 1), Quantity::modal_rate, k});
  }
  return list;
}

const Attribute* find_attribute(const std::vector<Attribute>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Attribute& a) { return a.name == name; });
  return found == list.end() ? nullptr : &*found;
}

/// What a body and a point have beside the numbers above: vectors, and a rotation (model/vectors.h).
constexpr std::array<std::string_view, 5> vectors_of_body = {"omega", "position", "velocity", "attitude", "euler_zyx"};
constexpr std::array<std::string_view, 2> vectors_of_point = {"position", "velocity"};

std::vector<std::string_view> names_of(const std::vector<Attribute>& list,
                                       std::span<const std::string_view> vectors = {}) {
  std::vector<std::string_view> names(vectors.begin(), vectors.end());
  for (const Attribute& a : list) names.push_back(a.name);
  return names;
}

/// What is wrong with a component of a vector or of a number, as in omega.w and omega_x.y; nothing if the object has
/// neither.
std::string no_component(std::string_view what, std::string_view object, std::string_view rest,
                         std::span<const std::string_view> vectors, const std::vector<Attribute>& numbers) {
  const std::string_view whole = rest.substr(0, rest.find('.'));
  if (std::ranges::find(vectors, whole) != vectors.end()) {
    const bool rotation = whole == "attitude";
    return fmt::format("'{}' of {} '{}' is a {}; its components are {}.x, .y and .z", whole, what, object,
                       rotation ? "rotation" : "vector", rotation ? ".w, " : "");
  }
  if (find_attribute(numbers, whole) == nullptr) return "";
  return fmt::format("{} '{}' has no '{}'; did you mean '{}'?", what, object, rest, whole);
}

std::string no_attribute(std::string_view what, std::string_view object, std::string_view attribute,
                         const std::vector<std::string_view>& known) {
  if (known.empty()) return fmt::format("{} '{}' has no '{}', nor any other quantity", what, object, attribute);
  const std::string hint = did_you_mean(attribute, known);
  return fmt::format("{} '{}' has no '{}'{}", what, object, attribute,
                     hint.empty() ? fmt::format("; it has {}", fmt::join(known, ", ")) : hint);
}

template <class List>
std::vector<std::string_view> listed(const List& list) {
  std::vector<std::string_view> names;
  for (const auto& entry : list) names.push_back(entry.name);
  return names;
}

template <class List>
std::optional<std::uint32_t> index_in(const List& list, std::string_view name) {
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return i;
  }
  return std::nullopt;
}

/// Why BODY.ATTRIBUTE is no quantity, where the attribute is another part of the body; or nothing.
std::string other_part(const BodyDescription& body, std::string_view attribute) {
  const bool wheel = index_in(body.wheels, attribute).has_value();
  if (wheel || index_in(body.points, attribute)) {
    return fmt::format("'{0}.{1}' is a {2}; write a quantity of it, like {0}.{1}.{3}", body.name, attribute,
                       wheel ? "wheel" : "point", wheel ? "rate" : "position");
  }
  constexpr std::string_view euler = "euler_";
  if (attribute.starts_with(euler)) return expression::no_euler_sequence(attribute.substr(euler.size()));
  return "";
}

template <class List>
std::unordered_map<std::string_view, std::uint32_t> index_of(const List& list) {
  std::unordered_map<std::string_view, std::uint32_t> map;
  map.reserve(list.size());
  for (std::uint32_t i = 0; i < list.size(); ++i) map.emplace(list[i].name, i);
  return map;
}

}  // namespace

const std::vector<std::string>& output_names(const Block& block) {
  static const std::vector<std::string> none;
  const auto outputs_of = [](const auto& kind) -> const std::vector<std::string>& {
    if constexpr (requires { kind.outputs; }) {
      return kind.outputs;
    } else {
      return none;
    }
  };
  return std::visit(outputs_of, block);
}

std::vector<std::string_view> state_names(const Block& block) {
  const auto* modes = std::get_if<ModesBlock>(&block);
  return modes == nullptr ? std::vector<std::string_view>() : modes->names();
}

std::vector<std::string> part_names(const SignalDescription& signal) {
  std::vector<std::string> names;
  for (const std::string& output : output_names(signal.block)) names.push_back(signal.name + "." + output);
  if (names.empty()) names.push_back(signal.name);
  for (const std::string_view state : state_names(signal.block))
    names.push_back(fmt::format("{}.{}", signal.name, state));
  return names;
}

Names::Names(const Description& description, const Problems* problems, Suggestions suggestions)
    : description_(description),
      problems_(problems),
      suggestions_(suggestions),
      bodies_(index_of(description.bodies)),
      joints_(index_of(description.joints)),
      signals_(index_of(description.signals)),
      parameters_(index_of(description.parameters)),
      tables_(index_of(description.tables)) {}

bool Names::no_more_hints() const {
  return suggestions_ == Suggestions::none || (problems_ != nullptr && problems_->full());
}

Names::Index Names::find(const Map& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? std::nullopt : Index(found->second);
}

std::variant<Reference, std::string> Names::resolve(std::string_view name) const {
  const std::size_t first = name.find('.'), last = name.rfind('.');
  if (first == std::string_view::npos || parameter(name) || signal(name)) return resolve_single(name);
  // Names have dots where templates or the nodes of flexible bodies make them: the longest that exists is meant. No
  // name but that of a node begins with another's (validate_names), so there is one.
  std::size_t dot = last;
  const auto exists = [&](std::string_view object) { return body(object) || joint(object) || signal(object); };
  while (dot != first && !exists(name.substr(0, dot))) dot = name.rfind('.', dot - 1);
  const std::string_view object = name.substr(0, dot), rest = name.substr(dot + 1);
  if (!exists(object) && is_instance(object)) return not_in_instance(name);
  if (dot == last) return resolve_attribute(object, rest);
  return resolve_part(object, rest);
}

/// Are there names that begin with this one and a dot?
bool Names::is_instance(std::string_view name) const {
  const auto begins = [&](const auto& entry) {
    return entry.name.starts_with(name) && entry.name.size() > name.size() && entry.name[name.size()] == '.';
  };
  return !no_more_hints() &&
         (std::ranges::any_of(description_.bodies, begins) || std::ranges::any_of(description_.joints, begins) ||
          std::ranges::any_of(description_.signals, begins) || std::ranges::any_of(description_.parameters, begins));
}

/// Why a name that begins with that of an instance of a template means nothing.
std::string Names::not_in_instance(std::string_view name) const {
  std::vector<std::string_view> known = listed(description_.parameters);
  for (const auto& s : description_.signals) known.push_back(s.name);
  if (const std::string hint = did_you_mean(name, known); !hint.empty())
    return fmt::format("no parameter or signal '{}'{}", name, hint);
  const std::string_view object = name.substr(0, name.rfind('.'));
  known = listed(description_.bodies);
  for (const auto& j : description_.joints) known.push_back(j.name);
  for (const auto& s : description_.signals) known.push_back(s.name);
  return fmt::format("no body, joint or signal '{}'{}", object, did_you_mean(object, known));
}

Names::Answer Names::resolve_single(std::string_view name) const {
  if (name == "t") return Reference{Quantity::time, 0, 0, 0};
  if (const auto i = parameter(name)) return Reference{Quantity::parameter, *i, 0, 0};
  if (const auto i = signal(name)) {
    const auto& outputs = output_names(description_.signals[*i].block);
    if (outputs.empty()) return Reference{Quantity::signal, *i, 0, 0};
    return fmt::format("the signal '{}' has outputs; write {}.{}", name, name, outputs.front());
  }
  if (body(name)) return fmt::format("'{}' is a body; write a quantity of it, like {}.omega_x", name, name);
  if (const auto i = joint(name)) {
    const auto attributes = joint_attributes(description_.joints[*i]);
    return fmt::format(
        "'{}' is a joint{}", name,
        attributes.empty() ? "" : fmt::format("; write a quantity of it, like {}.{}", name, attributes.front().name));
  }
  if (no_more_hints()) return fmt::format("no parameter or signal '{}'", name);
  std::vector<std::string_view> known = listed(description_.parameters);
  for (const auto& s : description_.signals) known.push_back(s.name);
  return fmt::format("no parameter or signal '{}'{}", name, did_you_mean_part(name, known));
}

Names::Answer Names::resolve_attribute(std::string_view object, std::string_view attribute) const {
  if (object == "system" || object == "orbit" || object == "sun") {
    const auto& list = object == "system"  ? system_attributes()
                       : object == "orbit" ? orbit_attributes()
                                           : sun_attributes();
    if (object == "orbit" && !description_.environment.orbit) return "the model has no orbit (environment.orbit)";
    if (object == "sun" && !description_.environment.sun) return "the model has no sun (environment.sun)";
    if (const Attribute* a = find_attribute(list, attribute)) return Reference{a->quantity, 0, 0, a->component};
    return fmt::format("'{}' has no '{}'; it has {}", object, attribute, fmt::join(names_of(list), ", "));
  }
  // A body and a joint may share a name; where they share a quantity too, the body's is meant.
  std::vector<std::string_view> known;
  std::vector<Attribute> of_joint, of_modes;
  std::string_view what;
  if (const auto i = body(object)) {
    if (const Attribute* a = find_attribute(body_attributes(), attribute))
      return Reference{a->quantity, *i, 0, a->component};
    of_modes = modal_attributes(description_.bodies[*i]);
    if (const Attribute* a = find_attribute(of_modes, attribute)) return Reference{a->quantity, *i, 0, a->component};
    known = names_of(body_attributes(), vectors_of_body);
    for (const Attribute& a : of_modes) known.push_back(a.name);
    what = "the body";
  }
  if (const auto i = joint(object)) {
    if (!description_.joints[*i].readable) return Reference{Quantity::joint_coordinate, *i, 0, 0};  // reported
    of_joint = joint_attributes(description_.joints[*i]);
    if (const Attribute* a = find_attribute(of_joint, attribute)) return Reference{a->quantity, *i, 0, a->component};
    for (const Attribute& a : of_joint) known.push_back(a.name);
    what = what.empty() ? "the joint" : "the body and joint";
  }
  if (const auto i = signal(object)) {
    const auto& outputs = output_names(description_.signals[*i].block);
    const auto found = std::find(outputs.begin(), outputs.end(), attribute);
    if (found != outputs.end())
      return Reference{Quantity::signal, *i, static_cast<std::uint32_t>(found - outputs.begin()), 0};
    const std::vector<std::string_view> states = state_names(description_.signals[*i].block);
    if (const auto state = std::ranges::find(states, attribute); state != states.end())
      return Reference{Quantity::signal, *i, 1 + static_cast<std::uint32_t>(state - states.begin()), 0};
    if (what.empty()) {
      known.assign(outputs.begin(), outputs.end());
      known.insert(known.end(), states.begin(), states.end());
      what = states.empty() ? "the signal" : "the state machine";
    }
  }
  if (no_more_hints()) return fmt::format("no '{}.{}'", object, attribute);
  if (const auto i = body(object)) {
    if (std::string why = other_part(description_.bodies[*i], attribute); !why.empty()) return why;
  }
  if (parameter(object)) return fmt::format("the parameter '{}' is a number, and has no '{}'", object, attribute);
  if (!what.empty()) return no_attribute(what, object, attribute, known);
  known = {"system", "orbit", "sun"};
  for (const auto& b : description_.bodies) known.push_back(b.name);
  for (const auto& j : description_.joints) known.push_back(j.name);
  for (const auto& s : description_.signals) known.push_back(s.name);
  return fmt::format("no body, joint or signal '{}'{}", object, did_you_mean_part(object, known));
}

/// `rest` is PART.ATTRIBUTE. What follows the longest name of a wheel or point is taken for its attribute.
Names::Answer Names::resolve_part(std::string_view object, std::string_view rest) const {
  const auto i = body(object);
  if (!i) return no_body(object);
  const BodyDescription& b = description_.bodies[*i];
  std::size_t dot = rest.rfind('.');
  const auto is_part = [&](std::string_view name) { return index_in(b.wheels, name) || index_in(b.points, name); };
  for (std::size_t at = dot; at != std::string_view::npos && at > 0; at = rest.rfind('.', at - 1)) {
    if (!is_part(rest.substr(0, at))) continue;
    dot = at;
    break;
  }
  const std::string_view part = rest.substr(0, dot), attribute = rest.substr(dot + 1);
  const auto wheel = index_in(b.wheels, part), point = index_in(b.points, part);
  if (wheel) {
    if (const Attribute* a = find_attribute(part_attributes(true), attribute))
      return Reference{a->quantity, *i, *wheel, a->component};
  }
  if (point) {
    if (const Attribute* a = find_attribute(part_attributes(false), attribute))
      return Reference{a->quantity, *i, *point, a->component};
  }
  if (wheel || point) {
    const std::string_view what = wheel ? "the wheel" : "the point";
    const std::vector<Attribute>& numbers = part_attributes(wheel.has_value());
    const std::span<const std::string_view> vectors =
        wheel ? std::span<const std::string_view>() : std::span<const std::string_view>(vectors_of_point);
    const std::string why = attribute.find('.') == std::string_view::npos
                                ? std::string()
                                : no_component(what, part, attribute, vectors, numbers);
    return why.empty() ? no_attribute(what, part, attribute, names_of(numbers, vectors)) : why;
  }
  if (no_more_hints()) return fmt::format("the body '{}' has no wheel or point '{}'", object, part);
  if (std::string why = no_component("the body", object, rest, vectors_of_body, body_attributes()); !why.empty())
    return why;
  std::vector<std::string_view> known = listed(b.wheels);
  for (const auto& p : b.points) known.push_back(p.name);
  for (std::size_t at = dot; at != std::string_view::npos && at > 0; at = rest.rfind('.', at - 1)) {
    const std::string_view begin = rest.substr(0, at);
    if (const std::string hint = did_you_mean(begin, known); !hint.empty())
      return fmt::format("the body '{}' has no wheel or point '{}'{}", object, begin, hint);
  }
  return fmt::format("the body '{}' has no wheel or point '{}'", object, part);
}

std::vector<std::string> Names::numbers_of(std::string_view name) const {
  const auto means_something = [&](const std::string& whole) {
    return std::holds_alternative<Reference>(resolve(whole));
  };
  if (means_something(std::string(name))) return {std::string(name)};
  std::vector<std::string> found;
  for (const std::string_view separator : {".", "_"}) {
    for (const std::string_view letter : {"w", "x", "y", "z"}) {
      std::string component = fmt::format("{}{}{}", name, separator, letter);
      if (means_something(component)) found.push_back(std::move(component));
    }
    if (!found.empty()) break;
  }
  if (name == "sun.direction" && means_something("sun.x")) found = {"sun.x", "sun.y", "sun.z"};
  return found;
}

std::vector<std::string> Names::matching(std::string_view pattern) const {
  std::vector<std::string> found;
  const auto add = [&](std::string name) {
    if (matches(name, pattern) && std::ranges::find(found, name) == found.end()) found.push_back(std::move(name));
  };
  const auto add_all = [&](std::string_view object, const std::vector<Attribute>& list) {
    for (const Attribute& a : list) add(fmt::format("{}.{}", object, a.name));
  };
  for (const BodyDescription& b : description_.bodies) {
    add_all(b.name, body_attributes());
    add_all(b.name, modal_attributes(b));
    for (const WheelDescription& w : b.wheels) add_all(b.name + "." + w.name, part_attributes(true));
    for (const NamedPoint& p : b.points) add_all(b.name + "." + p.name, part_attributes(false));
  }
  for (const JointDescription& j : description_.joints) add_all(j.name, joint_attributes(j));
  for (const SignalDescription& s : description_.signals) {
    for (const std::string& part : part_names(s)) add(part);
  }
  add_all("system", system_attributes());
  if (description_.environment.orbit) add_all("orbit", orbit_attributes());
  return found;
}

std::string Names::no_body(std::string_view name) const {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0; dot = name.rfind('.', dot - 1)) {
    const auto rigid = body(name.substr(0, dot));
    if (!rigid || description_.bodies[*rigid].flexible) continue;
    return fmt::format("the body '{}' is rigid and has no node '{}'; a place on it is given as a point, [x, y, z]",
                       name.substr(0, dot), name.substr(dot + 1));
  }
  return fmt::format("no body '{}'{}", name, no_more_hints() ? "" : did_you_mean(name, listed(description_.bodies)));
}

std::string Names::no_joint(std::string_view name) const {
  return fmt::format("no joint '{}'{}", name, no_more_hints() ? "" : did_you_mean(name, listed(description_.joints)));
}

std::string Names::no_joint_or_constraint(std::string_view name) const {
  if (description_.constraints.empty()) return no_joint(name);
  std::vector<std::string_view> known = listed(description_.joints);
  for (const ConstraintDescription& constraint : description_.constraints) known.push_back(constraint.name);
  return fmt::format("no joint or constraint '{}'{}", name, no_more_hints() ? "" : did_you_mean(name, known));
}

std::string Names::no_table(std::string_view name) const {
  return fmt::format("no table '{}'{}", name, no_more_hints() ? "" : did_you_mean(name, listed(description_.tables)));
}

std::string Names::no_signal(std::string_view name) const {
  return fmt::format("no signal '{}'{}", name, no_more_hints() ? "" : did_you_mean(name, listed(description_.signals)));
}

std::string Names::no_point(std::uint32_t body_index, std::string_view name) const {
  const BodyDescription& b = description_.bodies[body_index];
  return fmt::format("the body '{}' has no point '{}'{}", b.name, name,
                     no_more_hints() ? "" : did_you_mean(name, listed(b.points)));
}

}  // namespace gyrostat
