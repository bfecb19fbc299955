#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/dynamics/singularity.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

PlantRun::PlantRun(const Plant& plant)
    : plant_(plant),
      discrete_(plant.initial_discrete_state()),
      data_(plant, plant.constants()),
      movable_(discrete_.free),
      impulsive_work_(plant.signals().forces.sources.size()) {
  take_over_discrete();
}
PlantRun::~PlantRun() = default;

void PlantRun::set_discrete(DiscreteState discrete) {
  discrete_ = std::move(discrete);
  take_over_discrete();
}

void PlantRun::start(Eigen::VectorXd& y, State initial) {
  place_on_orbit(plant_.model().description, plant_.system(), initial);
  start_from(y, initial, false);
}

void PlantRun::start_as_given(Eigen::VectorXd& y, const State& state) { start_from(y, state, true); }

Assembly PlantRun::assembled(const State& initial, std::vector<Truth> movable) {
  Eigen::VectorXd y;
  begin_from(y, initial, false);
  for (std::size_t k = 0; k < movable.size(); ++k) movable[k] = movable[k] && data_.forces.free[k];
  return assemble(plant_.mechanism(), plant_.constraints(), state(), movable, data_.forces.equals);
}

/// The discrete state, and coordinates and speeds with what is prescribed.
void PlantRun::begin_from(Eigen::VectorXd& y, const State& initial, bool as_given) {
  data_.as_given = as_given;
  const double end = discrete_.end;
  const std::uint64_t stream = discrete_.noise_stream;
  discrete_ = plant_.initial_discrete_state();
  discrete_.end = end;
  discrete_.noise_stream = stream;
  const Layout& layout = plant_.layout();
  y.setZero(static_cast<Eigen::Index>(layout.size));
  layout.gather(initial, y.data());

  const SignalProgram& signals = plant_.signals();
  std::vector<Change> changes;
  data_.values[0] = 0;
  for (int pass = 0; pass < 2; ++pass) {  // by the clock, then by guards that now have values
    iterate_prescribed(signals, discrete_, 0, data_.values.data(), changes);
    expression::evaluate<double>(signals.program, signals.prescribed_instructions, data_.values, discrete_.positions);
  }
  iterate_prescribed(signals, discrete_, 0, data_.values.data(), changes);
  take_over_discrete();
  set_state(plant_, data_, 0.0, y.data());
  layout.gather(state(), y.data());
}

void PlantRun::start_from(Eigen::VectorXd& y, const State& initial, bool as_given) {
  begin_from(y, initial, as_given);
  const Layout& layout = plant_.layout();
  const SignalProgram& signals = plant_.signals();
  if (constrained()) close_constraints(y.data(), as_given);
  const auto reevaluate = [&] {
    take_over_discrete();
    evaluate(0, y.data(), Stage::signals);
  };
  reevaluate();
  start_signals(signals, discrete_, data_.values.data(), reevaluate, {y.data() + layout.x, layout.nx});
  if (restrained()) start_restraints(y.data(), as_given);
}

void PlantRun::evaluate(double t, const double* y, Stage stage) {
  set_state(plant_, data_, t, y);
  if (stage >= Stage::signals && !plant_.signals().switches.unwatched().empty()) update_unwatched();
  advance(plant_, plant_.constants(), data_, stage);
}

/// Switches that are no events are where they belong whenever signals are looked at.
void PlantRun::update_unwatched() {
  const Switches& switches = plant_.signals().switches;
  for (std::size_t pass = 0; pass <= switches.unwatched().size(); ++pass) {
    data_.stage = std::min(data_.stage, Stage::velocity);
    advance(plant_, plant_.constants(), data_, Stage::signals);
    bool changed = false;
    for (const std::uint32_t k : switches.unwatched()) {
      const std::uint32_t position = switches.position_after(k, data_.t, data_.values.data(), discrete_.end);
      changed = changed || position != discrete_.positions[k];
      data_.positions[k] = discrete_.positions[k] = position;
    }
    if (!changed) return;
    ++discrete_changes_;
  }
}

double* PlantRun::values_from_elsewhere(double t) {
  data_.t = t;
  data_.shared = {};
  data_.stage = Stage::signals;
  data_.values_alone = true;
  return data_.values.data();
}

bool PlantRun::follow_values() {
  const double t = data_.t;
  const Switches& switches = plant_.signals().switches;
  bool changed = false;
  for (const std::uint32_t k : switches.unwatched()) {
    const std::uint32_t position = switches.position_after(k, t, data_.values.data(), discrete_.end);
    changed = changed || position != discrete_.positions[k];
    data_.positions[k] = discrete_.positions[k] = position;
  }
  if (changed) ++discrete_changes_;
  return !changed;
}

void PlantRun::derivative(double t, const double* y, double* ydot) {
  find_rates(plant_, plant_.constants(), data_, t, y, ydot);
}

std::optional<std::string> PlantRun::iterate_events(double t, double* y, std::vector<Change>& changes) {
  std::ranges::fill(impulsive_work_, 0.0);
  violation_before_ = restrained() ? violation(t, y).speed : 0;
  evaluate(t, y, Stage::signals);
  if (auto why = change_prescribed(t, y, changes)) return why;
  const auto reevaluate = [&] {
    take_over_discrete();
    evaluate(t, y, Stage::signals);
  };
  constexpr int most_passes = 100;  // of speeds that jump and signals that follow them
  for (int pass = 0; pass < most_passes; ++pass) {
    if (!gyrostat::iterate_events(plant_.signals(), discrete_, t, data_.values.data(), reevaluate,
                                  {y + plant_.layout().x, plant_.layout().nx}, changes)) {
      break;
    }
    bool jumped = false;
    if (auto why = change_restraints(t, y, changes, jumped)) return why;
    if (!jumped) return std::nullopt;
    reevaluate();
  }
  return endless_changes(plant_.signals(), changes);
}

std::optional<std::string> PlantRun::change_prescribed(double t, double* y, std::vector<Change>& changes) {
  if (!iterate_prescribed(plant_.signals(), discrete_, t, data_.values.data(), changes)) return std::nullopt;
  const State before = state();
  const std::vector<GivenValue<double>> equals = data_.forces.equals;
  take_over_discrete();
  evaluate(t, y, Stage::velocity);
  for (const PrescribedMotion& motion : plant_.signals().prescribed) {
    if (motion.speed) continue;
    const bool constraint = motion.equal != no_equal;
    const double from = constraint ? equals[motion.equal].value : before.q[motion.q];
    const double to = constraint ? data_.forces.equals[motion.equal].value : data_.q[motion.q];
    const double jump = std::abs(to - from);
    if (jump > 1e-9 * (1 + std::abs(from))) {
      return fmt::format("{} jumps by {:.6g}; the rate of a prescribed position may jump, the position may not",
                         motion.path, jump);
    }
  }
  return jump_velocities(t, y, before, equals, changes);
}

void PlantRun::follow_smoothly() {
  data_.require_values();
  gyrostat::follow_smoothly(plant_.signals(), discrete_, data_.values.data());
  for (std::size_t k = 0; k < data_.positions.size(); ++k) {
    if (data_.positions[k] == discrete_.positions[k]) continue;
    data_.positions[k] = discrete_.positions[k];
    ++discrete_changes_;
  }
}

State PlantRun::state() const {
  data_.require(Stage::state);
  return {Eigen::Map<const Eigen::VectorXd>(data_.q.data(), static_cast<Eigen::Index>(data_.q.size())),
          Eigen::Map<const Eigen::VectorXd>(data_.u.data(), static_cast<Eigen::Index>(data_.u.size()))};
}

double PlantRun::observe(const Observable& observable) {
  const PlantConstants<double>& constants = plant_.constants();
  return gyrostat::observe(observable, instant(), constants.surroundings(plant_.tables()), values(), data_.shared);
}

double PlantRun::potential_energy() {
  data_.require(Stage::signals);
  return potential_of(instant(), plant_.constants().surroundings(plant_.tables()), values(), data_.shared);
}

const Forces<double>& PlantRun::forces() const {
  data_.require(Stage::forces);
  return data_.forces;
}

Eigen::Map<const Eigen::VectorXd> PlantRun::udot() const {
  data_.require(Stage::acceleration);
  return {data_.udot.data(), static_cast<Eigen::Index>(data_.udot.size())};
}

const Reactions& PlantRun::reactions() {
  data_.require(Stage::acceleration);
  if (!reactions_) reactions_.emplace(plant_.mechanism());
  find_reactions(plant_.mechanism(), data_.q.data(), data_.u.data(), data_.udot.data(), forces_with_constraints(),
                 *reactions_);
  return *reactions_;
}

/// At stage acceleration: friction by reaction without a level that is consistent with it, or with several.
std::optional<std::string> PlantRun::find_inconsistent_friction() const {
  const ReactionFriction<double>& w = data_.friction;
  const auto is_finite = [](const Vec3<double>& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
  };
  if (std::ranges::all_of(w.levels, [](double level) { return std::isfinite(level); })) return std::nullopt;
  if (!std::ranges::all_of(w.reactions, is_finite) || !std::ranges::all_of(w.by_level, is_finite)) return std::nullopt;
  std::size_t worst = 0;
  double most = -1;
  for (std::size_t k = 0; k < w.n; ++k) {
    double returned = 0;
    for (std::size_t j = 0; j < w.n; ++j) returned += w.coefficients[k] * length_of(w.by_level[k * w.n + j]);
    if (returned > most) most = returned, worst = k;
  }
  const ForceModel& model = plant_.signals().forces;
  if (w.least_pivot > least_pivot_of_levels) {
    return fmt::format(
        "the friction of {} is proportional to its reaction, and the level that is consistent with it was not found: "
        "of "
        "each unit of friction {:.3g} return by way of the reactions; a smaller friction.reaction.coefficient, or a "
        "stiffer arrangement of the joints, makes it less",
        model.restraints[model.by_reaction[worst]].name, most);
  }
  return fmt::format(
      "the friction of {} is proportional to its reaction, and no level or several are consistent with it here "
      "(Painleve's case): of each unit of friction {:.3g} return by way of the reactions; "
      "friction.reaction.coefficient "
      "is too large for this configuration",
      model.restraints[model.by_reaction[worst]].name, most);
}

std::optional<std::string> PlantRun::find_failure() {
  data_.require(Stage::acceleration);
  if (!discrete_.failure.empty()) return discrete_.failure;
  if (const std::string signal = find_non_finite(plant_.signals(), data_.values.data()); !signal.empty()) {
    return fmt::format(
        "signal '{}' is not finite: a division by zero, a root or logarithm of a negative number, or a "
        "table asked outside its range",
        signal);
  }
  if (auto why = find_inconsistent_friction()) return why;
  const Mechanism& mechanism = plant_.mechanism();
  if (auto what = find_lost_force(mechanism, data_.forces)) return what;
  if (!data_.closures.empty()) {
    if (auto lock = find_gimbal_lock(mechanism, data_.q.data(), data_.forces)) return lock;
    return find_non_finite_acceleration(mechanism, data_.q.data(), data_.udot.data());
  }
  ArticulatedBodyData<double> workspace(mechanism);
  std::vector<double> udot(data_.udot.size());
  accelerations(mechanism, data_.kinematics, data_.u.data(), data_.forces, workspace, udot.data());
  return find_singularity(mechanism, data_.q.data(), data_.kinematics, data_.forces, workspace, udot.data());
}

}  // namespace gyrostat
