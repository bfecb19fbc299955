#include "report.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/report/page.h"
#include "gyrostat/results/results_reader.h"

#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

std::string size_text(std::uint64_t bytes) {
  const double kilobytes = static_cast<double>(bytes) / 1000;
  return kilobytes < 100 ? fmt::format("{:.0f} kB", kilobytes) : fmt::format("{:.1f} MB", kilobytes / 1000);
}

}  // namespace

std::string page_template(const std::string& file) {
  if (file.empty()) return std::string(report::own_page());
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream || !text) throw report::ReportError(file + ": cannot be read");
  return text.str();
}

std::string report_path(const std::string& results) {
  return std::filesystem::path(results).replace_extension(".html").string();
}

WrittenReport write_report(const report::ReportContent& content, const std::string& path, const std::string& page,
                           bool force) {
  const report::Report made = report::write_report_of(content, path, page, force);
  return {path, fmt::format("report: {}, {}; open it in a browser", printable(path), size_text(made.bytes)),
          made.warnings, made.page_warnings, made.bytes};
}

void print_report_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", printable(warning));
}

int report(const ReportArguments& arguments) {
  try {
    const std::string page = page_template(arguments.page);
    const std::string path = arguments.output.empty() ? report_path(arguments.files.front()) : arguments.output;
    const WrittenReport made = write_report({arguments.files, arguments.linear, nullptr, nullptr, arguments.equations},
                                            path, page, arguments.force);
    if (arguments.json) {
      print_json({{"report", made.path}, {"bytes", made.bytes}, {"warnings", made.warnings}});
    } else {
      fmt::print("{}\n", made.line);
      print_report_warnings(made.warnings);
    }
    return exit_code::done;
  } catch (const report::ReportError& error) {
    return refuse(arguments.json, printable(error.what()));
  } catch (const results::ResultsError& error) {
    return refuse(arguments.json, printable(error.what()), exit_code_of(error));
  }
}

}  // namespace gyrostat::app
