// The tree that a model is read from.
#pragma once

#include "gyrostat/format/problem.h"
#include "gyrostat/format/yaml_tree.h"

namespace gyrostat {

/// Reads the text of `source` and the files it includes, and puts in what its templates stand for. The files, and the
/// model as one text, are noted in `source`. Where errors were added to `problems` the tree is that in which they are.
YamlNode expanded_tree(Source& source, Problems& problems);

}  // namespace gyrostat
