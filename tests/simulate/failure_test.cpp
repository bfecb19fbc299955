// Runs that cannot go on, and runs in which nothing moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

std::string with_integrator(const std::string& method, const std::string& step = "0.001") {
  return "simulation: {duration: 10, integrator: {method: " + method +
         (method == "rk4" ? ", step: " + step : ", tolerance: 1e-8") + "}}\noutput: {interval: 0.01}\n";
}

/// A flight that is ended from outside where time does not move on.
Flight guarded(const std::string& text, double until = -1) {
  const auto adjust = [until](RunSettings& settings) {
    if (until >= 0) settings.until = until;
  };
  return Flight(text, adjust, Flight::Expect::progress);
}

/// It stopped between two instants, kept the records up to there, and said this.
void expect_stop(const Flight& run, double after, double before, const std::vector<std::string>& words) {
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::failed);
  EXPECT_GE(run.outcome.t, after);
  EXPECT_LE(run.outcome.t, before);
  for (const std::string& word : words) EXPECT_THAT(run.outcome.failure, HasSubstr(word));
  ASSERT_FALSE(run.rows.empty());
  EXPECT_LE(run.time.back(), run.outcome.t + same_instant(run.outcome.t));
  EXPECT_GE(run.time.back(), run.outcome.t - 0.011);  // the last interval of output
  for (const auto& row : run.rows) {
    for (const double x : row) ASSERT_TRUE(std::isfinite(x));
  }
}

template <class Check>
void with_every_integrator(Check check) {
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    check(std::string(method));
  }
}

TEST(Failure, AGimbalThatIsPressedIntoLockStopsThereAndNamesJointAndAngle) {
  // dampers take the momentum that keeps its axes apart
  const std::string model = R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}
joints: {gimbal: {type: gimbal, parent: world, child: a, axes: [[0, 0, 1], [0, 1, 0], [1, 0, 0]],
                  initial: {rates: [0.3, 0, 0.2]}, torque: [0, 5, 0], damping: [0.5, 0, 0.5]}}
)yaml";
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(model + with_integrator(method));
    expect_stop(run, 0.5, 3, {"gimbal", "lock", "angle2"});
    EXPECT_LT(run.simulation.statistics().steps, 100'000u);
  });
}

TEST(Failure, APrescribedGimbalPassesLockBecauseItsRatesAreGiven) {
  const std::string model = R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}
joints: {gimbal: {type: gimbal, parent: world, child: a, axes: [[0, 0, 1], [0, 1, 0], [1, 0, 0]],
                  prescribed: {position: ["0.1*t", "1.5*t", "0.2*t"]}}}
)yaml";
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(model + with_integrator(method));
    EXPECT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  });
}

TEST(Failure, ATableOutsideItsRangeNamesTheSignal) {
  const std::string model = R"yaml(gyrostat: 1
tables: {thrust: {x: [0, 0.5, 1], y: [1, 2, 4]}}
bodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}
joints: {j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {angle: 0.3, rate: 1},
             torque: "0.01*pull"}}
signals: {pull: "table(thrust, j.angle)"}
)yaml";
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(model + with_integrator(method));
    expect_stop(run, 0.65, 0.7, {"pull"});
  });
}

TEST(Failure, ATableOfTimeOutsideItsRangeNamesTheSignal) {
  const std::string model = R"yaml(gyrostat: 1
tables: {thrust: {x: [0, 0.5, 1], y: [1, 2, 4]}}
bodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}
signals: {pull: "table(thrust, t)"}
loads: [{body: a, force: [pull, 0, 0]}]
)yaml";
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(model + with_integrator(method));
    expect_stop(run, 0.99, 1.001, {"pull"});
  });
}

TEST(Failure, ASpringsTableOutsideItsRangeNamesTheJoint) {
  const std::string model = R"yaml(gyrostat: 1
tables: {soft: {x: [-1, 0, 1], y: [1, 2, 1]}}
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {rate: 5}, stiffness: {table: soft}}}
)yaml";
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(model + with_integrator(method));
    expect_stop(run, 0.2, 0.22, {"j"});
    EXPECT_THAT(run.outcome.failure, AnyOf(HasSubstr("'j'"), HasSubstr("joints.j"), HasSubstr("j.rate")));
  });
}

TEST(Failure, ADivisionByZeroOnTheWayStopsTheRunOrIsSeenInTheLedger) {
  const std::string model = R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}
joints: {j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {angle: 0.5, rate: -1},
             torque: "-quotient"}}
signals: {quotient: "0.1/j.angle^2"}
)yaml";
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(model + with_integrator(method));
    if (run.outcome.kind == Outcome::Kind::failed) {
      EXPECT_NEAR(run.outcome.t, 0.45, 0.1);
      EXPECT_FALSE(run.outcome.failure.empty());
      EXPECT_GE(run.time.back(), run.outcome.t - 0.011);
    } else {
      EXPECT_THAT(run.simulation.ledger().warnings(ledger_allowance(run.settings.integrator)),
                  ::testing::Not(::testing::IsEmpty()));
    }
  });
}

TEST(Failure, ADivisionByZeroAtTheStartStopsTheRunAtOnce) {
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}
joints: {j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], torque: "quotient"}}
signals: {quotient: "1/j.angle"}
)yaml" + with_integrator(method));
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::failed);
    EXPECT_EQ(run.outcome.t, 0);
    EXPECT_THAT(run.outcome.failure, HasSubstr("quotient"));
  });
}

TEST(Failure, ARootOfANegativeNumberNamesTheSignal) {
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}
signals: {root: "sqrt(0.5 - t)"}
loads: [{body: a, force: [root, 0, 0]}]
)yaml" + with_integrator(method));
    expect_stop(run, 0.49, 0.501, {"root"});
  });
}

TEST(Failure, AMassThatComesToLieOnItsAxisLeavesTheJointWithoutInertia) {
  // the mass is at cos(pi/2 t) from the first axis, about which a small torque turns it
  const std::string model = R"yaml(gyrostat: 1
bodies: {knuckle: {mass: 0}, bob: {mass: 1, com: [1, 0, 0], point_mass: true}}
joints:
  first: {type: revolute, parent: world, child: knuckle, axis: [0, 0, 1], torque: 1e-6}
  second: {type: revolute, parent: knuckle, child: bob, axis: [0, 1, 0], prescribed: {position: "pi/2*t"}}
)yaml";
  with_every_integrator([&](const std::string& method) {
    // so near to a pole the iteration of backward differences meets rounding: ida takes ten times the steps at 1e-8
    std::string settings = with_integrator(method);
    if (method == "ida") settings.replace(settings.find("1e-8"), 4, "1e-7");
    const Flight run = guarded(model + settings);
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::failed);
    EXPECT_NEAR(run.outcome.t, 1, 0.01);
    EXPECT_THAT(run.outcome.failure, HasSubstr("first"));
  });
}

TEST(Failure, ANegativeSpringBlowsUpAndStops) {
  // x = 1e-3 cosh(100 t) exceeds all numbers at t = 7.2
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: prismatic, parent: world, child: a, axis: [0, 0, 1], initial: {displacement: 1e-3},
             torque: "1e4*j.displacement"}}
)yaml" + with_integrator(method));
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::failed);
    EXPECT_NEAR(run.outcome.t, 7.16, 0.3);
    EXPECT_FALSE(run.outcome.failure.empty());
    EXPECT_GE(run.time.back(), run.outcome.t - 0.011);
  });
}

TEST(Failure, ASpeedThatGoesToInfinityInFiniteTimeStopsThere) {
  // u' = u^2, u(0) = 2
  for (const char* method : {"cvode_adams", "cvode_bdf", "dopri5"}) {
    SCOPED_TRACE(method);
    const Flight run = guarded(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: prismatic, parent: world, child: a, axis: [0, 0, 1], initial: {speed: 2}, torque: "j.speed^2"}}
)yaml" + with_integrator(method));
    expect_stop(run, 0.49, 0.51, {"j.speed"});
  }
}

TEST(Failure, APrescribedPositionThatJumpsStopsTheRun) {
  with_every_integrator([&](const std::string& method) {
    const Flight run = guarded(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], prescribed: {position: "step(0.5)"}}}
)yaml" + with_integrator(method));
    expect_stop(run, 0.5, 0.5, {"joints.j", "jump"});
  });
}

// --- nothing to do ---------------------------------------------------------------------------------------------------

void expect_quiet(const Flight& run) {
  EXPECT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  EXPECT_EQ(run.time.back(), 10);
  EXPECT_EQ(run.rows.size(), 1001u);
  EXPECT_THAT(run.simulation.ledger().warnings(ledger_allowance(run.settings.integrator)), ::testing::IsEmpty());
}

TEST(Quiet, AWeldedModelRunsToItsEnd) {
  with_every_integrator([](const std::string& method) {
    const Flight run = guarded(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, com: [1, 2, 3], inertia: [1, 1, 1]}}
joints: {j: {type: weld, parent: world, child: a}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
)yaml" + with_integrator(method));
    expect_quiet(run);
  });
}

TEST(Quiet, ALockedModelRunsToItsEnd) {
  with_every_integrator([](const std::string& method) {
    const Flight run = guarded(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, com: [1, 2, 3], inertia: [1, 1, 1]}, b: {mass: 1, com: [1, 2, 3], inertia: [1, 1, 1]}}
joints:
  j: {type: spherical, parent: world, child: a, locked: true}
  k: {type: gimbal, parent: a, child: b, locked: true,
      axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], initial: {angles: [1, 0.2, 0.3]}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
)yaml" + with_integrator(method));
    expect_quiet(run);
    EXPECT_EQ(run.last("k.angle2"), 0.2);
  });
}

TEST(Quiet, OnlyPrescribedJointsFollowTheirExpressions) {
  with_every_integrator([](const std::string& method) {
    const Flight run = guarded(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, com: [1, 2, 3], inertia: [1, 1, 1]}, b: {mass: 1, com: [1, 2, 3], inertia: [1, 1, 1]}}
joints:
  j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], prescribed: {position: "sin(t)"}}
  k: {type: prismatic, parent: a, child: b, axis: [0, 1, 1], prescribed: {acceleration: "2"}}
)yaml" + with_integrator(method));
    expect_quiet(run);
    EXPECT_EQ(run.last("j.angle"), std::sin(10.0));
    EXPECT_EQ(run.last("j.rate"), std::cos(10.0));
    EXPECT_NEAR(run.last("k.displacement"), 100, 1e-5);
  });
}

TEST(Quiet, ABodyAtRestStaysAtRest) {
  with_every_integrator([](const std::string& method) {
    const Flight run =
        guarded("gyrostat: 1\nbodies: {a: {mass: 1, com: [1, 2, 3], inertia: [1, 1, 1]}}\n" + with_integrator(method));
    expect_quiet(run);
    EXPECT_EQ(run.last("base.quaternion_w"), 1);
    EXPECT_EQ(run.last("system.energy"), 0);
  });
}

TEST(Quiet, ARunOfNoDurationHasOneRecord) {
  with_every_integrator([](const std::string& method) {
    const Flight run =
        guarded("gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n" + with_integrator(method), 0);
    EXPECT_EQ(run.outcome.kind, Outcome::Kind::finished);
    EXPECT_EQ(run.rows.size(), 1u);
  });
}

}  // namespace
}  // namespace gyrostat::testing
