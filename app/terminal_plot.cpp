#include "terminal_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "axis.h"
#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

constexpr std::array pens = {36, 33, 35, 32, 31, 94};  // cyan, yellow, magenta, green, red, light blue
constexpr std::size_t fewest_rows = 5, fewest_columns = 10;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<std::size_t> size_in_environment(const char* name) {
  const std::string text(environment(name));
  if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos) return {};
  const auto size = static_cast<std::size_t>(std::stoul(text));
  return size > 0 ? std::optional(size) : std::nullopt;
}

bool speaks_utf8() {
  std::string name;
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (name.empty()) name = environment(variable);
  }
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
}

/// The characters that frames are made of.
struct Frame {
  const char *side, *side_tick, *corner, *bottom, *bottom_tick, *dash;
};

const Frame& frame_of(Charset charset) {
  static const Frame unicode = {"│", "┤", "└", "─", "┬", "── "}, ascii = {"|", "+", "+", "-", "+", "- "};
  return charset == Charset::unicode ? unicode : ascii;
}

std::string in_charset(std::string text, Charset charset) {
  if (charset == Charset::ascii)
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) >= 0x80U; }, '?');
  return text;
}

struct Chart {
  const Panel* panel = nullptr;
  std::vector<std::string> heading;
  std::size_t rows = 0;
  RowAxis axis;

  /// What stands beside a row, if it has a tick.
  [[nodiscard]] std::string label(std::size_t row) const {
    const std::int64_t above_zero = axis.top - static_cast<std::int64_t>(row);
    if (above_zero % axis.rows_per_step != 0) return "";
    return tick_label(axis.step, above_zero / axis.rows_per_step, panel->range.opened().largest());
  }
};

/// The names and the unit, on as many lines as they need.
std::vector<std::string> heading_of(const Panel& panel, const TerminalStyle& style) {
  const std::string unit = in_charset(bracketed(panel.curves[0]->unit), style.charset);
  const std::string dash = style.colour ? frame_of(style.charset).dash : "";
  const std::size_t gap = 3, room = style.width - 2;
  std::vector<std::string> lines(1);
  std::size_t used = 0;
  const auto add = [&](const std::string& text, std::size_t width, std::size_t before) {
    if (used > 0 && used + before + width > room) {
      lines.emplace_back();
      used = 0;
    }
    if (used > 0) lines.back() += std::string(before, ' ');
    used += width + (used > 0 ? before : 0);
    lines.back() += text;
  };
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const std::string name = dash + shortened(in_charset(panel.curves[i]->name, style.charset), room - width_of(dash));
    add(style.colour ? coloured(pens[i], name) : name, width_of(name), gap);
  }
  if (!unit.empty()) add(unit, width_of(unit), panel.curves.size() > 1 ? gap : 1);
  return lines;
}

/// Rows for each chart: all that the height leaves, in equal parts.
void share_height(std::vector<Chart>& charts, const TerminalStyle& style) {
  std::size_t taken = 1;  // the times
  for (const Chart& chart : charts) taken += chart.heading.size() + 1;
  const std::size_t left = style.height > taken ? style.height - taken : 0;
  const std::size_t each = left / charts.size(), more = left % charts.size();
  const Dots dots = dots_of(style.charset);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    charts[i].rows = each < fewest_rows ? fewest_rows : each + (i < more ? 1 : 0);
    charts[i].axis = fit_rows(charts[i].panel->range.opened(), charts[i].rows, dots.down, dots.middle);
  }
}

struct TimeTick {
  std::size_t column = 0;
  std::string label;
};

std::size_t column_of(const Curves& curves, double t, std::size_t columns, Charset charset) {
  const std::size_t across = dots_of(charset).across;
  const double dot = curves.time.part(t) * static_cast<double>(columns * across - 1);
  return static_cast<std::size_t>(std::max(std::lround(dot), 0L)) / across;
}

/// As many times as have room, about eight characters apart or more.
std::vector<TimeTick> time_ticks(const Curves& curves, std::size_t columns, Charset charset) {
  if (curves.time.is_flat(time_rounding))
    return {{column_of(curves, curves.time.least, columns, charset), brief(curves.time.least)}};
  Step step = step_from(curves.time.half_width() / static_cast<double>(columns) * 16);
  for (int tried = 0;; ++tried, step = step.next()) {
    std::vector<TimeTick> ticks;
    bool apart = true;
    for (const Tick& tick : ticks_in(curves.time, step)) {
      const TimeTick next = {column_of(curves, tick.value, columns, charset), tick.label};
      if (!ticks.empty() && ticks.back().column + (ticks.back().label.size() + next.label.size()) / 2 + 3 > next.column)
        apart = false;
      ticks.push_back(next);
    }
    if (apart || tried == 20) return ticks;
  }
}

std::string time_line(const std::vector<TimeTick>& ticks, std::size_t margin, std::size_t columns) {
  std::string line(margin + columns, ' ');
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const std::string text = ticks[i].label + (i + 1 == ticks.size() ? " s" : "");
    const std::size_t half = ticks[i].label.size() / 2, middle = margin + ticks[i].column;
    const std::size_t begin =
        std::min(middle - std::min(middle, half), line.size() - std::min(line.size(), text.size()));
    line.replace(begin, text.size(), text);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string bottom_line(const std::vector<TimeTick>& ticks, std::size_t columns, const Frame& frame) {
  std::string line = frame.corner;
  for (std::size_t column = 0; column < columns; ++column)
    line += std::ranges::find(ticks, column, &TimeTick::column) == ticks.end() ? frame.bottom : frame.bottom_tick;
  return line;
}

/// What a curve does in one column of dots: where it comes in, how far it goes, where it leaves. Rows of dots, from
/// the top.
struct Stroke {
  std::int64_t column = 0;
  double first = 0, highest = 0, lowest = 0, last = 0;

  /// A curve that stays within the size of a dot is one dot.
  [[nodiscard]] bool is_dot() const { return lowest - highest < 1; }
  [[nodiscard]] std::int64_t row(double exact) const { return std::llround(is_dot() ? (highest + lowest) / 2 : exact); }
};

/// The strokes of a curve, in parts that are not connected.
std::vector<std::vector<Stroke>> strokes_of(const std::vector<Point>& points, const RowAxis& axis, std::size_t across,
                                            const Dots& dots) {
  std::vector<std::vector<Stroke>> parts(1);
  for (const Point& point : points) {
    if (std::isnan(point.value)) {
      parts.emplace_back();
      continue;
    }
    const std::int64_t column = std::llround(point.x * static_cast<double>(across - 1));
    const double row =
        std::clamp(axis.below_top(point.value) * static_cast<double>(dots.down) + static_cast<double>(dots.middle),
                   -1e4, 1e4);  // far outside already
    std::vector<Stroke>& part = parts.back();
    if (part.empty() || part.back().column != column) part.push_back({column, row, row, row, row});
    Stroke& stroke = part.back();
    stroke.highest = std::min(stroke.highest, row);
    stroke.lowest = std::max(stroke.lowest, row);
    stroke.last = row;
  }
  return parts;
}

Canvas paint(const Curves& curves, const Chart& chart, std::size_t columns, Charset charset) {
  Canvas canvas(charset, columns, chart.rows);
  const Dots dots = dots_of(charset);
  const std::size_t across = columns * dots.across;
  for (std::size_t i = 0; i < chart.panel->curves.size(); ++i) {
    const int pen = static_cast<int>(i);
    const std::vector<Point> points = thinned(curves, *chart.panel->curves[i], across);
    for (const std::vector<Stroke>& part : strokes_of(points, chart.axis, across, dots)) {
      for (std::size_t k = 0; k < part.size(); ++k) {
        const Stroke& s = part[k];
        canvas.line(s.column, s.row(s.highest), s.column, s.row(s.lowest), pen);
        if (k == 0) continue;
        const Stroke& before = part[k - 1];
        canvas.line(before.column, before.row(before.last), s.column, s.row(s.first), pen);
      }
    }
  }
  return canvas;
}

}  // namespace

TerminalStyle style_of_terminal() {
  TerminalStyle style;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    style.width = size.ws_col;
    style.height = std::min<std::size_t>(size.ws_row - 1, size.ws_col / 2);  // no higher than it is wide
  } else {
    style.width = size_in_environment("COLUMNS").value_or(80);
    style.height = size_in_environment("LINES").value_or(24) - 1;
  }
  style.charset = speaks_utf8() ? Charset::unicode : Charset::ascii;
  style.colour = wants_colour(stdout);
  return style;
}

std::size_t curves_together(const TerminalStyle& style) { return style.colour ? pens.size() : 1; }

std::string draw(const Curves& curves, std::span<const Panel> panels, const TerminalStyle& style) {
  const Frame& frame = frame_of(style.charset);
  std::vector<Chart> charts;
  for (const Panel& panel : panels) charts.push_back({&panel, heading_of(panel, style), 0, {}});
  share_height(charts, style);
  std::size_t label_width = 0;
  for (const Chart& chart : charts) {
    for (std::size_t row = 0; row < chart.rows; ++row) label_width = std::max(label_width, chart.label(row).size());
  }
  const std::size_t margin = label_width + 2, columns = std::max(style.width, margin + fewest_columns) - margin;
  const std::vector<TimeTick> ticks = time_ticks(curves, columns, style.charset);
  const std::vector<int> colours = style.colour ? std::vector<int>(pens.begin(), pens.end()) : std::vector<int>{};
  std::string text;
  for (const Chart& chart : charts) {
    for (const std::string& line : chart.heading) text += "  " + line + "\n";
    const Canvas canvas = paint(curves, chart, columns, style.charset);
    for (std::size_t row = 0; row < chart.rows; ++row) {
      const std::string label = chart.label(row);
      text += right(label, label_width) + " " + (label.empty() ? frame.side : frame.side_tick);
      text += canvas.row(row, colours) + "\n";
    }
    text += std::string(label_width + 1, ' ') + bottom_line(ticks, columns, frame) + "\n";
  }
  return text + time_line(ticks, margin, columns) + "\n";
}

}  // namespace gyrostat::app
