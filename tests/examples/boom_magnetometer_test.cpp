// A boom in sunlight: its thermal bending against uniform curvature, its snap against an oscillator.
#include <numbers>

#include "examples/flight.h"

namespace gyrostat::testing {
namespace boom_magnetometer_test {

constexpr double degree = std::numbers::pi / 180;
constexpr double length = 6, stiffness = 27, bend = 3e-3, lag = 3.5;

/// Of the boom as a spring without mass between bus and magnetometer.
double snap_frequency() {
  const double m = 0.8 + 0.24 * 33 / 140;
  return std::sqrt(3 * stiffness / std::pow(length, 3) * (1 / m + 1 / 150.0 + 6.4 * 6.4 / 30));
}

struct Ringing {
  double frequency = 0, amplitude = 0;
};

/// What rings about `centre` from `from` on; its amplitude as it would have been at `start`.
Ringing ringing(const Flight& f, const std::string& name, double centre, double from, double start) {
  const std::vector<double>& y = f[name];
  std::vector<double> crossings;
  double n = 0, level = 0;
  const double rate = growth(f, name, centre, from, 1e30);
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    if (f.time[i - 1] < from) continue;
    const double a = y[i - 1] - centre, b = y[i] - centre, c = y[i + 1] - centre;
    if (a < 0 && b >= 0) crossings.push_back(f.time[i] - (f.time[i] - f.time[i - 1]) * b / (b - a));
    if (std::abs(b) > std::abs(a) && std::abs(b) >= std::abs(c)) {
      level += std::log(std::abs(b)) - rate * (f.time[i] - start);
      ++n;
    }
  }
  return {2 * std::numbers::pi * static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front()),
          std::exp(level / n)};
}

TEST(BoomMagnetometer, RestsWithUniformCurvature) {
  const Flight f = fly("boom_magnetometer/snap.yaml");
  const double from = 600 - 10 * 2 * std::numbers::pi / 0.98;
  EXPECT_NEAR(f.mean("error.z", from, 600), bend * length, 1e-5);
  EXPECT_NEAR(f.mean("tip.y", from, 600), bend * length * length / 2, 2e-5);
}

TEST(BoomMagnetometer, SnapsAsAnOscillatorDoes) {
  const double w = snap_frequency(), part = 1 / std::sqrt(1 + std::pow(w * lag, 2));
  EXPECT_NEAR(w, 0.976, 1e-3);
  const double tip = bend * length * length / 2 * part, turn = 0.75 * bend * length * part;
  const Flight sharp = fly("boom_magnetometer/snap.yaml", {{"penumbra", "1 ms"}});
  const Ringing deflection = ringing(sharp, "tip.y", 0.054, 60, 10), error = ringing(sharp, "error.z", 0.018, 60, 10);
  EXPECT_NEAR(deflection.frequency, w, 5e-3 * w);
  EXPECT_NEAR(deflection.amplitude, tip, 1e-2 * tip);
  EXPECT_NEAR(deflection.amplitude, 15.11e-3, 3e-5);
  EXPECT_NEAR(error.amplitude, turn, 1e-2 * turn);
  EXPECT_NEAR(error.amplitude, 3.77e-3, 1e-5);
  const Flight soft = fly("boom_magnetometer/snap.yaml");
  const double less = tip * std::abs(std::sin(w * 4.85) / (w * 4.85));
  const Ringing little = ringing(soft, "tip.y", 0.054, 60, 10 + 4.85);
  EXPECT_NEAR(little.amplitude, less, 2e-2 * less);
  EXPECT_NEAR(little.amplitude, 3.18e-3, 1e-5);
}

TEST(BoomMagnetometer, FollowsTheSunOnItsOrbit) {
  const Flight f = fly("boom_magnetometer/boom_magnetometer.yaml");
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    const double t = f.time[k], y = f["error.y"][k], z = f["error.z"][k];
    if (t < 1014 || t > 5200) {
      EXPECT_NEAR(std::hypot(y, z), 0, 1e-6) << t;
    } else if (t > 1400 && t < 4800) {
      EXPECT_NEAR(z, f["kappa.z"][k] * length, 2e-6) << t;
      EXPECT_NEAR(y, bend * length * std::sin(25 * degree), 0.02 * y) << t;
    }
  }
  const std::vector<double> changes = f.times_of("signals.sunlit");
  ASSERT_EQ(changes.size(), 4U);
  EXPECT_NEAR(changes[0], 1014, 1);
  EXPECT_NEAR(changes[1] - changes[0], 9.7, 0.1);
  EXPECT_NEAR(changes[2], 4804, 1);
  EXPECT_NEAR(f.peak("error.z") / degree, 0.935, 1e-3);
  EXPECT_NEAR(f.at(1470, "error.z") / degree, -0.935, 1e-3);
  EXPECT_NEAR(std::hypot(f.at(1470, "error.y"), f.at(1470, "error.z")), bend * length, 1e-5);
  EXPECT_NEAR(f.peak("pointing.z") / degree, 0.132, 1e-3);
}

}  // namespace boom_magnetometer_test
}  // namespace gyrostat::testing
