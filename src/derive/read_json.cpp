// Equations from JSON: every node is made, and its types checked, as when the equations were derived.
#include <array>

#include <nlohmann/json.hpp>

#include "gyrostat/derive/json_format.h"
#include "gyrostat/derive/print.h"

namespace gyrostat::derive {

namespace {

using ReadJson = nlohmann::json;

/// The enumerator of that name.
template <class Enum, class NameOf>
Enum enumerator(const std::string& name, std::size_t count, NameOf name_of_one) {
  for (std::size_t k = 0; k < count; ++k) {
    if (name_of_one(static_cast<Enum>(k)) == name) return static_cast<Enum>(k);
  }
  throw std::invalid_argument("'" + name + "' is not known");
}

Type read_type(const ReadJson& json) { return enumerator<Type>(json.at("type"), 3, type_name); }

Symbol read_symbol(const ReadJson& json) {
  Symbol symbol{json.at("letter"), {}};
  for (const ReadJson& index : json.at("indices")) {
    if (index.is_object()) {
      symbol.indices.push_back({index.at("running"), true});
    } else {
      symbol.indices.push_back({index, false});
    }
  }
  return symbol;
}

constexpr int deepest = 500;  // nodes within each other

Expr read_expression(const ReadJson& json, int depth = 0) {
  if (depth > deepest) throw std::invalid_argument("expressions within each other go too deep");
  const auto operation = enumerator<Operation>(json.at("op"), 12, operation_name);
  std::vector<Expr> of;
  if (json.contains("of")) {
    for (const ReadJson& operand : json.at("of")) of.push_back(read_expression(operand, depth + 1));
  }
  const std::size_t least = operation == Operation::sum                                              ? 2
                            : operation < Operation::sum                                             ? 0
                            : operation == Operation::negative || operation >= Operation::derivative ? 1
                                                                                                     : 2;
  if (of.size() < least || (operation != Operation::sum && of.size() > least))
    throw std::invalid_argument("'" + std::string(operation_name(operation)) + "' has " + std::to_string(of.size()) +
                                " operands");
  switch (operation) {
    case Operation::zero: return zero(read_type(json));
    case Operation::number: return number(json.at("value"));
    case Operation::unit: return unit_dyadic();
    case Operation::symbol: return symbol(read_symbol(json));
    case Operation::derivative: return derivative(of[0], json.at("frame"));
    case Operation::over:
      return over({json.at("index"), read_symbol(json.at("set")), json.at("members"), json.at("without")}, of[0]);
    default: {
      Node node;
      node.operation = operation;
      node.type = read_type(json);
      return with_operands(node, std::move(of));
    }
  }
}

std::vector<Term> read_terms(const ReadJson& json) {
  std::vector<Term> terms;
  for (const ReadJson& one : json)
    terms.push_back(
        {enumerator<Group>(one.at("group"), 8, group_name), read_expression(one.at("value")), one.at("meaning")});
  return terms;
}

Definition read_definition(const ReadJson& json) {
  Definition d;
  d.symbol = read_symbol(json.at("symbol"));
  d.section = enumerator<Section>(json.at("section"), 8, section_name);
  d.meaning = json.at("meaning");
  d.unit = json.at("unit");
  d.body = json.at("body");
  if (json.contains("value")) d.value = read_expression(json.at("value"));
  if (json.contains("constant"))
    d.constant = Constant{json.at("constant").at("components"), json.at("constant").at("frame")};
  d.formula = json.value("formula", "");
  d.latex = json.value("latex", "");
  return d;
}

Document read_document(const ReadJson& json) {
  if (json.at("format") != json_format)
    throw std::invalid_argument("the format is not '" + std::string(json_format) + "'");
  Document document;
  document.title = json.at("title");
  document.body = json.at("body");
  for (const ReadJson& b : json.at("tree"))
    document.tree.push_back({b.at("body"), b.at("joint"), b.at("note"), b.at("parent")});
  for (const ReadJson& s : json.at("sets"))
    document.sets.push_back({read_symbol(s.at("set")), s.at("meaning"), s.at("members")});
  for (const ReadJson& d : json.at("symbols")) document.definitions.push_back(read_definition(d));
  for (const ReadJson& e : json.at("equations")) {
    document.equations.push_back({e.at("id"), enumerator<EquationKind>(e.at("kind"), 7, kind_name), read_type(e),
                                  e.at("title"), e.at("of"), e.at("body"), read_terms(e.at("left")),
                                  read_terms(e.at("right"))});
  }
  for (const ReadJson& u : json.at("unknowns"))
    document.unknowns.push_back({read_symbol(u.at("speed")), u.at("index"), u.at("name"), u.at("given")});
  for (const ReadJson& l : json.at("left_out")) document.left_out.push_back({l.at("what"), l.at("why"), l.at("body")});
  return document;
}

}  // namespace

Document read_json(const std::string& text) {
  try {
    return read_document(ReadJson::parse(text));
  } catch (const ReadJson::exception& error) {
    throw std::invalid_argument(error.what());
  } catch (const AlgebraError& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace gyrostat::derive
