// Several simulations in the lanes of one evaluation, against each of them by itself.
#include "gyrostat/plant/batch.h"

#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gyrostat/plant/run.h"

#include "support/load.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace {

/// One simulation, somewhere.
struct One {
  std::unique_ptr<Loaded> loaded;  // where it stays: the plant points at it
  std::unique_ptr<Plant> plant;
  std::unique_ptr<PlantRun> run;
  double t = 0;
  Eigen::VectorXd y;

  One(Loaded l, double at, std::uint64_t seed) : loaded(std::make_unique<Loaded>(std::move(l))), t(at) {
    if (!loaded->model) throw std::runtime_error(problems_of(*loaded));
    plant = std::make_unique<Plant>(*loaded->model, "articulated_body");
    run = std::make_unique<PlantRun>(*plant);
    run->start(y);
    Random random(seed);
    for (double& x : y) x += random.uniform(-0.02, 0.02);
    std::vector<Change> changes;
    if (t > 0) run->iterate_events(t, y.data(), changes);
  }
  Eigen::VectorXd derivative() {
    Eigen::VectorXd ydot(y.size());
    run->derivative(t, y.data(), ydot.data());
    return ydot;
  }
};

/// y' of all of them at once, one column each.
Eigen::MatrixXd together(std::vector<One>& all) {
  const std::size_t lanes = PlantBatch::lanes(), size = all[0].plant->size();
  std::vector<const Plant*> plants;
  for (const One& one : all) plants.push_back(one.plant.get());
  PlantBatch batch(plants);
  std::vector<double> t(lanes), y(lanes * size), ydot(lanes * size, 1e300);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    One& one = all[std::min(lane, all.size() - 1)];
    batch.set_discrete(lane, one.run->discrete());
    t[lane] = one.t;
    for (std::size_t k = 0; k < size; ++k) y[k * lanes + lane] = one.y[static_cast<Eigen::Index>(k)];
  }
  batch.derivative(t.data(), y.data(), ydot.data());
  Eigen::MatrixXd columns(size, all.size());
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    for (std::size_t k = 0; k < size; ++k) columns(Eigen::Index(k), Eigen::Index(lane)) = ydot[k * lanes + lane];
  }
  return columns;
}

void expect_agreement(std::vector<One>& all) {
  const Eigen::MatrixXd columns = together(all);
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    const Eigen::VectorXd alone = all[lane].derivative(), packed = columns.col(Eigen::Index(lane));
    ASSERT_TRUE(alone.allFinite());
    const double scale = 1 + (alone.size() == 0 ? 0 : alone.cwiseAbs().maxCoeff());
    for (Eigen::Index k = 0; k < alone.size(); ++k) {
      EXPECT_NEAR(packed[k], alone[k], 1e-10 * scale) << "lane " << lane << ", rate " << k;
    }
  }
}

std::vector<One> five_bodies(std::size_t count, std::uint64_t first = 0) {
  std::vector<One> all;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const std::vector<Override> dispersed = {{"K_platform", std::to_string(3000 + 200 * i)}};
    all.emplace_back(load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/five_body/five_body.yaml", dispersed),
                     0.7 * static_cast<double>(i), i);
  }
  return all;
}

/// A free-flying four-bar with a drive, its masses other in each lane.
TEST(PlantBatch, MechanismsWithLoopsAgreeWithEachAlone) {
  const auto model = [](std::uint64_t i) {
    return load(fmt::format(R"yaml(gyrostat: 1
parameters: {{m: {}}}
bodies:
  bus: {{mass: 20, inertia: [5, 6, 7]}}
  left:  {{mass: m, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  right: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  top:   {{mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
joints:
  a: {{type: revolute, parent: bus, child: left, axis: [0, 0, 1], initial: {{angle: 0.3, rate: -1}}}}
  b: {{type: revolute, parent: bus, child: right, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {{angle: 0.3, rate: -1}}}}
  c: {{type: revolute, parent: left, child: top, parent_point: [0, 1, 0], axis: [0, 0, 1], initial: {{angle: -0.3, rate: 1}}}}
  d: {{type: revolute, parent: top, child: right, parent_point: [1, 0, 0], child_point: [0, {}, 0], axis: [0, 0, 1], cut: true}}
constraints: {{motor: {{coordinate: a.angle, equals: "0.3 - sin(t)"}}}}
simulation: {{duration: 1}}
)yaml",
                            1 + 0.3 * static_cast<double>(i), 1 + 0.001 * static_cast<double>(i)));
  };
  std::vector<One> all;
  for (std::uint64_t i = 0; i < PlantBatch::lanes(); ++i) all.emplace_back(model(i), 0.1 * static_cast<double>(i), i);
  expect_agreement(all);
}

TEST(PlantBatch, EachLaneHasTheStateOfItsStateMachine) {
  const auto model = [](std::uint64_t i) {
    return load(fmt::format(R"yaml(gyrostat: 1
bodies: {{a: {{mass: 1, inertia: [1, 2, 2.5]}}}}
parameters: {{gain: {}}}
signals:
  x: {{integral: "mode.second - x"}}
  mode: {{modes: {{states: {{first: {{to: {{second: t > 0.25}}}}, second: {{entry: {{x: gain}}, to: {{third: t > 0.45}}}}, third: }}}}}}
loads: [{{body: a, torque: ["gain*mode.second + x", "mode", "3*mode.third - a.omega_x"]}}]
simulation: {{duration: 1}}
)yaml",
                            1 + 0.3 * static_cast<double>(i)));
  };
  std::vector<One> all;
  std::vector<double> states;
  for (std::uint64_t i = 0; i < PlantBatch::lanes(); ++i) {
    all.emplace_back(model(i), 0.3 * static_cast<double>(i), i);
    states.push_back(all.back().run->discrete().held[0]);
  }
  EXPECT_EQ(states[0], 0);
  EXPECT_EQ(states[1], 1);
  if (states.size() > 2) {
    EXPECT_EQ(states[2], 2);
  }
  expect_agreement(all);
}

TEST(PlantBatch, HasAsManyLanesAsARegister) {
  EXPECT_TRUE(PlantBatch::lanes() == 2 || PlantBatch::lanes() == 4 || PlantBatch::lanes() == 8);
}

TEST(PlantBatch, FiveBodySpacecraftWithOtherGainsTimesAndJetsAgreeWithEachAlone) {
  for (std::uint64_t first = 0; first < 20; ++first) {
    std::vector<One> all = five_bodies(PlantBatch::lanes(), first);
    expect_agreement(all);
  }
}

TEST(PlantBatch, ALaneHasTheSameBitsWhateverIsInTheOthers) {
  std::vector<One> all = five_bodies(PlantBatch::lanes());
  const Eigen::MatrixXd before = together(all);
  for (std::size_t kept = 0; kept < all.size(); ++kept) {
    std::vector<One> others = five_bodies(PlantBatch::lanes(), 50);
    for (One& other : others) other.y *= 1e7;  // angles beyond the range of the fast sine too
    std::swap(others[kept], all[kept]);
    const Eigen::MatrixXd after = together(others);
    std::swap(others[kept], all[kept]);
    for (Eigen::Index k = 0; k < before.rows(); ++k) {
      EXPECT_EQ(after(k, Eigen::Index(kept)), before(k, Eigen::Index(kept))) << "lane " << kept << ", rate " << k;
    }
  }
}

TEST(PlantBatch, MayHaveFewerPlantsThanLanes) {
  std::vector<One> all = five_bodies(1);
  expect_agreement(all);
}

TEST(PlantBatch, RandomModelsAgreeWithEachAlone) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomFlightOptions options;
    options.gradient = seed % 3 == 1   ? GravityGradient::perturbation
                       : seed % 3 == 2 ? GravityGradient::full
                                       : GravityGradient::none;
    if (options.gradient == GravityGradient::full) options.held = 0;
    std::vector<One> all;
    for (std::size_t lane = 0; lane < PlantBatch::lanes(); ++lane) {
      Description description = RandomFlight(seed, options).make();
      for (BodyDescription& body : description.bodies) body.mass *= 1 + 0.1 * static_cast<double>(lane);
      if (seed % 2 == 0) description.simulation.attitude = "direction_cosines";
      all.emplace_back(load_description(std::move(description)), 0.1 * static_cast<double>(lane), seed + lane);
    }
    expect_agreement(all);
    ++checked;
  }
  EXPECT_EQ(checked, 120u);
}

const std::string delayed_arm = R"yaml(gyrostat: 1
parameters: {k: 5, T: 2}
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 2, com: [1, 0, 0], inertia: [1, 2, 2]}}
joints:
  base: {initial: {omega: [0.1, 0.2, 0.3]}}
  pan: {type: revolute, parent: a, child: b, axis: [0, 0, 1], torque: "-k*d + s + table(f, pan.angle)"}
tables: {f: {x: [-1, 0, 1], y: [0, 0.5, 2], outside: extend}}
signals:
  d: {delay: {input: "sin(3*t)", time: 0.4}}
  s: {sample: {input: "t", period: 0.3}}
simulation: {duration: 5}
)yaml";

TEST(PlantBatch, JointsAreFreeOrLockedLaneByLane) {
  std::vector<One> all;
  for (std::size_t lane = 0; lane < PlantBatch::lanes(); ++lane) {
    all.emplace_back(load(delayed_arm), 0.2 * static_cast<double>(lane), lane);
    DiscreteState discrete = all.back().run->discrete();
    const System& system = all.back().plant->system();
    discrete.free[system.speed("pan.rate")] = lane % 2 == 0;
    all.back().run->set_discrete(std::move(discrete));
  }
  expect_agreement(all);
  const std::size_t rate = all[0].plant->layout().u + all[0].plant->system().speed("pan.rate");
  const Eigen::MatrixXd columns = together(all);
  EXPECT_NE(columns(Eigen::Index(rate), 0), 0);
  EXPECT_EQ(columns(Eigen::Index(rate), 1), 0) << "locked";
}

TEST(PlantBatch, RefusesPlantsOfAnotherStructureAndSaysWhatDiffers) {
  const auto why = [](const std::string& text) -> std::string {
    std::vector<One> all;
    all.emplace_back(load(delayed_arm), 0, 0);
    all.emplace_back(load(text), 0, 0);
    const std::vector<const Plant*> plants = {all[0].plant.get(), all[1].plant.get()};
    try {
      const PlantBatch batch(plants);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const auto with = [](std::string from, const std::string& what, const std::string& by) {
    const std::size_t at = from.find(what);
    return at == std::string::npos ? from : from.replace(at, what.size(), by);
  };
  EXPECT_EQ(why(delayed_arm), "");
  EXPECT_EQ(why(with(delayed_arm, "k: 5", "k: 0")), "") << "another value is no other structure";
  EXPECT_EQ(why(with(delayed_arm, "time: 0.4", "time: 0.8")), "");
  EXPECT_THAT(why(with(delayed_arm, "y: [0, 0.5, 2]", "y: [0, 0.6, 2]")), ::testing::HasSubstr("tables differ"));
  EXPECT_THAT(why(with(delayed_arm, "sin(3*t)", "cos(3*t)")), ::testing::HasSubstr("expressions differ"));
  EXPECT_THAT(why(with(delayed_arm, "s: {sample: {input: \"t\", period: 0.3}}", "s: \"t\"")),
              ::testing::HasSubstr("blocks"));
  EXPECT_THAT(why(with(delayed_arm, "parent: a, child: b", "parent: b, child: a")),
              ::testing::HasSubstr("another structure"));
}

TEST(PlantBatch, RefusesNoneAndTooMany) {
  EXPECT_THROW(PlantBatch batch({}), std::invalid_argument);
  std::vector<One> all = five_bodies(1);
  const std::vector<const Plant*> many(PlantBatch::lanes() + 1, all[0].plant.get());
  EXPECT_THROW(PlantBatch batch(many), std::invalid_argument);
}

}  // namespace
}  // namespace gyrostat::testing
