// State machines: when they change, what they set, and what a run remembers of them.
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace modes_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Entered {
  double t = 0;
  std::string what;
};

std::vector<Entered> transitions_of(const Flight& run, const std::string& signal = "s") {
  std::vector<Entered> list;
  for (const RecordedEvent& event : run.events) {
    if (event.change.name == "signals." + signal) list.push_back({event.t, event.change.what});
  }
  return list;
}

/// The transitions of the signal s, for every integrator.
void expect_transitions(const OneAxis& model, const std::vector<Entered>& wanted, double allowed = 1e-9) {
  OneAxis m = model;
  for (const std::string& method : every_method) {
    SCOPED_TRACE(method);
    m.method = method;
    const Flight run(m.text(), {}, Flight::Expect::finish);
    const std::vector<Entered> found = transitions_of(run);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      EXPECT_EQ(found[k].what, wanted[k].what);
      EXPECT_NEAR(found[k].t, wanted[k].t, allowed) << wanted[k].what;
    }
  }
}

// --- when
// -------------------------------------------------------------------------------------------------------------

TEST(Modes, ChangeWhereAConditionBecomesTrue) {  // a body at 3 m/s
  expect_transitions({.signals = "s: {modes: {states: {near: {to: {far: \"j.displacement > 1\"}}, far: {to: {gone: "
                                 "\"j.displacement - 2.5\"}}, gone: }}}",
                      .initial = "{speed: 3}"},
                     {{1.0 / 3, "near -> far"}, {2.5 / 3, "far -> gone"}});
}

TEST(Modes, AreTheNumberOfTheStateAndOneInIt) {
  const Flight run(OneAxis{.signals = "s: {modes: {initial: b, states: {a: , b: {to: {c: t > 0.55}}, c: {to: {a: t > "
                                      "1.25}}}}}, in_b: s.b, in_c: \"s.c + 10*s.a\""}
                       .text(),
                   {}, Flight::Expect::finish);
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double t = run.time[k];
    EXPECT_EQ(run["s"][k], t < 0.55 ? 1 : t < 1.25 ? 2 : 0) << t;
    EXPECT_EQ(run["in_b"][k], t < 0.55 ? 1 : 0) << t;
    EXPECT_EQ(run["in_c"][k], t < 0.55 ? 0 : t < 1.25 ? 1 : 10) << t;
  }
}

TEST(Modes, StayForTheirMinimum) {  // true from 0.2 to 0.4 and from 0.5 on: neither before 0.7
  expect_transitions(
      {.signals = "s: {modes: {states: {a: {minimum: 0.7, to: {b: \"pulse(0.2, 0.4) + step(0.5)\"}}, b: }}}"},
      {{0.7, "a -> b"}});
  expect_transitions({.signals = "s: {modes: {states: {a: {minimum: 0.3, to: {b: \"pulse(0.2, 0.4) + step(0.5)\"}}, "
                                 "b: {minimum: 0.4, to: {a: \"step(0.5)\"}}}}}"},
                     {{0.3, "a -> b"}, {0.7, "b -> a"}, {1.0, "a -> b"}, {1.4, "b -> a"}, {1.7, "a -> b"}});
}

TEST(Modes, AConditionHasToHoldForItsTimeWithoutInterruption) {
  // sin(4 t) > 0 for pi/4 at a time: too short for 0.9 s; and 0.25 s after its first zero with less
  const auto model = [](double hold) {
    return OneAxis{.signals = fmt::format("wave: {{expression: \"sin(4*t)\"}}, s: {{modes: {{states: {{a: {{to: {{b: "
                                          "{{when: wave > 0, for: {}}}}}}}, b: }}}}}}",
                                          hold),
                   .duration = 4};
  };
  expect_transitions(model(0.9), {});
  expect_transitions(model(0.25), {{0.25, "a -> b"}});
  OneAxis late = model(0.25);
  late.signals = "s: {modes: {states: {a: {minimum: 0.7, to: {b: {when: \"sin(4*t)\", for: 0.25 s}}}, b: }}}";
  expect_transitions(late, {{0.7, "a -> b"}});  // true since 0
  late.signals = "s: {modes: {states: {a: {minimum: 0.8, to: {b: {when: \"sin(4*t)\", for: 0.25 s}}}, b: }}}";
  expect_transitions(late, {{std::numbers::pi / 2 + 0.25, "a -> b"}});  // false at 0.785: it begins anew
}

TEST(Modes, AConditionIsTimedFromTheEntryOfItsState) {  // true from 0 on, and b is entered at 0.5
  expect_transitions({.signals = "s: {modes: {states: {a: {to: {b: \"step(0.5)\"}}, b: {to: {c: {when: 1, for: 0.3}}}, "
                                 "c: {to: {a: {for: 0.4 s}}}}}}"},
                     {{0.5, "a -> b"},
                      {0.8, "b -> c"},
                      {1.2, "c -> a"},
                      {1.2, "a -> b"},
                      {1.5, "b -> c"},
                      {1.9, "c -> a"},
                      {1.9, "a -> b"}});
}

TEST(Modes, OfSeveralTransitionsTheFirstInTheFileIsTaken) {
  expect_transitions({.signals = "s: {modes: {states: {a: {to: {c: \"step(0.5)\", b: \"step(0.5)\"}}, b: , c: }}}"},
                     {{0.5, "a -> c"}});
  expect_transitions({.signals = "s: {modes: {states: {a: {to: {b: \"step(0.5)\", c: \"step(0.5)\"}}, b: , c: }}}"},
                     {{0.5, "a -> b"}});
  // that of c is due first
  expect_transitions({.signals = "s: {modes: {states: {a: {to: {b: {when: 1, for: 0.5}, c: {when: 1, for: 0.4}}}, b: , "
                                 "c: }}}"},
                     {{0.4, "a -> c"}});
}

TEST(Modes, GoThroughSeveralStatesAtOneInstant) {
  const OneAxis model{.signals = "s: {modes: {states: {a: {to: {b: t > 0.5}}, b: {to: {c: t > 0.2}}, c: }}}"};
  expect_transitions(model, {{0.5, "a -> b"}, {0.5, "b -> c"}});
}

TEST(Modes, MayChangeAtTheStart) {  // the record at 0 shows the state after it
  const Flight run(
      OneAxis{.signals = "x: {integral: 1, initial: 5}, s: {modes: {states: {a: {to: {b: \"x > 4\"}}, b: {entry: {x: "
                         "\"2*x + 1\"}, to: {c: {when: 1, for: 0.5}}}, c: }}}"}
          .text(),
      {}, Flight::Expect::finish);
  EXPECT_EQ(run["s"].front(), 1);
  EXPECT_EQ(run["x"].front(), 11);
  EXPECT_NEAR(run.last("x"), 13, 1e-9);
  ASSERT_EQ(transitions_of(run).size(), 1U);
  EXPECT_NEAR(transitions_of(run)[0].t, 0.5, 1e-12);
}

TEST(Modes, StayForTheirMinimumFromTheStart) {
  expect_transitions({.signals = "s: {modes: {states: {a: {minimum: 0.25, to: {b: 1}}, b: }}}"}, {{0.25, "a -> b"}});
}

TEST(Modes, AreEnteredByShortTruths) {  // a touch of 1 by sin(t): the parabola is seen
  OneAxis model{.signals =
                    "wave: {expression: \"sin(3*t) - 0.9999\"}, s: {modes: {states: {a: {to: {b: wave}}, b: }}}"};
  for (const std::string& method : adaptive) {
    model.method = method;
    const Flight run(model.text(), {}, Flight::Expect::finish);
    ASSERT_EQ(transitions_of(run).size(), 1U) << method;
    EXPECT_NEAR(transitions_of(run)[0].t, std::asin(0.9999) / 3, 1e-9);
  }
}

// --- what is set
// ------------------------------------------------------------------------------------------------------

TEST(Modes, SetIntegralsOnEntry) {  // x counts 2 each second; at 0.75 it is set to half of what it is
  const OneAxis model{.signals =
                          "x: {integral: 2}, s: {modes: {states: {a: {to: {b: \"x > 1.5\"}}, b: {entry: {x: "
                          "\"x/2 + y\", y: \"x\"}}}}}, y: {integral: 0, initial: 0.25}",
                      .interval = 0.25};
  for (const std::string& method : every_method) {
    OneAxis m = model;
    m.method = method;
    const Flight run(m.text(), {}, Flight::Expect::finish);
    EXPECT_NEAR(run.at(0.5, "x"), 1, 1e-9) << method;
    EXPECT_NEAR(run.last("x"), 1.5 / 2 + 0.25 + 2 * 1.25, 1e-8) << method << ": with the values before the entry";
    EXPECT_NEAR(run.last("y"), 1.5, 1e-8) << method;
  }
}

TEST(Modes, SetAndResetLatchesOnEntry) {
  const Flight run(OneAxis{.signals = "armed: {latch: {set: 0}}, safe: {latch: {set: 0, initial: 1}}, s: {modes: "
                                      "{states: {a: {to: {b: \"pulse(0.5, 0.8)\"}}, b: {entry: {armed: 1, safe: 0}, "
                                      "to: {a: t > 1}}}}}"}
                       .text(),
                   {}, Flight::Expect::finish);
  EXPECT_EQ(run.at(0.4, "armed"), 0);
  EXPECT_EQ(run.at(0.4, "safe"), 1);
  EXPECT_EQ(run.last("armed"), 1) << "it stays set in the other state";
  EXPECT_EQ(run.last("safe"), 0);
  EXPECT_THAT(run.times_of("signals.armed"), ElementsAre(::testing::DoubleNear(0.5, 1e-9)));
}

TEST(Modes, ALatchWhoseResetHoldsIsResetAgain) {
  const Flight run(OneAxis{.signals = "armed: {latch: {set: 0, reset: 1}}, s: {modes: {states: {a: {to: {b: t > 0.5}}, "
                                      "b: {entry: {armed: 1}}}}}"}
                       .text(),
                   {}, Flight::Expect::finish);
  EXPECT_EQ(run.last("armed"), 0);
}

TEST(Modes, SetVectorIntegralsOnEntry) {
  const Flight run(R"yaml(gyrostat: 1
bodies: {bus: {mass: 1, inertia: [1, 2, 3]}}
joints: {base: {initial: {omega: [0.1, 0, 0]}}}
signals:
  sum: {integral: bus.omega, initial: [1, 2, 3]}
  other: {integral: bus.omega}
  third: {integral: "[1, 1, 1]", initial: [0, 0, 0]}
  mode:
    modes:
      states:
        a: {to: {b: t > 1}}
        b: {entry: {sum: 0, other: "2*bus.omega + sum", third: [1, t, "norm(sum)"]}}
simulation: {duration: 2}
)yaml",
                   {}, Flight::Expect::finish);
  EXPECT_NEAR(run.last("sum.x"), 0.1, 1e-9);
  EXPECT_NEAR(run.last("sum.y"), 0, 1e-12);
  EXPECT_NEAR(run.last("sum.z"), 0, 1e-12);
  EXPECT_NEAR(run.last("other.x"), 0.2 + 1.1 + 0.1, 1e-9);
  EXPECT_NEAR(run.last("other.y"), 2, 1e-9);
  EXPECT_NEAR(run.last("other.z"), 3, 1e-9);
  EXPECT_NEAR(run.last("third.x"), 2, 1e-9);
  EXPECT_NEAR(run.last("third.y"), 2, 1e-9);
  EXPECT_NEAR(run.last("third.z"), std::sqrt(1.1 * 1.1 + 4 + 9) + 1, 1e-9);
}

TEST(Modes, AnIntegralThatIsSetIsSeenByDelays) {  // the jump at 0.5 comes 0.3 later, and is a jump
  const OneAxis model{.signals =
                          "x: {integral: 1}, late: {delay: {input: x, time: 0.3}}, s: {modes: {states: {a: {to: "
                          "{b: t > 0.5}}, b: {entry: {x: 10}}}}}",
                      .interval = 0.01};
  const Flight run(model.text(), {}, Flight::Expect::finish);
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double t = run.time[k];
    if (std::abs(t - 0.8) < 1e-6) continue;
    EXPECT_NEAR(run["late"][k], t < 0.3 ? 0 : t < 0.8 ? t - 0.3 : 10 + t - 0.8, 1e-8) << t;
  }
}

// --- circles
// ----------------------------------------------------------------------------------------------------------

TEST(Modes, ThatGoInACircleAtOneInstantEndTheRunByName) {
  const Flight run(OneAxis{.signals = "s: {modes: {states: {idle: {to: {a: t > 0.5}}, a: {to: {b: t > 0.2}}, b: {to: "
                                      "{c: t > 0.3}}, c: {to: {a: t > 0.4}}}}}"}
                       .text());
  EXPECT_EQ(run.outcome.kind, Outcome::Kind::failed);
  EXPECT_NEAR(run.outcome.t, 0.5, 1e-9);
  EXPECT_THAT(run.outcome.failure, HasSubstr("signals.s goes from state to state without end at one instant: "));
  EXPECT_TRUE(run.outcome.failure.find("a -> b -> c -> a") != std::string::npos ||
              run.outcome.failure.find("b -> c -> a -> b") != std::string::npos ||
              run.outcome.failure.find("c -> a -> b -> c") != std::string::npos)
      << run.outcome.failure;
}

TEST(Modes, ThatGoInACircleAtTheStartEndTheRunByName) {
  const Flight run(OneAxis{.signals = "s: {modes: {states: {a: {to: {b: 1}}, b: {to: {a: 1}}}}}"}.text());
  EXPECT_EQ(run.outcome.kind, Outcome::Kind::failed);
  EXPECT_EQ(run.outcome.t, 0);
  EXPECT_THAT(run.outcome.failure, HasSubstr("signals.s goes from state to state without end at one instant: "));
}

TEST(Modes, MayComeBackAtOneInstantIfAnActionEndsTheCircle) {
  const Flight run(OneAxis{.signals = "x: {integral: 4}, s: {modes: {states: {count: {to: {clear: \"x > 2\"}}, clear: "
                                      "{entry: {x: 0}, to: {count: \"x < 1\"}}}}}"}
                       .text(),
                   {}, Flight::Expect::finish);
  const std::vector<Entered> found = transitions_of(run);
  ASSERT_GE(found.size(), 6U);
  for (std::size_t k = 0; k + 1 < found.size(); k += 2) {
    EXPECT_NEAR(found[k].t, 0.5 * static_cast<double>(k / 2 + 1), 1e-8);
    EXPECT_EQ(found[k].t, found[k + 1].t);
    EXPECT_EQ(found[k + 1].what, "clear -> count");
  }
}

// --- what is listed
// ---------------------------------------------------------------------------------------------------

TEST(Modes, ListTheirTransitionsAndNotTheirConditions) {
  const Flight run(
      OneAxis{.signals =
                  "s: {modes: {states: {a: {to: {b: \"sin(9*t) > 2\", c: t > 1}}, b: {to: {a: \"sin(9*t) > 0\"}}, "
                  "c: }}}"}
          .text(),
      {}, Flight::Expect::finish);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].change.what, "a -> c");
}

TEST(Modes, TellTheirStateAtTheStart) {
  const Flight run(OneAxis{.signals = "s: {modes: {states: {a: {to: {b: 1}}, b: }}}"}.text());
  const Plant& plant = run.simulation.plant();
  PlantRun start(plant);
  Eigen::VectorXd y;
  start.start(y);
  const std::vector<Change> states = start.states_at_start();
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0].name, "signals.s");
  EXPECT_EQ(states[0].what, "starts in b");
}

TEST(Modes, HaveTheNamesOfTheirStatesBesideTheColumn) {
  const Flight run(OneAxis{.signals = "s: {modes: {states: {idle: {to: {busy: t > 1}}, busy: }}}"}.text());
  EXPECT_THAT(run.simulation.columns()[run.column("s")].states, ElementsAre("idle", "busy"));
  EXPECT_THAT(run.simulation.columns()[run.column("j.speed")].states, IsEmpty());
  EXPECT_THROW(static_cast<void>(run.column("s.idle")), std::runtime_error) << "recorded only if it is asked for";
  std::string text = OneAxis{.signals = "s: {modes: {states: {idle: {to: {busy: t > 1}}, busy: }}}"}.text();
  text.replace(text.find("output: {"), 9, "output: {record: [s.busy, \"s*\"], ");
  const Flight asked(text);
  EXPECT_EQ(asked["s.busy"].back(), 1);
  EXPECT_EQ(asked["s.idle"].front(), 1);
  EXPECT_EQ(asked["s"].back(), 1);
}

// --- checkpoints
// ------------------------------------------------------------------------------------------------------

struct Rest : Observer {
  std::vector<std::vector<double>> rows;
  std::vector<RecordedEvent> events;
  void record(double, std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  void event(double t, const Change& change) override { events.push_back({t, change}); }
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return true; }
};

TEST(Modes, AreInCheckpoints) {
  const std::string text =
      OneAxis{.signals =
                  "x: {integral: \"1 + j.speed\"}, on: {latch: {set: 0}}, "
                  "s: {modes: {states: {a: {minimum: 0.13, to: {b: {when: \"sin(11*t)\", for: 0.11}}}, "
                  "b: {entry: {x: \"x/3\", on: 1}, minimum: 0.07, to: {c: \"x > 0.4\", a: {for: 0.5 s}}}, "
                  "c: {entry: {on: 0}, to: {a: {when: \"cos(7*t) > 0\", for: 0.05 s}}}}}}",
              .force = "3*sin(5*t) + s.b - 2*on",
              .duration = 4}
          .text();
  for (const std::string& method : every_method) {
    for (const double interval : {0.031, 0.11, 0.25}) {
      const auto often = [&](RunSettings& s) {
        s.integrator = {method, 1e-8, 0.01, 0};
        s.checkpoint_interval = interval;
      };
      const Flight whole(text, often, Flight::Expect::finish);
      ASSERT_GT(transitions_of(whole).size(), 8U);
      for (const auto& [t, bytes] : whole.checkpoints) {
        Rest rest;
        Simulation simulation(*whole.loaded.model, whole.settings);
        ASSERT_EQ(simulation.resume(bytes, rest).kind, Outcome::Kind::finished);
        ASSERT_LE(rest.rows.size(), whole.rows.size());
        for (std::size_t k = 0; k < rest.rows.size(); ++k)
          ASSERT_EQ(rest.rows[k], whole.rows[whole.rows.size() - rest.rows.size() + k]) << method << " from " << t;
        ASSERT_LE(rest.events.size(), whole.events.size());
        for (std::size_t k = 0; k < rest.events.size(); ++k) {
          const RecordedEvent& wanted = whole.events[whole.events.size() - rest.events.size() + k];
          ASSERT_EQ(rest.events[k].t, wanted.t) << method << " from " << t;
          ASSERT_EQ(rest.events[k].change.what, wanted.change.what);
        }
        EXPECT_EQ(simulation.event_count(), whole.simulation.event_count());
      }
    }
  }
}

TEST(Modes, OfOtherStatesOrTimesAreOtherModels) {
  const auto checkpoint = [](const std::string& states) {
    return Flight(
               OneAxis{.signals = "s: {modes: {states: " + states + "}}"}.text(),
               [](RunSettings& s) { s.checkpoint_interval = 1; }, Flight::Expect::finish)
        .checkpoints.front()
        .second;
  };
  const std::string states = "{a: {minimum: 0.1, to: {b: {when: t > 1, for: 0.2}}}, b: }";
  const std::string bytes = checkpoint(states);
  for (const char* other : {"{a: {minimum: 0.2, to: {b: {when: t > 1, for: 0.2}}}, b: }",
                            "{a: {minimum: 0.1, to: {b: {when: t > 1, for: 0.3}}}, b: }",
                            "{a: {minimum: 0.1, to: {b: {when: t > 1.1, for: 0.2}}}, b: }",
                            "{a: {minimum: 0.1, to: {c: {when: t > 1, for: 0.2}}}, c: }"}) {
    const Flight fresh(OneAxis{.signals = "s: {modes: {states: " + std::string(other) + "}}"}.text(),
                       [](RunSettings& s) { s.checkpoint_interval = 1; });
    Simulation simulation(*fresh.loaded.model, fresh.settings);
    EXPECT_THROW(simulation.restore(bytes), std::runtime_error) << other;
  }
}

// --- an attitude control system
// ---------------------------------------------------------------------------------------

TEST(Modes, LeadASpacecraftFromDetumblingToPointing) {
  const Flight run(R"yaml(gyrostat: 1
bodies: {bus: {mass: 100, inertia: [10, 12, 8]}}
joints: {base: {initial: {omega: [3 deg/s, -2 deg/s, 1 deg/s]}}}
signals:
  error: "error_vector(bus.attitude, quaternion(1, 0, 0, 0))"
  sum: {integral: "mode.point*error", initial: [0, 0, 0]}
  mode:
    modes:
      initial: detumble
      states:
        detumble: {to: {acquire: "norm(bus.omega) < 0.3 deg/s"}}
        acquire:
          minimum: 20 s
          to: {point: {when: "norm(error) < 2 deg", for: 10 s}, detumble: "norm(bus.omega) > 5 deg/s"}
        point: {to: {acquire: "norm(error) > 5 deg"}, entry: {sum: 0}}
  torque: "mode.detumble*(-2*bus.omega) + (1 - mode.detumble)*(-0.3*error - 3*bus.omega - 0.005*sum)"
loads: [{body: bus, torque: torque}]
simulation: {duration: 200}
)yaml",
                   {}, Flight::Expect::finish);
  const std::vector<Entered> found = transitions_of(run, "mode");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].what, "detumble -> acquire");
  EXPECT_EQ(found[1].what, "acquire -> point");
  EXPECT_GE(found[1].t - found[0].t, 20);
  EXPECT_EQ(run.last("mode"), 2);
}

}  // namespace modes_test
}  // namespace gyrostat::testing
