// Everything in expressions that jumps or bends, as it acts on a motion; and motions that switch without end.
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace switches_test {

using std::cos, std::sin;
constexpr double pi = std::numbers::pi;

/// The integral of f over [0, t], by Gauss's rule of five points on pieces between the instants where f jumps or bends.
double integral(const std::function<double(double)>& f, double t, const std::vector<double>& bends) {
  std::vector<double> ends = {0};
  for (const double bend : bends) {
    if (bend > 0 && bend < t) ends.push_back(bend);
  }
  ends.push_back(t);
  std::ranges::sort(ends);
  const double x[] = {0, 0.5384693101056831, 0.9061798459386640};
  const double w[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  double sum = 0;
  const int pieces = 40;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double h = (ends[k + 1] - ends[k]) / (2 * pieces);
    for (int p = 0; p < pieces; ++p) {
      const double middle = ends[k] + (2 * p + 1) * h;
      sum += h * w[0] * f(middle);
      for (int i = 1; i < 3; ++i) sum += h * w[i] * (f(middle - h * x[i]) + f(middle + h * x[i]));
    }
  }
  return sum;
}

/// first, first + step, ..
std::vector<double> every(double step, double first) {
  std::vector<double> list;
  for (double t = first; t < 6; t += step) list.push_back(t);
  return list;
}

/// The value of an expression of t at every record, and its integral.
void expect_expression(const std::string& expression, const std::function<double(double)>& exact,
                       const std::vector<double>& bends) {
  for (const char* method : {"dopri5", "cvode_adams", "rk4"}) {
    const Flight run(
        OneAxis{.signals = "s: \"" + expression + "\", i: {integral: s}", .duration = 5, .method = method}.text());
    ASSERT_EQ(run.outcome.kind, gyrostat::Outcome::Kind::finished) << run.outcome.failure;
    ASSERT_EQ(run.time.size(), 51U);
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      ASSERT_NEAR(run.values("s")[k], exact(run.time[k]), 1e-11) << expression << " at " << run.time[k];
    }
    EXPECT_NEAR(run.last("i"), integral(exact, 5, bends), 1e-8) << method << ": " << expression;
  }
}

TEST(Switches, EveryFunctionThatBendsIsFollowed) {
  const double a = std::asin(0.3), b = std::acos(0.1), c = std::asin(0.4), d = std::asin(0.25);
  expect_expression(
      "abs(sin(3*t))", [](double t) { return std::abs(sin(3 * t)); }, every(pi / 3, 0));
  expect_expression(
      "sign(cos(2*t))", [](double t) { return cos(2 * t) > 0 ? 1 : -1; }, every(pi / 2, pi / 4));
  expect_expression(
      "min(sin(t), cos(t))", [](double t) { return std::min(sin(t), cos(t)); }, every(pi, pi / 4));
  expect_expression(
      "max(sin(t), cos(t))", [](double t) { return std::max(sin(t), cos(t)); }, every(pi, pi / 4));
  expect_expression("clamp(2*sin(t), -0.5, 1)", [](double t) { return std::clamp(2 * sin(t), -0.5, 1.0); },
                    {pi / 6, 5 * pi / 6, pi + d, 2 * pi - d});
  expect_expression("sin(t) > 0.3 ? t : -t", [](double t) { return sin(t) > 0.3 ? t : -t; }, {a, pi - a});
  expect_expression("(sin(t) < 0.3) + 2*(cos(t) <= 0.1) + 4*(sin(t) >= -0.4) + 8*(cos(t) != 0)",
                    [](double t) { return (sin(t) < 0.3) + 2 * (cos(t) <= 0.1) + 4 * (sin(t) >= -0.4) + 8; },
                    {a, pi - a, b, 2 * pi - b, pi + c, 2 * pi - c});
  std::vector<double> both = every(pi / 5, 0);
  std::ranges::copy(every(pi, pi / 2), std::back_inserter(both));
  expect_expression(
      "sin(5*t) > 0 ? (cos(t) > 0 ? 1 : 2) : 3", [](double t) { return sin(5 * t) > 0 ? (cos(t) > 0 ? 1 : 2) : 3; },
      both);
}

TEST(Switches, IntegralsOverThemAreAsAccurateAsAskedFor) {
  for (const std::string& method : adaptive) {
    const Flight run(OneAxis{.signals = "a: {integral: \"abs(sin(3*t))\"}, b: {integral: \"sign(cos(2*t))*t\"}",
                             .duration = pi,
                             .interval = 0.1,
                             .method = method,
                             .tolerance = 1e-12}
                         .text());
    EXPECT_NEAR(run.last("a"), 2, 1e-9) << method;
    const double q = pi / 4;
    EXPECT_NEAR(run.last("b"), (q * q - (9 * q * q - q * q) + (pi * pi - 9 * q * q)) / 2, 1e-9) << method;
  }
}

TEST(Switches, ABodyThatASignDrivesMovesOnParabolas) {  // x'' = -sign(x), period 4 sqrt(2)
  for (const std::string& method : every_method) {
    const double period = 4 * std::sqrt(2.0);
    const Flight run(OneAxis{.force = "-sign(j.displacement)",
                             .initial = "{displacement: 1}",
                             .duration = 10 * period,
                             .interval = period / 4,
                             .method = method,
                             .tolerance = 1e-12}
                         .text());
    const double x[] = {1, 0, -1, 0};
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      EXPECT_NEAR(run.values("j.displacement")[k], x[k % 4], method == "cvode_bdf" ? 1e-7 : 1e-9) << method << " " << k;
    }
  }
}

/// x'' = -4 x above 0 and -x below: half circles, period pi/2 + pi.
double error_of_bilinear(const std::string& method, double tolerance, double step) {
  const Flight run(OneAxis{.force = "-(j.displacement > 0 ? 4 : 1)*j.displacement",
                           .initial = "{displacement: 1}",
                           .duration = 1.5 * pi * 4,
                           .interval = 1.5 * pi,
                           .method = method,
                           .tolerance = tolerance,
                           .step = step}
                       .text());
  return std::hypot(run.last("j.displacement") - 1, run.last("j.speed") / 2);
}

TEST(Switches, DoNotSpoilAccuracy) {
  for (const std::string& method : adaptive) EXPECT_LT(error_of_bilinear(method, 1e-12, 0), 1e-9) << method;
}

TEST(Switches, DoNotSpoilTheOrder) {
  const double ratio = error_of_bilinear("rk4", 1e-9, 0.08) / error_of_bilinear("rk4", 1e-9, 0.02);
  EXPECT_GT(ratio, 100);  // 4^4 = 256; 16 would be order 2
}

// --- atan2 ----------------------------------------------------------------------------------------------------------

std::string turning(const std::string& rest, double rate, double duration, const std::string& integrator) {
  return fmt::format(R"yaml(gyrostat: 1
bodies: {{b: {{mass: 1, inertia: [1, 1, 1]}}}}
joints: {{j: {{type: revolute, parent: world, child: b, axis: [0, 0, 1], initial: {{rate: {}}}{}}}}}
signals: {{s: "atan2(sin(j.angle), cos(j.angle))", i: {{integral: s}}}}
simulation: {{duration: {}, integrator: {}}}
output: {{interval: 0.1}}
)yaml",
                     rate, rest, duration, integrator);
}
const std::vector<std::string> integrators = {"{method: dopri5, tolerance: 1e-12}",
                                              "{method: cvode_adams, tolerance: 1e-12}", "{method: rk4, step: 0.01}"};

TEST(Switches, AnAngleJumpsAtItsBranchCut) {
  for (const std::string& integrator : integrators) {
    for (const double rate : {2.0, -2.0}) {
      const Flight run(turning("", rate, 8, integrator));
      const std::vector<double> found = run.times_of("signals.s");
      ASSERT_EQ(found.size(), 3u) << integrator;
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(found[k], pi / 2 + pi * static_cast<double>(k), 1e-11);
        EXPECT_EQ(run.events[k].change.what, "atan2");
      }
      for (std::size_t k = 0; k < run.time.size(); ++k) {
        EXPECT_NEAR(run.values("s")[k], std::remainder(rate * run.time[k], 2 * pi), 1e-9) << integrator;
      }
      const double left = std::remainder(rate * 8, 2 * pi);
      EXPECT_NEAR(run.last("i"), (left * left / 2) / rate, 1e-9) << integrator;  // whole turns add nothing
    }
  }
}

TEST(Switches, ATorqueByAnAngleDrivesABodyOverTheBranchCut) {
  // th'' = -th between -pi and pi: th = 4 sin t until it is pi; each turn takes 2 asin(pi/4)
  for (const std::string& integrator : integrators) {
    const Flight run(turning(", torque: \"-s\"", 4, 15, integrator));
    const std::vector<double> found = run.times_of("signals.s");
    const double half = std::asin(pi / 4);
    ASSERT_EQ(found.size(), static_cast<std::size_t>((15 + half) / (2 * half))) << integrator;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k], half * static_cast<double>(2 * k + 1), 1e-7) << integrator;
    }
  }
}

TEST(Switches, PassingThroughZeroAngleIsNoEventHoweverLongTheStep) {
  for (const char* integrator : {"{method: rk4, step: 0.6}", "{method: dopri5}", "{method: cvode_adams}"}) {
    std::string text = turning("", -3, 6, integrator);
    text.replace(text.find("interval: 0.1"), 13, "interval: 0.6");
    const Flight run(text);
    const std::vector<double> found = run.times_of("signals.s");
    EXPECT_EQ(found.size(), 3u) << integrator;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(std::abs(std::remainder(3 * found[k], 2 * pi)), pi, 1e-9) << integrator << " at " << found[k];
    }
  }
}

// --- switching without end ------------------------------------------------------------------------------------------

TEST(Switches, DryFrictionWrittenAsASignStopsTheRunWhereTheBodyStops) {
  for (const std::string& method : every_method) {
    for (const double speed : {1.0, 1e6 / 3}) {
      const Flight run(OneAxis{.force = "-0.7*sign(j.speed)",
                               .initial = fmt::format("{{speed: {}}}", speed),
                               .duration = 2 * speed,
                               .interval = speed / 10,
                               .method = method,
                               .step = speed / 100}
                           .text());
      ASSERT_EQ(run.outcome.kind, Outcome::Kind::failed) << method;
      EXPECT_NEAR(run.outcome.t, speed / 0.7, 1e-6 * speed) << method;
      EXPECT_THAT(run.outcome.failure, ::testing::StartsWith("joints.j.torque chatters"));
    }
  }
}

TEST(Switches, AnAmplifierWithoutHysteresisOnARateChatters) {
  const Flight run(OneAxis{.signals = "jet: {switching_amplifier: {input: \"-j.speed\", deadband: 0}}",
                           .force = "jet",
                           .initial = "{speed: 0.5}"}
                       .text());
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::failed);
  EXPECT_NEAR(run.outcome.t, 0.5, 1e-6);
  EXPECT_THAT(run.outcome.failure, ::testing::StartsWith("signals.jet chatters"));
}

TEST(Switches, AmplifiersThatSwitchEachOtherAreRefusedBeforeTheyCan) {
  const OneAxis model{.signals =
                          "a: {switching_amplifier: {input: \"1 - b\", deadband: 0.5}}, b: {switching_amplifier: "
                          "{input: a, deadband: 0.5}}"};
  EXPECT_THAT(problems_of(model.text()), ::testing::HasSubstr("algebraic loop: a -> b -> a"));
}

TEST(Switches, AmplifiersThatSwitchEachOtherThroughASampleTakeTurns) {
  const Flight run(OneAxis{.signals =
                               "a: {switching_amplifier: {input: \"1 - s\", deadband: 0.5}}, b: "
                               "{switching_amplifier: {input: a, deadband: 0.5}}, s: {sample: {input: b, period: "
                               "0.25}}",
                           .interval = 0.25}
                       .text());
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  for (std::size_t k = 1; k + 1 < run.time.size(); ++k) {
    EXPECT_EQ(run.values("s")[k], 1 - run.values("s")[k - 1]) << run.time[k];
  }
}

TEST(Switches, EverShorterSwingsStopTheRunWhereTheyEnd) {
  // x'' = -2 sign(x) - sign(x'): each swing is a third of the one before, and all of them take 4.46 s
  const double end = 4.0 / 3 * std::sqrt(2.0) / (1 - std::sqrt(1.0 / 3));
  for (const std::string& method : adaptive) {
    const Flight run(OneAxis{.force = "-2*sign(j.displacement) - sign(j.speed)",
                             .initial = "{displacement: 1}",
                             .duration = 6,
                             .method = method,
                             .tolerance = 1e-12}
                         .text());
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::failed) << method;
    EXPECT_NEAR(run.outcome.t, end, 1e-5) << method;
    EXPECT_THAT(run.outcome.failure, ::testing::StartsWith("joints.j.torque chatters"));
  }
}

TEST(Switches, FastButFiniteSwitchingIsNotChattering) {  // 10 us on, 10 us off
  const Flight run(
      OneAxis{.signals = "s: \"sin(100000*pi*t) > 0\"", .duration = 2e-3, .interval = 1e-5, .step = 1e-6}.text());
  EXPECT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  EXPECT_NEAR(static_cast<double>(run.events.size()), 200, 1);
}

/// They reach no force, no state and no held block: the integrator does not begin anew for them.
TEST(Switches, ThatAreOnlyRecordedAreNoEvents) {
  const std::string acting = "i: {integral: \"step(1.5)*sin(3*t)\"}";
  const std::string recorded =
      ", r: \"2*acos(min(1, abs(sin(5*t))))\", root: \"sin(t*7) < 0 ? sqrt(-sin(t*7)) : sqrt(sin(t*7))\", late: "
      "\"step(2.05)\", of: \"r > 1 ? r : -r\"";
  for (const std::string& method : every_method) {
    const Flight without(OneAxis{.signals = acting, .duration = 5, .method = method, .watched = false}.text());
    const Flight with(OneAxis{.signals = acting + recorded, .duration = 5, .method = method, .watched = false}.text());
    ASSERT_EQ(with.outcome.kind, gyrostat::Outcome::Kind::finished) << with.outcome.failure;
    EXPECT_EQ(with.simulation.statistics().steps, without.simulation.statistics().steps) << method;
    EXPECT_EQ(with.simulation.statistics().restarts, without.simulation.statistics().restarts) << method;
    EXPECT_EQ(with.events.size(), without.events.size()) << method;
    EXPECT_EQ(with.values("i"), without.values("i")) << method;
    for (std::size_t k = 0; k < with.time.size(); ++k) {
      const double t = with.time[k], r = 2 * std::acos(std::min(1.0, std::abs(sin(5 * t))));
      EXPECT_NEAR(with.values("r")[k], r, 1e-7) << t;
      EXPECT_NEAR(with.values("root")[k], std::sqrt(std::abs(sin(7 * t))), 1e-12) << t;
      EXPECT_EQ(with.values("late")[k], t > 2.05 - 1e-9 ? 1 : 0) << t;
      EXPECT_NEAR(with.values("of")[k], r > 1 ? r : -r, 1e-7) << t;
    }
  }
}

}  // namespace switches_test
}  // namespace gyrostat::testing
