#include "response_picture.h"

#include <cmath>

#include <fmt/format.h>

#include "gyrostat/results/target.h"

#include "gnuplot.h"
#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

std::string response_script(const std::string& title, const std::vector<ResponsePanel>& panels, Format format,
                            const PictureSize& size) {
  std::string text = gnuplot_terminal(format, size);
  text += "unset key\nset grid xtics ytics linecolor rgb '#cccccc'\nset border 3 linecolor rgb '#444444'\n";
  text += "set tics nomirror\n";
  for (std::size_t k = 0; k < panels.size(); ++k) {
    text += fmt::format("$curve{} << EOD\n", k);
    for (std::size_t i = 0; i < panels[k].x->size(); ++i) {
      const double x = (*panels[k].x)[i], y = (*panels[k].y)[i];
      text += std::isfinite(y) && (y > 0 || !panels[k].logarithmic_y) ? fmt::format("{:.12g} {:.12g}\n", x, y) : "\n";
    }
    text += "EOD\n";
  }
  text += fmt::format("set multiplot layout {},1 title {}\n", panels.size(), gnuplot_literal(title));
  for (std::size_t k = 0; k < panels.size(); ++k) {
    const ResponsePanel& panel = panels[k];
    text += panel.logarithmic ? "set logscale x\nset format x '10^{%L}'\nset xtics enhanced\n"
                              : "unset logscale x\nset format x '%g'\n";
    text += panel.logarithmic_y ? "set logscale y\nset format y '10^{%L}'\nset ytics enhanced\n"
                                : "unset logscale y\nset format y '%g'\n";
    text +=
        fmt::format("set xlabel {}\nset ylabel {}\n", gnuplot_literal(panel.x_label), gnuplot_literal(panel.y_label));
    if (panel.logarithmic) {
      text += fmt::format("set xrange [{:.12g}:{:.12g}]\n", panel.x->front(), panel.x->back());
    } else {
      text += "set xrange [*:*]\n";
    }
    text += fmt::format("plot $curve{} with lines linewidth 1.5 linecolor rgb '#0072B2'\n", k);
  }
  return text + "unset multiplot\n";
}

void check_output(const std::string& path) {
  if (path.empty() || path.ends_with(".csv") || format_of(path)) return;
  throw UsageError(
      fmt::format("{}: a name ends with .csv, or as a picture's does with .png, .svg or .pdf", printable(path)));
}

void write_table(const LinearArguments& arguments, const std::string& text) {
  results::check_target(arguments.output, results::FileKind::linear, arguments.force);
  write_file(arguments.output, text);
  fmt::print("{}: written\n", printable(arguments.output));
}

void draw(const LinearArguments& arguments, const std::string& size, const std::string& title,
          const std::vector<ResponsePanel>& panels) {
  if (!size.empty() && !picture_size_of(size)) {
    throw UsageError(
        fmt::format("--size {}: expected WxH in pixels, each 100 to 20000, like 1000x600", printable(size)));
  }
  const PictureSize pixels = picture_size_of(size).value_or(PictureSize{1000, panels.size() > 1 ? 800U : 600U});
  results::check_target(arguments.output, results::FileKind::picture, arguments.force);
  write_picture(arguments.output, run_gnuplot(response_script(title, panels, *format_of(arguments.output), pixels)));
  fmt::print("{}: written\n", printable(arguments.output));
}

}  // namespace gyrostat::app
