#include "gyrostat/results/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "gyrostat/results/checkpoint_file.h"
#include "gyrostat/results/csv.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/results_writer.h"
#include "gyrostat/results/same_file.h"
#include "gyrostat/results/target.h"

namespace gyrostat::results {

namespace {

using Clock = std::chrono::steady_clock;

/// How often what was recorded goes to the file, in real time.
constexpr auto flush_interval = std::chrono::seconds(1);

/// A linear model beside a simulation, and how far it is from it.
class Companion {
 public:
  Companion(const Simulation& simulation, const LinearMotionSettings& settings)
      : simulation_(simulation), motion_(simulation.plant().model(), settings), values_(motion_.columns().size()) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (const OutputColumn& column : motion_.columns()) {
      differences_.push_back({column.name, column.unit, 0, infinite, -infinite});
      const auto simulated = std::ranges::find(simulation.columns(), column.name, &OutputColumn::name);
      places_.push_back(static_cast<std::size_t>(simulated - simulation.columns().begin()));
    }
  }

  [[nodiscard]] std::vector<Column> columns() const {
    std::vector<Column> columns;
    for (const OutputColumn& c : motion_.columns()) {
      columns.push_back({"linear/" + c.name, c.unit, "by the linear model: " + c.description});
    }
    for (const OutputColumn& c : motion_.columns()) {
      columns.push_back({"difference/" + c.name, c.unit, "simulated less that of the linear model: " + c.description});
    }
    return columns;
  }

  /// After a step of the simulation.
  void step(double t) {
    if (!motion_.model().inputs.empty()) advance(t);  // noise
  }

  /// Appends the values of its columns to a row of the simulation.
  void record(double t, std::vector<double>& row) {
    advance(t);
    motion_.fill(values_);
    row.insert(row.end(), values_.begin(), values_.end());
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const double simulated = row[places_[k]], difference = simulated - values_[k];
      row.push_back(difference);
      LinearDifference& d = differences_[k];
      d.largest = std::max(d.largest, std::abs(difference));
      d.lowest = std::min(d.lowest, simulated);
      d.highest = std::max(d.highest, simulated);
    }
  }

  [[nodiscard]] const std::vector<LinearDifference>& differences() const { return differences_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return motion_.model().notes; }

 private:
  void advance(double t) {
    if (!started_) motion_.start(simulation_.state_vector(), simulation_.discrete());
    started_ = true;
    motion_.advance(t);
    motion_.follow(simulation_.discrete());
  }

  const Simulation& simulation_;
  LinearMotion motion_;
  bool started_ = false;
  std::vector<double> values_;
  std::vector<std::size_t> places_;  // of its quantities in a row of the simulation
  std::vector<LinearDifference> differences_;
};

std::vector<Column> columns_of(const Simulation& simulation, const std::unique_ptr<Companion>& beside) {
  std::vector<Column> columns;
  for (const OutputColumn& c : simulation.columns())
    columns.push_back({c.name, c.unit, c.description, c.states, c.note});
  if (beside) std::ranges::move(beside->columns(), std::back_inserter(columns));
  return columns;
}

/// The files of a run.
struct Files {
  ResultsWriter results;
  std::unique_ptr<CsvWriter> csv = nullptr;
};

/// Writes what a simulation tells it to the files of a run. They are made after the first step: a run that fails before
/// leaves those of an earlier one.
class Recorder : public Observer {
 public:
  Recorder(const Simulation& simulation, std::vector<Override> overrides, std::string path,
           std::function<Files()> make_files, const RunCallbacks& callbacks, Companion* beside = nullptr)
      : simulation_(simulation),
        beside_(beside),
        overrides_(std::move(overrides)),
        path_(std::move(path)),
        make_files_(std::move(make_files)),
        callbacks_(callbacks) {}

  void record(double t, std::span<const double> row) override {
    row_.assign(row.begin(), row.end());
    if (beside_ != nullptr) beside_->record(t, row_);
    if (files_) {
      write(t, row_);
    } else {
      early_records_.emplace_back(t, row_);
    }
  }
  void begin(const std::vector<Change>& states) override {
    for (const Change& state : states) event(0, state);
  }
  void event(double t, const Change& change) override {
    Event event = event_of(t, change);
    if (files_) {
      files_->results.add_event(event);
    } else {
      early_events_.push_back(std::move(event));
    }
  }
  void checkpoint(double t, const std::string& bytes) override {
    flush();  // the records and events that the checkpoint counts have to be in the file before it
    write_checkpoint(checkpoint_path(files_->results.path()), counted(t, bytes));
  }
  bool go_on(double t) override {
    t_ = t;
    if (beside_ != nullptr) beside_->step(t);
    open();
    if (const Clock::time_point now = Clock::now(); now - flushed_ > flush_interval) {
      flush();
      flushed_ = now;
    }
    return !callbacks_.go_on || callbacks_.go_on(t);
  }

  /// Makes the files, and writes what came before.
  void open() {
    if (files_) return;
    files_.emplace(make_files_());
    for (const auto& [t, row] : early_records_) write(t, row);
    for (const Event& event : early_events_) files_->results.add_event(event);
  }

  /// Ends the files. The results file is the last, so that its status tells of a failure.
  void finish(RunResult& result) {
    Outcome& outcome = result.outcome;
    std::error_code error;
    if (!files_ && outcome.kind == Outcome::Kind::failed && std::filesystem::exists(path_, error)) {
      result.left_earlier = true;
      return;
    }
    const auto fails = [&](const auto& act) {
      try {
        act();
        return false;
      } catch (const ResultsError& failure) {
        if (outcome.kind != Outcome::Kind::failed) outcome = {Outcome::Kind::failed, outcome.t, failure.what()};
        return true;
      }
    };
    if (fails([&] { open(); })) return;
    with_csv([&](CsvWriter& csv) { csv.finish(); });
    result.csv_failure = csv_failure_;
    ResultsWriter& results = files_->results;
    results.set_status(status_of(outcome));
    results.set_statistics(statistics_of(current()));
    if (!outcome.checkpoint.empty()) results.set_checkpoint(bytes_of(counted(outcome.t, outcome.checkpoint)));
    if (fails([&] { results.finish(); })) {
      results.set_status(status_of(outcome));
      fails([&] { results.abandon(); });
    }
    if (outcome.kind == Outcome::Kind::finished) remove_checkpoint(results.path());
    result.records = results.records();
  }

  [[nodiscard]] RunRecord current() const {
    return record_of(simulation_, overrides_, std::chrono::duration<double>(Clock::now() - begin_).count());
  }
  [[nodiscard]] double time() const { return t_; }

 private:
  void write(double t, std::span<const double> row) {
    files_->results.append(t, row);
    with_csv([&](CsvWriter& csv) { csv.append(t, row); });
  }

  void flush() {
    open();
    files_->results.set_statistics(statistics_of(current()));
    files_->results.flush();
    with_csv([](CsvWriter& csv) { csv.flush(); });
  }

  /// A CSV file that cannot be written does not end the run.
  template <class Act>
  void with_csv(const Act& act) {
    if (!files_->csv) return;
    try {
      act(*files_->csv);
    } catch (const ResultsError& failure) {
      csv_failure_ = failure.what();
      files_->csv.reset();
    }
  }

  [[nodiscard]] CheckpointFile counted(double t, const std::string& bytes) const {
    return {t, files_->results.records(), files_->results.events(), bytes};
  }

  const Simulation& simulation_;
  Companion* beside_;  // or none
  std::vector<double> row_;
  std::vector<Override> overrides_;
  std::string path_;
  std::function<Files()> make_files_;
  std::optional<Files> files_;
  std::vector<std::pair<double, std::vector<double>>> early_records_;
  std::vector<Event> early_events_;
  std::string csv_failure_;
  const RunCallbacks& callbacks_;
  double t_ = 0;  // end of the last step [s]
  Clock::time_point begin_ = Clock::now(), flushed_ = begin_;
};

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
  const Loaded again = load_text(file, std::string(loaded.source.whole_text()), overrides);
  const auto same = [](const ParameterDescription& a, const ParameterDescription& b) {
    return a.value.value == b.value.value;
  };
  if (!again.model ||
      !std::ranges::equal(loaded.model->description.parameters, again.model->description.parameters, same)) {
    throw RunError(file + ": RunOptions::overrides are not those that the model was loaded with");
  }
}

/// Runs the simulation, from a checkpoint if there is one, and ends the files.
RunResult conduct(Simulation& simulation, Recorder& recorder, const CheckpointFile* checkpoint,
                  const RunCallbacks& callbacks) {
  RunResult result;
  result.from = checkpoint != nullptr ? checkpoint->t : 0;
  result.columns = simulation.columns().size();
  if (callbacks.begin) callbacks.begin(result.from, simulation.settings().until);
  try {
    result.outcome = checkpoint != nullptr ? simulation.resume(checkpoint->bytes, recorder) : simulation.run(recorder);
  } catch (const ResultsError& error) {
    result.outcome = {Outcome::Kind::failed, recorder.time(), error.what()};
  } catch (const AnalysisError& error) {
    result.outcome = {Outcome::Kind::failed, recorder.time(), error.what()};
  }
  recorder.finish(result);
  result.record = recorder.current();
  const Ledger& ledger = simulation.ledger();
  for (std::size_t k = 0; k < ledger.work.size(); ++k) result.work.emplace_back(ledger.sources[k], ledger.work[k]);
  return result;
}

/// A checkpoint and the file that has it: the last one beside the results, with which the resumed run has the same bits
/// as one that was not interrupted; or the one in them, where the run ended.
std::pair<std::string, CheckpointFile> find_checkpoint(const ResultsReader& reader) {
  const std::string beside = checkpoint_path(without_link(reader.path()));
  std::error_code error;
  if (!std::filesystem::exists(beside, error)) {
    const std::string inside = reader.checkpoint();
    if (!inside.empty()) return {reader.path(), checkpoint_of(reader.path(), inside)};
  }
  return {beside, read_checkpoint(beside)};
}

/// The end of a run that is resumed.
double new_end(const std::string& path, const std::string& status, double end, double t, std::optional<double> until) {
  if (!until) {
    if (status == "finished") {
      throw RunError(path + ": is finished; there is nothing to resume, but --until SECONDS extends it");
    }
    return end;
  }
  if (!(*until > t && std::isfinite(*until))) {
    throw RunError(fmt::format("{}: has come to t = {:.9g} s; --until must be beyond that", path, t));
  }
  return *until;
}

}  // namespace

Event event_of(double t, const Change& change) {
  constexpr std::string_view prefix = "signals.";
  const bool is_signal = change.name.starts_with(prefix);
  return {t, is_signal ? change.name.substr(prefix.size()) : change.name, change.what};
}

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

RunResult run(const Loaded& loaded, const RunSettings& settings, const std::string& path, const RunOptions& options,
              const RunCallbacks& callbacks) {
  const Model& model = *loaded.model;
  const std::string& file = loaded.source.file();
  check_settings(model, settings, file);
  check_csv(options.csv, file, path);
  check_overrides(loaded, options.overrides);
  if (same_file(path, file)) throw RunError(path + ": is the model file, which would be lost");
  const std::string target = without_link(path);
  check_target(target, FileKind::results, options.force);
  if (!options.csv.empty()) check_target(options.csv, FileKind::csv, options.force);
  const OutputLock lock(target);
  const OutputLock csv_lock = options.csv.empty() ? OutputLock() : OutputLock(without_link(options.csv));
  Simulation simulation(model, settings, open_plugins(model, file, options.allow_plugins));
  std::unique_ptr<Companion> beside;
  if (options.linear) {
    try {
      beside = std::make_unique<Companion>(simulation, *options.linear);
    } catch (const AnalysisError& error) {
      throw RunError(fmt::format("{}: {}", file, error.what()));
    }
  }
  const auto make_files = [&] {
    const RunRecord record = record_of(simulation, options.overrides, 0);
    std::vector<std::string> names;
    for (const auto& [name, value] : statistics_of(record)) names.push_back(name);
    const std::vector<Column> columns = columns_of(simulation, beside);
    Header header = header_of(loaded, record, options.command);
    header.more.insert(header.more.end(), options.attributes.begin(), options.attributes.end());
    Files files{ResultsWriter(path, std::move(header), columns, settings.record_count(), names, options.force)};
    remove_checkpoint(files.results.path());
    if (!options.csv.empty()) {
      names.clear();
      for (const Column& column : columns) names.push_back(column.name);
      files.csv = std::make_unique<CsvWriter>(options.csv, names);
    }
    return files;
  };
  Recorder recorder(simulation, options.overrides, target, make_files, callbacks, beside.get());
  RunResult result = conduct(simulation, recorder, nullptr, callbacks);
  if (beside) {
    result.columns += beside->columns().size();
    result.differences = beside->differences();
    result.linear_notes = beside->notes();
  }
  result.path = path;
  result.model_file = file;
  return result;
}

RunResult resume(const std::string& path, const ResumeOptions& options, const RunCallbacks& callbacks) {
  Header header;
  RunRecord record;
  std::string checkpoint_file;
  CheckpointFile checkpoint;
  {
    const ResultsReader reader(path);
    header = reader.header();
    record = read_record(reader);
    if (header.index != "time") {
      throw RunError(path + ": is a campaign; `gyrostat campaign FILE --resume` goes on with it");
    }
    const auto is_flight = [](const auto& attribute) { return attribute.first == "flight"; };
    if (std::ranges::any_of(header.more, is_flight)) {
      throw RunError(path + ": is a flight of a campaign; replay it again");
    }
    const auto is_linear = [](const Column& column) { return column.name.starts_with("linear/"); };
    if (std::ranges::any_of(reader.columns(), is_linear)) {
      throw RunError(path +
                     ": was run with --linear, and where the linear model was is not in a checkpoint; run it again");
    }
    if (!record.defect.empty()) {
      throw ResultsError(
          fmt::format("{}: {}; a run that can be resumed stores its settings there", path, record.defect));
    }
    if (reader.status() == "finished") new_end(path, reader.status(), 0, 0, options.until);
    std::tie(checkpoint_file, checkpoint) = find_checkpoint(reader);
    record.settings.until = new_end(path, reader.status(), record.settings.until, checkpoint.t, options.until);
    set_settings(header, record.settings);
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
  const OutputLock lock(without_link(path));
  Simulation simulation(model, record.settings, open_plugins(model, header.model_file, options.allow_plugins));
  try {
    simulation.restore(checkpoint.bytes);  // before the file is changed
  } catch (const std::runtime_error& error) {
    throw ResultsError(fmt::format("{}: {}", checkpoint_file, error.what()));
  }
  ResultsWriter results = ResultsWriter::reopen(path, std::min(checkpoint.records, simulation.records()),
                                                checkpoint.events, record.settings.record_count(), &header);
  Recorder recorder(
      simulation, record.overrides, path, [&] { return Files{std::move(results)}; }, callbacks);
  recorder.open();
  RunResult result = conduct(simulation, recorder, &checkpoint, callbacks);
  result.path = path;
  result.model_file = header.model_file;
  return result;
}

}  // namespace gyrostat::results
