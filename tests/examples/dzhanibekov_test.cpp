// The T-handle turns over when the elliptic integral says.
#include "examples/flight.h"
#include "examples/reference.h"

namespace gyrostat::testing {
namespace {

const reference::Vec moments = {2.79375e-5, 5.075e-5, 7.75625e-5};

TEST(Dzhanibekov, TurnsOverInHalfAPeriod) {
  const Flight f = fly("dzhanibekov/dzhanibekov.yaml");
  const double half = reference::TorqueFree(moments, {0.01, 12, 0}).period() / 2;
  EXPECT_NEAR(half, 2.656099, 1e-6);
  std::vector<double> turns;
  const std::vector<double>& w = f["base.omega_y"];
  for (std::size_t i = 1; i < w.size(); ++i) {
    if (w[i - 1] * w[i] < 0) turns.push_back(f.time[i - 1] + 0.01 * w[i - 1] / (w[i - 1] - w[i]));
  }
  ASSERT_EQ(turns.size(), 5U);
  for (std::size_t k = 0; k < turns.size(); ++k) EXPECT_NEAR(turns[k], (static_cast<double>(k) + 0.5) * half, 1e-4);
  EXPECT_GT(f.peak("stem_tilt"), 3.1);
}

TEST(Dzhanibekov, SpinsAsJacobiSays) {
  const Flight f = fly("dzhanibekov/dzhanibekov.yaml");
  const reference::TorqueFree handle(moments, {0.01, 12, 0});
  for (std::size_t i = 0; i < f.time.size(); ++i) {
    const reference::Vec w = handle.rates(f.time[i]);
    EXPECT_NEAR(f["base.omega_x"][i], w[0], 1e-5);
    EXPECT_NEAR(f["base.omega_y"][i], w[1], 1e-5);
    EXPECT_NEAR(f["base.omega_z"][i], w[2], 1e-5);
  }
}

TEST(Dzhanibekov, TakesLongerWithASmallerNudge) {
  const Flight f = fly("dzhanibekov/dzhanibekov.yaml", {{"nudge", "0.001 rad/s"}});
  const double half = reference::TorqueFree(moments, {0.001, 12, 0}).period() / 2;
  EXPECT_NEAR(half, 2.656099 + 0.7223, 1e-3);
  const auto first = std::find_if(f["base.omega_y"].begin(), f["base.omega_y"].end(), [](double w) { return w < 0; });
  EXPECT_NEAR(f.time[static_cast<std::size_t>(first - f["base.omega_y"].begin())], half / 2, 0.011);
}

}  // namespace
}  // namespace gyrostat::testing
