// The spin-up of a beam against the geometrically exact one, and what each level of terms makes of it.
#include <algorithm>

#include "examples/flight.h"

namespace gyrostat::testing {
namespace spin_up_test {

/// The published lag is -0.573835 m at 6.762 s (shear-deformable), -0.573751 m (inextensible). Strains that are linear
/// in the modal coordinates leave 0.1 per cent.
TEST(SpinUp, LagsAsTheExactBeamDoes) {
  const Flight f = fly("spin_up/spin_up.yaml");
  const auto least = std::ranges::min_element(f["across"]);
  EXPECT_NEAR(*least, -0.57375, 1e-3);
  EXPECT_NEAR(f.time[static_cast<std::size_t>(least - f["across"].begin())], 6.762, 0.02);
  double low = 0, high = 0, first = 0;
  int crossings = 0;
  double last = 0;
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    if (f.time[k] < 17) continue;
    const double x = f["across"][k];
    low = std::min(low, x), high = std::max(high, x);
    if (f["across"][k - 1] < 0 && x >= 0) {
      if (++crossings == 1) first = f.time[k];
      last = f.time[k];
    }
  }
  EXPECT_NEAR((high - low) / 2, 3.65e-3, 5e-5);
  // The frequency in the plane of the motion at gamma = w sqrt(m L^4 / EI) = 5.555, by the published values at 0 and 6:
  // sqrt(3.5160^2 + 0.1615 gamma^2) = 4.165 to 1 per cent, in units of sqrt(EI / (m L^4)) = 1.0801 1/s.
  const double frequency = (crossings - 1) / (last - first);
  EXPECT_NEAR(2 * std::acos(-1.0) * frequency / 1.0801, 4.165, 0.05);
  EXPECT_NEAR(f["system.energy"].back(), 7200, 2);
}

TEST(SpinUp, StiffeningKeepsABeamInBoundsThatLeavesThemWithout) {
  const Flight f = fly("spin_up/levels.yaml");
  const auto at = [&](double t) {
    return static_cast<std::size_t>(std::ranges::lower_bound(f.time, t - 1e-9) - f.time.begin());
  };
  EXPECT_NEAR(f["linear"][at(6.8)], -1, 0.02);
  EXPECT_NEAR(f["linear"][at(9.2)], -10.7, 0.1);
  EXPECT_NEAR(*std::ranges::min_element(f["ruthless"]), -0.6295, 5e-4);
  EXPECT_NEAR(*std::ranges::min_element(f["stiffened"]), -0.5745, 5e-4);
}

}  // namespace spin_up_test
}  // namespace gyrostat::testing
