#include "gyrostat/format/read.h"

#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/format/expand.h"
#include "gyrostat/format/formulas.h"
#include "gyrostat/format/limits.h"
#include "gyrostat/format/read_sections.h"

namespace gyrostat {

using namespace reading;  // NOLINT(google-build-using-namespace): this file is the front of that one

namespace {

/// The version comes first: a file of another version may differ in every other field.
bool version_is_ours(const Value& root) {
  const YamlNode* node = root.node.find("gyrostat");
  if (node == nullptr) {
    const bool of_campaign = root.node.find("gyrostat_campaign") != nullptr;
    root.error(of_campaign
                   ? "this is a campaign file, which `gyrostat campaign` flies; a model file begins with 'gyrostat: 1'"
                   : "missing the first line of a model file: 'gyrostat: 1'");
    return false;
  }
  const Value version{*node, {&root.path, "gyrostat", {}}, root.context};
  if (version.is_scalar() && version.node.text == "1") return true;
  if (version.is_scalar()) version.error(fmt::format("this program reads format version 1, not '{}'", node->text));
  if (!version.is_scalar()) version.expected("the format version, 1");
  return false;
}

template <class Description, class Read>
void read_named(const Fields& fields, std::string_view section, std::size_t limit, std::vector<Description>& into,
                Read read) {
  const auto value = fields.find(section);
  if (!value) return;
  if (value->node.items.size() / 2 > limit) {
    return value->error(fmt::format("{} {}; the limit is {}", value->node.items.size() / 2, section, limit));
  }
  into.reserve(value->node.items.size() / 2);
  for_each_entry(*value, [&](std::string_view name, const Value& entry) { into.push_back(read(entry, name)); });
}

}  // namespace

static Description read_noting(const Source& source, const YamlNode& tree, std::span<const Override> overrides,
                               Problems& problems, Formulas* formulas) {
  Description d;
  Context context{source, problems, {}, {}, formulas};
  const Value root{tree, {}, context};
  if (root.is_null()) {
    if (problems.errors() == 0) root.error("the file is empty; a model file begins with 'gyrostat: 1'");
    return d;
  }
  if (!root.is_mapping()) {
    root.expected("a model: 'gyrostat: 1', 'bodies:' and so on");
    return d;
  }
  if (!version_is_ours(root)) return d;

  const Fields fields(root, format::model);
  d.name = fields.text("name");
  const auto parameters = fields.find("parameters");
  d.parameters = read_parameters(parameters ? &*parameters : nullptr, overrides, context);
  read_named(fields, "tables", limits::signals, d.tables, read_table);
  read_named(fields, "bodies", limits::bodies, d.bodies, read_body);
  const std::string first_body = d.bodies.empty() ? "" : d.bodies.front().name;
  read_named(fields, "joints", 2 * limits::bodies, d.joints,
             [&](const Value& value, std::string_view name) { return read_joint(value, name, first_body); });
  const JointsByName joints = fields.has("constraints") ? joints_by_name(d.joints) : JointsByName();
  read_named(fields, "constraints", 2 * limits::bodies, d.constraints,
             [&](const Value& value, std::string_view name) { return read_constraint(value, name, joints); });
  read_named(fields, "signals", limits::signals, d.signals, read_signal);
  if (const auto loads = fields.find("loads"); loads && !loads->is_null()) {
    if (!loads->is_list()) loads->expected("a list of loads, each beginning with '- '");
    for (std::size_t i = 0; loads->is_list() && i < loads->node.items.size(); ++i) {
      // A load that cannot be read keeps its place, so that paths like loads[3] stay true.
      d.loads.push_back(read_load(loads->item(i)).value_or(BodyLoad{}));
    }
  }
  if (const auto value = fields.find("environment")) d.environment = read_environment(*value);
  if (const auto value = fields.find("simulation")) d.simulation = read_simulation(*value, d.joints);
  if (const auto value = fields.find("output")) d.output = read_output(*value);
  return d;
}

Description read_description(const Source& source, const YamlNode& tree, std::span<const Override> overrides,
                             Problems& problems) {
  return read_noting(source, tree, overrides, problems, nullptr);
}

Formulas read_formulas(const Source& source, std::span<const Override> overrides) {
  Source whole(source.file(), std::string(source.expanded_text()));
  Problems problems;
  Formulas formulas;
  const YamlNode root = expanded_tree(whole, problems);
  if (problems.errors() == 0) read_noting(whole, root, overrides, problems, &formulas);
  return formulas;
}

}  // namespace gyrostat
