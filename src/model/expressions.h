// Every dynamic expression of a model, wherever it stands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gyrostat/format/description.h"

namespace gyrostat {

/// The inputs of a block, with their paths within the signal ("" for a plain expression).
std::vector<std::pair<std::string, const Expression*>> inputs_of(const Block& block);

/// Does the output of a block depend on its input at the same instant? A held value (sample, plugin) and a state do
/// not.
bool feeds_through(const Block& block);

struct ExpressionAt {
  std::string path;
  const Expression* expression;
  bool of_time_only = false;                // a prescribed position, wheel speed or value of a constraint
  std::optional<Dimension> dimension = {};  // that its place asks for
};

/// All of them except the empty ones and, in the list of one field, repetitions of the first.
std::vector<ExpressionAt> all_expressions(const Description& description);

}  // namespace gyrostat
