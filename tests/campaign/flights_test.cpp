// Flights of a campaign: the same bits in any company, alone and resumed; failures as results; a linear system against
// its analytic covariance.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/campaign/answers.h"
#include "gyrostat/campaign/campaign.h"
#include "gyrostat/campaign/lanes.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/target.h"

#include "campaign/in_folder.h"

namespace gyrostat::campaign {
namespace flights_test {

using ::testing::HasSubstr;

class Flights : public InFolder {};

/// NaN equals NaN here: what is compared are bits.
bool same_bits(const std::map<std::string, std::vector<double>>& a,
               const std::map<std::string, std::vector<double>>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && std::ranges::equal(x.second, y.second, [](double u, double v) {
             return std::bit_cast<std::uint64_t>(u) == std::bit_cast<std::uint64_t>(v);
           });
  });
}

/// A craft with a boom, jets, noise in its sensor and an event that is not known beforehand.
constexpr const char* craft = R"yaml(gyrostat: 1
parameters: {k: 20, m: 100, gain: 3, offset: [0, 0, 0.1]}
bodies:
  bus: {mass: m, com: offset, inertia: [10, 12, 8]}
  boom: {mass: 3, com: [1, 0, 0], inertia: [0.1, 1, 1]}
joints:
  base: {initial: {omega: [0.02, -0.01, 0.03]}}
  hinge: {type: revolute, parent: bus, child: boom, parent_point: [0.5, 0, 0], axis: [0, 0, 1], stiffness: k, damping: 0.3, initial: {angle: 0.1}}
signals:
  sensor: {noise: {seed: 5, std: 0.002, period: 0.25}}
  jet: {switching_amplifier: {input: "-gain*(bus.omega_z + sensor)", deadband: 0.02, min_on_time: 20 ms}}
  error: "norm(bus.omega)"
loads:
  - {body: bus, torque: [0, 0, "0.4*jet"]}
simulation: {duration: 3, integrator: {method: dopri5, tolerance: 1e-8}}
output: {interval: 0.05}
)yaml";

constexpr const char* vary = R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary:
  k: {uniform: {low: 5, high: 40}}
  m: {normal: {mean: 100, std: 5}}
  offset: {normal: {mean: 0, std: 0.05}, size: 3}
samples: {count: 23, method: sobol, seed: 7}
measure:
  peak: {max: error, after: 1}
  calm: {first_time: "error < 0.03", for: 0.2}
  used: {integral: "abs(jet)"}
  last: {final: hinge.angle}
  jitter: {rms: bus.omega_z, between: [1, 2.5]}
)yaml";

CampaignOptions on(unsigned threads) {
  CampaignOptions options;
  options.threads = threads;
  return options;
}

TEST_F(Flights, HaveTheSameBitsForAnyNumberOfThreads) {
  write("craft.yaml", craft);
  const Campaign c = campaign(vary);
  ASSERT_EQ(c.plan->alone_because(), "");
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("one.h5"), on(1)).finished);
  const auto one = columns_of(path("one.h5"));
  ASSERT_EQ(one.at("flight").size(), 23U);
  for (std::size_t k = 0; k < 23; ++k) EXPECT_EQ(one.at("flight")[k], static_cast<double>(k));
  for (const unsigned threads : {2U, 3U}) {
    ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("more.h5"), on(threads)).finished);
    EXPECT_TRUE(same_bits(one, columns_of(path("more.h5")))) << threads;
  }
}

TEST_F(Flights, HaveTheSameBitsAloneInALane) {
  write("craft.yaml", craft);
  const Campaign c = campaign(vary);
  std::vector<FlightResult> together(23);
  std::uint64_t next = 0;
  const std::atomic<bool> stop = false;
  fly_all(
      *c.plan, [&] { return next < 23 ? std::optional(next++) : std::nullopt; },
      [&](FlightResult&& result) { together[result.number] = std::move(result); }, stop);
  for (const std::uint64_t k : {0U, 7U, 22U}) {
    const FlightResult alone = fly(*c.plan, k, stop);
    EXPECT_EQ(alone.measures, together[k].measures) << k;
    EXPECT_EQ(alone.inputs, together[k].inputs) << k;
    EXPECT_EQ(alone.steps, together[k].steps) << k;
  }
  EXPECT_NE(together[0].measures, together[1].measures);
}

TEST_F(Flights, AreReplayedWithTheSameBitsAndARecord) {
  write("craft.yaml", craft);
  const Campaign c = campaign(vary);
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("all.h5"), on(2)).finished);
  const auto all = columns_of(path("all.h5"));
  const results::RunResult again = replay(*c.plan, 7, path("again.h5"), {});
  ASSERT_EQ(again.outcome.kind, Outcome::Kind::finished) << again.outcome.failure;
  const results::ResultsReader reader(path("again.h5"));
  EXPECT_EQ(reader.column("hinge.angle").back(), all.at("measures/last")[7]);
  ASSERT_FALSE(again.record.ledger.lines.empty());
  for (const results::LedgerLine& law : again.record.ledger.lines) EXPECT_LT(law.relative, 1e-6) << law.name;
  EXPECT_TRUE(reader.find("measure.peak")) << "the expression of a measure is a signal that is recorded";
  EXPECT_THROW(results::resume(path("again.h5")), results::RunError);
  // the same from the file of the campaign alone
  std::filesystem::remove(path("craft.yaml"));
  const results::ResultsReader campaign_file(path("all.h5"));
  ReadCampaign stored = stored_campaign(campaign_file);
  const auto plan = stored_plan(campaign_file, stored);
  ASSERT_TRUE(plan);
  replay(*plan, 7, path("stored.h5"), {});
  EXPECT_EQ(results::ResultsReader(path("stored.h5")).column("hinge.angle"), reader.column("hinge.angle"));
}

TEST_F(Flights, GoOnAfterAnyInterruptionAsIfThereHadBeenNone) {
  write("craft.yaml", craft);
  std::string many = vary;
  many.replace(many.find("count: 23"), 9, "count: 1000");  // more than are flown between two looks
  const Campaign c = campaign(many);
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("whole.h5"), on(2)).finished);
  const auto whole = columns_of(path("whole.h5"));
  CampaignOptions options = on(1);
  options.resume = true;
  std::uint64_t sessions = 0;
  for (bool finished = false; !finished; ++sessions) {
    options.go_on = [&](const Progress& now) { return now.ended == now.ended_before; };  // until some have ended
    finished = fly_campaign(c.read, *c.plan, path("parts.h5"), options).finished;
  }
  EXPECT_GT(sessions, 1U);
  EXPECT_TRUE(same_bits(whole, columns_of(path("parts.h5"))));
  EXPECT_THROW(fly_campaign(c.read, *c.plan, path("parts.h5"), options), CampaignError) << "it is finished";
}

TEST_F(Flights, OfAnotherCampaignOrModelAreNotMixed) {
  write("craft.yaml", craft);
  const Campaign c = campaign(vary);
  CampaignOptions options = on(1);
  options.go_on = [](const Progress&) { return false; };
  fly_campaign(c.read, *c.plan, path("begun.h5"), options);
  options.go_on = {};
  options.resume = true;
  std::string other = vary;
  other.replace(other.find("seed: 7"), 7, "seed: 8");
  const Campaign changed = campaign(other);
  try {
    fly_campaign(changed.read, *changed.plan, path("begun.h5"), options);
    ADD_FAILURE() << "another seed was taken for the same campaign";
  } catch (const CampaignError& error) {
    EXPECT_THAT(error.what(), HasSubstr("another campaign"));
  }
  std::string model = craft;
  model.replace(model.find("damping: 0.3"), 12, "damping: 0.4");
  write("craft.yaml", model);
  const Campaign with_other_model = campaign(vary);
  EXPECT_THROW(fly_campaign(with_other_model.read, *with_other_model.plan, path("begun.h5"), options), CampaignError);
}

TEST_F(Flights, OfOtherProcessesAreTakenOver) {
  write("craft.yaml", craft);
  std::string many = vary;
  many.replace(many.find("count: 23"), 9, "count: 900");
  const Campaign c = campaign(many);
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("whole.h5"), on(2)).finished);
  CampaignOptions options = on(1);
  options.go_on = [](const Progress&) { return false; };
  fly_campaign(c.read, *c.plan, path("out.h5"), options);
  // two files that processes have left behind; one has the first flights as well
  std::filesystem::copy(path("out.h5"), path("out.rank1.h5"));
  std::filesystem::copy(path("whole.h5"), path("out.rank12.h5"));
  const std::uint64_t begun = results::ResultsReader(path("out.h5")).records();
  EXPECT_LT(begun, 900U);
  write("out.rankx.h5", "is none of them");
  options.go_on = {};
  options.resume = true;
  const CampaignOutcome outcome = fly_campaign(c.read, *c.plan, path("out.h5"), options);
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.progress.ended, 900U);
  EXPECT_EQ(outcome.progress.ended_before, 900U) << "nothing was left to fly";
  EXPECT_TRUE(same_bits(columns_of(path("whole.h5")), columns_of(path("out.h5"))));
  EXPECT_FALSE(std::filesystem::exists(path("out.rank1.h5")));
  EXPECT_FALSE(std::filesystem::exists(path("out.rank12.h5")));
  EXPECT_TRUE(std::filesystem::exists(path("out.rankx.h5")));
}

TEST_F(Flights, OfAnotherCampaignAreNotTakenOver) {
  write("craft.yaml", craft);
  std::string other = vary;
  other.replace(other.find("seed: 7"), 7, "seed: 8");
  const Campaign foreign = campaign(other);
  ASSERT_TRUE(fly_campaign(foreign.read, *foreign.plan, path("foreign.h5"), on(1)).finished);
  std::string many = vary;
  many.replace(many.find("count: 23"), 9, "count: 900");
  const Campaign c = campaign(many);
  CampaignOptions options = on(1);
  options.resume = true;
  options.go_on = [](const Progress&) { return false; };
  ASSERT_FALSE(fly_campaign(c.read, *c.plan, path("out.h5"), options).finished);
  std::filesystem::rename(path("foreign.h5"), path("out.rank1.h5"));
  EXPECT_THAT([&] { fly_campaign(c.read, *c.plan, path("out.h5"), options); },
              ::testing::Throws<CampaignError>(
                  ::testing::Property(&CampaignError::what, HasSubstr("out.rank1.h5: is of another campaign"))));
  EXPECT_TRUE(std::filesystem::exists(path("out.rank1.h5")));
  // one that is being written is not taken over either
  const results::OutputLock lock(path("out.rank1.h5"));
  EXPECT_THAT([&] { fly_campaign(c.read, *c.plan, path("out.h5"), options); },
              ::testing::Throws<CampaignError>(
                  ::testing::Property(&CampaignError::what, HasSubstr("out.rank1.h5: is being written by process"))));
}

TEST_F(Flights, AreResumedWhileAProcessThatWasKilledStillEnds) {
  write("craft.yaml", craft);
  const Campaign c = campaign(vary);
  CampaignOptions options = on(1);
  options.resume = true;
  std::optional<results::OutputLock> lock(path("out.h5"));
  const std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    lock.reset();
  });
  EXPECT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5"), options).finished);
}

TEST_F(Flights, DrawOtherNoiseInEachFlight) {
  write("craft.yaml", craft);
  const Campaign c = campaign(R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary: {gain: {values: [3, 3.5]}}
samples: {method: factorial}
measure: {end: {final: sensor}}
)yaml");
  const std::atomic<bool> stop = false;
  const FlightResult first = fly(*c.plan, 0, stop), second = fly(*c.plan, 1, stop);
  EXPECT_NE(first.measures, second.measures);
  EXPECT_EQ(first.measures, fly(*c.plan, 0, stop).measures);
}

TEST_F(Flights, ThatFailAreCountedWithReasonAndTime) {
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
samples: {method: factorial}
measure: {x: {max: rail.displacement}}
)yaml");
  const CampaignOutcome outcome = fly_campaign(c.read, *c.plan, path("out.h5"), on(2));
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.progress.failed, 3U) << "two whose root ends, and one whose mass is negative";
  const results::ResultsReader reader(path("out.h5"));
  EXPECT_EQ(reader.column(outcome_column), (std::vector<double>{0, 1, 1, 1}));
  ASSERT_EQ(reader.events().size(), 3U);
  EXPECT_EQ(reader.events()[0].t, 1);
  EXPECT_THAT(reader.events()[0].what, HasSubstr("'root' is not finite"));
  EXPECT_NEAR(reader.column("end_time")[1], 0.75, 0.05);
  EXPECT_THAT(reader.events()[1].what, HasSubstr("not valid with these parameters"));
  const Answers answers = answers_of(reader, *c.read.campaign);
  EXPECT_EQ(answers.failed, 3U);
  EXPECT_EQ(answers.measures[0].statistics[0].summary.failed, 3U);
  ASSERT_EQ(answers.failures.size(), 2U);
  EXPECT_EQ(answers.failures[0].count, 2U) << "the most frequent reason first";
}

TEST_F(Flights, ThatLackWhatIsRequiredHaveFailed) {
  write("craft.yaml", R"yaml(gyrostat: 1
parameters: {reach: 1}
bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], initial: {speed: 1}}}
simulation: {duration: 2, integrator: {method: dopri5}}
)yaml");
  const std::string text = R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary: {reach: {values: [0.5, 1.5, 2.5, 3.5]}}
samples: {method: factorial}
measure:
  there: {first_time: rail.displacement > reach, required: true}
  far: {max: rail.displacement}
require: {far: {below: 10, in: 90 %}}
)yaml";
  const Campaign c = campaign(text);
  const CampaignOutcome outcome = fly_campaign(c.read, *c.plan, path("out.h5"), on(2));
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.progress.failed, 2U);
  const results::ResultsReader reader(path("out.h5"));
  EXPECT_EQ(reader.column(outcome_column), (std::vector<double>{0, 0, 1, 1}));
  EXPECT_EQ(reader.column("end_time"), (std::vector<double>{2, 2, 2, 2}));
  EXPECT_NEAR(reader.column("measures/there")[1], 1.5, 1e-9);
  EXPECT_TRUE(std::isnan(reader.column("measures/far")[2]));
  const Answers answers = answers_of(reader, *c.read.campaign);
  ASSERT_EQ(answers.failures.size(), 1U);
  EXPECT_EQ(answers.failures[0].reason, "there did not come until 2 s");
  EXPECT_EQ(answers.failures[0].first, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(answers.requirements[0].results[0].fulfilled, 2U) << "a flight that failed fulfils nothing";
  EXPECT_EQ(answers.requirements[0].verdict(), Verdict::not_met);
  // not required, it is infinite, and within a window it counts to the end of that
  std::string other = text;
  other.replace(other.find(", required: true"), 16, "");
  const Campaign free = campaign(other);
  ASSERT_TRUE(fly_campaign(free.read, *free.plan, path("free.h5"), on(1)).finished);
  EXPECT_TRUE(std::isinf(columns_of(path("free.h5")).at("measures/there")[2]));
  other = text;
  other.replace(other.find(", required"), 1, ", between: [0.25, 1],");
  const Campaign windowed = campaign(other);
  ASSERT_TRUE(fly_campaign(windowed.read, *windowed.plan, path("window.h5"), on(1)).finished);
  const results::ResultsReader window(path("window.h5"));
  EXPECT_EQ(answers_of(window, *windowed.read.campaign).failures.at(0).reason, "there did not come until 1 s");
  EXPECT_EQ(window.column(outcome_column), (std::vector<double>{0, 1, 1, 1}));
}

TEST_F(Flights, OfModelsThatPacksDoNotTakeAreFlownOneByOne) {
  std::string implicit = craft;
  implicit.replace(implicit.find("method: dopri5"), 14, "method: cvode_bdf");
  write("craft.yaml", implicit);
  std::string few = vary;
  few.replace(few.find("count: 23"), 9, "count: 3");
  const Campaign c = campaign(few);
  EXPECT_THAT(c.plan->alone_because(), HasSubstr("cvode_bdf is implicit"));
  EXPECT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5"), on(2)).finished);
}

/// x' = -a x + w with white noise w held over short periods, and a random start: the covariance at the end in closed
/// form.
TEST_F(Flights, OfALinearSystemHaveTheAnalyticCovariance) {
  write("craft.yaml", R"yaml(gyrostat: 1
parameters: {start: 1}
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
signals:
  w: {noise: {seed: 3, std: 2, period: 0.05}}
  x: {integral: "-0.8*x + w", initial: start}
simulation: {duration: 2, integrator: {method: rk4, step: 0.05}}
)yaml");
  const Campaign c = campaign(R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary: {start: {normal: {mean: 1, std: 0.5}}}
samples: {count: 4000, method: monte_carlo, seed: 11}
measure: {end: {final: x}}
)yaml");
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5"), on(2)).finished);
  const Summary s = summarize(columns_of(path("out.h5")).at("measures/end"));
  const double a = 0.8, h = 0.05, decay = std::exp(-a * h), gain = 2 * (1 - decay) / a;
  const double from_noise = gain * gain * (1 - std::pow(decay, 80)) / (1 - decay * decay);
  const double variance = 0.25 * std::exp(-4 * a) + from_noise;
  EXPECT_NEAR(s.mean, std::exp(-2 * a), 4 * std::sqrt(variance / 4000));
  EXPECT_NEAR(s.std * s.std / variance, 1, 4 * std::sqrt(2.0 / 4000));
}

}  // namespace flights_test
}  // namespace gyrostat::campaign
