#include "campaign.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "campaign_text.h"
#include "output.h"
#include "progress.h"
#include "results_text.h"
#include "stop_on_signal.h"

namespace gyrostat::app {

namespace {

/// As those of models are printed.
Loaded problems_of(const campaign::ReadCampaign& read) { return {read.source, read.problems, {}}; }

bool is_results(const std::string& file) { return std::filesystem::path(file).extension() == ".h5"; }

}  // namespace

FoundCampaign find_campaign(const std::string& file) {
  FoundCampaign found;
  try {
    if (is_results(file)) {
      const results::ResultsReader reader(file);
      found.read = campaign::stored_campaign(reader);
      if (found.read.campaign) found.plan = campaign::stored_plan(reader, found.read);
    } else {
      found.read = campaign::read_campaign(file);
      if (found.read.campaign) found.plan = campaign::make_plan(found.read);
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

int fly(const CampaignArguments& arguments, const std::string& command_line) {
  try {
    FoundCampaign found = find_campaign(arguments.file);
    if (!found.plan) return refuse_campaign(arguments.json, found);
    if (!arguments.json) print_problems(problems_of(found.read));
    const campaign::FlightPlan& plan = *found.plan;
    const std::string path = arguments.output.empty()
                                 ? std::filesystem::path(arguments.file).filename().replace_extension(".h5").string()
                                 : arguments.output;
    const bool silent = arguments.quiet || arguments.json;
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
      outcome = campaign::fly_campaign(found.read, plan, path, options);
    }
    if (!outcome.first_process) return outcome.finished ? exit_code::done : exit_code::interrupted;
    if (!arguments.json && !arguments.quiet) fmt::print("{}\n", outcome_text(outcome, path, arguments.file));
    if (!outcome.failure.empty()) return refuse(arguments.json, printable(outcome.failure), exit_code::cannot_go_on);
    if (!arguments.quiet || arguments.json) show_campaign(results::ResultsReader(path), arguments.json);
    return outcome.finished ? exit_code::done : exit_code::interrupted;
  } catch (const std::runtime_error& error) {  // CampaignError, ResultsError
    return refuse(arguments.json, printable(error.what()), exit_code_of(error));
  }
}

int show_campaign(const results::ResultsReader& reader, bool json) {
  const campaign::ReadCampaign read = campaign::stored_campaign(reader);
  if (!read.campaign) return refuse_campaign(json, {read, {}, {}});
  const campaign::Answers answers =
      campaign::answers_of(reader, *read.campaign, campaign::Sampler(*read.campaign).count());
  if (json) {
    print_json(as_json(answers));
  } else {
    fmt::print("{}", text_of(answers));
  }
  return exit_code::done;
}

}  // namespace gyrostat::app
