// Results files that no run has made.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gyrostat/results/results_writer.h"

#include "support/program.h"

namespace gyrostat::testing {

inline const std::string one_hinge =
    "gyrostat: 1\nname: A hinge\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {hinge: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}}\n";

struct HandMade {
  std::vector<std::pair<std::string, std::string>> more;
  std::vector<std::pair<std::string, double>> statistics;
  std::string status = "finished", file = "made.h5", unit;
};

/// Records at 0, 1, .. s of columns with their values.
inline std::string hand_made(const Scratch& scratch, const std::string& model,
                             const std::vector<std::pair<std::string, std::vector<double>>>& columns,
                             const HandMade& how = {}) {
  std::vector<results::Column> list;
  for (const auto& column : columns) list.push_back({column.first, how.unit, ""});
  std::vector<std::string> statistics;
  for (const auto& statistic : how.statistics) statistics.push_back(statistic.first);
  const std::string path = (scratch.path() / how.file).string();
  const results::Header header = {"A hinge",
                                  (scratch.path() / "made.yaml").string(),
                                  model,
                                  "0.1.0",
                                  "gyrostat run made",
                                  "articulated_body",
                                  "dopri5, tolerance 1e-09",
                                  how.more};
  const std::size_t records = columns.empty() ? 0 : columns[0].second.size();
  results::ResultsWriter writer(path, header, list, records, statistics);
  for (std::size_t r = 0; r < records; ++r) {
    std::vector<double> row;
    for (const auto& column : columns) row.push_back(column.second[r]);
    writer.append(static_cast<double>(r), row);
  }
  for (std::size_t k = 0; k < statistics.size(); ++k) writer.set_statistic(k, how.statistics[k].second);
  writer.set_status(how.status);
  writer.finish();
  return path;
}

}  // namespace gyrostat::testing
