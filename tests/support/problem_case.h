// Helpers of the reader's and the validator's tests. First, a table of model texts and what is said about each: the
// first line of every problem as the program prints it, and nothing else, so that an error caused by another error is
// noticed.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "support/load.h"

namespace gyrostat::testing {

struct ProblemCase {
  const char* name;      // of the mistake
  const char* text;      // the end of the model
  const char* problems;  // all of them
};

inline void PrintTo(const ProblemCase& c, std::ostream* stream) { *stream << c.text; }

inline std::string case_name(const ::testing::TestParamInfo<ProblemCase>& info) { return info.param.name; }

class ProblemTest : public ::testing::TestWithParam<ProblemCase> {
 protected:
  static void expect_problems(const std::string& model) {
    EXPECT_EQ(problems_of(model + GetParam().text + "\n"), GetParam().problems);
  }
};

/// What a model without problems says.
inline Description description_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  Loaded loaded = load(text, overrides);
  EXPECT_EQ(problems_of(loaded), "");
  return loaded.model ? std::move(loaded.model->description) : Description{};
}

/// The entry of that name; an empty one, and a failure, if there is none.
template <class Entry>
Entry named(const std::vector<Entry>& list, const std::string& name) {
  for (const Entry& entry : list) {
    if (entry.name == name) return entry;
  }
  ADD_FAILURE() << "nothing is called " << name;
  return {};
}

/// The value of an expression that is a number.
inline double number_of(const Expression& expression) {
  EXPECT_EQ(expression.nodes.size(), 1U);
  return expression.empty() ? unreadable : expression.nodes[0].value;
}

template <class A, class B>
void expect_near(const A& got, const B& wanted, double tolerance = 1e-14) {
  EXPECT_LE((got - wanted).cwiseAbs().maxCoeff(), tolerance) << "got\n" << got << "\nwanted\n" << wanted;
}

}  // namespace gyrostat::testing
