#include <array>
#include <limits>

#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/format/ordering.h"
#include "gyrostat/format/read_sections.h"

namespace gyrostat::reading {

namespace {

const std::array<std::string, 3> vector_suffixes = {".x", ".y", ".z"};

struct Written {
  std::string name;
  const YamlNode* node = nullptr;
  std::string option = {};  // "--set NAME" if its value comes from there
};

/// The parameters that one is written in terms of; nothing for numbers, quantities and what cannot be parsed.
std::vector<std::string> names_in(const YamlNode& node) {
  std::vector<std::string> names;
  if (node.kind == YamlNode::Kind::sequence) {
    for (const YamlNode& item : node.items) {
      for (std::string& name : names_in(item)) names.push_back(std::move(name));
    }
  }
  if (node.kind != YamlNode::Kind::scalar || split_quantity(node.text)) return names;
  return expression::parse(node.text).expression.names;
}

/// The name without the component of a vector: offset.x is of offset.
std::string whole_name(const std::string& name) { return name.substr(0, name.rfind('.')); }

}  // namespace

std::vector<ParameterDescription> read_parameters(const Value* value, std::span<const Override> overrides,
                                                  Context& context) {
  const Path section{nullptr, "parameters", {}};
  std::vector<Written> all;
  std::unordered_map<std::string_view, std::size_t> index;
  if (value != nullptr) {
    for_each_entry(*value, [&](std::string_view name, const Value& entry) {
      if (expression::is_reserved(name)) entry.error_at_name(fmt::format("'{}' is the name of a function", name));
      all.push_back({std::string(name), &entry.node});
    });
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    index.emplace(all[i].name, i);
    context.parameter_names.push_back(all[i].name);
  }

  std::vector<YamlNode> given(overrides.size());
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    given[i].kind = YamlNode::Kind::scalar;
    given[i].line = std::numeric_limits<std::uint32_t>::max();  // not in the file
    given[i].text = overrides[i].value;
    const auto found = index.find(overrides[i].name);
    if (found == index.end()) {
      context.problems.error(
          fmt::format("--set {}", overrides[i].name),
          fmt::format("the model has no such parameter{}", did_you_mean(overrides[i].name, context.parameter_names)));
      continue;
    }
    all[found->second].node = &given[i];
    all[found->second].option = "--set " + overrides[i].name;
  }

  std::vector<std::vector<std::uint32_t>> needs(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::string& name : names_in(*all[i].node)) {
      auto found = index.find(name);
      if (found == index.end()) found = index.find(whole_name(name));
      // a name that does not exist is reported when it is evaluated
      if (found != index.end()) needs[i].push_back(static_cast<std::uint32_t>(found->second));
    }
  }
  const Ordering ordering = order_by_need(needs);
  const auto value_of = [&](std::uint32_t i) {
    const Path path = all[i].option.empty() ? Path{&section, all[i].name, {}} : Path{nullptr, all[i].option, {}};
    return Value{*all[i].node, path, context};
  };
  for (const auto& cycle : ordering.cycles) {
    const std::string chain = cycle_text(cycle, [&](std::uint32_t i) { return all[i].name; });
    value_of(cycle.front()).error("defined in terms of itself: " + chain);
    for (const std::uint32_t i : cycle) context.parameters[all[i].name] = {unreadable, std::nullopt};
  }
  for (const std::uint32_t i : ordering.order) {
    if (context.parameters.contains(all[i].name)) continue;
    const std::vector<expression::Constant> constants = read_parameter(value_of(i));
    for (std::size_t k = 0; k < constants.size(); ++k)
      context.parameters[constants.size() == 1 ? all[i].name : all[i].name + vector_suffixes[k]] = constants[k];
  }
  std::vector<ParameterDescription> results;
  for (const Written& written : all) {
    const auto number = context.parameters.find(written.name);
    if (number != context.parameters.end()) results.push_back({written.name, number->second});
    for (std::size_t k = 0; number == context.parameters.end() && k < vector_suffixes.size(); ++k) {
      const std::string name = written.name + vector_suffixes[k];
      results.push_back({name, context.parameters.at(name)});
    }
  }
  return results;
}

}  // namespace gyrostat::reading
