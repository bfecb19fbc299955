// "Did you mean", where names have parts: those that templates make.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/expression/nearest.h"

namespace gyrostat {

/// As `did_you_mean`; where no name is near, the one whose last part is: 'dampnig' inside a template is
/// 'wing.left.damping'.
template <class Name>
std::string did_you_mean_part(std::string_view name, const std::vector<Name>& candidates) {
  if (std::string hint = did_you_mean(name, candidates); !hint.empty()) return hint;
  std::vector<std::string_view> parts;
  for (const std::string_view candidate : candidates) parts.push_back(candidate.substr(candidate.rfind('.') + 1));
  const bool equal = std::ranges::find(parts, name) != parts.end();
  const auto found = equal ? std::optional<std::string>(name) : nearest(name, parts);
  if (!found) return "";
  const auto which = std::ranges::find(parts, *found) - parts.begin();
  return "; did you mean '" + std::string(candidates[static_cast<std::size_t>(which)]) + "'?";
}

}  // namespace gyrostat
