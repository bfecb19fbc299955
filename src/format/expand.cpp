#include "gyrostat/format/expand.h"

#include <utility>

#include "gyrostat/format/include.h"
#include "gyrostat/format/templates.h"
#include "gyrostat/format/yaml_text.h"

namespace gyrostat {

YamlNode expanded_tree(Source& source, Problems& problems) {
  YamlNode root = parse_yaml(source, problems);
  const auto has = [&](std::string_view key) { return root.find(key) != nullptr; };
  if (problems.errors() > 0 || !(has("include") || has("templates") || has("instances"))) return root;
  root = with_included(std::move(root), source, problems);
  if (problems.errors() > 0) return root;
  YamlNode expanded = without_templates(root, source, problems);
  if (problems.errors() > 0) return root;
  source.set_expanded(yaml_text(expanded));
  return expanded;
}

}  // namespace gyrostat
