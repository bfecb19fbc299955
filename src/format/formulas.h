// The numbers of a model as its file writes them: numbers, or expressions of parameters. A Description has only what
// comes out.
#pragma once

#include <map>
#include <span>
#include <string>

#include "gyrostat/expression/syntax.h"
#include "gyrostat/format/read.h"

namespace gyrostat {

/// By place in the model: "bodies.hub.mass", "joints.pan.axis[0]", "parameters.m2". Expressions are of numbers: vectors
/// are taken apart. Directions are as they stand in the file, before they get unit length.
using Formulas = std::map<std::string, expression::Expression>;

/// Of a model that was read without errors. A parameter that `overrides` gives is at "--set NAME".
Formulas read_formulas(const Source& source, std::span<const Override> overrides = {});

}  // namespace gyrostat
