#include "gyrostat/derive/document.h"

#include <algorithm>
#include <array>
#include <set>

#include "gyrostat/expression/nearest.h"

namespace gyrostat::derive {

std::string_view section_name(Section section) {
  static constexpr std::array<std::string_view, 8> names = {"body", "joint",  "wheel", "load",
                                                            "loop", "motion", "nest",  "resultant"};
  return names.at(static_cast<std::size_t>(section));
}

std::string_view group_name(Group group) {
  static constexpr std::array<std::string_view, 8> names = {"inertia",    "prescribed", "centripetal and Coriolis",
                                                            "gyroscopic", "hinge",      "external",
                                                            "constraint", "kinematics"};
  return names.at(static_cast<std::size_t>(group));
}

std::string_view kind_name(EquationKind kind) {
  static constexpr std::array<std::string_view, 7> names = {"kinematics",  "rotation", "translation", "wheel",
                                                            "elimination", "reduced",  "loop"};
  return names.at(static_cast<std::size_t>(kind));
}

std::map<Symbol, Expr> Document::made_of() const {
  std::map<Symbol, Expr> map;
  for (const Definition& definition : definitions) {
    if (definition.value) map.emplace(definition.symbol, definition.value);
  }
  return map;
}

std::string_view formula_lead(const Definition& definition) {
  if (!definition.constant) return ": ";
  const bool direction = definition.unit == "1" && definition.constant->components.size() == 3;
  return direction ? ", along " : " = ";
}

Expr total(const std::vector<Term>& terms, Type type) {
  std::vector<Expr> values;
  for (const Term& term : terms) values.push_back(term.value);
  return sum(std::move(values), type);
}

void collect(const Expr& expression, std::vector<Symbol>& symbols) {
  if (expression->operation == Operation::symbol) {
    symbols.push_back(expression->symbol);
  } else if (expression->operation == Operation::over) {
    for (const std::string& member : expression->range.members)
      collect(instance(expression->operands[0], expression->range.variable, member), symbols);
  } else {
    for (const Expr& operand : expression->operands) collect(operand, symbols);
    if (expression->operation == Operation::derivative && expression->type != Type::scalar &&
        expression->frame != "world") {
      symbols.push_back({"omega", {{expression->frame, false}}});
    }
  }
}

namespace {

void collect_sets(const Expr& expression, std::set<Symbol>& sets) {
  if (expression->operation == Operation::over) sets.insert(expression->range.set);
  for (const Expr& operand : expression->operands) collect_sets(operand, sets);
}

}  // namespace

/// Removes definitions and sets that no equation needs.
void keep_used(Document& document) {
  std::map<Symbol, const Definition*> by_symbol;
  for (const Definition& definition : document.definitions) by_symbol.emplace(definition.symbol, &definition);
  std::set<Symbol> used, sets;
  std::vector<Symbol> open;
  for (const Equation& equation : document.equations) {
    for (const auto* side : {&equation.left, &equation.right}) {
      for (const Term& term : *side) {
        collect(term.value, open);
        collect_sets(term.value, sets);
      }
    }
  }
  while (!open.empty()) {
    const Symbol next = std::move(open.back());
    open.pop_back();
    const auto found = by_symbol.find(next);
    if (found == by_symbol.end() || !used.insert(next).second) continue;
    open.insert(open.end(), found->second->needs.begin(), found->second->needs.end());
    if (!found->second->value) continue;
    collect(found->second->value, open);
    collect_sets(found->second->value, sets);
  }
  std::erase_if(document.definitions, [&](const Definition& d) { return !used.contains(d.symbol); });
  std::erase_if(document.sets, [&](const SetDefinition& s) { return !sets.contains(s.set); });
}

Document for_body(const Document& document, const std::string& body) {
  std::vector<std::string> names;
  for (const Branch& branch : document.tree) names.push_back(branch.body);
  if (std::ranges::find(names, body) == names.end())
    throw std::out_of_range("there is no body '" + body + "'" + did_you_mean(body, names));
  Document part = document;
  part.body = body;
  std::erase_if(part.equations, [&](const Equation& e) { return e.body != body; });
  std::erase_if(part.left_out, [&](const LeftOut& l) { return !l.body.empty() && l.body != body; });
  keep_used(part);
  return part;
}

}  // namespace gyrostat::derive
