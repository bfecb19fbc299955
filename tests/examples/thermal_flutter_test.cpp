// The boom in the sun against the planar equations and their stability.
#include "examples/flight.h"
#include "examples/reference.h"

namespace gyrostat::testing {
namespace thermal_flutter_test {

constexpr double degree = std::numbers::pi / 180;

reference::ThermalBoom boom(double sun) { return {400, 1500, 4, 133.3, 10, 150, 1, 3, 3 * degree, sun}; }

TEST(ThermalFlutter, FollowsThePlanarEquations) {
  for (const double angle : {-40.0, 40.0}) {
    const Flight f = fly("thermal_flutter/thermal_flutter.yaml", {{"sun_angle", std::to_string(angle) + " deg"}});
    for (const std::size_t i : {10U, 100U, 700U, 2000U}) {
      const auto y = boom(angle * degree).after(f.time[i], {0, 0, 0});
      EXPECT_NEAR(f["root.angle"][i], y[0], 1e-7);
      EXPECT_NEAR(f["root.rate"][i], y[1], 1e-7);
    }
  }
}

TEST(ThermalFlutter, GrowsWithTheSunBehindAndDiesOutWithTheSunAhead) {
  const Flight behind = fly("thermal_flutter/thermal_flutter.yaml");
  const reference::ThermalBoom unstable = boom(-40 * degree), stable = boom(40 * degree);
  EXPECT_LT(unstable.feedback(), unstable.flutter_feedback());
  EXPECT_NEAR(growth(behind, "root.angle", unstable.equilibrium(), 50, 900), unstable.root().real(),
              0.02 * unstable.root().real());
  const Flight ahead = fly("thermal_flutter/thermal_flutter.yaml", {{"sun_angle", "40 deg"}});
  EXPECT_NEAR(growth(ahead, "root.angle", stable.equilibrium(), 50, 900), stable.root().real(),
              -0.02 * stable.root().real());
}

TEST(ThermalFlutter, MoreDampingOrLessLagStopsIt) {
  for (const Override& change : {Override{"D", "4 N*m*s/rad"}, Override{"lag", "0.1 s"}}) {
    const Flight f = fly("thermal_flutter/thermal_flutter.yaml", {change});
    EXPECT_LT(growth(f, "root.angle", boom(-40 * degree).equilibrium(), 50, 900), 0) << change.name;
  }
}

TEST(ThermalFlutter, TheShadowMakesItRing) {
  const Flight f = fly("thermal_flutter/eclipse.yaml");
  int switches = 0;
  double first = 0;
  for (std::size_t i = 1; i < f.time.size(); ++i) {
    if (f["sunlit"][i] != f["sunlit"][i - 1]) {
      if (++switches == 1) first = f.time[i];
    }
  }
  EXPECT_EQ(switches, 4);
  // From noon the shadow is 180 deg - asin(6378.137 / 7000) away.
  const double n = std::sqrt(3.986004418e14 / 343e18);
  EXPECT_NEAR(first, (std::numbers::pi - std::asin(6378.137 / 7000)) / n, 1);
  double low = 1, high = -1;
  for (std::size_t i = 0; i < f.time.size(); ++i) {
    if (f.time[i] > first + 30 && f.time[i] < first + 60) {
      low = std::min(low, f["root.angle"][i]);
      high = std::max(high, f["root.angle"][i]);
    }
  }
  EXPECT_NEAR((high - low) / 2, 1.09 * degree, 0.05 * degree);
}

}  // namespace thermal_flutter_test
}  // namespace gyrostat::testing
