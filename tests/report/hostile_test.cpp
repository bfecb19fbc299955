// Results files of unknown origin: a page, a warning or an error, and nothing worse.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/report/page.h"
#include "gyrostat/report/run.h"

#include "support/busy_model.h"
#include "support/hand_made_results.h"
#include "support/runs.h"

// HDF5 forgets memory when it meets damage.
extern "C" const char* __lsan_default_suppressions();                 // NOLINT(bugprone-reserved-identifier)
const char* __lsan_default_suppressions() { return "leak:libhdf5"; }  // NOLINT(bugprone-reserved-identifier)

namespace gyrostat::testing {
namespace {

/// HDF5 has much to say at the end of a program that met damage.
const bool quiet_end = (results::skip_hdf5_cleanup(), true);

void make_page_of(const std::string& path) {
  try {
    report::Blocks blocks;
    report::Payload payload;
    payload.runs.push_back(report::run_of(results::ResultsReader(path), blocks).run);
    EXPECT_FALSE(as_json(payload).empty());
  } catch (const results::ResultsError& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith(path + ": "));
  }
}

// Damage to the structure of the file is the reader's concern: tests/record.
TEST(HostileResults, WithADamagedModelAreNoTrouble) {
  const Scratch scratch;
  scratch.write("m.yaml", busy_model);
  ASSERT_EQ(run_in(scratch.path(), "run --quiet m.yaml --until 0.5").exit_code, 0);
  const std::string whole = slurp(scratch.path() / "m.h5");
  const std::size_t model = whole.find(busy_model);
  ASSERT_NE(model, std::string::npos);
  std::mt19937_64 random(5);
  for (int k = 0; k < 150; ++k) {
    std::string bytes = whole;
    for (int i = 0; i < 1 + k % 10; ++i) bytes[model + random() % busy_model.size()] = static_cast<char>(random());
    make_page_of(scratch.write("damaged.h5", bytes));
  }
}

TEST(HostileResults, CutShortAreNoTrouble) {
  const Scratch scratch;
  scratch.write("m.yaml", busy_model);
  ASSERT_EQ(run_in(scratch.path(), "run --quiet m.yaml --until 0.5").exit_code, 0);
  const std::string whole = slurp(scratch.path() / "m.h5");
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 10) {
    make_page_of(scratch.write("cut.h5", whole.substr(0, size)));
  }
}

TEST(HostileResults, WithTheWrongModelAreNoTrouble) {
  const Scratch scratch;
  const std::vector<double> some = {0, 1, 2};
  const std::vector<std::pair<std::string, std::vector<double>>> columns = {{"hinge.angle", some},
                                                                            {"base.position_x", {1e308, -1e308, 1e300}},
                                                                            {"", some},
                                                                            {"loads/0.thrust", some},
                                                                            {"../../x", some},
                                                                            {"a.", some},
                                                                            {".", some}};
  for (const std::string& model : {std::string(), std::string("\0\xFF", 2), std::string(100'000, '['), one_hinge,
                                   busy_model, std::string("gyrostat: 1\nbodies: {}\n")}) {
    std::string path;
    try {
      path = hand_made(scratch, model, columns);
    } catch (const results::ResultsError&) {  // such columns cannot be written
      path = hand_made(scratch, model, {columns[0], columns[1], columns[3]});
    }
    make_page_of(path);
  }
}

TEST(HostileResults, WithNumbersOfAnySizeAreNoTrouble) {
  const Scratch scratch;
  const std::string model = "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n";
  std::mt19937_64 random(6);
  const double odd[] = {0, 1e308, -1e308, 5e-324, INFINITY, NAN, 1, 1e-200};
  for (int k = 0; k < 100; ++k) {
    std::vector<std::pair<std::string, std::vector<double>>> columns;
    for (const char* name :
         {"position_x", "position_y", "position_z", "quaternion_w", "quaternion_x", "quaternion_y", "quaternion_z"}) {
      std::vector<double> values;
      for (int i = 0; i < 4; ++i) values.push_back(odd[random() % 8]);
      columns.push_back({std::string("base.") + name, values});
    }
    HandMade how;
    how.statistics = {{"ledger_energy", odd[random() % 8]}, {"ledger_energy_scale", odd[random() % 8]}};
    how.more = {{"run_tolerance", k % 2 == 0 ? "nan" : "-1e999"}, {"ledger_allowed", k % 3 == 0 ? "inf" : "x"}};
    make_page_of(hand_made(scratch, model, columns, how));
  }
}

}  // namespace
}  // namespace gyrostat::testing
