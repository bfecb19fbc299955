// A run under constraints: plans, violations, projection, and what the multipliers exert.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

PlantRun::AtRest& PlantRun::at_rest() {
  if (!at_rest_) at_rest_ = std::make_unique<AtRest>(plant_);
  AtRest& r = *at_rest_;
  const Mechanism& mechanism = plant_.mechanism();
  r.forces.free = data_.forces.free;
  std::ranges::fill(r.forces.udot, 0.0);
  std::ranges::fill(r.forces.tau, 0.0);
  for (std::size_t k = 0; k < r.forces.equals.size(); ++k) r.forces.equals[k] = {data_.forces.equals[k].value, 0, 0};
  update(mechanism, data_.q.data(), r.speeds.data(), r.kinematics);
  if (!r.closures.empty()) {
    r.closures.plan = &discrete_.closures;
    r.closures.weak = data_.closures.weak;
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

void PlantRun::evaluate_all_rows() {
  data_.closures.whole = true;
  evaluate_closures(plant_.constraints(), plant_.mechanism(), data_.kinematics, data_.q.data(), data_.u.data(),
                    data_.forces, plant_.feedback(), data_.closures);
}

const PlantRun::Recursion& PlantRun::solve_by_recursion() {
  data_.require(Stage::forces);
  if (!recursion_) recursion_ = std::make_unique<Recursion>(plant_);
  Recursion& r = *recursion_;
  const Mechanism& mechanism = plant_.mechanism();
  const double* u = data_.u.data();
  if (data_.closures.empty()) {
    accelerations(mechanism, data_.kinematics, u, data_.forces, r.articulated, r.udot.data());
    return r;
  }
  r.articulated.closures.resize(*data_.closures.plan);
  solve_closed(plant_.constraints(), mechanism, data_.kinematics, data_.q.data(), u, data_.forces, plant_.feedback(),
               data_.closures, [&] {
                 accelerations(mechanism, data_.kinematics, u, data_.forces, data_.closures, r.articulated,
                               r.udot.data());
               });
  return r;
}

const Closures<double>& PlantRun::solved_closures() {
  data_.require(Stage::acceleration);
  const Formulation& formulation = plant_.formulation();
  const bool tells =
      std::holds_alternative<ArticulatedBody>(formulation) || std::holds_alternative<CompositeBody>(formulation);
  if (!tells && !data_.solved_by_recursion) solve_by_recursion();
  data_.solved_by_recursion = true;
  return data_.closures;
}

Violation PlantRun::violation(double t, const double* y) {
  Violation v;
  if (data_.closures.empty()) return v;
  evaluate(t, y, Stage::velocity);
  evaluate_all_rows();
  for (std::size_t r = 0; r < data_.closures.values.rows.size(); ++r) {
    const ConstraintRow<double>& row = data_.closures.values.rows[r];
    if (!(std::abs(row.residual) <= v.position)) v.position = std::abs(row.residual), v.row = r;
    if (!(std::abs(row.rate) <= v.speed)) v.speed = std::abs(row.rate);
  }
  return v;
}

/// The least change of speeds, in the metric of the masses, that undoes residuals or rates of the rows last evaluated.
const double* PlantRun::undo(double ConstraintRow<double>::*what) {
  AtRest& r = at_rest();
  for (std::size_t k = 0; k < r.closures.demanded.size(); ++k) {
    r.closures.demanded[k] = -(data_.closures.values.rows[k].*what);
  }
  solve_at_rest(r);
  return r.change.data();
}

/// Onto the rates of the constraints, all rows of which are evaluated at y.
void PlantRun::project_speeds(double* y) {
  const double* change = undo(&ConstraintRow<double>::rate);
  for (std::size_t k = 0; k < plant_.layout().nu; ++k) y[plant_.layout().u + k] += change[k];
}

Violation PlantRun::project(double t, double* y, double allowed) {
  constexpr int most_iterations = 6;
  Violation v = violation(t, y);
  const Layout& layout = plant_.layout();
  for (int pass = 0; pass < most_iterations && v.position > allowed; ++pass) {
    std::vector<double> step(layout.size);
    layout.gather_rates(y, data_.q.data(), undo(&ConstraintRow<double>::residual), step.data());
    for (std::size_t k = 0; k < layout.u; ++k) y[k] += step[k];
    layout.project(y);
    const double before = v.position;
    v = violation(t, y);
    if (!(v.position < 0.9 * before)) break;
  }
  if (v.speed > allowed) {
    project_speeds(y);
    const std::size_t row = v.row;
    v = violation(t, y);
    v.row = row;
  }
  return v;
}

void PlantRun::replan() {
  evaluate_all_rows();
  ClosurePlan plan = plan_closures(plant_.mechanism(), data_.kinematics, data_.forces.free, data_.closures);
  if (plan.kept.size() < discrete_.closures.kept.size()) return;
  discrete_.closures = std::move(plan);
  take_over_discrete();
}

void PlantRun::set_near_singularity(bool is) { data_.closures.weak = is ? suspect_pivot : weak_pivot; }

double PlantRun::largest_unconstrained() {
  data_.require(Stage::acceleration);
  ArticulatedBodyData<double> workspace(plant_.mechanism());
  Eigen::VectorXd udot(static_cast<Eigen::Index>(data_.udot.size()));
  accelerations(plant_.mechanism(), data_.kinematics, data_.u.data(), data_.forces, workspace, udot.data());
  return udot.size() == 0 ? 0 : udot.cwiseAbs().maxCoeff();
}

const Constraint& PlantRun::constraint_of_row(std::size_t row) const {
  return plant_.system().constraints[plant_.constraints().constraint_of(row)];
}

std::vector<Redundant> PlantRun::redundant() const {
  return find_redundant(plant_.system(), plant_.constraints(), discrete_.closures.node_of);
}

std::size_t PlantRun::weakest_constraint() {
  const ClosureData<double>& found = solve_by_recursion().articulated.closures;
  const ClosurePlan& plan = *data_.closures.plan;
  const auto weaker = [&](std::size_t a, std::size_t b) {  // pivots are reciprocals
    return found.pivot[a] * plan.inverse_scale[b] > found.pivot[b] * plan.inverse_scale[a];
  };
  std::size_t weakest = 0;
  for (std::size_t k = 1; k < plan.kept.size(); ++k) weakest = weaker(k, weakest) ? k : weakest;
  return plant_.constraints().constraint_of(plan.kept[weakest]);
}

const Multipliers& PlantRun::multipliers() {
  if (data_.multipliers_known) return multipliers_;
  solved_closures();
  if (!data_.closures.whole) evaluate_all_rows();
  multipliers_ = unique_or_least(plant_.mechanism(), data_.kinematics, data_.forces.free, data_.closures);
  data_.multipliers_known = true;
  return multipliers_;
}

IndeterminateForces PlantRun::indeterminate() {
  solved_closures();
  if (!data_.closures.whole) evaluate_all_rows();
  return find_indeterminate(plant_.mechanism(), plant_.constraints(), data_.kinematics, data_.q.data(),
                            data_.forces.free, data_.closures);
}

const Forces<double>& PlantRun::forces_with_constraints() {
  data_.require(Stage::acceleration);
  if (data_.closures.empty()) return data_.forces;
  exerted_ = data_.forces;
  add_forces(data_.closures, multipliers().values, *exerted_);
  return *exerted_;
}

Reaction PlantRun::reaction_of_cut_joint(std::size_t constraint) {
  const auto& all = plant_.system().constraints;
  const auto before = std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(constraint),
                                    [](const Constraint& one) { return std::holds_alternative<CutJoint>(one.kind); });
  const auto& cut = std::get<std::vector<CutJointConstraint<double>>>(plant_.constraints().kinds);
  return reaction_of(cut[static_cast<std::size_t>(before)], plant_.mechanism(), data_.kinematics, data_.closures,
                     multipliers().values);
}

}  // namespace gyrostat
