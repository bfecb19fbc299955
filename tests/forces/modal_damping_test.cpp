// Damping of modes, which a matrix couples.
#include "gyrostat/forces/modal_damping.h"

#include <numeric>

#include <gtest/gtest.h>

#include "support/at_start.h"
#include "support/random_model.h"

namespace gyrostat::testing {
namespace {

TEST(ModalDamping, IsTheMatrixTimesTheRates) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    Description d;
    BodyDescription body;
    body.name = "b";
    body.flexible.emplace();
    FlexibleData& data = body.flexible->data;
    data = random_flexible(random, 3);
    for (Eigen::Index a = 0; a < 3; ++a) {
      for (Eigen::Index b = 0; b <= a; ++b) data.damping(a, b) = data.damping(b, a) = random.uniform(0.1, 1);
    }
    body.flexible->position = {0, 0, 0};
    for (int a = 0; a < 3; ++a) body.flexible->rate.push_back(random.uniform(-1, 1));
    d.bodies.push_back(body);
    const Eigen::Vector3d rates = Eigen::Map<const Eigen::Vector3d>(body.flexible->rate.data());
    const Eigen::Vector3d expected = data.damping * rates;
    const AtStart at(d);
    const std::uint32_t u = at.system().flexible[0].u;
    for (std::uint32_t a = 0; a < 3; ++a) EXPECT_NEAR(at.forces.tau[u + a], -expected[a], 1e-13) << "seed " << seed;
    std::vector<double> powers(at.plant.signals().forces.sources.size());
    add_powers<double, double>(at.plant.constants().elements, at.run.instant(), at.run.values(), powers);
    EXPECT_NEAR(std::accumulate(powers.begin(), powers.end(), 0.0), -rates.dot(expected), 1e-13);
  }
}

}  // namespace
}  // namespace gyrostat::testing
