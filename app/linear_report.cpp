#include "linear_report.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/report/page.h"
#include "gyrostat/results/same_file.h"
#include "gyrostat/results/target.h"

#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

LinearOrigin origin_of(const LinearArguments& arguments, const LinearTask& task) {
  return {task.model.description.name, arguments.model.file, std::string(task.source.whole_text()), arguments.model.set,
          arguments.pade};
}

LinearReport::LinearReport(const LinearArguments& arguments, std::string_view command)
    : arguments_(arguments), command_(command) {
  if (arguments.force && arguments.output.empty() && !arguments.report) {
    throw UsageError("--force is for a file that is written: name one with -o, or ask for a --report");
  }
  if (!arguments.report) return;
  path_ = *arguments.report;
  if (path_.empty()) {
    path_ = fmt::format("{}_{}.html", std::filesystem::path(arguments.model.file).stem().string(), command);
  }
  for (const std::string& other : {arguments.model.file, arguments.output}) {
    if (!other.empty() && results::same_file(path_, other)) {
      throw UsageError(fmt::format("--report: {} would be lost; choose another name", printable(other)));
    }
  }
  page_ = page_template(arguments.page);
  results::check_target(path_, results::FileKind::report, arguments.force);
}

void LinearReport::write(const LinearTask& task, const LinearModel& shown, report::LinearStudy study) {
  if (!wanted()) return;
  study.linear = shown;
  study.space = space_of(arguments_, shown);
  study.origin = origin_of(arguments_, task);
  study.label = "gyrostat " + command_;
  written_ = write_report({{}, "", &study, &task.model}, path_, page_, arguments_.force);
}

void LinearReport::print() const {
  if (!written_) return;
  fmt::print("\n{}\n", written_->line);
  print_report_warnings(written_->warnings);
}

void LinearReport::add_to(nlohmann::ordered_json& json) const {
  if (written_) json["report"] = written_->path;
}

}  // namespace gyrostat::app
