// A slider-crank against the equation of the one angle that it has.
#include "examples/flight.h"

namespace gyrostat::testing {
namespace slider_crank_test {

constexpr double r = 0.5, l = 1;

double rod_angle(double a) { return -std::asin(r * std::sin(a) / l); }
double slider(double a) { return r * std::cos(a) + l * std::cos(rod_angle(a)); }

template <class F>
double slope(F f, double a) {
  const double h = 1e-4;
  return (8 * (f(a + h) - f(a - h)) - (f(a + 2 * h) - f(a - 2 * h))) / (12 * h);
}

/// Twice the kinetic energy over the square of the crank's rate: crank, rod, slider.
double inertia(double a) {
  const double x = slope([](double b) { return r * std::cos(b) + l / 2 * std::cos(rod_angle(b)); }, a);
  const double y = slope([](double b) { return r * std::sin(b) + l / 2 * std::sin(rod_angle(b)); }, a);
  const double turn = slope(rod_angle, a), slide = slope(slider, a);
  return 0.02 + 0.25 * 0.25 + 2 * (x * x + y * y) + 0.2 * turn * turn + 3 * slide * slide;
}

TEST(SliderCrank, PulsatesAsItsInertiaDoes) {
  const Flight f = fly("slider_crank/slider_crank.yaml");
  double least = 1e9, most = 0;
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    const double a = f["shaft.angle"][k];
    EXPECT_NEAR(f["guide.displacement"][k], slider(a), 1e-9);
    EXPECT_NEAR(f["shaft.rate"][k], 6 * std::sqrt(inertia(0) / inertia(a)), 1e-6);
    least = std::min(least, f["shaft.rate"][k]);
    most = std::max(most, f["shaft.rate"][k]);
  }
  EXPECT_GT(most / least, 1.5);
}

TEST(SliderCrank, DrivenEvenlyTakesThePulsatingTorque) {
  const Flight f = fly("slider_crank/driven.yaml");
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    const double a = 6 * f.time[k];
    EXPECT_NEAR(f["shaft.angle"][k], a, 1e-9);
    EXPECT_NEAR(f["multipliers/motor"][k], 0.5 * 36 * slope(inertia, a), 1e-5);
  }
}

}  // namespace slider_crank_test
}  // namespace gyrostat::testing
