#include "campaign.h"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/campaign/ranks.h"
#include "gyrostat/format/text_file.h"
#include "gyrostat/report/page.h"
#include "gyrostat/results/same_file.h"
#include "gyrostat/results/target.h"

#include "campaign_text.h"
#include "job_script.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "results_text.h"
#include "stop_on_signal.h"

namespace gyrostat::app {

namespace {

/// As those of models are printed.
Loaded problems_of(const campaign::ReadCampaign& read) { return {read.source, read.problems, {}}; }

bool is_results(const std::string& file) { return std::filesystem::path(file).extension() == ".h5"; }

/// Of processes that were started together only the first prints.
bool speaks() { return campaign::process_number() == 0; }

/// Instead of its own, which may be gone or be another version.
std::optional<campaign::FlightPlan> plan_with_model(campaign::ReadCampaign& read, const std::string& model) {
  std::string why;
  std::optional<std::string> text = text_of_file(model, why);
  if (!text) throw campaign::CampaignError(fmt::format("{}: {}", model, why));
  return campaign::make_plan(read, model, std::move(*text));
}

int print_slurm_script(const CampaignArguments& arguments, const std::string& path, std::uint64_t flights) {
  if (!campaign::has_mpi()) {
    return refuse(arguments.json, "this program was built without MPI, by which the processes of a job know each other",
                  exit_code::wrong_usage);
  }
  fmt::print("{}", slurm_script(arguments, path, flights));
  return exit_code::done;
}

}  // namespace

FoundCampaign find_campaign(const std::string& file, const std::string& model) {
  FoundCampaign found;
  try {
    if (is_results(file)) {
      const results::ResultsReader reader(file);
      found.read = campaign::stored_campaign(reader);
      if (!found.read.campaign) return found;
      found.plan = model.empty() ? campaign::stored_plan(reader, found.read) : plan_with_model(found.read, model);
    } else {
      found.read = campaign::read_campaign(file);
      if (!found.read.campaign) return found;
      found.plan = model.empty() ? campaign::make_plan(found.read) : plan_with_model(found.read, model);
    }
  } catch (const campaign::InvalidModel& error) {
    found.model = error.loaded;
  }
  return found;
}

int refuse_campaign(bool json, const FoundCampaign& found) {
  if (found.model) return refuse_model(json, *found.model);
  return refuse_model(json, problems_of(found.read));
}

namespace {

/// A campaign that can be flown; or why it cannot.
struct Ready {
  FoundCampaign found;
  std::string path, page;      // of the results; a template of the report
  int code = exit_code::done;  // or with which the program ends
  std::string why;             // empty: the campaign or its model is wrong
};

void make_ready(const CampaignArguments& arguments, Ready& ready) {
  ready.found = find_campaign(arguments.file);
  if (!ready.found.plan) {
    ready.code = exit_code::wrong_model;
    return;
  }
  const auto refuse_for = [&](std::string why) {
    ready.code = exit_code::wrong_usage;
    ready.why = std::move(why);
  };
  if (is_results(arguments.file) && !arguments.resume && arguments.slurm == 0) {
    return refuse_for(
        fmt::format("{}: these are results; --resume goes on with a campaign that was interrupted, and "
                    "--replay K flies one of its flights again",
                    printable(arguments.file)));
  }
  ready.path = arguments.output.empty()
                   ? std::filesystem::path(arguments.file).filename().replace_extension(".h5").string()
                   : arguments.output;
  if (arguments.slurm > 0) return;
  if (arguments.report) {
    const std::string report = report_path(ready.path);
    ready.page = page_template(arguments.page);
    for (const std::string& other : {arguments.file, ready.path}) {
      if (!results::same_file(report, other)) continue;
      return refuse_for(fmt::format("--report: {} would be lost; choose another name by --output", printable(other)));
    }
    results::check_target(report, results::FileKind::report, arguments.force);
  }
  if (arguments.allow_plugins) ready.found.plan->open_plugins();
  ready.found.plan->check_plugins();
}

Ready ready_campaign(const CampaignArguments& arguments) {
  Ready ready;
  try {
    make_ready(arguments, ready);
  } catch (const std::runtime_error& error) {  // CampaignError, ResultsError, ReportError
    ready.code = exit_code_of(error);
    ready.why = printable(error.what());
  }
  return ready;
}

/// Among processes that were started together: can all fly? Else those say why not that cannot; the first alone if it
/// is among them. Returns the exit code.
int agree(campaign::Ranks& ranks, const Ready& ready, bool json) {
  const bool able = ready.code == exit_code::done;
  if (ranks.sum(able ? 0 : 1) == 0) return exit_code::done;
  const bool first_is_able = ranks.sum(ranks.rank() == 0 && !able ? 1 : 0) == 0;
  if (able) return exit_code::cannot_go_on;
  if (ranks.rank() == 0 || first_is_able) {
    return ready.why.empty() ? refuse_campaign(json, ready.found) : refuse(json, ready.why, ready.code);
  }
  return ready.code;
}

int fly_ready(const CampaignArguments& arguments, const std::string& command_line, Ready& ready) {
  const campaign::FlightPlan& plan = *ready.found.plan;
  const std::string& path = ready.path;
  try {
    const bool silent = arguments.quiet || arguments.json || !speaks();
    if (!silent && !plan.alone_because().empty()) {
      fmt::print("flights are flown one by one, not in packs: {}\n", plan.alone_because());
    }
    campaign::CampaignOutcome outcome;
    {
      const StopOnSignal stop;
      FlightProgress progress(silent);
      campaign::CampaignOptions options{arguments.threads, arguments.resume, arguments.force, command_line, {}};
      options.go_on = [&](const campaign::Progress& now) {
        progress.show(now);
        return !StopOnSignal::requested();
      };
      outcome = campaign::fly_campaign(ready.found.read, plan, path, options);
    }
    if (!arguments.json && !arguments.quiet && outcome.first_process) {
      fmt::print("{}\n", outcome_text(outcome, path, arguments.file));
    }
    if (!outcome.failure.empty()) {
      return refuse(arguments.json && outcome.first_process, printable(outcome.failure), exit_code::cannot_go_on);
    }
    if (!outcome.first_process) return outcome.finished ? exit_code::done : exit_code::interrupted;
    std::optional<WrittenReport> report;
    if (arguments.report) report = write_report({{path}}, report_path(path), ready.page, arguments.force);
    if (!arguments.quiet || arguments.json) {
      const JustFlown flown{report ? report->path : std::string()};
      show_campaign(results::ResultsReader(path), arguments.json, &flown);
    }
    if (report && !silent) fmt::print("\n{}\n", report->line);
    return outcome.finished ? exit_code::done : exit_code::interrupted;
  } catch (const std::runtime_error& error) {  // CampaignError, ResultsError, ReportError
    if (!speaks()) return exit_code_of(error);
    return refuse(arguments.json, printable(error.what()), exit_code_of(error));
  }
}

}  // namespace

int fly(const CampaignArguments& arguments, const std::string& command_line) {
  Ready ready = ready_campaign(arguments);
  if (ready.found.plan && !arguments.json && speaks()) print_problems(problems_of(ready.found.read));
  if (arguments.slurm > 0 && ready.code == exit_code::done) {
    return print_slurm_script(arguments, ready.path, ready.found.plan->sampler().count());
  }
  try {
    campaign::Ranks ranks;
    int code = agree(ranks, ready, arguments.json);
    if (code == exit_code::done) code = fly_ready(arguments, command_line, ready);
    // mpirun ends all as soon as one has ended with another code than 0: not before the first has said what there is.
    std::fflush(nullptr);
    ranks.wait_for_all();
    return code;
  } catch (const std::runtime_error& error) {  // several processes, without MPI
    return refuse(arguments.json, printable(error.what()), exit_code_of(error));
  }
}

int check_campaign(const std::string& file, bool json) {
  try {
    const FoundCampaign found = find_campaign(file);
    if (!found.plan) return refuse_campaign(json, found);
    const std::uint64_t flights = found.plan->sampler().count();
    if (json) {
      Json answer = problems_as_json(problems_of(found.read));
      answer["ok"] = true;
      answer["flights"] = flights;
      print_json(answer);
    } else {
      print_problems(problems_of(found.read));
      fmt::print("{}: ok, {} flight{}\n", printable(file), grouped(flights), flights == 1 ? "" : "s");
    }
    return exit_code::done;
  } catch (const std::runtime_error& error) {  // CampaignError, ResultsError
    return refuse(json, printable(error.what()), exit_code_of(error));
  }
}

int show_campaign(const results::ResultsReader& reader, bool json, const JustFlown* flown) {
  const campaign::ReadCampaign read = campaign::stored_campaign(reader);
  if (!read.campaign) return refuse_campaign(json, {read, {}, {}});
  campaign::Answers answers = campaign::answers_of(reader, *read.campaign);
  const results::StoredHistories histories(reader.path(), reader.header().index);
  if (json) {
    Json all = as_json(answers);
    if (!histories.records().empty()) all["histories"] = as_json(histories);
    if (flown != nullptr && !flown->report.empty()) all["report"] = flown->report;
    print_json(all);
  } else {
    if (flown != nullptr) answers.not_packed.clear();
    fmt::print("{}", text_of(answers));
    if (!histories.records().empty()) fmt::print("\n{}\n", text_of(histories));
  }
  return exit_code::done;
}

}  // namespace gyrostat::app
