#include "gyrostat/format/template_body.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/expression/nearest.h"

namespace gyrostat {

using namespace reading;  // NOLINT(google-build-using-namespace): values of the tree are read as there

namespace {

constexpr std::array<std::string_view, 3> parts_of_outside = {"points", "wheels", "shape"};

std::optional<ParameterKind> kind_named(std::string_view text) {
  const auto* found = std::ranges::find(format::parameter_kinds, text);
  if (found == std::end(format::parameter_kinds)) return std::nullopt;
  return static_cast<ParameterKind>(found - std::begin(format::parameter_kinds));
}

/// `mount: body`, `inertia: 0.1`, `axis: [0, 0, 1]`, `mount: {body: bus}`
TemplateParameter read_template_parameter(std::string_view name, const Value& value) {
  TemplateParameter parameter{name, ParameterKind::value, &value.node - 1, &value.node};
  if (value.is_null()) {
    value.error(
        fmt::format("give its default, or say what is to be given: {}", fmt::join(format::parameter_kinds, ", ")));
  } else if (value.is_scalar()) {
    const auto kind = kind_named(value.node.text);
    parameter.kind = kind.value_or(ParameterKind::number);
    if (kind) parameter.fallback = nullptr;
  } else if (value.is_mapping() && value.node.items.size() == 2) {
    if (const auto kind = kind_named(value.node.items[0].text)) {
      parameter.kind = *kind;
      parameter.fallback = &value.node.items[1];
      if (parameter.fallback->kind == YamlNode::Kind::null) parameter.fallback = nullptr;
    }
  }
  return parameter;
}

void refuse_function(std::string_view name, const Value& value) {
  if (expression::function_named(name)) value.error_at_name(fmt::format("'{}' is the name of a function", name));
}

/// What the template adds to a body outside, whose name is given.
void read_parts(const Value& body, const TemplateParameter& parameter, TemplateBody& into) {
  if (parameter.kind != ParameterKind::body) {
    return body.error_at_name(fmt::format(
        "'{}' is a parameter of the template too; only one that is a body can get parts here", parameter.name));
  }
  const auto& items = body.node.items;
  if (!body.is_mapping()) return body.expected("points, wheels or shape, which are added to the body");
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const Value part{items[i + 1], {&body.path, items[i].text, {}}, body.context};
    if (std::ranges::find(parts_of_outside, items[i].text) == parts_of_outside.end()) {
      part.error_at_name(fmt::format("the body '{}' is outside the template; it can be given {} here, nothing else",
                                     parameter.name, fmt::join(parts_of_outside, ", ")));
    } else if (items[i].text != "shape") {
      for_each_entry(
          part, [&](std::string_view name, const Value& /*value*/) { into.parts[parameter.name].insert(name); },
          Dots::refused);
    }
  }
}

void read_locals(const Fields& fields, TemplateBody& body) {
  const auto note = [&](std::string_view section, std::string_view name, const Value& value) {
    const TemplateParameter* parameter = body.find(name);
    if (section == "signals") refuse_function(name, value);
    if (parameter != nullptr && section == "bodies") return read_parts(value, *parameter, body);
    if (parameter != nullptr) return value.error_at_name(fmt::format("'{}' is a parameter of the template too", name));
    body.locals.insert(name);
  };
  for (const std::string_view section : template_sections) {
    if (const auto value = fields.find(section))
      for_each_entry(
          *value, [&](std::string_view name, const Value& v) { note(section, name, v); }, Dots::refused);
  }
  if (const auto value = fields.find("instances"))
    for_each_entry(
        *value, [&](std::string_view name, const Value& v) { note("instances", name, v); }, Dots::refused);
  if (const auto loads = fields.find("loads"); loads && !loads->is_list() && !loads->is_null())
    loads->expected("a list of loads, each beginning with '- '");
}

}  // namespace

const TemplateParameter* TemplateBody::find(std::string_view parameter) const {
  const auto found = std::ranges::find(parameters, parameter, &TemplateParameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

std::string TemplateBody::no_parameter(std::string_view wanted) const {
  std::vector<std::string_view> known;
  for (const TemplateParameter& parameter : parameters) known.push_back(parameter.name);
  if (known.empty()) return fmt::format("the template '{}' has no parameters", name);
  const std::string hint = did_you_mean(wanted, known);
  return fmt::format("the template '{}' has no parameter '{}'{}", name, wanted,
                     hint.empty() ? fmt::format("; it has {}", fmt::join(known, ", ")) : hint);
}

bool is_name(ParameterKind kind) {
  return kind == ParameterKind::body || kind == ParameterKind::joint || kind == ParameterKind::table;
}

std::string_view described(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::number: return "a number";
    case ParameterKind::signal: return "an expression or a block";
    case ParameterKind::body: return "the name of a body";
    case ParameterKind::joint: return "the name of a joint";
    case ParameterKind::table: return "the name of a table";
    case ParameterKind::value: break;
  }
  return "a value";
}

Templates read_templates(const Value& section) {
  Templates templates;
  for_each_entry(
      section,
      [&](std::string_view name, const Value& value) {
        const Fields fields(value, format::template_);
        TemplateBody& body = templates[std::string(name)];
        body.name = name;
        body.node = &value.node;
        if (const auto parameters = fields.find("parameters")) {
          for_each_entry(
              *parameters,
              [&](std::string_view parameter, const Value& v) {
                refuse_function(parameter, v);
                body.parameters.push_back(read_template_parameter(parameter, v));
              },
              Dots::refused);
        }
        read_locals(fields, body);
      },
      Dots::refused);
  return templates;
}

}  // namespace gyrostat
