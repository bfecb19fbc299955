// What a page shows moving, against what the run itself recorded by other code.
#include "gyrostat/report/scene.h"

#include <cmath>

#include <gmock/gmock.h>

#include "support/hand_made_results.h"
#include "support/shown_scene.h"

namespace gyrostat::testing {
namespace {

using report::Blocks;
using report::Scene;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// --- poses -----------------------------------------------------------------------------------------------------------

// A tree with a joint that the user wrote from the outside in, and most kinds of joints; it turns fast.
const std::string tumbling = R"(gyrostat: 1
bodies:
  bus: {mass: 100, com: [0.1, 0, 0], inertia: [10, 12, 8], wheels: {rw: {axis: [0, 1, 0], inertia: 0.1, rate: 5}}}
  panel: {mass: 5, com: [0, 1, 0], inertia: [1.7, 0.1, 1.8]}
  ball: {mass: 3, com: [0, 0, 0.3], inertia: [0.2, 0.2, 0.2]}
  slider: {mass: 2, inertia: [0.1, 0.1, 0.1]}
joints:
  base: {type: free, parent: world, child: bus, initial: {position: [1, 2, 3], velocity: [0.1, -0.2, 0.3],
    omega: [0.9, 0.5, -1.1], orientation: {axis: [1, 1, 0], angle: 100 deg}}}
  hinge: {type: revolute, parent: panel, child: bus, parent_point: [0, -0.1, 0], child_point: [0, 0.5, 0],
    axis: [1, 0, 0], orientation: {axis: [0, 0, 1], angle: 20 deg}, initial: {angle: 0.3, rate: 0.4}}
  socket: {type: spherical, parent: bus, child: ball, parent_point: [0, 0, 0.6], initial: {omega: [1, 2, 3]}}
  rail: {type: prismatic, parent: bus, child: slider, parent_point: [0, -0.5, 0], axis: [0, -1, 0], stiffness: 4,
    initial: {displacement: 0.1}}
simulation: {duration: 10}
output:
  interval: 0.05
  record: [base.position_x, base.position_y, base.position_z, base.quaternion_w, base.quaternion_x, base.quaternion_y,
    base.quaternion_z, hinge.angle, socket.quaternion_w, socket.quaternion_x, socket.quaternion_y, socket.quaternion_z,
    rail.displacement, bus.rw.angle, system.com_x, system.com_y, system.com_z, BODIES]
)";

std::string with_bodies_recorded(std::string text) {
  std::string names;
  for (const std::string body : {"bus", "panel", "ball", "slider"}) {
    for (const char* part :
         {"position_x", "position_y", "position_z", "quaternion_w", "quaternion_x", "quaternion_y", "quaternion_z"}) {
      names += (names.empty() ? "" : ", ") + body + "." + part;
    }
  }
  return text.replace(text.find("BODIES"), 6, names);
}

TEST(Poses, AreThoseTheRunRecorded) {
  const Scratch scratch;
  const Shown s = fly(scratch, with_bodies_recorded(tumbling));
  ASSERT_TRUE(s.scene);
  EXPECT_THAT(s.warnings, IsEmpty());
  const std::vector<double> centre = s.numbers(s.scene->centre), time = s.numbers(s.scene->time);
  ASSERT_EQ(time, s.results.time());
  for (const char* axis : {"x", "y", "z"}) {
    const auto com = s.results.column(std::string("system.com_") + axis);
    for (std::size_t k = 0; k < time.size(); ++k) {
      EXPECT_NEAR(centre[3 * k + static_cast<std::size_t>(*axis - 'x')], com[k], 1e-9);
    }
  }
  ASSERT_EQ(s.scene->bodies.size(), 4U);
  for (const report::SceneBody& body : s.scene->bodies) {
    const std::vector<float> pose = s.numbers<float>(body.pose);
    ASSERT_EQ(pose.size(), 7 * time.size());
    std::size_t part = 0;
    for (const char* name : {"position_x", "position_y", "position_z"}) {
      const auto recorded = s.results.column(body.name + "." + name);
      for (std::size_t k = 0; k < time.size(); ++k) {
        ASSERT_NEAR(pose[7 * k + part] + centre[3 * k + part], recorded[k], 2e-6) << body.name << k;
      }
      ++part;
    }
    std::vector<std::vector<double>> q;
    for (const char* name : {"quaternion_w", "quaternion_x", "quaternion_y", "quaternion_z"}) {
      q.push_back(s.results.column(body.name + "." + name));
    }
    for (std::size_t k = 0; k < time.size(); ++k) {
      double same = 0, before = 1;
      for (std::size_t i = 0; i < 4; ++i) same += pose[7 * k + 3 + i] * q[i][k];
      ASSERT_NEAR(std::abs(same), 1, 1e-6) << body.name << k;
      if (k == 0) continue;
      before = 0;
      for (std::size_t i = 0; i < 4; ++i) before += double{pose[7 * k + 3 + i]} * pose[7 * k - 4 + i];
      ASSERT_GT(before, 0.9) << body.name << " jumps at " << k;
    }
  }
}

TEST(Poses, OfJointPointsMeet) {
  const Scratch scratch;
  const Shown s = fly(scratch, with_bodies_recorded(tumbling));
  ASSERT_TRUE(s.scene);
  const auto point = [&](int body, const Vector3& p, std::size_t frame) {
    const auto pose = s.numbers<float>(s.scene->bodies[static_cast<std::size_t>(body)].pose);
    const float* x = pose.data() + 7 * frame;
    return Vector3(Vector3(x[0], x[1], x[2]) + to_rotation(normalised({x[3], x[4], x[5], x[6]})) * p);
  };
  for (const report::SceneJoint& joint : s.scene->joints) {
    if (joint.parent < 0) continue;
    for (const std::size_t frame : {0U, 37U, 100U}) {
      Vector3 apart = point(joint.body, joint.child_at, frame) - point(joint.parent, joint.at, frame);
      if (joint.name == "rail") {
        const double x = s.results.column("rail.displacement")[frame];
        apart -=
            point(joint.parent, joint.at + x * joint.translations[0], frame) - point(joint.parent, joint.at, frame);
      }
      EXPECT_LT(apart.norm(), 1e-5) << joint.name;
    }
  }
  // A joint from the outside in: the panel hangs on the bus, and a growing angle turns it about the axis that is
  // listed.
  const auto hinge = std::ranges::find(s.scene->joints, "hinge", &report::SceneJoint::name);
  EXPECT_EQ(s.scene->bodies[static_cast<std::size_t>(hinge->body)].name, "panel");
  EXPECT_TRUE(hinge->at.isApprox(Vector3(0, 0.5, 0)));
  const auto turned = [&](int body, std::size_t frame) {
    const auto pose = s.numbers<float>(s.scene->bodies[static_cast<std::size_t>(body)].pose);
    const float* x = pose.data() + 7 * frame;
    return to_rotation(normalised({x[3], x[4], x[5], x[6]}));
  };
  const auto seen_from_bus = [&](std::size_t frame) {
    return Matrix3(turned(hinge->parent, frame).transpose() * turned(hinge->body, frame));
  };
  const auto angle = s.results.column("hinge.angle");
  const Matrix3 between = seen_from_bus(20) * seen_from_bus(0).transpose();
  EXPECT_GT(std::abs(angle[20] - angle[0]), 0.05);
  EXPECT_TRUE(between.isApprox(rotation_about(hinge->rotations[0], angle[20] - angle[0]), 1e-5));
  EXPECT_TRUE(hinge->rotations[0].isApprox(Vector3(-std::cos(0.3490658503988659), std::sin(0.3490658503988659), 0)));
}

TEST(Poses, ComeFromTheGroupMotionToo) {
  const Scratch scratch;
  const std::string path = hand_made(scratch, one_hinge, {{"motion/hinge.angle", {0, 0.5, 1}}, {"speed", {1, 2, 3}}});
  const Shown s = show(path);
  ASSERT_TRUE(s.scene);
  const auto pose = s.numbers<float>(s.scene->bodies[0].pose);
  EXPECT_NEAR(pose[7 * 2 + 3], std::cos(0.5), 1e-6);
  EXPECT_NEAR(pose[7 * 2 + 6], std::sin(0.5), 1e-6);
}

TEST(Poses, ThatAreNotRecordedAreNamed) {
  const Scratch scratch;
  const Shown s = show(hand_made(scratch, one_hinge, {{"speed", {1, 2, 3}}}));
  EXPECT_FALSE(s.scene);
  ASSERT_EQ(s.warnings.size(), 1U);
  EXPECT_THAT(s.warnings[0], HasSubstr("the file has no hinge.angle; record"));
}

TEST(Poses, ThatAreNoNumbersAreLeftOut) {
  const Scratch scratch;
  const double nan = std::nan("");
  const Shown s = show(hand_made(scratch, one_hinge, {{"hinge.angle", {0, nan, 1, INFINITY}}}));
  ASSERT_TRUE(s.scene);
  EXPECT_THAT(s.numbers(s.scene->time), ElementsAre(0, 2));
  ASSERT_EQ(s.warnings.size(), 1U);
  EXPECT_THAT(s.warnings[0], HasSubstr("2 of 4 frames are not shown"));
  EXPECT_FALSE(show(hand_made(scratch, one_hinge, {{"hinge.angle", {nan, nan}}})).scene);
  EXPECT_FALSE(show(hand_made(scratch, one_hinge, {{"hinge.angle", {}}})).scene);
}

TEST(Poses, OfLockedJointsNeedNoRecord) {
  const Scratch scratch;
  std::string model = one_hinge;
  model.replace(model.find("axis:"), 5, "locked: true, initial: {angle: 1}, axis:");
  const Shown s = show(hand_made(scratch, model, {{"speed", {1, 2}}}));
  ASSERT_TRUE(s.scene);
  EXPECT_NEAR(s.numbers<float>(s.scene->bodies[0].pose)[3], std::cos(0.5), 1e-6);
}

// --- frames ----------------------------------------------------------------------------------------------------------

TEST(Frames, AreAtMostSoMany) {
  EXPECT_THAT(report::frame_records(0, 1), IsEmpty());
  EXPECT_THAT(report::frame_records(1, 1), ElementsAre(0));
  EXPECT_THAT(report::frame_records(2, 1), ElementsAre(0, 1));
  EXPECT_EQ(report::frame_records(20'000, 5).size(), 20'000U);
  for (const std::size_t records : {20'001U, 39'999U, 40'000U, 60'001U, 1'000'003U}) {
    for (const std::size_t bodies : {1U, 999U, 1'001U, 2'000U}) {
      const auto list = report::frame_records(records, bodies);
      EXPECT_LE(list.size(), report::most_frames);
      EXPECT_LE(list.size() * bodies, report::most_poses);
      EXPECT_GT(2 * list.size() + 2, std::min(report::most_frames, report::most_poses / bodies));
      EXPECT_EQ(list.front(), 0U);
      EXPECT_EQ(list.back(), records - 1);
    }
  }
}

// --- orbits ----------------------------------------------------------------------------------------------------------

std::string orbit_example(const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(GYROSTAT_SOURCE_DIR) / "examples/gravity_gradient" / name;
  std::string text(load_file(file.string()).source.expanded_text());
  text.erase(text.find("output:"));
  return text + R"(output:
  interval: 60
  record: [base.position_x, base.position_y, base.position_z, base.quaternion_w, base.quaternion_x, base.quaternion_y,
    base.quaternion_z, orbit.nadir_x, orbit.nadir_y, orbit.nadir_z, base.velocity_x, base.velocity_y, base.velocity_z]
)";
}

TEST(Orbits, HaveTheNadirThatTheRunRecorded) {
  const Scratch scratch;
  for (const char* name : {"eccentric.yaml", "full.yaml"}) {
    const Shown s = fly(scratch, orbit_example(name), "--until 12000 --tolerance 1e-8");
    ASSERT_TRUE(s.scene && s.scene->orbit) << name;
    const auto nadir = s.numbers<float>(s.scene->orbit->nadir), along = s.numbers<float>(s.scene->orbit->along);
    std::vector<std::vector<double>> recorded, velocity;
    for (const std::string axis : {"x", "y", "z"}) {
      recorded.push_back(s.results.column("orbit.nadir_" + axis));
      velocity.push_back(s.results.column("base.velocity_" + axis));
    }
    for (std::size_t k = 0; k < s.results.records(); ++k) {
      const Vector3 down(nadir[3 * k], nadir[3 * k + 1], nadir[3 * k + 2]);
      const Vector3 forward(along[3 * k], along[3 * k + 1], along[3 * k + 2]);
      for (std::size_t i = 0; i < 3; ++i) ASSERT_NEAR(nadir[3 * k + i], recorded[i][k], 1e-6) << name << k;
      EXPECT_NEAR(forward.norm(), 1, 1e-6);
      EXPECT_NEAR(forward.dot(down), 0, 1e-6);
      EXPECT_NEAR(down.cross(forward).z(), -1, 1e-6);  // both orbits go about z, towards the left of up
      if (std::string(name) != "full.yaml") continue;
      const Vector3 v(velocity[0][k], velocity[1][k], velocity[2][k]);
      ASSERT_NEAR(forward.dot((v - v.dot(down) * down).normalized()), 1, 1e-5) << k;
    }
  }
}

// --- wheels, loads, springs ------------------------------------------------------------------------------------------

const std::string loaded_model = R"(gyrostat: 1
bodies:
  a: {mass: 10, com: [0.1, 0, 0], inertia: [1, 1, 1], points: {jet: [0, 0, 2]}, wheels: {x: {axis: [1, 0, 0],
    inertia: 0.1}, y: {axis: [0, 1, 0], inertia: 0.1}, z: {axis: [1, 0, 0], inertia: 0.1}}}
joints: {hinge: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}}
loads:
  - {thruster: {body: a, point: jet, direction: [0, 3, 0], thrust: 1}}
  - {body: a, force: [1, 2, 3], torque: [1, 0, 0], axes: world}
  - {spring: {from: [world, [1, 2, 3]], to: [a, com], stiffness: 1, length: 1}}
  - {body: a, torque: [1, 0, 0]}
)";

TEST(SceneLoads, AreThoseThatAreRecorded) {
  const Scratch scratch;
  const Shown s = show(hand_made(scratch, loaded_model,
                                 {{"hinge.angle", {0, 1}},
                                  {"loads/0.thrust", {0, -2}},
                                  {"loads/1.force_x", {3, 0}},
                                  {"loads/1.force_z", {4, 1}},
                                  {"a.y.angle", {0, 1}}}));
  ASSERT_TRUE(s.scene);
  ASSERT_EQ(s.scene->loads.size(), 2U);
  const report::SceneLoad& jet = s.scene->loads[0];
  EXPECT_EQ(jet.name, "loads[0]");
  EXPECT_EQ(jet.kind, "thruster");
  EXPECT_EQ(jet.body, 0);
  EXPECT_EQ(jet.at, Vector3(0, 0, 2));
  EXPECT_TRUE(jet.direction.isApprox(Vector3::UnitY()));
  EXPECT_THAT(jet.columns, ElementsAre(1));
  EXPECT_EQ(jet.largest, 2);
  const report::SceneLoad& force = s.scene->loads[1];
  EXPECT_EQ(force.kind, "force");
  EXPECT_EQ(force.axes, Axes::world);
  EXPECT_EQ(force.at, Vector3(0.1, 0, 0));
  EXPECT_THAT(force.columns, ElementsAre(2, -1, 3));
  EXPECT_EQ(force.largest, 5);
  ASSERT_EQ(s.scene->springs.size(), 1U);
  EXPECT_EQ(s.scene->springs[0].from.body, -1);
  EXPECT_EQ(s.scene->springs[0].from.at, Vector3(1, 2, 3));
  EXPECT_EQ(s.scene->springs[0].to.body, 0);
  EXPECT_EQ(s.scene->springs[0].to.at, Vector3(0.1, 0, 0));
}

TEST(SceneWheels, StandBesideEachOther) {
  const Scratch scratch;
  const Shown s = show(hand_made(scratch, loaded_model, {{"hinge.angle", {0, 1}}, {"a.y.angle", {0, 1}}}));
  ASSERT_TRUE(s.scene);
  ASSERT_EQ(s.scene->wheels.size(), 3U);
  EXPECT_EQ(s.scene->wheels[0].name, "a.x");
  EXPECT_EQ(s.scene->wheels[1].angle, 1);
  EXPECT_EQ(s.scene->wheels[0].angle, -1);
  EXPECT_GT((s.scene->wheels[2].at - s.scene->wheels[0].at).norm(), 0.3 * s.scene->wheels[0].radius);
  // Within the box, which is the cube of the inertia, and smaller than it.
  const double half_edge = std::sqrt(0.6) / 2;
  for (const report::SceneWheel& wheel : s.scene->wheels) {
    EXPECT_LT(wheel.radius, half_edge / 2);
    EXPECT_GT(wheel.radius, half_edge / 5);
    EXPECT_LT((wheel.at - Vector3(0.1, 0, 0)).cwiseAbs().maxCoeff(), half_edge);
  }
}

TEST(SceneWheels, AreAtTheMassCentreWhereThereIsOne) {
  const Scratch scratch;
  const Shown s = fly(scratch, with_bodies_recorded(tumbling), "--until 1");
  ASSERT_TRUE(s.scene);
  EXPECT_EQ(s.scene->wheels[0].at, Vector3(0.1, 0, 0));
}

TEST(SceneWheels, AreWhereTheModelSaysAndAsLarge) {
  const Scratch scratch;
  const Shown s = fly(scratch, R"(gyrostat: 1
bodies:
  a: {mass: 10, inertia: [1, 1, 1], wheels: {x: {axis: [1, 0, 0], inertia: 0.1, at: [0.2, 0.3 m, 40 cm], radius: 80 mm},
    y: {axis: [0, 1, 0], inertia: 0.1, at: [0, 0, 1]}, z: {axis: [0, 0, 1], inertia: 0.1, radius: 2}}}
simulation: {duration: 1}
)");
  ASSERT_TRUE(s.scene);
  const auto& wheels = s.scene->wheels;
  EXPECT_TRUE(wheels[0].at.isApprox(Vector3(0.2, 0.3, 0.4)));
  EXPECT_DOUBLE_EQ(wheels[0].radius, 0.08);
  EXPECT_EQ(wheels[1].at, Vector3(0, 0, 1));
  EXPECT_LT(wheels[1].radius, 0.2);
  EXPECT_EQ(wheels[2].radius, 2);
}

// --- momentum --------------------------------------------------------------------------------------------------------

TEST(SceneMomentum, HasTheScaleOfWhatCancels) {
  // Two panels swing against each other: nothing in the sum but rounding.
  const Scratch scratch;
  const Shown s = fly(scratch, R"(gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [1, 1, 1]}
  left: {mass: 1, com: [0, 1, 0], inertia: [0.3, 0.1, 0.3]}
  right: {mass: 1, com: [0, -1, 0], inertia: [0.3, 0.1, 0.3]}
joints:
  l: {type: revolute, parent: bus, child: left, axis: [1, 0, 0], stiffness: 2, initial: {angle: 1}}
  r: {type: revolute, parent: bus, child: right, axis: [1, 0, 0], stiffness: 2, initial: {angle: -1}}
simulation: {duration: 10}
output: {interval: 0.02}
)");
  ASSERT_TRUE(s.scene && s.scene->momentum);
  double largest = 0;
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"}) {
    for (const double h : s.results.column(name)) largest = std::max(largest, std::abs(h));
  }
  EXPECT_LT(largest, 1e-6);
  EXPECT_GT(s.scene->momentum->scale, 1);  // 1.3 kg m^2 at 1.2 rad/s, twice
  EXPECT_LT(s.scene->momentum->scale, 6);
}

TEST(SceneMomentum, HasTheScaleOfItselfWhereNothingCancels) {
  const Scratch scratch;
  const std::string spinner = R"(gyrostat: 1
bodies: {a: {mass: 10, inertia: [1, 1, 2], wheels: {w: {axis: [1, 0, 0], inertia: 0.1, rate: 30}}}}
joints: {base: {initial: {omega: [0, 0, 2]}}}
simulation: {duration: 3}
output: {interval: 0.01}
)";
  const Shown s = fly(scratch, spinner);
  ASSERT_TRUE(s.scene && s.scene->momentum);
  EXPECT_NEAR(s.scene->momentum->scale, 7, 0.5);  // 4 of the body and 3 of the wheel, at right angles: 5 in all
  // Far apart records hide how fast it turns; the recorded momentum is not less for that.
  const Shown coarse = fly(scratch, spinner, "--interval 1");
  EXPECT_GE(coarse.scene->momentum->scale, 5 * (1 - 1e-6));
}

// --- constraints -----------------------------------------------------------------------------------------------------

TEST(Scene, HasCutJointsAfterThoseOfTheTreeAndConstraintsThatHaveAPlace) {
  const Scratch scratch;
  const Shown s = fly(scratch, R"(gyrostat: 1
bodies:
  left:  {mass: 1, com: [0, 0, 0.4], inertia: [0.1, 0.1, 0.01]}
  right: {mass: 1, com: [0, 0, 0.4], inertia: [0.1, 0.1, 0.01]}
  top:   {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  cart:  {mass: 1, inertia: [0.1, 0.1, 0.1], points: {eye: [0, 0, 0.1]}}
joints:
  pivot:   {type: revolute, parent: world, child: left, axis: [0, 1, 0]}
  hinge:   {type: revolute, parent: world, child: right, parent_point: [1, 0, 0], axis: [0, 1, 0]}
  corner:  {type: revolute, parent: left, child: top, parent_point: [0, 0, 0.8], axis: [0, 1, 0]}
  closure: {type: revolute, parent: top, child: right, parent_point: [1, 0, 0], child_point: [0, 0, 0.8], axis: [0, 1, 0], cut: true}
  fly:     {type: free, parent: world, child: cart, initial: {position: [3, 0, 0]}}
constraints:
  rail:   {point: [cart, eye], of: top, directions: [[0, 0, 2]], equals: -0.7}
  tether: {distance: {from: [world, [3, 4, 0.1]], to: [cart, eye]}, equals: 4}
  mirror: {coupling: {pivot.angle: 1, hinge.angle: -1}}
simulation: {duration: 1}
)");
  ASSERT_TRUE(s.scene);
  std::vector<std::string> names;
  for (const report::SceneJoint& joint : s.scene->joints) names.push_back(joint.name);
  ASSERT_EQ(names.size(), 5U);
  EXPECT_EQ(names.back(), "closure");
  for (const report::SceneJoint& joint : s.scene->joints) EXPECT_EQ(joint.cut, joint.name == "closure");
  const report::SceneJoint& cut = s.scene->joints.back();
  const auto body = [&](const std::string& name) {
    return static_cast<int>(std::ranges::find(s.scene->bodies, name, &report::SceneBody::name) -
                            s.scene->bodies.begin());
  };
  EXPECT_EQ(cut.parent, body("top"));
  EXPECT_EQ(cut.body, body("right"));
  EXPECT_EQ(cut.at, Vector3(1, 0, 0));
  EXPECT_EQ(cut.child_at, Vector3(0, 0, 0.8));
  ASSERT_EQ(cut.rotations.size(), 1U);
  EXPECT_EQ(cut.rotations[0], Vector3(0, 1, 0));

  ASSERT_EQ(s.scene->constraints.size(), 2U);  // a coupling has no place
  const report::SceneConstraint& rail = s.scene->constraints[0];
  EXPECT_EQ(rail.name + rail.kind, "railpoint");
  EXPECT_EQ(rail.from.body, body("top"));
  EXPECT_EQ(rail.to.body, body("cart"));
  EXPECT_EQ(rail.to.at, Vector3(0, 0, 0.1));
  EXPECT_THAT(rail.directions, ElementsAre(Vector3(0, 0, 1)));
  const report::SceneConstraint& tether = s.scene->constraints[1];
  EXPECT_EQ(tether.name + tether.kind, "tetherdistance");
  EXPECT_EQ(tether.from.body, -1);
  EXPECT_EQ(tether.from.at, Vector3(3, 4, 0.1));
  EXPECT_THAT(tether.directions, IsEmpty());
}

}  // namespace
}  // namespace gyrostat::testing
