// What is wrong with campaign files: the first line of every problem as the program prints it, and nothing else.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "gyrostat/campaign/read.h"

#include "support/problem_case.h"

namespace gyrostat::campaign {
namespace read_errors_test {

std::string problems_in(const std::string& text) {
  // Tables of samples that the cases name stand beside the campaign file.
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("gyrostat_campaign_read_errors_" + std::to_string(getpid()));
  static const bool written = [&] {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "samples.csv") << "mass, x,\"y,1\",z\n1,2,3,4\n5,6,seven,8\n9,10,11\n";
    std::ofstream(folder / "empty.csv") << "";
    std::ofstream(folder / "header.csv") << "mass\n";
    return true;
  }();
  EXPECT_TRUE(written);
  const ReadCampaign read = read_campaign_text((folder / "c.yaml").string(), text);
  EXPECT_EQ(read.campaign.has_value(), read.problems.errors() == 0);
  std::string all;
  for (const Problem& problem : read.problems.all()) {
    const std::string rendered = render(problem, read.source, false);
    all += rendered.substr(0, rendered.find('\n')) + "\n";
  }
  const std::string before = folder.string() + "/";
  for (std::size_t at = all.find(before); at != std::string::npos; at = all.find(before)) all.erase(at, before.size());
  return all;
}

class CampaignProblems : public testing::ProblemTest {};
class WholeCampaignProblems : public testing::ProblemTest {};
class OtherCampaignProblems : public testing::ProblemTest {};

constexpr const char* head = "gyrostat_campaign: 1\nmodel: model.yaml\n";

// Each text stands behind one with a model, a measure and samples.
TEST_P(CampaignProblems, AreSaidWithTheirPlace) {
  EXPECT_EQ(problems_in(std::string(head) + "measure: {m: {max: bus.omega_x}}\nsamples: {count: 100}\n" +
                        GetParam().text + "\n"),
            GetParam().problems);
}

const testing::ProblemCase cases[] = {
    {"UnknownField", "vari: {a: {uniform: {low: 0, high: 1}}}",
     "c.yaml:5:1: error: vari: unknown field; did you mean 'vary'?\n"},
    {"DistributionThatIsANumber", "vary: {a: 5}",
     "c.yaml:5:11: error: vary.a: expected a mapping with fields like uniform, ..., got '5'\n"},
    {"DistributionMissing", "vary: {a: {size: 3}}",
     "c.yaml:5:11: error: vary.a: needs one of uniform, normal, truncated, lognormal, triangular, choice, table, "
     "values\n"},
    {"DistributionMisspelt", "vary: {a: {nromal: {mean: 0, std: 1}}}",
     "c.yaml:5:12: error: vary.a.nromal: unknown field; did you mean 'normal'?\n"},
    {"TwoDistributions", "vary: {a: {normal: {mean: 0, std: 1}, uniform: {low: 0, high: 1}}}",
     "c.yaml:5:11: error: vary.a: has uniform and normal at once; only one can be given\n"},
    {"FieldOfADistributionMissing", "vary: {a: {normal: {mean: 0}}}",
     "c.yaml:5:20: error: vary.a.normal.std: missing; it is required (its standard deviation)\n"},
    {"FieldOfADistributionUnknown", "vary: {a: {normal: {mean: 0, sigma: 1}}}",
     "c.yaml:5:20: error: vary.a.normal.std: missing; it is required (its standard deviation)\n"
     "c.yaml:5:30: error: vary.a.normal.sigma: unknown field; the fields here are mean, std\n"},
    {"UniformTheOtherWayRound", "vary: {a: {uniform: {low: 2, high: 1}}}",
     "c.yaml:5:36: error: vary.a.uniform.high: must be above low, 2\n"},
    {"NormalWithoutWidth", "vary: {a: {normal: {mean: 2, std: 0}}}",
     "c.yaml:5:35: error: vary.a.normal.std: must be positive, got 0\n"},
    {"NormalThatIsNoNumber", "vary: {a: {normal: {mean: .nan, std: 1e40}}}",
     "c.yaml:5:27: error: vary.a.normal.mean: expected a finite number, got '.nan'\n"
     "c.yaml:5:38: error: vary.a.normal.std: 1e+40 is too large to compute with; the limit is 1e+30 in SI units\n"},
    {"NumberOfAParameter", "vary: {a: {normal: {mean: 2*b, std: 1}}}",
     "c.yaml:5:29: error: vary.a.normal.mean: no parameter 'b'\n"},
    {"UnitsThatDisagree", "vary: {a: {uniform: {low: 1 kg, high: 2 m}}}",
     "c.yaml:5:39: error: vary.a.uniform.high: is in m, but another number here is in kg\n"},
    {"UnknownUnit", "vary: {a: {uniform: {low: 1 kgg, high: 2}}}",
     "c.yaml:5:29: error: vary.a.uniform.low: unknown unit 'kgg'; did you mean 'kg'?\n"},
    {"TruncatedFarAway", "vary: {a: {truncated: {mean: 0, std: 1, low: 50, high: 60}}}",
     "c.yaml:5:23: error: vary.a.truncated: nothing of the normal distribution lies between 50 and 60: its mean is 0, "
     "its std 1\n"},
    {"LognormalOfANegativeMedian", "vary: {a: {lognormal: {median: -1, sigma: 0.1}}}",
     "c.yaml:5:32: error: vary.a.lognormal.median: must be positive, got -1\n"},
    {"LognormalWithAUnit", "vary: {a: {lognormal: {median: 1 kg, sigma: 0.1 kg}}}",
     "c.yaml:5:45: error: vary.a.lognormal.sigma: expected a plain number, got kg\n"},
    {"TriangularOutside", "vary: {a: {triangular: {low: 0, mode: 3, high: 2}}}",
     "c.yaml:5:39: error: vary.a.triangular.mode: must be between low and high, 0 and 2\n"},
    {"ChoiceOfNothing", "vary: {a: {choice: {of: []}}}", "c.yaml:5:25: error: vary.a.choice.of: the list is empty\n"},
    {"ChoiceWithTooFewWeights", "vary: {a: {choice: {of: [1, 2, 3], weights: [1, 2]}}}",
     "c.yaml:5:45: error: vary.a.choice.weights: expected one for each of the 3 values, got 2\n"},
    {"ChoiceWithANegativeWeight", "vary: {a: {choice: {of: [1, 2], weights: [1, -2]}}}",
     "c.yaml:5:46: error: vary.a.choice.weights[1]: must not be negative\n"},
    {"ChoiceWithoutWeight", "vary: {a: {choice: {of: [1, 2], weights: [0, 0]}}}",
     "c.yaml:5:42: error: vary.a.choice.weights: are all zero\n"},
    {"ChoiceOfOneNumber", "vary: {a: {choice: {of: 5}}}",
     "c.yaml:5:25: error: vary.a.choice.of: expected a list of numbers, got '5'\n"},
    {"ValuesThatAreEmpty", "vary: {a: {values: []}}", "c.yaml:5:20: error: vary.a.values: the list is empty\n"},
    {"ValuesTwice", "vary: {a: {values: [1, 2, 1]}}",
     "c.yaml:5:27: error: vary.a.values[2]: occurs twice; every flight with it would be flown twice\n"},
    {"ValuesOfAVector", "vary: {a: {values: [1, 2], size: 3}}",
     "c.yaml:5:34: error: vary.a.size: values are numbers; of a vector, give the components to parameters of their "
     "own\n"},
    {"SizeOfTwo", "vary: {a: {normal: {mean: 0, std: 1}, size: 2}}",
     "c.yaml:5:45: error: vary.a.size: is 1 for a number or 3 for a vector\n"},
    {"ParameterTwice",
     "vary:\n"
     "  a: {uniform: {low: 0, high: 1}}\n"
     "  a: {uniform: {low: 0, high: 2}}",
     "c.yaml:7:3: error: vary.a: 'a' is defined twice; first on line 6\n"},
    {"NameThatIsNone", "vary: {2a: {uniform: {low: 0, high: 1}}}",
     "c.yaml:5:8: error: vary.2a: '2a' is not a name: a name is made of the letters a-z and A-Z, digits and _, and "
     "does not begin with a digit\n"},
    {"TableThatIsNotThere", "vary: {a: {table: {file: nothing.csv, column: mass}}}",
     "c.yaml:5:26: error: vary.a.table.file: nothing.csv cannot be read: No such file or directory\n"},
    {"TableThatIsEmpty", "vary: {a: {table: {file: empty.csv, column: mass}}}",
     "c.yaml:5:26: error: vary.a.table.file: empty.csv is empty; its first line has the names of columns\n"},
    {"TableWithoutRows", "vary: {a: {table: {file: header.csv, column: mass}}}",
     "c.yaml:5:26: error: vary.a.table.file: header.csv has no rows below its first line\n"},
    {"TableWithoutAColumn", "vary: {a: {table: {file: samples.csv}}}",
     "c.yaml:5:19: error: vary.a.table: says no column; give column: NAME\n"},
    {"TableWithAnUnknownColumn", "vary: {a: {table: {file: samples.csv, column: mas}}}",
     "c.yaml:5:26: error: vary.a.table.file: samples.csv has no column 'mas'; did you mean 'mass'?\n"},
    {"TableWithText", "vary: {a: {table: {file: samples.csv, column: 'y,1'}}}",
     "c.yaml:5:26: error: vary.a.table.file: samples.csv, line 3: column 'y,1' is a number in every line, not "
     "'seven'\n"},
    {"TableWithAShortLine", "vary: {a: {table: {file: samples.csv, column: z}}}",
     "c.yaml:5:26: error: vary.a.table.file: samples.csv, line 4: 3 cells, but 'z' is column 4\n"},
    {"TableWithTooFewRows", "vary: {a: {table: {file: samples.csv, column: mass}}}",
     "c.yaml:5:26: error: vary.a.table.file: has 3 rows, but there are 100 samples, each of which takes a row\n"},
    {"CorrelationOfAStranger",
     "vary: {a: {uniform: {low: 0, high: 1}}}\n"
     "correlate: [[a, b, 0.5]]",
     "c.yaml:6:17: error: correlate[0][1]: 'b' is not varied\n"},
    {"CorrelationOfTwoThings",
     "vary: {a: {uniform: {low: 0, high: 1}}}\n"
     "correlate: [[a, 0.5]]",
     "c.yaml:6:13: error: correlate[0]: expected two varied parameters and a number, like [bus_mass, boom_length, "
     "0.6], got a list of 2\n"},
    {"CorrelationWithItself",
     "vary: {a: {uniform: {low: 0, high: 1}}}\n"
     "correlate: [[a, a, 0.5]]",
     "c.yaml:6:13: error: correlate[0]: 'a' cannot be correlated with itself\n"},
    {"CorrelationOfOne",
     "vary: {a: {uniform: {low: 0, high: 1}}, b: {uniform: {low: 0, high: 1}}}\n"
     "correlate: [[a, b, 1]]",
     "c.yaml:6:20: error: correlate[0][2]: a correlation is between -1 and 1, got 1\n"},
    {"CorrelationTwice",
     "vary: {a: {uniform: {low: 0, high: 1}}, b: {uniform: {low: 0, high: 1}}}\n"
     "correlate: [[a, b, 0.5], [b, a, 0.4]]",
     "c.yaml:6:26: error: correlate[1]: the correlation of b and a is given twice\n"},
    {"CorrelationOfAVector",
     "vary: {a: {uniform: {low: 0, high: 1}}, v: {normal: {mean: 0, std: 1}, size: 3}}\n"
     "correlate: [[a, v, 0.5]]",
     "c.yaml:6:17: error: correlate[0][1]: 'v' is a vector; write v.x, v.y or v.z\n"},
    {"CorrelationOfAComponentOfANumber",
     "vary: {a: {uniform: {low: 0, high: 1}}, v: {normal: {mean: 0, std: 1}}}\n"
     "correlate: [[a, v.x, 0.5]]",
     "c.yaml:6:17: error: correlate[0][1]: 'v' is varied as a number; of a vector, add size: 3 to it\n"},
    {"CorrelationOfValues",
     "vary: {a: {uniform: {low: 0, high: 1}}, v: {values: [1, 2]}}\n"
     "correlate: [[a, v, 0.5]]",
     "c.yaml:6:17: error: correlate[0][1]: 'v' has values, not a distribution: nothing can be correlated with it\n"},
    {"CorrelationsThatContradict",
     "vary: {a: {uniform: {low: 0, high: 1}}, b: {uniform: {low: 0, high: 1}}, c: {uniform: {low: 0, high: 1}}}\n"
     "correlate: [[a, b, 0.9], [b, c, 0.9]]",
     "c.yaml:6:12: error: correlate: no distribution has these correlations at once (their matrix is not positive "
     "definite): [a, b, 0.9], [b, c, 0.9]; pairs that are not given have 0\n"},
    {"RequirementOfAStranger", "require: {mm: {below: 5}}",
     "c.yaml:5:15: error: require.mm: no measure 'mm'; did you mean 'm'?\n"},
    {"RequirementWithoutBounds", "require: {m: {in: 90 %}}", "c.yaml:5:14: error: require.m: needs below or above\n"},
    {"RequirementThatNothingFulfils", "require: {m: {below: 1, above: 2}}",
     "c.yaml:5:14: error: require.m: nothing is above 2 and below 1\n"},
    {"RequirementBeyondAllFlights", "require: {m: {below: 1, in: 99.7}}",
     "c.yaml:5:29: error: require.m.in: a fraction is at most 1; is 99.7 % meant?\n"},
    {"RequirementOfMoreThanAll", "require: {m: {below: 1, in: 120 %}}",
     "c.yaml:5:29: error: require.m.in: is at most 100 %\n"},
    {"RequirementOfNone", "require: {m: {below: 1, in: 0 %}}", "c.yaml:5:29: error: require.m.in: must be above 0 %\n"},
    {"RequirementWithTextForPercent", "require: {m: {below: 1, in: most %}}",
     "c.yaml:5:29: error: require.m.in: expected a fraction, like 99.7 %, got 'most %'\n"},
    {"RequirementThatIsSure", "require: {m: {below: 1, in: 99 %, confidence: 100 %}}",
     "c.yaml:5:47: error: require.m.confidence: must be below 100 %: no number of flights makes sure\n"},
    {"RequirementInTwoUnits", "require: {m: {below: 1 kg, above: 0 m}}",
     "c.yaml:5:35: error: require.m.above: is in m, but another number here is in kg\n"},
    {"RecordWithoutInterval", "record: {of: 5}",
     "c.yaml:5:9: error: record.interval: missing; it is required (s between records)\n"},
    {"RecordOfNoTime", "record: {interval: 0, of: 5}", "c.yaml:5:20: error: record.interval: must be positive\n"},
    {"RecordOfNothing", "record: {interval: 1}",
     "c.yaml:5:9: error: record: says no flights; give of: 100 for the first hundred, or worst: {measure: NAME, count: "
     "10}\n"},
    {"RecordOfNoFlights", "record: {interval: 1, of: 0}",
     "c.yaml:5:27: error: record.of: at least 1 flight is needed\n"},
    {"RecordOfTheWorstOfAStranger", "record: {interval: 1, worst: {measure: n, count: 3}}",
     "c.yaml:5:40: error: record.worst.measure: no measure 'n'\n"},
    {"RecordOfTheWorstWithoutCount", "record: {interval: 1, worst: {measure: m}}",
     "c.yaml:5:30: error: record.worst.count: missing; it is required (how many flights)\n"},
};
INSTANTIATE_TEST_SUITE_P(Campaign, CampaignProblems, ::testing::ValuesIn(cases), testing::case_name);

// Of measures and samples: each text stands behind one with a model only.
TEST_P(OtherCampaignProblems, AreSaidWithTheirPlace) {
  EXPECT_EQ(problems_in(std::string(head) + GetParam().text + "\n"), GetParam().problems);
}

const testing::ProblemCase other_cases[] = {
    {"NothingMeasured",
     "samples: {count: 100}\n"
     "measure: {}",
     "c.yaml:4:10: error: measure: at least one measure is needed, like peak: {max: norm(error)}\n"},
    {"NoMeasures", "samples: {count: 100}\n",
     "c.yaml:1:1: error: measure: missing; it is required (numbers of a flight, by name)\n"},
    {"NoSamples",
     "measure: {m: {max: bus.omega_x}}\n"
     "vary: {a: {uniform: {low: 0, high: 1}}}",
     "c.yaml:1:1: error: samples: missing; say how many flights: samples: {count: 1000}\n"},
    {"NoCount",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {method: sobol}",
     "c.yaml:4:10: error: samples.count: missing; say how many samples\n"},
    {"CountOfZero",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 0}",
     "c.yaml:4:18: error: samples.count: at least 1 sample is needed\n"},
    {"CountThatIsText",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: many}",
     "c.yaml:4:18: error: samples.count: no parameter 'many'\n"},
    {"CountWithAFraction",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 10.5}",
     "c.yaml:4:18: error: samples.count: expected a whole number, got '10.5'\n"},
    {"CountBeyondTheLimit",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 1000000001}",
     "c.yaml:4:18: error: samples.count: 1000000001 samples; the limit is 1000000000\n"},
    {"TooManyFlights",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 1e8}\n"
     "vary: {a: {values: [1, 2, 3, 4, 5, 6]}, b: {values: [1, 2]}}",
     "c.yaml:4:10: error: samples: 1200000000 flights in all; the limit is 1000000000\n"},
    {"UnknownMethod",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 8, method: sobl}",
     "c.yaml:4:29: error: samples.method: expected one of monte_carlo, latin_hypercube, sobol, factorial, got 'sobl'; "
     "did you mean 'sobol'?\n"},
    {"NegativeSeed",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 8, seed: -1}",
     "c.yaml:4:27: error: samples.seed: must not be negative\n"},
    {"SeedBeyondALong",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 8, seed: 99999999999999999999}",
     "c.yaml:4:27: error: samples.seed: expected a whole number, got '99999999999999999999'\n"},
    {"FactorialWithACount",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 8, method: factorial}\n"
     "vary: {a: {values: [1, 2]}}",
     "c.yaml:4:18: error: samples.count: factorial flies every combination of values once; it has no count\n"},
    {"FactorialWithADistribution",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {method: factorial}\n"
     "vary: {a: {values: [1, 2]}, b: {normal: {mean: 0, std: 1}}}",
     "c.yaml:5:32: error: vary.b: has a distribution, but samples.method is factorial; give values: [..], or another "
     "method\n"},
    {"FactorialOfNothing",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {method: factorial}",
     "c.yaml:4:19: error: samples.method: factorial flies all combinations of values, but no parameter has values\n"},
    {"SensitivityThatIsNotTrue",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 8, sensitivity: yes}\n"
     "vary: {a: {uniform: {low: 0, high: 1}}}",
     "c.yaml:4:34: error: samples.sensitivity: expected true or false, got 'yes'\n"},
    {"SensitivityWithValues",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 8, sensitivity: true}\n"
     "vary: {a: {uniform: {low: 0, high: 1}}, b: {values: [1, 2]}}",
     "c.yaml:4:34: error: samples.sensitivity: does not go with values, which b has; choice: {of: [..]} can be an "
     "input of Sobol indices\n"},
    {"SensitivityWithCorrelations",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 8, sensitivity: true}\n"
     "vary: {a: {uniform: {low: 0, high: 1}}, b: {uniform: {low: 0, high: 1}}}\n"
     "correlate: [[a, b, 0.5]]",
     "c.yaml:4:34: error: samples.sensitivity: Sobol indices are of independent inputs; leave out correlate\n"},
    {"SensitivityOfNothing",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 8, sensitivity: true}",
     "c.yaml:4:34: error: samples.sensitivity: Sobol indices need parameters with distributions; none is varied\n"},
    {"TableInAnUnknownUnit",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 3}\n"
     "vary: {a: {table: {file: samples.csv, column: mass, unit: kgs}}}",
     "c.yaml:5:59: error: vary.a.table.unit: unknown unit 'kgs'; did you mean 'kg'?\n"},
    {"TableOfAVectorWithOneColumn",
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 3}\n"
     "vary: {a: {table: {file: samples.csv, column: mass}, size: 3}}",
     "c.yaml:5:47: error: vary.a.table.column: a vector (size: 3) needs three: columns: [X, Y, Z]\n"},
    {"MeasureOfNothing",
     "samples: {count: 100}\n"
     "measure: {m: {after: 5}}",
     "c.yaml:4:14: error: measure.m: needs one of max, min, final, mean, rms, integral, first_time, computed\n"},
    {"ComputedMeasureWithoutWords",
     "samples: {count: 100}\n"
     "measure: {m: {computed: \"\"}}",
     "c.yaml:4:25: error: measure.m.computed: expected what is computed, in words, got ''\n"},
    {"ComputedMeasureInAnUnknownUnit",
     "samples: {count: 100}\n"
     "measure: {m: {computed: the best, unit: rads}}",
     "c.yaml:4:41: error: measure.m.unit: unknown unit 'rads'; write rad/s\n"},
    {"ComputedMeasureThatIsNotInSI",
     "samples: {count: 100}\n"
     "measure: {m: {computed: the best, unit: deg}}",
     "c.yaml:4:41: error: measure.m.unit: numbers are in SI units: rad\n"},
    {"ComputedMeasureWithAWindow",
     "samples: {count: 100}\n"
     "measure: {m: {computed: the best, after: 3}}",
     "c.yaml:4:42: error: measure.m.after: does not go with computed: the program sees all\n"},
    {"UnitOfAnExpression",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, unit: rad}}",
     "c.yaml:4:29: error: measure.m.unit: belongs to computed; of an expression it is known\n"},
    {"MeasureOfTwoThings",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, min: a}}",
     "c.yaml:4:14: error: measure.m: has max and min at once; only one can be given\n"},
    {"MeasureThatCannotBeParsed",
     "samples: {count: 100}\n"
     "measure: {m: {max: \"norm(error\"}}",
     "c.yaml:4:31: error: measure.m.max: expected ',' or ')', but the expression ends\n"},
    {"MeasureThatIsAList",
     "samples: {count: 100}\n"
     "measure: {m: {max: [1, 2]}}",
     "c.yaml:4:20: error: measure.m.max: expected a number or an expression, got a list\n"},
    {"MeasureBeforeTheStart",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, after: -5}}",
     "c.yaml:4:30: error: measure.m.after: must not be negative\n"},
    {"MeasureInAWrongUnit",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, after: 5 m}}",
     "c.yaml:4:30: error: measure.m.after: expected a value in s, got m\n"},
    {"MeasureBetweenBackwards",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, between: [5, 4]}}",
     "c.yaml:4:32: error: measure.m.between: the second instant must be after the first\n"},
    {"MeasureBetweenThree",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, between: [5, 6, 7]}}",
     "c.yaml:4:32: error: measure.m.between: expected two instants, like [100, 200], got a list\n"},
    {"MeasureAfterAndBetween",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, after: 5, between: [5, 6]}}",
     "c.yaml:4:42: error: measure.m.between: after is given as well; only one of them can be\n"},
    {"MeasureThatHolds",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, for: 5}}",
     "c.yaml:4:28: error: measure.m.for: belongs to first_time\n"},
    {"MeasureThatIsRequired",
     "samples: {count: 100}\n"
     "measure: {m: {max: a, required: true}}",
     "c.yaml:4:33: error: measure.m.required: belongs to first_time: a flight in which that does not come has failed; "
     "of other measures, `require` says what must hold\n"},
    {"MeasureRequiredByAnotherWord",
     "samples: {count: 100}\n"
     "measure: {m: {first_time: a > 1, required: maybe}}",
     "c.yaml:4:44: error: measure.m.required: expected true or false, got 'maybe'\n"},
    {"MeasureThatHoldsTooLong",
     "samples: {count: 100}\n"
     "measure: {m: {first_time: a > 1, for: 5, between: [1, 2]}}",
     "c.yaml:4:39: error: measure.m.for: is longer than the 1 s of between\n"},
    {"FinalAfter",
     "samples: {count: 100}\n"
     "measure: {m: {final: a, after: 5}}",
     "c.yaml:4:32: error: measure.m.after: does not go with final, which is the value at the end\n"},
    {"MeasureWithADot",
     "samples: {count: 100}\n"
     "measure: {m.n: {final: a}}",
     "c.yaml:4:11: error: measure.m.n: 'm.n' is not a name: a name is made of the letters a-z and A-Z, digits and _, "
     "and does not begin with a digit\n"},
};
INSTANTIATE_TEST_SUITE_P(Campaign, OtherCampaignProblems, ::testing::ValuesIn(other_cases), testing::case_name);

TEST_P(WholeCampaignProblems, AreSaidWithTheirPlace) { EXPECT_EQ(problems_in(GetParam().text), GetParam().problems); }

const testing::ProblemCase whole_cases[] = {
    {"Empty", "", "c.yaml:1:1: error: the file is empty; a campaign file begins with 'gyrostat_campaign: 1'\n"},
    {"AList", "- 1\n",
     "c.yaml:1:1: error: expected a campaign: 'gyrostat_campaign: 1', 'model:' and so on, got a list\n"},
    {"AModel",
     "gyrostat: 1\n"
     "bodies: {}\n",
     "c.yaml:1:1: error: this is a model file; a campaign file begins with 'gyrostat_campaign: 1' and names its "
     "model\n"},
    {"NoVersion", "model: a.yaml\n",
     "c.yaml:1:1: error: missing the first line of a campaign file: 'gyrostat_campaign: 1'\n"},
    {"AnotherVersion", "gyrostat_campaign: 2\n",
     "c.yaml:1:20: error: gyrostat_campaign: this program reads format version 1, not '2'\n"},
    {"VersionThatIsAList", "gyrostat_campaign: [1]\n",
     "c.yaml:1:20: error: gyrostat_campaign: expected the format version, 1, got a list\n"},
    {"NotYaml",
     "gyrostat_campaign: 1\n"
     "model: [a\n",
     "c.yaml:3:1: error: not valid YAML: end of sequence flow not found\n"},
    {"AnAnchor",
     "gyrostat_campaign: 1\n"
     "model: &a b\n",
     "c.yaml:2:8: error: YAML anchors are not part of the format; use parameters\n"},
    {"NoModel",
     "gyrostat_campaign: 1\n"
     "measure: {m: {max: bus.omega_x}}\n"
     "samples: {count: 100}\n",
     "c.yaml:1:1: error: model: missing; it is required (the model file, relative to this one)\n"},
};
INSTANTIATE_TEST_SUITE_P(Campaign, WholeCampaignProblems, ::testing::ValuesIn(whole_cases), testing::case_name);

TEST(CampaignFiles, ThatCannotBeReadSaySo) {
  EXPECT_EQ(read_campaign("/nowhere/c.yaml").problems.all().at(0).message, "cannot be read: No such file or directory");
  EXPECT_EQ(read_campaign("/tmp").problems.all().at(0).message, "is a directory, not a campaign file");
}

}  // namespace read_errors_test
}  // namespace gyrostat::campaign
