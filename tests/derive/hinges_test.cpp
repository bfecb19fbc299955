// Hinge torques and external forces as printed, against those of the plant.
#include <fstream>
#include <sstream>

#include "gyrostat/derive/equations.h"

#include "support/at_start.h"
#include "support/random_model.h"

namespace gyrostat::derive {
namespace hinges_test {

std::string model_text(const std::string& example, const std::string& more) {
  std::ostringstream text;
  text << std::ifstream(GYROSTAT_SOURCE_DIR "/examples/" + example).rdbuf() << more;
  return text.str();
}

/// The definitions of springs, dampers and gravity, evaluated with the numbers of the model alone.
TEST(Hinges, TorquesAndGravityAreThoseOfThePlant) {
  const ::gyrostat::testing::AtStart at(
      model_text("ten_body/ten_body.yaml", "\nenvironment: {gravity: {uniform: [0.3, -9.81, 2]}}\n"),
      [](::gyrostat::testing::AtStart& a) {
        ::gyrostat::testing::Random random(5);
        for (double& u : a.state.u) u += random.uniform(-1, 1);
      });
  const Document document = derive_equations(*at.loaded.model);
  Values values = values_at(document, at.system(), at.state, at.udot, Forces<double>(at.system()));
  std::erase_if(values.given, [&](const auto& one) { return values.definitions.contains(one.first); });
  Evaluator evaluate(values);
  int torques = 0, forces = 0;
  for (const Unknown& one : document.unknowns) {
    Symbol tau = one.speed;
    tau.letter = tau.letter == "u" ? "tau" : tau.letter == "v" ? "f" : "tau_w";
    if (!values.definitions.contains(tau)) {
      EXPECT_EQ(at.forces.tau[one.index], 0) << one.name;
      continue;
    }
    const double plant = at.forces.tau[one.index];
    EXPECT_NEAR(evaluate(symbol(tau)).scalar, plant, 1e-12 * (1 + std::abs(plant))) << one.name;
    ++torques;
  }
  for (std::uint32_t k = 1; k < at.system().bodies.size(); ++k) {
    const Symbol F{"F", {{at.system().bodies[k].name, false}}};
    const Vector3 plant = to_eigen(at.forces.wrench[k].force);
    EXPECT_LT((evaluate(symbol(F)).vector - plant).norm(), 1e-12 * plant.norm()) << name_of(F);
    ++forces;
  }
  EXPECT_EQ(torques, 16);
  EXPECT_EQ(forces, 10);
}

}  // namespace hinges_test
}  // namespace gyrostat::derive
