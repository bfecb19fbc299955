#include "gyrostat/format/schema.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gyrostat/format/format.h"

namespace gyrostat {

namespace {

using Json = nlohmann::ordered_json;

Json reference(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }

Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json list_of(Json items, std::size_t count) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", count}, {"maxItems", count}};
}

Json any_of(std::vector<Json> forms) { return {{"anyOf", std::move(forms)}}; }

/// A mapping from names to values of one kind. A name left empty stands for nothing given.
Json map_of(Json value) {
  return {{"type", {"object", "null"}},
          {"propertyNames", {{"pattern", R"(^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$)"}}},
          {"additionalProperties", std::move(value)}};
}

const Json& text() {
  static const Json form = {{"type", "string"}};
  return form;
}

Json form_schema(const FieldFormat& field) {
  switch (field.form) {
    case Form::constant:
    case Form::dynamic: return reference("value");
    case Form::constants:
    case Form::dynamics: return any_of({reference("value"), list_of(reference("value"))});
    case Form::constant_list: return any_of({list_of(reference("value")), text()});
    case Form::dynamic_list: return list_of(reference("value"));
    case Form::matrix: return list_of(list_of(reference("value")));
    case Form::coefficient: return any_of({reference("value"), reference("coefficient")});
    case Form::coefficients: {
      const Json one = any_of({reference("value"), reference("coefficient")});
      return any_of({reference("value"), reference("coefficient"), list_of(one)});
    }
    case Form::integer: return {{"type", "integer"}};
    case Form::whole_number: return any_of({{{"type", "integer"}}, text()});
    case Form::boolean: return {{"type", "boolean"}};
    case Form::text: return {{"type", {"string", "number"}}};
    case Form::choice: return {{"enum", field.choices}};
    case Form::vector:
    case Form::dynamic_vector: return reference("vector");
    case Form::vectors: return {{"type", "array"}, {"items", reference("vector")}, {"maxItems", 3}};
    case Form::name:
    case Form::body_name:
    case Form::table_name:
    case Form::node_name:
    case Form::path: return text();
    case Form::names:
    case Form::output_names: return list_of(text());
    case Form::paths: return any_of({text(), list_of(text())});
    case Form::template_parameters:
      return map_of(any_of({{{"enum", format::parameter_kinds}}, {{"type", {"number", "string", "array", "object"}}}}));
    case Form::value_map: return map_of(true);
    case Form::value_maps: return map_of(map_of(true));
    case Form::transition_map: return map_of(any_of({reference("value"), reference(field.object->name)}));
    case Form::assignment_map: return map_of(any_of({reference("value"), list_of(reference("value"), 3)}));
    case Form::point: return any_of({text(), reference("vector")});
    case Form::attachment:
      return {{"type", "array"},
              {"prefixItems", {text(), any_of({text(), reference("vector")})}},
              {"items", false},
              {"minItems", 2}};
    case Form::inertia:
      return any_of({reference("inertia"), reference("vector"), list_of(list_of(reference("value"), 3), 3)});
    case Form::orientation: return reference("orientation");
    case Form::constant_map: return map_of(reference("value"));
    case Form::constants_map: return map_of(any_of({reference("value"), list_of(reference("value"))}));
    case Form::vector_map: return map_of(reference("vector"));
    case Form::coordinate_name: return text();
    case Form::coordinate_map: return {{"type", "object"}, {"additionalProperties", reference("value")}};
    case Form::object: return reference(field.object->name);
    case Form::object_map: return map_of(reference(field.object->name));
    case Form::object_list: return {{"type", {"array", "null"}}, {"items", reference(field.object->name)}};
    case Form::signal_map:
      return map_of(any_of({reference("value"), list_of(reference("value"), 3), reference("signal")}));
    case Form::truth_or_names: return any_of({{{"type", "boolean"}}, list_of(text())});
    case Form::modes: return any_of({list_of({{"type", "integer"}}), reference("modes")});
    case Form::modal_damping:
      return any_of({reference("value"), list_of(reference("value")), reference("modal_damping")});
    case Form::flexible_data: return {{"type", "object"}};
    case Form::center: return any_of({{{"const", "earth"}}, reference("center")});
  }
  return {};
}

Json object_schema(const ObjectFormat& format) {
  Json properties = Json::object(), required = Json::array();
  for (const FieldFormat& field : format.fields) {
    Json schema = form_schema(field);
    schema["description"] = field.note;
    if (field.required) required.push_back(field.name);
    if (field.required && field.form == Form::object_map) {
      schema["type"] = "object";
      schema["minProperties"] = 1;
    }
    properties[std::string(field.name)] = std::move(schema);
  }
  Json object = {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
  if (!required.empty()) object["required"] = std::move(required);
  if (!format.one_of.empty()) {
    Json alternatives = Json::array();
    for (const std::string_view name : format.one_of) alternatives.push_back({{"required", {name}}});
    object["oneOf"] = std::move(alternatives);
  }
  return object;
}

/// What each type of joint needs.
Json joint_rules() {
  Json rules = Json::array();
  const auto rule = [&](std::string_view type, std::string_view needed) {
    rules.push_back({{"if", {{"properties", {{"type", {{"const", type}}}}}, {"required", {"type"}}}},
                     {"then", {{"required", {needed}}}}});
  };
  for (const std::string_view type : format::joint_types) {
    if (const JointFields& fields = joint_fields(type); !fields.axes.empty()) rule(type, fields.axes);
  }
  rule("gear", "joints");
  rule("distance", "length");
  return rules;
}

void collect(const ObjectFormat& format, Json& definitions) {
  if (definitions.contains(std::string(format.name))) return;
  definitions[std::string(format.name)] = object_schema(format);
  for (const FieldFormat& field : format.fields) {
    if (field.object != nullptr) collect(*field.object, definitions);
  }
}

/// The constants of blocks are numbers, or three of them for the components of a vector.
void allow_components(const ObjectFormat& format, Json& definitions) {
  for (const FieldFormat& field : format.fields) {
    if (field.form == Form::object) allow_components(*field.object, definitions);
    if (field.form != Form::constant) continue;
    Json& schema = definitions[std::string(format.name)]["properties"][std::string(field.name)];
    Json both = any_of({reference("value"), list_of(reference("value"), 3)});
    both["description"] = field.note;
    schema = std::move(both);
  }
}

/// "#/$defs/joint" becomes "#/$defs/template_joint", if that is among the names.
void refer_to_templates(Json& schema, const std::vector<std::string>& names) {
  for (auto& [key, value] : schema.items()) {
    if (key == "$ref") {
      const std::string name = value.get<std::string>().substr(std::string_view("#/$defs/").size());
      if (std::ranges::find(names, name) != names.end()) value = "#/$defs/template_" + name;
    } else if (value.is_structured()) {
      refer_to_templates(value, names);
    }
  }
}

/// In a template the name of a parameter may stand for any value.
void add_template_definitions(Json& definitions) {
  std::vector<std::string> names;
  for (const auto& [name, definition] : definitions.items()) {
    if (name != "value" && name != "template" && name != "instance") names.push_back(name);
  }
  for (const std::string& name : names) {
    Json copy = definitions[name];
    if (copy.contains("properties")) {
      for (auto& [key, property] : copy["properties"].items()) {
        const Json note = property["description"];
        property.erase("description");
        property = any_of({std::move(property), text()});
        property["description"] = note;
      }
    } else {
      copy = any_of({std::move(copy), text()});
    }
    definitions["template_" + name] = std::move(copy);
    refer_to_templates(definitions["template_" + name], names);
  }
  refer_to_templates(definitions["template"], names);
}

/// Of the objects in a file, and of what most files have.
Json definitions_of(const ObjectFormat& file) {
  Json definitions = Json::object();
  definitions["value"] = {{"type", {"number", "string"}},
                          {"description", "a number in SI units, \"NUMBER UNIT\", or an expression"}};
  definitions["vector"] = any_of({list_of(reference("value"), 3), text()});
  definitions["vector"]["description"] = "three values, or an expression that is a vector";
  for (const FieldFormat& field : file.fields) {
    if (field.object != nullptr) collect(*field.object, definitions);
  }
  return definitions;
}

/// The whole as text.
std::string with_head(Json schema, std::string_view version, std::string_view title, Json definitions) {
  schema["properties"][std::string(version)] = {{"const", 1}, {"description", "format version"}};
  Json result = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  result.update(schema);
  result["$defs"] = std::move(definitions);
  return result.dump(2) + "\n";
}

}  // namespace

std::string json_schema_of(const ObjectFormat& file, std::string_view version, std::string_view title) {
  return with_head(object_schema(file), version, title, definitions_of(file));
}

std::string json_schema() {
  Json schema = object_schema(format::model);
  Json definitions = definitions_of(format::model);
  for (const ObjectFormat* format : {&format::orientation, &format::inertia, &format::coefficient, &format::center}) {
    collect(*format, definitions);
  }
  definitions["joint"]["allOf"] = joint_rules();
  allow_components(format::signal, definitions);
  add_template_definitions(definitions);
  // Every joint says what type it is, but `base` may leave that to the program.
  Json& joints = schema["properties"]["joints"];
  Json typed = joints["additionalProperties"];
  joints["additionalProperties"] = {{"allOf", {std::move(typed), {{"required", {"type"}}}}}};
  joints["properties"] = {{"base", reference("joint")}};

  schema["properties"]["parameters"]["additionalProperties"] =
      any_of({reference("value"), list_of(reference("value"), 3)});
  // They may be those of another file or of templates; and a file that is included may have any part of a model.
  schema["required"] = {"gyrostat"};
  schema["anyOf"] = Json::array();
  for (const char* section :
       {"bodies", "include", "instances", "templates", "joints", "constraints", "signals", "loads", "environment"})
    schema["anyOf"].push_back({{"required", {section}}});
  return with_head(std::move(schema), "gyrostat", "Gyrostat model file", std::move(definitions));
}

}  // namespace gyrostat
