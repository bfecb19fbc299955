#include "gyrostat/analysis/operating_point.h"

#include <fmt/format.h>

#include "gyrostat/analysis/linear_model.h"

namespace gyrostat {

namespace {

struct NoObserver final : Observer {
  void record(double, std::span<const double>) override {}
  void event(double, const Change&) override {}
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return true; }
};

}  // namespace

OperatingPoint initial_point(const Model& model, const std::optional<State>& state) {
  const Plant plant(model, "articulated_body");
  PlantRun run(plant);
  OperatingPoint point;
  run.start(point.y, state.value_or(model.system.initial));
  if (run.constrained()) {
    const Violation left = run.violation(0, point.y.data());
    if (left.position > 1e-6 || left.speed > 1e-6) {
      throw AnalysisError(fmt::format("the initial state cannot be brought onto the constraint '{}': {:.3g} is left",
                                      run.constraint_of_row(left.row).name, std::max(left.position, left.speed)));
    }
  }
  run.evaluate(0, point.y.data(), Stage::acceleration);
  if (const auto failure = run.find_failure()) throw AnalysisError(*failure);
  point.discrete = run.discrete();
  return point;
}

void set_by_guards(PlantRun& run, double t, const double* y, DiscreteState& discrete) {
  const Switches& switches = run.plant().signals().switches;
  for (std::size_t pass = 0; pass <= switches.size() + 1; ++pass) {
    run.set_discrete(discrete);
    run.evaluate(t, y, Stage::signals);
    bool changed = false;
    for (std::uint32_t k = 0; k < switches.size(); ++k) {
      const std::uint32_t position = switches.position_after(k, t, run.data().values.data(), discrete.end);
      changed = changed || position != discrete.positions[k];
      discrete.positions[k] = position;
    }
    if (!changed) break;
  }
}

void set_channels_steady(PlantRun& run, double t, const double* y) {
  const std::vector<HeldBlock>& held = run.plant().signals().held;
  for (std::size_t pass = 0; pass <= held.size(); ++pass) {
    run.evaluate(t, y, Stage::signals);
    DiscreteState discrete = run.discrete();
    bool changed = false;
    for (std::size_t k = 0; k < held.size(); ++k) {
      const bool delay = std::holds_alternative<Delay>(held[k].kind);
      if (!delay && !std::holds_alternative<Sample>(held[k].kind)) continue;
      const double input = run.value(held[k].inputs[0]);
      changed = changed || input != run.value(held[k].output);
      discrete.held[held[k].first] = input;
      if (delay) discrete.memory[k].history.begin(t, input);
    }
    if (!changed) return;
    run.set_discrete(std::move(discrete));
  }
}

OperatingPoint point_at(const Model& model, double t) {
  if (t == 0) return initial_point(model);
  RunSettings settings(model);
  settings.until = t;
  settings.interval = t;
  if (const std::string error = error_of_run(model, settings); !error.empty()) throw AnalysisError(error);
  Simulation simulation(model, settings);
  NoObserver observer;
  const Outcome outcome = simulation.run(observer);
  if (outcome.kind != Outcome::Kind::finished) {
    throw AnalysisError(fmt::format("the run to t = {} s ends at {:.6g} s: {}", t, outcome.t, outcome.failure));
  }
  return {t, simulation.state_vector(), simulation.run_state().discrete()};
}

}  // namespace gyrostat
