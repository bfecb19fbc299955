// So that nothing is written over what it is made from.
#pragma once

#include <filesystem>
#include <string>

#include "gyrostat/results/raw_file.h"

namespace gyrostat::results {

/// Do two paths lead to one file, be it there or not?
inline bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto resolved = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(without_link(path), error), error);
  };
  return resolved(a) == resolved(b);
}

}  // namespace gyrostat::results
