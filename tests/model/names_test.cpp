// What names in expressions mean: every name of the model format's list, and what is said of those that mean nothing.
#include "gyrostat/model/names.h"

#include <fmt/format.h>

#include "support/load.h"

namespace gyrostat {
namespace {

using ::testing::HasSubstr;

/// Everything that can be named. Bodies: 0 bus, 1 hub, 2 tip. Joints: 0 base, 1 pan, 2 slide, 3 hub.
const Description& example() {
  static const Loaded loaded = testing::load(R"yaml(gyrostat: 1
parameters: {gain: 2, limit: 3}
bodies:
  bus:
    mass: 10
    inertia: [3, 3, 3]
    points: {aft: [0, 0, -1], jet: [1, 0, 0]}
    wheels: {rw1: {axis: [1, 0, 0], inertia: 0.1}, rw2: {axis: [0, 1, 0], inertia: 0.1}}
  hub: {mass: 1, inertia: [1, 1, 1]}
  tip: {mass: 1, inertia: [1, 1, 1]}
joints:
  base: {}
  pan: {type: revolute, parent: bus, child: hub, axis: [0, 0, 1]}
  slide: {type: cylindrical, parent: hub, child: tip, axis: [0, 0, 1]}
  hub: {type: gimbal, parent: tip, child: world, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], cut: true}
signals:
  error: "gain*pan.angle"
  estimator:
    state_space: {inputs: [error], a: [[-1]], b: [[1]], c: [[1], [2]], outputs: [angle, bias]}
  mode: {modes: {states: {idle: {to: {busy: t}}, busy: }}}
environment:
  orbit: {semi_major_axis: 7000 km}
  sun: {direction: [1, 0, 0]}
)yaml");
  EXPECT_TRUE(loaded.model) << testing::problems_of(loaded);
  return loaded.model->description;
}

void expect_means(std::string_view name, Quantity quantity, std::uint32_t object = 0, std::uint32_t part = 0,
                  std::uint32_t component = 0) {
  const Names names(example());
  const auto answer = names.resolve(name);
  if (const auto* why = std::get_if<std::string>(&answer)) FAIL() << name << ": " << *why;
  const Reference& r = std::get<Reference>(answer);
  EXPECT_EQ(r.quantity, quantity) << name;
  EXPECT_EQ(r.object, object) << name;
  EXPECT_EQ(r.part, part) << name;
  EXPECT_EQ(r.component, component) << name;
}

void expect_xyz(std::string_view prefix, Quantity quantity, std::uint32_t object = 0, std::uint32_t part = 0) {
  for (std::uint32_t i = 0; i < 3; ++i) expect_means(fmt::format("{}{}", prefix, "xyz"[i]), quantity, object, part, i);
}

std::string refusal(std::string_view name, const Description& description = example()) {
  const Names names(description);
  const auto answer = names.resolve(name);
  const auto* why = std::get_if<std::string>(&answer);
  EXPECT_NE(why, nullptr) << name << " means something";
  return why == nullptr ? "" : *why;
}

TEST(Names, OfTimeParametersAndSignalsStandByThemselves) {
  expect_means("t", Quantity::time);
  expect_means("gain", Quantity::parameter, 0);
  expect_means("limit", Quantity::parameter, 1);
  expect_means("error", Quantity::signal, 0);
  expect_means("estimator.angle", Quantity::signal, 1, 0);
  expect_means("estimator.bias", Quantity::signal, 1, 1);
  expect_means("mode", Quantity::signal, 2, 0);
  expect_means("mode.idle", Quantity::signal, 2, 1);
  expect_means("mode.busy", Quantity::signal, 2, 2);
}

TEST(Names, OfJointsAreThoseOfTheirCoordinatesAndSpeeds) {
  expect_means("pan.angle", Quantity::joint_coordinate, 1);
  expect_means("pan.rate", Quantity::joint_speed, 1);
  expect_means("slide.angle", Quantity::joint_coordinate, 2, 0, 0);
  expect_means("slide.displacement", Quantity::joint_coordinate, 2, 0, 1);
  expect_means("slide.rate", Quantity::joint_speed, 2, 0, 0);
  expect_means("slide.speed", Quantity::joint_speed, 2, 0, 1);
  for (std::uint32_t i = 0; i < 3; ++i) {
    expect_means(fmt::format("hub.angle{}", i + 1), Quantity::joint_coordinate, 3, 0, i);
    expect_means(fmt::format("hub.rate{}", i + 1), Quantity::joint_speed, 3, 0, i);
  }
  expect_xyz("base.position_", Quantity::joint_coordinate, 0);
  expect_xyz("base.omega_", Quantity::joint_speed, 0);
}

TEST(Names, OfBodiesAreThoseOfTheirMotion) {
  expect_xyz("bus.omega_", Quantity::body_omega, 0);
  expect_xyz("tip.position_", Quantity::body_position, 2);
  expect_xyz("tip.velocity_", Quantity::body_velocity, 2);
  for (std::uint32_t i = 0; i < 4; ++i)
    expect_means(fmt::format("tip.quaternion_{}", "wxyz"[i]), Quantity::body_quaternion, 2, 0, i);
  for (std::uint32_t i = 0; i < 3; ++i) {
    for (std::uint32_t k = 0; k < 3; ++k)
      expect_means(fmt::format("bus.C{}{}", i + 1, k + 1), Quantity::body_direction_cosine, 0, 0, 3 * i + k);
  }
}

TEST(Names, OfPointsAndWheelsHaveThreeParts) {
  expect_xyz("bus.aft.position_", Quantity::point_position, 0, 0);
  expect_xyz("bus.jet.position_", Quantity::point_position, 0, 1);
  expect_xyz("bus.jet.velocity_", Quantity::point_velocity, 0, 1);
  expect_means("bus.rw1.angle", Quantity::wheel_angle, 0, 0);
  expect_means("bus.rw2.angle", Quantity::wheel_angle, 0, 1);
  expect_means("bus.rw2.rate", Quantity::wheel_rate, 0, 1);
}

TEST(Names, OfTheWholeTheOrbitAndTheSun) {
  expect_xyz("system.com_", Quantity::system_com);
  expect_xyz("system.momentum_", Quantity::system_momentum);
  expect_means("system.energy", Quantity::system_energy);
  expect_means("orbit.radius", Quantity::orbit_radius);
  expect_means("orbit.true_anomaly", Quantity::orbit_true_anomaly);
  expect_xyz("orbit.nadir_", Quantity::orbit_nadir);
  expect_xyz("sun.", Quantity::sun_direction);
}

TEST(Names, SharedByABodyAndAJointMeanWhicheverHasTheQuantity) {
  expect_means("hub.angle2", Quantity::joint_coordinate, 3, 0, 1);
  expect_means("hub.omega_x", Quantity::body_omega, 1, 0, 0);
  EXPECT_THAT(refusal("hub.omega_w"), HasSubstr("did you mean 'omega_"))
      << "the body's names are near, the joint's not";
}

TEST(Names, OfABodyAreItsOwnThoughAJointOfTheSameNameHasThemToo) {
  // The format gives BODY.omega_x one meaning: the inertial angular velocity. That of a spherical joint is relative.
  Description d;
  d.bodies.resize(1);
  d.bodies[0].name = "ball";
  d.joints.resize(1);
  d.joints[0].name = "ball";
  d.joints[0].type = JointType::spherical;
  const Names names(d);
  for (const char* name : {"ball.omega_x", "ball.quaternion_w"}) {
    const auto answer = names.resolve(name);
    const auto* reference = std::get_if<Reference>(&answer);
    if (reference == nullptr) continue;  // refused as ambiguous
    EXPECT_TRUE(reference->quantity == Quantity::body_omega || reference->quantity == Quantity::body_quaternion)
        << name;
  }
}

TEST(Names, ThatAreMisspeltAreAnsweredWithTheNearest) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"gian", "no parameter or signal 'gian'; did you mean 'gain'?"},
      {"eror", "no parameter or signal 'eror'; did you mean 'error'?"},
      {"pann.angle", "no body, joint or signal 'pann'; did you mean 'pan'?"},
      {"buss.omega_x", "no body, joint or signal 'buss'; did you mean 'bus'?"},
      {"sytem.energy", "no body, joint or signal 'sytem'; did you mean 'system'?"},
      {"estimater.bias", "did you mean 'estimator'?"},
      {"pan.angel", "the joint 'pan' has no 'angel'; did you mean 'angle'?"},
      {"bus.omega_z1", "the body 'bus' has no 'omega_z1'; did you mean 'omega_z'?"},
      {"estimator.bais", "the signal 'estimator' has no 'bais'; did you mean 'bias'?"},
      {"mode.bussy", "the state machine 'mode' has no 'bussy'; did you mean 'busy'?"},
      {"buss.rw1.rate", "no body 'buss'; did you mean 'bus'?"},
      {"bus.rw3.rate", "the body 'bus' has no wheel or point 'rw3'; did you mean 'rw"},
      {"bus.jte.position_x", "the body 'bus' has no wheel or point 'jte'; did you mean 'jet'?"},
      {"bus.rw1.rat", "the wheel 'rw1' has no 'rat'; did you mean 'rate'?"},
      {"bus.jet.positon_x", "the point 'jet' has no 'positon_x'; did you mean 'position_x'?"},
      {"system.entropy", "'system' has no 'entropy'; it has com_x"},
      {"orbit.height", "'orbit' has no 'height'; it has radius, true_anomaly"},
  };
  for (const auto& [name, message] : cases) EXPECT_THAT(refusal(name), HasSubstr(message)) << name;
}

TEST(Names, OfObjectsAloneAreAnsweredWithAQuantityOfThem) {
  EXPECT_THAT(refusal("bus"), HasSubstr("'bus' is a body; write a quantity of it, like bus.omega_x"));
  EXPECT_THAT(refusal("pan"), HasSubstr("'pan' is a joint; write a quantity of it, like pan.angle"));
  EXPECT_THAT(refusal("estimator"), HasSubstr("the signal 'estimator' has outputs; write estimator.angle"));
}

TEST(Names, OfOrbitAndSunNeedAnOrbitAndASun) {
  Description d = example();
  d.environment.orbit.reset();
  d.environment.sun.reset();
  EXPECT_THAT(refusal("orbit.radius", d), HasSubstr("the model has no orbit"));
  EXPECT_THAT(refusal("sun.x", d), HasSubstr("the model has no sun"));
}

TEST(Names, ThatAreOddAreRefusedWithoutAFault) {
  for (const char* name :
       {"", ".", "..", "bus.", ".omega_x", "bus..rate", "bus.rw1.", "bus.rw1.rate.x", "pan.angle.x", "bus.C00",
        "bus.C14", "bus.C1", "pan.angle1", "slide.angle1", "hub.angle", "world.omega_x"}) {
    EXPECT_FALSE(refusal(name).empty()) << name;
  }
}

TEST(Names, AreFoundByKind) {
  const Names names(example());
  EXPECT_EQ(names.body("hub"), 1U);
  EXPECT_EQ(names.joint("hub"), 3U);
  EXPECT_EQ(names.signal("error"), 0U);
  EXPECT_EQ(names.parameter("limit"), 1U);
  EXPECT_FALSE(names.table("hub"));
  EXPECT_FALSE(names.body("world"));
  EXPECT_EQ(names.no_joint("pna"), "no joint 'pna'; did you mean 'pan'?");
  EXPECT_EQ(names.no_point(0, "jte"), "the body 'bus' has no point 'jte'; did you mean 'jet'?");
}

}  // namespace
}  // namespace gyrostat
