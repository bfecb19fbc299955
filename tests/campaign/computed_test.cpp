// Measures that the program computes from histories: handed on in the order of the flights, with the numbers of
// replays.
#include "gyrostat/campaign/computed.h"

#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/campaign/answers.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::campaign {
namespace computed_test {

using ::testing::HasSubstr;

/// Flights of very different lengths: the first ones take longest, for their steps are limited by stiff springs.
constexpr const char* model = R"yaml(gyrostat: 1
parameters: {k: 20, c: 0}
bodies:
  bus: {mass: 100, inertia: [10, 12, 8]}
  boom: {mass: 3, com: [1, 0, 0], inertia: [0.1, 1, 1]}
joints:
  base: {initial: {omega: [0.02, -0.01, 0.03]}}
  hinge: {type: revolute, parent: bus, child: boom, parent_point: [0.5, 0, 0], axis: [0, 0, 1], stiffness: k, initial: {angle: 0.1}}
signals: {root: "sqrt(1 - c*t)"}
simulation: {duration: 1, integrator: {method: dopri5, tolerance: 1e-8}}
output: {interval: 0.05}
)yaml";

constexpr const char* campaign = R"yaml(gyrostat_campaign: 1
model: model.yaml
vary: {k: {values: [2e5, 1e5, 2e4, 1e4, 2000, 1000, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.1]}}
samples: {count: 12, method: monte_carlo, seed: 1}
measure:
  before: {max: hinge.angle}
  mine: {computed: sum of the angles, unit: rad}
  behind: {final: hinge.rate}
  number: {computed: of the flight}
require: {mine: {below: 1000 deg}}
)yaml";

struct Made {
  ReadCampaign read;
  std::optional<FlightPlan> plan;
};

Made made(const char* text = campaign) {
  Made m{read_campaign_text("campaign.yaml", text), {}};
  if (m.read.campaign) m.plan = make_plan(m.read, "model.yaml", model);
  for (const Problem& problem : m.read.problems.all()) ADD_FAILURE() << problem.path << ": " << problem.message;
  if (!m.plan) throw std::runtime_error("no plan");
  return m;
}

double sum_of(const FlightRecord& history, const std::string& name) {
  const auto column = std::ranges::find(history.columns, name, &OutputColumn::name) - history.columns.begin();
  double sum = 0;
  for (std::size_t k = 0; k < history.time.size(); ++k) {
    sum += history.rows[k * history.columns.size() + static_cast<std::size_t>(column)];
  }
  return sum;
}

std::string target(const char* name) {
  const auto path = std::filesystem::path(::testing::TempDir()) /
                    (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + name);
  std::filesystem::remove(path);
  return path.string();
}

TEST(ComputedMeasures, SeeTheFlightsInTheirOrderForAnyNumberOfThreads) {
  const Made m = made();
  const std::thread::id here = std::this_thread::get_id();
  std::vector<double> first;
  for (const unsigned threads : {1U, 3U}) {
    std::vector<std::uint64_t> seen;
    CampaignOptions options;
    options.threads = threads;
    options.compute = [&](const FlightResult& flight) -> std::optional<std::vector<double>> {
      EXPECT_EQ(std::this_thread::get_id(), here);
      seen.push_back(flight.number);
      return {{sum_of(flight.record, "hinge.angle"), static_cast<double>(seen.size())}};
    };
    const std::string path = target(".h5");
    ASSERT_TRUE(fly_campaign(m.read, *m.plan, path, options).finished);
    ASSERT_EQ(seen.size(), 192U);
    EXPECT_TRUE(std::ranges::is_sorted(seen)) << "and each once";
    EXPECT_EQ(seen.front(), 0U);
    EXPECT_EQ(seen.back(), 191U);
    const results::ResultsReader reader(path);
    const std::vector<double> sums = reader.column("measures/mine");
    if (first.empty()) first = sums;
    EXPECT_EQ(sums, first) << "the same bits";
    EXPECT_EQ(reader.column("measures/number").back(), 192);
    EXPECT_EQ(reader.columns()[*reader.find("measures/mine")].unit, "rad");
    const Answers answers = answers_of(reader, *m.read.campaign);
    ASSERT_EQ(answers.requirements.at(0).results.size(), 16U);
    for (const RequirementResult& result : answers.requirements[0].results) EXPECT_EQ(result.fulfilled, 12U);
  }
}

TEST(ComputedMeasures, SeeWhatAReplayRecordsAndLeaveTheOthersAsTheyAre) {
  const Made m = made();
  std::map<std::uint64_t, FlightRecord> histories;
  CampaignOptions options;
  options.threads = 2;
  options.compute = [&](const FlightResult& flight) -> std::optional<std::vector<double>> {
    if (flight.number % 16 == 3) histories[flight.number] = flight.record;
    return {{0.0, 0.0}};
  };
  const std::string path = target(".h5"), again = target("_again.h5"), plain = target("_plain.h5");
  ASSERT_TRUE(fly_campaign(m.read, *m.plan, path, options).finished);
  replay(*m.plan, 35, again, {});
  const results::ResultsReader reader(again);
  const FlightRecord& history = histories.at(35);
  EXPECT_EQ(history.time, reader.time());
  ASSERT_EQ(history.columns.size() + 3, reader.columns().size()) << "all but the three of the ledger";
  for (std::size_t c = 0; c < history.columns.size(); ++c) {
    std::vector<double> values;
    for (std::size_t k = 0; k < history.time.size(); ++k)
      values.push_back(history.rows[k * history.columns.size() + c]);
    EXPECT_EQ(values, reader.column(history.columns[c].name)) << history.columns[c].name;
  }
  // Without computed measures nothing is recorded, and the others have the same bits.
  std::string without = campaign;
  without.erase(without.find("  mine:"), without.find("  behind:") - without.find("  mine:"));
  without.erase(without.find("  number:"));
  const Made other = made(without.c_str());
  options.compute = {};
  ASSERT_TRUE(fly_campaign(other.read, *other.plan, plain, options).finished);
  for (const char* name : {"measures/before", "measures/behind"}) {
    EXPECT_EQ(results::ResultsReader(plain).column(name), results::ResultsReader(path).column(name)) << name;
  }
}

TEST(ComputedMeasures, EndTheCampaignWhereTheProgramHasEnoughAndItIsResumed) {
  const Made m = made();
  CampaignOptions options;
  options.threads = 2;
  options.resume = true;
  std::vector<std::uint64_t> seen;
  options.compute = [&](const FlightResult& flight) -> std::optional<std::vector<double>> {
    if (flight.number == 50 && seen.size() == 50) return std::nullopt;
    seen.push_back(flight.number);
    return {{1.0, 2.0}};
  };
  const std::string path = target(".h5");
  const CampaignOutcome stopped = fly_campaign(m.read, *m.plan, path, options);
  EXPECT_FALSE(stopped.finished);
  EXPECT_EQ(stopped.progress.ended, 50U);
  EXPECT_EQ(stopped.failure, "");
  seen.clear();
  ASSERT_TRUE(fly_campaign(m.read, *m.plan, path, options).finished);
  EXPECT_EQ(seen.size(), 142U);
  EXPECT_EQ(seen.front(), 50U);
}

TEST(ComputedMeasures, NeedAProgramThatComputesThem) {
  const Made m = made();
  try {
    fly_campaign(m.read, *m.plan, target(".h5"), {});
    ADD_FAILURE() << "flown without them";
  } catch (const CampaignError& error) {
    EXPECT_THAT(error.what(), HasSubstr("measure.mine is computed by a program of yours (sum of the angles)"));
  }
  EXPECT_FALSE(std::filesystem::exists(target(".h5")));
}

TEST(ComputedMeasures, AreNotAskedForFlightsThatFailed) {
  constexpr const char* fails = R"yaml(gyrostat_campaign: 1
model: model.yaml
vary: {c: {values: [0, 2, 0.5]}}
samples: {method: factorial}
measure: {mine: {computed: one}}
)yaml";
  const Made m = made(fails);
  CampaignOptions options;
  std::vector<std::uint64_t> seen;
  options.compute = [&](const FlightResult& flight) -> std::optional<std::vector<double>> {
    seen.push_back(flight.number);
    return {{1.0}};
  };
  const std::string path = target(".h5");
  const CampaignOutcome outcome = fly_campaign(m.read, *m.plan, path, options);
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.progress.failed, 1U);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_TRUE(std::isnan(results::ResultsReader(path).column("measures/mine")[1]));
}

}  // namespace computed_test
}  // namespace gyrostat::campaign
