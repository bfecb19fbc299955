#include "gyrostat/simulate/ledger.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/forces/power.h"

namespace gyrostat {

namespace {

constexpr Eigen::Index most_speeds_for_matrices = 300;

/// An exact formulation other than the run's, preferably one with kinematics of its own.
std::string another_formulation(const Plant& plant) {
  const System& system = plant.model().system;
  if (system.initial.u.size() > most_speeds_for_matrices) return {};
  for (const std::string_view name : {"augmented_body", "nested_body", "composite_body", "articulated_body"}) {
    if (name != plant.formulation() && outside_domain(name, system, plant.settings()).empty()) return std::string(name);
  }
  return {};
}

}  // namespace

Ledger::Ledger(Plant& plant) : plant_(plant), scratch_(plant.model().system) {
  const Actions& actions = plant.signals().actions();
  sources = actions.sources;
  sources.emplace_back("gravity gradient");
  sources.emplace_back("prescribed motion");
  work.assign(sources.size(), 0.0);
  for (Flow& flow : samples_) flow.powers.assign(sources.size(), 0.0);
  thermal_rates_.resize(actions.thermal.size());

  const System& system = plant.model().system;
  const DegreesOfFreedom freedoms = count_degrees_of_freedom(system);
  drives_ = freedoms.prescribed > 0 || freedoms.wheels_prescribed > 0;
  reactions_ = drives_ || held_by_world(plant.mechanism());
  flows_ = reactions_ || !actions.speeds.empty() || !actions.axis_torques.empty() || !actions.bodies.empty() ||
           !actions.springs.empty() || !actions.thrusters.empty() || !actions.torques_between.empty() ||
           !actions.gravity.isZero(0) || actions.gravity_gradient != GravityGradient::none;

  if (is_linearised(plant.formulation())) {
    exempt = "a linearised formulation keeps them only to first order";
  } else if (std::ranges::find(plant.settings().gyroscopic, false) != plant.settings().gyroscopic.end()) {
    exempt = "gyroscopic terms are dropped";
  }
  other_formulation = another_formulation(plant);
  if (!other_formulation.empty()) {
    other_.emplace(system, plant.settings(), other_formulation);
  } else {
    other_formulation = "inverse dynamics";
    inverse_.emplace(plant.mechanism());
  }
}

Ledger::Sums Ledger::look_at_sums() {
  const Instant<double> instant = plant_.instant();
  Shared<double>& shared = plant_.shared();
  const Conserved<double>& c = shared.whole(instant);
  const Signals& signals = plant_.signals();
  return {c.kinetic, shared.potential_of(signals.actions(), instant, signals.values()), to_eigen(c.linear),
          to_eigen(c.angular_com)};
}

void Ledger::start() {
  first_ = look_at_sums();
  const MassProperties whole = total_mass_properties(plant_.model().system, plant_.state().q);
  mass_ = whole.mass;
  inertia_ = whole.inertia.trace() / 2;
  kinetic_scale_ = first_.kinetic;
  // what moves by less than a nanometre a second stands still
  momentum.floor = 1e-9 * mass_;
  angular_momentum.floor = 1e-9 * inertia_;
  energy.floor = 1e-15 * (mass_ + inertia_);
  balance(0);
}

void Ledger::sample(std::size_t k) {
  Signals& signals = plant_.signals();
  const Actions& actions = signals.actions();
  const Instant<double> instant = plant_.instant();
  Flow& flow = samples_[k];
  const SignalProgram& program = signals.program();
  for (std::size_t i = 0; i < thermal_rates_.size(); ++i) {
    thermal_rates_[i] = signals.value(program.rates[program.thermal + i]);
  }
  find_powers(actions, instant, signals.values(), thermal_rates_, scratch_, flow.powers);
  if (!reactions_) {
    apply<double>(actions, instant, signals.values(), scratch_);
    const External external = find_external(instant, scratch_, {});
    flow.force = to_eigen(external.force);
    flow.torque = to_eigen(external.torque);
    return;
  }
  const Reactions& reactions = plant_.reactions();
  double driving = 0;
  for (std::size_t i = 0; i < reactions.driving.size(); ++i) driving += reactions.driving[i] * instant.u[i];
  flow.powers.back() = driving;
  const External external = find_external(instant, plant_.forces(), reactions.workspace.transmitted);
  flow.force = to_eigen(external.force);
  flow.torque = to_eigen(external.torque);
}

void Ledger::take(double length) {
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    const double weight = gauss_weights[k] * length;
    for (std::size_t i = 0; i < work.size(); ++i) work[i] += weight * samples_[k].powers[i];
    impulse_ += weight * samples_[k].force;
    angular_impulse_ += weight * samples_[k].torque;
  }
}

void Ledger::balance(double distance_from_unit) {
  const Sums now = look_at_sums();
  double done = 0, turnover = 0;
  for (const double w : work) {
    done += w;
    turnover += std::abs(w);
  }
  kinetic_scale_ = std::max(kinetic_scale_, now.kinetic);
  const double of_com = mass_ > 0 ? now.momentum.squaredNorm() / (2 * mass_) : 0;
  internal_scale_ = std::max(internal_scale_, now.kinetic - of_com);
  potential_scale_ = std::max(potential_scale_, std::abs(now.potential - first_.potential));
  energy.scale = std::max({energy.scale, kinetic_scale_ + potential_scale_, turnover});
  momentum.scale = std::max({momentum.scale, std::sqrt(2 * kinetic_scale_ * mass_), impulse_.norm()});
  angular_momentum.scale =
      std::max({angular_momentum.scale, std::sqrt(2 * internal_scale_ * inertia_), angular_impulse_.norm()});
  const auto put = [](Balance& b, double error) {
    b.error = error;
    b.largest = std::max(b.largest, std::abs(error));
  };
  put(energy, now.kinetic - first_.kinetic + now.potential - first_.potential - done);
  put(momentum, (now.momentum - first_.momentum - impulse_).norm());
  put(angular_momentum, (now.angular - first_.angular - angular_impulse_).norm());
  attitude = std::max(attitude, distance_from_unit);
}

void Ledger::before_jump() {
  if (drives_) jump_ = look_at_sums();
}

/// What an event gives to the energy is work of the drives whose rates jumped, and so with momenta where the world is
/// what they push against.
void Ledger::after_jump() {
  if (!drives_) return;
  const Sums after = look_at_sums();
  work.back() += after.kinetic + after.potential - jump_.kinetic - jump_.potential;
  if (!held_by_world(plant_.mechanism())) return;
  impulse_ += after.momentum - jump_.momentum;
  angular_impulse_ += after.angular - jump_.angular;
}

void Ledger::compare_accelerations() {
  const Eigen::VectorXd& udot = plant_.udot();
  if (udot.size() == 0) return;
  double difference = 0, scale = udot.cwiseAbs().maxCoeff();
  if (other_) {
    Eigen::VectorXd again;
    other_->update(plant_.state());
    other_->accelerations(plant_.state(), plant_.forces(), again);
    difference = (again - udot).cwiseAbs().maxCoeff();
  } else {
    std::vector<double> tau(static_cast<std::size_t>(udot.size())), still(tau.size());
    const double* q = plant_.state().q.data();
    inverse_dynamics(plant_.mechanism(), q, plant_.state().u.data(), udot.data(), plant_.forces(), *inverse_,
                     tau.data());
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(udot.size());
    inverse_dynamics(plant_.mechanism(), q, plant_.state().u.data(), none.data(), plant_.forces(), *inverse_,
                     still.data());
    scale = 0;
    const std::vector<StateEntry> entries = speed_entries(plant_.model().system);
    for (std::size_t k = 0; k < tau.size(); ++k) {
      if (entries[k].motion != Motion::free) continue;
      scale = std::max({scale, std::abs(tau[k]), std::abs(still[k])});
      difference = std::max(difference, std::abs(tau[k] - plant_.forces().tau[k]));
    }
  }
  largest_difference_ = std::max(largest_difference_, difference);
  acceleration_scale_ = std::max(acceleration_scale_, scale);
  accelerations = acceleration_scale_ > 0 ? largest_difference_ / acceleration_scale_ : largest_difference_;
  ++compared;
}

std::vector<double> Ledger::save() const {
  std::vector<double> n = work;
  for (const Vector3* v : {&impulse_, &angular_impulse_, &first_.momentum, &first_.angular}) {
    n.insert(n.end(), v->data(), v->data() + 3);
  }
  for (const Balance* b : {&energy, &momentum, &angular_momentum})
    n.insert(n.end(), {b->error, b->largest, b->scale, b->floor});
  n.insert(n.end(),
           {first_.kinetic, first_.potential, potential_scale_, kinetic_scale_, internal_scale_, mass_, inertia_,
            attitude, accelerations, largest_difference_, acceleration_scale_, static_cast<double>(compared)});
  return n;
}

void Ledger::restore(const std::vector<double>& numbers) {
  const double* n = numbers.data();
  std::copy_n(n, work.size(), work.begin());
  n += work.size();
  for (Vector3* v : {&impulse_, &angular_impulse_, &first_.momentum, &first_.angular}) {
    std::copy_n(n, 3, v->data());
    n += 3;
  }
  for (Balance* b : {&energy, &momentum, &angular_momentum}) {
    *b = {n[0], n[1], n[2], n[3]};
    n += 4;
  }
  double count = 0;
  for (double* x : {&first_.kinetic, &first_.potential, &potential_scale_, &kinetic_scale_, &internal_scale_, &mass_,
                    &inertia_, &attitude, &accelerations, &largest_difference_, &acceleration_scale_, &count}) {
    *x = *n++;
  }
  compared = static_cast<std::uint64_t>(count);
}

std::vector<std::string> Ledger::warnings(double allowed) const {
  if (!exempt.empty()) return {};
  const std::array<LeftOver, 3> laws = {
      {{"energy", "J", energy.largest, energy.relative()},
       {"momentum", "N s", momentum.largest, momentum.relative()},
       {"angular momentum", "N m s", angular_momentum.largest, angular_momentum.relative()}}};
  return unexplained(laws, allowed, accelerations, other_formulation);
}

std::vector<std::string> unexplained(std::span<const LeftOver> laws, double allowed, double accelerations,
                                     std::string_view other_formulation) {
  std::vector<std::string> list;
  for (const LeftOver& law : laws) {
    if (law.relative <= allowed) continue;
    list.push_back(
        fmt::format("{:.2e} {} of {} are unaccounted for, {:.1e} of its size; {:.1e} would be explained by the "
                    "tolerance. Tighten the tolerance or shorten the step; if it stays, distrust the results",
                    law.largest, law.unit, law.name, law.relative, allowed));
  }
  constexpr double most_disagreement = 1e-7;
  if (!(accelerations <= most_disagreement)) {
    list.push_back(fmt::format("accelerations differ by {:.1e} of the largest from those of {}", accelerations,
                               other_formulation));
  }
  return list;
}

}  // namespace gyrostat
