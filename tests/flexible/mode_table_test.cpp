// Modes in words and numbers.
#include "gyrostat/flexible/mode_table.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flexible/beams.h"

namespace gyrostat {
namespace mode_table_test {

using ::testing::Contains;
using ::testing::ElementsAre;

/// Along y, stiffer along x than along z.
BeamDescription panel() {
  BeamDescription beam;
  beam.to = Vector3(0, 6, 0);
  beam.elements = 12;
  beam.mass_per_length = 1.2;
  beam.EI = {4000, 9000};
  beam.GJ = 800;
  beam.EA = 1e6;
  beam.rotary_inertia = {6e-4, 6e-4};
  return beam;
}

std::vector<std::string> words_of(const ModeTable& table) {
  std::vector<std::string> list;
  for (const ModeLine& mode : table.modes) list.push_back(mode.words);
  return list;
}

TEST(ModeTable, SaysWhatModesLookLike) {
  const FlexibleData data = make_beam(panel(), "root", {}, first_modes(4, ModeKind::cantilever));
  EXPECT_THAT(words_of(mode_table(data)),
              ElementsAre("bending along z, largest at tip", "bending along x, largest at tip",
                          "second bending along z, largest at tip", "second bending along x, largest at tip"));
  const FlexibleData many = make_beam(panel(), "root", {}, first_modes(40, ModeKind::cantilever));
  EXPECT_THAT(words_of(mode_table(many)), Contains("torsion about y, largest at tip"));
  EXPECT_THAT(words_of(mode_table(many)), Contains("second torsion about y, largest at tip"));
  EXPECT_THAT(words_of(mode_table(many)), Contains("extension along y, largest at tip"));
}

TEST(ModeTable, CountsChangesOfSignOfAFreeBeamFromItsFirstMode) {
  const FlexibleData data = make_beam(panel(), "root", {}, first_modes(4, ModeKind::free_free));
  const std::vector<std::string> words = words_of(mode_table(data));
  EXPECT_TRUE(words[0].starts_with("bending along z, largest at ")) << words[0];
  EXPECT_TRUE(words[1].starts_with("bending along x, largest at ")) << words[1];
  EXPECT_TRUE(words[2].starts_with("second bending along z, largest at ")) << words[2];
}

TEST(ModeTable, HasFrequenciesDampingAndEffectiveMass) {
  FlexibleData data = make_beam(panel(), "root", {}, first_modes(2, ModeKind::cantilever));
  data.damping(0, 0) = 2 * 0.03 * std::sqrt(data.stiffness(0, 0));
  const ModeTable table = mode_table(data);
  EXPECT_NEAR(table.modes[0].frequency, 3.5160 / (2 * 3.14159265) * std::sqrt(4000 / (1.2 * 1296)), 1e-3);
  EXPECT_NEAR(table.modes[0].damping_ratio, 0.03, 1e-15);
  EXPECT_NEAR(table.total(2), 7.2, 1e-12);
  EXPECT_NEAR(table.modes[0].effective(2) / 7.2, 0.6131, 1e-3);  // of a cantilever's first mode
  EXPECT_NEAR(table.left_out()(2), 1 - 0.6131, 1e-3);
  EXPECT_NEAR(table.left_out()(1), 1, 1e-12);
}

TEST(ModeTable, NamesOtherDirectionsByTheirComponents) {
  BeamDescription beam = panel();
  beam.to = Vector3(3, 4, 0);
  const FlexibleData data = make_beam(beam, "root", {}, first_modes(2, ModeKind::cantilever));
  EXPECT_THAT(words_of(mode_table(data)),
              ElementsAre("bending along z, largest at tip", "bending along [0.8, -0.6, 0], largest at tip"));
}

}  // namespace mode_table_test
}  // namespace gyrostat
