// Ten bodies: what must not change.
#include "examples/flight.h"

namespace gyrostat::testing {
namespace {

TEST(TenBodies, KeepTheirAngularMomentum) {
  const Flight f = fly("ten_body/ten_body.yaml");
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"}) {
    for (const double value : f[name]) EXPECT_NEAR(value, f[name][0], 1e-6) << name;
  }
}

TEST(TenBodies, LoseToTheDampersWhatIsMissing) {
  const Flight f = fly("ten_body/ten_body.yaml");
  EXPECT_GT(f.last("heat"), 1);
  for (std::size_t i = 1; i < f.time.size(); ++i) {
    EXPECT_LE(f["system.energy"][i], f["system.energy"][i - 1] + 1e-6);
    EXPECT_NEAR(f["system.energy"][i] + f["heat"][i], f["system.energy"][0], 1e-5);
  }
}

TEST(TenBodies, WithoutDampersKeepTheirEnergy) {
  const Flight f = fly("ten_body/ten_body.yaml", {{"dampers", "0"}});
  for (const double value : f["system.energy"]) EXPECT_NEAR(value, f["system.energy"][0], 1e-5);
}

}  // namespace
}  // namespace gyrostat::testing
