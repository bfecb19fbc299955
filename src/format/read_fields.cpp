#include "gyrostat/format/read_fields.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/format/limits.h"

namespace gyrostat::reading {

std::string Path::text() const {
  std::string before = outer != nullptr ? outer->text() : "";
  if (index) return fmt::format("{}[{}]", before, *index);
  if (name.empty()) return before;
  return before.empty() ? std::string(name) : fmt::format("{}.{}", before, name);
}

namespace {

std::string shown(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null: return "nothing";
    case YamlNode::Kind::sequence: return "a list";
    case YamlNode::Kind::mapping: return "a mapping";
    case YamlNode::Kind::scalar: break;
  }
  constexpr std::size_t most = 40;
  if (node.text.size() <= most) return fmt::format("'{}'", node.text);
  std::size_t end = most;
  while ((static_cast<unsigned char>(node.text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("'{}...'", node.text.substr(0, end));
}

std::string_view first_part(std::string_view name) { return name.substr(0, name.find('.')); }

/// A path that is not in the file (a value given on the command line) has no place.
constexpr std::uint32_t not_in_file = static_cast<std::uint32_t>(-1);

}  // namespace

std::string line_of(const YamlNode& node, const YamlNode& seen_from, const Source& source) {
  const std::uint32_t file = source.origin(node.origin).file;
  if (file == source.origin(seen_from.origin).file) return fmt::format("line {}", node.line + 1);
  return fmt::format("line {} of {}", node.line + 1, source.part(file).file());
}

void Value::error_at(std::size_t offset, std::string message) const {
  if (context.problems.full())
    return context.problems.error({}, {});  // it is counted; its place would take time to find
  // A value that is left out has no place of its own; its name, which stands before it in the tree, has one.
  if (is_null() && !path.name.empty()) return error_at_name(std::move(message));
  const Place place = node.line == not_in_file ? Place{} : place_in(node, context.source, offset);
  context.problems.error(path.text(), std::move(message), place);
}

void Value::error_at_name(std::string message) const {
  if (context.problems.full()) return context.problems.error({}, {});
  const YamlNode& name = *(&node - 1);
  context.problems.error(path.text(), std::move(message), place_in(name, context.source, 0));
}

void Value::expected(std::string_view what) const { error(fmt::format("expected {}, got {}", what, shown(node))); }

Fields::Fields(const Value& value, const ObjectFormat& format) : value_(value), format_(format) {
  const auto known = [&] {
    std::vector<std::string_view> names;
    for (const FieldFormat& field : format.fields) names.push_back(field.name);
    return names;
  };
  if (!value.is_null() && !value.is_mapping()) {  // nothing at all is an empty mapping
    value.expected(fmt::format("a mapping with fields like {}, ...", format.fields.front().name));
    return;
  }
  std::vector<const YamlNode*> first(format.fields.size(), nullptr);
  const auto& items = value.node.items;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const YamlNode& key = items[i];
    const Value at_key{key, {&value.path, key.text, {}}, value.context};
    const FieldFormat* field = format.find(key.text);
    if (key.kind != YamlNode::Kind::scalar) {
      at_key.expected("the name of a field");
    } else if (field == nullptr) {
      has_unknown_ = true;
      const auto meant = value.context.problems.full() ? std::nullopt : nearest(key.text, known());
      if (meant) misspelt_.push_back(*meant);
      at_key.error(meant ? fmt::format("unknown field; did you mean '{}'?", *meant)
                         : fmt::format("unknown field; the fields here are {}", fmt::join(known(), ", ")));
    } else {
      const YamlNode*& before = first[static_cast<std::size_t>(field - format.fields.data())];
      if (before != nullptr)
        at_key.error(fmt::format("given twice; first on {}", line_of(*before, key, value.context.source)));
      if (before == nullptr) before = &key;
    }
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    const FieldFormat& field = format.fields[i];
    if (field.required && first[i] == nullptr) missing(field.name, fmt::format("it is required ({})", field.note));
  }
}

void Fields::missing(std::string_view name, std::string_view why) const {
  if (std::find(misspelt_.begin(), misspelt_.end(), name) != misspelt_.end()) return;
  value_.context.problems.error(Path{&value_.path, name, {}}.text(), fmt::format("missing; {}", why));
}

std::optional<Value> Fields::find(std::string_view name) const {
  const YamlNode* node = value_.node.find(name);
  if (node == nullptr) return std::nullopt;
  return Value{*node, {&value_.path, format_.find(name)->name, {}}, value_.context};
}

std::optional<std::string_view> Fields::kind() const {
  std::vector<std::string_view> found;
  for (const std::string_view name : format_.one_of) {
    if (has(name)) found.push_back(name);
  }
  if (found.size() == 1) return found.front();
  if (!value_.is_mapping() && !value_.is_null()) return std::nullopt;  // reported
  if (found.empty()) {
    if (!has_unknown_) value_.error(fmt::format("needs one of {}", fmt::join(format_.one_of, ", ")));
  } else {
    value_.error(fmt::format("has {} at once; only one can be given", fmt::join(found, " and ")));
  }
  return std::nullopt;
}

double Fields::constant(std::string_view name, double fallback) const {
  const auto value = find(name);
  return value ? read_constant(*value, dimension_of(name)) : fallback;
}

double Fields::measured(std::string_view name, double fallback) const {
  const auto value = find(name);
  return value ? read_measured(*value).value : fallback;
}

std::vector<double> Fields::constant_list(std::string_view name) const {
  const auto value = find(name);
  return value ? read_constant_list(*value, dimension_of(name)) : std::vector<double>{};
}

std::vector<double> Fields::filled_list(std::string_view name) const {
  const auto value = find(name);
  if (value && value->is_list() && value->node.items.empty()) value->error("the list is empty");
  return constant_list(name);
}

Vector3 Fields::vector(std::string_view name, const Vector3& fallback) const {
  const auto value = find(name);
  return value ? read_vector(*value, dimension_of(name)) : fallback;
}

Vector3 Fields::direction(std::string_view name) const {
  const auto value = find(name);
  return value ? read_direction(*value) : Vector3::Constant(unreadable);
}

bool Fields::boolean(std::string_view name, bool fallback) const {
  const auto value = find(name);
  return value ? read_boolean(*value) : fallback;
}

std::string Fields::text(std::string_view name, std::string_view fallback) const {
  const auto value = find(name);
  return value ? read_text(*value) : std::string(fallback);
}

std::vector<std::string> Fields::names(std::string_view name) const {
  const auto value = find(name);
  return value ? read_names(*value) : std::vector<std::string>{};
}

Expression Fields::dynamic(std::string_view name) const {
  const auto value = find(name);
  if (!value) return {};
  const Dimension dimension = dimension_of(name);  // a plain number stands for whatever the expression means
  return read_dynamic(*value, dimension == dimension::none ? std::nullopt : std::optional(dimension));
}

std::vector<Expression> Fields::dynamic_list(std::string_view name) const {
  const auto value = find(name);
  return value ? read_dynamic_list(*value) : std::vector<Expression>{};
}

std::size_t Fields::choice(std::string_view name, std::size_t fallback) const {
  const auto value = find(name);
  if (!value) return fallback;
  const auto choices = format_.find(name)->choices;
  const auto found = value->is_scalar() ? std::find(choices.begin(), choices.end(), value->node.text) : choices.end();
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  const std::string hint = value->is_scalar() ? did_you_mean(value->node.text, choices) : "";
  value->error(fmt::format("expected one of {}, got {}{}", fmt::join(choices, ", "), shown(value->node), hint));
  return fallback;
}

void check_name(const Value& at, std::string_view name, Dots dots) {
  if (name.size() > limits::name_length) {
    at.error(fmt::format("a name has at most {} letters", limits::name_length));
  } else if (dots == Dots::allowed ? !expression::is_dotted_name(name) : !expression::is_identifier(name)) {
    at.error(
        fmt::format("'{}' is not a name: a name is made of the letters a-z and A-Z, digits and _, and does not "
                    "begin with a digit",
                    name));
  } else if (is_reserved(first_part(name))) {
    at.error(fmt::format("the name '{}' is reserved", first_part(name)));
  }
}

void for_each_entry(const Value& value, const std::function<void(std::string_view, const Value&)>& read, Dots dots) {
  if (value.is_null()) return;
  if (!value.is_mapping()) return value.expected("a mapping of names");
  const auto& items = value.node.items;
  std::unordered_map<std::string_view, const YamlNode*> seen;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const YamlNode& key = items[i];
    const Value at_key{key, {&value.path, key.text, {}}, value.context};
    if (key.kind != YamlNode::Kind::scalar) {
      at_key.expected("a name");
      continue;
    }
    const auto [first, is_new] = seen.try_emplace(key.text, &key);
    if (!is_new) {
      at_key.error(fmt::format("'{}' is defined twice; first on {}", key.text,
                               line_of(*first->second, key, value.context.source)));
      continue;
    }
    check_name(at_key, key.text, dots);
    if (is_reserved(first_part(key.text))) continue;  // it cannot be referred to
    read(key.text, Value{items[i + 1], {&value.path, key.text, {}}, value.context});
  }
}

}  // namespace gyrostat::reading
