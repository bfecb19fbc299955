// Environment, simulation and output arrive in their places.
#include <numbers>

#include "gyrostat/format/format.h"

#include "support/problem_case.h"

namespace gyrostat {
namespace read_settings_test {

using std::numbers::pi;
using testing::expect_near;

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

Description with(const std::string& section) {
  return testing::description_of(
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {pan: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}}\n" +
      section + "\n");
}

TEST(ReadEnvironment, IsEmptySpaceByDefault) {
  const EnvironmentDescription e = with("").environment;
  expect_near(e.gravity, Vector3::Zero());
  EXPECT_FALSE(e.orbit);
  EXPECT_EQ(e.gravity_gradient, GravityGradient::none);
  EXPECT_FALSE(e.sun);
}

TEST(ReadEnvironment, HasUniformGravity) {
  expect_near(with("environment: {gravity: {uniform: [0, 1 km/s^2, -9.81]}}").environment.gravity,
              Vector3(0, 1000, -9.81));
}

TEST(ReadEnvironment, HasAnOrbit) {
  const EnvironmentDescription e = with(R"(environment:
  orbit: {semi_major_axis: 7000 km, eccentricity: 0.01, inclination: 90 deg, raan: 1, argument_of_periapsis: 2 deg,
          time_of_periapsis: 1 min, center: earth}
  gravity_gradient: perturbation)")
                                       .environment;
  ASSERT_TRUE(e.orbit);
  EXPECT_EQ(e.orbit->semi_major_axis, 7e6);
  EXPECT_EQ(e.orbit->eccentricity, 0.01);
  EXPECT_DOUBLE_EQ(e.orbit->inclination, pi / 2);
  EXPECT_EQ(e.orbit->raan, 1);
  EXPECT_DOUBLE_EQ(e.orbit->argument_of_periapsis, pi / 90);
  EXPECT_EQ(e.orbit->time_of_periapsis, 60);
  EXPECT_EQ(e.orbit->mu, 3.986004418e14);
  EXPECT_EQ(e.orbit->radius, 6378137);
  EXPECT_EQ(e.gravity_gradient, GravityGradient::perturbation);
}

TEST(ReadEnvironment, HasAnOrbitAboutAnythingWithAGravityParameter) {
  const EnvironmentDescription e = with(
                                       "environment: {orbit: {semi_major_axis: 4000 km, center: {mu: 42828 km^3/s^2, "
                                       "radius: 3396 km}}, gravity_gradient: full}")
                                       .environment;
  ASSERT_TRUE(e.orbit);
  EXPECT_DOUBLE_EQ(e.orbit->mu, 4.2828e13);
  EXPECT_DOUBLE_EQ(e.orbit->radius, 3.396e6);
  EXPECT_EQ(e.gravity_gradient, GravityGradient::full);
}

TEST(ReadEnvironment, HasASun) {
  const EnvironmentDescription e = with("environment: {sun: {direction: [0, 0, 2]}}").environment;
  ASSERT_TRUE(e.sun);
  expect_near(*e.sun, Vector3::UnitZ());
}

TEST(ReadSimulation, HasDefaults) {
  const SimulationDescription s = with("").simulation;
  EXPECT_EQ(s.formulation, "articulated_body");
  EXPECT_EQ(s.method, "cvode_adams");
  EXPECT_EQ(s.tolerance, 1e-9);
  EXPECT_TRUE(s.gyroscopic);
  EXPECT_TRUE(s.gyroscopic_dropped.empty());
  EXPECT_EQ(s.attitude, "quaternion");
  EXPECT_EQ(s.computing_frame, "inertial");
}

TEST(ReadSimulation, ChoosesFormulationIntegratorAttitudeAndFrame) {
  const SimulationDescription s = with(R"(simulation:
  duration: 2 h
  formulation: linear_total
  integrator: {method: cvode_bdf, tolerance: 1e-6}
  gyroscopic: false
  attitude: direction_cosines
  computing_frame: body
  about: {pan: 219 deg}
  linearized: [pan])")
                                      .simulation;
  EXPECT_EQ(s.duration, 7200);
  EXPECT_EQ(s.formulation, "linear_total");
  EXPECT_EQ(s.method, "cvode_bdf");
  EXPECT_EQ(s.tolerance, 1e-6);
  EXPECT_FALSE(s.gyroscopic);
  EXPECT_EQ(s.attitude, "direction_cosines");
  EXPECT_EQ(s.computing_frame, "body");
  ASSERT_EQ(s.about.size(), 1U);
  EXPECT_EQ(s.about[0].first, "pan");
  EXPECT_EQ(s.about[0].second, (Numbers{219 * (pi / 180)}));
  EXPECT_EQ(s.linearized, (Texts{"pan"}));
}

TEST(ReadSimulation, EveryFormulationAndMethodIsKnown) {
  for (const std::string_view name : format::formulations)
    EXPECT_EQ(with("simulation: {formulation: " + std::string(name) + "}").simulation.formulation, name);
  for (const std::string_view name : format::methods) {
    const std::string step = name == "rk4" ? ", step: 10 ms" : "";
    const SimulationDescription s =
        with("simulation: {integrator: {method: " + std::string(name) + step + "}}").simulation;
    EXPECT_EQ(s.method, name);
    EXPECT_EQ(s.step, step.empty() ? 0 : 0.01);
  }
}

TEST(ReadSimulation, DropsGyroscopicTermsOfSomeBodies) {
  const SimulationDescription s = with("simulation: {gyroscopic: [b, a], about: {pan: [1]}}").simulation;
  EXPECT_TRUE(s.gyroscopic);
  EXPECT_EQ(s.gyroscopic_dropped, (Texts{"b", "a"}));
  EXPECT_EQ(s.about.at(0).second, (Numbers{1}));
}

TEST(ReadOutput, SaysWhatIsRecordedAndHowOften) {
  const OutputDescription o =
      with("output: {interval: 60 ms, record: [a.omega_x, pan.angle, t], reactions: [pan]}").output;
  EXPECT_DOUBLE_EQ(o.interval, 0.06);
  ASSERT_TRUE(o.record);
  EXPECT_EQ(*o.record, (Texts{"a.omega_x", "pan.angle", "t"}));
  EXPECT_EQ(o.reactions, (Texts{"pan"}));
}

TEST(ReadOutput, RecordingNothingIsNotTheSameAsTheDefault) {
  EXPECT_FALSE(with("output: {interval: 1}").output.record);
  const OutputDescription o = with("output: {record: []}").output;
  ASSERT_TRUE(o.record);
  EXPECT_TRUE(o.record->empty());
}

}  // namespace read_settings_test
}  // namespace gyrostat
