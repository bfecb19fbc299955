// Loops that are opened and closed again; responses with as many points as a curve needs.
#include "gyrostat/analysis/loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/analysis/frequency_response.h"
#include "gyrostat/analysis/linearize.h"

#include "support/load.h"

namespace gyrostat::testing {
namespace loops_test {

// Two loops, one inside the other, with a delay and an algebraic feedthrough from one to the other.
const std::string nested = R"yaml(gyrostat: 1
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}, arm: {mass: 5, inertia: [1, 1, 1]}}
joints:
  pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: torque}
  elbow: {type: revolute, parent: bus, child: arm, child_point: [1, 0, 0], axis: [0, 0, 1], torque: inner, stiffness: 3}
signals:
  inner: "-2*elbow.rate - 0.4*command"
  command: "-4*pin.angle - 2.8*pin.rate + 0.3*inner"
  torque: {delay: {input: command, time: 50 ms}}
simulation: {duration: 10}
)yaml";
// the same without the algebraic loop
const std::string model_text = [] {
  std::string text = nested;
  text.replace(text.find(" - 0.4*command"), std::string(" - 0.4*command").size(), "");
  return text;
}();

LinearModel linear_of(const Loaded& loaded, const std::vector<std::string>& open) {
  LinearizeSettings settings;
  settings.open = open;
  settings.inputs = {"bus.torque_z"};
  settings.outputs = {"pin.angle", "command + 1"};
  settings.keep_idle_states = true;
  return linearize(*loaded.model, initial_point(*loaded.model), settings);
}

void expect_same(const LinearModel& a, const LinearModel& b) {
  EXPECT_LT((a.A - b.A).norm(), 1e-12 * a.A.norm());
  EXPECT_LT((a.B - b.B).norm(), 1e-12 * a.B.norm());
  EXPECT_LT((a.C - b.C).norm(), 1e-12 * a.C.norm());
  EXPECT_LT((a.D - b.D).norm(), 1e-12);
  ASSERT_EQ(a.inputs.size(), b.inputs.size());
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  for (std::size_t k = 0; k < a.outputs.size(); ++k) EXPECT_EQ(a.outputs[k].name, b.outputs[k].name);
  EXPECT_EQ(a.opened, b.opened);
}

TEST(ClosedLoops, AreWhatTheyWereBeforeTheyWereOpened) {
  const Loaded loaded = load(model_text);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const LinearModel closed = linear_of(loaded, {}), both = linear_of(loaded, {"inner", "command"});
  ASSERT_EQ(both.opened, (std::vector<std::string>{"inner", "command"}));
  expect_same(close_loops(both, both.opened), closed);
  expect_same(close_loops(both, {"command"}), linear_of(loaded, {"inner"}));
  expect_same(close_loops(both, {"inner"}), linear_of(loaded, {"command"}));
  expect_same(close_loops(close_loops(both, {"inner"}), {"command"}), closed);
  expect_same(close_loops(both, {}), both);
}

TEST(ClosedLoops, OfWhatIsNotOpenAreRefused) {
  const Loaded loaded = load(model_text);
  ASSERT_TRUE(loaded.model);
  try {
    static_cast<void>(close_loops(linear_of(loaded, {"inner"}), {"command"}));
    FAIL();
  } catch (const AnalysisError& error) {
    EXPECT_STREQ(error.what(), "the loop at 'command' is not opened in this model");
  }
}

TEST(SmoothResponses, HaveNeighboursNearEachOther) {
  // a resonance with a damping ratio of 1/2000
  const Loaded loaded = load(
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, parent: world, child: a, axis: [0, 0, 1], stiffness: 4, damping: 0.002}}\n");
  ASSERT_TRUE(loaded.model);
  LinearizeSettings settings;
  settings.inputs = {"pin.torque"};
  settings.outputs = {"pin.angle"};
  const LinearModel linear = linearize(*loaded.model, initial_point(*loaded.model), settings);
  const std::vector<double> coarse = {0.2, 1, 1.9, 1.99, 2.01, 2.1, 4, 20};
  const FrequencyResponse smooth = smooth_response(linear, 0, 0, 1, coarse);
  EXPECT_GT(smooth.frequency.size(), 50U);
  EXPECT_LT(smooth.frequency.size(), 1000U);
  for (const double w : coarse) EXPECT_THAT(smooth.frequency, ::testing::Contains(w));
  EXPECT_TRUE(std::ranges::is_sorted(smooth.frequency));
  for (std::size_t k = 0; k < smooth.frequency.size(); ++k) {
    const double w = smooth.frequency[k];
    const std::complex<double> exact = 1.0 / std::complex<double>(4 - w * w, 0.002 * w);
    EXPECT_NEAR(std::abs(smooth.value[k] / exact - 1.0), 0, 1e-9) << w;
    if (k == 0) continue;
    EXPECT_LT(std::abs(smooth.phase[k] - smooth.phase[k - 1]), 6.001) << w;
    EXPECT_LT(std::abs(smooth.decibels[k] - smooth.decibels[k - 1]), 1.52) << w;
  }
  EXPECT_NEAR(smooth.phase.back(), -180, 0.1);
}

}  // namespace loops_test
}  // namespace gyrostat::testing
