#include "run.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/report/stored_model.h"
#include "gyrostat/results/csv.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/results_writer.h"
#include "gyrostat/results/same_file.h"
#include "gyrostat/simulate/simulation.h"

#include "checkpoint_file.h"
#include "output.h"
#include "progress.h"
#include "run_summary.h"

namespace gyrostat::app {

namespace {

constexpr int wrong_model = 1, wrong_usage = 2, cannot_go_on = 3, interrupted = 130;

volatile std::sig_atomic_t stop_requested = 0;
void request_stop(int) { stop_requested = 1; }

/// Puts what happens into files, and shows how far it has come.
class Recorder : public Observer {
 public:
  Recorder(results::ResultsWriter& results, results::CsvWriter* csv, Simulation& simulation, double from, bool quiet)
      : results_(results), csv_(csv), simulation_(simulation), progress_(from, simulation.settings().until, quiet) {}

  void record(double t, std::span<const double> row) override {
    results_.append(t, row);
    if (csv_ != nullptr) csv_->append(t, row);
  }
  void event(double t, const Change& change) override { results_.add_event({t, short_name(change.name), change.what}); }
  void checkpoint(double t, const std::string& bytes) override {
    flush();  // so that what the checkpoint counts on is there
    write_checkpoint(checkpoint_path(results_.path()), {t, results_.records(), results_.events(), bytes});
  }
  bool go_on(double t) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - flushed_ > std::chrono::seconds(1)) {
      flush();
      flushed_ = now;
    }
    progress_.show(t);
    return stop_requested == 0;
  }
  void flush() {
    set_statistics(simulation_, progress_.elapsed(), results_);
    results_.flush();
    if (csv_ != nullptr) csv_->flush();
  }
  Progress& progress() { return progress_; }

 private:
  static std::string short_name(const std::string& name) {
    return name.starts_with("signals.") ? name.substr(8) : name;
  }

  results::ResultsWriter& results_;
  results::CsvWriter* csv_;
  Simulation& simulation_;
  Progress progress_;
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

int refuse(const std::string& message, bool json, int code) {
  if (json) {
    print_json({{"error", message}});
  } else {
    fmt::print(stderr, "{}\n", message);
  }
  return code;
}

/// The functions of plugin blocks, by signal. Throws PluginError, naming the signal.
std::vector<PluginFunction> open_plugins(const Model& model, const std::string& model_file) {
  std::vector<PluginFunction> plugins(model.description.signals.size());
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    const auto* block = std::get_if<PluginBlock>(&model.description.signals[i].block);
    if (block == nullptr) continue;
    try {
      plugins[i] = open_plugin(*block, std::filesystem::path(model_file).parent_path());
    } catch (const PluginError& error) {
      throw PluginError(
          fmt::format("{}: signals.{}.plugin: {}", model_file, model.description.signals[i].name, error.what()));
    }
  }
  return plugins;
}

std::string plugins_refused(const Model& model, const std::string& file) {
  for (const SignalDescription& signal : model.description.signals) {
    const auto* block = std::get_if<PluginBlock>(&signal.block);
    if (block == nullptr) continue;
    return fmt::format("{}: signals.{} is a plugin: it would run code from {}; if you trust it, say --allow-plugins",
                       file, signal.name, block->library);
  }
  return {};
}

std::vector<results::Column> columns_of(const Simulation& simulation) {
  std::vector<results::Column> columns;
  for (const OutputColumn& c : simulation.columns()) columns.push_back({c.name, c.unit, c.description});
  return columns;
}

/// A simulation with its files; from the beginning, or from a checkpoint.
struct Job {
  std::string model_file, results_path;
  bool quiet = false, json = false;
  const CheckpointFile* checkpoint = nullptr;
  std::string report_path, page;  // empty: no report
};

/// One that does not belong to these results, or is of no use any more.
void remove_checkpoint(const std::string& results_path) {
  std::error_code ignored;
  std::filesystem::remove(checkpoint_path(results_path), ignored);
}

void add_report(const Job& job, RunSummary& summary) {
  if (job.report_path.empty()) return;
  try {
    summary.report = write_report({job.results_path}, job.report_path, job.page);
  } catch (const std::runtime_error& error) {
    summary.report_failure = error.what();
  }
}

int conduct(const Job& job, Simulation& simulation, results::ResultsWriter& results, results::CsvWriter* csv) {
  stop_requested = 0;
  const auto before_int = std::signal(SIGINT, request_stop);
  const auto before_term = std::signal(SIGTERM, request_stop);
  const double from = job.checkpoint != nullptr ? job.checkpoint->t : 0;
  Recorder recorder(results, csv, simulation, from, job.quiet || job.json);
  const Outcome outcome =
      job.checkpoint != nullptr ? simulation.resume(job.checkpoint->bytes, recorder) : simulation.run(recorder);
  std::signal(SIGINT, before_int);
  std::signal(SIGTERM, before_term);
  const double elapsed = recorder.progress().elapsed();
  recorder.progress().clear();

  using Kind = Outcome::Kind;
  const std::string status = outcome.kind == Kind::finished ? "finished"
                             : outcome.kind == Kind::interrupted
                                 ? fmt::format("interrupted at t = {:.9g} s", outcome.t)
                                 : fmt::format("stopped at t = {:.9g} s: {}", outcome.t, outcome.failure);
  results.set_status(status);
  set_statistics(simulation, elapsed, results);
  results.finish();
  if (csv != nullptr) csv->finish();
  if (outcome.kind == Kind::finished) remove_checkpoint(job.results_path);

  RunSummary summary{job.model_file, job.results_path, simulation, outcome, from, elapsed};
  add_report(job, summary);
  if (job.json) {
    print_json(as_json(summary));
  } else {
    if (!job.quiet) print(summary);
    print_warnings(summary);
  }
  if (outcome.kind == Kind::finished && !summary.report_failure.empty()) return wrong_usage;
  return outcome.kind == Kind::finished ? 0 : outcome.kind == Kind::interrupted ? interrupted : cannot_go_on;
}

std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, "\n")); }

/// Settings of a run in its results file, so that it can be resumed, and what its ledger is to be judged by.
results::Header header_of(const Loaded& loaded, const RunArguments& arguments, const Simulation& simulation,
                          const std::string& command_line) {
  const RunSettings& settings = simulation.settings();
  const IntegratorSettings& i = settings.integrator;
  const auto number = [](double x) { return fmt::format("{}", x); };
  results::Header header;
  header.model_name = loaded.model->system.name;
  header.model_file = std::filesystem::absolute(arguments.model.file).string();
  header.model_text = std::string(loaded.source.text());
  header.version = GYROSTAT_VERSION;
  header.command = command_line;
  header.formulation = settings.formulation;
  header.integrator = i.method == "rk4" ? fmt::format("rk4, step {} s", i.step)
                                        : fmt::format("{}, tolerance {}", i.method, i.tolerance);
  header.more = {{"run_method", i.method},
                 {"run_tolerance", number(i.tolerance)},
                 {"run_step", number(i.step)},
                 {"run_until", number(settings.until)},
                 {"run_interval", number(settings.interval)},
                 {"run_checkpoint", number(settings.checkpoint_interval)},
                 {"run_set", joined(arguments.model.set)},
                 {"ledger_allowed", number(ledger_allowance(i))},
                 {"ledger_exempt", simulation.ledger().exempt},
                 {"ledger_other_formulation", simulation.ledger().other_formulation}};
  return header;
}

}  // namespace

int run(const RunArguments& arguments, const std::string& command_line) {
  const bool json = arguments.model.json;
  const Loaded loaded = load(arguments.model);
  if (!json) print_problems(loaded);
  if (!loaded.model) {
    if (json) print_json(problems_as_json(loaded));
    return wrong_model;
  }
  const Model& model = *loaded.model;
  RunSettings settings(model);
  const bool own_formulation = !arguments.formulation.empty(), own_method = !arguments.integrator.empty();
  if (own_formulation) settings.formulation = arguments.formulation;
  if (own_method) settings.integrator.method = arguments.integrator;
  if (arguments.tolerance) settings.integrator.tolerance = *arguments.tolerance;
  if (arguments.step) settings.integrator.step = *arguments.step;
  if (arguments.interval) settings.interval = *arguments.interval;
  if (arguments.until) {
    settings.until = *arguments.until;
    if (!arguments.interval && model.description.output.interval == 0) settings.interval = settings.until / 1000;
  }
  settings.checkpoint_interval = arguments.checkpoint;
  if (settings.until == 0) {
    return refuse(fmt::format("{}: simulation.duration is missing; give it in the file or by --until SECONDS",
                              arguments.model.file),
                  json, wrong_model);
  }
  if (!(arguments.checkpoint >= 0 && std::isfinite(arguments.checkpoint))) {
    return refuse("--checkpoint must be positive and finite", json, wrong_usage);
  }
  if (const std::string why = obstacle_to_run(model, settings); !why.empty()) {
    const bool usage =
        own_formulation || own_method || arguments.until || arguments.tolerance || arguments.step || arguments.interval;
    const bool model_itself =
        !motion_error(model.system).empty() || !held_at_centre(model.description, model.system).empty();
    return refuse(fmt::format("{}: {}", arguments.model.file, why), json,
                  usage && !model_itself ? wrong_usage : wrong_model);
  }
  const std::string results_path =
      arguments.output.empty()
          ? std::filesystem::path(arguments.model.file).filename().replace_extension(".h5").string()
          : arguments.output;
  if (!arguments.csv.empty() && results::same_file(arguments.csv, arguments.model.file)) {
    return refuse(fmt::format("--csv {}: is the model file, which would be lost", arguments.csv), json, wrong_usage);
  }
  if (!arguments.csv.empty() && results::same_file(arguments.csv, results_path)) {
    return refuse(fmt::format("--csv {}: is the results file too; choose another name", arguments.csv), json,
                  wrong_usage);
  }
  if (const std::string why = plugins_refused(model, arguments.model.file); !why.empty() && !arguments.allow_plugins) {
    return refuse(why, json, wrong_usage);
  }
  try {
    Job job;
    if (arguments.report) {
      job.report_path = report_path(results_path);
      job.page = page_template(arguments.page);
      for (const std::string& other : {arguments.model.file, results_path, arguments.csv}) {
        if (!other.empty() && results::same_file(job.report_path, other)) {
          return refuse(fmt::format("--report: {} would be lost; choose another name by --output", other), json,
                        wrong_usage);
        }
      }
    }
    Simulation simulation(model, settings, open_plugins(model, arguments.model.file));
    job.model_file = arguments.model.file;
    job.results_path = results_path;
    job.quiet = arguments.quiet;
    job.json = json;
    const std::vector<results::Column> columns = columns_of(simulation);
    results::ResultsWriter results(job.results_path, header_of(loaded, arguments, simulation, command_line), columns,
                                   settings.record_count(), statistic_names());
    remove_checkpoint(job.results_path);
    std::optional<results::CsvWriter> csv;
    if (!arguments.csv.empty()) {
      std::vector<std::string> names;
      for (const results::Column& column : columns) names.push_back(column.name);
      csv.emplace(arguments.csv, names);
    }
    return conduct(job, simulation, results, csv ? &*csv : nullptr);
  } catch (const PluginError& error) {
    return refuse(error.what(), json, wrong_usage);
  } catch (const std::runtime_error& error) {  // results or a checkpoint that cannot be written
    return refuse(error.what(), json, wrong_usage);
  }
}

int resume(const ResumeArguments& arguments) {
  const auto bad = [&](const std::string& why) { return refuse(why, arguments.json, wrong_usage); };
  try {
    results::Header header;
    {
      const results::ResultsReader reader(arguments.file);
      if (reader.status() == "finished") return bad(arguments.file + ": is finished; there is nothing to resume");
      header = reader.header();
    }
    const auto more = [&](std::string_view name) -> std::string {
      for (const auto& [key, value] : header.more) {
        if (key == name) return value;
      }
      throw results::ResultsError(
          fmt::format("{}: has no attribute '{}', which a run leaves to be resumed", arguments.file, name));
    };
    const auto number = [&](std::string_view name) {
      const std::string text = more(name);
      char* end = nullptr;
      const double value = std::strtod(text.c_str(), &end);
      if (text.empty() || *end != 0)
        throw results::ResultsError(fmt::format("{}: attribute '{}' is no number", arguments.file, name));
      return value;
    };
    const Loaded loaded = report::stored_model(header);
    if (!loaded.model) {
      print_problems(loaded);
      return wrong_model;
    }
    RunSettings settings(*loaded.model);
    settings.formulation = header.formulation;
    settings.integrator.method = more("run_method");
    settings.integrator.tolerance = number("run_tolerance");
    settings.integrator.step = number("run_step");
    settings.until = number("run_until");
    settings.interval = number("run_interval");
    settings.checkpoint_interval = number("run_checkpoint");
    if (const std::string why = obstacle_to_run(*loaded.model, settings); !why.empty())
      return bad(arguments.file + ": " + why);
    if (const std::string why = plugins_refused(*loaded.model, header.model_file);
        !why.empty() && !arguments.allow_plugins)
      return bad(why);
    const auto read = read_checkpoint(checkpoint_path(arguments.file));
    if (const auto* why = std::get_if<std::string>(&read)) return bad(*why);
    const auto& checkpoint = std::get<CheckpointFile>(read);
    Simulation simulation(*loaded.model, settings, open_plugins(*loaded.model, header.model_file));
    results::ResultsWriter results =
        results::ResultsWriter::reopen(arguments.file, checkpoint.records, checkpoint.events, settings.record_count());
    Job job;
    job.model_file = header.model_file;
    job.results_path = arguments.file;
    job.quiet = arguments.quiet;
    job.json = arguments.json;
    job.checkpoint = &checkpoint;
    return conduct(job, simulation, results, nullptr);
  } catch (const PluginError& error) {
    return bad(error.what());
  } catch (const results::ResultsError& error) {
    return bad(error.what());
  } catch (const std::runtime_error& error) {
    return bad(fmt::format("{}: {}", checkpoint_path(arguments.file), error.what()));
  }
}

}  // namespace gyrostat::app
