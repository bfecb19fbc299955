// Linked to the programs of tests/mutate.py: which mutant is on, from the environment, and which of them each test
// reaches.
#include "support/mutant.h"

#include <cstdlib>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

namespace mutant {

int active = 0;

namespace {

constexpr std::size_t most = 1 << 16;
bool reached[most];  // plain, not atomic: threads write nothing but true

[[gnu::constructor(101)]] void choose() {
  if (const char* number = std::getenv("GYROSTAT_MUTANT")) active = std::atoi(number);
}

/// A line for each test: its name, its time [ms], the mutants that it reached. Those reached before the first are on
/// all.
class Notes : public testing::EmptyTestEventListener {
 public:
  explicit Notes(const char* file) : file_(file) {}

 private:
  void OnTestProgramStart(const testing::UnitTest& /*unused*/) override { before_ = taken(); }

  void OnTestEnd(const testing::TestInfo& test) override {
    file_ << test.test_suite_name() << '.' << test.name() << ' ' << test.result()->elapsed_time();
    for (const std::vector<std::size_t>& list : {before_, taken()}) {
      for (const std::size_t number : list) file_ << ' ' << number;
    }
    file_ << std::endl;
  }

  static std::vector<std::size_t> taken() {
    std::vector<std::size_t> list;
    for (std::size_t number = 0; number < most; ++number) {
      if (reached[number]) list.push_back(number);
      reached[number] = false;
    }
    return list;
  }

  std::ofstream file_;
  std::vector<std::size_t> before_;
};

const bool noting = [] {
  const char* file = std::getenv("GYROSTAT_MUTANT_NOTES");
  if (file != nullptr) testing::UnitTest::GetInstance()->listeners().Append(new Notes(file));
  return file != nullptr;
}();

}  // namespace

bool note(int number) {
  reached[number] = true;
  return false;
}

}  // namespace mutant
