#include "gyrostat/results/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "gyrostat/results/interpolate.h"

namespace gyrostat::results {

namespace {

constexpr double same_end = 1e-9;  // of the time covered

/// The second's value for each of the first's records that both cover.
struct Matching {
  std::size_t first = 0;  // record of the first results
  Between second;
};

std::vector<Matching> match(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<Matching> list;
  if (a == b) {
    for (std::size_t i = 0; i < a.size(); ++i) list.push_back({i, {i, 0}});
    return list;
  }
  if (a.empty() || b.empty()) return list;
  const double slack = same_end * (b.back() - b.front());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] >= b.front() - slack && a[i] <= b.back() + slack)) continue;
    const bool jump_follows = i + 1 < a.size() && a[i + 1] == a[i];
    list.push_back({i, locate(b, a[i], jump_follows ? Side::before : Side::after)});
  }
  return list;
}

bool have_same_span(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  const double slack = same_end * std::max(a.back() - a.front(), b.back() - b.front());
  return std::abs(a.front() - b.front()) <= slack && std::abs(a.back() - b.back()) <= slack;
}

double largest_finite(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) {
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  return most;
}

/// Equal infinities, and NaN in both, are no difference.
double difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  return std::abs(a - b);
}

ColumnDifference find_largest(const Column& column, const ResultsReader& first, const ResultsReader& second,
                              const std::vector<Matching>& matching) {
  const std::vector<double> a = first.column(column.name), b = second.column(column.name);
  ColumnDifference found{column.name, column.unit};
  found.magnitude = std::max(largest_finite(a), largest_finite(b));
  for (const Matching& pair : matching) {
    const double here = difference(a[pair.first], pair.second.value(b));
    if (here > found.difference || std::isnan(here)) {
      found.difference = here;
      found.time = first.time()[pair.first];
    }
    if (std::isnan(here)) break;
  }
  return found;
}

/// What the components of a vector or quaternion have in common: "bus.omega" of "bus.omega_x".
std::string_view vector_of(std::string_view name) {
  const bool component = name.size() > 2 && name[name.size() - 2] == '_' && name.back() >= 'w' && name.back() <= 'z';
  return component ? name.substr(0, name.size() - 2) : name;
}

/// Residuals of the ledger are the error of a run, and no part of its motion.
bool is_ledger(const Column& column) { return column.name.starts_with("ledger/"); }

void judge(std::vector<ColumnDifference>& columns, const CompareSettings& settings) {
  std::map<std::string, double, std::less<>> magnitudes;
  for (const ColumnDifference& column : columns) {
    double& magnitude = magnitudes[std::string(vector_of(column.name))];
    magnitude = std::max(magnitude, column.magnitude);
  }
  for (ColumnDifference& column : columns) {
    column.magnitude = magnitudes.find(vector_of(column.name))->second;
    column.relative = column.difference == 0 ? 0 : column.difference / std::max(column.magnitude, settings.floor);
    column.within = column.relative <= settings.tolerance;
  }
  std::ranges::stable_sort(columns, std::ranges::greater(), [](const ColumnDifference& column) {
    return std::isnan(column.relative) ? std::numeric_limits<double>::infinity() : column.relative;
  });
}

}  // namespace

bool Comparison::agree() const {
  const bool nothing_common = columns.empty() && !(only_in_first.empty() && only_in_second.empty());
  return same_span && !nothing_common && std::ranges::all_of(columns, &ColumnDifference::within);
}

Comparison compare(const ResultsReader& first, const ResultsReader& second, const CompareSettings& settings) {
  Comparison comparison;
  const std::vector<Matching> matching = match(first.time(), second.time());
  comparison.same_times = first.time() == second.time();
  comparison.same_span = have_same_span(first.time(), second.time());
  comparison.instants = matching.size();
  for (const std::string& name : settings.names) {
    for (const ResultsReader* reader : {&first, &second}) {
      if (!reader->find(name)) throw ResultsError(reader->path() + ": has no column '" + name + "'");
    }
    comparison.columns.push_back(find_largest(first.columns()[*first.find(name)], first, second, matching));
  }
  if (settings.names.empty()) {
    for (const Column& column : first.columns()) {
      if (is_ledger(column)) continue;
      if (second.find(column.name)) {
        comparison.columns.push_back(find_largest(column, first, second, matching));
      } else {
        comparison.only_in_first.push_back(column.name);
      }
    }
    for (const Column& column : second.columns()) {
      if (!is_ledger(column) && !first.find(column.name)) comparison.only_in_second.push_back(column.name);
    }
  }
  judge(comparison.columns, settings);
  return comparison;
}

}  // namespace gyrostat::results
