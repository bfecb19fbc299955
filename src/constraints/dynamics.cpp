#include "gyrostat/constraints/dynamics.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/constraints/refusal.h"

namespace gyrostat {

ClosurePlan plan_closures(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                          const std::vector<Truth>& free, const Closures<double>& closures) {
  const ClosureChoice choice = choose_rows(mechanism, kinematics, free, *closures.structure, closures.values);
  if (choice.massless != 0) {
    throw ClosureError(
        fmt::format("joint '{}' {}", mechanism.system->joints[choice.massless].name, massless_before_closed));
  }
  return make_plan(mechanism, *closures.structure, choice.node_of, choice.scale);
}

Dynamics::Dynamics(const System& system, const DynamicsSettings& settings, std::string_view formulation)
    : mechanism_(system, settings),
      kinematics_(mechanism_),
      formulation_(make_formulation(mechanism_, settings, formulation)),
      data_(make_data(formulation_, mechanism_)),
      constraints_(make_constraints(mechanism_)),
      closures_(make_closures<double>(constraints_)) {}

void Dynamics::update(const State& state) { gyrostat::update(mechanism_, state.q.data(), state.u.data(), kinematics_); }

void Dynamics::accelerations(const State& state, const Forces<double>& forces, Eigen::VectorXd& udot) {
  udot.resize(state.u.size());
  const auto solve = [&] {
    gyrostat::accelerations(mechanism_, formulation_, kinematics_, state.q.data(), state.u.data(), forces, closures_,
                            data_, udot.data());
  };
  if (closures_.empty() || !uses_kinematics(formulation_)) return solve();
  std::ranges::fill(closures_.multipliers, 0.0);  // those of rows that the plan does not keep
  evaluate_closures(constraints_, mechanism_, kinematics_, state.q.data(), state.u.data(), forces, {}, closures_);
  const auto plan = [&] {
    plan_ = plan_closures(mechanism_, kinematics_, forces.free, closures_);
    planned_for_ = forces.free;
    closures_.plan = &plan_;
    std::ranges::fill(closures_.multipliers, 0.0);
    solve();
  };
  const auto same = [](const Truth& a, const Truth& b) { return a.is == b.is; };
  if (closures_.plan == nullptr || !std::ranges::equal(planned_for_, forces.free, same)) return plan();
  solve();
  if (!(closures_.health > closures_.weak)) plan();  // other rows may be better here
}

}  // namespace gyrostat
