// A run under constraints: plans, violations, projection, and what the multipliers exert.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/QR>
#include <fmt/format.h>

#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/dynamics/inverse_dynamics.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

PlantRun::AtRest& PlantRun::at_rest() {
  if (!at_rest_) at_rest_ = std::make_unique<AtRest>(plant_);
  AtRest& r = *at_rest_;
  const Mechanism& mechanism = plant_.mechanism();
  r.forces.free = data_.forces.free;
  std::ranges::fill(r.forces.udot, 0.0);
  for (std::size_t k = 0; k < r.forces.equals.size(); ++k) r.forces.equals[k] = {data_.forces.equals[k].value, 0, 0};
  update(mechanism, data_.q.data(), r.speeds.data(), r.kinematics);
  if (!r.closures.empty()) {
    r.closures.plan = &discrete_.closures;
    r.articulated.closures.resize(discrete_.closures);
    evaluate_closures(plant_.constraints(), mechanism, r.kinematics, data_.q.data(), r.speeds.data(), r.forces, {},
                      r.closures);
  }
  return r;
}

/// The change of speeds that `forces.udot`, of given ones, and `closures.demanded` ask for.
void PlantRun::solve_at_rest(AtRest& r) {
  const Mechanism& mechanism = plant_.mechanism();
  if (r.closures.empty()) {
    accelerations(mechanism, r.kinematics, r.speeds.data(), r.forces, r.articulated, r.change.data());
  } else {
    accelerations(mechanism, r.kinematics, r.speeds.data(), r.forces, r.closures, r.articulated, r.change.data());
  }
}

/// Where prescribed rates jump, impulses of their drives make the others jump too: the equations of motion without
/// velocities and forces, with jumps in place of accelerations.
void PlantRun::jump_velocities(const State& before, const std::vector<GivenValue<double>>& equals, double* y) {
  bool any = false;
  AtRest& r = at_rest();
  for (const PrescribedMotion& motion : plant_.signals().prescribed) {
    double& jump = motion.equal != no_equal ? r.forces.equals[motion.equal].acceleration : r.forces.udot[motion.u];
    jump = motion.equal != no_equal ? data_.forces.equals[motion.equal].rate - equals[motion.equal].rate
                                    : data_.u[motion.u] - before.u[motion.u];
    any = any || jump != 0;
  }
  if (!any) return;
  if (!r.closures.empty()) {
    evaluate_closures(plant_.constraints(), plant_.mechanism(), r.kinematics, data_.q.data(), r.speeds.data(), r.forces,
                      {}, r.closures);
  }
  solve_at_rest(r);
  for (std::size_t k = 0; k < r.change.size(); ++k) y[plant_.layout().u + k] += r.change[k];
}

/// At the start: the state onto the constraints, unless it is to stay as it was given, and a plan for it.
void PlantRun::close_constraints(double* y, bool as_given) {
  if (!as_given) {
    assembly_ = assemble(plant_.mechanism(), plant_.constraints(), state(), data_.forces.free, data_.forces.equals);
    plant_.layout().gather(assembly_->state, y);
    set_state(plant_, data_, 0.0, y);
  }
  discrete_.closures = plant_.plan_at(state().q, data_.forces.free);
  take_over_discrete();
}

Violation PlantRun::violation(double t, const double* y) {
  Violation v;
  if (data_.closures.empty()) return v;
  evaluate(t, y, Stage::velocity);
  evaluate_closures(plant_.constraints(), plant_.mechanism(), data_.kinematics, data_.q.data(), data_.u.data(),
                    data_.forces, plant_.feedback(), data_.closures);
  for (std::size_t r = 0; r < data_.closures.values.rows.size(); ++r) {
    const ConstraintRow<double>& row = data_.closures.values.rows[r];
    if (!(std::abs(row.residual) <= v.position)) v.position = std::abs(row.residual), v.row = r;
    if (!(std::abs(row.rate) <= v.speed)) v.speed = std::abs(row.rate);
  }
  return v;
}

Violation PlantRun::project(double t, double* y, double allowed) {
  constexpr int most_iterations = 6;
  Violation v = violation(t, y);
  const Layout& layout = plant_.layout();
  for (int pass = 0; pass < most_iterations && v.position > allowed; ++pass) {
    AtRest& r = at_rest();
    for (std::size_t k = 0; k < r.closures.demanded.size(); ++k) {
      r.closures.demanded[k] = -data_.closures.values.rows[k].residual;
    }
    solve_at_rest(r);
    std::vector<double> step(layout.size);
    layout.gather_rates(y, data_.q.data(), r.change.data(), step.data());
    for (std::size_t k = 0; k < layout.u; ++k) y[k] += step[k];
    layout.project(y);
    const double before = v.position;
    v = violation(t, y);
    if (!(v.position < 0.9 * before)) break;
  }
  if (v.speed > allowed) {
    AtRest& r = at_rest();
    for (std::size_t k = 0; k < r.closures.demanded.size(); ++k) {
      r.closures.demanded[k] = -data_.closures.values.rows[k].rate;
    }
    solve_at_rest(r);
    for (std::size_t k = 0; k < r.change.size(); ++k) y[layout.u + k] += r.change[k];
    const std::size_t row = v.row;
    v = violation(t, y);
    v.row = row;
  }
  return v;
}

std::optional<std::string> PlantRun::replan() {
  ClosurePlan plan = plan_closures(plant_.mechanism(), data_.kinematics, data_.forces.free, data_.closures);
  const std::vector<std::uint32_t>& before = discrete_.closures.node_of;
  for (std::size_t r = 0; r < before.size(); ++r) {
    const bool lost = before[r] != ClosurePlan::none && plan.node_of[r] == ClosurePlan::none;
    if (lost && plan.kept.size() < discrete_.closures.kept.size()) return constraint_of_row(r).name;
  }
  discrete_.closures = std::move(plan);
  take_over_discrete();
  return std::nullopt;
}

const Constraint& PlantRun::constraint_of_row(std::size_t row) const {
  const std::vector<std::uint32_t>& first = plant_.constraints().first_row;
  const auto after = std::ranges::upper_bound(first, row);
  return plant_.system().constraints[static_cast<std::size_t>(after - first.begin()) - 1];
}

/// A formulation with constraints of its own leaves the multipliers of these rows as they were: they become those of
/// least norm that exert what its accelerations need beyond the other forces.
static void find_multipliers(const Mechanism& mechanism, PlantData<double>& data) {
  Closures<double>& closures = data.closures;
  const auto rows = static_cast<Eigen::Index>(closures.multipliers.size()),
             speeds = static_cast<Eigen::Index>(mechanism.nu);
  Eigen::VectorXd needed(speeds);
  InverseDynamics<double> inverse(mechanism);
  inverse_dynamics(mechanism, data.q.data(), data.u.data(), data.udot.data(), data.forces, inverse, needed.data());
  std::vector<std::uint32_t> all(closures.multipliers.size());
  std::iota(all.begin(), all.end(), 0U);
  Eigen::MatrixXd J(rows, speeds);
  find_jacobian(mechanism, data.kinematics, *closures.structure, closures.values, all, J);
  for (Eigen::Index k = 0; k < speeds; ++k) {
    const bool free = data.forces.free[static_cast<std::size_t>(k)];
    needed[k] = free ? needed[k] - data.forces.tau[static_cast<std::size_t>(k)] : 0;
    if (!free) J.col(k).setZero();
  }
  constexpr double dependent = 1e-9;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(dependent);
  factors.compute(J.transpose());
  Eigen::Map<Eigen::VectorXd>(closures.multipliers.data(), rows) = factors.solve(needed);
}

const Multipliers& PlantRun::multipliers() {
  data_.require(Stage::acceleration);
  if (!uses_kinematics(plant_.formulation())) find_multipliers(plant_.mechanism(), data_);
  multipliers_ = unique_or_least(plant_.mechanism(), data_.kinematics, data_.forces.free, data_.closures);
  return multipliers_;
}

const Forces<double>& PlantRun::forces_with_constraints() {
  data_.require(Stage::acceleration);
  if (data_.closures.empty()) return data_.forces;
  exerted_ = data_.forces;
  add_forces(data_.closures, multipliers().values, *exerted_);
  return *exerted_;
}

Reaction PlantRun::reaction_of_cut_joint(std::size_t constraint) {
  const std::uint32_t first = plant_.constraints().first_row[constraint];
  const auto& cut = std::get<std::vector<CutJointConstraint<double>>>(plant_.constraints().kinds);
  const auto joint = std::ranges::find(cut, first, &CutJointConstraint<double>::first_row);
  return reaction_of(*joint, plant_.mechanism(), data_.kinematics, data_.closures, multipliers().values);
}

}  // namespace gyrostat
