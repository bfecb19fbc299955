// Several short texts in one, a line each: how lists stand in attributes.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace gyrostat::results {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

}  // namespace gyrostat::results
