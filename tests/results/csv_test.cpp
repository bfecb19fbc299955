// Tables as text.
#include "gyrostat/results/csv.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/program.h"
#include "support/sample_results.h"

namespace gyrostat::testing {
using namespace results;
namespace {

using ::testing::EndsWith;

TEST(Csv, HasALineOfNamesAndALinePerRecord) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.csv").string();
  CsvWriter writer(path, std::vector<std::string>{"bus.omega_x", "pan.angle"});
  writer.append(0, std::vector{1.0, 0.1});
  writer.append(0.5, std::vector{-0.0, 1e300});
  writer.finish();
  EXPECT_EQ(slurp(path), "time,bus.omega_x,pan.angle\n0,1,0.1\n0.5,-0,1e+300\n");
}

TEST(Csv, NumbersReadBackExactly) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.csv").string();
  const std::vector<double> values = {1.0 / 3, 5e-324, std::numeric_limits<double>::max(), 0.1 + 0.2, -1e22};
  CsvWriter writer(path, std::vector<std::string>(values.size(), "v"));
  writer.append(1e-7, values);
  writer.finish();
  std::istringstream lines(slurp(path));
  std::string line, field;
  std::getline(lines, line);
  std::getline(lines, line);
  std::istringstream fields(line);
  std::getline(fields, field, ',');
  EXPECT_EQ(std::stod(field), 1e-7);
  for (const double value : values) {
    std::getline(fields, field, ',');
    EXPECT_EQ(std::strtod(field.c_str(), nullptr), value);
  }
}

TEST(Csv, QuotesNamesThatNeedIt) {
  EXPECT_EQ(csv_field("bus.omega_x"), "bus.omega_x");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field(""), "");
}

TEST(Csv, IsThereAfterAFlush) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.csv").string();
  CsvWriter writer(path, std::vector<std::string>{"a"});
  for (int i = 0; i < 20'000; ++i) writer.append(i, std::vector{0.5});
  writer.flush();
  EXPECT_THAT(slurp(path), EndsWith("\n19999,0.5\n"));
  writer.append(20'000, std::vector{1.5});
  writer.finish();
  writer.finish();
  EXPECT_THAT(slurp(path), EndsWith("\n20000,1.5\n"));
}

TEST(Csv, SaysWhyItCannotBeWritten) {
  EXPECT_EQ(error_of([] { CsvWriter("/nowhere/out.csv", std::vector<std::string>{}); }),
            "/nowhere/out.csv: cannot be written: No such file or directory");
  CsvWriter full("/dev/full", std::vector<std::string>{"a"});
  EXPECT_EQ(error_of([&] { full.flush(); }), "/dev/full: cannot be written: No space left on device");
  EXPECT_EQ(error_of([&] {
              for (int i = 0; i < 100'000; ++i) full.append(i, std::vector{0.5});
            }),
            "/dev/full: cannot be written: No space left on device");
}

}  // namespace
}  // namespace gyrostat::testing
