// The values of recorded columns, each read from the file once.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gyrostat/results/results_reader.h"

namespace gyrostat::report {

class RecordedColumns {
 public:
  explicit RecordedColumns(const results::ResultsReader& results)
      : results_(results), kept_(results.columns().size()) {}

  [[nodiscard]] const results::ResultsReader& results() const { return results_; }

  /// The number of a column, or of that of the same name in the group `motion`, which runs with output.record have.
  [[nodiscard]] std::optional<std::size_t> find_motion(const std::string& name) const {
    const auto found = results_.find(name);
    return found ? found : results_.find("motion/" + name);
  }

  /// One value per record, kept until `take`.
  const std::vector<double>& values(std::size_t column) {
    if (!kept_[column]) kept_[column] = results_.column(results_.columns()[column].name);
    return *kept_[column];
  }
  /// The same for the last time.
  std::vector<double> take(std::size_t column) {
    values(column);
    std::vector<double> values = std::move(*kept_[column]);
    kept_[column].reset();
    return values;
  }

 private:
  const results::ResultsReader& results_;
  std::vector<std::optional<std::vector<double>>> kept_;
};

}  // namespace gyrostat::report
