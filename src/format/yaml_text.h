// A tree as YAML.
#pragma once

#include <string>

#include "gyrostat/format/yaml_tree.h"

namespace gyrostat {

/// A text that is read as the same tree, but for places and comments: sections and their entries on lines of their own,
/// what is inside them in brackets where it fits on a line.
std::string yaml_text(const YamlNode& root);

}  // namespace gyrostat
