// So that nothing is written over what it is made from.
#pragma once

#include <filesystem>
#include <string>

namespace gyrostat::results {

/// Do two paths lead to one file, be it there or not?
inline bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  return std::filesystem::weakly_canonical(a, error) == std::filesystem::weakly_canonical(b, error);
}

}  // namespace gyrostat::results
