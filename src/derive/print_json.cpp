// Equations as JSON: the trees themselves.
#include <nlohmann/json.hpp>

#include "gyrostat/derive/json_format.h"
#include "gyrostat/derive/print.h"

namespace gyrostat::derive {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson symbol_json(const Symbol& symbol) {
  OrderedJson indices = OrderedJson::array();
  for (const Index& index : symbol.indices) {
    if (index.running) {
      indices.push_back({{"running", index.name}});
    } else {
      indices.push_back(index.name);
    }
  }
  return {{"letter", symbol.letter}, {"indices", std::move(indices)}};
}

OrderedJson expression_json(const Expr& e) {
  OrderedJson json = {{"op", operation_name(e->operation)}, {"type", type_name(e->type)}};
  if (e->operation == Operation::number) json["value"] = e->value;
  if (e->operation == Operation::symbol) json.update(symbol_json(e->symbol));
  if (e->operation == Operation::derivative) json["frame"] = e->frame;
  if (e->operation == Operation::over) {
    json["index"] = e->range.variable;
    json["set"] = symbol_json(e->range.set);
    json["members"] = e->range.members;
    json["without"] = e->range.without;
  }
  if (!e->operands.empty()) {
    json["of"] = OrderedJson::array();
    for (const Expr& operand : e->operands) json["of"].push_back(expression_json(operand));
  }
  return json;
}

OrderedJson terms_json(const std::vector<Term>& terms) {
  OrderedJson list = OrderedJson::array();
  for (const Term& term : terms)
    list.push_back(
        {{"group", group_name(term.group)}, {"value", expression_json(term.value)}, {"meaning", term.meaning}});
  return list;
}

OrderedJson definition_json(const Definition& d) {
  OrderedJson json = {{"symbol", symbol_json(d.symbol)},
                      {"type", type_name(symbol(d.symbol)->type)},
                      {"section", section_name(d.section)},
                      {"meaning", d.meaning},
                      {"unit", d.unit},
                      {"body", d.body}};
  if (d.value) json["value"] = expression_json(d.value);
  if (d.constant) json["constant"] = {{"components", d.constant->components}, {"frame", d.constant->frame}};
  if (!d.formula.empty()) json["formula"] = d.formula;
  if (!d.latex.empty()) json["latex"] = d.latex;
  return json;
}

}  // namespace

std::string print_json(const Document& document) {
  OrderedJson json = {{"format", json_format}, {"title", document.title}, {"body", document.body}};
  for (const char* list : {"tree", "sets", "symbols", "equations", "unknowns", "left_out"})
    json[list] = OrderedJson::array();
  for (const Branch& b : document.tree)
    json["tree"].push_back({{"body", b.body}, {"joint", b.joint}, {"note", b.note}, {"parent", b.parent}});
  for (const SetDefinition& s : document.sets)
    json["sets"].push_back({{"set", symbol_json(s.set)}, {"meaning", s.meaning}, {"members", s.members}});
  for (const Definition& d : document.definitions) json["symbols"].push_back(definition_json(d));
  for (const Equation& e : document.equations) {
    json["equations"].push_back({{"id", e.id},
                                 {"kind", kind_name(e.kind)},
                                 {"type", type_name(e.type)},
                                 {"title", e.title},
                                 {"of", e.of},
                                 {"body", e.body},
                                 {"left", terms_json(e.left)},
                                 {"right", terms_json(e.right)}});
  }
  for (const Unknown& u : document.unknowns)
    json["unknowns"].push_back(
        {{"speed", symbol_json(u.speed)}, {"index", u.index}, {"name", u.name}, {"given", u.given}});
  for (const LeftOut& l : document.left_out)
    json["left_out"].push_back({{"what", l.what}, {"why", l.why}, {"body", l.body}});
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace gyrostat::derive
