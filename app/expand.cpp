#include <fmt/format.h>

#include "output.h"

namespace gyrostat::app {

int expand(const std::string& file) {
  const Loaded loaded = load_file(file);
  print_problems(loaded);
  if (!loaded.model) return exit_code::wrong_model;
  fmt::print("{}", loaded.source.expanded_text());
  return exit_code::done;
}

}  // namespace gyrostat::app
