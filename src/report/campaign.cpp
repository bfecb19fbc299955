#include "gyrostat/report/campaign.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "gyrostat/campaign/bands.h"
#include "gyrostat/campaign/campaign.h"
#include "gyrostat/campaign/histories.h"
#include "gyrostat/campaign/sampler.h"
#include "gyrostat/results/histories.h"

namespace gyrostat::report {

namespace {

constexpr std::size_t most_flights = 50'000;          // whose numbers are in the page
constexpr std::size_t most_lines = 300;               // histories that are drawn one by one
constexpr std::size_t most_line_numbers = 4'000'000;  // of these, in all
constexpr std::size_t least_lines = 20;

/// For a shell, as it is where that needs no quotes.
std::string for_shell(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:@%,=";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Records in the order of their flights; of very many the first, and those that are worst.
std::vector<std::size_t> shown_records(const results::ResultsReader& results, const campaign::Answers& answers) {
  std::vector<std::size_t> order(results.records());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return results.time()[k]; });
  if (order.size() <= most_flights) return order;
  std::set<double> worst;
  for (const campaign::MeasureAnswer& measure : answers.measures) {
    for (const std::uint64_t flight : measure.worst) worst.insert(static_cast<double>(flight));
  }
  const auto behind = order.begin() + most_flights;
  const auto end =
      std::remove_if(behind, order.end(), [&](std::size_t k) { return !worst.contains(results.time()[k]); });
  order.erase(end, order.end());
  return order;
}

std::vector<double> of_records(const std::vector<double>& values, const std::vector<std::size_t>& records) {
  std::vector<double> list;
  list.reserve(records.size());
  for (const std::size_t k : records) list.push_back(values[k]);
  return list;
}

/// Which of the rows of histories are drawn one by one: those of the worst flights, and as many of the first as there
/// is room for.
std::vector<std::size_t> drawn_rows(std::size_t rows, std::size_t sampled, std::size_t numbers_of_one) {
  const std::size_t room =
      std::clamp(most_line_numbers / std::max<std::size_t>(numbers_of_one, 1), least_lines, most_lines);
  const std::size_t of_worst = std::min(rows - sampled, room), of_sample = std::min(sampled, room - of_worst);
  std::vector<std::size_t> list(of_sample + of_worst);
  std::iota(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(of_sample), std::size_t{0});
  std::iota(list.begin() + static_cast<std::ptrdiff_t>(of_sample), list.end(), sampled);
  return list;
}

std::optional<HistoriesPage> histories_of(const results::ResultsReader& results,
                                          const campaign::CampaignDescription& campaign, Blocks& blocks) {
  const results::StoredHistories stored(results.path(), results.header().index);
  if (stored.records().empty() || stored.columns().empty()) return std::nullopt;
  const std::size_t rows = stored.records().size(), times = stored.time().size();
  HistoriesPage page;
  page.recorded = rows;
  page.sampled = campaign::sampled_histories(campaign, stored.records());
  const std::vector<std::size_t> drawn = drawn_rows(rows, page.sampled, times * stored.columns().size());
  std::vector<std::uint32_t> flights;
  for (const std::size_t row : drawn) flights.push_back(static_cast<std::uint32_t>(stored.records()[row]));
  page.flights = blocks.add(std::span<const std::uint32_t>(flights));
  page.time = blocks.add(std::span<const double>(stored.time()));
  for (std::size_t c = 0; c < stored.columns().size(); ++c) {
    const results::Column& column = stored.columns()[c];
    const std::vector<double> values = stored.values(c);
    const std::size_t counted = page.sampled > 0 ? page.sampled : rows;
    const campaign::Bands bands = campaign::bands_of(std::span(values).first(counted * times), times);
    std::vector<double> by_fraction;
    for (const std::vector<double>& line : bands.values)
      by_fraction.insert(by_fraction.end(), line.begin(), line.end());
    std::vector<float> lines;
    for (const std::size_t row : drawn) {
      for (std::size_t t = 0; t < times; ++t) lines.push_back(static_cast<float>(values[row * times + t]));
    }
    page.columns.push_back({column.name, column.unit, column.description, column.states,
                            blocks.add(std::span<const double>(by_fraction)),
                            blocks.add(std::span<const float>(lines))});
  }
  return page;
}

}  // namespace

CampaignPage campaign_page(const results::ResultsReader& results, const std::string& shown, Blocks& blocks) {
  const campaign::ReadCampaign read = campaign::stored_campaign(results);
  if (!read.campaign) {
    const std::vector<Problem>& problems = read.problems.all();
    throw campaign::CampaignError(fmt::format("{}: the campaign in it cannot be read: {}", results.path(),
                                              problems.empty() ? "" : problems.front().message));
  }
  const campaign::CampaignDescription& campaign = *read.campaign;
  const results::Header& header = results.header();
  CampaignPage page;
  page.label = std::filesystem::path(results.path()).filename().string();
  page.name = campaign.name;
  page.file = read.source.file();
  page.text = read.source.text();
  page.model_name = header.model_name;
  page.model_file = header.model_file;
  page.model_text = header.model_text;
  page.command = header.command;
  page.version = header.version;
  page.formulation = header.formulation;
  page.integrator = header.integrator;
  page.status = results.status() == "running" ? "" : results.status();
  page.replay = fmt::format("gyrostat campaign {} --report --replay", for_shell(shown));
  page.method = campaign::methods[static_cast<std::size_t>(campaign.method)];
  page.seed = campaign.seed;
  page.answers = campaign::answers_of(results, campaign);

  const std::vector<std::size_t> records = shown_records(results, page.answers);
  if (records.size() < results.records()) {
    page.warnings.push_back(fmt::format("the diagrams have {} of the {} flights; the tables are of all of them",
                                        records.size(), results.records()));
  }
  if (page.answers.ended < page.answers.flights) {
    page.warnings.push_back(fmt::format("{} of {} flights have ended; go on with: gyrostat campaign {} -o {} --resume",
                                        page.answers.ended, page.answers.flights, for_shell(page.file),
                                        for_shell(shown)));
  }
  std::vector<std::uint32_t> numbers, reasons(records.size());
  for (const std::size_t k : records) numbers.push_back(static_cast<std::uint32_t>(results.time()[k]));
  std::map<std::string, std::uint32_t> places;
  for (const campaign::FailureAnswer& failure : page.answers.failures) {
    places.emplace(failure.reason, static_cast<std::uint32_t>(places.size() + 1));
  }
  for (const results::Event& event : results.events()) {
    const auto found = std::ranges::lower_bound(numbers, static_cast<std::uint32_t>(event.t));
    if (found != numbers.end() && static_cast<double>(*found) == event.t) {
      reasons[static_cast<std::size_t>(found - numbers.begin())] = places.at(event.what);
    }
  }
  page.number = blocks.add(std::span<const std::uint32_t>(numbers));
  page.reason = blocks.add(std::span<const std::uint32_t>(reasons));
  const auto add = [&](const std::string& column) {
    const std::vector<double> values = of_records(results.column(column), records);
    return blocks.add(std::span<const double>(values));
  };
  page.end_time = add("end_time");
  const auto add_column = [&](const std::string& name, const std::string& column) {
    const results::Column& stored = results.columns()[results.find(column).value_or(0)];
    page.columns.push_back({name, stored.unit, stored.description, add(column)});
  };
  for (const std::string& input : page.answers.inputs) add_column(input, campaign::input_column(input));
  for (const campaign::MeasureAnswer& measure : page.answers.measures) {
    add_column(measure.name, campaign::measure_column(measure.name));
    page.more_is_worse.push_back(campaign.more_is_worse(measure.name));
  }
  page.histories = histories_of(results, campaign, blocks);
  return page;
}

}  // namespace gyrostat::report
