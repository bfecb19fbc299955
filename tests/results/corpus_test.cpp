// Replays what the fuzzer of results starts from and what it has found, on a file with other contents than the
// fuzzer's.
#include <filesystem>

#include <gtest/gtest.h>

#include "../../fuzz/results_edits.h"
#include "support/hand_made_results.h"
#include "support/sample_results.h"

namespace gyrostat::testing {
namespace {

TEST(Corpus, OfResultsIsReadOrRefusedWithAReason) {
  std::size_t read = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GYROSTAT_SOURCE_DIR "/fuzz/corpus/results")) {
    SCOPED_TRACE(entry.path());
    const Scratch scratch;
    const std::string path = hand_made(scratch, one_hinge, {{"a.x", {1, 2, 3}}, {"b/y", {4, 5, 6}}});
    const std::string edits = slurp(entry.path());
    fuzz::damage(path, {reinterpret_cast<const std::uint8_t*>(edits.data()), edits.size()});
    try {
      const results::ResultsReader reader(path);
      for (const auto& column : reader.columns()) EXPECT_EQ(reader.column(column.name).size(), reader.records());
      ++read;
    } catch (const results::ResultsError& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with(path + ": ")) << error.what();
      ++refused;
    }
  }
  EXPECT_GE(read, 1U);
  EXPECT_GE(refused, 2U);
}

}  // namespace
}  // namespace gyrostat::testing
