// A satellite with four wheels and magnetic unloading, against Euler's equations and a control law written out here.
#include "examples/flight.h"
#include "examples/reference.h"

namespace gyrostat::testing {
namespace leo_satellite_test {

using reference::cross;
using reference::dot;
using reference::scaled;
using reference::sum;
using reference::Vec;
using Quaternion = std::array<double, 4>;  // w, x, y, z
using State = std::array<double, 11>;      // attitude, angular velocity, rates of the wheels

constexpr double degree = std::numbers::pi / 180, mu = 3.986004418e14, a = 6.9e6, e = 0.001;
const Vec inertia = {12, 14, 9};

Quaternion product(const Quaternion& p, const Quaternion& q) {
  const Vec u = {p[1], p[2], p[3]}, v = {q[1], q[2], q[3]};
  const Vec w = sum(sum(scaled(p[0], v), scaled(q[0], u)), cross(u, v));
  return {p[0] * q[0] - dot(u, v), w[0], w[1], w[2]};
}
Quaternion about(const Vec& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
}
Quaternion conjugate(const Quaternion& q) { return {q[0], -q[1], -q[2], -q[3]}; }
Vec rotated(const Quaternion& q, const Vec& v) {
  const Quaternion r = product(product(q, {0, v[0], v[1], v[2]}), conjugate(q));
  return {r[1], r[2], r[3]};
}

Vec wheel_axis(int k) {
  const double rise = 35.26 * degree, azimuth = k * std::numbers::pi / 2;
  return {std::cos(rise) * std::cos(azimuth), std::cos(rise) * std::sin(azimuth), std::sin(rise)};
}

/// The orbit's axes in the world (x along, y against the normal, z down), as a quaternion, and the radius.
Quaternion orbit(double t, double& radius) {
  const double anomaly = reference::true_anomaly(std::sqrt(mu / (a * a * a)) * t, e);
  radius = a * (1 - e * e) / (1 + e * std::cos(anomaly));
  // Up is x turned by node, inclination and anomaly; from up, along and normal to along, minus normal and down.
  const Quaternion up =
      product(product(about({0, 0, 1}, 30 * degree), about({1, 0, 0}, 97.5 * degree)), about({0, 0, 1}, anomaly));
  return product(up, product(about({0, 0, 1}, 90 * degree), about({1, 0, 0}, -90 * degree)));
}

State rates(double t, const State& y) {
  const Quaternion q = {y[0], y[1], y[2], y[3]};
  const Vec w = {y[4], y[5], y[6]};
  double radius = 0;
  const Quaternion lvlh = orbit(t, radius);
  Vec stored = {0, 0, 0};
  for (int k = 0; k < 4; ++k) stored = sum(stored, scaled(0.002 * y[static_cast<std::size_t>(7 + k)], wheel_axis(k)));
  // The law
  Quaternion off = product(conjugate(lvlh), q);
  if (off[0] < 0) off = {-off[0], -off[1], -off[2], -off[3]};
  const Vec error = {2 * off[1], 2 * off[2], 2 * off[3]};
  const Vec turning = rotated(conjugate(off), {0, -std::sqrt(mu / (a * a * a)), 0});
  const Vec rate = sum(w, scaled(-1, turning));
  const Vec wanted = sum(sum(scaled(-0.24, error), scaled(-2.6, rate)), cross(w, stored));
  // The field of the Earth, and the magnets
  const Vec down = rotated(lvlh, {0, 0, 1});
  Vec pole = {0.06, -0.18, 0.98};
  pole = scaled(1 / std::sqrt(dot(pole, pole)), pole);
  const Vec field = scaled(7.8e15 / std::pow(radius, 3), sum(scaled(3 * dot(pole, down), down), scaled(-1, pole)));
  const Vec b = rotated(conjugate(q), field);
  Vec magnet = scaled(2e-3 / dot(b, b), cross(stored, b));
  for (double& m : magnet) m = std::clamp(m, -15.0, 15.0);
  // Euler's equations: the inertia has the wheels in it, which turn with the body as far as their motors let them
  const Vec n = rotated(conjugate(q), down);
  const Vec gradient =
      scaled(3 * mu / std::pow(radius, 3), cross(n, {inertia[0] * n[0], inertia[1] * n[1], inertia[2] * n[2]}));
  const Vec H = sum({inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]}, stored);
  Vec torque = sum(sum(cross(magnet, b), gradient), scaled(-1, cross(w, H)));
  std::array<double, 4> motor{};
  reference::Mat J = {Vec{inertia[0], 0, 0}, Vec{0, inertia[1], 0}, Vec{0, 0, inertia[2]}};
  for (int k = 0; k < 4; ++k) {
    const Vec axis = wheel_axis(k);
    motor.at(static_cast<std::size_t>(k)) = std::clamp(-0.75 * dot(axis, wanted), -0.02, 0.02);
    torque = sum(torque, scaled(-motor.at(static_cast<std::size_t>(k)), axis));
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) J[i][j] -= 0.002 * axis[i] * axis[j];
    }
  }
  const double det = dot(J[0], cross(J[1], J[2]));  // symmetric: rows are columns
  const Vec wd =
      scaled(1 / det, {dot(torque, cross(J[1], J[2])), dot(torque, cross(J[2], J[0])), dot(torque, cross(J[0], J[1]))});
  const Quaternion qd = product(q, {0, w[0] / 2, w[1] / 2, w[2] / 2});
  State rate_of{qd[0], qd[1], qd[2], qd[3], wd[0], wd[1], wd[2]};
  for (int k = 0; k < 4; ++k)
    rate_of[static_cast<std::size_t>(7 + k)] = motor.at(static_cast<std::size_t>(k)) / 0.002 - dot(wheel_axis(k), wd);
  return rate_of;
}

TEST(LeoSatellite, FliesByEulersEquations) {
  const Flight f(
      load_file(GYROSTAT_SOURCE_DIR "/examples/leo_satellite/leo_satellite.yaml"),
      [](RunSettings& s) { s.until = 300; }, Flight::Expect::finish);
  const Quaternion start =
      product(product(about({0, 0, 1}, 120 * degree), about({0, 1, 0}, 25 * degree)), about({1, 0, 0}, -160 * degree));
  State y = {start[0], start[1], start[2], start[3], 0.2 * degree, -0.3 * degree, 0.1 * degree, 120, -80, 60, 150};
  const std::array<std::string, 4> wheels = {"a", "b", "c", "d"};
  for (std::size_t i = 0; i < f.time.size(); ++i) {
    if (i > 0) y = reference::integrated<double, 11>(rates, f.time[i - 1], y, f.time[i], 100, 2);
    const Quaternion found = {f["base.quaternion_w"][i], f["base.quaternion_x"][i], f["base.quaternion_y"][i],
                              f["base.quaternion_z"][i]};
    const Quaternion off = product(conjugate(found), {y[0], y[1], y[2], y[3]});
    for (std::size_t k = 1; k < 4; ++k) ASSERT_NEAR(2 * off[k], 0, 2e-5) << "at " << f.time[i];
    for (std::size_t k = 0; k < 4; ++k)
      ASSERT_NEAR(f["bus.rw." + wheels[k] + ".rotor.rate"][i], y[7 + k], 0.01) << "at " << f.time[i];
  }
  EXPECT_LT(f.last("off"), 1 * degree);
}

TEST(LeoSatellite, PointsSlewsAndLosesItsMomentum) {
  const Flight f = fly("leo_satellite/leo_satellite.yaml");
  EXPECT_LT(f.at(100, "off"), 0.8 * degree);
  EXPECT_LT(f.at(595, "off"), 0.03 * degree);
  EXPECT_NEAR(f.at(1000, "off"), 30 * degree, 0.1 * degree);
  EXPECT_NEAR(f.at(720, "error.x"), -0.81 * degree, 0.01 * degree);
  EXPECT_NEAR(f["stored"][0], 0.484, 1e-3);
  EXPECT_NEAR(f.at(1700, "stored"), 0.173, 1e-3);
  EXPECT_LT(f.last("stored"), 0.003);
  EXPECT_LT(f.last("off"), 1e-4);
  EXPECT_LT(f.simulation.ledger().energy.relative(), 1e-6);
}

}  // namespace leo_satellite_test
}  // namespace gyrostat::testing
