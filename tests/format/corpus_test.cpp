// Replays what the fuzzers start from and what they have found: each file is read without harm, twice with one result.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gyrostat/expression/print.h"

#include "support/load.h"
#include "support/program.h"

namespace gyrostat {
namespace {

namespace fs = std::filesystem;
const fs::path corpus = fs::path(GYROSTAT_SOURCE_DIR) / "fuzz" / "corpus";

TEST(Corpus, OfModelsIsReadOrRefusedWithAReason) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(corpus / "model")) {
    SCOPED_TRACE(entry.path());
    const std::string text = testing::slurp(entry.path());
    const Loaded loaded = testing::load(text);
    EXPECT_EQ(loaded.model.has_value(), loaded.problems.errors() == 0);
    EXPECT_EQ(testing::problems_of(loaded), testing::problems_of(text));
    ++files;
  }
  EXPECT_GE(files, 3U);
}

TEST(Corpus, OfExpressionsIsParsedOrRefusedWithAPlaceInside) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(corpus / "expression")) {
    SCOPED_TRACE(entry.path());
    const std::string text = testing::slurp(entry.path());
    const auto parsed = expression::parse(text);
    if (parsed.complaint) {
      EXPECT_LE(parsed.complaint->offset, text.size());
    } else {
      EXPECT_FALSE(to_latex(parsed.expression).empty());
    }
    ++files;
  }
  EXPECT_GE(files, 5U);
}

}  // namespace
}  // namespace gyrostat
