// The scissor mast against the closed form of its height, of its motor's torque and of the spacecraft's displacement.
#include "examples/flight.h"

namespace gyrostat::testing {
namespace scissor_test {

constexpr int bays = 40;
constexpr double L = 0.5, m_bar = 0.1, m_carriage = 0.2, m_head = 8 + 2 * m_carriage;
constexpr double whole = 300 + 2 * bays * m_bar + 4 * m_carriage + 8;
const double folded = 4 * std::acos(-1.0) / 180, turn = 61 * std::acos(-1.0) / 180;

TEST(Scissor, DeploysAsItsClosedFormSays) {
  // Every part is at c sin(a) over the deck.
  double S1 = m_head * bays * L, S2 = m_head * std::pow(bays * L, 2);
  for (int k = 1; k <= bays; ++k) {
    const double c = (k - 0.5) * L;
    S1 += 2 * m_bar * c;
    S2 += 2 * m_bar * c * c;
  }
  const double tip = S2 - S1 * S1 / whole, bars = 2 * bays * m_bar * L * L / 12, carriages = m_carriage * L * L;

  const Flight f = fly("scissor/scissor.yaml");
  ASSERT_EQ(f.time.size(), 66U);
  double most = 0, most_at = 0;
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    const double s = std::min(f.time[k] / 60, 1.0);
    const double a = folded + turn * (10 * s * s * s - 15 * std::pow(s, 4) + 6 * std::pow(s, 5));
    const double rate = turn * (30 * s * s - 60 * s * s * s + 30 * std::pow(s, 4)) / 60;
    const double acceleration = turn * (60 * s - 180 * s * s + 120 * s * s * s) / 3600;
    const double inertia = tip * std::cos(a) * std::cos(a) + bars + carriages * std::sin(a) * std::sin(a);
    const double torque = inertia * acceleration + (carriages - tip) * std::sin(2 * a) * rate * rate / 2;
    EXPECT_NEAR(f["height"][k], bays * L * std::sin(a), 1e-11);
    EXPECT_NEAR(f["rail.right.slide.displacement"][k], L / 2 * std::cos(a), 1e-11);
    EXPECT_NEAR(f["multipliers/motor"][k], torque, 1e-9);
    EXPECT_NEAR(f["bus.position_z"][k], -S1 / whole * (std::sin(a) - std::sin(folded)), 1e-7);
    EXPECT_NEAR(f["instrument.position_x"][k], 0, 1e-7);
    EXPECT_NEAR(f["bus.omega_y"][k], 0, 1e-9);
    if (f["multipliers/motor"][k] > most) most = f["multipliers/motor"][k], most_at = f.time[k];
  }
  EXPECT_NEAR(most, 7.0, 0.05);
  EXPECT_EQ(most_at, 12);
}

}  // namespace scissor_test
}  // namespace gyrostat::testing
