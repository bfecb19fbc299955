#include "gyrostat/campaign/campaign.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "gyrostat/campaign/computed.h"
#include "gyrostat/campaign/histories.h"
#include "gyrostat/campaign/lanes.h"
#include "gyrostat/campaign/logbook.h"
#include "gyrostat/campaign/origin.h"
#include "gyrostat/format/text_file.h"
#include "gyrostat/results/target.h"

namespace gyrostat::campaign {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(100);
constexpr auto between_helps = std::chrono::milliseconds(1);
/// How long flights may be in memory only [s]: a tenth of what the session has lasted, within these bounds.
constexpr double shortest_flush_interval = 0.1, longest_flush_interval = 1;
/// A process of an earlier session that was killed has its file until it has ended, for which mpirun does not wait.
constexpr auto until_killed_ones_have_ended = std::chrono::seconds(5);

std::vector<results::Column> columns_of(const FlightPlan& plan) {
  std::vector<results::Column> columns;
  for (const std::string& name : plan.sampler().columns()) {
    columns.push_back({input_column(name), plan.unit_of_input(name), "drawn for the flight"});
  }
  columns.push_back({outcome_column, "", "0: finished, 1: failed; events say why"});
  columns.push_back({"end_time", "s", "how far the flight came"});
  columns.push_back({"steps", "", "of the integrator"});
  for (const Measure& m : plan.campaign().measures) {
    const std::string_view kind = m.computed ? "computed:" : measure_kinds[static_cast<std::size_t>(m.kind)];
    columns.push_back({measure_column(m.name), plan.unit_of_measure(m),
                       fmt::format("{}{} {}", kind, m.computed ? "" : " of", m.expression)});
  }
  return columns;
}

/// "out.rank3.h5": where the processes other than the first write, until the first has taken it over.
std::string part_path(const std::string& path, int rank) {
  return rank == 0 ? path : std::filesystem::path(path).replace_extension(fmt::format(".rank{}.h5", rank)).string();
}

/// Those that exist: of an earlier session that was killed, or of this one.
std::vector<std::string> existing_parts(const std::string& path) {
  std::vector<std::string> parts;
  const std::filesystem::path whole(path);
  const std::string begin = whole.stem().string() + ".rank";
  const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : std::filesystem::path(".");
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(".h5")) continue;
    const std::string number = name.substr(begin.size(), name.size() - begin.size() - 3);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) continue;
    parts.push_back((whole.parent_path() / name).string());
  }
  std::ranges::sort(parts);
  return parts;
}

/// Before a new campaign removes it: throws CampaignError where a file with the name of a part is none of an earlier
/// attempt at the same campaign.
void check_part(const std::string& part, const std::string& path, const ReadCampaign& read, const FlightPlan& plan) {
  std::error_code error;
  if (std::filesystem::file_size(part, error) == 0 && !error) return;
  std::string why;
  try {
    const results::ResultsReader reader(part);
    check_same_campaign(reader, read, plan);
    if (reader.status() == "finished") why = part + ": has a whole campaign";
  } catch (const std::runtime_error& not_ours) {  // CampaignError, ResultsError
    why = not_ours.what();
  }
  if (why.empty()) return;
  throw CampaignError(
      fmt::format("{} (it has the name of a part of {}, which would be removed; move it away, choose "
                  "another name, or say --force)",
                  why, path));
}

/// Throws CampaignError where the numbers of flights are not those of the campaign, each once.
void check_flights(const results::ResultsReader& reader, std::size_t flights) {
  std::vector<std::uint8_t> seen(flights);
  for (const double flight : reader.time()) {
    const bool known = flight >= 0 && flight < static_cast<double>(flights) && flight == std::floor(flight);
    if (!known || seen[static_cast<std::size_t>(flight)]++ != 0) throw CampaignError(reader.path() + ": is damaged");
  }
}

/// Takes over the parts of other processes into the file of the first, and removes them. Adds to `sum` what came.
void take_over(const std::string& path, Logbook& log, std::vector<std::uint8_t>& ended, const ReadCampaign& read,
               const FlightPlan& plan, Progress& sum) {
  for (const std::string& part : existing_parts(path)) {
    const results::OutputLock lock(part, until_killed_ones_have_ended);
    {
      const results::ResultsReader reader(part);
      check_same_campaign(reader, read, plan);
      check_same_processor(reader);
      check_flights(reader, ended.size());
      const Progress more = log.absorb(reader, ended);
      sum.ended += more.ended;
      sum.failed += more.failed;
    }
    if (!log.flush()) throw CampaignError(log.failure());
    std::filesystem::remove(part);
  }
}

/// The first process: the file as it was left, with the parts of earlier sessions; or a new one.
std::unique_ptr<Logbook> open_whole(const std::string& path, const ReadCampaign& read, const FlightPlan& plan,
                                    const CampaignOptions& options, std::vector<std::uint8_t>& ended, Ranks& ranks,
                                    Progress& earlier) {
  std::error_code error;
  if (!options.resume || !std::filesystem::exists(path, error)) {
    for (const std::string& part : existing_parts(path)) {
      const results::OutputLock lock(part);
      results::check_target(part, results::FileKind::results, options.force);
      if (!options.force) check_part(part, path, read, plan);
    }
    auto log = std::make_unique<Logbook>(results::ResultsWriter(path, header_of(read, plan, options.command),
                                                                columns_of(plan), ended.size(), {}, options.force),
                                         ended, ranks);
    for (const std::string& part : existing_parts(path)) std::filesystem::remove(part);
    return log;
  }
  {
    const results::ResultsReader reader(path);
    check_same_campaign(reader, read, plan);
    check_same_processor(reader);
    if (reader.status() == "finished") throw CampaignError(path + ": is finished; there is nothing to resume");
    check_flights(reader, ended.size());
    for (const double flight : reader.time()) ended[static_cast<std::size_t>(flight)] = 1;
    // Events of flights that are not among the records were written by a process that was killed just then.
    const auto recorded = [&](const results::Event& event) {
      return event.t >= 0 && event.t < static_cast<double>(ended.size()) &&
             ended[static_cast<std::size_t>(event.t)] != 0;
    };
    const auto& events = reader.events();
    earlier.ended = reader.records();
    earlier.failed = static_cast<std::uint64_t>(std::ranges::find_if_not(events, recorded) - events.begin());
  }
  auto log = std::make_unique<Logbook>(
      results::ResultsWriter::reopen(path, earlier.ended, earlier.failed, ended.size()), ended, ranks);
  take_over(path, *log, ended, read, plan, earlier);
  return log;
}

/// Flies until nothing is left to take, or it is to stop. Returns how long that took [s].
double fly_on_threads(const FlightPlan& plan, Logbook& log, unsigned threads, bool with_others,
                      const CampaignOptions& options, const Progress& before) {
  std::atomic<bool> stop = false;
  std::atomic<unsigned> busy = threads;
  const auto begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  const auto add = [&](const FlightResult& result) { log.add(result); };
  std::optional<ComputedFlights> computed;
  if (plan.campaign().has_computed()) computed.emplace(plan.campaign(), options.compute, threads);
  std::vector<std::jthread> workers;
  const StopAtEnd stop_at_end{stop};
  for (unsigned k = 0; k < threads; ++k) {
    workers.emplace_back([&] {
      const NextFlight next = [&] { return log.next(); };
      if (computed) {
        computed->fly(plan, next, stop);
      } else {
        fly_all(plan, next, add, stop);
      }
      --busy;
    });
  }
  auto looked = begin;
  double flushed = 0;
  while (busy > 0 || (computed && computed->waiting() && !stop)) {
    const auto pause = with_others ? between_helps : between_looks;
    if (!computed || stop) {
      std::this_thread::sleep_for(pause);
    } else if (!computed->hand_on(pause, add)) {
      stop = true;
    }
    if (with_others) log.help_others();
    if (Clock::now() - looked < between_looks) continue;
    looked = Clock::now();
    Progress progress = before;
    log.add_to(progress);
    progress.seconds = seconds();
    if (options.go_on && !options.go_on(progress)) stop = true;
    if (seconds() - flushed < std::clamp(seconds() / 10, shortest_flush_interval, longest_flush_interval)) continue;
    if (!log.flush()) stop = true;
    flushed = seconds();
  }
  workers.clear();
  return seconds();
}

/// When all flights have ended. False: it was ended before all were recorded, or failed.
bool record_histories(const ReadCampaign& read, const FlightPlan& plan, const std::string& path, unsigned threads,
                      const CampaignOptions& options, std::unique_ptr<RecordedHistories>& histories,
                      CampaignOutcome& outcome) {
  const auto begin = Clock::now();
  Progress& progress = outcome.progress;
  try {
    histories = std::make_unique<RecordedHistories>(plan, read.source.text(), path, !options.resume);
    progress.histories = histories->flights();
    const bool all = histories->record(threads, [&](std::uint64_t recorded) {
      Progress now = progress;
      now.recorded = recorded;
      now.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
      return !options.go_on || options.go_on(now);
    });
    progress.recorded = histories->recorded();
    return all;
  } catch (const results::ResultsError& error) {
    outcome.failure = error.what();
    return false;
  }
}

}  // namespace

std::string input_column(const std::string& parameter) { return "inputs/" + parameter; }
std::string measure_column(const std::string& measure) { return "measures/" + measure; }

InvalidModel::InvalidModel(Loaded invalid)
    : CampaignError(invalid.source.file() + ": is not valid"),
      loaded(std::make_shared<const Loaded>(std::move(invalid))) {}

namespace {

/// Throws CampaignError where measures are to be computed and nobody does it.
void check_computes(const CampaignDescription& campaign, const CampaignOptions& options) {
  const auto found = std::ranges::find(campaign.measures, true, &Measure::computed);
  if (found == campaign.measures.end() || options.compute) return;
  throw CampaignError(
      fmt::format("measure.{} is computed by a program of yours ({}); fly the campaign from it: in Python, "
                  "Campaign.load with measures",
                  found->name, found->expression));
}

std::optional<FlightPlan> plan_of(ReadCampaign& read, const std::string& path, std::string text) {
  ModelText model(path, std::move(text));
  if (Loaded nominal = model.load(); !nominal.model) throw InvalidModel(std::move(nominal));
  check_against(*read.campaign, model, read.problems);
  find_places(read.source, read.problems);
  if (read.problems.errors() > 0) return std::nullopt;
  try {
    FlightPlan plan(*read.campaign, std::move(model));
    if (const std::string why = read.campaign->record ? error_of_histories(plan) : ""; !why.empty()) {
      read.problems.error("record", why);
      find_places(read.source, read.problems);
      return std::nullopt;
    }
    return plan;
  } catch (const std::invalid_argument& error) {
    throw CampaignError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

std::optional<FlightPlan> make_plan(ReadCampaign& read) {
  const std::string path = model_path(*read.campaign, read.source.file());
  std::string why;
  std::optional<std::string> text = text_of_file(path, why);
  if (!text) {
    read.problems.error("model", fmt::format("{}: {}; a model is named as seen from its campaign file", path, why));
    find_places(read.source, read.problems);
    return std::nullopt;
  }
  return plan_of(read, path, std::move(*text));
}

std::optional<FlightPlan> make_plan(ReadCampaign& read, const std::string& model_file, std::string model_text) {
  return plan_of(read, model_file, std::move(model_text));
}

std::optional<FlightPlan> stored_plan(const results::ResultsReader& reader, ReadCampaign& read) {
  std::optional<FlightPlan> plan = plan_of(read, reader.header().model_file, reader.header().model_text);
  if (plan) check_same_data(reader, *plan);
  return plan;
}

CampaignOutcome fly_campaign(const ReadCampaign& read, const FlightPlan& plan, const std::string& path,
                             const CampaignOptions& options) {
  check_computes(plan.campaign(), options);
  plan.check_plugins();
  Ranks ranks;
  const bool first = ranks.rank() == 0;
  const std::string target = results::without_link(path), own = part_path(target, ranks.rank());
  std::vector<std::uint8_t> ended(plan.sampler().count());
  std::unique_ptr<Logbook> log;
  std::optional<results::OutputLock> lock;
  const auto patience = options.resume ? until_killed_ones_have_ended : std::chrono::seconds(0);
  Progress progress;
  CampaignOutcome outcome;
  std::vector<std::uint8_t> refusal;
  if (first) {
    try {
      lock.emplace(target, patience);
      log = open_whole(target, read, plan, options, ended, ranks, progress);
    } catch (const std::runtime_error& error) {
      const std::string why = error.what();
      refusal.assign(why.begin(), why.end());
    }
  }
  ranks.share(refusal);
  if (!refusal.empty()) {
    ranks.leave();
    throw CampaignError(std::string(refusal.begin(), refusal.end()));
  }
  ranks.share(ended);
  if (!first) {
    try {
      lock.emplace(own, patience);
      log = std::make_unique<Logbook>(
          results::ResultsWriter(own, header_of(read, plan, options.command), columns_of(plan), ended.size()), ended,
          ranks);
    } catch (const std::runtime_error& error) {  // the others go on without it
      outcome.failure = error.what();
    }
  }
  const unsigned threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());

  progress.flights = ended.size();
  progress.ended_before = progress.ended;
  if (log) progress.seconds = fly_on_threads(plan, *log, threads, ranks.size() > 1, options, progress);
  if (!first) {
    outcome.progress = progress;
    if (log) {
      log->end(false);
      outcome.failure = log->failure();
    }
    log.reset();
    lock.reset();
  }
  ranks.wait_for_all();
  if (first) {
    const Ranks::Report flown = log->flown();
    progress.ended += flown.ended;
    progress.failed += flown.failed;
    try {
      take_over(target, *log, ended, read, plan, progress);
    } catch (const std::runtime_error& error) {  // CampaignError, ResultsError
      outcome.failure = error.what();
    }
    outcome.progress = progress;
    const bool complete = progress.ended == progress.flights;
    std::unique_ptr<RecordedHistories> histories;
    bool recorded = !read.campaign->record;
    if (complete && !recorded && outcome.failure.empty() && log->flush()) {
      recorded = record_histories(read, plan, target, threads, options, histories, outcome);
    }
    const bool whole = complete && recorded && outcome.failure.empty() && log->failure().empty();
    const results::Histories written = whole && histories ? histories->written() : results::Histories{};
    log->end(whole, whole && histories ? &written : nullptr);
    if (whole && histories && log->failure().empty()) histories->remove();
    if (outcome.failure.empty()) outcome.failure = log->failure();
    outcome.finished = whole && outcome.failure.empty();
  }
  outcome.first_process = first;
  outcome.finished = ranks.sum(outcome.finished ? 1 : 0) > 0 && outcome.failure.empty();
  return outcome;
}

results::RunResult replay(const FlightPlan& plan, std::uint64_t flight, const std::string& path,
                          results::RunOptions options, const results::RunCallbacks& callbacks) {
  const Loaded loaded = plan.load(flight);
  if (!loaded.model) {
    throw CampaignError(fmt::format("flight {}: the model is not valid with its parameters", flight));
  }
  RunSettings settings = plan.settings(flight);
  settings.keeps_ledger = settings.records = true;
  settings.interval = settings.watch_interval;
  options.overrides = plan.overrides(flight);
  options.allow_plugins = plan.runs_plugins();
  options.attributes.emplace_back("flight", fmt::format("{}", flight));
  return results::run(loaded, settings, path, options, callbacks);
}

}  // namespace gyrostat::campaign
