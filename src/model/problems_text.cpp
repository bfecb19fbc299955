#include "gyrostat/model/problems_text.h"

#include <fmt/format.h>

namespace gyrostat {

std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string problems_text(const Loaded& loaded, bool colour) {
  const Problems& problems = loaded.problems;
  std::string text;
  for (const Problem& problem : problems.all()) text += render(problem, loaded.source, colour);
  if (problems.not_kept() > 0) text += fmt::format("... and {} more\n", problems.not_kept());
  if (problems.errors() > 0) {
    text += fmt::format("{}{}\n", counted(problems.errors(), "error", "errors"),
                        problems.warnings() > 0 ? ", " + counted(problems.warnings(), "warning", "warnings") : "");
  }
  return text;
}

}  // namespace gyrostat
