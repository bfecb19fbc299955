#include "gyrostat/simulate/simulation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/constraints/refusal.h"
#include "gyrostat/dynamics/singularity.h"

namespace gyrostat {

namespace {

/// Changes of one thing within a microsecond that are more than any machine makes: chattering.
constexpr std::size_t most_changes = 100;
constexpr double changes_window = 1e-6;  // [s]

/// Steps of no length, one after the other: an integrator that creeps up to a pole.
constexpr std::uint64_t most_stalled = 1000;

/// CVODE's attitudes are projected where they are used; if they drift further than this, it begins anew with them.
constexpr double most_drift = 1e-6;

/// Adams' formulas have no hook for constraints: their steps drift away by some tolerances, then it begins anew on
/// them.
constexpr double most_drift_of_steps = 100;

/// A pivot that has fallen by this from the largest tells of a singular configuration; one that is always small, of
/// something light that holds something heavy.
constexpr double fallen = 1e-3;

/// How often singular configurations other than gimbal lock are looked for, which takes some time.
constexpr std::uint64_t steps_between_checks = 500;

/// How often accelerations are compared with another formulation's in a run.
constexpr double comparisons = 20;

constexpr Descriptor descriptor = {
    [](void* p) { return static_cast<PlantRun*>(p)->kept_rows(); },
    [](void* p, double t, const double* y, double* lambda) {
      static_cast<PlantRun*>(p)->find_multipliers(t, y, lambda);
    },
    [](void* p, double t, const double* y, const double* lambda, double* rates, double* residuals) {
      static_cast<PlantRun*>(p)->descriptor(t, y, lambda, rates, residuals);
    },
    [](void* p, double t, const double* y, const double* lambda, double* by_columns) {
      static_cast<PlantRun*>(p)->descriptor_jacobian(t, y, lambda, by_columns);
    }};

Ode ode_of(PlantRun& run, std::string_view method) {
  Ode ode;
  ode.context = &run;
  ode.size = run.plant().size();
  ode.rates = [](void* p, double t, const double* y, double* ydot) {
    static_cast<PlantRun*>(p)->derivative(t, y, ydot);
  };
  ode.jacobian = [](void* p, double t, const double* y, double* j) { static_cast<PlantRun*>(p)->jacobian(t, y, j); };
  ode.descriptor = &descriptor;
  const Baumgarte& feedback = run.plant().feedback();
  if (run.constrained() && method != "ida" && feedback.alpha == 0 && feedback.beta == 0) {
    ode.project = [](void* p, double t, double* y) { static_cast<PlantRun*>(p)->project(t, y, 1e-15); };
  }
  return ode;
}

/// No step is longer than its user allows. None passes over a delay; and where thresholds are watched, none over a
/// whole interval between records.
IntegratorSettings with_longest_step(const RunSettings& settings, const PlantRun& run) {
  IntegratorSettings s = settings.integrator;
  const double interval = settings.watch_interval > 0 ? settings.watch_interval : settings.interval;
  constexpr double stretched = 1.000002;  // the most by which an integrator makes its last step longer
  const double delay = run.plant().signals().longest_step / stretched;
  s.step = std::min(s.step, delay);
  const double allowed = s.longest_step > 0 ? s.longest_step : never;
  const double longest = std::min({allowed, delay, run.watches() ? interval : never});
  if (longest < never) s.longest_step = longest;
  return s;
}

}  // namespace

namespace {

const RunSettings& checked(const Model& model, const RunSettings& settings) {
  if (const std::string why = error_of_run(model, settings); !why.empty()) throw std::invalid_argument(why);
  return settings;
}

}  // namespace

/// A lane beside which nothing flies.
struct Simulation::LaneOfItsOwn {
  PlantLanes lanes;
  LaneEvaluation by_lane = {this, [](void* p, PlantLanes::Asked what, double t, const double* y, double* into) {
                              static_cast<LaneOfItsOwn*>(p)->lanes.answer_alone(what, t, y, into);
                            }};

  explicit LaneOfItsOwn(const PlantRun& run) { lanes.occupy(0, run); }
};

Simulation::Simulation(const Model& model, const RunSettings& settings, std::vector<PluginFunction> plugins,
                       const AnalysisPoints& points, const LaneEvaluation* by_lane)
    : model_(model),
      settings_(checked(model, settings)),
      plant_(model, settings.formulation, std::move(plugins), points),
      run_(plant_),
      lane_(settings.as_lane && by_lane == nullptr ? std::make_unique<LaneOfItsOwn>(run_) : nullptr),
      by_lane_(lane_ ? &lane_->by_lane : by_lane),
      ode_(ode_of(run_, settings.integrator.method)),
      integrator_((take_rates(), ode_), with_longest_step(settings, run_)),
      ledger_(run_, settings.keeps_ledger),
      outputs_(run_, settings.records),
      measures_(plant_.signals(), settings.measures) {
  row_.resize(outputs_.columns().size());
  run_.set_end(settings.until);
  run_.set_noise_stream(settings.noise_stream);
}

Simulation::~Simulation() = default;

/// The integrator gets the rates of a lane where there is one.
void Simulation::take_rates() {
  if (by_lane_ == nullptr) return;
  ode_.rates_context = const_cast<LaneEvaluation*>(by_lane_);  // NOLINT(*-const-cast): it is given back as it was
  ode_.rates = [](void* p, double t, const double* y, double* ydot) {
    const auto* of = static_cast<const LaneEvaluation*>(p);
    of->find(of->context, PlantLanes::Asked::rates, t, y, ydot);
  };
}

double Simulation::record_time(std::uint64_t k) const {
  return k + 1 == settings_.record_count() ? settings_.until : static_cast<double>(k) * settings_.interval;
}

Outcome Simulation::run(Observer& observer) {
  Outcome begun = begin(observer);
  return begun.kind == Outcome::Kind::failed ? begun : go_to_end(observer);
}

Outcome Simulation::begin(Observer& observer) {
  run_.start(y_, settings_.initial.value_or(model_.system.initial));
  t_ = 0;
  if (run_.assembly()) {
    if (auto why = judge_assembly()) return fail(0, *why);
  }
  run_.evaluate(0, y_.data(), Stage::acceleration);
  if (const auto failure = run_.find_failure()) return fail(0, *failure);
  note_redundant();
  ledger_.start();
  measures_.note(0, run_.data().values.data());
  if (run_.watches()) run_.find_event_functions(event_functions_[0]);
  integrator_.restart(0, y_);  // evaluates what it needs
  record_until(0, true, observer);
  observer.begin(run_.states_at_start());
  inputs_changed_ = false;
  return {Outcome::Kind::finished, 0, {}};
}

Outcome Simulation::advance(double t, Observer& observer) {
  if (inputs_changed_) {
    if (auto why = follow_inputs(observer)) return fail(t_, *why);
  }
  return go(std::min(t, settings_.until), observer);
}

void Simulation::set_input(std::size_t input, double value) {
  run_.set_input(input, value);
  inputs_changed_ = true;
}

/// An event, and the integrator begins anew: the rates jump.
std::optional<std::string> Simulation::follow_inputs(Observer& observer) {
  inputs_changed_ = false;
  plant_.layout().project(y_.data());
  bool changed = false;
  if (run_.watches()) {
    if (auto why = handle_event(t_, t_, observer, changed)) return why;
    run_.find_event_functions(event_functions_[0]);
  } else {
    run_.evaluate(t_, y_.data(), Stage::signals);
    outputs_.note_loads();
  }
  integrator_.restart(t_, y_);
  return std::nullopt;
}

void Simulation::continue_from(const Simulation& other) {
  if (const std::string why = structural_difference(plant_, other.plant_); !why.empty()) {
    throw std::invalid_argument(why);
  }
  t_ = other.t_;
  y_ = other.y_;
  plant_.layout().project(y_.data());
  DiscreteState discrete = other.run_.discrete();
  discrete.end = settings_.until;
  run_.set_discrete(std::move(discrete));
  const std::vector<Slot>&to = plant_.signals().inputs, &from = other.plant_.signals().inputs;
  for (std::size_t k = 0; k < to.size(); ++k) run_.set_input(k, other.run_.value(from[k]));
  records_ = other.records_;
  events_ = other.events_;
  comparisons_ = other.comparisons_;
  singular_ = other.singular_;
  redundant_ = ledger_.redundant = run_.redundant();
  recent_ = other.recent_;
  run_.set_near_singularity(singular_);
  run_.evaluate(t_, y_.data(), Stage::acceleration);
  ledger_.start();
  integrator_.restart(t_, y_);
  integrator_.suggest_step(other.integrator_.suggested_step());
  integrator_.set_statistics(other.integrator_.statistics());
  inputs_changed_ = true;
}

double Simulation::value(const ValueSource& source) {
  if (run_.time() != t_ || !run_.data().has(Stage::signals)) run_.evaluate(t_, y_.data(), Stage::signals);
  return value_of(run_, source);
}

Outcome Simulation::resume(const std::string& checkpoint, Observer& observer) {
  restore(checkpoint);
  run_.evaluate(t_, y_.data(), Stage::signals);
  if (run_.watches()) run_.find_event_functions(event_functions_[0]);
  return go_to_end(observer);
}

void Simulation::record_until(double t, bool including, Observer& observer) {
  if (!settings_.records) return;
  const std::uint64_t count = settings_.record_count();
  for (; records_ < count; ++records_) {
    const double at = record_time(records_);
    const bool now = std::abs(at - t) <= same_instant(t);  // rounding apart
    if ((at > t && !now) || (now && !including)) return;
    if (!now) integrator_.interpolate(at, y_);
    if (!now && ode_.project != nullptr) run_.project(at, y_.data(), most_violation());
    if (!now || run_.time() != t || !run_.data().has(outputs_.stage())) {
      run_.evaluate(now ? t : at, y_.data(), outputs_.stage());
    }
    outputs_.fill(ledger_, row_);
    observer.record(at, row_);
  }
}

/// Chattering is when one thing changes so often that time hardly moves on.
std::optional<std::string> Simulation::count_changes(double t, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (change.what.empty()) continue;
    std::deque<double>& times = recent_[change.name];
    times.push_back(t);
    while (t - times.front() > changes_window) times.pop_front();
    if (times.size() < most_changes) continue;
    return fmt::format(
        "{} chatters: it changed {} times within {:.3g} s, each change undoing the last; give it hysteresis, a "
        "deadband "
        "or a minimum on-time, or make what it switches continuous",
        change.name, times.size(), t - times.front());
  }
  return std::nullopt;
}

std::optional<std::string> Simulation::handle_event(double t, double step_end, Observer& observer, bool& changed) {
  std::vector<Change> changes;
  run_.evaluate(t, y_.data(), Stage::signals);
  ledger_.before_jump();
  if (auto why = run_.iterate_events(t, y_.data(), changes)) return why;
  changed = !changes.empty();
  run_.evaluate(t, y_.data(), Stage::signals);
  ledger_.after_jump();
  measures_.note(t, run_.data().values.data());
  if (settings_.records) outputs_.note_loads();
  const auto same = [](const Change& a, const Change& b) { return a.name == b.name && a.what == b.what; };
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const bool repeated = std::any_of(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(k),
                                      [&](const Change& before) { return same(before, changes[k]); });
    if (changes[k].what.empty() || repeated) continue;
    ++events_;
    observer.event(t, changes[k]);
  }
  if (changes.empty() && t < step_end) changes.push_back({"something at its threshold", "undecided"});
  return count_changes(t, changes);
}

Outcome Simulation::fail(double t, const std::string& why) { return {Outcome::Kind::failed, t, why}; }

/// Instants that rounding alone keeps apart are one: no integrator can step from one to the other.
Simulation::Stops Simulation::next_stops() const {
  const auto same = [](double a, double b) { return std::abs(a - b) <= same_instant(b); };
  Stops stops{std::min({settings_.until, run_.next_time(t_), measures_.next_time(t_)}), never};
  if (same(stops.due, settings_.until)) stops.due = settings_.until;
  if (settings_.checkpoint_interval > 0) {
    stops.checkpoint = static_cast<double>(checkpoints_ + 1) * settings_.checkpoint_interval;
    if (same(stops.checkpoint, stops.due)) stops.checkpoint = stops.due;
  }
  return stops;
}

Outcome Simulation::go_to_end(Observer& observer) {
  Outcome outcome = go(settings_.until, observer);
  return outcome.kind == Outcome::Kind::failed ? outcome : end(outcome.kind);
}

Outcome Simulation::go(double stop, Observer& observer) {
  const bool whole = stop == settings_.until;
  const auto reached = [&] { return t_ >= stop || (!whole && std::abs(t_ - stop) <= same_instant(stop)); };
  while (!reached()) {
    const Stops stops = next_stops();
    double target = std::min(stops.due, stops.checkpoint);
    if (stop < target && target - stop > same_instant(stop)) target = stop;
    const Step step = integrator_.step(target);
    if (!step.failure.empty()) return fail(t_, explain(step.failure));
    stalled_ = step.to - step.from > 1e-11 * std::max(1.0, step.to) ? 0 : stalled_ + 1;
    if (stalled_ > most_stalled) return fail(t_, explain("steps have become so short that time stands still"));
    double to = step.to;
    bool event = examine(step, to) || is_due(stops.due, to);  // a step may end a rounding before it
    const bool judged = judged_by_lane() && !event;
    bool lost = judged && !find_non_finite(plant_.signals(), run_.data().values.data()).empty();
    if (!measures_.empty()) take_measures(step.from, to);
    record_until(to, false, observer);
    run_.remember(step.from, to, [this](double t) { evaluate_within_step(t, Stage::signals); });
    integrator_.interpolate(to, y_);
    t_ = to;
    if (run_.constrained()) {
      if (auto why = keep_constraints(step, event, observer)) return fail(to, *why);
    }
    const double distance = plant_.layout().distance_from_unit(y_.data());
    const bool save_now = to >= stops.checkpoint;
    if (event) {
      bool changed = false;
      if (auto why = handle_event(to, step.to, observer, changed)) return fail(to, *why);
      follow_redundant();  // other speeds may be held now
      event = changed || to < step.to;
    } else {
      const bool others_read = judged && (settings_.records || settings_.keeps_ledger);
      if (run_.time() != to || run_.data().stage < Stage::signals || others_read) {
        run_.evaluate(to, y_.data(), Stage::signals);
      } else if (judged) {
        run_.take_state(to, y_.data());
      }
      if (!judged) run_.follow_smoothly();
    }
    if (!judged) {
      if (run_.watches()) run_.find_event_functions(event_functions_[0]);
      lost = !find_non_finite(plant_.signals(), run_.data().values.data()).empty();
    } else {
      event_functions_[0].swap(event_functions_[4]);
    }
    if (auto lock = find_gimbal_lock_passed()) return fail(to, *lock);
    if (lost || !run_.discrete().failure.empty()) {
      run_.evaluate(to, y_.data(), Stage::acceleration);
      return fail(to, run_.find_failure().value_or("a signal is not finite"));
    }
    ledger_.balance(distance);
    record_until(to, true, observer);
    const bool drifted = drifted_ || (!integrator_.can_project() && distance > most_drift);
    drifted_ = false;
    if (event || save_now || drifted) {
      plant_.layout().project(y_.data());
      integrator_.restart(to, y_);
    } else if (integrator_.can_project()) {
      plant_.layout().project(integrator_.state().data());
    }
    const bool compare =
        settings_.keeps_ledger && to >= static_cast<double>(comparisons_) * settings_.until / comparisons;
    if (compare || integrator_.statistics().steps % steps_between_checks == 0) {
      run_.evaluate(to, y_.data(), Stage::acceleration);
      if (const auto failure = run_.find_failure()) return fail(to, *failure);
    }
    if (compare) {
      ++comparisons_;
      ledger_.compare_accelerations();
    }
    if (save_now) {
      ++checkpoints_;
      prepare_to_save();
      observer.checkpoint(t_, save());
    }
    if (!observer.go_on(t_)) return {Outcome::Kind::interrupted, t_, {}};
  }
  return {Outcome::Kind::finished, t_, {}};
}

std::optional<std::string> Simulation::judge_assembly() {
  const Assembly& a = *run_.assembly();
  if (!a.closed() && a.position <= assembled_residual) {
    return fmt::format(
        "the rates of the constraints contradict each other: no speeds of what may move give '{}' its rate; {:.3g} m/s "
        "or rad/s is left",
        run_.constraint_of_row(a.worst_row).name, a.speed);
  }
  if (!a.closed()) {
    return fmt::format(
        "the constraints cannot be satisfied: '{}' is {:.3g} away from closing (it was {:.3g} as given), "
        "and the rates of the constraints {:.3g}; constraints that contradict each other, or points that do "
        "not reach each other; `gyrostat assemble` shows where",
        run_.constraint_of_row(a.worst_row).name, a.position, a.position_before, a.speed);
  }
  if (a.position_before > most_assembled) {
    return too_far(a.position_before, "satisfying the constraints");
  }
  ledger_.assembled = {a.position_before, a.speed_before, a.worst_row};
  return std::nullopt;
}

/// Back onto the constraints, and other rows to solve for where those of the plan have become weak.
/// An integrator that has constraints as equations of its own begins on them after an event.
std::optional<std::string> Simulation::keep_constraints(const Step& step, bool event, Observer& observer) {
  const bool projects = ode_.project != nullptr || (event && settings_.integrator.method == "ida");
  const double allowed = projects ? most_violation() : never;
  if (projects && settings_.integrator.method == "cvode_adams") {
    const Violation before = run_.violation(t_, y_.data());
    const double drift = std::max(before.position, before.speed);
    drifted_ = !singular_ && !(drift < most_drift_of_steps * settings_.integrator.tolerance);
  }
  const Violation left = run_.project(t_, y_.data(), allowed);
  ledger_.note_violation(left);
  if (projects && !(left.position < 1e3 * allowed)) {
    return fmt::format(
        "the constraints cannot be kept: '{}' is violated by {:.3g}, and no small change of the "
        "coordinates mends it; a singular configuration, or constraints that contradict each other",
        run_.constraint_of_row(left.row).name, left.position);
  }
  if (t_ == step.to && integrator_.can_project()) integrator_.state() = y_;
  run_.evaluate(t_, y_.data(), Stage::acceleration);
  const double pivot = run_.solved_closures().health;
  const bool suspect = !(pivot > suspect_pivot);
  if (!suspect) {
    planned_pivot_ = 1;
  } else if (!(pivot > 0.1 * planned_pivot_)) {  // other rows may be better here
    run_.replan();
    tell_redundant(observer);
    planned_pivot_ = pivot;
    drifted_ = drifted_ || settings_.integrator.method == "ida";  // its unknowns are those of the rows before
  }
  largest_pivot_ = std::max(largest_pivot_, pivot);
  const bool singular = suspect && (!(pivot > weak_pivot) || !(pivot > fallen * largest_pivot_));
  integrator_.hold_step(singular);
  run_.set_near_singularity(singular);
  if (singular && !singular_) {
    ++events_;
    run_.evaluate(t_, y_.data(), Stage::acceleration);  // other rows may have been chosen
    const std::size_t weakest = run_.weakest_constraint();
    observer.event(t_, {"constraints", fmt::format("nearly dependent: '{}'", model_.system.constraints[weakest].name)});
    if (t_ < ledger_.dependent_since) {
      ledger_.dependent_since = t_;
      ledger_.dependent_of = static_cast<double>(weakest);
    }
  }
  singular_ = singular;
  return std::nullopt;
}

/// At stage acceleration, where a run begins.
void Simulation::note_redundant() {
  if (!run_.constrained()) return;
  redundant_ = ledger_.redundant = run_.redundant();
  if (settings_.records && !redundant_.empty()) outputs_.note_indeterminate();
}

/// Are other rows redundant than before? Others were chosen, or something else is held.
bool Simulation::follow_redundant() {
  if (!run_.constrained()) return false;
  std::vector<Redundant> now = run_.redundant();
  if (now == redundant_) return false;
  redundant_ = std::move(now);
  run_.evaluate(t_, y_.data(), Stage::acceleration);
  if (settings_.records) outputs_.note_indeterminate();
  return true;
}

/// Where others were chosen. That a joint is held, which makes rows redundant, is an event of that joint.
void Simulation::tell_redundant(Observer& observer) {
  if (!follow_redundant()) return;
  ++events_;
  observer.event(t_,
                 {"constraints", redundant_.empty() ? "all rows independent" : "redundant: " + text_of(redundant_)});
}

double Simulation::most_violation() const { return std::max(1e-3 * settings_.integrator.tolerance, 1e-13); }

Outcome Simulation::end(Outcome::Kind kind) {
  plant_.layout().project(y_.data());
  if (!settings_.records) return {kind, t_, {}};  // a flight of a campaign, which does not go on
  return {kind, t_, {}, save(), stiffness_hint()};
}

}  // namespace gyrostat
