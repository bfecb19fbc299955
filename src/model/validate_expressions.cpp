#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/model/expressions.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

using expression::Operation;

/// Reports the names in an expression that mean nothing, each where it first occurs. `pi` is a number.
void check_names(const ExpressionAt& at, const Names& names, Problems& problems) {
  std::vector<bool> seen(at.expression->names.size(), false), seen_as_table(at.expression->names.size(), false);
  for (const expression::Node& node : at.expression->nodes) {
    const bool table = node.operation == Operation::table;
    if (node.operation != Operation::name && !table) continue;
    const auto already = (table ? seen_as_table : seen)[node.name];
    if (already) continue;
    (table ? seen_as_table : seen)[node.name] = true;
    const std::string& name = at.expression->names[node.name];
    std::string message;
    if (table) {
      if (!names.table(name)) message = names.no_table(name);
    } else if (name != "pi") {
      const auto answer = names.resolve(name);
      if (const auto* why = std::get_if<std::string>(&answer)) message = *why;
    }
    if (!message.empty()) problems.add({Severity::error, at.path, std::move(message), {}, node.name_offset});
  }
}

struct Dependence {
  const expression::Node* on_state = nullptr;                              // the first name of anything that moves
  std::vector<std::pair<std::uint32_t, const expression::Node*>> signals;  // on these, and where they are named
};

Dependence dependence(const Expression& expression, const Names& names) {
  Dependence d;
  for (const expression::Node& node : expression.nodes) {
    if (node.operation != Operation::name || expression.names[node.name] == "pi") continue;
    const auto answer = names.resolve(expression.names[node.name]);
    const auto* reference = std::get_if<Reference>(&answer);
    if (reference == nullptr) continue;
    if (reference->quantity == Quantity::signal) {
      d.signals.emplace_back(reference->object, &node);
    } else if (reference->quantity != Quantity::time && reference->quantity != Quantity::parameter &&
               d.on_state == nullptr) {
      d.on_state = &node;
    }
  }
  return d;
}

/// Which signals are expressions of time alone, directly or through other such signals. Blocks have memory, or steps
/// that cannot be differentiated.
std::vector<bool> expressions_of_time(const Description& description, const Names& names) {
  const std::size_t count = description.signals.size();
  std::vector<std::vector<std::uint32_t>> used_by(count);
  std::vector<bool> of_time(count, true);
  std::vector<std::uint32_t> spread;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Block& block = description.signals[i].block;
    if (const auto* expression = std::get_if<Expression>(&block)) {
      const Dependence d = dependence(*expression, names);
      if (d.on_state != nullptr) of_time[i] = false;
      for (const auto& [signal, node] : d.signals) used_by[signal].push_back(i);
    } else {
      of_time[i] = false;
    }
    if (!of_time[i]) spread.push_back(i);
  }
  while (!spread.empty()) {
    const std::uint32_t i = spread.back();
    spread.pop_back();
    for (const std::uint32_t user : used_by[i]) {
      if (!of_time[user]) continue;
      of_time[user] = false;
      spread.push_back(user);
    }
  }
  return of_time;
}

}  // namespace

void validate_expressions(const Description& description, const Names& names, Problems& problems) {
  std::vector<bool> of_time;
  for (const ExpressionAt& at : all_expressions(description)) {
    check_names(at, names, problems);
    if (!at.of_time_only) continue;
    if (of_time.size() != description.signals.size()) of_time = expressions_of_time(description, names);
    const Dependence d = dependence(*at.expression, names);
    const expression::Node* moves = d.on_state;
    for (const auto& [signal, node] : d.signals) {
      if (moves == nullptr && !of_time[signal]) moves = node;
    }
    if (moves == nullptr) continue;
    const bool constraint = at.path.starts_with("constraints.");
    std::string message =
        fmt::format("{} is an expression of t, parameters, and signals that are such expressions; '{}' is none",
                    constraint ? "what a constraint equals" : "a prescribed motion", at.expression->names[moves->name]);
    problems.add({Severity::error, at.path, std::move(message), {}, moves->name_offset});
  }
}

}  // namespace gyrostat
