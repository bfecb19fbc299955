// Parts of a model that are used several times.
#pragma once

#include "gyrostat/format/problem.h"
#include "gyrostat/format/yaml_tree.h"

namespace gyrostat {

/// The tree with what its instances of templates stand for, and without both. An entry of the template becomes one of
/// the model whose name begins with the instance's; names in its values are changed accordingly, and paths of files
/// become relative to the model file. Origins and instances are added to `source`.
YamlNode without_templates(const YamlNode& root, Source& source, Problems& problems);

}  // namespace gyrostat
