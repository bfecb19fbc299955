#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/results/same_file.h"
#include "gyrostat/results/target.h"

#include "curves.h"
#include "gnuplot.h"
#include "output.h"
#include "picture.h"
#include "results_commands.h"
#include "results_text.h"
#include "terminal_plot.h"

namespace gyrostat::app {

using results::ResultsError;
using results::ResultsReader;

namespace {

constexpr std::int64_t narrowest = 30, lowest = 8, largest = 1000;

/// Everything about the arguments that can be wrong without a look into the file.
void check_arguments(const PlotArguments& arguments) {
  const std::string file = printable(arguments.file);
  if (arguments.names.empty()) {
    throw UsageError(fmt::format("plot needs the names of columns, like 'bus.*': 'gyrostat show {}' lists them", file));
  }
  if (!arguments.output.empty() && !format_of(arguments.output)) {
    throw UsageError(fmt::format("{}: a picture's name ends with .png, .svg or .pdf", printable(arguments.output)));
  }
  if (!arguments.size.empty() && !picture_size_of(arguments.size)) {
    throw UsageError(
        fmt::format("--size {}: expected WxH in pixels, each 100 to 20000, like 1000x600", printable(arguments.size)));
  }
  if (arguments.width && (*arguments.width < narrowest || *arguments.width > largest))
    throw UsageError(fmt::format("--width {}: expected {} to {} characters", *arguments.width, narrowest, largest));
  if (arguments.height && (*arguments.height < lowest || *arguments.height > largest))
    throw UsageError(fmt::format("--height {}: expected {} to {} lines", *arguments.height, lowest, largest));
}

Curves curves_of(const PlotArguments& arguments) {
  const ResultsReader results(arguments.file);
  const std::vector<std::string> names = select_columns(arguments.file, results.columns(), arguments.names);
  if (names.empty()) {
    throw UsageError(fmt::format("time is the axis of every plot; name a column: 'gyrostat show {}' lists them",
                                 printable(arguments.file)));
  }
  return read_curves(results, names, {arguments.from, arguments.to});
}

void refuse_nothing(const Curves& curves, const std::vector<Panel>& panels) {
  if (panels.empty()) throw UsageError(fmt::format("{}", fmt::join(remarks_on(curves, panels), "\n")));
}

void plot_in_terminal(const PlotArguments& arguments, const Curves& curves) {
  TerminalStyle style = style_of_terminal();
  style.width = std::clamp<std::size_t>(style.width, narrowest, largest);
  if (arguments.width) style.width = static_cast<std::size_t>(*arguments.width);
  if (arguments.height) style.height = static_cast<std::size_t>(*arguments.height);
  if (arguments.ascii) style.charset = Charset::ascii;
  const std::vector<Panel> panels = make_panels(curves, curves_together(style));
  refuse_nothing(curves, panels);
  fmt::print("{}", draw(curves, panels, style));
  for (const std::string& remark : remarks_on(curves, panels)) fmt::print("{}\n", remark);
}

void plot_for_paper(const PlotArguments& arguments, const Curves& curves) {
  const std::vector<Panel> panels = make_panels(curves, curves_in_picture);
  if (panels.size() > panels_in_picture) {
    throw UsageError(fmt::format("{} columns would need {} panels, and a picture has at most {}: name fewer",
                                 curves.all.size(), panels.size(), panels_in_picture));
  }
  refuse_nothing(curves, panels);
  for (const std::string& remark : remarks_on(curves, panels)) fmt::print(stderr, "{}\n", remark);
  const PictureSize size = picture_size_of(arguments.size).value_or(default_picture_size(panels.size()));
  write_picture(arguments.output, run_gnuplot(gnuplot_script(curves, panels, *format_of(arguments.output), size)));
}

}  // namespace

int plot(const PlotArguments& arguments) {
  try {
    check_arguments(arguments);
    const Curves curves = curves_of(arguments);
    if (arguments.output.empty()) {
      plot_in_terminal(arguments, curves);
    } else {
      if (results::same_file(arguments.output, arguments.file)) {
        throw UsageError(printable(arguments.output) + ": are the results; they are not replaced");
      }
      results::check_target(arguments.output, results::FileKind::picture, arguments.force);
      plot_for_paper(arguments, curves);
    }
  } catch (const ResultsError& error) {
    return refuse(false, printable(error.what()), exit_code_of(error));
  } catch (const UsageError& error) {
    return refuse(false, error.what());
  } catch (const GnuplotError& error) {
    return refuse(false, error.what());
  }
  return exit_code::done;
}

}  // namespace gyrostat::app
