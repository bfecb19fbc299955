// Speeds that jump: the equations of motion without velocities and finite forces, with jumps in place of accelerations
// and impulses in place of forces (docs/theory/mechanisms.md).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "gyrostat/math/box_minimum.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

namespace {

constexpr double least_compliance = 1e-13;  // of a compliance that constraints make zero, over that without them
constexpr double most_left = 1e-7, most_amplified = 10;  // of a speed that constraints do not allow

}  // namespace

/// The changes of all speeds by the impulses of stops, and by the jumps that are given unless these are to be zero.
void PlantRun::solve_impulses(AtRest& r, const Jumps& jumps, bool given) {
  std::ranges::fill(r.forces.tau, 0.0);
  for (const Jumps::Stop& stop : jumps.stops) {
    r.forces.tau[plant_.signals().forces.restraints[stop.restraint].u] += stop.direction * stop.impulse;
  }
  for (std::size_t k = 0; k < jumps.speeds.size(); ++k) r.forces.udot[k] = given ? jumps.speeds[k] : 0;
  for (std::size_t k = 0; k < jumps.equals.size(); ++k) r.forces.equals[k].acceleration = given ? jumps.equals[k] : 0;
  if (!r.closures.empty()) {
    evaluate_closures(plant_.constraints(), plant_.mechanism(), r.kinematics, data_.q.data(), r.speeds.data(), r.forces,
                      {}, r.closures);
  }
  solve_at_rest(r);
}

/// Impulses that only push, and that end where the speed after them is more than `least`: (8). `restitution` is that of
/// all stops, or of each its own. The work of the stops.
std::optional<std::string> PlantRun::find_stop_impulses(AtRest& r, const double* u, std::optional<double> restitution,
                                                        Jumps& jumps, double& work) {
  const std::vector<Restraint>& restraints = plant_.signals().forces.restraints;
  const auto n = static_cast<Eigen::Index>(jumps.stops.size());
  const auto along = [&](Eigen::Index i, const std::vector<double>& change) {
    const Jumps::Stop& stop = jumps.stops[static_cast<std::size_t>(i)];
    return stop.direction * change[restraints[stop.restraint].u];
  };
  work = 0;
  for (Jumps::Stop& stop : jumps.stops) stop.impulse = 0;
  solve_impulses(r, jumps, true);
  Eigen::VectorXd before(n), excess(n);  // speeds without impulses of stops; and by how much they are enough
  for (Eigen::Index i = 0; i < n; ++i) {
    Jumps::Stop& stop = jumps.stops[static_cast<std::size_t>(i)];
    const Restraint& restraint = restraints[stop.restraint];
    const double speed = stop.direction * u[restraint.u];
    before[i] = speed + along(i, r.change);
    const double met = std::max(0.0, std::min(-speed, -before[i]));
    stop.least = restitution.value_or(restraint.restitution) * met;
    excess[i] = before[i] - stop.least;
  }
  if (n == 0 || (!constrained() && excess.minCoeff() >= 0)) return std::nullopt;
  Eigen::MatrixXd W(n, n);
  std::optional<ArticulatedBodyData<double>> apart;
  if (constrained()) apart.emplace(plant_.mechanism());
  std::vector<double> alone(constrained() ? r.change.size() : 0);  // without the constraints
  const double largest =
      std::accumulate(u, u + r.change.size(), 0.0, [](double x, double y) { return std::max(x, std::abs(y)); });
  for (Eigen::Index j = 0; j < n; ++j) {
    Jumps::Stop& stop = jumps.stops[static_cast<std::size_t>(j)];
    stop.impulse = 1;
    solve_impulses(r, jumps, false);
    stop.impulse = 0;
    for (Eigen::Index i = 0; i < n; ++i) W(i, j) = along(i, r.change);
    if (!constrained()) continue;
    accelerations(plant_.mechanism(), r.kinematics, r.speeds.data(), r.forces, *apart, alone.data());
    stop.still = W(j, j) <= least_compliance * along(j, alone) &&
                 std::abs(before[j]) <= most_left * (1 + largest) + most_amplified * violation_before_;
    if (stop.still) excess[j] = 0;
  }
  if (excess.minCoeff() >= 0) {
    solve_impulses(r, jumps, true);
    return std::nullopt;
  }
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!jumps.stops[static_cast<std::size_t>(j)].still) continue;
    W.row(j).setZero();
    W.col(j).setZero();
  }
  const auto impulses =
      minimum_in_box((W + W.transpose()) / 2, excess, Eigen::VectorXd::Zero(n), Eigen::VectorXd::Constant(n, never));
  if (!impulses) {
    return fmt::format(
        "no impulse keeps {} within its stops: what moves it is prescribed or given by constraints, and has no other "
        "way to go",
        restraints[jumps.stops.front().restraint].name);
  }
  for (Eigen::Index i = 0; i < n; ++i) jumps.stops[static_cast<std::size_t>(i)].impulse = (*impulses)[i];
  solve_impulses(r, jumps, true);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Jumps::Stop& stop = jumps.stops[static_cast<std::size_t>(i)];
    const double after = stop.direction * u[restraints[stop.restraint].u] + along(i, r.change);
    work += (*impulses)[i] * (before[i] + after) / 2;
  }
  return std::nullopt;
}

/// What joints transmit as speeds jump, with the impulses of the constraints.
const Reactions& PlantRun::find_impulsive_reactions(AtRest& r) {
  Forces<double> exerted = r.forces;
  if (!r.closures.empty()) {
    std::vector<double> multipliers(r.closures.multipliers.size());
    for (const std::uint32_t row : r.closures.plan->kept) multipliers[row] = r.closures.multipliers[row];
    add_forces(r.closures, multipliers, exerted);
  }
  if (!r.reactions) r.reactions.emplace(plant_.mechanism());
  find_reactions(plant_.mechanism(), data_.q.data(), r.speeds.data(), r.change.data(), exerted, *r.reactions);
  return *r.reactions;
}

/// An impulse does the work of its mean speed: (7).
void PlantRun::note_work(AtRest& r, const double* u, const Jumps& jumps) {
  const ForceModel& model = plant_.signals().forces;
  const auto mean = [&](std::uint32_t k) { return u[k] + r.change[k] / 2; };
  for (const Jumps::Stop& stop : jumps.stops) {
    const Restraint& restraint = model.restraints[stop.restraint];
    impulsive_work_[restraint.source] += stop.direction * stop.impulse * mean(restraint.u);
  }
  const Reactions& impulses = find_impulsive_reactions(r);
  const auto add = [&](std::uint32_t k, std::uint32_t source) {
    if (!r.forces.free[k]) impulsive_work_[source] += impulses.driving[k] * mean(k);
  };
  for (std::size_t i = 0; i < model.latches.size(); ++i) {
    const JointLatch& latch = model.latches[i];
    for (std::uint32_t k = latch.u; discrete_.latched[i] && k < latch.u + latch.nu; ++k) add(k, latch.source);
  }
  for (const Restraint& restraint : model.restraints) {
    if (!is_latched(restraint)) add(restraint.u, restraint.source);
  }
}

/// Precondition: discrete_.free says which speeds the impulses decide, and the state is at stage velocity.
std::optional<std::string> PlantRun::jump(double t, double* y, Jumps& jumps) {
  const std::vector<Restraint>& restraints = plant_.signals().forces.restraints;
  double* u = y + plant_.layout().u;
  AtRest& r = at_rest();
  double work = 0, least_restitution = 1;
  if (auto why = find_stop_impulses(r, u, std::nullopt, jumps, work)) return why;
  for (const Jumps::Stop& stop : jumps.stops) {
    if (stop.impulse > 0) least_restitution = std::min(least_restitution, restraints[stop.restraint].restitution);
  }
  // No energy comes from nothing: with different restitutions it might, and where a latch that closes moves a joint
  // away from its stop while others push it back.
  for (const double restitution : {least_restitution, 0.0}) {
    if (!(work > 0)) break;
    if (auto why = find_stop_impulses(r, u, restitution, jumps, work)) return why;
  }
  if (restrained()) note_work(r, u, jumps);
  double largest = 0;
  for (std::size_t k = 0; k < r.change.size(); ++k) {
    if (!std::isfinite(r.change[k])) {
      return "no impulses give the speeds that latches, stops and prescribed motions ask for";
    }
    u[k] += r.change[k];
    largest = std::max(largest, std::abs(r.change[k]));
  }
  if (!constrained() || !restrained()) return std::nullopt;
  violation(t, y);
  project_speeds(y);  // the impulses leave the violation that was there before
  const Violation left = violation(t, y);
  if (!(left.speed <= most_left * (1 + largest) + most_amplified * violation_before_)) {
    return fmt::format(
        "no impulses stop what latches and stops hold at this instant: the rate of '{}' would be {:.3g}; what a "
        "constraint prescribes cannot be stopped",
        constraint_of_row(left.row).name, left.speed);
  }
  return std::nullopt;
}

/// Where prescribed rates jump, impulses of their drives make the others jump too.
std::optional<std::string> PlantRun::jump_velocities(double t, double* y, const State& before,
                                                     const std::vector<GivenValue<double>>& equals,
                                                     std::vector<Change>& changes) {
  bool any = false;
  Jumps jumps(plant_);
  for (const PrescribedMotion& motion : plant_.signals().prescribed) {
    double& by = motion.equal != no_equal ? jumps.equals[motion.equal] : jumps.speeds[motion.u];
    by = motion.equal != no_equal ? data_.forces.equals[motion.equal].rate - equals[motion.equal].rate
                                  : data_.u[motion.u] - before.u[motion.u];
    any = any || by != 0;
  }
  return any ? strike(t, y, jumps, changes) : std::nullopt;
}

}  // namespace gyrostat
