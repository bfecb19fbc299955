// The hexapod against inverse kinematics, and how well it points.
#include <array>

#include <Eigen/Geometry>

#include "examples/flight.h"

namespace gyrostat::testing {
namespace stewart_test {

Eigen::Vector3d on_circle(double radius, double degrees) {
  const double a = degrees * std::acos(-1.0) / 180;
  return {radius * std::cos(a), radius * std::sin(a), 0};
}

TEST(Stewart, LegsHaveTheLengthsOfInverseKinematicsAndTheTelescopePoints) {
  const Flight f = fly("stewart/stewart.yaml");
  constexpr std::array base = {15.0, 105.0, 135.0, 225.0, 255.0, 345.0};
  constexpr std::array platform = {45.0, 75.0, 165.0, 195.0, 285.0, 315.0};
  ASSERT_EQ(f.time.size(), 601U);
  double error = 0, late = 0, swing = 0, force = 0, shortest = 1, longest = 0;
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    const auto at = [&](const std::string& name) { return f[name][k]; };
    const Eigen::Vector3d p(at("mount.position_x"), at("mount.position_y"), at("mount.position_z"));
    const Eigen::Quaterniond R(at("mount.quaternion_w"), at("mount.quaternion_x"), at("mount.quaternion_y"),
                               at("mount.quaternion_z"));
    for (std::size_t i = 0; i < 6; ++i) {
      const std::string number = std::to_string(i + 1);
      const double length = (p + R * on_circle(0.35, platform[i]) - on_circle(0.45, base[i])).norm();
      EXPECT_NEAR(at("leg" + number + ".slide.displacement"), length, 1e-10);
      EXPECT_NEAR(at("leg" + number + ".slide.displacement"), at("leg" + number + ".length"), 3e-5);
      force = std::max(force, std::abs(at("leg" + number + ".force")));
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    error = std::max(error, at("error"));
    swing = std::max(swing, at("bus_swing"));
    if (f.time[k] >= 15) late = std::max(late, at("error"));
  }
  EXPECT_NEAR(error, 3.1e-5, 0.05e-5);
  EXPECT_NEAR(late, 1.2e-5, 0.05e-5);
  EXPECT_NEAR(swing, 0.080, 0.001);
  EXPECT_NEAR(force, 0.176, 0.002);
  EXPECT_NEAR(shortest, 0.424, 0.001);
  EXPECT_NEAR(longest, 0.496, 0.001);
}

}  // namespace stewart_test
}  // namespace gyrostat::testing
