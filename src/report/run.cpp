#include "gyrostat/report/run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include "gyrostat/report/phases.h"
#include "gyrostat/report/plots.h"
#include "gyrostat/report/scene.h"
#include "gyrostat/report/summary.h"

namespace gyrostat::report {

namespace {

std::vector<PageColumn> columns_of(RecordedColumns& columns, Blocks& blocks) {
  std::vector<PageColumn> list;
  for (const results::Column& column : columns.results().columns()) {
    const std::vector<double> values = columns.take(list.size());
    const std::string description = column.description + (column.note.empty() ? "" : "; " + column.note);
    PageColumn shown{column.name, column.unit, description, blocks.add(std::span<const double>(values)), {}, {}};
    for (const double x : values) {
      if (std::isfinite(x)) {
        shown.least = std::min(shown.least.value_or(x), x);
        shown.largest = std::max(shown.largest.value_or(x), x);
      } else {
        shown.finite = false;
      }
    }
    list.push_back(std::move(shown));
  }
  return list;
}

EventList events_of(const results::ResultsReader& results, Blocks& blocks) {
  EventList events;
  std::unordered_map<std::string, std::uint32_t> numbers;
  const auto number = [&](const std::string& text) {
    const auto [entry, is_new] = numbers.try_emplace(text, static_cast<std::uint32_t>(events.texts.size()));
    if (is_new) events.texts.push_back(text);
    return entry->second;
  };
  std::vector<double> time;
  std::vector<std::uint32_t> name, what;
  for (const results::Event& event : results.events()) {
    time.push_back(event.t);
    name.push_back(number(event.name));
    what.push_back(number(event.what));
  }
  events.time = blocks.add(std::span<const double>(time));
  events.name = blocks.add(std::span<const std::uint32_t>(name));
  events.what = blocks.add(std::span<const std::uint32_t>(what));
  return events;
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

RunWithWarnings run_of(const results::ResultsReader& results, Blocks& blocks) {
  RunWithWarnings result;
  Run& run = result.run;
  const results::Header& header = results.header();
  run.label = std::filesystem::path(results.path()).filename().string();
  run.model_name = header.model_name;
  run.model_file = header.model_file;
  run.model_text = header.model_text;
  run.command = header.command;
  run.version = header.version;
  run.formulation = header.formulation;
  run.integrator = header.integrator;
  run.status = results.status() == "running" ? "" : results.status();
  for (const auto& statistic : results.statistics()) {
    if (!statistic.first.starts_with("ledger_")) run.statistics.push_back(statistic);
  }
  const results::RunRecord record = results::read_record(results);
  if (!record.ledger.lines.empty()) run.ledger = record.ledger;
  run.time = blocks.add(std::span<const double>(results.time()));
  run.events = events_of(results, blocks);

  const Loaded loaded = results::stored_model(header);
  RecordedColumns columns(results);
  if (loaded.model) {
    run.model = summary_of(*loaded.model);
    run.phases = phases_of(*loaded.model, results, blocks);
    run.scene = scene_of(*loaded.model, columns, blocks, result.page_warnings);
  } else {
    result.page_warnings.emplace_back("the model in the results file cannot be read, so the motion cannot be shown");
  }
  run.columns = columns_of(columns, blocks);
  append(run.warnings, problem_texts(loaded));
  append(run.warnings, status_warnings(results));
  if (run.ledger) append(run.warnings, ledger_warnings(*run.ledger));
  append(run.warnings, number_warnings(results, run.columns));
  run.plots = default_plots(run.columns, loaded.model ? &*loaded.model : nullptr);
  append(run.warnings, result.page_warnings);
  return result;
}

}  // namespace gyrostat::report
