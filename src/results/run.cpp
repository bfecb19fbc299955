#include "gyrostat/results/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "gyrostat/results/checkpoint_file.h"
#include "gyrostat/results/csv.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/results_writer.h"
#include "gyrostat/results/same_file.h"

namespace gyrostat::results {

namespace {

using Clock = std::chrono::steady_clock;

/// How often what was recorded goes to the file, in real time.
constexpr auto flush_interval = std::chrono::seconds(1);

std::vector<Column> columns_of(const Simulation& simulation) {
  std::vector<Column> columns;
  for (const OutputColumn& c : simulation.columns()) columns.push_back({c.name, c.unit, c.description});
  return columns;
}

/// Writes what a simulation tells it to the files of a run.
class Recorder : public Observer {
 public:
  Recorder(const Simulation& simulation, std::vector<Override> overrides, ResultsWriter& results, CsvWriter* csv,
           const RunCallbacks& callbacks)
      : simulation_(simulation),
        overrides_(std::move(overrides)),
        results_(results),
        csv_(csv),
        callbacks_(callbacks) {}

  void record(double t, std::span<const double> row) override {
    results_.append(t, row);
    if (csv_ != nullptr) csv_->append(t, row);
  }
  void event(double t, const Change& change) override {
    constexpr std::string_view prefix = "signals.";
    const bool is_signal = change.name.starts_with(prefix);
    results_.add_event({t, is_signal ? change.name.substr(prefix.size()) : change.name, change.what});
  }
  void checkpoint(double t, const std::string& bytes) override {
    flush();  // the records and events that the checkpoint counts have to be in the file before it
    write_checkpoint(checkpoint_path(results_.path()), {t, results_.records(), results_.events(), bytes});
  }
  bool go_on(double t) override {
    t_ = t;
    if (const Clock::time_point now = Clock::now(); now - flushed_ > flush_interval) {
      flush();
      flushed_ = now;
    }
    return !callbacks_.go_on || callbacks_.go_on(t);
  }

  /// Ends the files. The results file is the last, so that its status tells of a failure of the others.
  Outcome finish(Outcome outcome) {
    const auto attempt = [&](const auto& act) {
      try {
        act();
      } catch (const ResultsError& error) {
        if (outcome.kind != Outcome::Kind::failed) outcome = {Outcome::Kind::failed, outcome.t, error.what()};
      }
    };
    if (csv_ != nullptr) attempt([&] { csv_->finish(); });
    results_.set_status(status_of(outcome));
    results_.set_statistics(statistics_of(current()));
    attempt([&] { results_.finish(); });
    return outcome;
  }

  [[nodiscard]] RunRecord current() const {
    return record_of(simulation_, overrides_, std::chrono::duration<double>(Clock::now() - begin_).count());
  }
  [[nodiscard]] double time() const { return t_; }

 private:
  void flush() {
    results_.set_statistics(statistics_of(current()));
    results_.flush();
    if (csv_ != nullptr) csv_->flush();
  }

  const Simulation& simulation_;
  std::vector<Override> overrides_;
  ResultsWriter& results_;
  CsvWriter* csv_;
  const RunCallbacks& callbacks_;
  double t_ = 0;  // end of the last step [s]
  Clock::time_point begin_ = Clock::now(), flushed_ = begin_;
};

/// The functions of plugin blocks, by signal.
std::vector<PluginFunction> open_plugins(const Model& model, const std::string& model_file, bool allowed) {
  std::vector<PluginFunction> plugins(model.description.signals.size());
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    const SignalDescription& signal = model.description.signals[i];
    const auto* block = std::get_if<PluginBlock>(&signal.block);
    if (block == nullptr) continue;
    if (!allowed) {
      throw RunError(
          fmt::format("{}: signals.{} is a plugin: it would run code from {}; if you trust it, say --allow-plugins",
                      model_file, signal.name, block->library));
    }
    try {
      plugins[i] = open_plugin(*block, std::filesystem::path(model_file).parent_path());
    } catch (const PluginError& error) {
      throw RunError(fmt::format("{}: signals.{}.plugin: {}", model_file, signal.name, error.what()));
    }
  }
  return plugins;
}

void check_settings(const Model& model, const RunSettings& settings, const std::string& file) {
  if (const std::string error = error_of_run(model, settings); !error.empty()) throw RunError(file + ": " + error);
  if (!(settings.checkpoint_interval >= 0 && std::isfinite(settings.checkpoint_interval))) {
    throw RunError(file + ": the interval between checkpoints must be finite and not negative");
  }
}

/// A CSV file must not replace the model or the results.
void check_csv(const std::string& csv, const std::string& model_file, const std::string& path) {
  if (csv.empty()) return;
  if (same_file(csv, model_file)) throw RunError(csv + ": is the model file, which would be lost");
  if (same_file(csv, path)) throw RunError(csv + ": is the results file too; choose another name");
}

/// The text and the overrides that are stored must give the model that is run.
void check_overrides(const Loaded& loaded, const std::vector<Override>& overrides) {
  if (loaded.source.text().empty() || loaded.model->description.parameters.empty()) return;
  const std::string& file = loaded.source.file();
  const Loaded again = load_text(file, std::string(loaded.source.text()), overrides);
  const auto same = [](const ParameterDescription& a, const ParameterDescription& b) {
    return a.value.value == b.value.value;
  };
  if (!again.model ||
      !std::ranges::equal(loaded.model->description.parameters, again.model->description.parameters, same)) {
    throw RunError(file + ": RunOptions::overrides are not those that the model was loaded with");
  }
}

/// Runs the simulation, from a checkpoint if there is one, and ends the files.
RunResult conduct(Simulation& simulation, Recorder& recorder, const ResultsWriter& results,
                  const CheckpointFile* checkpoint, const RunCallbacks& callbacks) {
  RunResult result;
  result.from = checkpoint != nullptr ? checkpoint->t : 0;
  result.columns = results.columns().size();
  if (callbacks.begin) callbacks.begin(result.from, simulation.settings().until);
  try {
    result.outcome = checkpoint != nullptr ? simulation.resume(checkpoint->bytes, recorder) : simulation.run(recorder);
  } catch (const ResultsError& error) {
    result.outcome = {Outcome::Kind::failed, recorder.time(), error.what()};
  }
  result.outcome = recorder.finish(result.outcome);
  if (result.outcome.kind == Outcome::Kind::finished) remove_checkpoint(results.path());
  result.record = recorder.current();
  result.records = results.records();
  const Ledger& ledger = simulation.ledger();
  for (std::size_t k = 0; k < ledger.work.size(); ++k) result.work.emplace_back(ledger.sources[k], ledger.work[k]);
  return result;
}

}  // namespace

RunResult run(const Loaded& loaded, const RunSettings& settings, const std::string& path, const RunOptions& options,
              const RunCallbacks& callbacks) {
  const Model& model = *loaded.model;
  const std::string& file = loaded.source.file();
  check_settings(model, settings, file);
  check_csv(options.csv, file, path);
  check_overrides(loaded, options.overrides);
  Simulation simulation(model, settings, open_plugins(model, file, options.allow_plugins));
  const RunRecord record = record_of(simulation, options.overrides, 0);
  std::vector<std::string> names;
  for (const auto& [name, value] : statistics_of(record)) names.push_back(name);
  const std::vector<Column> columns = columns_of(simulation);
  ResultsWriter results(path, header_of(loaded, record, options.command), columns, settings.record_count(), names);
  remove_checkpoint(results.path());
  std::optional<CsvWriter> csv;
  if (!options.csv.empty()) {
    names.clear();
    for (const Column& column : columns) names.push_back(column.name);
    csv.emplace(options.csv, names);
  }
  Recorder recorder(simulation, options.overrides, results, csv ? &*csv : nullptr, callbacks);
  RunResult result = conduct(simulation, recorder, results, nullptr, callbacks);
  result.path = path;
  result.model_file = file;
  return result;
}

RunResult resume(const std::string& path, const ResumeOptions& options, const RunCallbacks& callbacks) {
  Header header;
  RunRecord record;
  {
    const ResultsReader reader(path);
    if (reader.status() == "finished") throw RunError(path + ": is finished; there is nothing to resume");
    header = reader.header();
    record = read_record(reader);
  }
  if (!record.defect.empty()) {
    throw ResultsError(fmt::format("{}: {}; a run that can be resumed stores its settings there", path, record.defect));
  }
  std::shared_ptr<const Loaded> stored;
  if (options.model == nullptr) {
    stored = std::make_shared<const Loaded>(stored_model(header));
    if (header.model_text.empty()) {
      throw ResultsError(path + ": has no model, because its run was made from a Description; give the same again");
    }
    if (!stored->model) throw StoredModelError(path + ": the model stored in it is not valid", stored);
  }
  const Model& model = stored ? *stored->model : *options.model;
  check_settings(model, record.settings, path);
  const std::string beside = checkpoint_path(without_link(path));
  const CheckpointFile checkpoint = read_checkpoint(beside);
  Simulation simulation(model, record.settings, open_plugins(model, header.model_file, options.allow_plugins));
  try {
    simulation.restore(checkpoint.bytes);  // before the file is changed
  } catch (const std::runtime_error& error) {
    throw ResultsError(fmt::format("{}: {}", beside, error.what()));
  }
  ResultsWriter results =
      ResultsWriter::reopen(path, checkpoint.records, checkpoint.events, record.settings.record_count());
  Recorder recorder(simulation, record.overrides, results, nullptr, callbacks);
  RunResult result = conduct(simulation, recorder, results, &checkpoint, callbacks);
  result.path = path;
  result.model_file = header.model_file;
  return result;
}

}  // namespace gyrostat::results
