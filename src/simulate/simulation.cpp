#include "gyrostat/simulate/simulation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/dynamics/joint_motion.h"
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

/// How often singular configurations other than gimbal lock are looked for, which takes some time.
constexpr std::uint64_t steps_between_checks = 500;

/// How often accelerations are compared with another formulation's in a run.
constexpr double comparisons = 20;

Ode ode_of(PlantRun& run) {
  Ode ode;
  ode.context = &run;
  ode.size = run.plant().size();
  ode.rates = [](void* p, double t, const double* y, double* ydot) {
    static_cast<PlantRun*>(p)->derivative(t, y, ydot);
  };
  ode.jacobian = [](void* p, double t, const double* y, double* j) { static_cast<PlantRun*>(p)->jacobian(t, y, j); };
  return ode;
}

/// No step passes over a delay; and where thresholds are watched, none over a whole interval between records.
IntegratorSettings with_longest_step(IntegratorSettings s, const PlantRun& run, double interval) {
  constexpr double stretched = 1.000002;  // the most by which an integrator makes its last step longer
  const double delay = run.plant().signals().longest_step / stretched;
  s.step = std::min(s.step, delay);
  const double longest = std::min(delay, run.watches() ? interval : never);
  if (longest < never) s.longest_step = longest;
  return s;
}

}  // namespace

RunSettings::RunSettings(const Model& model) {
  const SimulationDescription& s = model.description.simulation;
  formulation = s.formulation;
  integrator = {s.method, s.tolerance, s.step, 0};
  until = s.duration;
  interval = model.description.output.interval > 0 ? model.description.output.interval : s.duration / 1000;
}

std::uint64_t RunSettings::record_count() const {
  return until > 0 ? static_cast<std::uint64_t>(std::ceil(until / interval * (1 - 1e-12))) + 1 : 1;
}

std::string error_of_run(const Model& model, const RunSettings& s) {
  if (std::string why = motion_error(model.system); !why.empty()) return why;
  if (const std::string joint = held_at_centre(model.description, model.system); !joint.empty()) {
    return fmt::format(
        "environment.gravity_gradient: full makes the world's origin the centre of attraction, and joint "
        "'{}' holds a body there; connect it by a free joint, or choose perturbation",
        joint);
  }
  if (std::ranges::find(integrator_names, s.integrator.method) == integrator_names.end()) {
    return s.integrator.method == "ida"
               ? std::string("integrator ida is for models with loops, which are not simulated yet")
               : fmt::format("there is no integrator '{}'; there are {}", s.integrator.method,
                             fmt::join(integrator_names, ", "));
  }
  if (s.integrator.method == "rk4" && !(s.integrator.step > 0)) return "integrator rk4 needs a step";
  if (!(s.integrator.tolerance >= finest_tolerance && s.integrator.tolerance < 1)) {
    return fmt::format("the tolerance must be between {} and 1: numbers have 16 digits", finest_tolerance);
  }
  if (!(s.until >= 0 && std::isfinite(s.until))) return "the duration must be finite and not negative";
  if (s.until > 0 && !(s.interval > 0 && std::isfinite(s.interval))) {
    return "the interval between records must be positive and finite";
  }
  if (s.until / s.interval > 1e9) return "more than a billion records; choose a longer output interval";
  if (std::string why = outside_domain(s.formulation, model.system, DynamicsSettings(model)); !why.empty()) {
    return fmt::format("formulation {} does not take this model: {}", s.formulation, why);
  }
  return {};
}

double ledger_allowance(const IntegratorSettings& settings) {
  if (settings.method == "rk4") return 1e-6;
  const double errors =
      settings.method == "cvode_bdf" ? 1e5 : 1e4;  // of steps, in a run: tests/simulate/ledger_test.cpp
  return std::clamp(errors * settings.tolerance, 1e-9, 1e-2);
}

namespace {

const RunSettings& checked(const Model& model, const RunSettings& settings) {
  if (const std::string why = error_of_run(model, settings); !why.empty()) throw std::invalid_argument(why);
  return settings;
}

}  // namespace

Simulation::Simulation(const Model& model, const RunSettings& settings, std::vector<PluginFunction> plugins)
    : model_(model),
      settings_(checked(model, settings)),
      plant_(model, settings.formulation, std::move(plugins)),
      run_(plant_),
      ode_(ode_of(run_)),
      integrator_(ode_, with_longest_step(settings.integrator, run_, settings.interval)),
      ledger_(run_),
      outputs_(run_) {
  row_.resize(outputs_.columns().size());
  run_.set_end(settings.until);
}

double Simulation::record_time(std::uint64_t k) const {
  return k + 1 == settings_.record_count() ? settings_.until : static_cast<double>(k) * settings_.interval;
}

Outcome Simulation::run(Observer& observer) {
  run_.start(y_, settings_.initial.value_or(model_.system.initial));
  t_ = 0;
  run_.evaluate(0, y_.data(), Stage::acceleration);
  if (const auto failure = run_.find_failure()) return fail(0, *failure);
  ledger_.start();
  integrator_.restart(0, y_);
  if (run_.watches()) run_.find_event_functions(event_functions_[0]);
  record_until(0, true, observer);
  return go(observer);
}

Outcome Simulation::resume(const std::string& checkpoint, Observer& observer) {
  restore(checkpoint);
  run_.evaluate(t_, y_.data(), Stage::signals);
  if (run_.watches()) run_.find_event_functions(event_functions_[0]);
  return go(observer);
}

void Simulation::evaluate_within_step(double t, Stage stage) {
  integrator_.interpolate(t, y_);
  run_.evaluate(t, y_.data(), stage);
}

/// Looks along a step for thresholds that are crossed, and takes what flows in for the ledger. True if one was; then
/// `to` is the first instant beyond it, to 1e-12 s.
bool Simulation::examine(const Step& step, double& to) {
  const bool watch = run_.watches();
  std::array<double, 5> nodes = {step.from, 0, 0, 0, step.to};
  for (std::size_t k = 0; k < 3; ++k) nodes[k + 1] = step.from + gauss_nodes[k] * (step.to - step.from);
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const bool is_sample = k < 4 && ledger_.needs_samples();
    if (!is_sample && !watch) continue;
    evaluate_within_step(nodes[k], is_sample ? ledger_.sample_stage() : Stage::signals);
    if (is_sample) ledger_.sample(k - 1);  // before another instant is evaluated
    if (!watch) continue;
    double beyond = nodes[k], before = nodes[k - 1];
    bool crossed = run_.any_crossed();
    if (!crossed) {
      run_.find_event_functions(event_functions_[k]);
      crossed = k >= 2 && find_tangential_crossing(nodes[k - 2], nodes[k - 1], nodes[k], k, beyond);
      before = k >= 2 ? nodes[k - 2] : before;
    }
    if (!crossed) {
      run_.follow_smoothly();
      continue;
    }
    to = locate(before, beyond);
    take_flows(step.from, to);
    return true;
  }
  if (ledger_.needs_samples()) ledger_.take(step.to - step.from);
  return false;
}

/// No threshold is crossed at `before`, one is at `beyond`: the end of the last interval found between them.
double Simulation::locate(double before, double beyond) {
  while (beyond - before > 0.5 * same_instant(beyond)) {
    const double middle = before + (beyond - before) / 2;
    if (middle <= before || middle >= beyond) break;
    evaluate_within_step(middle, Stage::signals);
    (run_.any_crossed() ? beyond : before) = middle;
  }
  return beyond;
}

void Simulation::take_flows(double from, double to) {
  if (!ledger_.needs_samples()) return;
  for (std::size_t k = 0; k < gauss_nodes.size(); ++k) {
    evaluate_within_step(from + gauss_nodes[k] * (to - from), ledger_.sample_stage());
    ledger_.sample(k);
  }
  ledger_.take(to - from);
}

/// Does the parabola of any event function through three nodes, the last of them number k, dip below zero between them?
/// Then the instant of its lowest point is evaluated.
bool Simulation::find_tangential_crossing(double a, double b, double c, std::size_t k, double& crossed) {
  for (std::size_t i = 0; i < event_functions_[k].size(); ++i) {
    const double fa = event_functions_[k - 2][i], fb = event_functions_[k - 1][i], fc = event_functions_[k][i];
    if (!std::isfinite(fa + fb + fc)) continue;
    const double ab = (fb - fa) / (b - a), bc = (fc - fb) / (c - b), curvature = (bc - ab) / (c - a);
    if (!(curvature > 0)) continue;
    const double lowest = (a + b) / 2 - ab / (2 * curvature);
    if (!(lowest > a && lowest < c)) continue;
    const double least = fa + (lowest - a) * (ab + (lowest - b) * curvature);
    if (least > 0.1 * std::min({fa, fb, fc})) continue;
    evaluate_within_step(lowest, Stage::signals);
    if (run_.any_crossed()) {
      crossed = lowest;
      return true;
    }
  }
  return false;
}

void Simulation::record_until(double t, bool including, Observer& observer) {
  const std::uint64_t count = settings_.record_count();
  for (; records_ < count; ++records_) {
    const double at = record_time(records_);
    const bool now = std::abs(at - t) <= same_instant(t);  // rounding apart
    if ((at > t && !now) || (now && !including)) return;
    if (!now) integrator_.interpolate(at, y_);
    if (!now || run_.time() != t || run_.data().stage < outputs_.stage()) {
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
  outputs_.note_loads();
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

/// Gimbal lock at the end of a step, or passed within it: there the axes' volume changes its sign.
std::optional<std::string> Simulation::find_gimbal_lock_passed() {
  const double* q = run_.data().q.data();
  if (auto lock = find_gimbal_lock(plant_.mechanism(), q, run_.data().forces)) return lock;
  std::size_t k = 0;
  for (std::size_t i = 1; i < model_.system.joints.size(); ++i) {
    const Joint& joint = model_.system.joints[i];
    if (joint.rotations != 3 || !run_.discrete().free[joint.u]) continue;
    const JointPosition<double> x = joint_position(plant_.mechanism().joints[i], q + joint.q);
    const double volume = dot(x.rotation[0], cross(x.rotation[1], x.rotation[2]));
    if (k == volumes_.size()) volumes_.push_back(volume);
    if (volume * volumes_[k] < 0) {
      return fmt::format(
          "joint '{}' has passed through gimbal lock, to angle2 = {:.6g} deg; there its rates do not determine the "
          "motion: "
          "use a spherical joint, or axes in another order",
          joint.name, q[joint.q + plant_.mechanism().joints[i].rotation_coordinate + 1u] * 180 / std::numbers::pi);
    }
    volumes_[k++] = volume;
  }
  return std::nullopt;
}

/// Why no step can be made from the last state: what is wrong there, or a little further on, or what changes fastest.
std::string Simulation::explain(const std::string& reason) {
  const Eigen::VectorXd y = integrator_.state();
  Eigen::VectorXd rates(y.size());
  run_.derivative(t_, y.data(), rates.data());
  if (const auto failure = run_.find_failure()) return *failure;
  const Eigen::VectorXd udot = run_.udot();
  for (double h = 1e-12; h < 0.1; h *= 10) {
    const Eigen::VectorXd ahead = y + h * rates;
    run_.evaluate(t_ + h, ahead.data(), Stage::acceleration);
    if (const auto failure = run_.find_failure()) return *failure;
  }
  if (udot.size() == 0) return reason;
  Eigen::Index k = 0;
  udot.cwiseAbs().maxCoeff(&k);
  for (const Joint& joint : model_.system.joints) {
    const bool fastest = k >= joint.u && k < joint.u + joint.nu;
    if (joint.rotations != 3 || !fastest) continue;
    const double angle = y[static_cast<Eigen::Index>(plant_.layout().place_of(joint.q + joint.translations + 1u))];
    return fmt::format(
        "{}; joint '{}' runs away, as a gimbal does at lock, where its three axes lie in a plane (angle2 "
        "= {:.6g} deg): use a spherical joint, or axes in another order",
        reason, joint.name, angle * 180 / std::numbers::pi);
  }
  const StateEntry entry = speed_entries(model_.system)[static_cast<std::size_t>(k)];
  return fmt::format(
      "{}; {} changes fastest, by {:.3g} {}/s: a spring that is too stiff, a singular configuration, or a "
      "load without bounds; cvode_bdf bears stiff springs",
      reason, entry.name, std::abs(udot[k]), entry.unit);
}

/// Instants that rounding alone keeps apart are one: no integrator can step from one to the other.
Simulation::Stops Simulation::next_stops() const {
  const auto same = [](double a, double b) { return std::abs(a - b) <= same_instant(b); };
  Stops stops{std::min(settings_.until, run_.next_time(t_)), never};
  if (same(stops.due, settings_.until)) stops.due = settings_.until;
  if (settings_.checkpoint_interval > 0) {
    stops.checkpoint = static_cast<double>(checkpoints_ + 1) * settings_.checkpoint_interval;
    if (same(stops.checkpoint, stops.due)) stops.checkpoint = stops.due;
  }
  return stops;
}

Outcome Simulation::go(Observer& observer) {
  while (t_ < settings_.until) {
    const Stops stops = next_stops();
    const Step step = integrator_.step(std::min(stops.due, stops.checkpoint));
    if (!step.failure.empty()) return fail(t_, explain(step.failure));
    stalled_ = step.to - step.from > 1e-13 * std::max(1.0, step.to) ? 0 : stalled_ + 1;
    if (stalled_ > most_stalled) return fail(t_, explain("steps have become so short that time stands still"));
    double to = step.to;
    bool event = examine(step, to) || is_due(stops.due, to);  // a step may end a rounding before it
    record_until(to, false, observer);
    run_.remember(step.from, to, [this](double t) { evaluate_within_step(t, Stage::signals); });
    integrator_.interpolate(to, y_);
    t_ = to;
    const double distance = plant_.layout().distance_from_unit(y_.data());
    const bool save_now = to >= stops.checkpoint;
    if (event) {
      bool changed = false;
      if (auto why = handle_event(to, step.to, observer, changed)) return fail(to, *why);
      event = changed || to < step.to;
    } else {
      if (run_.time() != to || run_.data().stage < Stage::signals) run_.evaluate(to, y_.data(), Stage::signals);
      run_.follow_smoothly();
    }
    if (run_.watches()) run_.find_event_functions(event_functions_[0]);
    if (auto lock = find_gimbal_lock_passed()) return fail(to, *lock);
    if (!run_.discrete().failure.empty() || !find_non_finite(plant_.signals(), run_.data().values.data()).empty()) {
      run_.evaluate(to, y_.data(), Stage::acceleration);
      return fail(to, *run_.find_failure());
    }
    ledger_.balance(distance);
    record_until(to, true, observer);
    const bool drifted = !integrator_.can_project() && distance > most_drift;
    if (event || save_now || drifted) {
      plant_.layout().project(y_.data());
      integrator_.restart(to, y_);
    } else if (integrator_.can_project()) {
      plant_.layout().project(integrator_.state().data());
    }
    const bool compare = to >= static_cast<double>(comparisons_) * settings_.until / comparisons;
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
    if (!observer.go_on(t_)) return end(Outcome::Kind::interrupted);
  }
  return end(Outcome::Kind::finished);
}

Outcome Simulation::end(Outcome::Kind kind) {
  plant_.layout().project(y_.data());
  return {kind, t_, {}, save(), stiffness_hint()};
}

/// An explicit method whose steps are as long as its stability allows, not its tolerance: they are of the order of the
/// shortest time constant of the model.
std::string Simulation::stiffness_hint() {
  const std::uint64_t steps = integrator_.statistics().steps;
  const auto n = static_cast<Eigen::Index>(plant_.size());
  constexpr std::uint64_t many_steps = 5000;
  constexpr Eigen::Index most_states = 500;
  const std::string& method = settings_.integrator.method;
  if (method == "cvode_bdf" || method == "rk4" || steps < many_steps || n > most_states) return {};
  Eigen::MatrixXd jacobian(n, n);
  run_.jacobian(t_, y_.data(), jacobian.data());
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, 1, 2).normalized();
  double largest = 0;  // eigenvalue, by power iteration [1/s]
  for (int k = 0; k < 50; ++k) {
    const Eigen::VectorXd next = jacobian * x;
    largest = next.norm();
    if (!(largest > 0 && std::isfinite(largest))) return {};
    x = next / largest;
  }
  const bool decays = x.dot(jacobian * x) < -0.5 * largest;
  const double mean_step = t_ / static_cast<double>(steps);
  if (!decays || mean_step * largest < 1) return {};
  return fmt::format(
      "the model is stiff: something in it decays within {:.1e} s, and {} took {} steps of about that length; "
      "cvode_bdf needs far fewer",
      1 / largest, method, steps);
}

}  // namespace gyrostat
