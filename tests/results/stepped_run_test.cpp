// Runs in steps, with inputs that a program sets, against whole runs and against the same in the model.
#include "gyrostat/results/stepped_run.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/analysis/state_batch.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/run.h"

#include "support/flight.h"
#include "support/load.h"

namespace gyrostat::testing::stepped_run_test {
namespace {

using results::SteppedRun;

constexpr const char* spinner = R"yaml(
gyrostat: 1
parameters: {gain: 0.5, level: 0.2}
bodies:
  bus: {mass: 10, inertia: [1, 2, 3]}
joints:
  base: {initial: {omega: [0.1, 0.2, 0.3]}}
signals:
  command: "level*cos(t)"
loads:
  - {body: bus, torque: [command, "-gain*bus.omega_y", 0]}
simulation: {duration: 10, integrator: {method: dopri5, tolerance: 1e-10}}
output: {interval: 0.5}
)yaml";

std::shared_ptr<const Loaded> shared(const std::string& text, const std::vector<Override>& overrides = {}) {
  auto loaded = std::make_shared<const Loaded>(load(text, overrides));
  EXPECT_TRUE(loaded->model) << problems_of(*loaded);
  return loaded;
}

void step(SteppedRun& run, double dt) {
  const gyrostat::Outcome outcome = run.step(dt);
  ASSERT_EQ(outcome.kind, gyrostat::Outcome::Kind::finished) << outcome.failure;
}

TEST(SteppedRun, IsAWholeRunWhereNothingIsSet) {
  for (const char* method : {"dopri5", "rk4", "cvode_adams", "cvode_bdf", "ida"}) {
    const auto adjust = [&](RunSettings& s) {
      s.integrator.method = method;
      s.integrator.step = 0.01;
    };
    Flight whole(spinner, adjust, Flight::Expect::finish);
    const auto loaded = shared(spinner);
    RunSettings settings(*loaded->model);
    adjust(settings);
    SteppedRun run(loaded, settings, {});
    ASSERT_EQ(run.begin().kind, gyrostat::Outcome::Kind::finished);
    for (std::size_t k = 1; k < whole.rows.size(); ++k) {
      step(run, 0.5);
      EXPECT_NEAR(run.value("bus.omega_x"), whole["bus.omega_x"][k], 1e-7) << method << " at " << run.time();
    }
    EXPECT_EQ(run.time(), 10);
  }
}

TEST(SteppedRun, InputsActWithTheirWorkInTheLedger) {
  const auto loaded = shared("gyrostat: 1\nbodies: {bus: {mass: 2, inertia: [3, 3, 4]}}\nsimulation: {duration: 9}\n");
  SteppedRun run(loaded, RunSettings(*loaded->model), {.inputs = {{"bus.torque_z", {}}, {"bus.force_z", 4.0}}});
  ASSERT_EQ(run.begin().kind, gyrostat::Outcome::Kind::finished);
  double rate = 0;
  for (const double torque : {0.4, -0.2, 0.0, 1.0}) {
    run.set_input(0, torque);
    step(run, 0.5);
    rate += torque * 0.5 / 4;
    EXPECT_NEAR(run.value("bus.omega_z"), rate, 1e-7);
    EXPECT_EQ(run.value("bus.torque_z"), torque);
  }
  EXPECT_NEAR(run.value("bus.velocity_z"), 4.0, 1e-6);
  const Ledger& ledger = run.simulation().ledger();
  const auto inputs = std::ranges::find(ledger.sources, "inputs") - ledger.sources.begin();
  ASSERT_LT(static_cast<std::size_t>(inputs), ledger.sources.size());
  EXPECT_NEAR(ledger.work[static_cast<std::size_t>(inputs)], 0.5 * 4 * rate * rate + 0.5 * 2 * 16, 1e-5);
  EXPECT_LT(ledger.energy.relative(), 1e-6);
  EXPECT_LT(ledger.momentum.relative(), 1e-6);
}

TEST(SteppedRun, ALawOfTheProgramIsOneOfTheModelWithSamples) {
  const std::string in_model =
      std::string(spinner).replace(std::string(spinner).find("command: \"level*cos(t)\""), 23,
                                   "command: {sample: {input: \"-0.8*bus.omega_x\", period: 0.1}}");
  Flight flight(in_model, {}, Flight::Expect::finish);
  const auto loaded = shared(spinner);
  SteppedRun run(loaded, RunSettings(*loaded->model), {.inputs = {{"command", {}}}});
  EXPECT_NEAR(run.input(0), 0.2, 1e-15) << "as the model computes it at t = 0";
  ASSERT_EQ(run.begin().kind, gyrostat::Outcome::Kind::finished);
  for (int k = 0; k < 100; ++k) {
    run.set_input(0, -0.8 * run.value("bus.omega_x"));
    step(run, 0.1);
  }
  EXPECT_NEAR(run.time(), 10, 1e-9);
  EXPECT_NEAR(run.value("bus.omega_x"), flight["bus.omega_x"].back(), 1e-8);
  EXPECT_NEAR(run.value("bus.omega_z"), flight["bus.omega_z"].back(), 1e-8);
}

TEST(SteppedRun, GoesOnWithOtherParameters) {
  const auto loaded = shared(spinner);
  SteppedRun run(loaded, RunSettings(*loaded->model), {.inputs = {{"bus.torque_z", 0.05}}});
  ASSERT_EQ(run.begin().kind, gyrostat::Outcome::Kind::finished);
  step(run, 2);
  const std::vector<Override> changed = {{"gain", "3"}};
  run.change_parameters(shared(spinner, changed), changed);
  EXPECT_EQ(run.time(), 2);
  EXPECT_EQ(run.value("gain"), 3);
  EXPECT_EQ(run.input(0), 0.05);
  step(run, 2);
  std::string text = spinner;
  text.replace(text.find("-gain*"), 6, "-(gain + 2.5*step(2))*");
  text.replace(text.find(", 0]}"), 5, ", 0.05]}");
  Flight flight(
      text, [](RunSettings& s) { s.until = 4; }, Flight::Expect::finish);
  EXPECT_NEAR(run.value("bus.omega_y"), flight["bus.omega_y"].back(), 1e-8);
  EXPECT_THROW(run.change_parameters(shared("gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"), {}),
               std::invalid_argument);
  EXPECT_EQ(run.value("gain"), 3) << "is as before";
}

TEST(SteppedRun, WritesItsRecords) {
  const auto path = (std::filesystem::path(::testing::TempDir()) / "stepped_run_test.h5").string();
  const auto loaded = shared(spinner);
  SteppedRun run(loaded, RunSettings(*loaded->model), {.inputs = {{"bus.torque_z", {}}}, .record = true});
  ASSERT_EQ(run.begin().kind, gyrostat::Outcome::Kind::finished);
  for (int k = 0; k < 14; ++k) step(run, 0.5);
  run.write(path, "by a test", true);
  const results::ResultsReader reader(path);
  EXPECT_EQ(reader.records(), 15U);
  EXPECT_EQ(reader.status(), "interrupted at t = 7 s");
  EXPECT_EQ(reader.column("bus.omega_x").back(), run.value("bus.omega_x"));
  std::filesystem::remove(path);
}

TEST(SteppedRun, RefusesWhatCannotBe) {
  const auto loaded = shared(spinner);
  RunSettings settings(*loaded->model);
  EXPECT_THROW(SteppedRun(loaded, settings, {.inputs = {{"torque", {}}}}), AnalysisError);
  EXPECT_THROW(SteppedRun(loaded, settings, {.inputs = {{"command", {}}, {"command", {}}}}), results::RunError);
  SteppedRun run(loaded, settings, {});
  ASSERT_EQ(run.begin().kind, gyrostat::Outcome::Kind::finished);
  EXPECT_THROW(static_cast<void>(run.value("bus.omga_x")), std::out_of_range);
  EXPECT_THROW(static_cast<void>(run.step(-1)), results::RunError);
  EXPECT_THROW(static_cast<void>(run.step(11)), results::RunError);
  EXPECT_THROW(run.write("x.h5", "", false), results::RunError);
  settings.integrator.method = "euler";
  EXPECT_THROW(SteppedRun(loaded, settings, {}), results::RunError);
}

TEST(StateBatch, LanesHaveTheirOwnInputsAndTimes) {
  const auto loaded = shared(spinner);
  StateBatch batch(*loaded->model, {"bus.torque_z"});
  EXPECT_EQ(batch.not_packed(), "");
  const std::size_t count = 2 * PlantBatch::lanes() + 3, size = batch.plant().size();
  std::vector<double> t(count), inputs(count), y(count * size), ydot(count * size);
  for (std::size_t k = 0; k < count; ++k) {
    t[k] = 0.1 * static_cast<double>(k);
    inputs[k] = static_cast<double>(k) - 4;
    y[k * size + 3] = 1;  // the quaternion's scalar part
    y[k * size + 7] = 0.1, y[k * size + 8] = 0.2 + t[k], y[k * size + 9] = 0.3;
  }
  batch.derivative(count, t.data(), y.data(), inputs.data(), ydot.data());
  for (std::size_t k = 0; k < count; ++k) {
    const double* w = &y[k * size + 7];
    EXPECT_NEAR(ydot[k * size + 7], (2 - 3) * w[1] * w[2] + 0.2 * std::cos(t[k]), 1e-14);
    EXPECT_NEAR(ydot[k * size + 8], ((3 - 1) * w[2] * w[0] - 0.5 * w[1]) / 2, 1e-14);
    EXPECT_NEAR(ydot[k * size + 9], ((1 - 2) * w[0] * w[1] + inputs[k]) / 3, 1e-14);
  }
  EXPECT_EQ(StateBatch::find_non_finite(count, size, ydot.data()), count);
}

}  // namespace
}  // namespace gyrostat::testing::stepped_run_test
