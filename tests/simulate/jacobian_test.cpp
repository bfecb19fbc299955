// The exact derivatives of the right-hand side against differences of it, and what they are good for.
#include <gtest/gtest.h>

#include "gyrostat/plant/run.h"

#include "support/closed_loops.h"
#include "support/flight.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace {

/// Central differences of fourth order.
Eigen::MatrixXd differences(PlantRun& run, double t, const Eigen::VectorXd& y) {
  const auto n = static_cast<Eigen::Index>(run.plant().size());
  Eigen::MatrixXd J(n, n);
  const auto rates = [&](Eigen::Index k, double by) {
    Eigen::VectorXd at = y, ydot(n);
    at[k] += by;
    run.derivative(t, at.data(), ydot.data());
    return ydot;
  };
  for (Eigen::Index k = 0; k < n; ++k) {
    const double h = 2e-4;
    J.col(k) = (8 * (rates(k, h) - rates(k, -h)) - (rates(k, 2 * h) - rates(k, -2 * h))) / (12 * h);
  }
  return J;
}

/// Largest deviation over the size of what the differences are taken of: about 1e-16 / h + h^4.
double deviation(PlantRun& run, double t, const Eigen::VectorXd& y) {
  const auto n = static_cast<Eigen::Index>(run.plant().size());
  if (n == 0) return 0;
  Eigen::MatrixXd J = Eigen::MatrixXd::Constant(n, n, 1e300);
  Eigen::VectorXd ydot(n);
  run.derivative(t, y.data(), ydot.data());
  run.jacobian(t, y.data(), J.data());
  const double scale = 1 + J.cwiseAbs().maxCoeff() + ydot.cwiseAbs().maxCoeff();
  return (J - differences(run, t, y)).cwiseAbs().maxCoeff() / scale;
}

constexpr double rounding = 1e-8;

/// At the start, and at another instant at a state nearby whose attitudes are not quite of unit length.
void expect_exact(const Loaded& loaded, std::uint64_t seed) {
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Plant plant(*loaded.model, loaded.model->description.simulation.formulation);
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start(y);
  EXPECT_LT(deviation(run, 0, y), rounding) << "seed " << seed;
  Random random(seed);
  for (double& x : y) x += random.uniform(-0.01, 0.01);
  EXPECT_LT(deviation(run, 0.3, y), rounding) << "seed " << seed << ", off the start";
}

void expect_exact_for_random_models(const char* attitude, GravityGradient gradient, std::uint64_t first) {
  for (std::uint64_t seed = first; seed < first + 150; ++seed) {
    RandomFlightOptions options;
    options.gradient = gradient;
    if (gradient == GravityGradient::full) options.held = 0;  // the world's origin attracts
    options.massless = seed % 3 == 0 ? 0.15 : 0;
    Description description = RandomFlight(seed, options).make();
    description.simulation.attitude = attitude;
    expect_exact(load_description(std::move(description)), seed);
  }
}

TEST(PlantJacobian, IsExactWithQuaternions) { expect_exact_for_random_models("quaternion", GravityGradient::none, 0); }
TEST(PlantJacobian, IsExactWithDirectionCosines) {
  expect_exact_for_random_models("direction_cosines", GravityGradient::none, 1000);
}
TEST(PlantJacobian, IsExactInAGradientOfGravityAlongAGivenOrbit) {
  expect_exact_for_random_models("quaternion", GravityGradient::perturbation, 2000);
}
TEST(PlantJacobian, IsExactWhereTheOrbitIsIntegratedAlong) {
  expect_exact_for_random_models("direction_cosines", GravityGradient::full, 3000);
}

/// Random models with loops of all joint types at their start, away from singular configurations, where derivatives
/// grow; `check` gets a run, its y and the seed.
template <class Check>
void with_random_loops(bool feedback, Check check) {
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Description d = with_loops(seed, random_description(seed, {.least_bodies = 2, .most_bodies = 5, .massless = 0}));
    d.simulation.baumgarte = feedback && seed % 2 == 0;
    d.simulation.alpha = d.simulation.beta = d.simulation.baumgarte ? 3 : 0;
    const Loaded loaded = load_description(std::move(d));
    if (!loaded.model || loaded.model->system.constraints.empty()) continue;
    const Plant plant(*loaded.model, "articulated_body");
    PlantRun run(plant);
    Eigen::VectorXd y;
    run.start(y);
    run.evaluate(0, y.data(), Stage::acceleration);
    if ((run.assembly() && !run.assembly()->closed()) || !(run.solved_closures().health > 1e-2)) continue;
    check(run, y, seed);
    ++tested;
  }
  EXPECT_GT(tested, 40);
}

/// With feedback of violations the state need not satisfy the constraints.
TEST(PlantJacobian, IsExactUnderConstraints) {
  with_random_loops(true, [](PlantRun& run, const Eigen::VectorXd& y, std::uint64_t seed) {
    EXPECT_LT(deviation(run, 0, y), 1e-6) << "seed " << seed;
  });
}

/// In descriptor form: by multipliers too, which have any values; mu is zero, where the part that is left out vanishes.
TEST(DescriptorJacobian, IsExactUnderConstraints) {
  with_random_loops(false, [](PlantRun& run, const Eigen::VectorXd& y, std::uint64_t seed) {
    const Eigen::Index n = y.size(), rows = static_cast<Eigen::Index>(run.kept_rows());
    Random random(seed);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n + 2 * rows);
    x.head(n) = y;
    for (double& lambda : x.segment(n, rows)) lambda = random.uniform(-2, 2);
    const auto value = [&](Eigen::Index k, double by) {
      Eigen::VectorXd at = x, out(x.size());
      at[k] += by;
      run.descriptor(0, at.data(), at.data() + n, out.data(), out.data() + n);
      return out;
    };
    Eigen::MatrixXd J(x.size(), x.size()), differences(x.size(), x.size());
    run.descriptor_jacobian(0, x.data(), x.data() + n, J.data());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double h = 2e-4;
      differences.col(k) = (8 * (value(k, h) - value(k, -h)) - (value(k, 2 * h) - value(k, -2 * h))) / (12 * h);
    }
    const double scale = 1 + J.cwiseAbs().maxCoeff() + value(0, 0).cwiseAbs().maxCoeff();
    EXPECT_LT((J - differences).cwiseAbs().maxCoeff() / scale, rounding) << "seed " << seed;
  });
}

/// With its multipliers, descriptor form has the accelerations of the constrained equations of motion.
TEST(Descriptor, HasTheRatesOfTheEquationsOfMotion) {
  with_random_loops(false, [](PlantRun& run, const Eigen::VectorXd& y, std::uint64_t seed) {
    const Eigen::Index n = y.size(), rows = static_cast<Eigen::Index>(run.kept_rows());
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(2 * rows), rates(n), residuals(2 * rows), expected(n);
    run.find_multipliers(0, y.data(), lambda.data());
    run.descriptor(0, y.data(), lambda.data(), rates.data(), residuals.data());
    run.derivative(0, y.data(), expected.data());
    EXPECT_LT((rates - expected).cwiseAbs().maxCoeff(), 1e-9 * (1 + expected.cwiseAbs().maxCoeff())) << seed;
    EXPECT_LT(residuals.norm(), 1e-9) << seed;
  });
}

/// Every observable quantity, every smooth function and block in one loop of feedback.
const std::string sensors = R"yaml(gyrostat: 1
tables: {bend: {x: [-9, -1, 1, 9], y: [1, 3, 2, 5], interpolation: cubic, outside: extend}}
bodies:
  a:
    mass: 3
    com: [0.1, 0.2, 0.3]
    inertia: [2, 2.5, 3]
    points: {p: [1, 0, 0.5]}
    wheels: {w: {axis: [1, 1, 0], inertia: 0.2, rate: 5,
                 torque: "command - 0.1*a.w.angle", stiffness: 0.5, damping: 0.1}}
  b: {mass: 1, com: [0, 1, 0], inertia: [1, 1.2, 1.3]}
  c: {mass: 1, com: [0, 1, 0], inertia: [1, 1.2, 1.3]}
joints:
  base: {initial: {orientation: {axis: [1, 2, 3], angle: 1}, omega: [0.3, 0.2, 0.1], position: [7, 1, 2],
                   velocity: [1, 4, 0.5]}}
  ball: {type: spherical, parent: a, child: b, parent_point: [1, 1, 1], damping: 0.3, torque: [command, mix, table_of],
         initial: {orientation: {axis: [0, 2, 3], angle: 0.7}, omega: [0.3, -0.2, 0.1]}}
  slide: {type: cylindrical, parent: c, child: b, axis: [1, 0, 1], initial: {angle: 0.3, displacement: 0.2},
          stiffness: [{table: bend}, 3],
          damping: [0.5, 0.2], thermal: {time_constant: 2, steady: [0.3, 0.1], factor: "0.5 + a.C11"}}
signals:
  mix: "base.quaternion_x + 1*ball.omega_y*ball.quaternion_w + 1*a.p.velocity_x*b.position_y - c.quaternion_z
        + 1*slide.speed + 1*c.roll + sin(b.pitch) + 1*a.yaw"
  table_of: "table(bend, b.omega_x) + system.com_x + system.momentum_z + 0.01*system.energy"
  orbit_of: "1*orbit.radius + sin(orbit.true_anomaly) + orbit.nadir_y + sun.x"
  functions: "exp(-mix^2) + log(2 + mix^2) + atan2(a.C23, 3 + a.C33) + sqrt(5 + mix)
              + tan(0.1*mix) + asin(0.2*a.C12) + acos(0.2*a.C13) + 2^(0.1*mix)"
  track: {integral: "mix - 0.2*track", initial: 0.3}
  lag: {transfer_function: {input: "functions", numerator: [1, 2, 3], denominator: [1, 2, 4, 3], initial: 0.1}}
  pid: {pid: {input: "lag - orbit_of", kp: 1, ki: 2, kd: 0.1, filter: 0.3, initial: 0.2}}
  command: {saturate: {input: "0.1*pid + track", low: -1e4, high: 1e4}}
loads:
  - {body: b, force: ["command", "mix", 1], torque: [lag, 0, 1], point: [1, 2, 3], axes: world}
  - {spring: {from: [a, p], to: [c, [0, 1, 2]], stiffness: {table: bend}, damping: 0.3, length: 0.4, force: "lag"}}
  - {thruster: {body: c, point: [0, 1, 1], direction: [1, 1, 0], thrust: "mix", command: "1 + lag"}}
  - {torque_between: {from: a, to: c, axis: [1, 0, 2], torque: "pid"}}
)yaml";

TEST(PlantJacobian, IsExactForEverySensorAndBlock) {
  for (const char* attitude : {"quaternion", "direction_cosines"}) {
    for (const char* gradient : {"perturbation", "full"}) {
      SCOPED_TRACE(std::string(attitude) + ", " + gradient);
      expect_exact(
          load(sensors + "environment: {gravity_gradient: " + gradient +
               ", sun: {direction: [1, 2, 0]}, orbit: {semi_major_axis: 10, eccentricity: 0.2, inclination: 1, "
               "center: {mu: 60, radius: 1}}}\nsimulation: {duration: 1, attitude: " +
               attitude + "}\n"),
          7);
    }
  }
}

TEST(PlantJacobian, KnowsThatGyroscopicTermsAreDropped) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Description description = RandomFlight(seed, {}).make();
    description.simulation.gyroscopic = false;
    expect_exact(load_description(std::move(description)), seed);
  }
}

/// Two bodies on a damped spring, and one that swings slowly.
const std::string stiff = R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  slow: {type: revolute, parent: world, child: a, axis: [0, 0, 1], stiffness: 1, initial: {angle: 0.5}}
  fast: {type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 1e8, damping: 2e4}
simulation: {duration: 5, integrator: {method: cvode_bdf, tolerance: 1e-7}}
)";

TEST(PlantJacobian, LetsAStiffModelTakeLongSteps) {
  const Flight bdf(stiff), dopri5(stiff, [](RunSettings&s) { s.integrator.method = "dopri5"; });
  ASSERT_EQ(bdf.outcome.kind, Outcome::Kind::finished);
  ASSERT_EQ(dopri5.outcome.kind, Outcome::Kind::finished);
  EXPECT_LT(50 * bdf.simulation.statistics().steps, dopri5.simulation.statistics().steps);
  // both bodies swing as one, with I = 2 and k = 1
  EXPECT_NEAR(bdf.last("slow.angle"), 0.5 * std::cos(std::sqrt(0.5) * 5), 1e-5);
}

}  // namespace
}  // namespace gyrostat::testing
