// The plant: constants apart from data, stages, derivatives by parameters, joints that change in flight.
#include "gyrostat/plant/plant.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gyrostat/plant/run.h"

#include "support/load.h"

namespace gyrostat::testing {
namespace {

const std::string arm = R"yaml(gyrostat: 1
parameters: {k: 5 N*m/rad}
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 2, com: [1, 0, 0], inertia: [1, 2, 2]}}
joints:
  base: {initial: {omega: [0.1, 0.2, 0.3]}}
  pan: {type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 3, damping: 0.2, initial: {angle: 0.4},
        torque: "-k*sin(pan.angle)"}
simulation: {duration: 5}
)yaml";

Loaded loaded_arm(const std::string& text = arm) {
  Loaded loaded = load(text);
  if (!loaded.model) throw std::runtime_error(problems_of(loaded));
  return loaded;
}

TEST(Plant, IsRefusedWithTheReasonWhereTheFormulationDoesNotTakeTheModel) {
  const Loaded loaded = loaded_arm();
  EXPECT_THROW(Plant(*loaded.model, "no_such_formulation"), std::invalid_argument);
  const Loaded held = loaded_arm(
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {type: revolute, parent: world, child: a, "
      "axis: [0, 0, 1]}}\nsimulation: {duration: 1}\n");
  EXPECT_THROW(Plant(*held.model, "augmented_body"), std::invalid_argument);
}

TEST(Plant, TwoRunsOnOnePlantAreTwoSimulations) {
  const Loaded loaded = loaded_arm();
  const Plant plant(*loaded.model, "articulated_body");
  PlantRun first(plant), second(plant);
  Eigen::VectorXd y, ydot(plant.size()), again(plant.size());
  first.start(y);
  first.derivative(0, y.data(), ydot.data());
  Eigen::VectorXd other;
  second.start(other);
  other *= 1.5;
  Eigen::VectorXd elsewhere(plant.size());
  second.derivative(2, other.data(), elsewhere.data());
  first.derivative(0, y.data(), again.data());
  EXPECT_EQ(ydot, again);
  EXPECT_NE(ydot, elsewhere);
}

TEST(Plant, KnowsWhatWasEvaluated) {
  const Loaded loaded = loaded_arm();
  const Plant plant(*loaded.model, "articulated_body");
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start(y);
  for (const Stage stage : {Stage::velocity, Stage::signals, Stage::forces, Stage::acceleration}) {
    run.evaluate(0, y.data(), stage);
    EXPECT_EQ(run.data().stage, stage);
  }
#ifndef NDEBUG
  run.evaluate(0, y.data(), Stage::velocity);
  EXPECT_DEATH((void)run.udot(), "has.wanted");
#endif
}

TEST(Plant, DerivativesByParametersAreThoseOfDifferences) {
  using D = Dual<4>;
  const Loaded loaded = loaded_arm();
  const Plant plant(*loaded.model, "articulated_body");
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start(y);
  // variables: the mass of b, its stiffness, and the gain k
  const System& system = plant.system();
  PlantConstants<D> constants{MechanismOf<D>(plant.mechanism()),
                              {},
                              plant.constraints().as<D>(),
                              with_structure_of<D>(plant.constants().elements),
                              {},
                              {}};
  for (const auto& node : plant.constants().nodes) constants.nodes.push_back({node.body, cast<D>(node.p)});
  for_element_numbers(
      [](auto& to, const auto& from) {
        if constexpr (std::is_same_v<decltype(to), D&>) to = D(from);  // there is no orbit
      },
      constants.elements, plant.constants().elements);
  for (const auto& [slot, value] : plant.constants().program_numbers)
    constants.program_numbers.emplace_back(slot, value);
  SystemNumbers<D> numbers;
  for (const auto& body : numbers_of(system).bodies) {
    numbers.bodies.push_back({D(body.mass), cast<D>(body.com), cast<D>(body.inertia)});
  }
  for (const auto& j : numbers_of(system).joints) {
    JointNumbers<D> joint;
    for (std::size_t k = 0; k < 3; ++k) joint.d[k] = cast<D>(j.d[k]), joint.a[k] = cast<D>(j.a[k]);
    joint.R_0 = cast<D>(j.R_0);
    joint.parent_point = cast<D>(j.parent_point);
    joint.child_point = cast<D>(j.child_point);
    numbers.joints.push_back(joint);
  }
  numbers.bodies[system.body("b")].mass = D::variable(2, 0);
  constants.mechanism = MechanismOf<D>(system, numbers, plant.settings());
  constants.elements.of<JointForce>()[0].stiffness = D::variable(3, 1);
  for (auto& [slot, value] : constants.program_numbers) {
    if (value.value == 5) value = D::variable(5, 2);
  }
  PlantData<D> data(plant, constants);
  set_discrete(data, 0, run.discrete());
  std::vector<D> at(y.begin(), y.end()), ydot(plant.size());
  find_rates(plant, constants, data, D(0.0), at.data(), ydot.data());

  const auto rates = [&](const std::string& what, const std::string& by) {
    std::string text = arm;
    text.replace(text.find(what), what.size(), by);
    const Loaded changed = loaded_arm(text);
    const Plant other(*changed.model, "articulated_body");
    PlantRun other_run(other);
    Eigen::VectorXd start, result(other.size());
    other_run.start(start);
    other_run.derivative(0, y.data(), result.data());
    return result;
  };
  const auto expect_slope = [&](std::size_t variable, const std::string& what, const std::string& less,
                                const std::string& more, double step) {
    const Eigen::VectorXd slope = (rates(what, more) - rates(what, less)) / (2 * step);
    for (std::size_t k = 0; k < ydot.size(); ++k) {
      EXPECT_NEAR(ydot[k].d[variable], slope[static_cast<Eigen::Index>(k)], 1e-6) << what << ", rate " << k;
    }
    EXPECT_GT(slope.norm(), 0.01) << what;
  };
  expect_slope(0, "mass: 2", "mass: 1.9999", "mass: 2.0001", 1e-4);
  expect_slope(1, "stiffness: 3", "stiffness: 2.9999", "stiffness: 3.0001", 1e-4);
  expect_slope(2, "k: 5 N*m/rad", "k: 4.9999 N*m/rad", "k: 5.0001 N*m/rad", 1e-4);
}

TEST(Plant, AJointLockedInFlightStaysAndTheRecursionIsNotRebuilt) {
  const Loaded loaded = loaded_arm(),
               locked = loaded_arm(std::string(arm).replace(arm.find("stiffness: 3"), 0, "locked: true, "));
  const Plant plant(*loaded.model, "articulated_body"), other(*locked.model, "articulated_body");
  PlantRun run(plant), reference(other);
  Eigen::VectorXd y, start;
  run.start(y);
  reference.start(start);
  Eigen::VectorXd ydot(plant.size()), expected(plant.size());
  DiscreteState discrete = run.discrete();
  discrete.free[plant.system().speed("pan.rate")] = false;
  run.set_discrete(discrete);
  run.derivative(0, y.data(), ydot.data());
  reference.derivative(0, y.data(), expected.data());
  EXPECT_LT((ydot - expected).norm(), 1e-14 * (1 + expected.norm()));
  discrete.free[plant.system().speed("pan.rate")] = true;
  run.set_discrete(discrete);
  run.derivative(0, y.data(), ydot.data());
  EXPECT_GT((ydot - expected).norm(), 0.1);
}

/// What a lane of a pack has computed is values alone: poses are those of another instant.
TEST(Plant, ValuesThatWereComputedElsewhereDoNotCountAsMotion) {
  std::string text = arm;
  text.replace(text.find("simulation"), 0, "signals: {s: \"sin(pan.angle)\"}\n");
  const Loaded loaded = loaded_arm(text);
  const Plant plant(*loaded.model, "articulated_body");
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start(y);
  run.evaluate(0, y.data(), Stage::acceleration);
  EXPECT_TRUE(run.data().has(Stage::acceleration));
  const std::vector<double> values = run.data().values;
  y *= 1.1;
  std::ranges::copy(values, run.values_from_elsewhere(0.5));
  EXPECT_TRUE(run.follow_values());
  EXPECT_FALSE(run.data().has(Stage::state));
  EXPECT_FALSE(run.data().has(Stage::signals));
  EXPECT_FALSE(run.any_crossed());  // reads the values, and may
#ifndef NDEBUG
  EXPECT_DEATH((void)run.instant(), "has.wanted");
#endif
  run.evaluate(0.5, y.data(), Stage::velocity);
  EXPECT_TRUE(run.data().has(Stage::velocity));
}

}  // namespace
}  // namespace gyrostat::testing
