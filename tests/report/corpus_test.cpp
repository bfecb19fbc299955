// Replays what the fuzzer of meshes starts from and what it has found.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "gyrostat/report/mesh.h"

#include "support/program.h"

namespace gyrostat::report {
namespace {

TEST(Corpus, OfMeshesIsReadOrRefusedWithAReason) {
  std::size_t read = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GYROSTAT_SOURCE_DIR "/fuzz/corpus/mesh")) {
    SCOPED_TRACE(entry.path());
    const std::string bytes = testing::slurp(entry.path());
    ASSERT_FALSE(bytes.empty());
    const std::string_view rest = std::string_view(bytes).substr(1);
    const MeshAnswer answer = bytes[0] % 2 == 0 ? parse_stl(rest) : parse_obj(rest);
    if (const auto* problem = std::get_if<std::string>(&answer)) {
      EXPECT_TRUE(problem->starts_with("is ") || problem->starts_with("has ")) << *problem;
      ++refused;
      continue;
    }
    const auto& corners = std::get<Triangles>(answer).corners;
    EXPECT_EQ(corners.size() % 9, 0U);
    for (const float x : corners) EXPECT_TRUE(std::isfinite(x));
    ++read;
  }
  EXPECT_GE(read, 4U);
  EXPECT_GE(refused, 3U);
}

}  // namespace
}  // namespace gyrostat::report
