// Model files that include others.
#pragma once

#include "gyrostat/format/problem.h"
#include "gyrostat/format/yaml_tree.h"

namespace gyrostat {

/// The tree of a model file with the sections of all files it includes, directly or not: as if they stood at its top,
/// in their order, each once. The files are added to `source`. Precondition: `own` is the tree of the model file.
YamlNode with_included(YamlNode own, Source& source, Problems& problems);

}  // namespace gyrostat
