// The spanning tree of joints in any order, and the joints that close loops.
#include "gyrostat/model/topology.h"

#include <set>
#include <tuple>

#include <fmt/format.h>

#include "support/assemble.h"
#include "support/load.h"
#include "support/random_model.h"

namespace gyrostat {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using testing::assemble;
using testing::Assembled;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::joint;
using testing::Random;
using testing::random_description;
using testing::revolute;
using testing::solid;
using testing::text_of;

/// Who hangs on whom: body, its inboard joint, the body inboard of it, reversed or not. Independent of numbering.
using Relations = std::set<std::tuple<std::string, std::string, std::string, bool>>;

Relations relations(const Assembled& a) {
  Relations set;
  for (std::size_t i = 1; i < a.topology.entries.size(); ++i) {
    const Topology::Entry& e = a.topology.entries[i];
    const std::string parent = e.parent == 0 ? "world" : a.description.bodies[a.topology.entries[e.parent].body].name;
    set.emplace(a.description.bodies[e.body].name, a.description.joints[e.joint].name, parent, e.reversed);
  }
  return set;
}

Description with_bodies(std::initializer_list<const char*> names) {
  Description d;
  for (const char* name : names) d.bodies.push_back(solid(name));
  return d;
}

TEST(SpanningTree, HoldsEveryBodyOnceWithParentsFirst) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Assembled a = assemble(random_description(seed));
    ASSERT_EQ(a.problems.all().size(), 0U) << text_of(a.problems);
    const auto& entries = a.topology.entries;
    ASSERT_EQ(entries.size(), a.description.bodies.size() + 1);
    std::set<std::uint32_t> bodies, joints;
    for (std::uint32_t i = 1; i < entries.size(); ++i) {
      EXPECT_LT(entries[i].parent, i);
      bodies.insert(entries[i].body);
      joints.insert(entries[i].joint);
    }
    EXPECT_EQ(bodies.size(), entries.size() - 1);
    EXPECT_EQ(joints.size(), entries.size() - 1);
    EXPECT_EQ(joints.size(), a.description.joints.size());
    EXPECT_THAT(a.topology.closing, IsEmpty());
  }
}

TEST(SpanningTree, NumbersSubtreesWithoutGaps) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Assembled a = assemble(random_description(seed));
    const auto& entries = a.topology.entries;
    const std::size_t n = entries.size();
    for (std::uint32_t root = 1; root < n; ++root) {
      bool past = false;
      for (std::uint32_t i = root + 1; i < n; ++i) {
        std::uint32_t k = i;
        while (k > root) k = entries[k].parent;
        ASSERT_FALSE(past && k == root) << "seed " << seed << ": body " << i << " is outboard of " << root;
        past = past || k != root;
      }
    }
  }
}

TEST(SpanningTree, JoinsTheTwoBodiesOfEachJointAndSaysWhichIsInboard) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Assembled a = assemble(random_description(seed));
    for (const auto& [body, joint_name, parent, reversed] : relations(a)) {
      const Names names(a.description);
      const JointDescription& j = a.description.joints[*names.joint(joint_name)];
      EXPECT_EQ(reversed, j.child == parent) << "reversed exactly where the user's child is inboard";
      EXPECT_EQ(reversed ? j.child : j.parent, parent);
      EXPECT_EQ(reversed ? j.parent : j.child, body);
    }
  }
}

TEST(SpanningTree, DoesNotDependOnTheOrderOfJoints) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Description d = random_description(seed);
    const Relations expected = relations(assemble(d));
    Random random(seed);
    for (int k = 0; k < 3; ++k) {
      random.shuffle(d.joints);
      EXPECT_EQ(relations(assemble(d)), expected) << "seed " << seed;
    }
  }
}

TEST(SpanningTree, DoesNotDependOnWhichBodyIsCalledParentButForReversed) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Description d = random_description(seed);
    Relations expected;
    for (const auto& [body, j, parent, reversed] : relations(assemble(d))) {
      expected.emplace(body, j, parent, j != "base" && !reversed);
    }
    for (JointDescription& j : d.joints) std::swap(j.parent, j.child);
    EXPECT_EQ(relations(assemble(d)), expected) << "seed " << seed;
  }
}

TEST(SpanningTree, KeepsTheOrderOfJointsAmongTheChildrenOfABody) {
  Description d = with_bodies({"a", "b", "c", "e"});
  d.joints = {revolute("j1", "world", "a"), revolute("j2", "a", "e"), revolute("j3", "a", "c"),
              revolute("j4", "e", "b")};
  const Assembled a = assemble(d);
  std::vector<std::string> order;
  for (const Body& body : a.system.bodies) order.push_back(body.name);
  EXPECT_THAT(order, ElementsAre("world", "a", "e", "b", "c"));
}

TEST(Base, IsAFreeJointToTheFirstBodyWhereNoJointReachesTheWorld) {
  Description d = with_bodies({"bus", "panel"});
  d.joints = {revolute("hinge", "panel", "bus")};
  const Assembled a = assemble(d);
  EXPECT_EQ(relations(a), (Relations{{"bus", "base", "world", false}, {"panel", "hinge", "bus", true}}));
  EXPECT_EQ(a.system.joints[1].type, JointType::free);
  EXPECT_EQ(a.system.initial.q.head(7), (Eigen::VectorXd(7) << 0, 0, 0, 1, 0, 0, 0).finished());
}

TEST(Base, IsNotAddedWhereAJointReachesTheWorldFromEitherSide) {
  for (const bool reversed : {false, true}) {
    Description d = with_bodies({"bus"});
    d.joints = {reversed ? revolute("j", "bus", "world") : revolute("j", "world", "bus")};
    const Assembled a = assemble(d);
    EXPECT_EQ(relations(a), (Relations{{"bus", "j", "world", reversed}}));
  }
}

TEST(Base, IsAddedWhereOnlyALoopConstraintReachesTheWorld) {
  Description d = with_bodies({"bus"});
  d.joints = {joint("tether", JointType::distance, "world", "bus")};
  d.joints[0].length = 1;
  const Assembled a = assemble(d);
  EXPECT_EQ(relations(a), (Relations{{"bus", "base", "world", false}}));
  EXPECT_THAT(a.closing(), ElementsAre("tether"));
}

TEST(Base, CannotBeTheNameOfAnotherJointWhereItIsNeeded) {
  Description d = with_bodies({"bus", "panel"});
  d.joints = {revolute("base", "bus", "panel")};
  EXPECT_THAT(text_of(assemble(d).problems), HasSubstr("error: joints.base: no joint reaches world"));
}

TEST(SpanningTree, GrowsFromEveryJointThatReachesTheWorld) {
  Description d = with_bodies({"a", "b", "c"});
  d.joints = {revolute("ja", "world", "a"), revolute("jb", "b", "world"), revolute("jc", "b", "c")};
  const Assembled a = assemble(d);
  EXPECT_EQ(relations(a),
            (Relations{{"a", "ja", "world", false}, {"b", "jb", "world", true}, {"c", "jc", "b", false}}));
}

TEST(UnconnectedBodies, AreReportedOnceForEachGroup) {
  Description d = with_bodies({"bus", "a", "b", "c", "d"});
  d.joints = {revolute("j1", "world", "bus"), revolute("j2", "b", "a"), revolute("j3", "c", "b")};
  const Assembled a = assemble(d);
  EXPECT_EQ(a.problems.errors(), 2U) << text_of(a.problems);
  EXPECT_THAT(text_of(a.problems), HasSubstr("error: bodies.a: no joint connects it"));
  EXPECT_THAT(text_of(a.problems), HasSubstr("error: bodies.d: no joint connects it"));
}

TEST(UnconnectedBodies, AreNotConnectedByGearsAndDistances) {
  Description d = with_bodies({"bus", "a"});
  d.joints = {revolute("j1", "world", "bus"), joint("rod", JointType::distance, "bus", "a")};
  d.joints[1].length = 1;
  EXPECT_THAT(text_of(assemble(d).problems), HasSubstr("error: bodies.a: no joint connects it"));
}

// --- loops ----------------------------------------------------------------------------------------------------------

Description ring() {
  Description d = with_bodies({"crank", "coupler", "rocker"});
  d.joints = {revolute("r1", "world", "crank"), revolute("r2", "crank", "coupler"), revolute("r3", "coupler", "rocker"),
              revolute("r4", "world", "rocker")};
  return d;
}

/// Of equal joints, one far from the world: the tree is shallow then.
TEST(Loop, IsClosedFarFromTheWorldWhateverTheOrderOfTheFile) {
  Description d = ring();
  for (int k = 0; k < 4; ++k) {
    std::rotate(d.joints.begin(), d.joints.begin() + 1, d.joints.end());
    const Assembled a = assemble(d);
    EXPECT_EQ(text_of(a.problems), "");
    EXPECT_THAT(a.closing(), ElementsAre(AnyOf("r2", "r3")));
    ASSERT_EQ(a.system.constraints.size(), 1U);
    EXPECT_THAT(a.system.constraints[0].why, HasSubstr("locks the fewest directions, 5"));
  }
}

TEST(Loop, IsClosedAtTheJointThatLocksTheFewestDirections) {
  for (std::size_t k = 0; k < 4; ++k) {
    Description d = ring();
    d.joints[k].type = JointType::spherical;
    d.joints[k].rotations.clear();
    d.joints[k].position = {1, 0, 0, 0};
    d.joints[k].speed = {0, 0, 0};
    const Assembled a = assemble(d);
    EXPECT_THAT(a.closing(), ElementsAre(d.joints[k].name));
    EXPECT_THAT(a.system.constraints.at(0).why, HasSubstr("3"));
  }
}

TEST(Loop, IsNotClosedAtAJointWhoseCoordinatesAreNeeded) {
  Description d = ring();
  d.joints[1].damping = {{1, ""}};
  d.joints[2].stiffness = {{1, ""}};
  EXPECT_THAT(assemble(d).closing(), ElementsAre(AnyOf("r1", "r4")));
  d.joints[2].cut = true;
  EXPECT_THAT(text_of(assemble(d).problems),
              AllOf(HasSubstr("error: joints.r3: closes a loop with"), HasSubstr("its 'stiffness' needs them")));
}

TEST(Loop, IsClosedWhereTheFileSaysCutAndThenWithoutAWarning) {
  for (std::size_t k = 0; k < 4; ++k) {
    Description d = ring();
    d.joints[k].cut = true;
    const Assembled a = assemble(d);
    EXPECT_EQ(text_of(a.problems), "");
    EXPECT_THAT(a.closing(), ElementsAre(d.joints[k].name));
    const auto [parent, child] = bodies_of(a.system, a.system.constraints.at(0));
    EXPECT_EQ(a.system.bodies[parent].name, d.joints[k].parent);
    EXPECT_EQ(a.system.bodies[child].name, d.joints[k].child);
  }
}

TEST(Loop, CannotBeCutAtAJointThatIsInNone) {
  Description d = ring();
  d.bodies.push_back(solid("flag"));
  d.joints.push_back(revolute("pole", "coupler", "flag"));
  d.joints.back().cut = true;
  d.joints[2].cut = true;
  const Assembled a = assemble(d);
  EXPECT_EQ(a.problems.errors(), 1U);
  EXPECT_THAT(text_of(a.problems), HasSubstr("error: joints.pole.cut: the joint is not part of a loop"));
}

TEST(Loop, OfTwoJointsBetweenTheSameBodiesIsClosedByTheSecond) {
  for (const bool reversed : {false, true}) {
    Description d = with_bodies({"bus", "door"});
    d.joints = {revolute("upper", "bus", "door"),
                reversed ? revolute("lower", "door", "bus") : revolute("lower", "bus", "door")};
    const Assembled a = assemble(d);
    EXPECT_EQ(a.problems.errors(), 0U);
    EXPECT_THAT(a.closing(), ElementsAre("lower"));
  }
}

TEST(Loop, ThroughTheWorldClosesToo) {
  Description d = with_bodies({"beam"});
  d.joints = {revolute("left", "world", "beam"), revolute("right", "beam", "world")};
  const Assembled a = assemble(d);
  EXPECT_THAT(a.closing(), ElementsAre("right"));
  EXPECT_THAT(bodies_of(a.system, a.system.constraints.at(0)), ElementsAre(1U, 0U));
}

TEST(Loop, OfAGearOrADistanceNeedsNoCut) {
  Description d = with_bodies({"a", "b"});
  d.joints = {joint("rod", JointType::distance, "a", "b"), revolute("ja", "world", "a"), revolute("jb", "world", "b"),
              joint("mesh", JointType::gear, "", "")};
  d.joints[0].length = 2;
  d.joints[3].geared = {"jb", "ja"};
  d.joints[3].ratio = -3;
  d.joints[3].offset = 0.5;
  const Assembled a = assemble(d);
  EXPECT_EQ(text_of(a.problems), "");
  EXPECT_THAT(a.closing(), ElementsAre("rod", "mesh"));
  const auto& rod = std::get<Distance>(a.system.constraints.at(0).kind);
  const auto& mesh = std::get<Coupling>(a.system.constraints.at(1).kind);
  EXPECT_THAT(a.system.constraints.at(0).equals, ElementsAre(2));
  EXPECT_EQ(a.system.bodies[a.system.nodes[rod.parent_node].body].name, "a");
  ASSERT_EQ(mesh.terms.size(), 2U);
  EXPECT_EQ(mesh.terms[0].q, a.system.coordinate("jb.angle")) << "q2 = ratio q1 + offset with q1 of the first joint";
  EXPECT_EQ(mesh.terms[1].q, a.system.coordinate("ja.angle"));
  EXPECT_EQ(mesh.terms[0].coefficient, 3);
  EXPECT_EQ(mesh.terms[1].coefficient, 1);
  EXPECT_THAT(a.system.constraints.at(1).equals, ElementsAre(0.5));
}

TEST(Loop, CutIsAnyWherePermutedRandomGraphsHaveSpareJoints) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Description d = random_description(seed, {.least_bodies = 3, .implicit_base = 0});
    const std::size_t tree_joints = d.joints.size(), extra = random.between(1, 5);
    for (std::size_t k = 0; k < extra; ++k) {
      const std::size_t b = random.index(d.bodies.size()), c = random.index(d.bodies.size() + 1);
      if (b == c) continue;
      d.joints.push_back(
          revolute(fmt::format("x{}", k), d.bodies[b].name, c == d.bodies.size() ? "world" : d.bodies[c].name));
    }
    const std::size_t spare = d.joints.size() - tree_joints;
    random.shuffle(d.joints);
    const Assembled a = assemble(d);
    EXPECT_EQ(a.problems.errors(), 0U) << text_of(a.problems);
    EXPECT_EQ(a.topology.closing.size(), spare) << "a spanning tree leaves as many joints over as there are loops";
    EXPECT_EQ(a.problems.warnings(), 0U);
    EXPECT_EQ(relations(a).size(), d.bodies.size());
  }
}

TEST(Loop, GearCannotCoupleAJointThatIsCutWithoutAWord) {
  // The state has no coordinate for a joint that closes a loop, so a gear on it cannot mean joint 0.
  Description d = ring();
  d.joints[3].cut = true;
  d.joints.push_back(joint("mesh", JointType::gear, "", ""));
  d.joints.back().geared = {"r1", "r4"};
  const Loaded loaded = load_description(d);
  if (loaded.model) {
    EXPECT_EQ(std::get<Coupling>(loaded.model->system.constraints.at(1).kind).terms.size(), 2U);
  } else {
    EXPECT_THAT(text_of(loaded.problems), AllOf(HasSubstr("joints.r4"), HasSubstr("the gear 'mesh' needs them")));
  }
}

}  // namespace
}  // namespace gyrostat
