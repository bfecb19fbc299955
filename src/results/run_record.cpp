#include "gyrostat/results/run_record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/dynamics/flexible_range.h"
#include "gyrostat/results/lines.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/version.h"

namespace gyrostat::results {

namespace {

/// Laws of the ledger: their statistics are `key`, `key`_scale and `key`_relative.
struct Law {
  std::string_view name, key, unit;
  const Balance Ledger::*balance;
};
constexpr std::array<Law, 3> laws = {
    {{"energy", "ledger_energy", "J", &Ledger::energy},
     {"momentum", "ledger_momentum", "N*s", &Ledger::momentum},
     {"angular momentum", "ledger_angular_momentum", "N*m*s", &Ledger::angular_momentum}}};

/// Of flexible bodies: their statistics are `key` and `key`_of.
struct FlexibleExtreme {
  std::string_view key;
  Extreme LedgerRecord::*of_record;
  Extreme Ledger::*of_ledger;
  double most;
  std::string (*warning)(std::string_view body, double value);
};
constexpr std::array<FlexibleExtreme, 2> flexible_extremes = {
    {{"ledger_spin", &LedgerRecord::spin, &Ledger::spin, most_spin, spin_warning},
     {"ledger_deflection", &LedgerRecord::deflection, &Ledger::deflection, most_deflection, deflection_warning}}};

/// Residuals below this count as none in files that do not give them relative to their scale [J, N s, N m s].
constexpr double negligible = 1e-9;

/// Settings that are numbers, with the attributes they are stored in.
struct NumberSetting {
  std::string_view attribute;
  double& (*value)(RunSettings& settings);
};
constexpr std::array<NumberSetting, 5> number_settings = {{
    {"run_tolerance", [](RunSettings& s) -> double& { return s.integrator.tolerance; }},
    {"run_step", [](RunSettings& s) -> double& { return s.integrator.step; }},
    {"run_until", [](RunSettings& s) -> double& { return s.until; }},
    {"run_interval", [](RunSettings& s) -> double& { return s.interval; }},
    {"run_checkpoint", [](RunSettings& s) -> double& { return s.checkpoint_interval; }},
}};

std::optional<std::string> attribute(const Header& header, std::string_view name) {
  for (const auto& [key, value] : header.more) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::optional<double> number(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  double value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<double> statistic(const Statistics& statistics, std::string_view name) {
  for (const auto& [key, value] : statistics) {
    if (key == name) return value;
  }
  return std::nullopt;
}

/// A count in a file that may be damaged.
std::uint64_t count(const std::optional<double>& value) {
  return static_cast<std::uint64_t>(value && *value > 0 ? std::min(*value, 1e15) : 0);
}

/// "K=3\nD=0.1": one override to a line. A line without '=' is a name without a value, which no model takes.
std::string join(const std::vector<Override>& overrides) {
  std::string text;
  for (const Override& o : overrides) text += (text.empty() ? "" : "\n") + o.name + "=" + o.value;
  return text;
}
std::vector<Override> split(const std::string& text) {
  std::vector<Override> list;
  for (const std::string& line : lines_of(text)) {
    const std::size_t equals = std::min(line.find('='), line.size());
    list.push_back({line.substr(0, equals), line.substr(std::min(equals + 1, line.size()))});
  }
  return list;
}

/// The settings of a run; the first attribute that is not as a run writes it is the defect.
void read_settings(const Header& header, RunRecord& record) {
  const auto defect = [&](std::string_view name, bool exists) {
    if (!record.defect.empty()) return;
    record.defect =
        exists ? fmt::format("attribute '{}' is not a number", name) : fmt::format("has no attribute '{}'", name);
  };
  record.settings.formulation = header.formulation;
  if (const auto method = attribute(header, "run_method")) {
    record.settings.integrator.method = *method;
  } else {
    defect("run_method", false);
  }
  for (const NumberSetting& setting : number_settings) {
    const auto text = attribute(header, setting.attribute);
    if (const auto value = number(text)) {
      setting.value(record.settings) = *value;
    } else {
      defect(setting.attribute, text.has_value());
    }
  }
}

/// Names that fit an attribute, a line each; of a system with more, the first ones.
std::string lines_that_fit(const std::vector<std::string>& lines) {
  constexpr std::size_t longest = 50'000;
  std::string text;
  for (const std::string& line : lines) {
    if (text.size() + line.size() > longest) break;
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

/// "3 wrist": rows, and the constraint.
std::vector<std::string> redundancy_lines(const std::vector<Redundant>& redundant) {
  std::vector<std::string> lines;
  for (const Redundant& one : redundant) lines.push_back(fmt::format("{} {}", one.rows, one.constraint));
  return lines;
}

void read_redundancy(const ResultsReader& results, LedgerRecord& ledger) {
  for (const std::string& line : lines_of(attribute(results.header(), "ledger_redundant").value_or(""))) {
    const std::size_t space = std::min(line.find(' '), line.size());
    ledger.redundant.push_back({line.substr(std::min(space + 1, line.size())), count(number(line.substr(0, space)))});
  }
  for (const Column& column : results.columns()) {
    if (!column.note.empty()) ledger.not_unique.push_back(column.name);
  }
  ledger.constraints = lines_of(attribute(results.header(), "ledger_constraints").value_or(""));
  const std::size_t weakest = count(statistic(results.statistics(), "ledger_dependent_of"));
  if (ledger.dependent_since < never && weakest < ledger.constraints.size()) {
    ledger.dependent_of = ledger.constraints[weakest];
  }
}

LedgerRecord read_ledger(const ResultsReader& results, const IntegratorSettings& integrator) {
  const auto value = [&](std::string_view name) { return statistic(results.statistics(), name); };
  LedgerRecord ledger;
  for (const Law& law : laws) {
    const auto residual = value(law.key), scale = value(fmt::format("{}_scale", law.key));
    if (!residual || !scale) continue;
    const auto relative = value(fmt::format("{}_relative", law.key));
    ledger.lines.push_back({std::string(law.name), std::string(law.unit), *residual, *scale,
                            relative.value_or(*residual / std::max(*scale, negligible))});
  }
  const Header& header = results.header();
  ledger.attitude = value("ledger_attitude").value_or(0);
  ledger.constraint_rows = count(value("ledger_constraint_rows"));
  ledger.constraint_position = value("ledger_constraint_position").value_or(0);
  ledger.constraint_speed = value("ledger_constraint_speed").value_or(0);
  ledger.dependent_since = value("ledger_dependent_since").value_or(never);
  read_redundancy(results, ledger);
  for (const FlexibleExtreme& one : flexible_extremes) {
    Extreme& extreme = ledger.*one.of_record;
    extreme.value = value(one.key).value_or(0);
    extreme.of = static_cast<double>(count(value(fmt::format("{}_of", one.key))));
  }
  ledger.flexible = lines_of(attribute(header, "ledger_flexible").value_or(""));
  ledger.assembled_position = value("ledger_assembled_position").value_or(0);
  ledger.assembled_speed = value("ledger_assembled_speed").value_or(0);
  ledger.accelerations = value("ledger_accelerations").value_or(0);
  ledger.compared = count(value("ledger_compared"));
  ledger.allowed = number(attribute(header, "ledger_allowed")).value_or(ledger_allowance(integrator));
  ledger.exempt = attribute(header, "ledger_exempt").value_or("");
  ledger.other_formulation = attribute(header, "ledger_other_formulation").value_or("");
  return ledger;
}

}  // namespace

std::vector<std::string> LedgerRecord::notes() const {
  constexpr double noted_assembly = 1e-8;
  std::vector<std::string> list;
  if (assembled_position > noted_assembly || assembled_speed > noted_assembly) {
    list.push_back(
        fmt::format("the initial state did not satisfy the constraints, by {:.2g} m or rad and {:.2g} m/s or "
                    "rad/s; it was moved there by the least change",
                    assembled_position, assembled_speed));
  }
  if (dependent_since < never) {
    list.push_back(
        fmt::format("at t = {:.6g} s the constraints were nearly dependent{}: a singular configuration, from which the "
                    "mechanism can go on in several ways; compare runs with other steps and integrators",
                    dependent_since, dependent_of.empty() ? "" : fmt::format(" at '{}'", dependent_of)));
  }
  if (!not_unique.empty()) {
    constexpr std::size_t listed = 4;
    const std::span<const std::string> first(not_unique.data(), std::min(listed, not_unique.size()));
    list.push_back(
        fmt::format("not unique: {}{}; redundant constraints share these forces, and those of least norm are recorded",
                    fmt::join(first, ", "),
                    not_unique.size() > listed ? fmt::format(" and {} more", not_unique.size() - listed) : ""));
  }
  for (const FlexibleExtreme& one : flexible_extremes) {
    const Extreme& extreme = this->*one.of_record;
    const auto number = static_cast<std::size_t>(extreme.of);
    if (extreme.value > one.most && number < flexible.size()) {
      list.push_back(one.warning(flexible[number], extreme.value));
    }
  }
  return list;
}

std::vector<std::string> LedgerRecord::warnings() const {
  std::vector<std::string> list;
  if (!(constraint_position <= allowed)) {
    list.push_back(
        fmt::format("constraints are violated by {:.2e} m or rad; shorten the step, tighten the tolerance, or keep "
                    "them by projection",
                    constraint_position));
  }
  if (!exempt.empty()) return list;
  std::vector<LawResidual> residuals;
  for (const LedgerLine& line : lines) residuals.push_back({line.name, line.unit, line.residual, line.relative});
  for (std::string& text : unexplained(residuals, allowed, accelerations,
                                       other_formulation.empty() ? "another formulation" : other_formulation)) {
    list.push_back(std::move(text));
  }
  return list;
}

RunRecord record_of(const Simulation& simulation, std::vector<Override> overrides, double seconds) {
  const Ledger& ledger = simulation.ledger();
  RunRecord record;
  record.settings = simulation.settings();
  record.overrides = std::move(overrides);
  record.statistics = simulation.statistics();
  record.events = simulation.event_count();
  record.seconds = seconds;
  for (const Law& law : laws) {
    const Balance& balance = ledger.*law.balance;
    record.ledger.lines.push_back(
        {std::string(law.name), std::string(law.unit), balance.largest, balance.scale, balance.relative()});
  }
  record.ledger.attitude = ledger.attitude;
  record.ledger.constraint_rows = simulation.plant().constraints().rows();
  record.ledger.constraint_position = ledger.violation.position;
  record.ledger.constraint_speed = ledger.violation.speed;
  record.ledger.redundant = ledger.redundant;
  for (const OutputColumn& column : simulation.columns()) {
    if (!column.note.empty()) record.ledger.not_unique.push_back(column.name);
  }
  record.ledger.dependent_since = ledger.dependent_since;
  const System& system = simulation.plant().system();
  for (const Constraint& one : system.constraints) record.ledger.constraints.push_back(one.name);
  const auto weakest = static_cast<std::size_t>(ledger.dependent_of);
  if (ledger.dependent_since < never) record.ledger.dependent_of = system.constraints[weakest].name;
  for (const FlexibleExtreme& one : flexible_extremes) record.ledger.*one.of_record = ledger.*one.of_ledger;
  for (const FlexibleBody& body : system.flexible) record.ledger.flexible.push_back(system.bodies[body.body].name);
  record.ledger.assembled_position = ledger.assembled.position;
  record.ledger.assembled_speed = ledger.assembled.speed;
  record.ledger.accelerations = ledger.accelerations;
  record.ledger.compared = ledger.compared;
  record.ledger.allowed = ledger_allowance(record.settings.integrator);
  record.ledger.exempt = ledger.exempt;
  record.ledger.other_formulation = ledger.other_formulation;
  return record;
}

RunRecord read_record(const ResultsReader& results) {
  const auto value = [&](std::string_view name) { return statistic(results.statistics(), name); };
  RunRecord record;
  read_settings(results.header(), record);
  record.overrides = split(attribute(results.header(), "run_set").value_or(""));
  record.statistics = {count(value("steps")), count(value("rejected_steps")), count(value("evaluations")),
                       count(value("jacobians")), count(value("restarts"))};
  record.events = count(value("events"));
  record.seconds = value("seconds").value_or(0);
  record.ledger = read_ledger(results, record.settings.integrator);
  return record;
}

Header header_of(const Loaded& loaded, const RunRecord& record, std::string command) {
  const std::string& file = loaded.source.file();
  const bool is_file = !loaded.source.text().empty();
  RunSettings settings = record.settings;
  Header header;
  header.model_name = loaded.model->system.name;
  header.model_file = is_file ? std::filesystem::absolute(file).string() : file;
  header.model_text = std::string(loaded.source.whole_text());
  header.version = version();
  header.command = std::move(command);
  header.formulation = settings.formulation;
  const IntegratorSettings& i = settings.integrator;
  header.integrator = i.method == "rk4" ? fmt::format("rk4, step {} s", i.step)
                                        : fmt::format("{}, tolerance {}", i.method, i.tolerance);
  header.more = {{"run_method", i.method}, {"run_set", join(record.overrides)}};
  for (const NumberSetting& setting : number_settings) {
    header.more.emplace_back(setting.attribute, fmt::format("{}", setting.value(settings)));
  }
  header.more.emplace_back("ledger_allowed", fmt::format("{}", record.ledger.allowed));
  header.more.emplace_back("ledger_flexible", fmt::format("{}", fmt::join(record.ledger.flexible, "\n")));
  header.more.emplace_back("ledger_exempt", record.ledger.exempt);
  if (!record.ledger.constraints.empty()) {
    header.more.emplace_back("ledger_constraints", lines_that_fit(record.ledger.constraints));
    header.more.emplace_back("ledger_redundant", lines_that_fit(redundancy_lines(record.ledger.redundant)));
  }
  header.more.emplace_back("ledger_other_formulation", record.ledger.other_formulation);
  return header;
}

void set_settings(Header& header, RunSettings settings) {
  for (const NumberSetting& setting : number_settings) {
    const auto found = std::ranges::find(header.more, setting.attribute, [](const auto& pair) { return pair.first; });
    if (found != header.more.end()) found->second = fmt::format("{}", setting.value(settings));
  }
}

bool is_of_record(std::string_view attribute) {
  return attribute.starts_with("run_") || attribute.starts_with("ledger_");
}

Statistics statistics_of(const RunRecord& record) {
  const IntegratorStatistics& s = record.statistics;
  const LedgerRecord& ledger = record.ledger;
  Statistics list;
  for (const auto& [name, value] : {std::pair("steps", s.steps),
                                    {"rejected_steps", s.rejected},
                                    {"evaluations", s.evaluations},
                                    {"jacobians", s.jacobians},
                                    {"restarts", s.restarts},
                                    {"events", record.events}}) {
    list.emplace_back(name, static_cast<double>(value));
  }
  list.emplace_back("seconds", record.seconds);
  for (std::size_t k = 0; k < laws.size() && k < ledger.lines.size(); ++k) {
    list.emplace_back(laws[k].key, ledger.lines[k].residual);
    list.emplace_back(fmt::format("{}_scale", laws[k].key), ledger.lines[k].scale);
  }
  list.emplace_back("ledger_attitude", ledger.attitude);
  list.emplace_back("ledger_constraint_rows", static_cast<double>(ledger.constraint_rows));
  list.emplace_back("ledger_constraint_position", ledger.constraint_position);
  list.emplace_back("ledger_constraint_speed", ledger.constraint_speed);
  list.emplace_back("ledger_dependent_since", ledger.dependent_since);
  const auto weakest = std::ranges::find(ledger.constraints, ledger.dependent_of) - ledger.constraints.begin();
  list.emplace_back("ledger_dependent_of", static_cast<double>(weakest));
  list.emplace_back("ledger_assembled_position", ledger.assembled_position);
  list.emplace_back("ledger_assembled_speed", ledger.assembled_speed);
  list.emplace_back("ledger_accelerations", ledger.accelerations);
  list.emplace_back("ledger_compared", static_cast<double>(ledger.compared));
  for (std::size_t k = 0; k < laws.size() && k < ledger.lines.size(); ++k) {
    list.emplace_back(fmt::format("{}_relative", laws[k].key), ledger.lines[k].relative);
  }
  for (const FlexibleExtreme& one : flexible_extremes) {
    list.emplace_back(one.key, (ledger.*one.of_record).value);
    list.emplace_back(fmt::format("{}_of", one.key), (ledger.*one.of_record).of);
  }
  return list;
}

std::string status_of(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::finished: return "finished";
    case Outcome::Kind::interrupted: return fmt::format("interrupted at t = {:.9g} s", outcome.t);
    case Outcome::Kind::failed: break;
  }
  return fmt::format("stopped at t = {:.9g} s: {}", outcome.t, outcome.failure);
}

Loaded stored_model(const Header& header) {
  return load_text(header.model_file, header.model_text, split(attribute(header, "run_set").value_or("")));
}

}  // namespace gyrostat::results
