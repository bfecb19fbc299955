#include "gyrostat/model/load.h"

#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/format/expand.h"
#include "gyrostat/format/limits.h"
#include "gyrostat/format/structure.h"
#include "gyrostat/format/text_file.h"
#include "gyrostat/format/yaml_text.h"
#include "gyrostat/model/determinacy.h"
#include "gyrostat/model/flexible_nodes.h"
#include "gyrostat/model/prescribed.h"
#include "gyrostat/model/validate.h"
#include "gyrostat/model/vectors.h"

namespace gyrostat {

namespace {

/// "a, b, c, ..."
std::string joint_names(const System& system, const std::vector<std::uint32_t>& joints) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < joints.size() && i < most; ++i) {
    text += (i > 0 ? ", " : "") + system.joints[joints[i]].name;
  }
  return joints.size() > most ? text + ", ..." : text;
}

void check_determinacy(const System& system, Problems& problems) {
  const MasslessMotions massless = find_massless_motions(system);
  const auto& motions = massless.motions;
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const auto& joints = motions[k].joints;
    const auto same = [&](const MasslessMotion& other) { return other.joints == joints; };
    if (joints.empty()) continue;
    if (std::any_of(motions.begin(), motions.begin() + static_cast<std::ptrdiff_t>(k), same)) continue;
    const bool one = joints.size() == 1;
    problems.error(
        "joints." + system.joints[joints.front()].name,
        fmt::format("{} {} would leave all mass at rest, so nothing determines it: give mass or inertia to what {}, or "
                    "lock {}",
                    one ? "a motion of" : "a motion of the joints", joint_names(system, joints),
                    one ? "it carries" : "they carry", one ? "it" : "one of them"));
  }
  if (massless.count > motions.size()) {
    problems.error(
        "joints",
        fmt::format("and {} more motions that would leave all mass at rest{}", massless.count - motions.size(),
                    massless.loops_ignored ? fmt::format(" (too many to see whether loops prevent them; the "
                                                         "limit is {})",
                                                         massless_motions_with_loops)
                                           : ""));
  }
}

/// The level `ruthless` leaves out where the deformation puts what is outboard of a body: rates of constraints would
/// have the modes' part, their residuals would not.
void check_loops_of_ruthless_bodies(const System& system, Problems& problems) {
  const auto leaves_out = [&](std::uint32_t i) {
    if (system.bodies[i].node == Body::none) return false;
    const FlexibleBody& body = system.flexible[system.bodies[system.parent[i]].flexible];
    const NodeShape& shape = body.data.nodes[system.bodies[i].node].shape;
    return body.terms == FlexibleTerms::ruthless && !(shape.translation.isZero(0) && shape.rotation.isZero(0));
  };
  for (const Constraint& constraint : system.constraints) {
    if (std::holds_alternative<Coupling>(constraint.kind)) continue;
    auto [a, b] = bodies_of(system, constraint);
    while (a != b) {
      std::uint32_t& outer = a > b ? a : b;
      if (leaves_out(outer)) {
        problems.error(
            constraint.path,
            fmt::format("goes through '{}', where the body has 'terms: ruthless': that level leaves out where "
                        "the deformation puts what is attached, so a loop would not stay closed; use 'linear' or "
                        "'stiffened'",
                        system.bodies[outer].name));
        break;
      }
      outer = system.parent[outer];
    }
  }
}

/// Validates what has been read and builds the system if nothing is wrong.
void finish(Description description, Loaded& loaded) {
  Problems& problems = loaded.problems;
  const bool has_base = add_base(description, problems);
  add_flexible_nodes(description, problems);
  take_vectors_apart(description, problems);
  std::optional<System> system;
  {
    const Names names(description, &problems);
    validate(description, names, problems);
    if (!has_base) return;
    record_components(description.output, names);
    const Topology topology = find_topology(description, names, problems);
    report_turned_nodes(description, topology, problems);
    if (problems.errors() > 0) return;
    system = build(description, topology);
    set_prescribed_state(description, names, *system, problems);
    if (problems.errors() > 0) return;
  }
  check_determinacy(*system, problems);
  check_loops_of_ruthless_bodies(*system, problems);
  if (problems.errors() > 0) return;
  loaded.model = Model{std::move(description), std::move(*system)};
}

}  // namespace

ModelText::ModelText(std::string file, std::string text) {
  text = without_byte_order_mark(std::move(text));
  const bool too_large = text.size() > limits::file_bytes;
  if (too_large) text.clear();
  source_ = Source(std::move(file), std::move(text));
  if (too_large) {
    problems_.error("", fmt::format("the file is larger than {} MiB, the limit", limits::file_bytes >> 20U));
    return;
  }
  root_ = expanded_tree(source_, problems_);
}

void ModelText::add_signal(const std::string& name, const std::string& expression) {
  if (problems_.errors() > 0) return;
  const auto scalar = [](const std::string& text) {
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.plain = false;
    node.text = text;
    return node;
  };
  if (root_.find("signals") == nullptr) {
    root_.items.push_back(scalar("signals"));
    root_.items.emplace_back().kind = YamlNode::Kind::mapping;
  }
  YamlNode& signals = *root_.find("signals");
  if (signals.kind == YamlNode::Kind::null) signals.kind = YamlNode::Kind::mapping;
  signals.items.push_back(scalar(name));
  signals.items.push_back(scalar(expression));
  source_.set_completed(yaml_text(root_));
}

Description ModelText::as_read() const {
  Problems ignored;
  return read_description(source_, root_, {}, ignored);
}

Loaded ModelText::load(std::span<const Override> overrides) const {
  Loaded loaded{source_, problems_, {}};
  if (source_.text().empty() && problems_.errors() > 0) return loaded;
  // A file that is not YAML to its end is judged no further: what it lacks may stand in the part that was not read. The
  // same holds for files that could not be included and for instances that could not be made.
  if (loaded.problems.errors() == 0) {
    Description description = read_description(loaded.source, root_, overrides, loaded.problems);
    if (loaded.problems.errors() == 0 || !description.bodies.empty()) finish(std::move(description), loaded);
  }
  for (Problem& problem : loaded.problems.all()) {
    const bool in_file = !problem.path.starts_with("--set");
    if (problem.place.line == 0 && in_file && !loaded.source.text().empty())
      problem.place = place_of(root_, loaded.source, problem.path, problem.offset);
  }
  loaded.problems.sort();
  return loaded;
}

Loaded load_text(std::string file, std::string text, std::span<const Override> overrides) {
  return ModelText(std::move(file), std::move(text)).load(overrides);
}

Loaded load_file(const std::string& path, std::span<const Override> overrides) {
  std::string why;
  if (auto text = text_of_file(path, why)) return load_text(path, std::move(*text), overrides);
  Loaded loaded;
  loaded.source = Source(path, "");
  loaded.problems.error("", why);
  return loaded;
}

Loaded load_description(Description description) {
  Loaded loaded;
  loaded.source = Source(description.name.empty() ? "model" : description.name, "");
  complete(description);
  validate_structure(description, loaded.problems);
  if (loaded.problems.errors() == 0) finish(std::move(description), loaded);
  return loaded;
}

}  // namespace gyrostat
