// Numbers that sum up a run, against closed forms.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace measures_test {

using std::numbers::pi;

/// x = 0.3 cos(2 t), with a jump of `level` at t = 2 and signals to be measured.
std::string oscillator(const std::string& method) {
  return R"yaml(gyrostat: 1
bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], stiffness: 8, initial: {displacement: 0.3}}}
signals:
  x: rail.displacement
  shifted: "rail.displacement - 0.1"
  small: "abs(rail.displacement) < 0.1 ? 1 : 0"
  late: "step(3.25)"
  never_true: "-1"
  level: "step(2)*5 + t"
simulation: {duration: 6.283185307179586, integrator: {)yaml" +
         method + "}}\noutput: {interval: 0.5}\n";
}

std::vector<double> measured(const std::string& method, const std::vector<MeasureSettings>& measures) {
  const Flight flight(
      oscillator(method), [&](RunSettings& s) { s.measures = measures; }, Flight::Expect::finish);
  return flight.simulation.measured();
}

constexpr std::array methods = {"method: dopri5, tolerance: 1e-10", "method: cvode_adams, tolerance: 1e-11",
                                "method: rk4, step: 0.003"};

TEST(Measures, OfAnOscillatorAreThoseOfACosine) {
  for (const char* method : methods) {
    SCOPED_TRACE(method);
    const std::vector<double> x = measured(method, {{"x", MeasureKind::max},
                                                    {"x", MeasureKind::min},
                                                    {"x", MeasureKind::final},
                                                    {"x", MeasureKind::mean},
                                                    {"x", MeasureKind::rms},
                                                    {"x", MeasureKind::integral, 0, pi / 4},
                                                    {"x", MeasureKind::max, pi / 2, pi / 2 + 0.2},
                                                    {"x", MeasureKind::min, 1, 2},
                                                    {"x", MeasureKind::rms, 0.5, 0.5 + pi}});
    EXPECT_NEAR(x[0], 0.3, 1e-9);
    EXPECT_NEAR(x[1], -0.3, 1e-9) << "between records and steps";
    EXPECT_NEAR(x[2], 0.3, 1e-7);
    EXPECT_NEAR(x[3], 0, 1e-8);
    EXPECT_NEAR(x[4], 0.3 / std::sqrt(2), 1e-8);
    EXPECT_NEAR(x[5], 0.15, 1e-8) << "of 0.3 cos(2 t) from 0 to pi / 4";
    EXPECT_NEAR(x[6], 0.3 * std::cos(pi + 0.4), 1e-8) << "it grows from -0.3: the end of the window is the largest";
    EXPECT_NEAR(x[7], -0.3, 1e-8) << "at pi / 2, which is in the window";
    EXPECT_NEAR(x[8], 0.3 / std::sqrt(2), 1e-8) << "over a whole period";
  }
}

TEST(Measures, FirstTimesAreLocatedAsEventsAre) {
  for (const char* method : methods) {
    SCOPED_TRACE(method);
    const double falls = std::acos(-1.0 / 3) / 2, rises = pi - falls;  // through -0.1; it is below 0.1 in between
    const std::vector<double> t =
        measured(method, {{"shifted", MeasureKind::first_time},               // from the beginning
                          {"shifted", MeasureKind::first_time, 1, never},     // again after the first swing
                          {"small", MeasureKind::first_time},                 // |x| < 0.1
                          {"small", MeasureKind::first_time, 0, never, 0.3},  // for 0.3 s: 0.34 s it is
                          {"small", MeasureKind::first_time, 0, never, 0.4},  // never for so long
                          {"late", MeasureKind::first_time},                  // at an instant that is known
                          {"never_true", MeasureKind::first_time}});
    const double small = std::acos(1.0 / 3) / 2;
    EXPECT_EQ(t[0], 0);
    EXPECT_NEAR(t[1], pi - small, 1e-8);
    EXPECT_NEAR(t[2], small, 1e-8);
    EXPECT_NEAR(t[3], small, 1e-8);
    EXPECT_EQ(t[4], never);
    EXPECT_NEAR(t[5], 3.25, 1e-11);
    EXPECT_EQ(t[6], never);
    EXPECT_GT(rises, falls);
  }
}

TEST(Measures, SeeAJumpAtTheEndOfAWindow) {
  const std::vector<double> x = measured(methods[0], {{"level", MeasureKind::max, 0, 2},
                                                      {"level", MeasureKind::min, 2, 6},
                                                      {"level", MeasureKind::integral, 1, 3},
                                                      {"level", MeasureKind::mean, 1, 3}});
  EXPECT_NEAR(x[0], 7, 1e-9) << "just after the jump, at the end of the window";
  EXPECT_NEAR(x[1], 7, 1e-9) << "the value at an instant is that just after it";
  EXPECT_NEAR(x[2], 4 + 5, 1e-9);
  EXPECT_NEAR(x[3], 4.5, 1e-9);
}

TEST(Measures, DoNotChangeTheMotionUnlessAWindowCutsAStep) {
  const Flight plain(oscillator(methods[0]), {}, Flight::Expect::finish);
  const Flight with(
      oscillator(methods[0]),
      [](RunSettings& s) {
        s.measures = {{"x", MeasureKind::max}};
      },
      Flight::Expect::finish);
  EXPECT_EQ(plain.rows, with.rows);
}

TEST(Measures, NeedASignalOfOneNumber) {
  const Loaded loaded = load(oscillator(methods[0]));
  RunSettings settings(*loaded.model);
  settings.measures = {{"nothing", MeasureKind::max}};
  EXPECT_THROW(Simulation(*loaded.model, settings), std::invalid_argument);
}

TEST(RunWithoutLedger, HasTheSameMotionAndRecordsNothing) {
  const auto measure = [](RunSettings& s) { s.measures = {{"x", MeasureKind::final}, {"x", MeasureKind::rms}}; };
  const Flight kept(oscillator(methods[0]), measure, Flight::Expect::finish);
  const Flight bare(
      oscillator(methods[0]),
      [&](RunSettings& s) {
        measure(s);
        s.keeps_ledger = s.records = false;
      },
      Flight::Expect::finish);
  EXPECT_TRUE(bare.rows.empty());
  EXPECT_EQ(kept.simulation.measured(), bare.simulation.measured());
  EXPECT_EQ(kept.simulation.statistics().steps, bare.simulation.statistics().steps);
}

}  // namespace measures_test
}  // namespace gyrostat::testing
