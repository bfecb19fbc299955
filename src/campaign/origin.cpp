#include "gyrostat/campaign/origin.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/dynamics/kernels.h"
#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/math/checksum.h"
#include "gyrostat/results/version.h"

namespace gyrostat::campaign {

namespace {

// Names of attributes and texts in the file.
const char* const campaign_text = "campaign";
const char* const data_text = "data";  // a line for each: what it is, and its checksum
const char* const campaign_file_attribute = "campaign_file";
const char* const processor_attribute = "processor";
const char* const not_packed_attribute = "not_packed";

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string entry_of(const Pairs& pairs, std::string_view name) {
  const auto found = std::ranges::find(pairs, name, [](const auto& pair) { return pair.first; });
  return found == pairs.end() ? std::string() : found->second;
}

[[noreturn]] void wrong(const results::ResultsReader& reader, const std::string& why) {
  throw CampaignError(reader.path() + ": " + why);
}

/// Flexible data by what is in them, whatever kind of file they are of; libraries of plugins byte by byte.
std::string checksums_of_data(const Loaded& loaded) {
  std::string lines;
  const Description& model = loaded.model->description;
  for (const BodyDescription& body : model.bodies) {
    if (!body.flexible || !body.flexible->given) continue;
    lines += fmt::format("{:016x} bodies.{}.flexible\n", checksum(flexible_json(*body.flexible->given)), body.name);
  }
  const std::filesystem::path folder = std::filesystem::path(loaded.source.file()).parent_path();
  for (const SignalDescription& signal : model.signals) {
    const auto* plugin = std::get_if<PluginBlock>(&signal.block);
    if (plugin == nullptr) continue;
    std::ifstream file(folder / plugin->library, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    lines += fmt::format("{:016x} signals.{}.plugin ({})\n", checksum(bytes), signal.name, plugin->library);
  }
  return lines;
}

/// Of the tables of a campaign, as many rows as there are samples.
std::vector<results::Table> tables_of(const FlightPlan& plan) {
  std::vector<results::Table> tables;
  const CampaignDescription& campaign = plan.campaign();
  std::size_t column = 0;
  for (const Varied& varied : campaign.vary) {
    const auto* table = std::get_if<Table>(&varied.distribution);
    for (std::size_t i = 0; i < varied.size; ++i, ++column) {
      if (table == nullptr) continue;
      const std::string& name = plan.sampler().columns()[column];
      const std::vector<double>& rows = table->rows[i];
      tables.push_back(
          {name, plan.unit_of_input(name), {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(campaign.count)}});
    }
  }
  return tables;
}

}  // namespace

results::Header header_of(const ReadCampaign& read, const FlightPlan& plan, const std::string& command) {
  const Loaded& nominal = plan.nominal();
  const std::string& file = nominal.source.file();
  results::Header header;
  header.index = "flight";
  header.model_name = nominal.model->description.name;
  std::error_code error;  // what the model refers to is found from elsewhere as well
  header.model_file = std::filesystem::exists(file, error) ? std::filesystem::absolute(file).string() : file;
  header.model_text = plan.model_text();
  header.version = std::string(version());
  header.command = command;
  const RunSettings settings = plan.settings(0);
  header.formulation = settings.formulation;
  header.integrator = settings.integrator.method;
  header.more = {{campaign_file_attribute, read.source.file()}, {processor_attribute, kernels().processor}};
  if (!plan.alone_because().empty()) header.more.emplace_back(not_packed_attribute, plan.alone_because());
  header.texts = {{campaign_text, std::string(read.source.text())}};
  if (std::string data = checksums_of_data(nominal); !data.empty()) {
    header.texts.emplace_back(data_text, std::move(data));
  }
  header.tables = tables_of(plan);
  return header;
}

bool is_campaign(const results::Header& header) { return header.index == "flight"; }

std::string not_packed_because(const results::Header& header) { return entry_of(header.more, not_packed_attribute); }

ReadCampaign stored_campaign(const results::ResultsReader& reader) {
  const results::Header& header = reader.header();
  if (!is_campaign(header)) wrong(reader, "is not the file of a campaign");
  return read_campaign_text(entry_of(header.more, campaign_file_attribute), entry_of(header.texts, campaign_text),
                            &header.tables);
}

void check_same_data(const results::ResultsReader& reader, const FlightPlan& plan) {
  const auto by_name = [](const std::string& text) {
    std::map<std::string, std::string> sums;
    std::istringstream lines(text);
    std::string sum, name;
    while (lines >> sum && std::getline(lines >> std::ws, name)) sums[name] = sum;
    return sums;
  };
  auto before = by_name(entry_of(reader.header().texts, data_text));
  for (const auto& [name, sum] : by_name(checksums_of_data(plan.nominal()))) {
    if (before[name] == sum) continue;
    wrong(reader, fmt::format("{}: its file was changed since the campaign was begun; put the file of then in its "
                              "place, or fly the campaign anew",
                              name));
  }
}

void check_same_campaign(const results::ResultsReader& reader, const ReadCampaign& read, const FlightPlan& plan) {
  const results::Header& header = reader.header();
  if (!is_campaign(header)) wrong(reader, "is not the file of a campaign");
  if (entry_of(header.texts, campaign_text) != read.source.text()) {
    wrong(reader, "is of another campaign, or the campaign file was changed since; the rest would not fit");
  }
  if (header.model_text != plan.model_text()) wrong(reader, "the model was changed since; the rest would not fit");
  for (const results::Table& table : tables_of(plan)) {
    const auto stored = std::ranges::find(header.tables, table.name, &results::Table::name);
    if (stored != header.tables.end() && stored->values == table.values) continue;
    wrong(reader,
          fmt::format("the samples of '{}' in its CSV file were changed since; the rest would not fit", table.name));
  }
  check_same_data(reader, plan);
}

void check_same_processor(const results::ResultsReader& reader) {
  const std::string processor = entry_of(reader.header().more, processor_attribute);
  if (processor == kernels().processor) return;
  wrong(reader, fmt::format("was begun on a processor of kind {}, and this one is {}: flights would be rounded "
                            "differently; resume it there",
                            processor, kernels().processor));
}

}  // namespace gyrostat::campaign
