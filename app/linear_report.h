// The reports of the commands about linear models: modes, bode, nichols, margins and rootlocus --report.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gyrostat/report/analysis.h"

#include "linear.h"
#include "report.h"

namespace gyrostat::app {

/// Where a model and its linear model come from.
LinearOrigin origin_of(const LinearArguments& arguments, const LinearTask& task);

/// What `--report` asks for; without it nothing happens.
class LinearReport {
 public:
  /// Finds out whether the page can be written, before it is made. Throws UsageError, ReportError or
  /// ResultsError.
  LinearReport(const LinearArguments& arguments, std::string_view command);

  [[nodiscard]] bool wanted() const { return !path_.empty(); }

  /// `study` needs its responses and its locus; the rest is filled in.
  void write(const LinearTask& task, const LinearModel& shown, report::LinearStudy study = {});

  /// After the answer of the command.
  void print() const;
  /// In the answer of the command.
  void add_to(nlohmann::ordered_json& json) const;

 private:
  const LinearArguments& arguments_;
  std::string command_, path_, page_;
  std::optional<WrittenReport> written_;
};

}  // namespace gyrostat::app
