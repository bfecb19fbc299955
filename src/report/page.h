// One HTML file with everything in it: the page, and the results of one or two runs.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/report/analysis.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

/// A report cannot be made. The message begins with the file: "run.html: cannot be written".
class ReportError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Puts payload and blocks in place of the line `<!-- gyrostat:data -->` of the template, into a file that appears, or
/// replaces another report, whole; with `force`, any file. Returns its size in bytes.
std::uint64_t write_page(const std::string& path, std::string_view page_template, const Payload& payload,
                         const Blocks& blocks, bool force = false);

struct Report {
  std::uint64_t bytes = 0;
  std::vector<std::string> warnings, page_warnings;  // as in RunWithWarnings
};

/// The page of this build, without results. Throws ReportError if it was built without one.
std::string_view own_page();

/// What a report is made of: one results file, two, or none if there is an analysis; or the results of a campaign,
/// alone.
struct ReportContent {
  std::vector<std::string> results;
  std::string linear_file = {};        // a linear model of the same model as the first results, or empty
  const LinearStudy* study = nullptr;  // what was computed of a linear model, in place of a file
  const Model* model = nullptr;        // that of the study
  bool equations = false;              // the equations of motion of the first results' model
};

/// All of it. Throws ReportError or ResultsError.
Report write_report_of(const ReportContent& content, const std::string& path,
                       std::string_view page_template = own_page(), bool force = false);

/// The same for one results file or two.
Report write_report(const std::vector<std::string>& results, const std::string& path,
                    std::string_view page_template = own_page(), bool force = false);

}  // namespace gyrostat::report
