// What an evaluation costs, in operations that are counted: no clock, and the same on every machine.
#include <cmath>
#include <iostream>
#include <utility>

#include <gtest/gtest.h>

#include "gyrostat/constraints/closed_system.h"
#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/closure_sweeps.h"
#include "gyrostat/dynamics/outward.h"

#include "../../bench/counted.h"
#include "../../bench/mechanisms.h"

namespace gyrostat::testing {
namespace operations_test {

using bench::Counted;
using bench::counter;

/// Of one evaluation of a tower of four-bars: kinematics, the rows that are kept, and accelerations.
long operations(std::size_t bays, bool closed) {
  const System system = bench::system_of(bench::tower(bays, 1, closed));
  const State state = bench::tower_state(system, 1);
  const Mechanism mechanism(system);
  const Constraints constraints = make_constraints(mechanism);
  ClosurePlan plan;
  if (closed) {
    Kinematics<double> kinematics(mechanism);
    update(mechanism, state.q.data(), state.u.data(), kinematics);
    Closures<double> closures = make_closures<double>(constraints);
    const Forces<double> forces(system);
    evaluate_closures(constraints, mechanism, kinematics, state.q.data(), state.u.data(), forces, {}, closures);
    plan = plan_closures(mechanism, kinematics, forces.free, closures);
    EXPECT_EQ(constraints.rows(), 5 * bays);
    EXPECT_EQ(plan.kept.size(), 2 * bays) << "a planar loop of spatial hinges has three rows too many";
  }
  Kinematics<Counted> kinematics(mechanism);
  ArticulatedBodyData<Counted> workspace(mechanism);
  Closures<Counted> closures = make_closures<Counted>(constraints);
  const Forces<Counted> forces(system);
  const std::vector<Counted> q(state.q.begin(), state.q.end()), u(state.u.begin(), state.u.end());
  std::vector<Counted> udot(u.size());
  if (closed) {
    closures.plan = &plan;
    closures.whole = false;
    workspace.closures.resize(plan);
  }
  counter() = {};
  outward<Counted, false>(mechanism, q.data(), u.data(), nullptr, kinematics);
  if (closed) {
    evaluate_closures(constraints, mechanism, kinematics, q.data(), u.data(), forces, {}, closures);
    closed_inward(mechanism, kinematics, u.data(), forces, closures, workspace);
    closed_outward(mechanism, kinematics, forces, closures, workspace, udot.data());
  } else {
    articulated_body_accelerations(mechanism, kinematics, u.data(), forces, workspace, udot.data());
  }
  const long count = counter().flops() + counter().divisions + counter().sincos;
  for (const Counted& x : udot) EXPECT_TRUE(std::isfinite(x.value));
  return count;
}

TEST(Operations, OfATowerOfFourBarsGrowLinearlyAndAreAtMostTwiceThoseOfItsTree) {
  struct Count {
    double closed = 0, tree = 0;
  };
  const auto count = [](std::size_t bays) {
    return Count{static_cast<double>(operations(bays, true)), static_cast<double>(operations(bays, false))};
  };
  const Count few = count(10), more = count(40), many = count(160);
  for (const auto& [loops, n] : {std::pair(10, few), {40, more}, {160, many}}) {
    EXPECT_LE(n.closed, 2 * n.tree) << loops << " loops";
    std::cout << loops << " loops: " << n.closed << " operations, " << n.closed / n.tree
              << " times those of the tree\n";
  }
  // The order of eliminations, and with it what is coupled, differs a little with the numbers.
  EXPECT_NEAR((many.closed - more.closed) / 120, (more.closed - few.closed) / 30, 0.02 * few.closed / 10);
  EXPECT_EQ((many.tree - more.tree) / 120, (more.tree - few.tree) / 30);
}

}  // namespace operations_test
}  // namespace gyrostat::testing
