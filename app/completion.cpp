#include "completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/expression/nearest.h"

#include "output.h"

namespace gyrostat::app {

std::string in_quotes(std::string_view text, std::string_view quote) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += quote;
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

int completion(const Outline& outline, const std::string& shell) {
  if (shell == "bash") {
    fmt::print("{}", bash_completion(outline));
  } else if (shell == "zsh") {
    fmt::print("{}", zsh_completion(outline));
  } else if (shell == "fish") {
    fmt::print("{}", fish_completion(outline));
  } else {
    return refuse(false, fmt::format("no completion for '{}'; there is one for {}{}", shell, fmt::join(shells, ", "),
                                     did_you_mean(shell, shells)));
  }
  return exit_code::done;
}

}  // namespace gyrostat::app
