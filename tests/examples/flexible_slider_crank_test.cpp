// A connecting rod that bends against a beam on two supports: its static bend, and the oscillator of its first mode
// with axial force.
#include <array>
#include <fstream>
#include <numbers>
#include <sstream>

#include "examples/flight.h"

namespace gyrostat::testing {
namespace flexible_slider_crank_test {

constexpr double pi = std::numbers::pi;
constexpr double r = 0.075, length = 0.3, diameter = 0.006, loss = 25e-6;
constexpr double m = 7870 * pi * diameter * diameter / 4, slider = m * length / 2;
constexpr double stiffness = 2e11 * pi * diameter * diameter * diameter * diameter / 64;
const double w1 = pi * pi / (length * length) * std::sqrt(stiffness / m);

struct Rod {
  double speed = 0;
  bool axial = true;

  struct Motion {
    double across = 0;  // acceleration of the middle
    double turn = 0;    // angular velocity
    double force = 0;   // axial, weighted
  };
  [[nodiscard]] Motion at(double t) const {
    const double a = speed * t, s = -r * std::sin(a) / length, c = std::sqrt(1 - s * s);
    const double turn = -r * speed * std::cos(a) / (length * c);
    const double spin = (r * speed * speed * std::sin(a) / length + s * turn * turn) / c;
    const double ax = -r * speed * speed * std::cos(a), ay = -r * speed * speed * std::sin(a);  // of the crank pin
    const double across = -s * ax + c * ay, along = c * ax + s * ay;
    // The force on the rod at its tip: it moves the slider, and keeps the balance of moments about the crank pin.
    const double fx = -slider * (ax - length * (s * spin + c * turn * turn));
    const double fy = (m * length * (across / 2 + length * spin / 3) + s * fx) / c;
    const double tip = fx * c + fy * s;
    double force = 0;
    constexpr int n = 100;
    for (int i = 0; i < n; ++i) {
      const double x = (i + 0.5) / n * length;
      const double p = tip - m * (along * (length - x) - turn * turn * (length * length - x * x) / 2);
      force += p * std::pow(std::cos(pi * x / length), 2) * 2 / n;
    }
    return {across + length / 2 * spin, turn, force};
  }
  [[nodiscard]] std::array<double, 2> rate(double t, const std::array<double, 2>& y) const {
    const Motion now = at(t);
    double k = w1 * w1;
    if (axial) k += pi * pi / (length * length) * now.force / m - now.turn * now.turn;
    return {y[1], -4 / pi * now.across - k * y[0] - loss * w1 * w1 * y[1]};
  }
  /// Bend at the times of a flight, which are evenly spaced, from rest.
  [[nodiscard]] std::vector<double> bend(const std::vector<double>& times) const {
    std::array<double, 2> y{};
    std::vector<double> list{0};
    for (std::size_t k = 1; k < times.size(); ++k) {
      constexpr int n = 4;
      const double h = (times[k] - times[k - 1]) / n;
      for (int i = 0; i < n; ++i) {
        const double t = times[k - 1] + i * h;
        const auto moved = [&](const std::array<double, 2>& f, double by) {
          return std::array<double, 2>{y[0] + by * f[0], y[1] + by * f[1]};
        };
        const auto k1 = rate(t, y), k2 = rate(t + h / 2, moved(k1, h / 2)), k3 = rate(t + h / 2, moved(k2, h / 2)),
                   k4 = rate(t + h, moved(k3, h));
        for (std::size_t j = 0; j < 2; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
      }
      list.push_back(y[0]);
    }
    return list;
  }
  [[nodiscard]] double static_bend() const {
    double most = 0;
    for (int i = 0; i < 1000; ++i) most = std::max(most, std::abs(at(2 * pi / speed * i / 1000).across));
    return 5 * m * std::pow(length, 4) * most / (384 * stiffness);
  }
};

double furthest(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

TEST(FlexibleSliderCrank, SlowlyBendsAsABeamOnTwoSupports) {
  EXPECT_NEAR(w1, 829.2, 0.05);
  const Flight f = fly("flexible_slider_crank/flexible_slider_crank.yaml", {{"speed", "30 rad/s"}, {"turns", "4"}});
  const Rod rod{30};
  EXPECT_NEAR(rod.static_bend(), 0.06461e-3, 1e-8);
  EXPECT_NEAR(f.peak("bend", 4 * pi / 30), rod.static_bend(), 2e-3 * rod.static_bend());
  EXPECT_NEAR(f.peak("bend"), 0.06706e-3, 1e-8);
  EXPECT_LT(furthest(f["bend"], rod.bend(f.time)), 0.0003e-3);
}

TEST(FlexibleSliderCrank, FastVibratesAsAnOscillatorWithAxialForce) {
  const Flight f = fly("flexible_slider_crank/flexible_slider_crank.yaml");
  const double turn = 2 * pi / 150;
  EXPECT_NEAR((Rod{150}.static_bend()), 1.615e-3, 1e-6);
  EXPECT_NEAR(f.peak("bend", 0, 2 * turn), 1.938e-3, 1e-6);
  EXPECT_NEAR(f.peak("bend", 8 * turn), 1.673e-3, 1e-6);
  EXPECT_LT(furthest(f["bend"], Rod{150}.bend(f.time)), 0.033e-3);
  EXPECT_GT(furthest(f["bend"], Rod{150, false}.bend(f.time)), 0.15e-3);
  for (std::size_t k = 0; k < f.time.size(); ++k) EXPECT_NEAR(f["shaft.angle"][k], 150 * f.time[k], 1e-9);
}

TEST(FlexibleSliderCrank, LinearTermsBendTooMuch) {
  std::ostringstream file;
  file << std::ifstream(GYROSTAT_SOURCE_DIR "/examples/flexible_slider_crank/flexible_slider_crank.yaml").rdbuf();
  std::string text = file.str();
  const std::string before = "modes: {count: 6}";
  text.replace(text.find(before), before.size(), before + "\n      terms: linear");
  const Flight f(load(text), {}, Flight::Expect::finish);
  EXPECT_NEAR(f.peak("bend"), 2.418e-3, 2e-6);
}

}  // namespace flexible_slider_crank_test
}  // namespace gyrostat::testing
