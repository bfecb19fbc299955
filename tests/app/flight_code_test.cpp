// The example flight_code: a control law in C flies the spacecraft of the model.
#include <cmath>

#include "app/head.h"

namespace gyrostat::testing {
namespace {

const std::filesystem::path example = GYROSTAT_SOURCE_DIR "/examples/flight_code";
const std::filesystem::path library = GYROSTAT_BINARY_DIR "/examples/flight_code/libattitude_control.so";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The example in a directory of its own, its library compiled beside it.
class FlightCode : public ::testing::Test {
 protected:
  FlightCode() : model(slurp(example / "flight_code.yaml")) {
    scratch.write("flight_code.yaml", model);
    std::filesystem::copy_file(library, scratch.path() / "libattitude_control.so");
  }
  Outcome fly(const std::string& options = "") const {
    return run_in(scratch.path(), "run flight_code.yaml --allow-plugins " + options);
  }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }

  Scratch scratch;
  std::string model;
};

TEST_F(FlightCode, PointsTheSpacecraftAndUnloadsItsWheels) {
  const Outcome o = fly();
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  const ResultsReader results(file("flight_code.h5"));
  ASSERT_EQ(results.records(), 1201U);
  const std::vector<double>& t = results.time();
  const std::vector<double> error = results.column("pointing_error"), wheel = results.column("bus.wx.rate"),
                            jet = results.column("control.jet_x");
  EXPECT_NEAR(error.front(), std::acos(-1.0) * 25 / 180, 1e-12);
  bool fired = false, rested = false;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] >= 20) {
      EXPECT_LT(error[k], 0.027) << t[k];
    }
    EXPECT_LT(std::abs(wheel[k]), 75.1) << t[k];
    fired = fired || jet[k] == -1;
    rested = rested || (fired && jet[k] == 0);
    EXPECT_TRUE(jet[k] == -1 || jet[k] == 0) << t[k];
  }
  EXPECT_TRUE(fired && rested);
  EXPECT_NEAR(error.back(), 1.3e-5, 0.1e-5);
  EXPECT_LT(statistic(results, "ledger_angular_momentum"), 1e-9);
  EXPECT_LT(statistic(results, "ledger_energy"), 1e-9);
}

TEST_F(FlightCode, IsCalledOncePerPeriodFromTheBeginning) {
  EXPECT_EQ(fly("--until 30 --interval 0.05").exit_code, 0);
  const ResultsReader results(file("flight_code.h5"));
  const std::vector<double> calls = results.column("control.calls");
  for (std::size_t k = 0; k < calls.size(); ++k) {
    EXPECT_EQ(calls[k], std::floor(results.time()[k] / 0.1 + 1e-6) + 1) << results.time()[k];
  }
  EXPECT_EQ(calls.back(), 301) << "one at the beginning, one at the end";
}

/// The same law in blocks: the inputs sampled, then the sums and the jets.
std::string in_blocks(const std::string& model) {
  std::string signals = "signals:\n  qw: {sample: {input: bus.quaternion_w, period: 0.1}}\n";
  for (const char* axis : {"x", "y", "z"}) {
    signals += replaced(R"--(
  q_#: {sample: {input: bus.quaternion_#, period: 0.1}}
  w_#: {sample: {input: bus.omega_#, period: 0.1}}
  r_#: {sample: {input: bus.w#.rate, period: 0.1}}
  error_#: "2*(qw < 0 ? -q_# : q_#)"
  sum_#: {sample: {input: "abs(error_#) < 0.05 ? sum_# + 0.1*error_# : sum_#", period: 0.1}}
  h_#: 0.02*r_#
  jet_#: {sample: {input: "abs(h_#) < 0.1 ? 0 : abs(h_#) > 1.5 ? (h_# > 0 ? -1 : 1) : jet_#", period: 0.1}}
  wanted_#: "-2*error_# - 12*w_# - 0.02*sum_#"
  torque_#: "clamp(0.05*jet_# - wanted_#, -0.2, 0.2)")--",
                        "#", axis);
  }
  const std::size_t begin = model.find("signals:\n"), end = model.find("  pointing_error:");
  std::string text = model.substr(0, begin) + signals + "\n" + model.substr(end);
  return replaced(text, "control.", "");
}

TEST_F(FlightCode, IsTheSameLawAsInSampleBlocks) {
  EXPECT_EQ(fly().exit_code, 0);
  scratch.write("blocks.yaml", in_blocks(model));
  const Outcome o = run_in(scratch.path(), "run blocks.yaml");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  const ResultsReader plugin(file("flight_code.h5")), blocks(file("blocks.h5"));
  ASSERT_EQ(plugin.records(), blocks.records());
  double largest = 0;
  for (const std::string name :
       {"base.quaternion_x", "base.quaternion_y", "base.quaternion_z", "base.omega_x", "base.omega_y", "base.omega_z",
        "hinge.angle", "hinge.rate", "torque_x", "torque_y", "torque_z", "jet_x", "jet_y", "jet_z"}) {
    const bool of_control = name.starts_with("torque") || name.starts_with("jet");
    const std::vector<double> a = plugin.column((of_control ? "control." : "") + name), b = blocks.column(name);
    double difference = 0, at = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (std::abs(a[k] - b[k]) > difference) difference = std::abs(a[k] - b[k]), at = plugin.time()[k];
    }
    EXPECT_LT(difference, 1e-12) << name << " at " << at;
    largest = std::max(largest, difference);
  }
  RecordProperty("largest", std::to_string(largest));
}

TEST_F(FlightCode, ResumesWithItsMemoryToTheLastBit) {
  EXPECT_EQ(fly("--checkpoint 7 -o whole.h5 --until 400").exit_code, 0);
  {
    Background killed(scratch.path(), {"run", "flight_code.yaml", "--allow-plugins", "--checkpoint", "7", "-o",
                                       "broken.h5", "--until", "400"});
    ASSERT_TRUE(await(file("broken.h5.checkpoint")));
    killed.send(SIGKILL);
    if (killed.wait() != 128 + SIGKILL) GTEST_SKIP() << "it was faster";
  }
  const Outcome refused = run_in(scratch.path(), "resume broken.h5");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("signals.control is a plugin"));
  EXPECT_THAT(refused.err, HasSubstr("--allow-plugins"));
  const Outcome o = run_in("/", "resume --allow-plugins --quiet " + file("broken.h5"));
  EXPECT_EQ(o.exit_code, 0) << o.err;
  expect_same_results(file("whole.h5"), file("broken.h5"));
}

TEST_F(FlightCode, StopsIfTheModelDoesNotFitTheCode) {
  scratch.write("flight_code.yaml", replaced(model, "jet_z, calls]", "jet_z, calls, more]"));
  const Outcome o = fly();
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_THAT(o.err, HasSubstr("plugin 'control' returned 1"));
}

TEST_F(FlightCode, ItsReadmeShowsTheRefusalAsItIs) {
  const Outcome o = run_in(scratch.path(), "run flight_code.yaml");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(slurp(example / "README.md"), HasSubstr("```\n" + o.err + "```"));
}

}  // namespace
}  // namespace gyrostat::testing
