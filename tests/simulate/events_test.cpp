// Events: found where they are, none missed, none invented, and nothing lost at them.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace events_test {

using Times = std::vector<double>;
constexpr double pi = std::numbers::pi;

Times times(OneAxis model, const std::string& name, const std::string& method = "dopri5") {
  model.method = method;
  const Flight run(model.text());
  EXPECT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  return run.times_of(name);
}

// --- instants known beforehand ------------------------------------------------------------------------------------

TEST(Events, StepsRampsAndPulsesAreHitExactly) {
  for (const std::string& method : every_method) {
    const OneAxis model{.signals =
                            "a: \"step(0.3)\", b: \"ramp(0.7)\", c: \"pulse(1.1, 1.3)\", d: \"t < 1.7 ? 1 : 2\", "
                            "e: \"abs(t - 1.9)\", f: \"max(t, 0.123)\""};
    EXPECT_EQ(times(model, "signals.a", method), Times{0.3});
    EXPECT_EQ(times(model, "signals.b", method), Times{0.7});
    EXPECT_EQ(times(model, "signals.c", method), (Times{1.1, 1.3}));
    EXPECT_EQ(times(model, "signals.d", method), Times{1.7});
    EXPECT_EQ(times(model, "signals.e", method), Times{1.9});
    EXPECT_EQ(times(model, "signals.f", method), Times{0.123});
  }
}

TEST(Events, AfterAMillionSecondsAreStillHitExactly) {
  const OneAxis model{
      .signals = "a: \"step(1000000.1)\", b: \"step(1000000.2)\"", .duration = 1000001, .interval = 1e5};
  for (const std::string& method : adaptive) {
    EXPECT_EQ(times(model, "signals.a", method), Times{1000000.1}) << method;
    EXPECT_EQ(times(model, "signals.b", method), Times{1000000.2}) << method;
  }
}

TEST(Events, OfOneInstantAllHappen) {
  const Flight run(OneAxis{.signals = "a: \"step(0.5)\", b: \"2*ramp(0.5)\", c: {sample: {input: a, period: 0.25}}, d: "
                                      "{switching_amplifier: {input: a, deadband: 0.9}}"}
                       .text());
  ASSERT_EQ(run.events.size(), 2u) << "steps of one instant are one switch, and the amplifier";
  for (const RecordedEvent& e : run.events) EXPECT_EQ(e.t, 0.5);
  for (const char* name : {"a", "c", "d"}) EXPECT_EQ(run.at(0.5, name), 1) << name;
}

TEST(Events, CloserThanCanBeToldApartAllHappen) {
  for (const double gap : {1e-15, 3e-13, 0.999e-12, 1e-12, 1.0001e-12, 2e-12, 1e-11}) {
    const std::string second = fmt::format("{:.17g}", 1 + gap);
    const Flight run(OneAxis{.signals = "a: \"step(1)\", b: \"step(" + second + ")\""}.text());
    EXPECT_EQ(run.at(1.5, "a"), 1) << gap;
    EXPECT_EQ(run.at(1.5, "b"), 1) << gap;
  }
}

TEST(Events, AtTheStartHaveHappenedAndAreNotReported) {
  const Flight run(OneAxis{
      .signals = "a: \"step(0)\", b: \"t >= 0\", c: \"pulse(0, 1)\", d: \"sign(j.displacement - 1)\"", .duration = 0.5}
                       .text());
  EXPECT_EQ(run.values("a")[0], 1);
  EXPECT_EQ(run.values("b")[0], 1);
  EXPECT_EQ(run.values("c")[0], 1);
  EXPECT_EQ(run.values("d")[0], -1);
  EXPECT_TRUE(run.events.empty());
}

TEST(Events, AThresholdAtTheStartIsPassedRightAfterIt) {
  const OneAxis model{.signals = "a: \"j.displacement > 0\", b: \"j.displacement < 0\"", .initial = "{speed: 1}"};
  for (const std::string& method : every_method) {
    const Times a = times(model, "signals.a", method);
    ASSERT_EQ(a.size(), 1u) << method;
    EXPECT_LE(a[0], 1e-12);
    EXPECT_TRUE(times(model, "signals.b", method).empty());
  }
}

TEST(Events, AtTheVeryEndHaveHappenedInTheLastRecord) {
  const Flight run(OneAxis{.signals = "a: \"step(1)\", b: \"pulse(0, 1)\"", .duration = 1}.text());
  EXPECT_EQ(run.last("a"), 1);
  EXPECT_EQ(run.last("b"), 0);
}

// --- thresholds ---------------------------------------------------------------------------------------------------

TEST(Events, ACoastingBodyPassesAThresholdOnTime) {
  const OneAxis model{.signals = "a: \"j.displacement > 1.2345\"", .initial = "{displacement: 0.3, speed: 0.7}"};
  for (const std::string& method : every_method) {
    const Times found = times(model, "signals.a", method);
    ASSERT_EQ(found.size(), 1u) << method;
    EXPECT_NEAR(found[0], (1.2345 - 0.3) / 0.7, 1e-12) << method;
  }
}

TEST(Events, AnAcceleratedBodyPassesAThresholdOnTime) {
  const OneAxis model{.signals = "a: \"j.displacement > 1.2345\"", .force = "0.8", .tolerance = 1e-12};
  for (const std::string& method : every_method) {
    const Times found = times(model, "signals.a", method);
    ASSERT_EQ(found.size(), 1u) << method;
    EXPECT_NEAR(found[0], std::sqrt(2 * 1.2345 / 0.8), method.starts_with("cvode") ? 1e-10 : 2e-12) << method;
  }
}

TEST(Events, OfAFunctionOfTimeAreLocatedToAPicosecond) {
  const OneAxis model{.signals = "a: \"sin(3*t) > 0.4\"", .duration = 6};
  for (const std::string& method : every_method) {
    const Times found = times(model, "signals.a", method);
    ASSERT_EQ(found.size(), 6u) << method;
    for (std::size_t k = 0; k < 6; ++k) {
      const double angle = k % 2 == 0 ? std::asin(0.4) : pi - std::asin(0.4);
      EXPECT_NEAR(found[k], (angle + 2 * pi * static_cast<double>(k / 2)) / 3, 1e-12) << method;
    }
  }
}

TEST(Events, ManyInOneStepAreAllFoundInTheirOrder) {
  std::string sum = "0";
  for (int k = 1; k <= 60; ++k) sum += fmt::format(" + (j.displacement > {})", 0.03 * k);
  const OneAxis model{.signals = "a: \"" + sum + "\"", .initial = "{speed: 1}", .interval = 2, .step = 1};
  for (const std::string& method : every_method) {
    const Times found = times(model, "signals.a", method);
    ASSERT_EQ(found.size(), 60u) << method;
    for (std::size_t k = 0; k < 60; ++k) EXPECT_NEAR(found[k], 0.03 * static_cast<double>(k + 1), 2e-12) << method;
  }
}

// Nothing but the guard moves, so steps are as long as the interval between records; the guard is below zero for 2 ms.
TEST(Events, AShortDipBelowAThresholdIsNotMissed) {
  for (const std::string& method : every_method) {
    int missed = 0;
    std::string where;
    for (int k = 0; k < 200; ++k) {
      const double dip = 3 + 0.0213 * k;
      const Times found =
          times({.signals = fmt::format("a: \"(t - {})^2 > 1e-6\"", dip), .duration = 10, .interval = 1, .step = 1},
                "signals.a", method);
      if (found.size() == 2) {
        EXPECT_NEAR(found[0], dip - 1e-3, 1e-11);
        EXPECT_NEAR(found[1], dip + 1e-3, 1e-11);
      } else {
        ++missed;
        where += fmt::format(" {:.4f}", dip);
      }
    }
    EXPECT_EQ(missed, 0) << method << " misses, of 200, those at" << where;
  }
}

TEST(Events, ABodyThatJustTouchesAThresholdIsNotMissed) {  // thrown up to 2e-6 beyond it
  for (int k = 0; k < 100; ++k) {
    const double v = 2 + 0.01 * k, height = v * v / 2 - 2e-6;
    const Times found = times({.signals = fmt::format("a: \"j.displacement > {:.17g}\"", height),
                               .force = "-1",
                               .initial = fmt::format("{{speed: {}}}", v),
                               .duration = 8,
                               .interval = 1,
                               .step = 1},
                              "signals.a", "rk4");
    ASSERT_EQ(found.size(), 2u) << "thrown with " << v;
    EXPECT_NEAR(found[0], v - 2e-3, 1e-9);
    EXPECT_NEAR(found[1], v + 2e-3, 1e-9);
  }
}

TEST(Events, WhatOnlyComesNearIsNoEvent) {
  EXPECT_TRUE(times({.signals = "a: \"(t - 1.3)^2 > -1e-9\"", .interval = 1, .step = 1}, "signals.a").empty());
}

TEST(Events, LateInALongRunAreLocatedAsWellAsTimeIsKnown) {
  const Times found = times({.signals = "a: \"j.displacement > 999999.3\"",
                             .initial = "{speed: 1}",
                             .duration = 1e6,
                             .interval = 1e4,
                             .tolerance = 1e-12},
                            "signals.a");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0], 999999.3, 1e-6);
}

TEST(Events, ASpacecraftThatCannotMoveHasThemToo) {
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    const Flight run(fmt::format(R"yaml(gyrostat: 1
bodies: {{b: {{mass: 1, inertia: [1, 1, 1]}}}}
joints: {{j: {{type: weld, parent: world, child: b}}}}
signals: {{a: "sin(t) > 0.5", b: "step(1)"}}
loads: [{{body: b, force: ["0*a + 0*b", 0, 0]}}]
simulation: {{duration: 2, integrator: {{method: {}}}}}
)yaml",
                                 method));
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << method << ": " << run.outcome.failure;
    ASSERT_EQ(run.times_of("signals.a").size(), 1u) << method;
    EXPECT_NEAR(run.times_of("signals.a")[0], pi / 6, 1e-12) << method;
    EXPECT_EQ(run.times_of("signals.b"), Times{1}) << method;
  }
}

// --- names --------------------------------------------------------------------------------------------------------

TEST(Events, SayWhatTheyBelongToAndWhatItWas) {
  const Flight run(R"yaml(gyrostat: 1
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: prismatic, parent: world, child: b, axis: [1, 0, 0], initial: {speed: 1}, torque: "0*step(0.1)"}}
signals:
  s: "0*abs(j.displacement - 0.2)"
  i: {integral: "ramp(0.3)"}
  c: {saturate: {input: j.displacement, low: -1, high: 0.4}}
  jet: {switching_amplifier: {input: "max(j.displacement, 0.5)", deadband: 0.6}}
  f: {transfer_function: {input: "pulse(0.7, 0.8)", numerator: [1], denominator: [1, 1]}}
loads: [{body: b, force: ["0*(t > 0.9) + 0*s + 0*c", 0, 0]}]
simulation: {duration: 1, integrator: {method: dopri5}}
output: {interval: 0.1}
)yaml");
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"joints.j.torque", "step"}, {"signals.s", "abs"},   {"signals.i", "ramp"},
      {"signals.c", "saturate"},   {"signals.jet", "max"}, {"signals.jet", "on +"},
      {"signals.f", "pulse"},      {"signals.f", "pulse"}, {"loads[0].force", ">"}};
  ASSERT_EQ(run.events.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double t = k < 7 ? 0.1 * static_cast<double>(k + 1) : k == 7 ? 0.8 : 0.9;
    EXPECT_NEAR(run.events[k].t, t, 2e-12);
    EXPECT_THAT(run.events[k].change.name, ::testing::StartsWith(expected[k].first));
    EXPECT_EQ(run.events[k].change.what, expected[k].second);
  }
  EXPECT_EQ(run.simulation.event_count(), expected.size());
}

TEST(Events, OneCrossingOfASignIsOneEvent) {
  const Times found = times({.signals = "a: \"sign(j.displacement - 0.5)\"", .initial = "{speed: 1}"}, "signals.a");
  EXPECT_EQ(found.size(), 1u);
}

// --- determinism --------------------------------------------------------------------------------------------------

const OneAxis busy = {.signals =
                          "jet: {switching_amplifier: {input: \"-j.displacement - 1*j.speed\", deadband: 0.1, "
                          "min_on_time: 0.03}}, n: {noise: {seed: 5, std: 0.1, period: 0.2}}, d: {delay: {input: "
                          "j.speed, time: 0.3}}, p: {pid: {input: d, kp: 0.1, ki: 0.1, low: -0.2, high: 0.2}}",
                      .force = "jet + n - p",
                      .initial = "{displacement: 1}",
                      .duration = 10};

TEST(Events, TheSameRunHasTheSameBits) {
  for (const std::string& method : every_method) {
    OneAxis model = busy;
    model.method = method;
    const Flight a(model.text()), b(model.text());
    EXPECT_EQ(a.rows, b.rows) << method;
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t k = 0; k < a.events.size(); ++k) EXPECT_EQ(a.events[k].t, b.events[k].t);
    EXPECT_GT(a.events.size(), 10u);
  }
}

TEST(Events, RecordsDoNotDisturbARunWithoutThresholds) {
  OneAxis model{.signals = "n: {noise: {seed: 5, std: 0.1, period: 0.2}}, s: \"sin(3*t) + step(0.77)\"",
                .force = "n + s - j.displacement^3",
                .initial = "{displacement: 1}",
                .duration = 8,
                .interval = 0.5};
  const Flight coarse(model.text());
  model.interval = 0.125;
  const Flight fine(model.text());
  for (std::size_t k = 0; k < coarse.rows.size(); ++k) {
    EXPECT_EQ(coarse.rows[k][coarse.column("j.displacement")], fine.rows[4 * k][fine.column("j.displacement")]);
  }
}

}  // namespace events_test
}  // namespace gyrostat::testing
