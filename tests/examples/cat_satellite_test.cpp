// The satellite that turns like a cat: the turn of a cycle by its moments of inertia, the chosen angle, and no
// momentum.
#include <numbers>

#include "examples/flight.h"

namespace gyrostat::testing {
namespace cat_satellite_test {

constexpr double pi = std::numbers::pi;
const std::string model = "cat_satellite/cat_satellite.yaml";

const Flight& quarter_turn() {
  static const Flight flight = fly(model);
  return flight;
}

double time_of(const Flight& f, const std::string& signal, const std::string& what) {
  for (const RecordedEvent& event : f.events) {
    if (event.change.name == "signals." + signal && event.change.what == what) return event.t;
  }
  return -1;
}

double at(const Flight& f, const std::string& name, double t) {
  const auto k = static_cast<std::size_t>(std::lower_bound(f.time.begin(), f.time.end(), t) - f.time.begin());
  return f[name][std::min(k, f.time.size() - 1)];
}

TEST(CatSatellite, TurnsByTheAngleThatIsChosenAndHoldsIt) {
  const Flight& f = quarter_turn();
  EXPECT_NEAR(f["roll"].back(), pi / 2, 1e-3);
  EXPECT_NEAR(f["twist.angle"].back(), 0, 1e-5);
  const double done = time_of(f, "done", "set");
  ASSERT_GT(done, 0);
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    if (f.time[k] > done) {
      EXPECT_NEAR(f["roll"][k], pi / 2, 1e-3) << "at " << f.time[k];
    }
  }
}

TEST(CatSatellite, TurnsTheOtherWayToo) {
  const Flight f = fly(model, {{"turn", "-40 deg"}});
  EXPECT_NEAR(f["roll"].back(), -40 * pi / 180, 1e-3);
  EXPECT_EQ(f["done"].back(), 1);
}

TEST(CatSatellite, ACycleTurnsByTheMomentsOfInertia) {
  const double out = 45 + 2 * (15 + 20 * 2.2 * 2.2), in = 45 + 2 * (0.4 + 20 * 0.7 * 0.7), twist = pi / 3;
  const Flight& f = quarter_turn();
  const double after_b = at(f, "roll", time_of(f, "phase_c", "set")),
               after_d = at(f, "roll", time_of(f, "phase_a", "set"));
  EXPECT_NEAR(after_b, -twist * in / (in + out), 0.01 * twist);  // but for the give of the arms
  EXPECT_NEAR(after_d, twist * (out - in) / (out + in), 0.01 * twist);
}

TEST(CatSatellite, HasNoAngularMomentum) {
  const Flight& f = quarter_turn();
  for (const char* axis : {"x", "y", "z"}) EXPECT_LT(f.peak(std::string("system.momentum_") + axis), 1e-10);
  EXPECT_GT(f.peak("front.omega_x") * 45, 3);  // of a part
}

TEST(CatSatellite, ItsArmsMoveTogether) {
  const Flight& f = quarter_turn();
  for (const std::string half : {"front", "rear"}) {
    const auto left = f.values("arm." + half + "_left.hinge.angle"),
               right = f.values("arm." + half + "_right.hinge.angle");
    for (std::size_t k = 0; k < left.size(); ++k) EXPECT_NEAR(left[k], right[k], 1e-8);
  }
}

}  // namespace cat_satellite_test
}  // namespace gyrostat::testing
