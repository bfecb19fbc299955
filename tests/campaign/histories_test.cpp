// Histories of flights: those that are asked for, the same bits in any company and after any interruption, and
// percentiles over them.
#include "gyrostat/campaign/histories.h"

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/campaign/bands.h"
#include "gyrostat/campaign/campaign.h"
#include "gyrostat/campaign/statistics.h"
#include "gyrostat/results/histories.h"
#include "gyrostat/results/results_reader.h"

#include "campaign/in_folder.h"

namespace gyrostat::campaign {
namespace histories_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* craft = R"yaml(gyrostat: 1
parameters: {k: 20, m: 100, gain: 3}
bodies:
  bus: {mass: m, inertia: [10, 12, 8]}
  boom: {mass: 3, com: [1, 0, 0], inertia: [0.1, 1, 1]}
joints:
  base: {initial: {omega: [0.02, -0.01, 0.03]}}
  hinge: {type: revolute, parent: bus, child: boom, parent_point: [0.5, 0, 0], axis: [0, 0, 1], stiffness: k, damping: 0.3, initial: {angle: 0.1}}
signals:
  sensor: {noise: {seed: 5, std: 0.002, period: 0.25}}
  jet: {switching_amplifier: {input: "-gain*(bus.omega_z + sensor)", deadband: 0.02, min_on_time: 20 ms}}
  flight: "2*hinge.angle"
loads:
  - {body: bus, torque: [0, 0, "0.4*jet"]}
simulation: {duration: 2.2, integrator: {method: dopri5, tolerance: 1e-8}}
output: {interval: 0.05}
)yaml";

constexpr const char* vary = R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary: {k: {uniform: {low: 5, high: 40}}, m: {normal: {mean: 100, std: 5}}}
samples: {count: 21, seed: 7}
measure:
  peak: {max: norm(bus.omega)}
  last: {final: hinge.angle}
)yaml";

class RecordedFlights : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    write("craft.yaml", craft);
  }

  /// The first problem, with its place.
  [[nodiscard]] std::string problem(const std::string& text) const {
    const Campaign made = read(text);
    if (made.read.problems.all().empty()) return "";
    const Problem& first = made.read.problems.all().front();
    return fmt::format("{}:{}: {}: {}", first.place.line, first.place.column, first.path, first.message);
  }
  CampaignOutcome fly(const Campaign& c, const std::string& name, unsigned threads = 2) const {
    CampaignOptions options;
    options.threads = threads;
    return fly_campaign(c.read, *c.plan, path(name), options);
  }
};

/// All numbers as bits, NaN included.
std::vector<std::vector<std::uint64_t>> bits_of(const std::string& file) {
  const results::StoredHistories stored(file);
  std::vector<std::vector<std::uint64_t>> all;
  const auto add = [&](const std::vector<double>& values) {
    std::vector<std::uint64_t>& bits = all.emplace_back();
    for (const double x : values) bits.push_back(std::bit_cast<std::uint64_t>(x));
  };
  add(stored.records());
  add(stored.time());
  for (std::size_t c = 0; c < stored.columns().size(); ++c) add(stored.values(c));
  return all;
}

std::string with_record(const std::string& record) { return std::string(vary) + "record: " + record + "\n"; }

TEST_F(RecordedFlights, AreTheFirstAndTheWorstWithNamesAndUnits) {
  const Campaign c = campaign(with_record(
      "{interval: 0.5, columns: [bus.omega, hinge.angle, flight], of: 3, worst: {measure: peak, count: 4}}"));
  const CampaignOutcome outcome = fly(c, "out.h5");
  ASSERT_TRUE(outcome.finished) << outcome.failure;
  EXPECT_FALSE(std::filesystem::exists(history_path_beside(path("out.h5"))));
  const results::ResultsReader reader(path("out.h5"));
  EXPECT_EQ(reader.status(), "finished");
  std::set<double> expected = {0, 1, 2};
  for (const std::uint64_t k : worst_flights(reader.column("measures/peak"), 4, true)) {
    expected.insert(static_cast<double>(k));
  }
  const results::StoredHistories stored(path("out.h5"));
  EXPECT_EQ(stored.records(), std::vector<double>(expected.begin(), expected.end()));
  EXPECT_EQ(outcome.progress.histories, expected.size());
  EXPECT_EQ(outcome.progress.recorded, expected.size());
  EXPECT_THAT(stored.time(), ElementsAre(0, 0.5, 1, 1.5, 2, 2.2)) << "the last instant is the end";
  std::vector<std::string> names;
  for (const results::Column& column : stored.columns()) names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("bus.omega_x", "bus.omega_y", "bus.omega_z", "hinge.angle", "flight"));
  EXPECT_EQ(stored.columns()[0].unit, "rad/s");
  EXPECT_EQ(stored.columns()[3].unit, "rad");
  // what was measured is what is recorded; of a name that the file itself uses too
  const std::vector<double> angle = stored.values(3), twice = stored.values(4), last = reader.column("measures/last");
  for (std::size_t row = 0; row < stored.records().size(); ++row) {
    EXPECT_EQ(angle[row * 6 + 5], last[static_cast<std::size_t>(stored.records()[row])]);
    EXPECT_EQ(twice[row * 6 + 5], 2 * angle[row * 6 + 5]);
  }
  EXPECT_EQ(sampled_histories(c.plan->campaign(), stored.records()), 3U);
}

TEST_F(RecordedFlights, AreThoseThatAReplayRecords) {
  const Campaign c = campaign(with_record("{interval: 0.05, columns: [bus.omega_x, hinge.angle, sensor], of: 9}"));
  ASSERT_TRUE(fly(c, "out.h5").finished);
  const results::StoredHistories stored(path("out.h5"));
  const std::size_t times = stored.time().size();
  for (const std::uint64_t flight : {0U, 5U, 8U}) {
    replay(*c.plan, flight, path("again.h5"), {});
    const results::ResultsReader again(path("again.h5"));
    ASSERT_EQ(again.time(), stored.time());
    for (std::size_t column = 0; column < 3; ++column) {
      const std::vector<double> all = stored.values(column);
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(flight * times);
      EXPECT_EQ(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(times)),
                again.column(stored.columns()[column].name));
    }
  }
}

TEST_F(RecordedFlights, HaveTheSameBitsForAnyNumberOfThreadsAndDoNotChangeTheFlights) {
  const Campaign c =
      campaign(with_record("{interval: 0.3, columns: [bus.*, jet], of: 11, worst: {measure: last, count: 2}}"));
  ASSERT_TRUE(fly(c, "one.h5", 1).finished);
  ASSERT_TRUE(fly(c, "three.h5", 3).finished);
  const auto one = bits_of(path("one.h5"));
  EXPECT_GT(one.size(), 10U);
  EXPECT_EQ(one, bits_of(path("three.h5")));
  ASSERT_TRUE(fly(campaign(vary), "none.h5").finished);
  EXPECT_EQ(results::ResultsReader(path("one.h5")).column("measures/peak"),
            results::ResultsReader(path("none.h5")).column("measures/peak"));
  EXPECT_TRUE(results::StoredHistories(path("none.h5")).records().empty());
}

TEST_F(RecordedFlights, GoOnAfterAnyInterruptionAsIfThereHadBeenNone) {
  constexpr std::uint64_t flights = 600;  // several times what is flown between two looks, which are 50 ms apart
  std::string many = with_record("{interval: 0.05, columns: [bus.*], of: 1000}");
  many.replace(many.find("count: 21"), 9, fmt::format("count: {}", flights));
  const Campaign c = campaign(many);
  ASSERT_TRUE(fly(c, "whole.h5").finished);
  const auto whole = bits_of(path("whole.h5"));
  ASSERT_EQ(whole[0].size(), flights) << "more than there are: all";
  CampaignOptions options;
  options.threads = 1;
  options.resume = true;
  std::uint64_t sessions = 0, begun = 0;
  for (bool finished = false; !finished; ++sessions) {
    ASSERT_LT(sessions, 1000U);
    options.go_on = [&](const Progress& now) { return now.histories == 0; };  // until the first look at histories
    const CampaignOutcome outcome = fly_campaign(c.read, *c.plan, path("parts.h5"), options);
    ASSERT_EQ(outcome.failure, "");
    finished = outcome.finished;
    if (finished) break;
    begun += outcome.progress.recorded > 0 && outcome.progress.recorded < flights ? 1U : 0U;
    EXPECT_EQ(results::ResultsReader(path("parts.h5")).status(), "interrupted");
    // a flight that was half written when the program was killed is flown again
    std::fstream file(history_path_beside(path("parts.h5")), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(200);
    file.put('x');
  }
  EXPECT_GT(begun, 0U) << "it was interrupted among histories";
  EXPECT_EQ(whole, bits_of(path("parts.h5")));
  EXPECT_FALSE(std::filesystem::exists(history_path_beside(path("parts.h5"))));
}

TEST_F(RecordedFlights, ThatFailHaveNoNumbersAfterTheirEnd) {
  write("craft.yaml", R"yaml(gyrostat: 1
parameters: {c: 1}
bodies: {cart: {mass: "c + 0.5", inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], initial: {speed: 1}, stiffness: 1}}
signals: {root: "sqrt(1.5 - c*t)"}
simulation: {duration: 1, integrator: {method: dopri5}}
)yaml");
  const Campaign c = campaign(R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary: {c: {values: [1, 2, -1, 3]}}
measure: {x: {max: rail.displacement}}
record: {interval: 0.2, columns: [rail.displacement], of: 4, worst: {measure: x, count: 4}}
)yaml");
  ASSERT_TRUE(fly(c, "out.h5").finished);
  const results::StoredHistories stored(path("out.h5"));
  EXPECT_THAT(stored.records(), ElementsAre(0, 1, 2, 3));
  const std::vector<double> x = stored.values(0);
  ASSERT_EQ(x.size(), 24U);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_TRUE(std::isfinite(x[k])) << "a flight that finished";
    EXPECT_EQ(std::isfinite(x[6 + k]), k < 4) << "fails at 0.75 s, where its root ends";
    EXPECT_TRUE(std::isnan(x[12 + k])) << "one whose model is not valid";
  }
}

TEST_F(RecordedFlights, HaveWhatTheModelRecordsWhereNothingIsNamed) {
  const Campaign c = campaign(with_record("{interval: 1, of: 1}"));
  ASSERT_TRUE(fly(c, "out.h5").finished);
  const results::StoredHistories stored(path("out.h5"));
  std::vector<std::string> names;
  for (const results::Column& column : stored.columns()) names.push_back(column.name);
  EXPECT_THAT(names, ::testing::Contains("hinge.angle"));
  EXPECT_THAT(names, ::testing::Contains("measure.peak")) << "what is measured, over time";
  EXPECT_THAT(names, ::testing::Not(::testing::Contains(HasSubstr("ledger/")))) << "flights keep none";
}

TEST_F(RecordedFlights, ThatAreTooManyAreRefusedWithTheirPlace) {
  EXPECT_THAT(problem(with_record("{interval: 1e-7, of: 1}")),
              HasSubstr("8:9: record: 2.2e+07 instants of 1 flights; the limit is 1e+06 instants"));
  std::string many = with_record("{interval: 1e-5, columns: ['bus.*'], of: 100000}");
  many.replace(many.find("count: 21"), 9, "count: 1000");
  EXPECT_THAT(problem(many), HasSubstr("numbers; the limit is 2.5e+08; choose a longer interval"));
}

TEST_F(RecordedFlights, DoNotReplaceAFileThatIsNotTheirs) {
  write("out.h5.histories", "a diary");
  const Campaign c = campaign(with_record("{interval: 1, of: 1}"));
  const CampaignOutcome outcome = fly(c, "out.h5");
  EXPECT_FALSE(outcome.finished);
  EXPECT_THAT(outcome.failure, HasSubstr("out.h5.histories: exists, and Gyrostat did not write it"));
  EXPECT_EQ(results::ResultsReader(path("out.h5")).records(), 21U) << "the flights are there";
  std::filesystem::remove(path("out.h5.histories"));
  CampaignOptions options;
  options.resume = true;
  EXPECT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5"), options).finished);
}

TEST(Bands, ArePercentilesAtEachTimeOfWhatIsThere) {
  constexpr std::size_t flights = 41, times = 3;
  std::vector<double> values;
  for (std::size_t f = 0; f < flights; ++f) {
    const double x = static_cast<double>((f * 17) % flights);  // a permutation of 0 .. 40
    values.insert(values.end(), {x, f < 21 ? -x : not_a_number, not_a_number});
  }
  const Bands bands = bands_of(values, times);
  EXPECT_THAT(bands.flights, ElementsAre(41, 21, 0));
  for (std::size_t k = 0; k < band_fractions.size(); ++k) {
    EXPECT_DOUBLE_EQ(bands.values[k][0], 40 * band_fractions[k]) << "of 0 .. 40";
    EXPECT_TRUE(std::isnan(bands.values[k][2]));
    std::vector<double> at_one;
    for (std::size_t f = 0; f < 21; ++f) at_one.push_back(values[f * times + 1]);
    if (band_fractions[k] > 0 && band_fractions[k] < 1) {
      EXPECT_EQ(bands.values[k][1], percentile(sorted_numbers(at_one), band_fractions[k], 0.9).value);
    }
  }
}

}  // namespace histories_test
}  // namespace gyrostat::campaign
