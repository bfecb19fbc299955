// The functions of the expression language: one line each.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "gyrostat/expression/syntax.h"

namespace gyrostat::expression {

/// A function that the parser writes in terms of others.
enum class Abbreviation { choice, ceil, round, mod, hypot, attitude };

struct AbbreviationEntry {
  std::string_view name;
  Abbreviation abbreviation;
  std::size_t operands;
};

const AbbreviationEntry* find_abbreviation(std::string_view name);

/// Every name that can be called.
std::vector<std::string_view> all_function_names();

}  // namespace gyrostat::expression
