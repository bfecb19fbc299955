#include "picture.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "axis.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

// Blue, vermilion, green, purple, orange, sky blue, black: those of Okabe and Ito, which all readers can tell apart.
constexpr std::array<const char*, curves_in_picture> colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                                "#E69F00", "#56B4E9", "#000000"};
constexpr std::size_t smallest_side = 100, largest_side = 20000, longest_label = 60;
constexpr double most_ticks = 8;
constexpr double character_width = 0.6;  // of the height of the font: how wide a character is, about

/// The bytes of the character that begins the text; none if it is not UTF-8, or not allowed in an SVG.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  const std::size_t length = first >= 0xC2U && first < 0xE0U ? 2 : first >= 0xE0U && first < 0xF0U ? 3 : 4;
  if (first < 0xC2U || first > 0xF4U) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(1);
  if ((first == 0xE0U && second < 0xA0U) || (first == 0xF0U && second < 0x90U)) return 0;    // longer than need be
  if ((first == 0xEDU && second >= 0xA0U) || (first == 0xF4U && second >= 0x90U)) return 0;  // no characters
  if (first == 0xEFU && second == 0xBFU && byte(2) >= 0xBEU) return 0;
  return length;
}

/// "-5e-6" as it is printed in papers.
std::string typeset(std::string_view label) {
  constexpr std::array<const char*, 10> superscripts = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  bool raised = false;
  for (const char c : label) {
    if (c == 'e') {
      text += "×10";
      raised = true;
    } else if (c == '-') {
      text += raised ? "⁻" : "−";
    } else if (c != '+') {
      text += raised ? superscripts[static_cast<std::size_t>(c - '0')] : std::string(1, c);
    }
  }
  return text;
}

/// The range of a panel's y axis: a little more than that of its curves.
Range axis_of(const Panel& panel) {
  const Range range = panel.range.opened();
  const double room = range.half_width() * 0.08;
  const Range wider = {range.least - room, range.most + room};
  return std::isfinite(wider.least) && std::isfinite(wider.most) ? wider : range;
}

std::vector<Tick> ticks_about(const Range& range, double count) {
  if (range.is_flat(time_rounding)) return {{range.least, brief(range.least)}};
  return ticks_in(range, step_from(range.half_width() / count * 1.6));
}

std::string ticks_text(const std::vector<Tick>& ticks, const Range& range) {
  std::string text;
  for (const Tick& tick : ticks)
    text += fmt::format("{}'{}' {:.7f}", text.empty() ? "" : ", ", typeset(tick.label), range.part(tick.value));
  return "(" + text + ")";
}

/// Places on the picture, in pixels.
struct Layout {
  /// What is above a panel: its names.
  struct Heading {
    double height = 0;
    std::size_t names_per_line = 1;
  };

  double width = 0, height = 0;
  double font = 0;  // height
  double left = 0, right = 0, bottom = 0;
  std::vector<Heading> headings;
  double panel = 0;  // height of each

  [[nodiscard]] double plot_width() const { return width - left - right; }
};

Layout::Heading heading_of(const Panel& panel, const Layout& layout) {
  std::size_t name = 1;
  for (const Curve* curve : panel.curves) name = std::max(name, width_of(shortened(curve->name, longest_label)));
  const double entry = layout.font * (character_width * static_cast<double>(name) + 3.5);
  const auto per_line = static_cast<std::size_t>(std::max(1.0, layout.plot_width() / entry));
  const std::size_t lines = (panel.curves.size() - 1) / per_line + 1;
  return {layout.font * (1.0 + 1.3 * static_cast<double>(lines)), per_line};
}

/// Pixels.
double font_of(const PictureSize& size) {
  return std::max(8.0, 0.016 * std::min(static_cast<double>(size.width), 1.8 * static_cast<double>(size.height)));
}

Layout lay_out(std::span<const Panel> panels, const PictureSize& size) {
  Layout layout;
  layout.width = static_cast<double>(size.width);
  layout.height = static_cast<double>(size.height);
  layout.font = font_of(size);
  std::size_t label = 1;
  for (const Panel& panel : panels) {
    for (const Tick& tick : ticks_about(axis_of(panel), most_ticks))
      label = std::max(label, width_of(typeset(tick.label)));
  }
  layout.left = layout.font * (3.2 + character_width * static_cast<double>(label));
  layout.right = 1.6 * layout.font;
  layout.bottom = 4 * layout.font;
  double remaining = layout.height - layout.bottom;
  for (const Panel& panel : panels) {
    layout.headings.push_back(heading_of(panel, layout));
    remaining -= layout.headings.back().height;
  }
  layout.panel = std::max(remaining / static_cast<double>(panels.size()), 1.0);
  return layout;
}

/// The points of a curve, and once more those that no line leads to, which need a dot to be seen.
std::string data_text(const std::vector<Point>& points, const Range& axis, const std::string& block) {
  const auto line = [&](const Point& point) { return fmt::format("{:.7f} {:.7f}\n", point.x, axis.part(point.value)); };
  const auto gap = [&](std::size_t i) { return i >= points.size() || std::isnan(points[i].value); };
  std::string lines = "$" + block + " << EOD\n", dots = "$" + block + "dots << EOD\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    lines += gap(i) ? "\n" : line(points[i]);
    if (!gap(i) && (i == 0 || gap(i - 1)) && gap(i + 1)) dots += line(points[i]);
  }
  return lines + "EOD\n" + dots + "EOD\n";
}

/// Under the last panel, in the middle.
std::string time_label(const Layout& layout) {
  return fmt::format("set label 't [s]' at screen {:.6f}, screen {:.6f} center\n",
                     (layout.left + layout.plot_width() / 2) / layout.width, layout.font / layout.height);
}

std::string panel_text(const Curves& curves, const Panel& panel, std::size_t number, const Layout& layout, double top,
                       std::size_t columns) {
  const Range axis = axis_of(panel);
  const double height = layout.height;
  std::string text, plot;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const std::vector<Point> points = thinned(curves, *panel.curves[i], columns);
    const std::string block = fmt::format("panel{}curve{}", number, i);
    text += data_text(points, axis, block);
    plot += fmt::format("{}${} using 1:2 with lines linewidth 1.4 linecolor '{}' title {}", plot.empty() ? "" : ", ",
                        block, colours[i], gnuplot_literal(shortened(panel.curves[i]->name, longest_label)));
    if (!text.ends_with("dots << EOD\nEOD\n"))
      plot += fmt::format(", ${}dots using 1:2 with points pointtype 7 pointsize 0.5 linecolor '{}' notitle", block,
                          colours[i]);
  }
  text += fmt::format("set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n", 1 - top / height,
                      1 - (top + layout.panel) / height);
  text += fmt::format(
      "set key at screen {:.6f}, screen {:.6f} left bottom horizontal Left reverse samplen 2 maxcols {}\n",
      layout.left / layout.width, 1 - (top - 0.3 * layout.font) / height, layout.headings[number].names_per_line);
  text += fmt::format("set ylabel {}\n", gnuplot_literal(bracketed(panel.curves[0]->unit)));
  const double ticks = std::clamp(layout.panel / layout.font / 2.5, 2.0, most_ticks);
  text += fmt::format("set ytics {}\n", ticks_text(ticks_about(axis, ticks), axis));
  return text + "plot " + plot + "\n";
}

}  // namespace

std::string gnuplot_literal(std::string_view text) {
  const std::string shown = printable(text);
  std::string result = "\"";
  const auto append = [&](std::string_view character) {
    for (const char c : character) {
      const auto byte = static_cast<unsigned char>(c);
      const bool harmless = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';  // digits join numbers
      result += harmless ? std::string(1, c) : fmt::format("\\{:03o}", byte);
    }
  };
  for (std::string_view rest = shown; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    append(length == 0 ? "?" : rest.substr(0, length));
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + "\"";
}

std::string gnuplot_terminal(Format format, const PictureSize& size) {
  const double font = font_of(size), line = font / 12;
  const std::string pixels = fmt::format("size {},{}", size.width, size.height);
  if (format == Format::svg) {
    return fmt::format(
        "set terminal svg noenhanced {} font 'sans-serif,{:.4g}' linewidth {:.4g} background '#ffffff'\n", pixels, font,
        line);
  }
  if (format == Format::pdf) {
    return fmt::format(
        "if (strstrt(GPVAL_TERMINALS, 'pdfcairo') == 0) {{ exit error 'it has no pdfcairo, which writes PDF' }}\n"
        "set terminal pdfcairo noenhanced size {:.6g}in,{:.6g}in font 'sans-serif,{:.4g}' linewidth {:.4g} background "
        "'#ffffff'\n",
        static_cast<double>(size.width) / 144, static_cast<double>(size.height) / 144, font / 2, line);
  }
  return fmt::format(
      "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {{\n"
      "set terminal pngcairo noenhanced {0} font 'sans-serif,{1:.4g}' linewidth {2:.4g} background '#ffffff'\n"
      "}} else {{\nset terminal png noenhanced truecolor {0} linewidth {2:.4g} background '#ffffff'\n}}\n",
      pixels, font * 0.75, line);
}

std::optional<Format> format_of(const std::string& path) {
  std::string end = std::filesystem::path(path).extension().string();
  std::ranges::transform(end, end.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (end == ".png") return Format::png;
  if (end == ".svg") return Format::svg;
  if (end == ".pdf") return Format::pdf;
  return {};
}

std::optional<PictureSize> picture_size_of(const std::string& text) {
  PictureSize size;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec != std::errc() || width.ptr == end || *width.ptr != 'x') return {};
  const auto height = std::from_chars(width.ptr + 1, end, size.height);
  if (height.ec != std::errc() || height.ptr != end) return {};
  for (const std::size_t side : {size.width, size.height})
    if (side < smallest_side || side > largest_side) return {};
  return size;
}

PictureSize default_picture_size(std::size_t panels) { return {1000, std::max<std::size_t>(560, 100 + 230 * panels)}; }

std::string gnuplot_script(const Curves& curves, std::span<const Panel> panels, Format format,
                           const PictureSize& size) {
  const Layout layout = lay_out(panels, size);
  std::string text = gnuplot_terminal(format, size);
  text +=
      "set encoding utf8\nset multiplot\nset datafile missing\n"
      "set xrange [0:1]\nset yrange [0:1]\nset border 3 linecolor '#404040' linewidth 0.8\n"
      "set tics out nomirror scale 0.5 textcolor '#000000'\n"
      "set grid xtics ytics linecolor '#dddddd' linewidth 0.6 linetype 1\n";
  text += fmt::format("set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n", layout.left / layout.width,
                      1 - layout.right / layout.width);
  const std::vector<Tick> times =
      ticks_about(curves.time, std::clamp(layout.plot_width() / layout.font / 5, 2.0, 12.0));
  std::string blank;  // ticks without labels
  for (const Tick& tick : times)
    blank += fmt::format("{}'' {:.7f}", blank.empty() ? "" : ", ", curves.time.part(tick.value));
  text += "set xtics (" + blank + ")\n";
  double top = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    top += layout.headings[i].height;
    if (i + 1 == panels.size()) text += "set xtics " + ticks_text(times, curves.time) + "\n" + time_label(layout);
    text += panel_text(curves, panels[i], i, layout, top, 2 * size.width);
    top += layout.panel;
  }
  return text + "unset multiplot\n";
}

}  // namespace gyrostat::app
