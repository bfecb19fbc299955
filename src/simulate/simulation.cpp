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

Ode ode_of(Plant& plant) {
  Ode ode;
  ode.context = &plant;
  ode.size = plant.size();
  ode.rates = [](void* p, double t, const double* y, double* ydot) { static_cast<Plant*>(p)->derivative(t, y, ydot); };
  ode.jacobian = [](void* p, double t, const double* y, double* j) { static_cast<Plant*>(p)->jacobian(t, y, j); };
  return ode;
}

/// No step passes over a delay; and where thresholds are watched, none over a whole interval between records.
IntegratorSettings with_longest_step(IntegratorSettings s, const Plant& plant, double interval) {
  constexpr double stretched = 1.000002;  // the most by which an integrator makes its last step longer
  const double delay = plant.longest_step() / stretched;
  s.step = std::min(s.step, delay);
  const double longest = std::min(delay, plant.watches() ? interval : never);
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

std::string obstacle_to_run(const Model& model, const RunSettings& s) {
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
  if (!(s.integrator.tolerance > 0 && s.integrator.tolerance < 1)) return "the tolerance must be between 0 and 1";
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

Simulation::Simulation(const Model& model, const RunSettings& settings, std::vector<PluginFunction> plugins)
    : model_(model),
      settings_(settings),
      plant_(model, settings.formulation, std::move(plugins)),
      ode_(ode_of(plant_)),
      integrator_(ode_, with_longest_step(settings.integrator, plant_, settings.interval)),
      ledger_(plant_),
      outputs_(plant_) {
  row_.resize(outputs_.columns().size());
  plant_.set_end(settings.until);
}

double Simulation::record_time(std::uint64_t k) const {
  return k + 1 == settings_.record_count() ? settings_.until : static_cast<double>(k) * settings_.interval;
}

Outcome Simulation::run(Observer& observer) {
  plant_.start(y_);
  t_ = 0;
  plant_.look_closely(0, y_.data());
  if (const auto trouble = plant_.find_trouble()) return fail(0, *trouble);
  ledger_.start();
  integrator_.restart(0, y_);
  if (plant_.watches()) plant_.find_margins(margins_[0]);
  record_until(0, true, observer);
  return go(observer);
}

Outcome Simulation::resume(const std::string& checkpoint, Observer& observer) {
  restore(checkpoint);
  plant_.look(t_, y_.data());
  if (plant_.watches()) plant_.find_margins(margins_[0]);
  return go(observer);
}

void Simulation::look_into_step(double t, bool closely) {
  integrator_.interpolate(t, y_);
  if (closely) {
    plant_.look_closely(t, y_.data());
  } else {
    plant_.look(t, y_.data());
  }
}

/// Looks along a step for thresholds that are passed, and takes what flows in for the ledger. True if something was
/// passed; then `to` is the first instant beyond it, to 1e-12 s.
bool Simulation::examine(const Step& step, double& to) {
  const bool watch = plant_.watches();
  std::array<double, 5> nodes = {step.from, 0, 0, 0, step.to};
  for (std::size_t k = 0; k < 3; ++k) nodes[k + 1] = step.from + gauss_nodes[k] * (step.to - step.from);
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const bool is_sample = k < 4 && ledger_.needs_samples();
    if (!is_sample && !watch) continue;
    look_into_step(nodes[k], is_sample && ledger_.needs_close_look());
    if (is_sample) ledger_.sample(k - 1);  // before anything else is looked at
    if (!watch) continue;
    double beyond = nodes[k], before = nodes[k - 1];
    bool passed = plant_.any_misplaced();
    if (!passed) {
      plant_.find_margins(margins_[k]);
      passed = k >= 2 && graze(nodes[k - 2], nodes[k - 1], nodes[k], k, beyond);
      before = k >= 2 ? nodes[k - 2] : before;
    }
    if (!passed) {
      plant_.follow();
      continue;
    }
    to = locate(before, beyond);
    take_flows(step.from, to);
    return true;
  }
  if (ledger_.needs_samples()) ledger_.take(step.to - step.from);
  return false;
}

/// Nothing is passed at `before`, something is at `beyond`: the end of the last interval found between them.
double Simulation::locate(double before, double beyond) {
  while (beyond - before > 0.5 * same_instant(beyond)) {
    const double middle = before + (beyond - before) / 2;
    if (middle <= before || middle >= beyond) break;
    look_into_step(middle, false);
    (plant_.any_misplaced() ? beyond : before) = middle;
  }
  return beyond;
}

void Simulation::take_flows(double from, double to) {
  if (!ledger_.needs_samples()) return;
  for (std::size_t k = 0; k < gauss_nodes.size(); ++k) {
    look_into_step(from + gauss_nodes[k] * (to - from), ledger_.needs_close_look());
    ledger_.sample(k);
  }
  ledger_.take(to - from);
}

/// Does the parabola of any margin through three nodes, the last of them number k, dip below zero between them? Then
/// the instant of its lowest point is looked at.
bool Simulation::graze(double a, double b, double c, std::size_t k, double& crossed) {
  for (std::size_t i = 0; i < margins_[k].size(); ++i) {
    const double fa = margins_[k - 2][i], fb = margins_[k - 1][i], fc = margins_[k][i];
    if (!std::isfinite(fa + fb + fc)) continue;
    const double ab = (fb - fa) / (b - a), bc = (fc - fb) / (c - b), curvature = (bc - ab) / (c - a);
    if (!(curvature > 0)) continue;
    const double lowest = (a + b) / 2 - ab / (2 * curvature);
    if (!(lowest > a && lowest < c)) continue;
    const double least = fa + (lowest - a) * (ab + (lowest - b) * curvature);
    if (least > 0.1 * std::min({fa, fb, fc})) continue;
    look_into_step(lowest, false);
    if (plant_.any_misplaced()) {
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
    if (outputs_.needs_close_look()) {
      plant_.look_closely(now ? t : at, y_.data());
    } else if (!now || plant_.time() != t) {
      plant_.look(now ? t : at, y_.data());
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

std::optional<std::string> Simulation::settle(double t, double step_end, Observer& observer, bool& changed) {
  std::vector<Change> changes;
  plant_.look(t, y_.data());
  ledger_.before_jump();
  if (auto why = plant_.settle(t, y_.data(), changes)) return why;
  changed = !changes.empty();
  plant_.look(t, y_.data());
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
std::optional<std::string> Simulation::find_lock() {
  const double* q = plant_.state().q.data();
  if (auto lock = find_gimbal_lock(plant_.mechanism(), q, plant_.forces())) return lock;
  std::size_t k = 0;
  for (std::size_t i = 1; i < model_.system.joints.size(); ++i) {
    const Joint& joint = model_.system.joints[i];
    if (joint.rotations != 3 || joint.motion != Motion::free) continue;
    const JointOf<double>& geometry = plant_.mechanism().joints[i];
    const JointPosition<double> x = joint_position(geometry, q + joint.q);
    const double volume = dot(x.rotation[0], cross(x.rotation[1], x.rotation[2]));
    if (k == volumes_.size()) volumes_.push_back(volume);
    if (volume * volumes_[k] < 0) {
      return fmt::format(
          "joint '{}' has passed through gimbal lock, to angle2 = {:.6g} deg; there its rates do not determine the "
          "motion: "
          "use a spherical joint, or axes in another order",
          joint.name, q[joint.q + geometry.rotation_coordinate + 1u] * 180 / std::numbers::pi);
    }
    volumes_[k++] = volume;
  }
  return std::nullopt;
}

/// Why no step can be made from the last state: what is wrong there, or a little further on, or what changes fastest.
std::string Simulation::explain(const std::string& reason) {
  const Eigen::VectorXd y = integrator_.state();
  Eigen::VectorXd rates(y.size());
  plant_.derivative(t_, y.data(), rates.data());
  if (const auto trouble = plant_.find_trouble()) return *trouble;
  const Eigen::VectorXd udot = plant_.udot();
  for (double h = 1e-12; h < 0.1; h *= 10) {
    const Eigen::VectorXd ahead = y + h * rates;
    plant_.look_closely(t_ + h, ahead.data());
    if (const auto trouble = plant_.find_trouble()) return *trouble;
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
  Stops stops{std::min(settings_.until, plant_.next_time(t_)), never};
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
    bool event = examine(step, to) || to >= stops.due;
    record_until(to, false, observer);
    plant_.signals().remember(step.from, to, [this](double t) { look_into_step(t, false); });
    integrator_.interpolate(to, y_);
    t_ = to;
    const double distance = plant_.layout().distance_from_unit(y_.data());
    const bool save_now = to >= stops.checkpoint;
    if (event) {
      bool changed = false;
      if (auto why = settle(to, step.to, observer, changed)) return fail(to, *why);
      event = changed || to < step.to;
    } else {
      if (plant_.time() != to) plant_.look(to, y_.data());
      plant_.follow();
    }
    if (plant_.watches()) plant_.find_margins(margins_[0]);
    if (auto lock = find_lock()) return fail(to, *lock);
    if (!plant_.signals().failure().empty() || !plant_.signals().find_lost_value().empty()) {
      return fail(to, *plant_.find_trouble());
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
      plant_.look_closely(to, y_.data());
      if (const auto trouble = plant_.find_trouble()) return fail(to, *trouble);
    }
    if (compare) {
      ++comparisons_;
      ledger_.compare_accelerations();
    }
    if (save_now) {
      plant_.look(to, y_.data());  // as a resumed run does
      if (plant_.watches()) plant_.find_margins(margins_[0]);
      save(observer);
    }
    if (!observer.go_on(t_)) return {Outcome::Kind::interrupted, t_, {}};
  }
  return {Outcome::Kind::finished, t_, {}};
}

}  // namespace gyrostat
