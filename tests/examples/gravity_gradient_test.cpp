// Librations against the frequencies and the pitch equation, and both kinds of gravity gradient against each other.
#include "examples/flight.h"
#include "examples/reference.h"

namespace gyrostat::testing {
namespace gravity_gradient_test {

constexpr double degree = std::numbers::pi / 180;
const double n = std::sqrt(3.986004418e14 / 343e18);
const reference::Vec moments = {900, 1000, 200};

TEST(GravityGradient, LibratesAsAnIndependentIntegrationSays) {
  const Flight f = fly("gravity_gradient/gravity_gradient.yaml");
  const reference::RigidInOrbit body{moments, n, 0};
  auto y = reference::RigidInOrbit::tipped(degree, 0.5 * degree, n);
  for (const std::size_t i : {100U, 500U, 1000U, 1500U}) {
    const auto angles = body.pitch_roll_yaw(f.time[i], body.after(f.time[i], y, 400));
    EXPECT_NEAR(f["pitch"][i], angles[0], 1e-8);
    EXPECT_NEAR(f["roll"][i], angles[1], 1e-8);
    EXPECT_NEAR(f["yaw"][i], angles[2], 1e-8);
  }
}

TEST(GravityGradient, HasThePitchFrequency) {
  const Flight f = fly("gravity_gradient/gravity_gradient.yaml");
  EXPECT_NEAR(frequency(f, "pitch") / n, reference::librations(900, 1000, 200).pitch, 1e-3);
  EXPECT_NEAR(f.peak("pitch"), degree, 1e-2 * degree);
}

TEST(GravityGradient, IntegratingTheOrbitAlongGivesTheSameAttitude) {
  const Flight given = fly("gravity_gradient/gravity_gradient.yaml"), full = fly("gravity_gradient/full.yaml");
  EXPECT_LT(difference(given, full, "pitch"), 1e-6);
  EXPECT_LT(difference(given, full, "roll"), 1e-6);
  EXPECT_LT(difference(given, full, "yaw"), 1e-6);
  for (std::size_t i = 0; i < full.time.size(); ++i) {
    EXPECT_NEAR(full["satellite.position_x"][i], 7e6 * std::cos(n * full.time[i]), 1);
    EXPECT_NEAR(full["satellite.position_y"][i], 7e6 * std::sin(n * full.time[i]), 1);
  }
}

TEST(GravityGradient, AnEccentricOrbitDrivesThePitch) {
  const Flight f = fly("gravity_gradient/eccentric.yaml");
  const double e = 0.01, k = 0.7, amplitude = reference::forced_pitch(e, k);
  for (std::size_t i = 0; i < f.time.size(); i += 50) {
    const double M = n * f.time[i], at = reference::true_anomaly(M, e);
    const double turns = 2 * std::numbers::pi * std::round((M - at) / (2 * std::numbers::pi));
    EXPECT_NEAR(f["pitch"][i], -reference::eccentric_pitch(e, k, 0, amplitude, at + turns)[0], 1e-8);
    EXPECT_NEAR(f["pitch"][i], -amplitude * std::sin(at), 0.05 * amplitude);
  }
}

}  // namespace gravity_gradient_test
}  // namespace gyrostat::testing
