// Names with '*' and '?' in them.
#pragma once

#include <string_view>

namespace gyrostat {

inline bool is_pattern(std::string_view name) { return name.find_first_of("*?") != std::string_view::npos; }

/// Does the name match the pattern, in which '*' stands for any characters and '?' for any one?
inline bool matches(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, star = std::string_view::npos, tried = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++n;
      ++p;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace gyrostat
