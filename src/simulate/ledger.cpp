#include "gyrostat/simulate/ledger.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/dynamics/flexible_range.h"
#include "gyrostat/forces/external.h"

namespace gyrostat {

namespace {

constexpr Eigen::Index most_speeds_for_matrices = 300;

/// An exact formulation other than the run's, preferably one with kinematics of its own.
bool is_driven(const SignalProgram& signals, const Constraint& constraint) {
  return std::ranges::any_of(signals.prescribed, [&](const PrescribedMotion& motion) {
    return motion.equal != no_equal && motion.equal >= constraint.first_equal &&
           motion.equal < constraint.first_equal + constraint.equals.size();
  });
}

std::string another_formulation(const Plant& plant) {
  const System& system = plant.system();
  if (system.initial.u.size() > most_speeds_for_matrices) return {};
  for (const std::string_view name : {"augmented_body", "nested_body", "composite_body", "articulated_body"}) {
    if (name != plant.formulation_name() && outside_domain(name, system, plant.settings()).empty())
      return std::string(name);
  }
  return {};
}

}  // namespace

Ledger::Ledger(PlantRun& run, bool kept) : run_(run), kept_(kept) {
  if (!kept) return;
  const Plant& plant = run.plant();
  const SignalProgram& signals = plant.signals();
  sources = signals.forces.sources;
  const std::vector<Constraint>& constraints = plant.system().constraints;
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    source_of_.push_back(sources.size());
    if (is_driven(signals, constraints[k])) sources.push_back(constraints[k].path);
  }
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    if (!is_driven(signals, constraints[k])) source_of_[k] = sources.size();
  }
  if (!constraints.empty()) sources.emplace_back("constraint forces");
  sources.emplace_back("prescribed motion");
  work.assign(sources.size(), 0.0);
  for (Flow& flow : samples_) flow.powers.assign(sources.size(), 0.0);

  jumps_ = !signals.prescribed.empty() || !signals.forces.given.empty() || run.restrained();
  reactions_ = jumps_ || !constraints.empty() || held_by_world(plant.mechanism(), run.discrete().free);
  flows_ = reactions_ || !plant.constants().elements.empty();

  if (is_linearised(plant.formulation_name())) {
    exempt = "a linearised formulation keeps them only to first order";
  } else if (std::ranges::find(plant.settings().gyroscopic, false) != plant.settings().gyroscopic.end()) {
    exempt = "gyroscopic terms are dropped";
  }
  other_formulation = another_formulation(plant);
  if (!other_formulation.empty()) {
    other_.emplace(plant.system(), plant.settings(), other_formulation);
  } else {
    other_formulation = "inverse dynamics";
    inverse_.emplace(plant.mechanism());
  }
}

Ledger::Sums Ledger::find_sums() {
  const Conserved<double>& c = run_.conserved();
  return {c.kinetic, run_.potential_energy(), to_eigen(c.linear), to_eigen(c.angular_com)};
}

void Ledger::start() {
  if (!kept_) return;
  first_ = find_sums();
  const MassProperties whole = total_mass_properties(run_.plant().system(), run_.state().q);
  mass_ = whole.mass;
  inertia_ = whole.inertia.trace() / 2;
  kinetic_scale_ = first_.kinetic;
  // what moves by less than a nanometre a second stands still; the potential energy is known to its last digits only
  constexpr double smallest_radius = 1e-3;  // of gyration [m]
  momentum.floor = 1e-9 * mass_;
  angular_momentum.floor = 1e-9 * std::max(inertia_, smallest_radius * smallest_radius * mass_);
  energy.floor = 1e-15 * (mass_ + inertia_ + std::abs(first_.potential));
  balance(0);
}

void Ledger::sample(std::size_t k) {
  const Instant<double, double> instant = run_.instant();
  Flow& flow = samples_[k];
  std::ranges::fill(flow.powers, 0.0);
  add_powers<double, double>(run_.plant().constants().elements, instant, run_.values(), flow.powers);
  std::span<const Wrench<double>> transmitted;
  if (reactions_) {
    const Reactions& reactions = run_.reactions();
    for (std::size_t i = 0; i < reactions.driving.size(); ++i) {
      flow.powers.back() += reactions.driving[i] * instant.u[i];
    }
    for (const Restraint& r : run_.plant().signals().forces.restraints) {  // at a speed limit: it is the motor's
      const double power = r.of_speed ? reactions.driving[r.u] * instant.u[r.u] : 0;
      flow.powers[r.source] += power;
      flow.powers.back() -= power;
    }
    transmitted = reactions.workspace.transmitted;
  }
  add_constraint_powers(flow);
  const External external =
      find_external(instant, reactions_ ? run_.forces_with_constraints() : run_.forces(), transmitted);
  flow.force = to_eigen(external.force);
  flow.torque = to_eigen(external.torque);
}

/// A row's force has the power of its multiplier times J u: for what stands still only what its violation gives it.
void Ledger::add_constraint_powers(Flow& flow) {
  if (!run_.constrained()) return;
  const Closures<double>& closures = run_.solved_closures();
  const Constraints& constraints = run_.plant().constraints();
  for (std::size_t k = 0; k + 1 < constraints.first_row.size(); ++k) {
    for (std::uint32_t r = constraints.first_row[k]; r < constraints.first_row[k + 1]; ++r) {
      const std::uint32_t equal = constraints.equal_of[r];
      const double given = equal == no_equal ? 0 : run_.forces().equals[equal].rate;
      flow.powers[source_of_[k]] += closures.multipliers[r] * (closures.values.rows[r].rate + given);
    }
  }
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
  if (!kept_) return;
  const Sums now = find_sums();
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
    b.residual = error;
    b.largest = std::max(b.largest, std::abs(error));
  };
  put(energy, now.kinetic - first_.kinetic + now.potential - first_.potential - done);
  put(momentum, (now.momentum - first_.momentum - impulse_).norm());
  put(angular_momentum, (now.angular - first_.angular - angular_impulse_).norm());
  attitude = std::max(attitude, distance_from_unit);
  note_flexible();
}

void Ledger::note_flexible() {
  const PlantData<double>& data = run_.data();
  for (std::size_t k = 0; k < run_.plant().system().flexible.size(); ++k) {
    const FlexibleRange range = range_of(run_.plant().mechanism(), data.kinematics, data.q.data(), k);
    spin.take(range.spin, k);
    deflection.take(range.deflection, k);
  }
}

void Ledger::before_jump() {
  if (jumps_) jump_ = find_sums();
}

/// What an event gives to the energy is work of impulses: of latches, friction and stops, and what is left of the
/// drives whose rates jumped; and so with momenta where the world is what they push against.
void Ledger::after_jump() {
  if (!jumps_) return;
  const Sums after = find_sums();
  double left = after.kinetic + after.potential - jump_.kinetic - jump_.potential;
  const std::vector<double>& impulsive = run_.impulsive_work();
  for (std::size_t k = 0; k < impulsive.size(); ++k) {
    work[k] += impulsive[k];
    left -= impulsive[k];
  }
  if (!run_.plant().signals().prescribed.empty()) work.back() += left;
  if (!held_by_world(run_.plant().mechanism(), run_.discrete().free)) return;
  impulse_ += after.momentum - jump_.momentum;
  angular_impulse_ += after.angular - jump_.angular;
}

/// Accelerations below this are rounding: those of a body at rest, or that spins about a principal axis.
double Ledger::acceleration_floor(const State& state) const {
  constexpr double at_rest = 1e-9;  // [m/s^2, rad/s^2]
  double fastest = 0;
  for (const Joint& joint : run_.plant().system().joints) {
    const std::uint32_t first = has_quaternion(joint.type) ? 0 : joint.translations;  // of its rotational speeds
    const std::uint32_t count = has_quaternion(joint.type) ? 3 : joint.rotations;
    for (std::uint32_t k = first; k < std::min<std::uint32_t>(first + count, joint.nu); ++k) {
      fastest = std::max(fastest, std::abs(state.u[Eigen::Index{joint.u} + k]));
    }
  }
  return std::max(at_rest, fastest * fastest);
}

void Ledger::compare_accelerations() {
  const Eigen::VectorXd udot = run_.udot();
  if (udot.size() == 0) return;
  double difference = 0, scale = udot.cwiseAbs().maxCoeff();
  const State state = run_.state();
  if (run_.constrained()) scale = std::max(scale, run_.largest_unconstrained());  // of which rounding may be left
  if (other_) {
    Eigen::VectorXd again;
    other_->update(state);
    other_->accelerations(state, run_.forces(), again);
    difference = (again - udot).cwiseAbs().maxCoeff();
  } else {
    std::vector<double> tau(static_cast<std::size_t>(udot.size())), at_rest(tau.size());
    const Mechanism& mechanism = run_.plant().mechanism();
    const Forces<double>& acting = run_.forces_with_constraints();
    const auto needed = [&](const double* rates, std::vector<double>& forces) {
      inverse_dynamics(mechanism, state.q.data(), state.u.data(), rates, acting, *inverse_, forces.data());
    };
    needed(udot.data(), tau);
    needed(Eigen::VectorXd::Zero(udot.size()).eval().data(), at_rest);
    scale = 0;
    for (std::size_t k = 0; k < tau.size(); ++k) {
      if (!acting.free[k]) continue;
      scale = std::max({scale, std::abs(tau[k]), std::abs(at_rest[k])});
      difference = std::max(difference, std::abs(tau[k] - acting.tau[k]));
    }
  }
  largest_difference_ = std::max(largest_difference_, difference);
  acceleration_scale_ = std::max({acceleration_scale_, scale, acceleration_floor(state)});
  accelerations = largest_difference_ / acceleration_scale_;
  ++compared;
}

std::vector<double> Ledger::save() const {
  std::vector<double> n = work;
  for (const Vector3* v : {&impulse_, &angular_impulse_, &first_.momentum, &first_.angular}) {
    n.insert(n.end(), v->data(), v->data() + 3);
  }
  for (const Balance* b : {&energy, &momentum, &angular_momentum})
    n.insert(n.end(), {b->residual, b->largest, b->scale, b->floor});
  n.insert(n.end(), {first_.kinetic,
                     first_.potential,
                     potential_scale_,
                     kinetic_scale_,
                     internal_scale_,
                     mass_,
                     inertia_,
                     attitude,
                     violation.position,
                     violation.speed,
                     dependent_since,
                     dependent_of,
                     assembled.position,
                     assembled.speed,
                     spin.value,
                     spin.of,
                     deflection.value,
                     deflection.of,
                     accelerations,
                     largest_difference_,
                     acceleration_scale_,
                     static_cast<double>(compared)});
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
  for (double* x : {&first_.kinetic,
                    &first_.potential,
                    &potential_scale_,
                    &kinetic_scale_,
                    &internal_scale_,
                    &mass_,
                    &inertia_,
                    &attitude,
                    &violation.position,
                    &violation.speed,
                    &dependent_since,
                    &dependent_of,
                    &assembled.position,
                    &assembled.speed,
                    &spin.value,
                    &spin.of,
                    &deflection.value,
                    &deflection.of,
                    &accelerations,
                    &largest_difference_,
                    &acceleration_scale_,
                    &count}) {
    *x = *n++;
  }
  compared = count >= 0 && count < 1e15 ? static_cast<std::uint64_t>(count) : 0;  // or damaged
}

std::vector<std::string> Ledger::warnings(double allowed) const {
  if (!exempt.empty()) return {};
  const std::array<LawResidual, 3> laws = {
      {{"energy", "J", energy.largest, energy.relative()},
       {"momentum", "N s", momentum.largest, momentum.relative()},
       {"angular momentum", "N m s", angular_momentum.largest, angular_momentum.relative()}}};
  return unexplained(laws, allowed, accelerations, other_formulation);
}

std::vector<std::string> unexplained(std::span<const LawResidual> laws, double allowed, double accelerations,
                                     std::string_view other_formulation) {
  std::vector<std::string> list;
  for (const LawResidual& law : laws) {
    if (law.relative <= allowed) continue;
    list.push_back(
        fmt::format("the residual of {2} is {0:.2e} {1}, {3:.1e} of its scale; {4:.1e} would be explained by the "
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
