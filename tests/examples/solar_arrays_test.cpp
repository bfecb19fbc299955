// Gas jets and solar arrays: the limit cycle of the rigid satellite, the first frequency of the flexible one, and the
// cycle in which jets and arrays lock, each against its theory.
#include <complex>
#include <numbers>

#include "examples/flight.h"

namespace gyrostat::testing {
namespace solar_arrays_test {

constexpr double degree = std::numbers::pi / 180;
constexpr double band = 0.1 * degree, hysteresis = 0.02 * degree, lead = 3, torque = 0.4, ratio = 0.7;
constexpr double length = 8, per_length = 2.5, root = 0.75, hub = 600, stiffness = 732, section = 0.001;
const double inertia =
    hub + 2 * per_length * (std::pow(root + length, 3) - std::pow(root, 3)) / 3 + 2 * length * section;

template <class F>
double zero(F f, double low, double high) {
  const bool rises = f(low) < 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    ((f(middle) < 0) == rises ? low : high) = middle;
  }
  return (low + high) / 2;
}

struct Cycle {
  double pulse = 0, period = 0;
};

/// Of the rigid satellite, with the time constant of the filter.
Cycle cycle(double filter) {
  const double a = torque / inertia, w = std::sqrt(1 - ratio * ratio) / filter;
  const auto ramp = [&](double t) {  // what the filter makes of t
    return t - 2 * ratio * filter +
           std::exp(-ratio * t / filter) *
               (2 * ratio * filter * std::cos(w * t) + (2 * ratio * ratio - 1) / w * std::sin(w * t));
  };
  const double pulse = zero([&](double t) { return lead * a * ramp(t) - hysteresis; }, 0, 100);
  const double rate = a * pulse / 2;
  return {pulse, 2 * (2 * (band - lead * rate) / rate + pulse)};
}

/// What is left of the torque on the hub when two beams vibrate against it at w, for a unit angle.
double balance(double w) {
  const double b = std::pow(per_length * w * w / stiffness, 0.25), x = b * length;
  const double c = std::cos(x), s = std::sin(x), ch = std::cosh(x), sh = std::sinh(x);
  // a1 cos + a2 sin + (root - a1) cosh + (1/b - a2) sinh, without moment and force at the tip
  const double p = c + ch, q = s + sh, u = root * ch + sh / b, r = s - sh, v = root * sh + ch / b;
  const double a1 = (u * p - q * v) / (p * p + q * r), a2 = (u - p * a1) / q;
  const double moment = b * b * (root - 2 * a1), force = b * b * b * (1 / b - 2 * a2);
  return hub * w * w + 2 * stiffness * (moment - root * force);
}

double first_frequency() { return zero(balance, 1.2, 1.8); }

double clamped() { return 3.516015 * std::sqrt(stiffness / (per_length * std::pow(length, 4))); }

/// The inertia that moves with mode k of both arrays, from the integrals of the mode and of x times the mode.
double effective(double mode, double moment) {
  return 2 * per_length * length * std::pow(mode * root + moment * length, 2);
}

/// The cycle by the describing function of the relay, with the modes of the arrays.
Cycle locked(double filter) {
  using Complex = std::complex<double>;
  const double w1 = clamped(), ws[] = {w1, w1 * 22.0345 / 3.516015, w1 * 61.6972 / 3.516015};
  const double parts[] = {effective(0.782992, 0.568826), effective(0.433936, 0.090767), effective(0.254425, 0.032416)};
  const auto open = [&](double w) {  // input of the relay for a unit torque
    Complex i = inertia;
    for (int k = 0; k < 3; ++k) i += parts[k] * w * w / Complex(ws[k] * ws[k] - w * w, 0.006 * ws[k] * w);
    const Complex rate = Complex(0, w) / Complex(1 - std::pow(filter * w, 2), 2 * ratio * filter * w);
    return (1.0 + lead * rate) / (-w * w * i);
  };
  const auto relay = [&](double amplitude) {
    const double on = band / amplitude, off = (band - hysteresis) / amplitude;
    return 2 * torque / (std::numbers::pi * amplitude) *
           Complex(std::sqrt(1 - on * on) + std::sqrt(1 - off * off), -hysteresis / amplitude);
  };
  // For each amplitude the frequency at which the phases agree; then the amplitude at which the magnitudes do.
  const auto frequency = [&](double a) {
    return zero([&](double w) { return std::arg(-open(w) * relay(a)); }, 1.55, 1.9);
  };
  const double a = zero([&](double x) { return std::abs(open(frequency(x)) * relay(x)) - 1; }, 1.5 * band, 20 * band);
  const double w = frequency(a);
  return {(std::numbers::pi - std::asin(band / a) - std::asin((band - hysteresis) / a)) / w, 2 * std::numbers::pi / w};
}

Cycle last_cycle(const Flight& f) {
  const std::vector<double> changes = f.times_of("signals.jet_x"), on = f.comes_on("jet_x");
  const std::size_t n = on.size();
  const auto off = std::ranges::upper_bound(changes, on[n - 2]);
  return {*off - on[n - 2], on[n - 1] - on[n - 3]};
}

/// Frequency of a column that swings about zero, in a part of the flight.
double frequency_between(const Flight& f, const std::string& name, double from, double to) {
  std::vector<double> crossings;
  for (std::size_t i = 1; i < f.time.size(); ++i) {
    const double a = f[name][i - 1], b = f[name][i];
    if (f.time[i - 1] < from || f.time[i] > to || a >= 0 || b < 0) continue;
    crossings.push_back(f.time[i] - (f.time[i] - f.time[i - 1]) * b / (b - a));
  }
  return 2 * std::numbers::pi * static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
}

TEST(SolarArrays, RigidOnesHaveTheLimitCycleOfTheFormula) {
  const Flight f = fly("solar_arrays/rigid.yaml");
  const Cycle expected = cycle(0.6), found = last_cycle(f);
  EXPECT_NEAR(expected.pulse, 1.3486, 1e-4);
  EXPECT_NEAR(expected.period, 35.1101, 1e-4);
  EXPECT_NEAR(found.pulse, expected.pulse, 1e-5);
  EXPECT_NEAR(found.period, expected.period, 1e-4);
  EXPECT_EQ(f.comes_on("jet_x").size(), 34U);
  EXPECT_NEAR(f.last("on_x"), 44.42, 0.01);
  EXPECT_NEAR(f.last("gas"), 0.02575, 1e-5);
  const Flight faster = fly("solar_arrays/rigid.yaml", {{"filter", "0.25"}});
  EXPECT_NEAR(last_cycle(faster).period, cycle(0.25).period, 0.03);
  EXPECT_EQ(faster.comes_on("jet_x").size(), 20U);
  EXPECT_NEAR(faster.last("gas"), 0.01012, 1e-5);
}

TEST(SolarArrays, JetsLockToTheArrays) {
  const Flight f = fly("solar_arrays/solar_arrays.yaml");
  const Cycle expected = locked(0.6), found = last_cycle(f);
  EXPECT_NEAR(expected.period, 3.762, 1e-3);
  EXPECT_NEAR(expected.pulse, 1.452, 1e-3);
  EXPECT_NEAR(found.period, 3.764, 5e-4);
  EXPECT_NEAR(found.pulse, 1.457, 5e-4);
  EXPECT_NEAR(found.period, expected.period, 1e-3 * expected.period);
  EXPECT_NEAR(found.pulse, expected.pulse, 5e-3 * expected.pulse);
  EXPECT_NEAR(2 * found.pulse / found.period, 0.77, 0.005);
  EXPECT_EQ(f.comes_on("jet_x").size(), 229U);
  EXPECT_NEAR(f.last("on_x"), 313.2, 0.1);
  EXPECT_NEAR(f.last("gas"), 0.1816, 1e-4);
  EXPECT_NEAR(f.peak("tip", 400), 0.015, 2e-4);
}

TEST(SolarArrays, WithAFasterFilterTheyRingAtTheFirstFrequency) {
  EXPECT_NEAR(first_frequency(), 1.5136, 1e-4);
  const double part = effective(0.782992, 0.568826);
  EXPECT_NEAR(part, 1055.9, 0.1);
  EXPECT_NEAR(clamped() * std::sqrt(inertia / (inertia - part)), 1.5158, 1e-4);
  // The cycle is chaotic: what comes later depends on rounding.
  const auto shorter = [](RunSettings& s) { s.until = 300; };
  const auto load = [](const char* name) {
    const std::vector<Override> faster = {{"filter", "0.25"}};
    return load_file(GYROSTAT_SOURCE_DIR "/examples/solar_arrays/" + std::string(name), faster);
  };
  const Flight f(load("solar_arrays.yaml"), shorter, Flight::Expect::finish);
  const Flight rigid(load("rigid.yaml"), shorter, Flight::Expect::finish);
  EXPECT_NEAR(frequency_between(f, "tip", 154.5, 194.5), first_frequency(), 0.003);
  EXPECT_LT(f.last("gas"), 0.75 * rigid.last("gas"));
}

}  // namespace solar_arrays_test
}  // namespace gyrostat::testing
