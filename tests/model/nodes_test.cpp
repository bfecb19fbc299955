// Nodes, and finding the parts of a System by name.
#include <stdexcept>

#include "support/assemble.h"
#include "support/load.h"
#include "support/random_model.h"

namespace gyrostat {
namespace nodes_test {

using testing::assemble;
using testing::Assembled;
using testing::random_description;

/// What a call throws as std::out_of_range; empty if nothing.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::out_of_range& e) {
    return e.what();
  }
  return "";
}

Loaded example() {
  return testing::load(R"yaml(gyrostat: 1
bodies:
  bus:
    mass: 10
    com: [0.1, 0.2, 0.3]
    inertia: [3, 3, 3]
    points: {antenna: [1, 2, 3], origin: [0, 0, 7]}
    wheels: {rw1: {axis: [1, 0, 0], inertia: 0.1}}
  hub: {mass: 1, inertia: [1, 1, 1]}
  arm: {mass: 1, inertia: [1, 1, 1], points: {tip: [0, 0, 1], pan: [4, 5, 6]}}
joints:
  pan: {type: revolute, parent: bus, child: hub, axis: [0, 0, 1], parent_point: [0, 0, -1.5], child_point: [0, 0, 0.5],
        orientation: {axis: [1, 0, 0], angle: 90 deg}}
  elbow: {type: universal, parent: arm, child: hub, axes: [[1, 0, 0], [0, 1, 0]], parent_point: [1, 0, 0],
          child_point: [2, 0, 0]}
  closing: {type: spherical, parent: bus, child: arm, parent_point: [3, 0, 0], child_point: [0, 3, 0], cut: true}
  chain: {type: distance, parent: bus, child: arm, parent_point: [0, 0, 3], length: 1}
loads:
  - {body: bus, force: [1, 0, 0], point: [0.5, 0, 0]}
  - {body: bus, force: [1, 0, 0], point: antenna}
  - {body: bus, torque: [1, 0, 0]}
  - {spring: {from: [world, [0, 0, 9]], to: [arm, tip], stiffness: 1}}
  - {spring: {from: [bus, [0.5, 0, 0]], to: [arm, [0, 0, 2]], stiffness: 1}}
)yaml");
}

TEST(Nodes, StandWhereTheirPointsAre) {
  const Loaded loaded = example();
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  const System& s = loaded.model->system;
  const auto expect = [&](std::uint32_t node, std::string_view body, const Vector3& p) {
    EXPECT_EQ(s.nodes.at(node).body, s.body(body));
    EXPECT_EQ(s.nodes.at(node).p, p);
  };
  expect(s.node("bus.antenna"), "bus", {1, 2, 3});
  expect(s.node("bus.com"), "bus", {0.1, 0.2, 0.3});
  expect(s.node("hub.origin"), "hub", {0, 0, 0});
  expect(s.node("world.origin"), "world", {0, 0, 0});
  expect(s.node("bus.pan"), "bus", {0, 0, -1.5});
  expect(s.node("hub.pan"), "hub", {0, 0, 0.5});
  expect(s.node("bus.closing"), "bus", {3, 0, 0});
  expect(s.node("arm.closing"), "arm", {0, 3, 0});
  expect(s.node("bus.chain"), "bus", {0, 0, 3});
  const Joint& elbow = s.joints[s.joint("elbow")];
  ASSERT_TRUE(elbow.reversed);
  expect(elbow.parent_node, "arm", {1, 0, 0});
  expect(elbow.child_node, "hub", {2, 0, 0});
}

TEST(Nodes, APointOfTheModelComesBeforeWhatElseHasItsName) {
  const Loaded loaded = example();
  ASSERT_TRUE(loaded.model);
  const System& s = loaded.model->system;
  EXPECT_EQ(s.nodes[s.node("bus.origin")].p, Vector3(0, 0, 7));
  EXPECT_EQ(s.nodes[s.bodies[s.body("bus")].origin_node].p, Vector3(0, 0, 0));
  EXPECT_EQ(s.nodes[s.node("arm.pan")].p, Vector3(4, 5, 6));
}

TEST(Nodes, OfLoadsAreFoundByTheirReferences) {
  const Loaded loaded = example();
  ASSERT_TRUE(loaded.model);
  const System& s = loaded.model->system;
  const auto& loads = loaded.model->description.loads;
  const auto body_load = [&](std::size_t i) { return node_of(s, std::get<BodyLoad>(loads[i]).at); };
  EXPECT_EQ(s.nodes[body_load(0)].p, Vector3(0.5, 0, 0));
  EXPECT_EQ(body_load(1), s.node("bus.antenna"));
  EXPECT_EQ(body_load(2), s.bodies[s.body("bus")].com_node);
  const auto &first = std::get<SpringLoad>(loads[3]), &second = std::get<SpringLoad>(loads[4]);
  EXPECT_EQ(s.nodes[node_of(s, first.from)].body, 0U);
  EXPECT_EQ(s.nodes[node_of(s, first.from)].p, Vector3(0, 0, 9));
  EXPECT_EQ(node_of(s, first.to), s.node("arm.tip"));
  EXPECT_EQ(node_of(s, second.from), body_load(0)) << "one position, one node";
  EXPECT_EQ(s.nodes[node_of(s, second.to)].p, Vector3(0, 0, 2));
  EXPECT_EQ(refusal([&] {
              node_of(s, {"bus", "", Vector3(8, 0, 0)});
            }),
            "no load of the model refers to the position (8, 0, 0) of 'bus'");
  EXPECT_EQ(refusal([&] {
              node_of(s, {"bus", "antena", std::nullopt});
            }),
            "no node 'bus.antena'; did you mean 'bus.antenna'?");
}

TEST(Nodes, OfAJointCoincideAtZeroCoordinates) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const System system = assemble(random_description(seed)).system;
    for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
      const Joint& joint = system.joints[i];
      const Node &F = system.nodes[joint.parent_node], &M = system.nodes[joint.child_node];
      const std::uint32_t inboard = joint.reversed ? M.body : F.body, outboard = joint.reversed ? F.body : M.body;
      EXPECT_EQ(inboard, system.parent[i]);
      EXPECT_EQ(outboard, i);
      std::vector<double> zero(joint.nq, 0);
      if (has_quaternion(joint.type)) zero[joint.type == JointType::free ? 3 : 0] = 1;
      const Pose X_PC = joint_pose(joint, zero.data());
      const Pose X_FM = inverse(Pose{F.R, F.p}) * X_PC * Pose{M.R, M.p};
      EXPECT_LT((X_FM.R - Matrix3::Identity()).norm() + X_FM.p.norm(), 1e-12) << "seed " << seed;
    }
  }
}

TEST(Finding, GivesNumbersByName) {
  const Loaded loaded = example();
  ASSERT_TRUE(loaded.model);
  const System& s = loaded.model->system;
  EXPECT_EQ(s.body("world"), 0U);
  EXPECT_EQ(s.bodies[s.body("arm")].name, "arm");
  EXPECT_EQ(s.joints[s.joint("pan")].name, "pan");
  EXPECT_EQ(s.wheels[s.wheel("bus.rw1")].name, "rw1");
}

TEST(Finding, GivesThePlaceOfEveryEntryOfTheState) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const System system = assemble(random_description(seed)).system;
    std::uint32_t i = 0;
    for (const StateEntry& e : coordinate_entries(system)) EXPECT_EQ(system.coordinate(e.name), i++) << e.name;
    i = 0;
    for (const StateEntry& e : speed_entries(system)) EXPECT_EQ(system.speed(e.name), i++) << e.name;
  }
}

TEST(Finding, SuggestsTheNearestName) {
  const Loaded loaded = example();
  ASSERT_TRUE(loaded.model);
  const System& s = loaded.model->system;
  EXPECT_EQ(refusal([&] { (void)s.body("buss"); }), "no body 'buss'; did you mean 'bus'?");
  EXPECT_EQ(refusal([&] { (void)s.joint("pam"); }), "no joint 'pam'; did you mean 'pan'?");
  EXPECT_EQ(refusal([&] { (void)s.wheel("bus.rv1"); }), "no wheel 'bus.rv1'; did you mean 'bus.rw1'?");
  EXPECT_EQ(refusal([&] { (void)s.node("bus.antena"); }), "no node 'bus.antena'; did you mean 'bus.antenna'?");
  EXPECT_EQ(refusal([&] { (void)s.coordinate("pan.angel"); }), "no coordinate 'pan.angel'; did you mean 'pan.angle'?");
  EXPECT_EQ(refusal([&] { (void)s.speed("pan.rates"); }), "no speed 'pan.rates'; did you mean 'pan.rate'?");
  EXPECT_EQ(refusal([&] { (void)s.speed("bus.rw1.angle"); }), "no speed 'bus.rw1.angle'; did you mean 'bus.rw1.rate'?");
  EXPECT_EQ(refusal([&] { (void)s.body("elsewhere"); }), "no body 'elsewhere'");
  EXPECT_EQ(refusal([&] { (void)s.joint("closing"); }),
            "the joint 'closing' closes a loop: it is not among the joints of the tree");
}

TEST(Finding, WorksInACopy) {
  System copy;
  {
    const Loaded loaded = example();
    ASSERT_TRUE(loaded.model);
    copy = loaded.model->system;
  }
  EXPECT_EQ(copy.bodies[copy.body("hub")].name, "hub");
  EXPECT_EQ(copy.nodes[copy.node("bus.antenna")].p, Vector3(1, 2, 3));
}

}  // namespace nodes_test
}  // namespace gyrostat
