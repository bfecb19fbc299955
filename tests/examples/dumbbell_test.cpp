// Two masses on a spring in orbit, told in two ways, against the planar equations.
#include "examples/flight.h"
#include "examples/reference.h"

namespace gyrostat::testing {
namespace dumbbell_test {

constexpr double degree = std::numbers::pi / 180;
const double n = std::sqrt(3.986004418e14 / 343e18);

TEST(Dumbbell, StretchesToItsEquilibriumAndComesToRest) {
  const Flight f = fly("dumbbell/dumbbell.yaml");
  const reference::Dumbbell theory{60, 100, 0.5e-3, 0.15, 100, n};
  EXPECT_NEAR(theory.equilibrium(), 135.4046, 1e-3);
  EXPECT_NEAR(f.last("length"), theory.equilibrium(), 1e-3);
  EXPECT_LT(f.peak("pitch", 55000), 0.01 * degree);
}

TEST(Dumbbell, MovesAsThePlanarEquationsSay) {
  const reference::Dumbbell theory{60, 100, 0.5e-3, 0.15, 100, n};
  for (const char* file : {"dumbbell/dumbbell.yaml", "dumbbell/tether.yaml"}) {
    const Flight f = fly(file);
    for (const std::size_t i : {10U, 50U, 100U, 300U, 1000U}) {
      const auto y = theory.after(f.time[i], {100, 0, -5 * degree, 0});
      EXPECT_NEAR(f["length"][i], y[0], 1e-4) << file;
      EXPECT_NEAR(f["pitch"][i], -y[2], 1e-6) << file;
    }
  }
}

TEST(Dumbbell, LibratesAtTheSquareRootOfThree) {
  const Flight f = fly("dumbbell/libration.yaml");
  const reference::Dumbbell theory{60, 100, 1, 0, 100, n};
  const double finite = 1 - std::pow(2 * degree, 2) / 16;
  EXPECT_NEAR(frequency(f, "pitch"), theory.frequencies()[0] * finite, 1e-5 * n);
  EXPECT_NEAR(frequency(f, "pitch") / n, std::sqrt(3.0), 1e-3);
  EXPECT_NEAR(f.mean("length", 0, 12000), theory.equilibrium(), 1e-3);
}

}  // namespace dumbbell_test
}  // namespace gyrostat::testing
