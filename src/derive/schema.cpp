// The JSON Schema of equations in JSON.
#include <nlohmann/json.hpp>

#include "gyrostat/derive/json_format.h"
#include "gyrostat/derive/letters.h"
#include "gyrostat/derive/print.h"

namespace gyrostat::derive {

namespace {

using SchemaJson = nlohmann::ordered_json;

const SchemaJson text_schema = {{"type", "string"}};

SchemaJson list_of(const SchemaJson& items) { return {{"type", "array"}, {"items", items}}; }
SchemaJson reference(const char* name) { return {{"$ref", std::string("#/$defs/") + name}}; }

/// With these fields and no others; those after `required` may be absent.
SchemaJson object_with(const SchemaJson& required, const SchemaJson& optional = SchemaJson::object()) {
  SchemaJson made = {{"type", "object"}, {"properties", required}, {"additionalProperties", false}};
  made["required"] = SchemaJson::array();
  for (const auto& [name, value] : required.items()) made["required"].push_back(name);
  made["properties"].update(optional);
  return made;
}

template <class Enum, class NameOf>
SchemaJson one_of_names(std::size_t count, NameOf name_of_one) {
  SchemaJson names = SchemaJson::array();
  for (std::size_t k = 0; k < count; ++k) names.push_back(name_of_one(static_cast<Enum>(k)));
  return {{"enum", names}};
}

SchemaJson letter_schema() {
  SchemaJson list = SchemaJson::array();
  for (const Letter& one : letters()) list.push_back({{"const", one.id}, {"description", one.meaning}});
  return {{"oneOf", list}};
}

SchemaJson node_schema(const char* op, const SchemaJson& fields, const char* description) {
  SchemaJson required = {{"op", {{"const", op}}}, {"type", reference("type")}};
  required.update(fields);
  SchemaJson made = object_with(required);
  made["description"] = description;
  return made;
}

SchemaJson operands(std::size_t least, bool more = false) {
  SchemaJson made = list_of(reference("expression"));
  made["minItems"] = least;
  if (!more) made["maxItems"] = least;
  return made;
}

SchemaJson expression_schema() {
  SchemaJson kinds = SchemaJson::array();
  const auto add = [&](const char* op, const SchemaJson& fields, const char* description) {
    kinds.push_back(node_schema(op, fields, description));
  };
  add("zero", SchemaJson::object(), "zero, of any type");
  add("number", {{"value", {{"type", "number"}}}}, "a scalar");
  add("unit_dyadic", SchemaJson::object(), "the unit dyadic");
  add("symbol", {{"letter", reference("letter")}, {"indices", list_of(reference("index"))}}, "a symbol");
  add("sum", {{"of", operands(2, true)}}, "a + b + ..");
  add("minus", {{"of", operands(1)}}, "-a");
  add("scaled", {{"of", operands(2)}}, "a scalar times a scalar, vector or dyadic");
  add("dot", {{"of", operands(2)}}, "a . b, of vectors and dyadics");
  add("cross", {{"of", operands(2)}}, "a x b, of vectors");
  add("dyad", {{"of", operands(2)}}, "the dyadic product a b, of vectors");
  add("derivative", {{"frame", text_schema}, {"of", operands(1)}},
      "the derivative by time in the frame of a body, or of the world");
  add("sum_over",
      {{"index", text_schema},
       {"set", reference("symbol")},
       {"members", list_of(text_schema)},
       {"without", list_of(text_schema)},
       {"of", operands(1)}},
      "the sum over the members of a set, which are the set's without those of `without`; the running index stands "
      "for the member");
  return {{"oneOf", kinds}};
}

}  // namespace

std::string equations_schema() {
  const SchemaJson integer = {{"type", "integer"}, {"minimum", 0}};
  const SchemaJson terms = list_of(object_with(
      {{"group", one_of_names<Group>(8, group_name)}, {"value", reference("expression")}, {"meaning", text_schema}}));
  SchemaJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "Equations of motion in vector-dyadic form, by gyrostat derive"}};
  schema.update(object_with(
      {{"format", {{"const", json_format}}},
       {"title", text_schema},
       {"body", {{"type", "string"}, {"description", "whose equations alone these are; empty: of the whole"}}},
       {"tree", list_of(object_with({{"body", text_schema},
                                     {"joint", text_schema},
                                     {"note", text_schema},
                                     {"parent",
                                      {{"type", "integer"},
                                       {"minimum", 0},
                                       {"description", "place in this list, counted from 1; 0: the world"}}}}))},
       {"sets", list_of(object_with(
                    {{"set", reference("symbol")}, {"meaning", text_schema}, {"members", list_of(text_schema)}}))},
       {"symbols",
        list_of(object_with(
            {{"symbol", reference("symbol")},
             {"type", reference("type")},
             {"section", one_of_names<Section>(8, section_name)},
             {"meaning", text_schema},
             {"unit", text_schema},
             {"body", text_schema}},
            {{"value", reference("expression")},
             {"constant", object_with({{"components",
                                        {{"type", "array"},
                                         {"items", {{"type", "number"}}},
                                         {"description", "one; x, y, z; or xx, yy, zz, xy, xz, yz"}}},
                                       {"frame", {{"type", "string"}, {"description", "in whose axes they are"}}}})},
             {"formula", {{"type", "string"}, {"description", "as the model file has it"}}},
             {"latex", text_schema}}))},
       {"equations", list_of(object_with({{"id", text_schema},
                                          {"kind", one_of_names<EquationKind>(7, kind_name)},
                                          {"type", reference("type")},
                                          {"title", text_schema},
                                          {"of", text_schema},
                                          {"body", text_schema},
                                          {"left", terms},
                                          {"right", terms}}))},
       {"unknowns", list_of(object_with({{"speed", reference("symbol")},
                                         {"index", integer},
                                         {"name", text_schema},
                                         {"given", {{"type", "boolean"}}}}))},
       {"left_out", list_of(object_with({{"what", text_schema}, {"why", text_schema}, {"body", text_schema}}))}}));
  schema["$defs"] = {
      {"type", one_of_names<Type>(3, type_name)},
      {"letter", letter_schema()},
      {"index", {{"oneOf", {text_schema, object_with({{"running", text_schema}})}}}},
      {"symbol", object_with({{"letter", reference("letter")}, {"indices", list_of(reference("index"))}})},
      {"expression", expression_schema()}};
  return schema.dump(1) + "\n";
}

}  // namespace gyrostat::derive
