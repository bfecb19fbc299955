#include "gyrostat/campaign/read.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "gyrostat/campaign/sampler.h"
#include "gyrostat/format/expand.h"
#include "gyrostat/format/read.h"

namespace gyrostat::campaign::read_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

constexpr const char* whole = R"yaml(gyrostat_campaign: 1
name: dispersions of the bus
model: models/bus.yaml
vary:
  bus_mass: {normal: {mean: 410, std: 4 kg}}
  misalign: {normal: {mean: 0, std: 0.1 deg}, size: 3}
  boom_length: {truncated: {mean: 4 m, std: 10 cm, low: 3.8 m, high: 2*2.1 m}}
  drag: {lognormal: {median: 2, sigma: 0.25}}
  delay: {triangular: {low: 0, mode: 1 ms, high: 5 ms}}
  mode: {choice: {of: [1, 2, 4], weights: [1, 1, 2]}}
  gain: {values: [1, 2, 4, 8]}
correlate: [[bus_mass, boom_length, 0.6], [misalign.x, misalign.y, -0.2]]
samples: {count: 1e4, method: sobol, seed: 7}
measure:
  peak_error: {max: "norm(error)", after: 10}
  settled: {first_time: "norm(error) < 0.1 deg", for: 20}
  fuel: {final: propellant_used}
  jitter: {rms: bus.omega_x, between: [100, 3 min]}
require:
  peak_error: {below: 1 deg, in: 99.7 %, confidence: 95 %}
  fuel: {above: 0.5, below: 2}
record: {interval: 500 ms, columns: [error], of: 100, worst: {measure: peak_error, count: 10}}
)yaml";

std::string text_of(const Problems& problems) {
  std::string all;
  for (const Problem& problem : problems.all()) {
    all += std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column) + ": " + problem.path +
           ": " + problem.message + "\n";
  }
  return all;
}

CampaignDescription description(const std::string& text) {
  ReadCampaign read = read_campaign_text("c.yaml", text);
  EXPECT_EQ(text_of(read.problems), "");
  return read.campaign.value_or(CampaignDescription{});
}

TEST(ReadCampaign, ReadsEveryField) {
  const CampaignDescription c = description(whole);
  EXPECT_EQ(c.name, "dispersions of the bus");
  EXPECT_EQ(c.model, "models/bus.yaml");
  EXPECT_EQ(model_path(c, "work/c.yaml"), "work/models/bus.yaml");
  EXPECT_EQ(sampled_columns(c), (std::vector<std::string>{"bus_mass", "misalign.x", "misalign.y", "misalign.z",
                                                          "boom_length", "drag", "delay", "mode"}));
  ASSERT_EQ(c.vary.size(), 6U);
  EXPECT_EQ(std::get<Normal>(c.vary[0].distribution).mean, 410);
  EXPECT_EQ(c.vary[0].dimension, dimension::mass);
  EXPECT_DOUBLE_EQ(std::get<Normal>(c.vary[1].distribution).std, 0.1 * degree);
  EXPECT_EQ(c.vary[1].size, 3U);
  EXPECT_DOUBLE_EQ(std::get<Truncated>(c.vary[2].distribution).std, 0.1);
  EXPECT_DOUBLE_EQ(std::get<Truncated>(c.vary[2].distribution).high, 4.2);
  EXPECT_EQ(std::get<Lognormal>(c.vary[3].distribution).sigma, 0.25);
  EXPECT_DOUBLE_EQ(std::get<Triangular>(c.vary[4].distribution).mode, 1e-3);
  EXPECT_EQ(std::get<Choice>(c.vary[5].distribution).weights, (std::vector<double>{1, 1, 2}));
  ASSERT_EQ(c.factors.size(), 1U);
  EXPECT_EQ(c.factors[0].values, (std::vector<double>{1, 2, 4, 8}));
  ASSERT_EQ(c.correlate.size(), 2U);
  EXPECT_EQ(c.correlate[0].a, 0U);
  EXPECT_EQ(c.correlate[0].b, 4U);
  EXPECT_EQ(c.correlate[1].value, -0.2);
  EXPECT_EQ(c.count, 10'000U);
  EXPECT_EQ(c.method, Method::sobol);
  EXPECT_EQ(c.seed, 7U);
  EXPECT_FALSE(c.sensitivity);
  EXPECT_EQ(Sampler(c).count(), 40'000U);
}

TEST(ReadCampaign, ReadsMeasuresRequirementsAndRecords) {
  const CampaignDescription c = description(whole);
  ASSERT_EQ(c.measures.size(), 4U);
  EXPECT_EQ(c.measures[0].kind, Measure::Kind::max);
  EXPECT_EQ(c.measures[0].expression, "norm(error)");
  EXPECT_EQ(c.measures[0].after, 10);
  EXPECT_TRUE(std::isinf(c.measures[0].before));
  EXPECT_EQ(c.measures[0].place.line, 15U);
  EXPECT_EQ(c.measures[1].kind, Measure::Kind::first_time);
  EXPECT_EQ(c.measures[1].hold, 20);
  EXPECT_EQ(c.measures[2].kind, Measure::Kind::final);
  EXPECT_EQ(c.measures[3].after, 100);
  EXPECT_EQ(c.measures[3].before, 180);
  ASSERT_EQ(c.require.size(), 2U);
  EXPECT_DOUBLE_EQ(c.require[0].below.value(), degree);
  EXPECT_FALSE(c.require[0].above);
  EXPECT_DOUBLE_EQ(c.require[0].fraction, 0.997);
  EXPECT_DOUBLE_EQ(c.require[0].confidence, 0.95);
  EXPECT_EQ(c.require[1].fraction, 1);
  EXPECT_EQ(c.require[1].confidence, 0.9);
  EXPECT_EQ(c.require[1].above.value(), 0.5);
  ASSERT_TRUE(c.record);
  EXPECT_EQ(c.record->interval, 0.5);
  EXPECT_EQ(c.record->of, 100U);
  EXPECT_EQ(c.record->worst, "peak_error");
  EXPECT_EQ(c.record->worst_count, 10U);
  EXPECT_TRUE(c.more_is_worse("peak_error"));
  EXPECT_TRUE(c.more_is_worse("jitter"));
}

TEST(ReadCampaign, WithValuesOnlyIsFactorial) {
  const CampaignDescription c = description(
      "gyrostat_campaign: 1\nmodel: m.yaml\nvary: {a: {values: [1, 2, 3]}, b: {values: [4, 5]}}\n"
      "measure: {m: {min: x}}\nrequire: {m: {above: 1}}\n");
  EXPECT_EQ(c.method, Method::factorial);
  EXPECT_EQ(Sampler(c).count(), 6U);
  EXPECT_FALSE(c.more_is_worse("m"));
}

TEST(ReadCampaign, OfNoiseAloneVariesNothing) {
  const CampaignDescription c =
      description("gyrostat_campaign: 1\nmodel: m.yaml\nmeasure: {m: {min: x}}\nsamples: {count: 30}\n");
  EXPECT_EQ(Sampler(c).count(), 30U);
  EXPECT_TRUE(Sampler(c).columns().empty());
}

TEST(ReadCampaign, ReadsTablesOfSamples) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "gyrostat_campaign_read";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "s.csv") << "\xEF\xBB\xBF\"mass\", x,\"y,1\",z\r\n1,2,3,4\r\n\r\n5, 6 ,\"7\",8\r\n";
  std::ofstream(folder / "c.yaml") << "gyrostat_campaign: 1\nmodel: m.yaml\nmeasure: {m: {min: x}}\n"
                                      "samples: {count: 2}\nvary:\n"
                                      "  mass: {table: {file: s.csv, column: mass, unit: g}}\n"
                                      "  v: {table: {file: s.csv, columns: [x, 'y,1', z]}, size: 3}\n";
  const ReadCampaign read = read_campaign((folder / "c.yaml").string());
  ASSERT_EQ(text_of(read.problems), "");
  const Sampler sampler(*read.campaign);
  std::vector<double> row(4);
  sampler.sample(1, row);
  EXPECT_EQ(row, (std::vector<double>{0.005, 6, 7, 8}));
  EXPECT_EQ(read.campaign->vary[0].dimension, dimension::mass);
}

// --- with a model ------------------------------------------------------------------------------------------------

constexpr const char* model = R"yaml(gyrostat: 1
parameters: {bus_mass: 400 kg, boom_length: 4 m, misalign: [0, 0, 0], gain: 2, rate0: 0.1 deg/s}
bodies:
  bus: {mass: bus_mass, inertia: [100, 120, 90]}
joints:
  base: {type: free, child: bus, initial: {omega: [rate0, 0, 0]}}
signals:
  error: "bus.omega - misalign"
simulation: {duration: 10}
output: {interval: 1}
)yaml";

/// Of a campaign with that beginning and these lines more.
std::string problems_with_model(const std::string& lines) {
  ReadCampaign read =
      read_campaign_text("c.yaml", "gyrostat_campaign: 1\nmodel: m.yaml\nsamples: {count: 4}\n" + lines);
  EXPECT_EQ(text_of(read.problems), "");
  if (!read.campaign) return "";
  check_against(*read.campaign, ModelText("m.yaml", model), read.problems);
  find_places(read.source, read.problems);
  return text_of(read.problems);
}

TEST(CheckAgainst, FindsNothingWrongWithWhatIsRight) {
  EXPECT_EQ(problems_with_model("vary:\n"
                                "  bus_mass: {normal: {mean: 410 kg, std: 4}}\n"
                                "  misalign: {normal: {mean: 0, std: 0.1 deg/s}, size: 3}\n"
                                "  gain: {values: [1, 2]}\n"
                                "measure:\n"
                                "  peak: {max: norm(error), after: 1}\n"
                                "  settled: {first_time: norm(error) < 0.1 deg/s and t > 2, for: 2}\n"
                                "  turned: {integral: bus.omega_x}\n"
                                "require: {peak: {below: 1 deg/s}, settled: {below: 5 min}, turned: {below: 3 deg}}\n"
                                "record: {interval: 1, columns: [error, 'bus.omega_*', bus.roll], of: 2}\n"),
            "");
}

TEST(CheckAgainst, FindsParametersThatAreNotThere) {
  EXPECT_EQ(
      problems_with_model("vary: {bus_mas: {normal: {mean: 410, std: 4}}, gain: {normal: {mean: 1, std: 1}, size: 3}}\n"
                          "measure: {m: {max: t}}\n"),
      "4:17: vary.bus_mas: the model has no parameter 'bus_mas'; did you mean 'bus_mass'?\n"
      "4:88: vary.gain.size: 'gain' is a number, not a vector\n");
  EXPECT_EQ(problems_with_model("vary: {misalign: {normal: {mean: 0, std: 4}}}\nmeasure: {m: {max: t}}\n"),
            "4:18: vary.misalign: 'misalign' is a vector; add size: 3\n");
  EXPECT_EQ(problems_with_model("vary: {misalign: {values: [1, 2]}}\nmeasure: {m: {max: t}}\n"),
            "4:18: vary.misalign: 'misalign' is a vector; values are numbers\n");
  EXPECT_EQ(problems_with_model("vary: {misalign.x: {normal: {mean: 0, std: 4}}}\nmeasure: {m: {max: t}}\n"),
            "4:20: vary.misalign.x: is a component of the vector 'misalign'; vary misalign with size: 3, or give the "
            "component to a parameter of its own\n");
}

TEST(CheckAgainst, FindsUnitsThatAreNotThoseOfTheModel) {
  EXPECT_EQ(problems_with_model("vary: {bus_mass: {uniform: {low: 1 m, high: 2 m}}}\nmeasure: {m: {max: t}}\n"),
            "4:18: vary.bus_mass: its numbers are in m, but the parameter of the model is in kg\n");
  EXPECT_EQ(problems_with_model("measure: {m: {rms: bus.omega_x}}\nrequire: {m: {below: 1 kg}}\n"),
            "5:14: require.m: its bound is in kg, but the measure in rad/s\n");
  EXPECT_EQ(problems_with_model("measure: {m: {first_time: bus.omega_x < 0}}\nrequire: {m: {below: 1 deg}}\n"),
            "5:14: require.m: its bound is in rad, but the measure in s\n");
}

TEST(CheckAgainst, FindsMeasuresThatMeanNothing) {
  EXPECT_EQ(problems_with_model("measure: {m: {max: norm(eror)}}\n"),
            "4:25: measure.m.max: no parameter or signal 'eror'\n");
  EXPECT_EQ(problems_with_model("measure: {m: {max: error}}\n"),
            "4:20: measure.m.max: a number is needed here, not a vector or a rotation; take a component (v.x), norm(v) "
            "or dot(a, v)\n");
  EXPECT_EQ(problems_with_model("measure: {m: {max: bus_mass + boom_length}}\n"),
            "4:29: measure.m.max: one side is in kg, the other in m\n");
}

TEST(CheckAgainst, FindsInstantsThatNoFlightReaches) {
  const auto says = [](const std::string& measure) { return problems_with_model("measure: {m: {" + measure + "}}\n"); };
  const std::string lasts = "but a flight lasts 10 s (simulation.duration of the model)";
  EXPECT_EQ(says("max: t, after: 100"), "4:30: measure.m.after: is 100 s, " + lasts + ": nothing would be measured\n");
  EXPECT_EQ(says("integral: t, after: 10"),
            "4:35: measure.m.after: is 10 s, " + lasts + ": nothing would be measured\n");
  EXPECT_EQ(says("max: t, after: 9.9"), "");
  EXPECT_EQ(says("rms: t, between: [20, 30]"),
            "4:33: measure.m.between[0]: is 20 s, " + lasts + ": nothing would be measured\n");
  EXPECT_EQ(says("rms: t, between: [5, 30]"),
            "4:36: measure.m.between[1]: is 30 s, " + lasts + "; 'after: 5' goes on to the end\n");
  EXPECT_EQ(says("rms: t, between: [5, 10]"), "");
  EXPECT_EQ(says("first_time: t > 1, for: 11"),
            "4:39: measure.m.for: is 11 s, " + lasts + ": so long it can never hold\n");
  EXPECT_EQ(says("first_time: t > 1, for: 5, after: 6"),
            "4:39: measure.m.for: is 5 s, " + lasts + " and counts after 6 s: so long it can never hold\n");
  EXPECT_EQ(says("first_time: t > 1, for: 4, after: 6"), "");
}

TEST(CheckAgainst, FindsColumnsThatAreNotThere) {
  EXPECT_EQ(
      problems_with_model("measure: {m: {max: t}}\nrecord: {interval: 1, of: 2, columns: [bus.omga_x, 'bux.*']}\n"),
      "5:40: record.columns[0]: the body 'bus' has no 'omga_x'; did you mean 'omega_x'?\n"
      "5:52: record.columns[1]: nothing is called 'bux.*'\n");
}

TEST(AddMeasures, MakesSignalsOfThem) {
  const CampaignDescription c =
      description("gyrostat_campaign: 1\nmodel: m.yaml\nsamples: {count: 4}\nmeasure: {m: {max: norm(error)}}\n");
  ModelText with_measures("m.yaml", model);
  add_measures(c, with_measures);
  const Description read = with_measures.as_read();
  ASSERT_EQ(read.signals.size(), 2U);
  EXPECT_EQ(read.signals[1].name, "measure.m");
  EXPECT_EQ(std::get<Expression>(read.signals[1].block).text, "norm(error)");
}

}  // namespace
}  // namespace gyrostat::campaign::read_test
