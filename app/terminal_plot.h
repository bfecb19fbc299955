// Curves drawn with the characters of a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "canvas.h"
#include "curves.h"

namespace gyrostat::app {

struct TerminalStyle {
  std::size_t width = 80, height = 24;  // characters
  Charset charset = Charset::unicode;
  bool colour = false;
};

/// What the terminal behind stdout, or the environment, says of itself; 80 x 24 if neither does. A line is left for
/// the prompt.
TerminalStyle style_of_terminal();

/// How many curves can be told apart in one panel.
std::size_t curves_together(const TerminalStyle& style);

/// The lines of a plot, higher than the style says if there are many panels.
std::string draw(const Curves& curves, std::span<const Panel> panels, const TerminalStyle& style);

}  // namespace gyrostat::app
