// Pictures of curves for a paper, as gnuplot is told to draw them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "curves.h"

namespace gyrostat::app {

enum class Format { png, svg, pdf };

/// What the end of the file's name says.
std::optional<Format> format_of(const std::string& path);

struct PictureSize {
  std::size_t width = 0, height = 0;  // pixels; in a PDF, half points
};

/// "1000x600", if it is that, and can be drawn.
std::optional<PictureSize> picture_size_of(const std::string& text);
PictureSize default_picture_size(std::size_t panels);

/// Curves that can be told apart in one panel, and panels that can be read in one picture.
constexpr std::size_t curves_in_picture = 7, panels_in_picture = 40;

/// What gnuplot is to do. The picture goes to its standard output. Names and units are but text there: nothing in them
/// is a command.
std::string gnuplot_script(const Curves& curves, std::span<const Panel> panels, Format format, const PictureSize& size);

/// A string of gnuplot's in which every character that could mean something is a number.
std::string gnuplot_literal(std::string_view text);

/// The command that chooses the format.
std::string gnuplot_terminal(Format format, const PictureSize& size);

}  // namespace gyrostat::app
