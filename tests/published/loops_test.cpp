// Mechanisms with loops whose motion is known to many digits: where they are singular, long, or cut elsewhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "published/loop_models.h"
#include "support/flight.h"

namespace gyrostat::testing {
namespace loops_test {

struct Place {
  double x, y;
};

void expect_place(const Flight& flight, std::size_t record, const Place& place, double tolerance) {
  EXPECT_NEAR(flight.rows.at(record)[flight.column("v0.b.position_x")], place.x, tolerance);
  EXPECT_NEAR(flight.rows.at(record)[flight.column("v0.b.position_y")], place.y, tolerance);
}

/// Some twelve times through it. Each time the motion across the branch is found from what the loop hardly restrains,
/// so that errors grow to a thousandth of a per cent.
TEST(FourBars, PassTheirSingularPositionAndSaySo) {
  for (const auto& [count, place] :
       {std::pair(1, Place{0.478385057761, 0.878150178791}), std::pair(2, Place{0.328458111541, 0.944518538179})}) {
    const Flight flight(windows(count, "duration: 10, integrator: {method: rk4, step: 0.001}"), {},
                        Flight::Expect::finish);
    expect_place(flight, 10, place, 5e-5);
    EXPECT_LT(flight.simulation.ledger().dependent_since, 2) << "the run tells that it was there";
  }
}

/// Forty windows have one coordinate, the angle of the vertical rods.
TEST(FourBars, OfFortyWindowsMoveAsTheOneAngleThatTheyHave) {
  // angle a of the vertical rods from the vertical: T = (1/2) I a'^2 with I = (N+1)/3 + N, V = g ((N+1)/2 + N) cos a
  constexpr int count = 40;
  const double inertia = (count + 1) / 3.0 + count, weight = 9.81 * ((count + 1) / 2.0 + count);
  double a = 0, rate = 1;  // a grows where B moves along +x
  const double h = 1e-5;
  const auto acceleration = [&](double angle) { return weight / inertia * std::sin(angle); };
  for (int k = 0; k < 100000; ++k) {  // classical Runge-Kutta
    const double k1 = acceleration(a), k2 = acceleration(a + h / 2 * rate),
                 k3 = acceleration(a + h / 2 * rate + h * h / 4 * k1), k4 = acceleration(a + h * rate + h * h / 2 * k2);
    a += h * rate + h * h / 6 * (k1 + k2 + k3);
    rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const Flight flight(windows(count, "duration: 1, integrator: {method: dopri5, tolerance: 1e-10}"), {},
                      Flight::Expect::finish);
  expect_place(flight, 1, {std::sin(a), std::cos(a)}, 1e-7);
}

TEST(Bricard, MovesAsPublishedThoughItHasOneRowTooManyWhereverItIsCut) {
  for (int cut = 0; cut < 6; ++cut) {
    SCOPED_TRACE(fmt::format("cut at j{}", cut));
    const Flight flight(bricard(cut, "duration: 1, integrator: {method: dopri5, tolerance: 1e-11}"), {},
                        Flight::Expect::finish);
    EXPECT_NEAR(flight.rows.at(1)[flight.column("b3.p3.position_x")], 0.510501461187, 1e-9);
    EXPECT_NEAR(flight.rows.at(1)[flight.column("b3.p3.position_y")], -1.649167599395, 1e-9);
    EXPECT_NEAR(flight.rows.at(1)[flight.column("b3.p3.position_z")], 0.140123114553, 1e-9);
    EXPECT_EQ(flight.simulation.plant().constraints().rows(), 5U);
  }
}

}  // namespace loops_test
}  // namespace gyrostat::testing
