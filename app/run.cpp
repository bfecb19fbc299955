#include "run.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/report/page.h"
#include "gyrostat/results/run.h"
#include "gyrostat/results/same_file.h"
#include "gyrostat/results/target.h"

#include "campaign.h"
#include "output.h"
#include "progress.h"
#include "results_text.h"
#include "run_summary.h"
#include "state_file.h"
#include "stop_on_signal.h"

namespace gyrostat::app {

namespace {

/// A report to be written after a run.
struct ReportTarget {
  std::string path, page;  // empty: no report
  bool force = false;
};

void add_report(const ReportTarget& target, RunSummary& summary) {
  if (target.path.empty() || summary.result.left_earlier) return;
  try {
    summary.report = write_report({{summary.result.path}}, target.path, target.page, target.force);
  } catch (const std::runtime_error& error) {
    summary.report_failure = error.what();
  }
}

/// Calls `act` with callbacks that show how far the run has come and that end it on a signal; then tells how it went.
template <class Act>
int conduct(bool quiet, bool json, const ReportTarget& target, const Act& act) {
  std::optional<Progress> progress;
  const results::RunCallbacks callbacks{
      [&](double from, double until) { progress.emplace(from, until, quiet || json); },
      [&](double t) {
        progress->show(t);
        return !StopOnSignal::requested();
      }};
  const auto simulate = [&] {
    const StopOnSignal stop;
    return act(callbacks);
  };
  RunSummary summary{simulate()};
  progress.reset();
  add_report(target, summary);
  if (json) {
    print_json(as_json(summary));
  } else {
    if (!quiet) print(summary);
    print_warnings(summary);
  }
  using Kind = Outcome::Kind;
  const Kind kind = summary.result.outcome.kind;
  if (kind == Kind::finished && !summary.result.csv_failure.empty()) return exit_code::cannot_go_on;
  if (kind == Kind::finished && !summary.report_failure.empty()) return exit_code::wrong_usage;
  return kind == Kind::finished      ? exit_code::done
         : kind == Kind::interrupted ? exit_code::interrupted
                                     : exit_code::cannot_go_on;
}

/// The settings of the model with those of the command line in their place.
RunSettings settings_of(const RunArguments& arguments, const Model& model) {
  RunSettings settings(model);
  if (!arguments.formulation.empty()) settings.formulation = arguments.formulation;
  if (!arguments.integrator.empty()) settings.integrator.method = arguments.integrator;
  if (arguments.tolerance) settings.integrator.tolerance = *arguments.tolerance;
  if (arguments.step) settings.integrator.step = *arguments.step;
  if (arguments.interval) settings.interval = *arguments.interval;
  if (arguments.until) {
    settings.until = *arguments.until;
    if (!arguments.interval && model.description.output.interval == 0) settings.interval = settings.until / 1000;
  }
  settings.checkpoint_interval = arguments.checkpoint.value_or(0);
  return settings;
}

/// Of --linear, about a steady motion near the state that the run begins with, or about a given state.
std::optional<LinearMotionSettings> linear_settings_of(const RunArguments& arguments, const Model& model,
                                                       const std::optional<State>& initial) {
  if (!arguments.linear) return std::nullopt;
  LinearArguments linear = arguments.beside;
  const bool steady = std::ranges::find(steady_motions, arguments.about) != steady_motions.end();
  if (!steady) linear.state = arguments.about;
  LinearMotionSettings settings{linear.state.empty() ? initial_point(model, initial) : untrimmed_point(linear, model),
                                linearize_settings_of(linear), linear.pade};
  if (!steady) return settings;
  linear.steady = arguments.about;
  Trim found = gyrostat::trim(model, settings.about, trim_settings_of(linear));
  if (!found.found()) throw AnalysisError(failure_text(found));
  settings.about = std::move(found.point);
  return settings;
}

/// A flight is what its campaign and its model say.
bool changes_flight(const RunArguments& a) {
  return !a.model.set.empty() || !a.state.empty() || !a.formulation.empty() || !a.integrator.empty() || a.tolerance ||
         a.step || a.until || a.interval || a.checkpoint || a.linear || !a.csv.empty();
}

/// A flight of a campaign with this model.
int fly_sample(const RunArguments& arguments, const std::string& command_line) {
  if (changes_flight(arguments)) {
    return refuse(arguments.model.json,
                  "--sample: a flight is flown as its campaign and the model say; it goes with --output, --report, "
                  "--allow-plugins, --force, --quiet and --json alone");
  }
  CampaignArguments flight;
  flight.file = arguments.campaign;
  flight.model = arguments.model.file;
  flight.output = arguments.output;
  flight.allow_plugins = arguments.allow_plugins;
  flight.replay = arguments.sample;
  flight.report = arguments.report;
  flight.page = arguments.page;
  flight.force = arguments.force;
  flight.quiet = arguments.quiet;
  flight.json = arguments.model.json;
  return fly_again(flight, command_line);
}

/// What is wrong with the command line for these settings, or empty.
std::string usage_error(const RunArguments& arguments, const RunSettings& settings) {
  const std::string& method = settings.integrator.method;
  if (arguments.until && !(*arguments.until > 0 && std::isfinite(*arguments.until))) {
    return fmt::format("--until {}: expected a time after 0, in seconds", *arguments.until);
  }
  if (arguments.checkpoint && !(*arguments.checkpoint > 0 && std::isfinite(*arguments.checkpoint))) {
    return fmt::format("--checkpoint {}: expected the time between checkpoints, in seconds", *arguments.checkpoint);
  }
  if (arguments.checkpoint && arguments.linear) {
    return "--checkpoint: a run with --linear cannot be resumed, for where the linear model is is not saved";
  }
  if (arguments.step && method != "rk4") {
    return fmt::format("--step is for rk4; {} chooses its steps itself, so that their error is within --tolerance",
                       method);
  }
  if (arguments.tolerance && method == "rk4")
    return "--tolerance is not for rk4, whose steps are all of --step seconds";
  return {};
}

}  // namespace

int run(const RunArguments& arguments, const std::string& command_line) {
  const bool json = arguments.model.json;
  if (arguments.sample) return fly_sample(arguments, command_line);
  const Loaded loaded = load(arguments.model);
  if (!json) print_problems(loaded);
  if (!loaded.model) {
    if (json) print_json(problems_as_json(loaded));
    return exit_code::wrong_model;
  }
  const Model& model = *loaded.model;
  RunSettings settings = settings_of(arguments, model);
  if (const std::string error = usage_error(arguments, settings); !error.empty()) return refuse(json, error);
  if (settings.until == 0) {
    return refuse(json,
                  fmt::format("{}: simulation.duration is missing or zero; give it in the file or by --until SECONDS",
                              arguments.model.file),
                  exit_code::wrong_model);
  }
  if (!arguments.state.empty()) {
    std::variant<State, std::string> state = read_state(arguments.state, model);
    if (const auto* error = std::get_if<std::string>(&state))
      return refuse(json, fmt::format("{}: {}", arguments.state, *error));
    settings.initial = std::get<State>(std::move(state));
  }
  if (const std::string error = error_of_run(model, settings); !error.empty()) {
    const bool usage = !arguments.formulation.empty() || !arguments.integrator.empty() || arguments.until ||
                       arguments.tolerance || arguments.step || arguments.interval;
    const bool model_itself = !held_at_centre(model.description, model.system).empty();
    return refuse(json, fmt::format("{}: {}", arguments.model.file, error),
                  usage && !model_itself ? exit_code::wrong_usage : exit_code::wrong_model);
  }
  const std::string results_path =
      arguments.output.empty()
          ? std::filesystem::path(arguments.model.file).filename().replace_extension(".h5").string()
          : arguments.output;
  try {
    ReportTarget target;
    if (arguments.report) {
      target = {report_path(results_path), page_template(arguments.page), arguments.force};
      for (const std::string& other : {arguments.model.file, results_path, arguments.csv}) {
        if (!other.empty() && results::same_file(target.path, other)) {
          return refuse(json, fmt::format("--report: {} would be lost; choose another name by --output", other));
        }
      }
      results::check_target(target.path, results::FileKind::report, arguments.force);
    }
    const results::RunOptions options{arguments.csv,
                                      command_line,
                                      arguments.allow_plugins,
                                      arguments.force,
                                      overrides_of(arguments.model.set),
                                      linear_settings_of(arguments, model, settings.initial)};
    return conduct(arguments.quiet, json, target, [&](const results::RunCallbacks& callbacks) {
      return results::run(loaded, settings, results_path, options, callbacks);
    });
  } catch (const ClosureError& error) {
    return refuse_unsolvable(json, loaded, error);
  } catch (const std::runtime_error& error) {  // RunError, ResultsError, ReportError, AnalysisError, UsageError
    return refuse(json, printable(error.what()));
  }
}

int fly_again(const CampaignArguments& arguments, const std::string& command_line) {
  try {
    FoundCampaign found = find_campaign(arguments.file, arguments.model);
    if (!found.plan) return refuse_campaign(arguments.json, found);
    const std::uint64_t count = found.plan->sampler().count();
    if (*arguments.replay >= count) {
      return refuse(arguments.json, fmt::format("{}: has flights 0 to {}, and no flight {}", arguments.file, count - 1,
                                                *arguments.replay));
    }
    const std::filesystem::path named_by = arguments.model.empty() ? arguments.file : arguments.model;
    const std::string path = arguments.output.empty()
                                 ? fmt::format("{}_{}.h5", named_by.stem().string(), *arguments.replay)
                                 : arguments.output;
    ReportTarget target;
    if (arguments.report) {
      target = {report_path(path), page_template(arguments.page), arguments.force};
      results::check_target(target.path, results::FileKind::report, arguments.force);
    }
    if (arguments.allow_plugins) found.plan->open_plugins();
    results::RunOptions options;
    options.command = command_line;
    options.force = arguments.force;
    return conduct(arguments.quiet, arguments.json, target, [&](const results::RunCallbacks& callbacks) {
      return campaign::replay(*found.plan, *arguments.replay, path, options, callbacks);
    });
  } catch (const std::runtime_error& error) {  // CampaignError, RunError, ResultsError, ReportError
    return refuse(arguments.json, printable(error.what()));
  }
}

int resume(const ResumeArguments& arguments) {
  try {
    const results::ResumeOptions options{nullptr, arguments.allow_plugins, arguments.until};
    return conduct(arguments.quiet, arguments.json, {}, [&](const results::RunCallbacks& callbacks) {
      return results::resume(arguments.file, options, callbacks);
    });
  } catch (const results::StoredModelError& error) {
    if (arguments.json) {
      print_json(problems_as_json(*error.loaded));
    } else {
      print_problems(*error.loaded);
    }
    return exit_code::wrong_model;
  } catch (const std::runtime_error& error) {  // RunError, ResultsError
    return refuse(arguments.json, error.what(), exit_code_of(error));
  }
}

}  // namespace gyrostat::app
