#include "gyrostat/results/stepped_run.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/results/results_writer.h"
#include "gyrostat/results/run.h"
#include "gyrostat/results/same_file.h"
#include "gyrostat/results/target.h"

namespace gyrostat::results {

SteppedRun::SteppedRun(std::shared_ptr<const Loaded> loaded, const RunSettings& settings, SteppedOptions options)
    : loaded_(std::move(loaded)), settings_(settings), options_(std::move(options)) {
  settings_.checkpoint_interval = 0;
  const Model& model = *loaded_->model;
  const std::string& file = loaded_->source.file();
  if (const std::string error = error_of_run(model, settings_); !error.empty()) throw RunError(file + ": " + error);
  const Plant plain(model, "articulated_body");
  std::vector<double> first;
  std::optional<PlantRun> run;
  for (const auto& [name, value] : options_.inputs) {
    if (find_input(name)) throw RunError(fmt::format("{}: the input '{}' is given twice", file, name));
    NamedInput input = gyrostat::find_input(plain, name);
    double begins = value.value_or(0);
    if (auto* signal = std::get_if<SignalInput>(&input.point)) {
      signal->opened = true;
      input.variable.description = "in place of the signal";
      if (!value && !run) {  // as the model computes it
        run.emplace(plain);
        Eigen::VectorXd y;
        run->start(y, settings_.initial.value_or(model.system.initial));
        run->evaluate(0, y.data(), Stage::signals);
      }
      if (!value) begins = run->value(plain.signals().outputs[signal->signal][signal->part]);
    }
    if (!std::isfinite(begins)) throw RunError(fmt::format("{}: the input '{}' is not finite", file, name));
    first.push_back(begins);
    points_.inputs.push_back(input.point);
    inputs_.push_back(std::move(input.variable));
  }
  simulation_ = simulation_of(*loaded_);
  for (std::size_t k = 0; k < first.size(); ++k) simulation_->set_input(k, first[k]);
  recorder_.keeps = options_.record;
}

std::unique_ptr<Simulation> SteppedRun::simulation_of(const Loaded& loaded) const {
  const Model& model = *loaded.model;
  return std::make_unique<Simulation>(model, settings_,
                                      open_plugins(model, loaded.source.file(), options_.allow_plugins), points_);
}

void SteppedRun::Recorder::record(double t, std::span<const double> row) {
  if (keeps) rows.emplace_back(t, std::vector<double>(row.begin(), row.end()));
}

void SteppedRun::Recorder::event(double t, const Change& change) { events.push_back(event_of(t, change)); }

Outcome SteppedRun::kept(Outcome outcome) { return outcome_ = std::move(outcome); }

Outcome SteppedRun::step(double dt, const GoOn& go_on) {
  if (!(dt >= 0)) throw RunError(fmt::format("a step of {} s: time goes forward", dt));
  if (outcome_.kind == Outcome::Kind::failed) return outcome_;
  const double until = settings_.until, to = time() + dt;
  const double slack = 1e-6 * dt + same_instant(until);  // what rounding adds up to in many steps, and more
  if (to > until + slack) {
    throw RunError(fmt::format("the run ends at t = {:.9g} s, and a step to {:.9g} s goes beyond; give a later `until`",
                               until, to));
  }
  recorder_.asked = &go_on;
  Outcome outcome = simulation_->advance(to > until - slack ? until : to, recorder_);
  recorder_.asked = nullptr;
  return kept(std::move(outcome));
}

std::optional<std::size_t> SteppedRun::find_input(const std::string& name) const {
  const auto found = std::ranges::find(inputs_, name, &LinearVariable::name);
  if (found == inputs_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - inputs_.begin());
}

double SteppedRun::input(std::size_t k) const {
  return simulation_->run_state().value(simulation_->plant().signals().inputs[k]);
}

double SteppedRun::value(const std::string& name) {
  auto known = known_.find(name);
  if (known == known_.end()) {
    const Plant& plant = simulation_->plant();
    const auto answer = plant.names().resolve(name);
    if (const auto* why = std::get_if<std::string>(&answer)) {
      if (const auto k = find_input(name)) return input(*k);
      throw std::out_of_range(*why);
    }
    known = known_.emplace(name, source_of(plant, std::get<Reference>(answer))).first;
  }
  return simulation_->value(known->second);
}

void SteppedRun::change_parameters(std::shared_ptr<const Loaded> loaded, std::vector<Override> overrides) {
  const Plant before(*loaded_->model, "articulated_body"), after(*loaded->model, "articulated_body");
  if (const std::string why = structural_difference(before, after); !why.empty()) throw std::invalid_argument(why);
  std::unique_ptr<Simulation> changed = simulation_of(*loaded);  // the inputs have the same numbers in both
  changed->continue_from(*simulation_);
  simulation_ = std::move(changed);
  loaded_ = std::move(loaded);
  options_.overrides = std::move(overrides);
  known_.clear();
}

void SteppedRun::write(const std::string& path, const std::string& command, bool force) const {
  if (!recorder_.keeps) throw RunError("no records were kept: ask for them before the run begins");
  if (same_file(path, loaded_->source.file())) throw RunError(path + ": is the model file, which would be lost");
  const std::string target = without_link(path);
  check_target(target, FileKind::results, force);
  const OutputLock lock(target);
  const RunRecord record = record_of(*simulation_, options_.overrides, 0);
  std::vector<std::string> names;
  for (const auto& [name, value] : statistics_of(record)) names.push_back(name);
  std::vector<Column> columns;
  for (const OutputColumn& c : simulation_->columns()) columns.push_back({c.name, c.unit, c.description});
  ResultsWriter writer(path, header_of(*loaded_, record, command), columns, recorder_.rows.size(), names, force);
  for (const auto& [t, row] : recorder_.rows) writer.append(t, row);
  for (const Event& event : recorder_.events) writer.add_event(event);
  writer.set_statistics(statistics_of(record));
  const bool stopped_early = outcome_.kind == Outcome::Kind::finished && time() < settings_.until;
  writer.set_status(status_of(stopped_early ? Outcome{Outcome::Kind::interrupted, time(), {}} : outcome_));
  writer.finish();
}

}  // namespace gyrostat::results
