#include "gyrostat/results/compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "output.h"
#include "results_commands.h"
#include "results_text.h"

namespace gyrostat::app {

using results::ColumnDifference;
using results::CompareSettings;
using results::Comparison;
using results::ResultsError;
using results::ResultsReader;

namespace {

constexpr std::size_t lines_within = 10, names_listed = 20;

Json column_json(const ColumnDifference& column) {
  return {{"name", column.name},
          {"unit", column.unit},
          {"difference", column.difference},
          {"time", column.time},
          {"magnitude", column.magnitude},
          {"relative", column.relative},
          {"within_tolerance", column.within}};
}

Json comparison_json(const CompareArguments& arguments, const Comparison& comparison) {
  Json columns = Json::array();
  for (const ColumnDifference& column : comparison.columns) columns.push_back(column_json(column));
  return {{"agree", comparison.agree()},
          {"tolerance", arguments.tolerance},
          {"floor", arguments.floor},
          {"same_times", comparison.same_times},
          {"same_span", comparison.same_span},
          {"instants", comparison.instants},
          {"columns", std::move(columns)},
          {"only_in_first", comparison.only_in_first},
          {"only_in_second", comparison.only_in_second}};
}

std::string span_of(const ResultsReader& results) {
  if (results.records() == 0) return "no records";
  return fmt::format("{}, {} to {} s", counted(results.records(), "record", "records"), brief(results.time().front()),
                     brief(results.time().back()));
}

void print_times(const ResultsReader& first, const ResultsReader& second, const Comparison& comparison) {
  const std::size_t width = std::max(width_of(printable(first.path())), width_of(printable(second.path())));
  for (const ResultsReader* results : {&first, &second})
    fmt::print("{}  {}\n", left(printable(results->path()), width), span_of(*results));
  if (!comparison.same_times) {
    fmt::print("their times differ: the second is interpolated linearly at {} of the first\n",
               counted(comparison.instants, "instant", "instants"));
  }
}

/// Those that differ too much, and the worst of the others.
void print_differences(const std::vector<ColumnDifference>& columns) {
  std::size_t name_width = 6, unit_width = 4, shown = 0;
  const auto is_shown = [&](const ColumnDifference& column) {
    return !column.within || (shown < lines_within && column.difference > 0);
  };
  for (const ColumnDifference& column : columns) {
    if (!is_shown(column)) break;
    ++shown;
    name_width = std::max(name_width, width_of(printable(column.name)));
    unit_width = std::max(unit_width, width_of(printable(column.unit)));
  }
  if (shown == 0) return;
  fmt::print("\n{}  {}{:>14}{:>14}{:>14}{:>14}\n", left("column", name_width), left("unit", unit_width), "difference",
             "at time", "magnitude", "relative");
  for (std::size_t i = 0; i < shown; ++i) {
    const ColumnDifference& column = columns[i];
    fmt::print("{}  {}{:>14.3g}{:>14.6g}{:>14.6g}{:>14.3g}{}\n", left(printable(column.name), name_width),
               left(printable(column.unit), unit_width), column.difference, column.time, column.magnitude,
               column.relative, column.within ? "" : "  differs");
  }
  if (shown < columns.size()) fmt::print("... and {} more within the tolerance\n", columns.size() - shown);
}

void print_names(const std::string& file, const std::vector<std::string>& names) {
  if (names.empty()) return;
  fmt::print("\nonly in {}:\n", printable(file));
  for (std::size_t i = 0; i < std::min(names.size(), names_listed); ++i) fmt::print("  {}\n", printable(names[i]));
  if (names.size() > names_listed) fmt::print("  ... and {} more\n", names.size() - names_listed);
}

std::string verdict(const CompareArguments& arguments, const Comparison& comparison) {
  const auto differing =
      static_cast<std::size_t>(std::ranges::count(comparison.columns, false, &ColumnDifference::within));
  if (differing > 0) {
    return fmt::format("{} of {} by more than {} of the magnitude", differing,
                       counted(comparison.columns.size(), "column differs", "columns differ"), arguments.tolerance);
  }
  if (!comparison.same_span) return "they do not cover the same time";
  if (!comparison.agree()) return "they have no column in common";
  if (std::ranges::all_of(comparison.columns, [](const ColumnDifference& c) { return c.difference == 0; })) {
    return counted(comparison.columns.size(), "column is equal", "columns are equal");
  }
  return fmt::format("{} within {} of the magnitude",
                     counted(comparison.columns.size(), "column agrees", "columns agree"), arguments.tolerance);
}

/// The names and patterns that both files have; one of the second alone is an error as well.
std::vector<std::string> common_names(const CompareArguments& arguments, const ResultsReader& first,
                                      const ResultsReader& second) {
  std::vector<std::string> names = select_columns(arguments.first, first.columns(), arguments.names);
  const std::vector<std::string> others = select_columns(arguments.second, second.columns(), arguments.names);
  std::erase_if(names, [&](const std::string& name) { return !second.find(name); });
  if (names.empty() && !arguments.names.empty()) throw UsageError("no column of that name is in both files");
  return names;
}

}  // namespace

int compare(const CompareArguments& arguments) {
  if (!(arguments.tolerance >= 0) || !std::isfinite(arguments.tolerance))
    return refuse(arguments.json,
                  fmt::format("--tolerance {}: expected a number that is not negative", arguments.tolerance));
  if (!(arguments.floor >= 0) || !std::isfinite(arguments.floor))
    return refuse(arguments.json, fmt::format("--floor {}: expected a number that is not negative", arguments.floor));
  try {
    const ResultsReader first(arguments.first), second(arguments.second);
    const CompareSettings settings{arguments.tolerance, arguments.floor, common_names(arguments, first, second)};
    const Comparison comparison = results::compare(first, second, settings);
    if (arguments.json) {
      print_json(comparison_json(arguments, comparison));
    } else {
      print_times(first, second, comparison);
      print_differences(comparison.columns);
      print_names(arguments.first, comparison.only_in_first);
      print_names(arguments.second, comparison.only_in_second);
      fmt::print("\n{}\n", verdict(arguments, comparison));
    }
    return comparison.agree() ? exit_code::done : exit_code::results_differ;
  } catch (const ResultsError& error) {
    return refuse(arguments.json, printable(error.what()));
  } catch (const UsageError& error) {
    return refuse(arguments.json, error.what());
  }
}

}  // namespace gyrostat::app
