#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

/// A name that begins with another and a dot could be taken for a quantity, point or wheel of that.
class Beginnings {
 public:
  Beginnings(const Description& description, Problems& problems) : problems_(problems) {
    for (const auto& body : description.bodies) things_.emplace(body.name, "body");
    for (const auto& joint : description.joints) things_.emplace(joint.name, "joint");
    for (const auto& signal : description.signals) things_.emplace(signal.name, "signal");
    for (const auto& parameter : description.parameters) things_.emplace(parameter.name, "parameter");
  }

  void check(std::string_view section, std::string_view name) {
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
      const auto found = things_.find(name.substr(0, dot));
      if (found == things_.end()) continue;
      problems_.error(fmt::format("{}.{}", section, name),
                      fmt::format("begins with '{}', which is the name of a {} too; rename one of the two",
                                  found->first, found->second));
    }
  }

 private:
  std::unordered_map<std::string_view, std::string_view> things_;  // names, and what they are the names of
  Problems& problems_;
};

}  // namespace

void validate_names(const Description& description, Problems& problems) {
  Beginnings beginnings(description, problems);
  std::unordered_map<std::string_view, bool> is_node;  // those of a flexible body are named after it
  for (const BodyDescription& body : description.bodies) {
    is_node.emplace(body.name, body.node_of.has_value());
    if (!body.node_of) beginnings.check("bodies", body.name);
  }
  for (const JointDescription& joint : description.joints) {
    const auto child = is_node.find(joint.child);
    const bool weld_of_node = child != is_node.end() && child->second && joint.name == joint.child;
    if (!weld_of_node) beginnings.check("joints", joint.name);
  }
  for (const SignalDescription& signal : description.signals) {
    if (!signal.recorded) beginnings.check("signals", signal.name);
  }
  for (const ParameterDescription& parameter : description.parameters) beginnings.check("parameters", parameter.name);
}

}  // namespace gyrostat
