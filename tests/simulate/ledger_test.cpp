// What the ledger of a run leaves over: little where the run is right, much where it is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace ledger_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> warnings_of(const Flight& run) {
  return run.simulation.ledger().warnings(ledger_allowance(run.simulation.settings().integrator));
}

Flight::Adjust with(const std::string& method, double tolerance, double step = 1e-3) {
  return [=](RunSettings& s) { s.integrator = {method, tolerance, step, 0}; };
}

/// Three rotations about axes can come near lock, where no tolerance is kept.
bool may_lock(const Loaded& loaded) {
  return std::ranges::any_of(loaded.model.value().description.joints, [](const JointDescription& j) {
    return !has_quaternion(j.type) && j.rotations.size() == 3;
  });
}

void expect_balanced(const std::string& method, double tolerance, GravityGradient gradient) {
  int flown = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    RandomFlightOptions options;
    options.gradient = gradient;
    if (gradient == GravityGradient::full) {  // no springs to the centre of attraction
      options.held = 0;
      options.loads = false;
    }
    Loaded loaded = random_flight(seed, options);
    if (may_lock(loaded)) continue;
    const Flight run(std::move(loaded), with(method, tolerance));
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << "seed " << seed << ": " << run.outcome.failure;
    EXPECT_THAT(warnings_of(run), IsEmpty()) << method << " " << tolerance << ", seed " << seed;
    EXPECT_LT(run.simulation.ledger().accelerations, 1e-9) << "seed " << seed;
    EXPECT_GT(run.simulation.ledger().compared, 5u) << "seed " << seed;
    ++flown;
  }
  EXPECT_GT(flown, 40);
}

TEST(Ledger, BalancesEveryFlightWithDopri5) {
  expect_balanced("dopri5", 1e-6, GravityGradient::none);
  expect_balanced("dopri5", 1e-10, GravityGradient::perturbation);
}
TEST(Ledger, BalancesEveryFlightWithAdams) {
  expect_balanced("cvode_adams", 1e-6, GravityGradient::perturbation);
  expect_balanced("cvode_adams", 1e-10, GravityGradient::none);
}
TEST(Ledger, BalancesEveryFlightWithBdf) {
  expect_balanced("cvode_bdf", 1e-6, GravityGradient::none);
  expect_balanced("cvode_bdf", 1e-9, GravityGradient::perturbation);
}
TEST(Ledger, BalancesEveryFlightWithRk4) { expect_balanced("rk4", 1e-6, GravityGradient::none); }
TEST(Ledger, BalancesWhereTheOrbitIsIntegratedAlong) { expect_balanced("dopri5", 1e-9, GravityGradient::full); }

const std::string tumbler = R"yaml(gyrostat: 1
bodies: {a: {mass: 4, inertia: [1, 2, 2.5]}, b: {mass: 1, com: [0, 1, 0], inertia: [0.5, 0.6, 0.7]}}
joints:
  base: {initial: {omega: [0.1, 1, 0.2], velocity: [VELOCITY, 0, 0]}}
  hinge: {type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {rate: 1}, stiffness: 4}
simulation: {duration: 20}
output: {interval: 0.5}
)yaml";

std::string tumbler_at(const std::string& velocity) {
  std::string text = tumbler;
  return text.replace(text.find("VELOCITY"), 8, velocity);
}

TEST(Ledger, NoticesAStepThatIsTooLong) {
  const Flight right(tumbler_at("0"), with("rk4", 1e-6, 0.005)), wrong(tumbler_at("0"), with("rk4", 1e-6, 0.2));
  EXPECT_THAT(warnings_of(right), IsEmpty());
  ASSERT_THAT(warnings_of(wrong), Not(IsEmpty()));
  EXPECT_THAT(warnings_of(wrong)[0], HasSubstr("the residual of energy is"));
}

TEST(Ledger, NoticesAToleranceThatIsTooCoarse) {
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    const Flight fine(tumbler_at("0"), with(method, 1e-10)), coarse(tumbler_at("0"), with(method, 1e-2));
    const Ledger &a = fine.simulation.ledger(), &b = coarse.simulation.ledger();
    EXPECT_LT(a.energy.relative(), 1e-7);
    EXPECT_GT(b.energy.relative(), 1e-3);
    EXPECT_THAT(b.warnings(1e-4), Not(IsEmpty()));
  }
}

TEST(Ledger, NoticesWrongAttitudesOfWhatFliesFast) {
  // the same wrong steps in a frame that moves at orbital speed: the same angular momentum is lost
  const Flight slow(tumbler_at("0"), with("rk4", 1e-6, 0.2)), fast(tumbler_at("7500"), with("rk4", 1e-6, 0.2));
  EXPECT_GT(slow.simulation.ledger().angular_momentum.relative(), 1e-5);
  EXPECT_NEAR(fast.simulation.ledger().angular_momentum.relative(),
              slow.simulation.ledger().angular_momentum.relative(),
              0.1 * slow.simulation.ledger().angular_momentum.relative());
  EXPECT_THAT(warnings_of(fast), Not(IsEmpty()));
}

TEST(Ledger, DoesNotAccuseWhatStandsStill) {
  const Flight run(R"yaml(gyrostat: 1
bodies:
  a: {mass: 3, com: [0.3, 0.2, 0.1], inertia: [1, 2, 2.5]}
  b: {mass: 3, com: [0.3, 0.7, 0.1], inertia: [1, 2, 2.5]}
joints:
  j: {type: revolute, parent: world, child: a, axis: [0, 1, 1], locked: true}
  k: {type: revolute, parent: a, child: b, axis: [0, 1, 1], locked: true, initial: {angle: 0.3}}
environment: {gravity: {uniform: [1, 2, -9.81]}}
simulation: {duration: 20}
)yaml");
  EXPECT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  EXPECT_THAT(warnings_of(run), IsEmpty());
}

TEST(Ledger, LeavesOutWhatTheUserAskedToNeglect) {
  Loaded dropped = load(tumbler_at("0"));
  dropped.model->description.simulation.gyroscopic = false;
  const Flight without(std::move(dropped), with("dopri5", 1e-9));
  EXPECT_EQ(without.simulation.ledger().exempt, "gyroscopic terms are dropped");
  EXPECT_GT(without.simulation.ledger().angular_momentum.relative(), 1e-3);
  EXPECT_THAT(warnings_of(without), IsEmpty());
  const Flight linear(tumbler_at("0"), [](RunSettings& s) { s.formulation = "linear_total"; });
  EXPECT_THAT(linear.simulation.ledger().exempt, HasSubstr("linearised"));
  EXPECT_THAT(warnings_of(linear), IsEmpty());
}

TEST(Ledger, ComparesWithAnotherFormulation) {
  for (const char* formulation : {"articulated_body", "composite_body", "kane", "nested_body", "augmented_body"}) {
    const Flight run(tumbler_at("0"), [&](RunSettings& s) { s.formulation = formulation; });
    const Ledger& ledger = run.simulation.ledger();
    EXPECT_NE(ledger.other_formulation, formulation);
    EXPECT_NE(ledger.other_formulation, "");
    EXPECT_GE(ledger.compared, 20u);
    EXPECT_LT(ledger.accelerations, 1e-11);
  }
}

TEST(Ledger, CountsTheWorkOfEachSource) {
  // a constant torque of 3 N m through the angle it turned, and a damper that took the rest
  const Flight run(R"yaml(gyrostat: 1
bodies: {a: {mass: 3, inertia: [1, 2, 2]}}
joints: {j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], damping: 0.5}}
loads: [{body: a, torque: [0, 0, 3]}]
simulation: {duration: 5, integrator: {method: dopri5, tolerance: 1e-10}}
)yaml");
  const Ledger& ledger = run.simulation.ledger();
  const auto work = [&](const std::string& source) {
    return ledger.work[static_cast<std::size_t>(std::ranges::find(ledger.sources, source) - ledger.sources.begin())];
  };
  const double angle = run.last("j.angle"), rate = run.last("j.rate");
  EXPECT_NEAR(rate, 6 * (1 - std::exp(-0.25 * 5)), 1e-8);
  EXPECT_NEAR(work("loads[0]"), 3 * angle, 1e-7);
  EXPECT_NEAR(work("joints.j"), rate * rate - 3 * angle, 1e-7);
}

TEST(Ledger, CountsTheBlowOfAPrescribedRateThatJumps) {
  // free in the world, the arm's rate jumps by 1: the whole keeps its momentum
  const Flight run(R"yaml(gyrostat: 1
bodies: {a: {mass: 3, inertia: [1, 2, 2]}, b: {mass: 1, com: [0, 1, 0], inertia: [1, 1, 1]}}
joints: {j: {type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {position: "ramp(1) - 2*ramp(2)"}}}
simulation: {duration: 3, integrator: {method: dopri5, tolerance: 1e-10}}
)yaml");
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  EXPECT_THAT(warnings_of(run), IsEmpty());
  EXPECT_GT(run.simulation.ledger().work.back(), 0.1);
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"}) {
    for (const double h : run.values(name)) EXPECT_NEAR(h, 0, 1e-10);
  }
}

/// Accelerations that are zero to rounding by both formulations agree.
TEST(Ledger, AccelerationsOfNothingAgree) {
  for (const char* initial : {"{}", "{initial: {omega: [0, 0, 50]}}"}) {
    const Flight run(
        std::string("gyrostat: 1\nbodies: {bus: {mass: 10, inertia: [3, 4, 5]}, arm: {mass: 1, inertia: [1, 1, "
                    "2]}}\njoints: {weld: {type: spherical, parent: bus, child: arm}, base: ") +
        initial + "}\nsimulation: {duration: 1}\n");
    EXPECT_LT(run.simulation.ledger().accelerations, 1e-7) << initial;
    EXPECT_TRUE(run.simulation.ledger().warnings(1e-6).empty());
  }
}

}  // namespace ledger_test
}  // namespace gyrostat::testing
