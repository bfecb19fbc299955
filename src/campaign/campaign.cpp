#include "gyrostat/campaign/campaign.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "gyrostat/campaign/lanes.h"
#include "gyrostat/campaign/logbook.h"
#include "gyrostat/dynamics/kernels.h"
#include "gyrostat/format/text_file.h"
#include "gyrostat/results/target.h"
#include "gyrostat/results/version.h"

namespace gyrostat::campaign {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(100);
constexpr auto flush_interval = std::chrono::seconds(1);

const char* const campaign_attribute = "campaign";
const char* const campaign_file_attribute = "campaign_file";
const char* const processor_attribute = "processor";

std::string attribute_of(const results::Header& header, std::string_view name) {
  const auto found = std::ranges::find(header.more, name, [](const auto& pair) { return pair.first; });
  return found == header.more.end() ? std::string() : found->second;
}

results::Header header_of(const ReadCampaign& read, const FlightPlan& plan, const std::string& command) {
  const Loaded& nominal = plan.nominal();
  results::Header header;
  header.index = "flight";
  header.model_name = nominal.model->description.name;
  header.model_file = nominal.source.file();
  header.model_text = plan.model_text();
  header.version = std::string(version());
  header.command = command;
  const RunSettings settings = plan.settings(0);
  header.formulation = settings.formulation;
  header.integrator = settings.integrator.method;
  header.more = {{campaign_attribute, std::string(read.source.text())},
                 {campaign_file_attribute, read.source.file()},
                 {processor_attribute, kernels().processor}};
  return header;
}

std::vector<results::Column> columns_of(const FlightPlan& plan) {
  std::vector<results::Column> columns;
  for (const std::string& name : plan.sampler().columns()) {
    columns.push_back({input_column(name), plan.unit_of_input(name), "drawn for the flight"});
  }
  columns.push_back({outcome_column, "", "0: finished, 1: failed; events say why"});
  columns.push_back({"end_time", "s", "how far the flight came"});
  columns.push_back({"steps", "", "of the integrator"});
  for (const Measure& m : plan.campaign().measures) {
    columns.push_back({measure_column(m.name), plan.unit_of_measure(m),
                       fmt::format("{} of {}", measure_kinds[static_cast<std::size_t>(m.kind)], m.expression)});
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

/// Throws CampaignError where a file is not of this campaign, model and processor.
void check_belongs(const results::ResultsReader& reader, const ReadCampaign& read, const FlightPlan& plan) {
  const results::Header& header = reader.header();
  const auto wrong = [&](const std::string& why) { throw CampaignError(reader.path() + ": " + why); };
  if (!is_campaign(header)) wrong("is not the file of a campaign");
  if (attribute_of(header, campaign_attribute) != read.source.text()) {
    wrong("is of another campaign, or the campaign file was changed since; the rest would not fit");
  }
  if (header.model_text != plan.model_text()) wrong("the model was changed since; the rest would not fit");
  if (const std::string processor = attribute_of(header, processor_attribute); processor != kernels().processor) {
    wrong(
        fmt::format("was begun on a processor of kind {}, and this one is {}: flights would be rounded differently; "
                    "resume it there",
                    processor, kernels().processor));
  }
}

/// Marks the flights of a file as ended. Where another file has them already, it is not to be used: false.
bool note_ended(const results::ResultsReader& reader, std::vector<std::uint8_t>& ended) {
  for (const double flight : reader.time()) {
    if (!(flight >= 0 && flight < static_cast<double>(ended.size()))) {
      throw CampaignError(reader.path() + ": is damaged");
    }
    if (ended[static_cast<std::size_t>(flight)] != 0) return false;
  }
  for (const double flight : reader.time()) ended[static_cast<std::size_t>(flight)] = 1;
  return true;
}

/// What was flown before.
struct Earlier {
  std::uint64_t records = 0, failed = 0;
};

/// Takes over the parts of other processes into the file of the first, and removes them.
void take_over(const std::string& path, Logbook& log, std::vector<std::uint8_t>& ended, const ReadCampaign& read,
               const FlightPlan& plan, Earlier& sum) {
  for (const std::string& part : existing_parts(path)) {
    {
      const results::ResultsReader reader(part);
      check_belongs(reader, read, plan);
      if (note_ended(reader, ended)) {
        log.absorb(reader);
        sum.records += reader.records();
        sum.failed += reader.events().size();
      }
    }
    if (!log.flush()) throw CampaignError(log.failure());
    std::filesystem::remove(part);
  }
}

/// The first process: the file as it was left, with the parts of earlier sessions; or a new one.
std::unique_ptr<Logbook> open_whole(const std::string& path, const ReadCampaign& read, const FlightPlan& plan,
                                    const CampaignOptions& options, std::vector<std::uint8_t>& ended, Ranks& ranks,
                                    Earlier& earlier) {
  std::error_code error;
  if (!options.resume || !std::filesystem::exists(path, error)) {
    for (const std::string& part : existing_parts(path)) results::check_target(part, results::FileKind::results);
    auto log = std::make_unique<Logbook>(results::ResultsWriter(path, header_of(read, plan, options.command),
                                                                columns_of(plan), ended.size(), {}, options.force),
                                         ended, ranks);
    for (const std::string& part : existing_parts(path)) std::filesystem::remove(part);
    return log;
  }
  {
    const results::ResultsReader reader(path);
    check_belongs(reader, read, plan);
    if (reader.status() == "finished") throw CampaignError(path + ": is finished; there is nothing to resume");
    if (!note_ended(reader, ended)) throw CampaignError(path + ": is damaged");
    earlier = {reader.records(), reader.events().size()};
  }
  auto log = std::make_unique<Logbook>(
      results::ResultsWriter::reopen(path, earlier.records, earlier.failed, ended.size()), ended, ranks);
  take_over(path, *log, ended, read, plan, earlier);
  return log;
}

/// Flies until nothing is left to take, or it is to stop.
void fly_on_threads(const FlightPlan& plan, Logbook& log, unsigned threads, const CampaignOptions& options,
                    const Progress& before, Progress& progress) {
  std::atomic<bool> stop = false;
  std::atomic<unsigned> busy = threads;
  const auto begin = Clock::now();
  const auto look = [&] {
    progress = before;
    log.add_to(progress);
    progress.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  };
  std::vector<std::jthread> workers;
  for (unsigned k = 0; k < threads; ++k) {
    workers.emplace_back([&] {
      fly_all(
          plan, [&] { return log.next(); }, [&](FlightResult&& result) { log.add(result); }, stop);
      --busy;
    });
  }
  auto flushed = begin;
  while (busy > 0) {
    std::this_thread::sleep_for(between_looks);
    look();
    if (options.go_on && !options.go_on(progress)) stop = true;
    if (Clock::now() - flushed < flush_interval) continue;
    if (!log.flush()) stop = true;
    flushed = Clock::now();
  }
  workers.clear();
  look();
}

}  // namespace

std::string input_column(const std::string& parameter) { return "inputs/" + parameter; }
std::string measure_column(const std::string& measure) { return "measures/" + measure; }

bool is_campaign(const results::Header& header) { return header.index == "flight"; }

ReadCampaign stored_campaign(const results::ResultsReader& reader) {
  if (!is_campaign(reader.header())) throw CampaignError(reader.path() + ": is not the file of a campaign");
  return read_campaign_text(attribute_of(reader.header(), campaign_file_attribute),
                            attribute_of(reader.header(), campaign_attribute));
}

InvalidModel::InvalidModel(Loaded invalid)
    : CampaignError(invalid.source.file() + ": is not valid"),
      loaded(std::make_shared<const Loaded>(std::move(invalid))) {}

namespace {

std::optional<FlightPlan> plan_of(ReadCampaign& read, const std::string& path, std::string text) {
  ModelText model(path, std::move(text));
  if (Loaded nominal = model.load(); !nominal.model) throw InvalidModel(std::move(nominal));
  check_against(*read.campaign, model.as_read(), read.problems);
  if (read.campaign->record) {
    read.problems.error("record", "histories of flights are not kept; fly those of interest again: --replay");
  }
  find_places(read.source, read.problems);
  if (read.problems.errors() > 0) return std::nullopt;
  try {
    return FlightPlan(*read.campaign, std::move(model));
  } catch (const std::invalid_argument& error) {
    throw CampaignError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

std::optional<FlightPlan> make_plan(ReadCampaign& read) {
  const std::string path = model_path(*read.campaign, read.source.file());
  std::string why;
  std::optional<std::string> text = text_of_file(path, why);
  if (!text) throw CampaignError(fmt::format("{}: {}", path, why));
  return plan_of(read, path, std::move(*text));
}

std::optional<FlightPlan> stored_plan(const results::ResultsReader& reader, ReadCampaign& read) {
  return plan_of(read, reader.header().model_file, reader.header().model_text);
}

CampaignOutcome fly_campaign(const ReadCampaign& read, const FlightPlan& plan, const std::string& path,
                             const CampaignOptions& options) {
  Ranks ranks;
  const bool first = ranks.rank() == 0;
  const std::string target = results::without_link(path), own = part_path(target, ranks.rank());
  std::vector<std::uint8_t> ended(plan.sampler().count());
  Earlier earlier;
  std::unique_ptr<Logbook> log;
  std::optional<results::OutputLock> lock;
  std::vector<std::uint8_t> refusal;
  if (first) {
    try {
      lock.emplace(target);
      log = open_whole(target, read, plan, options, ended, ranks, earlier);
    } catch (const std::runtime_error& error) {
      const std::string why = error.what();
      refusal.assign(why.begin(), why.end());
    }
  }
  ranks.share(refusal);
  if (!refusal.empty()) throw CampaignError(std::string(refusal.begin(), refusal.end()));
  ranks.share(ended);
  if (!first) {
    log = std::make_unique<Logbook>(
        results::ResultsWriter(own, header_of(read, plan, options.command), columns_of(plan), ended.size()), ended,
        ranks);
  }
  const unsigned threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());

  Progress before;
  before.flights = ended.size();
  before.ended = before.ended_before = earlier.records;
  before.failed = earlier.failed;
  CampaignOutcome outcome;
  fly_on_threads(plan, *log, threads, options, before, outcome.progress);
  if (!first) log->end(false);
  ranks.wait_for_all();
  if (first) {
    Earlier others;
    try {
      take_over(target, *log, ended, read, plan, others);
    } catch (const std::runtime_error& error) {  // CampaignError, ResultsError
      outcome.failure = error.what();
    }
    outcome.progress.ended += others.records;
    outcome.progress.failed += others.failed;
    const bool complete = outcome.progress.ended == outcome.progress.flights;
    log->end(complete && outcome.failure.empty() && log->failure().empty());
    outcome.finished = complete;
  }
  if (outcome.failure.empty()) outcome.failure = log->failure();
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
  options.attributes.emplace_back("flight", fmt::format("{}", flight));
  return results::run(loaded, settings, path, options, callbacks);
}

}  // namespace gyrostat::campaign
