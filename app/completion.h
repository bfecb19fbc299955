// Scripts by which shells complete the program's commands, options, values and files.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "outline.h"

namespace gyrostat::app {

inline constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};

std::string bash_completion(const Outline& outline);
std::string zsh_completion(const Outline& outline);
std::string fish_completion(const Outline& outline);

/// Prints the script for a shell; returns the exit code.
int completion(const Outline& outline, const std::string& shell);

/// A word for any of the shells, in single quotes; `quote` is what stands for a quote within them.
std::string in_quotes(std::string_view text, std::string_view quote = R"('\'')");

}  // namespace gyrostat::app
