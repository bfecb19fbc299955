// How far results are from each other.
#include "gyrostat/results/compare.h"

#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/results/interpolate.h"

#include "support/program.h"
#include "support/sample_results.h"

namespace gyrostat::testing {
using namespace results;
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Function = std::function<double(double)>;

class Compare : public ::testing::Test {
 protected:
  ResultsReader results(const std::vector<std::pair<std::string, Function>>& functions,
                        const std::vector<double>& instants) {
    const std::string path = (scratch.path() / (std::to_string(count++) + ".h5")).string();
    std::vector<Column> columns;
    for (const auto& [name, function] : functions) columns.push_back({name, "m", ""});
    ResultsWriter writer(path, sample_header(), columns, instants.size());
    for (const double t : instants) {
      std::vector<double> row;
      for (const auto& [name, function] : functions) row.push_back(function(t));
      writer.append(t, row);
    }
    writer.finish();
    return ResultsReader(path);
  }
  Scratch scratch;
  int count = 0;
  const std::vector<double> times = {0, 1, 2, 3, 4};
  static double same(double t) { return t * t; }
};

TEST_F(Compare, EqualResultsAgree) {
  const auto a = results({{"x", same}, {"y", same}}, times), b = results({{"x", same}, {"y", same}}, times);
  const Comparison comparison = compare(a, b, {});
  EXPECT_TRUE(comparison.agree());
  EXPECT_TRUE(comparison.same_times);
  EXPECT_TRUE(comparison.same_span);
  EXPECT_EQ(comparison.instants, 5U);
  for (const ColumnDifference& column : comparison.columns) EXPECT_EQ(column.difference, 0);
}

TEST_F(Compare, TheLargestDifferenceIsFoundWithItsTime) {
  const auto a = results({{"x", same}, {"y", same}}, times);
  const auto b = results({{"x", [](double t) { return t * t + (t == 2 ? 0.5 : 0.25); }}, {"y", same}}, times);
  const Comparison comparison = compare(a, b, {});
  EXPECT_FALSE(comparison.agree());
  EXPECT_EQ(comparison.columns[0].name, "x");
  EXPECT_EQ(comparison.columns[0].unit, "m");
  EXPECT_EQ(comparison.columns[0].difference, 0.5);
  EXPECT_EQ(comparison.columns[0].time, 2);
  EXPECT_EQ(comparison.columns[0].magnitude, 16.25);
  EXPECT_EQ(comparison.columns[0].relative, 0.5 / 16.25);
  EXPECT_FALSE(comparison.columns[0].within);
  EXPECT_TRUE(comparison.columns[1].within);
  CompareSettings loose;
  loose.tolerance = 0.05;
  EXPECT_TRUE(compare(a, b, loose).agree());
}

TEST_F(Compare, TheWorstColumnsComeFirst) {
  const auto off = [](double by) { return [by](double) { return 1 + by; }; };
  const auto a = results({{"p", off(0)}, {"q", off(0)}, {"r", off(0)}}, times);
  const auto b = results({{"p", off(1e-5)}, {"q", off(1e-3)}, {"r", off(1e-4)}}, times);
  std::vector<std::string> names;
  for (const ColumnDifference& column : compare(a, b, {}).columns) names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("q", "r", "p"));
}

TEST_F(Compare, AComponentIsJudgedOnTheScaleOfItsVector) {
  const auto one = [](double) { return 1.0; };
  const auto noise = [](double size) { return [size](double t) { return size * std::sin(7 * t); }; };
  const auto a = results({{"omega_x", one}, {"omega_y", noise(1e-12)}, {"other", noise(1e-12)}}, times);
  const auto b = results({{"omega_x", one}, {"omega_y", noise(3e-12)}, {"other", noise(3e-12)}}, times);
  const Comparison comparison = compare(a, b, {});
  EXPECT_EQ(comparison.columns[0].name, "other");
  EXPECT_FALSE(comparison.columns[0].within);
  EXPECT_TRUE(comparison.columns[1].within);
  EXPECT_EQ(comparison.columns[1].magnitude, 1);
}

TEST_F(Compare, RoundingAboutZeroIsNoDifference) {
  const auto a = results({{"x", [](double) { return 0.0; }}}, times);
  const auto b = results({{"x", [](double t) { return 1e-16 * t; }}}, times);
  EXPECT_TRUE(compare(a, b, {}).agree());
  CompareSettings strict;
  strict.floor = 0;
  EXPECT_FALSE(compare(a, b, strict).agree());
}

TEST_F(Compare, OtherTimesAreInterpolatedLinearly) {
  const auto line = [](double t) { return 3 * t - 1; };
  const auto a = results({{"x", line}, {"y", same}}, {0, 0.25, 1.5, 4});
  const auto b = results({{"x", line}, {"y", same}}, times);
  const Comparison comparison = compare(a, b, {});
  EXPECT_FALSE(comparison.same_times);
  EXPECT_TRUE(comparison.same_span);
  EXPECT_EQ(comparison.instants, 4U);
  EXPECT_EQ(comparison.columns[1].difference, 0);
  EXPECT_EQ(comparison.columns[0].difference, 0.25);
  EXPECT_EQ(comparison.columns[0].time, 1.5);
}

TEST_F(Compare, ARunThatEndsEarlierDoesNotAgree) {
  const auto a = results({{"x", same}}, times), b = results({{"x", same}}, {0, 1, 2});
  EXPECT_FALSE(compare(a, b, {}).agree());
  EXPECT_EQ(compare(a, b, {}).instants, 3U);
  EXPECT_EQ(compare(a, b, {}).columns[0].difference, 0);
  EXPECT_FALSE(compare(b, a, {}).agree());
  EXPECT_FALSE(compare(a, results({{"x", same}}, {}), {}).agree());
  EXPECT_FALSE(compare(results({{"x", same}}, {}), a, {}).agree());
}

TEST_F(Compare, ColumnsOfOneOnlyAreListed) {
  const auto a = results({{"x", same}, {"y", same}}, times), b = results({{"z", same}, {"x", same}}, times);
  const Comparison comparison = compare(a, b, {});
  EXPECT_TRUE(comparison.agree());
  EXPECT_THAT(comparison.only_in_first, ElementsAre("y"));
  EXPECT_THAT(comparison.only_in_second, ElementsAre("z"));
  EXPECT_FALSE(compare(a, results({{"z", same}}, times), {}).agree());
  CompareSettings named;
  named.names = {"y"};
  EXPECT_THAT(error_of([&] { compare(a, b, named); }), HasSubstr("1.h5: has no column 'y'"));
}

TEST_F(Compare, ANumberIsNotTheAbsenceOfOne) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto with = [](double value) { return [value](double t) { return t == 3 ? value : 1.0; }; };
  const auto read = [&](double value) { return results({{"x", with(value)}}, times); };
  EXPECT_TRUE(compare(read(nan), read(nan), {}).agree());
  EXPECT_TRUE(compare(read(infinity), read(infinity), {}).agree());
  for (const auto& [p, q] :
       {std::pair(nan, 1.0), {1.0, nan}, {infinity, 1.0}, {infinity, -infinity}, {nan, infinity}}) {
    const Comparison comparison = compare(read(p), read(q), {});
    EXPECT_FALSE(comparison.agree());
    EXPECT_EQ(comparison.columns[0].time, 3);
  }
}

TEST_F(Compare, NothingAgreesWithNothing) {
  EXPECT_TRUE(compare(results({}, {}), results({}, {}), {}).agree());
  EXPECT_TRUE(compare(results({{"x", same}}, {}), results({{"x", same}}, {}), {}).agree());
}

TEST(Interpolate, FindsTheRecordsAround) {
  const std::vector<double> times = {0, 1, 1, 3}, values = {0, 10, 20, 40};
  const auto at = [&](double t, Side side) { return locate(times, t, side).value(values); };
  for (const Side side : {Side::before, Side::after}) {
    EXPECT_EQ(at(0, side), 0);
    EXPECT_EQ(at(0.5, side), 5);
    EXPECT_EQ(at(2, side), 30);
    EXPECT_EQ(at(3, side), 40);
    EXPECT_EQ(at(-1, side), 0);
    EXPECT_EQ(at(9, side), 40);
  }
  EXPECT_EQ(at(1, Side::before), 10);
  EXPECT_EQ(at(1, Side::after), 20);
}

}  // namespace
}  // namespace gyrostat::testing
