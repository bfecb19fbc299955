// From the text of a model file to its Description.
#pragma once

#include <span>
#include <string>

#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/format/yaml_tree.h"

namespace gyrostat {

/// --set NAME=VALUE: a parameter's value from outside the file.
struct Override {
  std::string name, value;
};

/// Reads every section. Whatever is wrong is added to `problems`; the rest of the description is complete, so that it
/// can be validated and everything wrong is found in one pass.
Description read_description(const Source& source, const YamlNode& root, std::span<const Override> overrides,
                             Problems& problems);

}  // namespace gyrostat
