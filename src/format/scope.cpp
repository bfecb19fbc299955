#include "gyrostat/format/scope.h"

#include <charconv>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "gyrostat/expression/syntax.h"
#include "gyrostat/expression/units.h"
#include "gyrostat/format/limits.h"

namespace gyrostat {

namespace {

namespace fs = std::filesystem;

bool is_digit_at(std::string_view text, std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; }
bool is_letter_at(std::string_view text, std::size_t i) {
  return i < text.size() && expression::is_identifier(text.substr(i, 1));
}

std::size_t word_end(std::string_view text, std::size_t i) {
  while (is_letter_at(text, i) || is_digit_at(text, i) || (i < text.size() && text[i] == '.')) ++i;
  return i;
}

std::size_t after_space(std::string_view text, std::size_t i) {
  while (i < text.size() && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r')) ++i;
  return i;
}

/// The end of a number, with the unit that may stand behind a space: the names in it are no names of the model.
std::size_t quantity_end(std::string_view text, std::size_t i) {
  double value = 0;
  const char* const begin = text.data() + i;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  const std::size_t number = std::max(i + static_cast<std::size_t>(end - begin), i + 1);
  const auto is_unit = [&](std::size_t at) {
    return is_letter_at(text, at) && !parse_unit(text.substr(at, word_end(text, at) - at)).complaint;
  };
  std::size_t at = after_space(text, number);
  if (!is_unit(at)) return number;
  while (true) {
    at = word_end(text, at);
    const bool joined = at < text.size() && (text[at] == '*' || text[at] == '/');
    if (!joined || !is_unit(at + 1)) return at;
    ++at;
  }
}

/// Of a parameter of an instance.
std::string path_of(std::string_view parameter, const Scope& scope) {
  return fmt::format("instances.{}{}", scope.prefix, parameter);
}

/// Calls `act(begin, end)` for every name in an expression, functions excepted.
template <class Act>
void for_each_name(std::string_view text, Act act) {
  for (std::size_t i = 0; i < text.size();) {
    if (is_letter_at(text, i)) {
      const std::size_t end = word_end(text, i), next = after_space(text, end);
      if (next == text.size() || text[next] != '(') act(i, end);
      i = end;
    } else if (is_digit_at(text, i) || (text[i] == '.' && is_digit_at(text, i + 1))) {
      i = quantity_end(text, i);
    } else if (text[i] == '.') {
      i = word_end(text, i + 1);  // a component of what stands in brackets
    } else {
      ++i;
    }
  }
}

/// The value that stands for this node, if the node is the name of such a parameter.
const Binding* value_given(const YamlNode& node, const Scope& scope) {
  if (node.kind != YamlNode::Kind::scalar) return nullptr;
  const auto found = scope.parameters.find(node.text);
  return found != scope.parameters.end() && found->second.kind == ParameterKind::value ? &found->second : nullptr;
}

}  // namespace

bool ScopedCopy::too_large() const { return copied_ > limits::expanded_nodes; }

std::string ScopedCopy::full_name(std::string_view name, const Scope& scope) {
  const std::string_view first = name.substr(0, name.find('.'));
  const auto parameter = scope.parameters.find(first);
  const bool named = parameter != scope.parameters.end() && !parameter->second.name.empty();
  if (!named) {
    const bool local = parameter != scope.parameters.end() || scope.locals.contains(first);
    return local ? scope.prefix + std::string(name) : std::string(name);
  }
  if (first.size() == name.size()) return parameter->second.name;
  const std::string_view rest = name.substr(first.size() + 1);
  const auto parts = scope.parts.find(first);
  const bool added = parts != scope.parts.end() && parts->second.contains(rest.substr(0, rest.find('.')));
  return fmt::format("{}.{}{}", parameter->second.name, added ? scope.prefix : "", rest);
}

std::uint32_t ScopedCopy::origin_in(const YamlNode& node, const Scope& scope) {
  if (scope.instance == 0) return node.origin;
  const std::uint64_t key = (static_cast<std::uint64_t>(scope.instance) << 32U) | node.origin;
  const auto [found, is_new] = origins_.try_emplace(key, 0);
  if (is_new) found->second = source_.add_origin({source_.origin(node.origin).file, scope.instance});
  return found->second;
}

YamlNode ScopedCopy::shell(const YamlNode& node, const Scope& scope) {
  if (scope.instance != 0 && ++copied_ == limits::expanded_nodes + 1) {
    problems_.error("instances", fmt::format("the templates make more than {} values", limits::expanded_nodes));
  }
  YamlNode copy;
  copy.kind = node.kind;
  copy.plain = node.plain;
  copy.line = node.line;
  copy.column = node.column;
  copy.origin = origin_in(node, scope);
  copy.text = node.text;
  return copy;
}

YamlNode ScopedCopy::literal(const YamlNode& node, const Scope& scope) {
  YamlNode copy = shell(node, scope);
  if (too_large()) return copy;
  copy.items.reserve(node.items.size());
  for (const YamlNode& item : node.items) copy.items.push_back(literal(item, scope));
  return copy;
}

YamlNode ScopedCopy::defined_name(const YamlNode& key, const Scope& scope) {
  YamlNode copy = literal(key, scope);
  copy.text.insert(0, scope.prefix);
  return copy;
}

/// Replaces the names in an expression by those in the model, and notes where they were.
void ScopedCopy::rename(YamlNode& node, const Scope& scope) {
  if (scope.instance == 0) return;
  const std::string& written = node.text;
  Origin origin = {source_.origin(node.origin).file, scope.instance, {}, {}};
  std::string text;
  std::size_t copied = 0;
  for_each_name(written, [&](std::size_t begin, std::size_t end) {
    const std::string_view name = std::string_view(written).substr(begin, end - begin);
    const auto parameter = scope.parameters.find(name.substr(0, name.find('.')));
    if (parameter != scope.parameters.end() && parameter->second.kind == ParameterKind::value) {
      problems_.error(path_of(parameter->first, scope),
                      fmt::format("the parameter '{}' is a value and must stand by itself; declare it as a number, "
                                  "signal, body, joint or table to use it in an expression, or, for a vector, with a "
                                  "default that is an expression: \"[0, 0, 1]\"",
                                  parameter->first),
                      place_in(node, source_, begin));
      return;
    }
    const std::string full = full_name(name, scope);
    if (full == name) return;
    text.append(written, copied, begin - copied);
    const auto at = static_cast<std::uint32_t>(text.size());
    text += full;
    origin.replaced.push_back({at, static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(begin),
                               static_cast<std::uint32_t>(end)});
    copied = end;
  });
  if (origin.replaced.empty()) return;
  text.append(written, copied);
  origin.written = std::exchange(node.text, std::move(text));
  node.origin = source_.add_origin(std::move(origin));
}

YamlNode ScopedCopy::expressions(const YamlNode& node, const Scope& scope) {
  constexpr FieldFormat any{"", Form::dynamic, ""};
  if (node.kind == YamlNode::Kind::sequence) return list(node, any, scope);
  if (node.kind == YamlNode::Kind::mapping) return map(node, any, scope);
  YamlNode copy = shell(node, scope);
  if (node.kind == YamlNode::Kind::scalar) rename(copy, scope);
  return copy;
}

YamlNode ScopedCopy::reference(const YamlNode& node, const Scope& scope) {
  if (node.kind != YamlNode::Kind::scalar) return literal(node, scope);
  const auto parameter = scope.parameters.find(node.text);
  const bool given = parameter != scope.parameters.end() && !parameter->second.name.empty();
  if (given && parameter->second.scope != &scope) {  // a wrong name is shown where it is given
    return reference(*parameter->second.node, *parameter->second.scope);
  }
  YamlNode copy = shell(node, scope);
  rename(copy, scope);
  return copy;
}

YamlNode ScopedCopy::coordinates(const YamlNode& node, const Scope& scope) {
  if (node.kind != YamlNode::Kind::mapping) return literal(node, scope);
  YamlNode copy = shell(node, scope);
  for (std::size_t i = 0; i + 1 < node.items.size() && !too_large(); i += 2) {
    copy.items.push_back(reference(node.items[i], scope));
    copy.items.push_back(expressions(node.items[i + 1], scope));
  }
  return copy;
}

/// The name of a point belongs to its body: only one that the template itself adds to a body outside is renamed.
YamlNode ScopedCopy::point(const YamlNode& node, const YamlNode* body, const Scope& scope) {
  if (node.kind != YamlNode::Kind::scalar) return expressions(node, scope);
  YamlNode copy = shell(node, scope);
  const auto parts = scope.parts.find(body != nullptr ? std::string_view(body->text) : std::string_view());
  if (parts != scope.parts.end() && parts->second.contains(node.text)) copy.text.insert(0, scope.prefix);
  return copy;
}

YamlNode ScopedCopy::attachment(const YamlNode& node, const Scope& scope) {
  constexpr FieldFormat body{"", Form::body_name, ""}, at{"", Form::point, ""};
  if (node.kind != YamlNode::Kind::sequence || node.items.size() != 2) return literal(node, scope);
  YamlNode copy = shell(node, scope);
  copy.items.push_back(value(node.items[0], body, scope));
  const Binding* given = value_given(node.items[1], scope);
  copy.items.push_back(given != nullptr ? value(node.items[1], at, scope)
                                        : point(node.items[1], &node.items[0], scope));
  return copy;
}

/// Relative to the file that names it; the tree is read as that of the model file.
YamlNode ScopedCopy::path(const YamlNode& node, const Scope& scope) {
  YamlNode copy = literal(node, scope);
  const Source& file = source_.part(source_.origin(node.origin).file);
  if (&file == &source_ || node.kind != YamlNode::Kind::scalar || fs::path(node.text).is_absolute()) return copy;
  const fs::path from = fs::absolute(fs::path(source_.file())).parent_path().lexically_normal();
  const fs::path folder = fs::absolute(fs::path(file.file())).parent_path().lexically_normal();
  copy.text = (folder.lexically_relative(from) / node.text).lexically_normal().string();
  return copy;
}

YamlNode ScopedCopy::list(const YamlNode& node, const FieldFormat& entry, const Scope& scope) {
  if (node.kind != YamlNode::Kind::sequence) return literal(node, scope);
  YamlNode copy = shell(node, scope);
  for (std::size_t i = 0; i < node.items.size() && !too_large(); ++i)
    copy.items.push_back(value(node.items[i], entry, scope));
  return copy;
}

YamlNode ScopedCopy::map(const YamlNode& node, const FieldFormat& entry, const Scope& scope) {
  if (node.kind != YamlNode::Kind::mapping) return literal(node, scope);
  YamlNode copy = shell(node, scope);
  for (std::size_t i = 0; i + 1 < node.items.size() && !too_large(); i += 2) {
    copy.items.push_back(literal(node.items[i], scope));
    copy.items.push_back(value(node.items[i + 1], entry, scope));
  }
  return copy;
}

YamlNode ScopedCopy::object(const YamlNode& node, const ObjectFormat& format, const Scope& scope) {
  if (node.kind != YamlNode::Kind::mapping) return expressions(node, scope);  // a signal, say
  YamlNode copy = shell(node, scope);
  for (std::size_t i = 0; i + 1 < node.items.size() && !too_large(); i += 2) {
    const FieldFormat* field = format.find(node.items[i].text);
    copy.items.push_back(literal(node.items[i], scope));
    copy.items.push_back(field != nullptr ? value(node.items[i + 1], *field, scope, &node)
                                          : literal(node.items[i + 1], scope));
  }
  return copy;
}

YamlNode ScopedCopy::value(const YamlNode& node, const FieldFormat& field, const Scope& scope, const YamlNode* owner) {
  if (const Binding* given = value_given(node, scope)) {
    if (depth_ > limits::template_depth) {
      problems_.error(path_of(node.text, scope),
                      fmt::format("the parameter '{}' is defined in terms of itself", node.text),
                      place_in(node, source_, 0));
      return literal(node, scope);
    }
    ++depth_;
    YamlNode copy = value(*given->node, field, *given->scope);
    --depth_;
    return copy;
  }
  const bool is_mapping = node.kind == YamlNode::Kind::mapping, is_list = node.kind == YamlNode::Kind::sequence;
  const auto one_of = [&](Form form) {
    FieldFormat entry = field;
    entry.form = form;
    return entry;
  };
  switch (field.form) {
    case Form::constant:
    case Form::constants:
    case Form::constant_list:
    case Form::matrix:
    case Form::whole_number:
    case Form::vector:
    case Form::vectors:
    case Form::dynamic:
    case Form::dynamics:
    case Form::dynamic_list:
    case Form::dynamic_vector:
    case Form::inertia:
    case Form::constant_map:
    case Form::constants_map:
    case Form::vector_map: return expressions(node, scope);
    case Form::coefficient: return is_mapping ? object(node, format::coefficient, scope) : expressions(node, scope);
    case Form::coefficients:
      return is_list ? list(node, one_of(Form::coefficient), scope) : value(node, one_of(Form::coefficient), scope);
    case Form::orientation: return is_mapping ? object(node, format::orientation, scope) : expressions(node, scope);
    case Form::center: return is_mapping ? object(node, format::center, scope) : literal(node, scope);
    case Form::modes: return is_mapping ? object(node, format::modes, scope) : expressions(node, scope);
    case Form::modal_damping: return is_mapping ? object(node, format::modal_damping, scope) : expressions(node, scope);
    case Form::name:
    case Form::body_name:
    case Form::table_name:
    case Form::coordinate_name: return reference(node, scope);
    case Form::names: return list(node, one_of(Form::name), scope);
    case Form::coordinate_map:
    case Form::assignment_map: return coordinates(node, scope);
    case Form::transition_map: return map(node, one_of(Form::object), scope);
    case Form::point: return point(node, owner != nullptr ? owner->find("body") : nullptr, scope);
    case Form::attachment: return attachment(node, scope);
    case Form::object: return object(node, *field.object, scope);
    case Form::object_map:
    case Form::signal_map: return map(node, one_of(Form::object), scope);
    case Form::object_list: return list(node, one_of(Form::object), scope);
    case Form::path: return path(node, scope);
    case Form::integer:
    case Form::boolean:
    case Form::text:
    case Form::choice:
    case Form::truth_or_names:
    case Form::flexible_data:
    case Form::paths:
    case Form::node_name:
    case Form::output_names:
    case Form::template_parameters:
    case Form::value_map:
    case Form::value_maps: break;
  }
  return literal(node, scope);
}

}  // namespace gyrostat
