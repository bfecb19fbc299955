// Switching amplifiers: thresholds, least times on and off, reversals, and a jet-driven limit cycle made of parabolas.
#include <cmath>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace {

constexpr double pi = std::numbers::pi;

struct Switching {
  double t;
  std::string what;
  friend bool operator==(const Switching&, const Switching&) = default;
  friend void PrintTo(const Switching& s, std::ostream* out) { *out << fmt::format("{:.17g} {}", s.t, s.what); }
};
using Switchings = std::vector<Switching>;

Switchings switchings(const Flight& run) {
  Switchings list;
  for (const RecordedEvent& e : run.events) {
    if (e.change.name == "signals.jet") list.push_back({e.t, e.change.what});
  }
  return list;
}
std::string jet(const std::string& input, const std::string& rest) {
  return "jet: {switching_amplifier: {input: \"" + input + "\", " + rest + "}}";
}
Switchings switchings(const std::string& input, const std::string& rest, double duration = 2) {
  const double interval = duration / 20;
  return switchings(Flight(OneAxis{.signals = jet(input, rest), .duration = duration, .interval = interval}.text()));
}

TEST(Amplifier, HasTheSignOfItsInputBeyondTheDeadband) {
  for (const std::string& method : every_method) {
    const Flight run(
        OneAxis{.signals = jet("2*sin(t)", "deadband: 1, hysteresis: 0.2"), .duration = 7, .method = method}.text());
    const Switchings found = switchings(run);
    const Switchings expected = {{pi / 6, "on +"},
                                 {pi - std::asin(0.4), "off"},
                                 {7 * pi / 6, "on -"},
                                 {2 * pi - std::asin(0.4), "off"},
                                 {2 * pi + pi / 6, "on +"}};
    ASSERT_EQ(found.size(), expected.size()) << method;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k].t, expected[k].t, 2e-12) << method;
      EXPECT_EQ(found[k].what, expected[k].what);
    }
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const double t = run.time[k];
      const double on = t > expected[0].t && t < expected[1].t ? 1 : t > expected[2].t && t < expected[3].t ? -1 : 0;
      EXPECT_EQ(run.values("jet")[k], t > expected[4].t ? 1 : on) << t;
    }
  }
}

TEST(Amplifier, StaysOnForExactlyItsLeastTime) {
  const Switchings expected = {{0.3, "on +"}, {0.3 + 0.02, "off"}};
  EXPECT_EQ(switchings("pulse(0.3, 0.305)", "deadband: 0.5, min_on_time: 20 ms"), expected);
}

TEST(Amplifier, StaysOnLongerIfItsInputDoes) {
  const Switchings expected = {{0.3, "on +"}, {0.5, "off"}};
  EXPECT_EQ(switchings("pulse(0.3, 0.5)", "deadband: 0.5, min_on_time: 20 ms"), expected);
}

TEST(Amplifier, StaysOffForExactlyItsLeastTime) {
  const Switchings expected = {{0.1, "on +"}, {0.2, "off"}, {0.2 + 0.1, "on +"}, {0.5, "off"}};
  EXPECT_EQ(switchings("pulse(0.1, 0.2) + pulse(0.25, 0.5)", "deadband: 0.5, min_off_time: 0.1"), expected);
}

TEST(Amplifier, NeedNotWaitBeforeItWasEverOn) {
  const Switchings expected = {{0.1, "on +"}, {0.2, "off"}};
  EXPECT_EQ(switchings("pulse(0.1, 0.2)", "deadband: 0.5, min_off_time: 1"), expected);
}

TEST(Amplifier, ReversesAtOnce) {
  const Switchings expected = {{0.4, "off"}, {0.4, "on -"}};
  EXPECT_EQ(switchings("1 - 2*step(0.4)", "deadband: 0.5"), expected);
}

TEST(Amplifier, ReversesAfterItsLeastTimes) {
  const Switchings after_off = {{0.4, "off"}, {0.4 + 0.05, "on -"}};
  EXPECT_EQ(switchings("1 - 2*step(0.4)", "deadband: 0.5, min_off_time: 0.05"), after_off);
  const Switchings after_on = {{0.7, "off"}, {0.7, "on -"}};
  EXPECT_EQ(switchings("1 - 2*step(0.4)", "deadband: 0.5, min_on_time: 0.7"), after_on);
  const Switchings after_both = {{0.7, "off"}, {0.7 + 0.05, "on -"}};
  EXPECT_EQ(switchings("1 - 2*step(0.4)", "deadband: 0.5, min_on_time: 0.7, min_off_time: 0.05"), after_both);
}

TEST(Amplifier, IsOffWithItsInputExactlyAtTheDeadband) {
  EXPECT_EQ(switchings("0.5", "deadband: 0.5"), Switchings{});
  EXPECT_EQ(switchings("min(t, 0.5)", "deadband: 0.5"), Switchings{});
  EXPECT_EQ(switchings("0.5*step(0.3)", "deadband: 0.5"), Switchings{});
}

TEST(Amplifier, StaysOnWithItsInputExactlyAtTheEndOfTheHysteresis) {
  const Switchings expected = {{0.25, "on +"}};
  EXPECT_EQ(switchings("step(0.25) - 0.5*step(1)", "deadband: 0.75, hysteresis: 0.25"), expected);
}

TEST(Amplifier, MayBeOnFromTheStartAndItsTimeCountsFromThere) {
  const Flight run(
      OneAxis{.signals = jet("1 - step(0.001)", "deadband: 0.5, min_on_time: 20 ms"), .interval = 0.01}.text());
  EXPECT_EQ(run.values("jet")[0], 1);
  const Switchings expected = {{0.02, "off"}};
  EXPECT_EQ(switchings(run), expected);
}

TEST(Amplifier, WithoutADeadbandIsTheSignOfItsInput) {
  const Switchings found = switchings("cos(t)", "deadband: 0", 7);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NEAR(found[0].t, pi / 2, 2e-12);
  EXPECT_EQ(found[1].what, "on -");
  EXPECT_NEAR(found[3].t, 3 * pi / 2, 2e-12);
}

TEST(Amplifier, ImpulseBitsOfAMillionSecondsLaterAreStillExact) {
  const Switchings found = switchings("pulse(1000000.5, 1000000.501)", "deadband: 0.5, min_on_time: 20 ms", 1000002);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].t, 1000000.5);
  EXPECT_EQ(found[1].t, 1000000.5 + 0.02);
}

// --- a limit cycle ----------------------------------------------------------------------------------------------

/// A unit mass pushed by jets of force F, switched by -(x + tau v), with everything between switchings a parabola.
struct Jets {
  double force, tau, deadband, hysteresis, min_on;
  double x, v;
  double t = 0, since = -1e9;
  int on = 0;

  [[nodiscard]] double input() const { return -(x + tau * v); }

  /// The first time after `from` at which the input, times sign, falls to `level` (or rises to it).
  [[nodiscard]] std::optional<double> passes(double sign, double level, bool rising) const {
    const double a = on * force, c2 = -sign * a / 2, c1 = -sign * (v + tau * a), c0 = sign * input() - level;
    std::optional<double> first;
    const auto consider = [&](double dt) {
      const double slope = c1 + 2 * c2 * dt;
      if (dt > 1e-9 && (rising ? slope > 0 : slope < 0) && (!first || dt < *first)) first = dt;
    };
    if (c2 == 0) {
      if (c1 != 0) consider(-c0 / c1);
      return first;
    }
    const double under = c1 * c1 - 4 * c2 * c0;
    if (under < 0) return first;
    const double q = -0.5 * (c1 + std::copysign(std::sqrt(under), c1));
    consider(q / c2);
    if (q != 0) consider(c0 / q);
    return first;
  }
  void move(double dt) {
    const double a = on * force;
    x += v * dt + a * dt * dt / 2;
    v += a * dt;
    t += dt;
  }
  /// Moves to the next switching; its name, or empty if there is none.
  std::string next() {
    if (on == 0) {
      const auto plus = passes(1, deadband, true), minus = passes(-1, deadband, true);
      if (!plus && !minus) return {};
      const bool positive = plus && (!minus || *plus < *minus);
      move(positive ? *plus : *minus);
      on = positive ? 1 : -1;
      since = t;
      return positive ? "on +" : "on -";
    }
    const double wait = since + min_on - t;
    if (wait > 0) {
      move(wait);
      if (on * input() >= deadband - hysteresis) return next();
    } else {
      move(passes(on, deadband - hysteresis, false).value());
    }
    on = 0;
    since = t;
    return "off";
  }
};

void expect_limit_cycle(Jets jets, double duration, std::size_t least) {
  Switchings expected;
  const OneAxis model{.signals = jet(fmt::format("-(j.displacement + {}*j.speed)", jets.tau),
                                     fmt::format("deadband: {}, hysteresis: {}, min_on_time: {}", jets.deadband,
                                                 jets.hysteresis, jets.min_on)),
                      .force = fmt::format("{}*jet", jets.force),
                      .initial = fmt::format("{{displacement: {}, speed: {}}}", jets.x, jets.v),
                      .duration = duration,
                      .interval = 0.5,
                      .tolerance = 1e-12};
  for (std::string what = jets.next(); !what.empty() && jets.t < duration; what = jets.next()) {
    expected.push_back({jets.t, what});
  }
  ASSERT_GE(expected.size(), least);
  for (const std::string& method : every_method) {
    OneAxis m = model;
    m.method = method;
    const Flight run(m.text());
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << method << ": " << run.outcome.failure;
    const Switchings found = switchings(run);
    ASSERT_EQ(found.size(), expected.size()) << method;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].what, expected[k].what) << method << ", switching " << k;
      EXPECT_NEAR(found[k].t, expected[k].t, 1e-9) << method << ", switching " << k;
    }
  }
}

TEST(Amplifier, JetsMakeALimitCycleOfParabolas) {
  expect_limit_cycle({0.1, 0.5, 0.05, 0.01, 0.02, 0.01, 0.04}, 60, 15);
}

TEST(Amplifier, JetsMakeALimitCycleOfImpulseBits) { expect_limit_cycle({0.2, 1, 0.02, 0, 0.1, -0.04, 0.05}, 40, 10); }

}  // namespace
}  // namespace gyrostat::testing
