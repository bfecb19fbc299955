// What is outside a formulation's domain is said where the object is built.
#include <stdexcept>

#include <gmock/gmock.h>

#include "gyrostat/constraints/dynamics.h"

#include "support/assemble.h"
#include "support/load.h"
#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string said(const System& system, std::string_view formulation) {
  try {
    const Dynamics dynamics(system, DynamicsSettings(system), formulation);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

System four_bar() {
  Description description;
  description.bodies = {solid("a"), solid("b")};
  description.joints = {revolute("left", "world", "a"), revolute("right", "world", "b"), revolute("rod", "a", "b")};
  description.joints[2].cut = true;
  return assemble(description).system;
}

TEST(Dynamics, SaysWhyItDoesNotTakeLoops) {
  const System system = four_bar();
  for (const std::string_view name : formulation_names) {
    if (name == "articulated_body" || name == "composite_body" || name == "kane" || name == "absolute" ||
        name == "mixed") {  // which do
      EXPECT_EQ(said(system, name), "");
      continue;
    }
    EXPECT_THAT(said(system, name), AllOf(HasSubstr(std::string(name)), HasSubstr("'rod'"))) << name;
  }
}

TEST(Dynamics, SaysWhatFormulationsThereAre) {
  const RandomCase c = RandomCase::make(1);
  EXPECT_EQ(said(c.system(), "articulated_body"), "");
  EXPECT_THAT(said(c.system(), "articulated"), AllOf(HasSubstr("there is no such formulation"), HasSubstr("kane")));
  EXPECT_THAT(said(c.system(), ""), HasSubstr("there is no such formulation"));
}

TEST(Dynamics, IsOfTheFormulationNamed) {
  Description description;
  description.bodies = {solid("a"), solid("b")};
  description.joints = {revolute("pin", "a", "b")};
  const System system = assemble(description).system;
  const auto holds = [&]<class F>(std::type_identity<F>, std::string_view name) {
    EXPECT_TRUE(std::holds_alternative<F>(Dynamics(system, DynamicsSettings(system), name).formulation())) << name;
  };
  holds(std::type_identity<ArticulatedBody>(), "articulated_body");
  holds(std::type_identity<CompositeBody>(), "composite_body");
  holds(std::type_identity<Kane>(), "kane");
  holds(std::type_identity<NestedBody>(), "nested_body");
  holds(std::type_identity<AugmentedBody>(), "augmented_body");
  holds(std::type_identity<LinearTotal>(), "linear_total");
  holds(std::type_identity<LinearTotalFixed>(), "linear_total_fixed");
  holds(std::type_identity<LinearPartial>(), "linear_partial");
  holds(std::type_identity<Absolute>(), "absolute");
  holds(std::type_identity<Mixed>(), "mixed");
}

TEST(Dynamics, SaysWhatIsOutsideTheDomainOfAFormulation) {
  const Assembled held = assemble([] {
    Description description;
    description.bodies = {solid("a")};
    description.joints = {revolute("pin", "world", "a")};
    return description;
  }());
  EXPECT_THAT(said(held.system, "augmented_body"), HasSubstr("joint 'pin' of the base is not free"));
}

/// One set of constants, two workspaces: two evaluations that know nothing of each other.
TEST(Formulation, IsSharedByItsWorkspaces) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomCase c = RandomCase::make(seed, {.most_bodies = 8});
    const DynamicsSettings settings(c.system());
    for (const std::string_view name : formulation_names) {
      if (!outside_domain(name, c.system(), settings).empty()) continue;
      const Formulation formulation = make_formulation(*c.mechanism, settings, name);
      FormulationData first = make_data(formulation, *c.mechanism), second = make_data(formulation, *c.mechanism);
      ASSERT_EQ(first.index(), formulation.index());
      const auto evaluate = [&](FormulationData& data, const Forces<double>& forces) {
        Eigen::VectorXd udot(c.state.u.size());
        Closures<double> tree;
        accelerations(*c.mechanism, formulation, c.kinematics, c.state.q.data(), c.state.u.data(), forces, tree, data,
                      udot.data());
        return udot;
      };
      const Eigen::VectorXd alone = evaluate(first, c.forces);
      evaluate(second, Forces<double>(c.system()));
      EXPECT_EQ(evaluate(first, c.forces), alone) << name << " seed " << seed;
      EXPECT_EQ(evaluate(second, c.forces), alone) << name << " seed " << seed;
    }
  }
}

}  // namespace
}  // namespace gyrostat::testing
