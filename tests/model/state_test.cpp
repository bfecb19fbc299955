// The layout of the state, and the mass properties of the whole.
#include <cstdlib>
#include <numbers>
#include <set>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "support/assemble.h"
#include "support/load.h"
#include "support/random_model.h"
#include "support/reference.h"

namespace gyrostat {
namespace state_test {

using testing::assemble;
using testing::Assembled;
using ::testing::ElementsAre;
using testing::random_description;
using testing::solid;

std::vector<std::string> written(const std::vector<StateEntry>& entries) {
  std::vector<std::string> list;
  for (const StateEntry& e : entries) {
    const char* motion = e.motion == Motion::locked ? " locked" : e.motion == Motion::prescribed ? " prescribed" : "";
    list.push_back(fmt::format("{} [{}]{}", e.name, e.unit, motion));
  }
  return list;
}

Loaded example() {
  return testing::load(R"yaml(gyrostat: 1
bodies:
  bus:
    mass: 10
    inertia: [3, 3, 3]
    wheels:
      rw1: {axis: [1, 0, 0], inertia: 0.1, rate: 5}
      rw2: {axis: [0, 1, 0], inertia: 0.1, speed: "6 + t"}
  arm:
    mass: 1
    inertia: [1, 1, 1]
    wheels: {spin: {axis: [0, 0, 1], inertia: 0.2, rate: 60 rpm}}
  slider: {mass: 1, inertia: [1, 1, 1]}
joints:
  tool: {type: cylindrical, parent: arm, child: slider, axis: [0, 0, 1], locked: true,
         initial: {angle: 0.3, displacement: 0.4}}
  elbow: {type: universal, parent: arm, child: bus, axes: [[1, 0, 0], [0, 1, 0]],
          initial: {angles: [0.1, 0.2], rates: [0.5, 0.6]}, prescribed: {acceleration: "sin(t)"}}
  base: {initial: {position: [1, 2, 3], velocity: [4, 5, 6], omega: [7, 8, 9],
         orientation: {axis: [0, 0, 1], angle: 90 deg}}}
)yaml");
  ;
}

TEST(State, ListsJointsInTheOrderOfTheTreeThenWheels) {
  const Loaded loaded = example();
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  EXPECT_THAT(written(coordinate_entries(loaded.model->system)),
              ElementsAre("base.position_x [m]", "base.position_y [m]", "base.position_z [m]", "base.quaternion_w [1]",
                          "base.quaternion_x [1]", "base.quaternion_y [1]", "base.quaternion_z [1]",
                          "elbow.angle1 [rad] prescribed", "elbow.angle2 [rad] prescribed", "tool.angle [rad] locked",
                          "tool.displacement [m] locked", "bus.rw1.angle [rad]", "bus.rw2.angle [rad] prescribed",
                          "arm.spin.angle [rad]"));
  EXPECT_THAT(
      written(speed_entries(loaded.model->system)),
      ElementsAre("base.omega_x [rad/s]", "base.omega_y [rad/s]", "base.omega_z [rad/s]", "base.velocity_x [m/s]",
                  "base.velocity_y [m/s]", "base.velocity_z [m/s]", "elbow.rate1 [rad/s] prescribed",
                  "elbow.rate2 [rad/s] prescribed", "tool.rate [rad/s] locked", "tool.speed [m/s] locked",
                  "bus.rw1.rate [rad/s]", "bus.rw2.rate [rad/s] prescribed", "arm.spin.rate [rad/s]"));
}

TEST(State, BeginsWithTheInitialValuesOfTheFile) {
  const Loaded loaded = example();
  ASSERT_TRUE(loaded.model);
  const State& s = loaded.model->system.initial;
  const double half = std::sqrt(0.5);
  const std::vector<double> q = {1, 2, 3, half, 0, 0, half, 0.1, 0.2, 0.3, 0.4, 0, 0, 0};
  const std::vector<double> u = {7, 8, 9, 4, 5, 6, 0.5, 0.6, 0, 0, 5, 6, 2 * std::numbers::pi};
  ASSERT_EQ(s.q.size(), static_cast<Eigen::Index>(q.size()));
  ASSERT_EQ(s.u.size(), static_cast<Eigen::Index>(u.size()));
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(s.q[static_cast<Eigen::Index>(i)], q[i], 1e-15) << i;
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(s.u[static_cast<Eigen::Index>(i)], u[i], 1e-14) << i;
}

TEST(State, CountsDegreesOfFreedom) {
  const Loaded loaded = example();
  ASSERT_TRUE(loaded.model);
  const DegreesOfFreedom f = count_degrees_of_freedom(loaded.model->system);
  EXPECT_EQ(f.free, 6U);
  EXPECT_EQ(f.locked, 2U);
  EXPECT_EQ(f.prescribed, 2U);
  EXPECT_EQ(f.wheels, 2U);
  EXPECT_EQ(f.wheels_prescribed, 1U);
}

TEST(State, OfRandomModelsHasNoGapsAndNoOverlaps) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Assembled a = assemble(random_description(seed));
    const System& s = a.system;
    const Names names(a.description);
    Eigen::Index q = 0, u = 0;
    DegreesOfFreedom expected;
    for (std::size_t i = 1; i < s.joints.size(); ++i) {
      const Joint& joint = s.joints[i];
      const JointDescription& d = a.description.joints[*names.joint(joint.name)];
      EXPECT_EQ(joint.q, q);
      EXPECT_EQ(joint.u, u);
      for (const double value : d.position) EXPECT_EQ(s.initial.q[q++], value);
      for (const double value : d.speed) EXPECT_EQ(s.initial.u[u++], value);
      (d.locked                                      ? expected.locked
       : d.prescribed.kind != Prescribed::Kind::none ? expected.prescribed
                                                     : expected.free) += d.speed.size();
    }
    for (const Wheel& wheel : s.wheels) {
      const BodyDescription& body = a.description.bodies[*names.body(s.bodies[wheel.body].name)];
      const auto d = std::find_if(body.wheels.begin(), body.wheels.end(),
                                  [&](const WheelDescription& w) { return w.name == wheel.name; });
      EXPECT_EQ(wheel.q, q);
      EXPECT_EQ(wheel.u, u);
      EXPECT_EQ(s.initial.q[q++], 0) << "wheels begin at angle zero";
      EXPECT_EQ(s.initial.u[u++], d->rate);
      ++(d->speed.empty() ? expected.wheels : expected.wheels_prescribed);
    }
    EXPECT_EQ(s.initial.q.size(), q);
    EXPECT_EQ(s.initial.u.size(), u);
    EXPECT_EQ(coordinate_entries(s).size(), static_cast<std::size_t>(q));
    EXPECT_EQ(speed_entries(s).size(), static_cast<std::size_t>(u));
    const DegreesOfFreedom f = count_degrees_of_freedom(s);
    EXPECT_EQ(
        std::tie(f.free, f.locked, f.prescribed, f.wheels, f.wheels_prescribed),
        std::tie(expected.free, expected.locked, expected.prescribed, expected.wheels, expected.wheels_prescribed));
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(State, EntriesHaveTheNamesThatExpressionsUse) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Assembled a = assemble(random_description(seed));
    const Names names(a.description);
    std::set<std::string> distinct;
    for (const auto& list : {coordinate_entries(a.system), speed_entries(a.system)}) {
      for (const StateEntry& entry : list) {
        EXPECT_TRUE(std::holds_alternative<Reference>(names.resolve(entry.name))) << entry.name;
        EXPECT_TRUE(distinct.insert(entry.name).second) << entry.name << " occurs twice";
      }
    }
  }
}

TEST(State, OfADescriptionWithoutInitialValuesHasQuaternionsOfUnitLength) {
  // A program that fills in a description and leaves the initial coordinates out is told so, or begins at rest.
  Description d;
  d.bodies = {solid("bus")};
  JointDescription j;
  j.name = "base";
  j.type = JointType::free;
  j.parent = "world";
  j.child = "bus";
  d.joints = {j};
  const Loaded loaded = load_description(d);
  if (!loaded.model) return;
  EXPECT_NEAR(loaded.model->system.initial.q.segment(3, 4).norm(), 1, 1e-12);
}

/// In a process of its own: what it does wrong, it does there.
void expect_no_fault(const JointDescription& j) {
  Description d;
  d.bodies = {solid("bus")};
  d.joints = {j};
  EXPECT_EXIT(
      {
        load_description(d);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(StateDeathTest, OfADescriptionWithTooFewOrTooManyInitialValuesIsNoFault) {
  JointDescription gimbal = testing::joint("j", JointType::gimbal, "world", "bus");
  gimbal.rotations = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
  expect_no_fault(gimbal);
  JointDescription hinge = testing::revolute("j", "world", "bus");
  hinge.position.assign(1000, 1);
  expect_no_fault(hinge);
}

// --- mass properties of the whole
// -----------------------------------------------------------------------------------

TEST(TotalMassProperties, AreThoseOfAllThePointsOfAllBodies) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Assembled a = assemble(random_description(seed));
    const auto X_N = testing::reference_poses(a.description, testing::initial_coordinates(a.description));
    // Each body as seven masses: six on the principal axes of the tensor J, which is E(r r^T), and one at the com.
    struct Mass {
      double mass;
      Vector3 at;
    };
    std::vector<Mass> masses;
    for (const BodyDescription& b : a.description.bodies) {
      const Matrix3 J = b.inertia.trace() / 2 * Matrix3::Identity() - b.inertia;
      const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(J);
      const Pose& X = X_N.at(b.name);
      const double small = b.mass / 12;
      masses.push_back({b.mass / 2, X.p + X.R * b.com});
      for (int k = 0; k < 3 && b.mass > 0; ++k) {
        const double distance = std::sqrt(std::max(0.0, eigen.eigenvalues()[k]) / (2 * small));
        for (const double sign : {-1.0, 1.0})
          masses.push_back({small, X.p + X.R * (b.com + sign * distance * eigen.eigenvectors().col(k))});
      }
    }
    double mass = 0;
    Vector3 moment = Vector3::Zero();
    for (const Mass& m : masses) mass += m.mass, moment += m.mass * m.at;
    const Vector3 com = mass > 0 ? Vector3(moment / mass) : Vector3(Vector3::Zero());
    Matrix3 inertia = Matrix3::Zero();
    for (const Mass& m : masses) {
      const Vector3 r = m.at - com;
      inertia += m.mass * (r.dot(r) * Matrix3::Identity() - r * r.transpose());
    }
    const MassProperties total = total_mass_properties(a.system, a.system.initial.q);
    EXPECT_NEAR(total.mass, mass, 1e-12 * mass);
    EXPECT_LT((total.com - com).norm(), 1e-11);
    EXPECT_LT((total.inertia - inertia).norm(), 1e-11 * (1 + inertia.norm()));
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(TotalMassProperties, OfTwoEqualMassesAreThoseOfADumbbell) {
  Description d;
  d.bodies = {testing::point_mass("a", {1, 0, 0}), testing::point_mass("b", {-1, 0, 0})};
  d.joints = {testing::joint("j1", JointType::weld, "world", "a"), testing::joint("j2", JointType::weld, "a", "b")};
  const MassProperties total = total_mass_properties(assemble(d).system, Eigen::VectorXd());
  EXPECT_EQ(total.mass, 2);
  EXPECT_TRUE(total.com.isZero(0));
  EXPECT_EQ(total.inertia, Matrix3(Vector3(0, 2, 2).asDiagonal()));
}

}  // namespace state_test
}  // namespace gyrostat
