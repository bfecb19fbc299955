// Reports: results as one HTML file.
#pragma once

#include <string>
#include <vector>

namespace gyrostat::report {
struct ReportContent;
}

namespace gyrostat::app {

struct ReportArguments {
  std::vector<std::string> files;  // one results file, or two to be compared
  std::string linear;              // a linear model (.h5) of the same model, or none
  bool equations = false;          // of motion, derived
  std::string output;              // empty: the first with .html
  std::string page;                // a file to take instead of the program's own page
  bool force = false;              // replace a file that is not a report
  bool json = false;
};

/// Returns the exit code (exit_codes.h).
int report(const ReportArguments& arguments);

/// The page without results: the program's own, or that in a file. Throws report::ReportError if there is none.
std::string page_template(const std::string& file);

/// Beside the results.
std::string report_path(const std::string& results);

struct WrittenReport {
  std::string path, line;             // "report: five_body.html, 0.9 MB; open it in a browser"
  std::vector<std::string> warnings;  // all of them
  std::vector<std::string> of_page;   // those that are not about the run itself
  unsigned long long bytes = 0;
};
/// Throws report::ReportError or results::ResultsError.
WrittenReport write_report(const report::ReportContent& content, const std::string& path, const std::string& page,
                           bool force);

/// To stderr.
void print_report_warnings(const std::vector<std::string>& warnings);

}  // namespace gyrostat::app
