// NASA's tumbling brick against Jacobi's elliptic functions.
#include "examples/flight.h"
#include "examples/reference.h"

namespace gyrostat::testing {
namespace {

constexpr double degree = std::numbers::pi / 180;

TEST(Brick, TumblesAsJacobiSays) {
  const Flight f = fly("brick/brick.yaml");
  const reference::TorqueFree brick({0.001894220, 0.006211019, 0.007194665}, {10 * degree, 20 * degree, 30 * degree});
  ASSERT_EQ(f.time.size(), 301U);
  for (std::size_t i = 0; i < f.time.size(); ++i) {
    const reference::Vec w = brick.rates(f.time[i]);
    EXPECT_NEAR(f["base.omega_x"][i], w[0], 1e-9);
    EXPECT_NEAR(f["base.omega_y"][i], w[1], 1e-9);
    EXPECT_NEAR(f["base.omega_z"][i], w[2], 1e-9);
    const double qw = f["base.quaternion_w"][i], qx = f["base.quaternion_x"][i], qy = f["base.quaternion_y"][i],
                 qz = f["base.quaternion_z"][i];
    const reference::Mat R = brick.orientation(f.time[i]);
    EXPECT_NEAR(1 - 2 * (qy * qy + qz * qz), R[0][0], 1e-8);
    EXPECT_NEAR(2 * (qx * qy - qw * qz), R[0][1], 1e-8);
    EXPECT_NEAR(2 * (qx * qz + qw * qy), R[0][2], 1e-8);
    EXPECT_NEAR(2 * (qx * qy + qw * qz), R[1][0], 1e-8);
    EXPECT_NEAR(1 - 2 * (qx * qx + qz * qz), R[1][1], 1e-8);
    EXPECT_NEAR(2 * (qy * qz - qw * qx), R[1][2], 1e-8);
  }
}

TEST(Brick, AfterHalfAMinuteHasTheRatesThatItsReadmeSays) {
  const Flight f = fly("brick/brick.yaml");
  EXPECT_NEAR(f.last("base.omega_x") / degree, 12.618391, 2e-6);
  EXPECT_NEAR(f.last("base.omega_y") / degree, -17.397475, 2e-6);
  EXPECT_NEAR(f.last("base.omega_z") / degree, 31.119589, 2e-6);
}

TEST(Brick, KeepsMomentumAndEnergy) {
  const Flight f = fly("brick/brick.yaml");
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z", "system.energy"}) {
    for (const double value : f[name]) EXPECT_NEAR(value, f[name][0], 1e-9 * f.peak("system.momentum_z")) << name;
  }
}

}  // namespace
}  // namespace gyrostat::testing
