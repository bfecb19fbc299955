// What the README of the four-bar linkage says.
#include "gyrostat/constraints/mobility.h"

#include "examples/flight.h"

namespace gyrostat::testing {
namespace four_bar_test {

TEST(FourBar, LiftsThePanelParallelAndLeavesTheSpacecraftAtRest) {
  const Flight f = fly("four_bar/four_bar.yaml");
  double turned = 0, fastest = 0;
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    EXPECT_NEAR(f["drive.angle"][k], f["hinge.angle"][k], 1e-10);
    EXPECT_NEAR(f["drive.angle"][k], -f["coupler.angle"][k], 1e-10);
    turned = std::max(turned, std::abs(f["bus.pitch"][k]));
    fastest = std::max(fastest, std::abs(f["bus.omega_y"][k]));
  }
  EXPECT_NEAR(f["drive.angle"].front(), 0.1, 1e-9);
  EXPECT_NEAR(f["drive.angle"].back(), 0.1 + 1.92, 1e-9);
  EXPECT_GT(turned, 0.01);
  EXPECT_GT(fastest, 1e-3);
  EXPECT_NEAR(f["bus.omega_y"].back(), 0, 1e-9);
}

TEST(FourBar, HasTheMobilityThatItsReadmeCounts) {
  const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/four_bar/four_bar.yaml");
  ASSERT_TRUE(loaded.model);
  const Mobility m = find_mobility(loaded.model->system);
  EXPECT_EQ(m.free, 9U);
  EXPECT_EQ(m.rows, 6U);
  EXPECT_EQ(m.rank, 3U);
  EXPECT_EQ(m.by_rank(), 6U);
  EXPECT_EQ(m.counted(), 3);
  ASSERT_EQ(m.redundant.size(), 1U);
  EXPECT_EQ(m.redundant[0].constraint, "closure");
  EXPECT_EQ(m.redundant[0].rows, 3U);
}

}  // namespace four_bar_test
}  // namespace gyrostat::testing
