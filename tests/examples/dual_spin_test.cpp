// Nutation with and without dampers against linear theory.
#include "examples/flight.h"
#include "examples/reference.h"

namespace gyrostat::testing {
namespace {

constexpr double rpm60 = 2 * std::numbers::pi;

TEST(DualSpin, NutatesAtItsFrequency) {
  const Flight f = fly("dual_spin/dual_spin.yaml");
  const double w = reference::nutation(450, 380, 300, 0.05, 120 * rpm60);
  EXPECT_NEAR(w, 1.80941, 1e-5);
  EXPECT_NEAR(frequency(f, "base.omega_x"), w, 2e-4 * w);
  EXPECT_NEAR(frequency(f, "base.omega_y"), w, 2e-4 * w);
  const double a = -80 * 0.05 + 120 * rpm60, b = -150 * 0.05 + 120 * rpm60;
  EXPECT_NEAR(f.peak("base.omega_x") / f.peak("base.omega_y"), std::sqrt(380 * a / (450 * b)), 2e-3);
}

TEST(DualSpin, KeepsMomentumAndEnergy) {
  const Flight f = fly("dual_spin/dual_spin.yaml");
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z", "system.energy"}) {
    for (const double value : f[name]) EXPECT_NEAR(value, f[name][0], 1e-7) << name;
  }
}

TEST(DualSpin, ADamperOnThePlatformStopsNutation) {
  const Flight f = fly("dual_spin/damped_platform.yaml");
  const double rest = 696, ball = 4, arm = 0.8, d = ball * arm / rest, more = rest * d * d + ball * arm * arm;
  const reference::BallInTube theory{450, 378 + more, 300 + more, 0, 120 * rpm60, 700, ball, arm, 13, 3};
  const std::complex<double> root = theory.root({-0.01, 1.82});
  EXPECT_NEAR(root.real(), -0.01551, 1e-5);
  EXPECT_NEAR(growth(f, "tube.displacement", 0, 60, 250), root.real(), 2e-3 * std::abs(root.real()));
  EXPECT_LT(f.last("system.energy"), f["system.energy"][0]);
}

TEST(DualSpin, ADamperOnTheRotorMakesItGrow) {
  const Flight f = fly("dual_spin/damped_rotor.yaml");
  const double rotor = 396, ball = 4, arm = 0.8, d = ball * arm / rotor, more = rotor * d * d + ball * arm * arm;
  const double apart = 400.0 * 300 / 700 * 0.81;
  const reference::BallInTube theory{
      270 + apart, 267.4 + more + apart, 287.4 + more, rpm60, -110 * rpm60, 700, ball, arm, 95, 1.5};
  const std::complex<double> root = theory.root({0.01, 3.517});
  EXPECT_NEAR(root.real(), 0.00939, 1e-5);
  EXPECT_NEAR(growth(f, "tube.displacement", 0, 30, 100), root.real(), 2e-2 * root.real());
  EXPECT_LT(f.last("system.energy"), f["system.energy"][0]);
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"}) {
    EXPECT_NEAR(f.last(name), f[name][0], 1e-6) << name;
  }
}

}  // namespace
}  // namespace gyrostat::testing
