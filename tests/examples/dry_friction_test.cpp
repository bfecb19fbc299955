// Hunting on a sticking bearing, against an integration from event to event; stick and slip on a belt and a sleeve on
// a turning boom, by their closed forms.
#include "examples/flight.h"
#include "examples/reference.h"

namespace gyrostat::testing {
namespace dry_friction_test {

struct Bearing {
  double inertia = 20.0 * 2 / 22;  // of bus and antenna, each against the other
  double kp = 6, ki = 3, kd = 4, coulomb = 0.03, static_level = 0.05;
};

using BearingState = std::array<double, 3>;  // error, rate, integral of the error

/// Instants at which the bearing starts, sticks or turns back, from a release far from the target.
std::vector<double> changes(const Bearing& b, double error, double until) {
  BearingState y = {error, 0, 0};
  double sign = 1, t = 0;
  std::vector<double> list;
  const auto motor = [&] { return b.kp * y[0] + b.ki * y[2]; };  // at rest
  const auto slide = [&](double h) {
    const auto rates = [&](double, const BearingState& x) {
      const double torque = b.kp * x[0] + b.ki * x[2] - b.kd * x[1] - sign * b.coulomb;
      return BearingState{-x[1], torque / b.inertia, x[0]};
    };
    return reference::extrapolated_step<double, 3>(rates, t, y, h);
  };
  while (true) {
    // slides
    double h = 0.02;
    BearingState next = slide(h);
    bool first = true;
    while (sign * next[1] > 0 || first) {
      first = false;
      y = next;
      t += h;
      if (t > until) return list;
      next = slide(h);
    }
    double low = 0, high = h;
    for (int i = 0; i < 60; ++i) {
      h = (low + high) / 2;
      (sign * slide(h)[1] > 0 ? low : high) = h;
    }
    y = slide(high);
    y[1] = 0;
    t += high;
    if (t > until) return list;
    list.push_back(t);
    if (std::abs(motor()) <= b.static_level) {  // sticks: the motor's torque changes by ki error in each second
      const double limit = std::copysign(b.static_level, y[0]), wait = (limit - motor()) / (b.ki * y[0]);
      y[2] += wait * y[0];
      t += wait;
      if (t > until) return list;
      list.push_back(t);
    }
    sign = std::copysign(1, motor());
  }
}

TEST(DryFriction, MakesAPointedAntennaHunt) {
  const Flight f = fly("dry_friction/gimbal.yaml");
  const double target = 5 * std::numbers::pi / 180;
  const std::vector<double> expected = changes(Bearing{}, target, 300), found = f.times_of("joints.gimbal");
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_GT(found.size(), 40U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4) << i;
  // It has settled to a cycle of two equal halves: slides one way, sticks, slides the other way.
  const std::size_t n = found.size();
  EXPECT_NEAR(found[n - 1] - found[n - 3], found[n - 3] - found[n - 5], 1e-3);
  EXPECT_NEAR(found[n - 1] - found[n - 5], 29.41, 0.01);
  EXPECT_NEAR(f.peak("error", 200) / f.peak("error", 250), 1, 1e-3);
  EXPECT_NEAR(f.peak("error", 200), 1.955e-3, 1e-5);
  EXPECT_LT(f.simulation.ledger().energy.relative(), 1e-8);
}

TEST(DryFriction, WithoutADifferenceOfLevelsLetsItSettle) {
  const Flight f = fly("dry_friction/gimbal.yaml", {{"static", "0.03 N*m"}});
  EXPECT_LT(std::abs(f.last("error")), 1e-9);
}

TEST(DryFriction, WithoutAnIntegralLeavesAnError) {
  const Flight f = fly("dry_friction/gimbal.yaml", {{"ki", "0"}});
  EXPECT_EQ(f.times_of("joints.gimbal").size(), 1U);
  EXPECT_EQ(f.last("gimbal.rate"), 0);
  EXPECT_GT(std::abs(f.last("error")), 1e-3);
  EXPECT_LT(std::abs(f.last("error")), 0.05 / 6) << "what the static level can hold";
}

TEST(DryFriction, OnABeltSticksAndSlips) {
  const Flight f = fly("dry_friction/belt.yaml");
  const double m = 2, k = 50, V = 0.1, Fs = 6, Fc = 4, w = std::sqrt(k / m);
  const double slip = 2 / w * (std::numbers::pi - std::atan((Fs - Fc) * w / (k * V))), stick = 2 * (Fs - Fc) / (k * V);
  const std::vector<double> found = f.times_of("joints.lies");
  std::vector<double> expected;
  for (double t = Fs / (k * V); t < 10; t += slip + stick) {
    expected.push_back(t);
    if (t + slip < 10) expected.push_back(t + slip);
  }
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;
  const double swing = std::hypot((Fs - Fc) / k, V / w);  // about Fc / k, while it slides
  EXPECT_NEAR(*std::min_element(f["x"].begin() + 60, f["x"].end()), Fc / k - swing, 1e-4) << "after the first ride";
  EXPECT_NEAR(*std::ranges::max_element(f["x"]), Fc / k + swing, 1e-4);
}

TEST(DryFriction, FollowsWhatPressesASleeveOntoItsBoom) {
  for (const double mu : {0.0, 0.4, 3.0}) {
    const Flight f = fly("dry_friction/sleeve.yaml", {{"mu", std::to_string(mu)}});
    const double W = 0.5, root = std::sqrt(1 + mu * mu), a = W * (root - mu), b = W * (root + mu);
    for (std::size_t k = 0; k < f.time.size(); ++k) {
      const double t = f.time[k];
      EXPECT_NEAR(f["slide.displacement"][k], 0.2 * (a * std::exp(-b * t) + b * std::exp(a * t)) / (a + b), 1e-10) << t;
    }
    EXPECT_LT(f.simulation.ledger().energy.relative(), 1e-9);
  }
}

}  // namespace dry_friction_test
}  // namespace gyrostat::testing
