// Results files with given curves.
#pragma once

#include <string>
#include <vector>

#include "support/program.h"
#include "support/sample_results.h"

namespace gyrostat::testing {

struct SampleCurve {
  std::string name, unit;
  std::vector<double> values;
};

/// A file of these curves; returns its path, quoted for a shell.
inline std::string curves_file(const Scratch& scratch, const std::string& file, const std::vector<double>& times,
                               const std::vector<SampleCurve>& curves) {
  const std::string path = (scratch.path() / file).string();
  std::vector<Column> columns;
  for (const SampleCurve& curve : curves) columns.push_back({curve.name, curve.unit, ""});
  ResultsWriter writer(path, sample_header(), columns, times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::vector<double> row;
    for (const SampleCurve& curve : curves) row.push_back(curve.values[i]);
    writer.append(times[i], row);
  }
  writer.finish();
  return "'" + path + "'";
}

/// 0, 1, 2 ..
inline std::vector<double> counting(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
  return values;
}

}  // namespace gyrostat::testing
