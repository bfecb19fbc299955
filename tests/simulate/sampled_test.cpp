// What acts at whole multiples of a period: samples, alone, in chains, rings and control loops; noise.
#include <cmath>

#include <gtest/gtest.h>

#include "gyrostat/signals/noise.h"

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace {

Flight fly(OneAxis model, const std::string& method = "dopri5") {
  model.method = method;
  return Flight(model.text());
}

// --- samples ----------------------------------------------------------------------------------------------------

TEST(Sample, IsAStaircaseThatStartsAtZero) {
  for (const std::string& method : every_method) {
    const Flight run = fly({.signals = "s: {sample: {input: \"5 + t\", period: 0.3}}", .interval = 0.07}, method);
    const std::vector<double> values = run.values("s");
    for (std::size_t k = 0; k < values.size(); ++k) {
      EXPECT_NEAR(values[k], 5 + 0.3 * std::floor(run.time[k] / 0.3), 1e-15) << method << " at " << run.time[k];
    }
  }
}

TEST(Sample, HasItsNewValueAtTheVeryInstant) {
  const Flight run = fly({.signals = "s: {sample: {input: t, period: 0.25}}", .interval = 0.125});
  for (std::size_t k = 0; k + 1 < run.time.size(); ++k)
    EXPECT_EQ(run.values("s")[k], 0.25 * std::floor(run.time[k] * 4));
}

/// Steps of such a length may end a rounding before the instant.
TEST(Sample, OfAVeryShortPeriodMissesNone) {
  for (const std::string& method : every_method) {
    const Flight run =
        fly({.signals = "s: {sample: {input: t, period: 1e-8}}", .duration = 1e-4, .interval = 1e-5}, method);
    EXPECT_EQ(run.outcome.kind, gyrostat::Outcome::Kind::finished) << method << ": " << run.outcome.failure;
    const std::vector<double> values = run.values("s");
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], run.time[k], 1.1e-8) << method;
  }
}

TEST(Sample, IsTakenAtTheEndToo) {
  EXPECT_EQ(fly({.signals = "s: {sample: {input: t, period: 0.25}}", .duration = 1}).last("s"), 1);
}

TEST(Sample, TheIntegratorStopsAtEachOfThem) {
  for (const std::string& method : every_method) {  // the sum of a staircase, exact only if no step crosses an edge
    const Flight run = fly(
        {.signals = "s: {sample: {input: t, period: 0.3}}, i: {integral: s}", .duration = 2.9, .step = 0.11}, method);
    EXPECT_NEAR(run.last("i"), 0.09 * 36 + 2.7 * 0.2, 1e-12) << method;
  }
}

TEST(Sample, OfASampleSeesTheNewValue) {
  const Flight run =
      fly({.signals = "slow: {sample: {input: fast, period: 0.5}}, fast: {sample: {input: t, period: 0.25}}",
           .interval = 0.05});
  const std::vector<double> fast = run.values("fast"), slow = run.values("slow");
  for (std::size_t k = 0; k + 1 < fast.size(); ++k) {
    EXPECT_NEAR(fast[k], 0.25 * std::floor(run.time[k] / 0.25 + 1e-9), 1e-12);
    EXPECT_NEAR(slow[k], 0.5 * std::floor(run.time[k] / 0.5 + 1e-9), 1e-12);
  }
}

// What lies between two samples of one instant counts for the second as it is after the first.
TEST(Sample, OfALimitedSampleKeepsTheLimit) {
  const Flight run =
      fly({.signals = "a: {sample: {input: \"5*t\", period: 0.5}}, l: {saturate: {input: a, low: -1, high: "
                      "1}}, s: {sample: {input: l, period: 0.5}}",
           .interval = 0.2});
  for (std::size_t k = 0; k < run.time.size(); ++k) EXPECT_EQ(run.values("s")[k], run.time[k] < 0.5 ? 0 : 1);
}

TEST(Sample, OfTheMagnitudeOfASampleIsNotNegative) {
  const Flight run = fly({.signals = "a: {sample: {input: \"1 - 2*step(0.5)\", period: 0.5}}, s: {sample: {input: "
                                     "\"abs(a)\", period: 0.5}}"});
  for (const double s : run.values("s")) EXPECT_EQ(s, 1);
}

TEST(Sample, OfAnAmplifierThatASampleDrivesFollowsAtOnce) {
  const Flight run = fly({.signals = "a: {sample: {input: t, period: 0.5}}, jet: {switching_amplifier: {input: a, "
                                     "deadband: 0.4}}, s: {sample: {input: jet, period: 0.5}}",
                          .interval = 0.2});
  for (std::size_t k = 0; k < run.time.size(); ++k) EXPECT_EQ(run.values("s")[k], run.time[k] < 0.5 ? 0 : 1);
}

TEST(Sample, OfAnAmplifierThatIsOnFromTheStartIsOn) {
  const Flight run =
      fly({.signals = "jet: {switching_amplifier: {input: 5, deadband: 1}}, s: {sample: {input: jet, period: 1}}"});
  EXPECT_EQ(run.values("s")[0], 1);
  EXPECT_EQ(run.values("s")[5], 1);
}

TEST(Sample, InARingTheFirstOfTheFileComesLast) {
  const std::string a = "a: {sample: {input: \"b + 1\", period: 1}}", b = "b: {sample: {input: \"2*a\", period: 1}}";
  const Flight ab = fly({.signals = a + ", " + b, .duration = 2.5, .interval = 1});
  const Flight ba = fly({.signals = b + ", " + a, .duration = 2.5, .interval = 1});
  const std::vector<double> a_second = {1, 3, 7, 7}, b_first = {0, 2, 6, 6};
  EXPECT_EQ(ab.values("a"), a_second);
  EXPECT_EQ(ab.values("b"), b_first);
  const std::vector<double> a_first = {1, 3, 7, 7}, b_second = {2, 6, 14, 14};
  EXPECT_EQ(ba.values("a"), a_first);
  EXPECT_EQ(ba.values("b"), b_second);
}

TEST(Sample, ASampledControllerIsTheDiscreteOne) {
  // unit mass, held force: x' = x + v T + f T^2/2, v' = v + f T
  const double T = 0.2, kp = 2, kd = 1.5;
  for (const std::string& method : every_method) {
    const Flight run =
        fly({.signals = "x: {sample: {input: j.displacement, period: 0.2}}, v: {sample: {input: j.speed, "
                        "period: 0.2}}, f: \"-2*x - 1.5*v\"",
             .force = "f",
             .initial = "{displacement: 1, speed: -0.5}",
             .duration = 10,
             .interval = 0.2},
            method);
    double x = 1, v = -0.5;
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      EXPECT_NEAR(run.rows[k][run.column("j.displacement")], x, 1e-9) << method << " at " << run.time[k];
      const double f = -kp * x - kd * v;
      x += v * T + f * T * T / 2;
      v += f * T;
    }
  }
}

TEST(Sample, AgreesWithAStepAtTheSameInstant) {  // 3*0.1 is not 0.3
  const Flight run =
      fly({.signals = "s: {sample: {input: \"step(0.3)\", period: 0.1}}", .duration = 0.6, .interval = 0.06});
  EXPECT_EQ(run.values("s")[4], 0);
  EXPECT_EQ(run.values("s")[6], 1);
}

TEST(Sample, KeepsItsPeriodForAMillionSeconds) {
  const Flight run = fly({.signals = "s: {sample: {input: t, period: 1000.1}}", .duration = 1e6, .interval = 7000});
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.values("s")[k], 1000.1 * std::floor(run.time[k] / 1000.1), 1e-8) << run.time[k];
  }
}

TEST(Sample, WithAPeriodTooShortToTellInstantsApartIsNotForgotten) {
  try {
    const Flight run = fly({.signals = "s: {sample: {input: t, period: 1e-13}}", .duration = 1e-9, .interval = 1e-10});
    EXPECT_NEAR(run.last("s"), 1e-9, 1e-12) << "sampling stopped without a word";
  } catch (const std::runtime_error&) {
    SUCCEED() << "or it is refused";
  }
}

// --- plugins ------------------------------------------------------------------------------------------------------

std::vector<double> calls;

int note(const gyrostat_call* call) {
  calls.push_back(call->t);
  call->outputs[0] = 2 * call->inputs[0];
  return 0;
}

TEST(PluginBlock, IsCalledOnceAtTheStartAndOnceEachPeriod) {
  for (const std::string more : {"", ", d: {delay: {input: s.y, time: 0.3}}, e: {delay: {input: d, time: 0.1}}",
                                 ", p: {pid: {input: t, kp: 1, kd: 1, filter: 0.1}}"}) {
    const OneAxis model{.signals =
                            "s: {plugin: {library: ./none.so, function: f, inputs: [\"1 + t\"], outputs: [y], "
                            "period: 0.25}}" +
                            more};
    Flight run(model.text());  // without the plugin; then the same with it
    run.rows.clear();
    run.time.clear();
    calls.clear();
    std::vector<PluginFunction> plugins(1);
    plugins[0].function = note;
    Simulation simulation(*run.loaded.model, run.settings, plugins);
    ASSERT_EQ(simulation.run(run).kind, Outcome::Kind::finished);
    const std::vector<double> expected = {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75};
    EXPECT_EQ(std::vector<double>(calls.begin(), calls.end() - (calls.back() == 2 ? 1 : 0)), expected) << more;
    for (std::size_t k = 0; k + 1 < run.time.size(); ++k) {
      EXPECT_EQ(run.rows[k][run.column("s.y")], 2 + 0.5 * std::floor(run.time[k] / 0.25)) << run.time[k];
    }
  }
}

TEST(PluginBlock, SeesALimitedSampleWithinItsLimits) {
  const OneAxis model{.signals =
                          "a: {sample: {input: \"5*t\", period: 0.5}}, l: {saturate: {input: a, low: -1, high: 1}}, "
                          "s: {plugin: {library: ./none.so, function: f, inputs: [l], outputs: [y], period: 0.5}}"};
  Flight run(model.text());
  run.rows.clear();
  run.time.clear();
  std::vector<PluginFunction> plugins(3);
  plugins[2].function = note;
  Simulation simulation(*run.loaded.model, run.settings, plugins);
  ASSERT_EQ(simulation.run(run).kind, Outcome::Kind::finished);
  for (const double y : run.values("s.y")) EXPECT_LE(y, 2);
}

// --- noise ------------------------------------------------------------------------------------------------------

TEST(Noise, IsTheSameWhateverIntegratesAndRecordsIt) {
  OneAxis model{.signals = "s: {noise: {seed: 42, std: 3, period: 0.1}}, i: {integral: s}", .force = "s"};
  const auto expect_stream = [](const Flight& run, const std::string& what) {
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      if (run.time[k] == 2) continue;
      const auto number = static_cast<std::uint64_t>(std::floor(run.time[k] / 0.1 + 1e-9));
      ASSERT_EQ(run.values("s")[k], 3 * normal_number(42, number)) << what << " at " << run.time[k];
    }
  };
  for (const std::string& method : every_method) {
    for (const double interval : {0.1, 0.037}) {
      for (const double tolerance : {1e-4, 1e-11}) {
        model.interval = interval;
        model.tolerance = tolerance;
        expect_stream(fly(model, method), method);
      }
    }
  }
}

TEST(Noise, PushesABodyAsTheSumOfItsNumbers) {
  const Flight run = fly({.signals = "s: {noise: {seed: 7, std: 0.5, period: 0.1}}", .force = "s", .duration = 5});
  double sum = 0;
  for (std::uint64_t n = 0; n < 50; ++n) sum += 0.1 * 0.5 * normal_number(7, n);
  EXPECT_NEAR(run.last("j.speed"), sum, 1e-12);
}

TEST(Noise, OfOneSeedIsOneStreamAndOfAnotherAnother) {
  const Flight run = fly({.signals = "a: {noise: {seed: 1, std: 1, period: 0.1}}, b: {noise: {seed: 1, std: 2, period: "
                                     "0.1}}, c: {noise: {seed: 2, std: 1, period: 0.1}}",
                          .interval = 0.15});
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_EQ(run.values("b")[k], 2 * run.values("a")[k]);
    EXPECT_NE(run.values("c")[k], run.values("a")[k]);
  }
}

}  // namespace
}  // namespace gyrostat::testing
