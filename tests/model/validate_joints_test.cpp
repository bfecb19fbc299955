// Joints that refer to nothing, cannot turn, or do not make a tree.
#include "support/problem_case.h"

namespace gyrostat {
namespace validate_joints_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  j: ";

class ImpossibleJoints : public testing::ProblemTest {};

TEST_P(ImpossibleJoints, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"UnknownParent", "{type: weld, parent: aa, child: b}",
     "m.yaml:4:27: error: joints.j.parent: no body 'aa'; did you mean 'a'?\n"},
    {"UnknownChild", "{type: weld, parent: a, child: nothing_like_it}",
     "m.yaml:4:37: error: joints.j.child: no body 'nothing_like_it'\n"},
    {"NodeOfARigidParent", "{type: weld, parent: a, parent_node: tip, child: b}",
     "m.yaml:4:27: error: joints.j.parent: the body 'a' is rigid and has no node 'tip'; a place on it is given as a "
     "point, "
     "[x, y, z]\n"},
    {"JointToItself", "{type: weld, parent: a, child: a}\n  k: {type: weld, parent: a, child: b}",
     "m.yaml:4:37: error: joints.j.child: a joint connects two different bodies\n"},
    {"ParallelGimbalAxes", "{type: universal, parent: a, child: b, axes: [[1, 0, 0], [-2, 0, 0]]}",
     "m.yaml:4:51: error: joints.j.axes: axes 1 and 2 are parallel: turns about neighbouring axes must differ\n"},
    {"ParallelRotations", "{type: general, parent: a, child: b, rotations: [[1, 0, 0], [0, 1, 0], [0, 1, 0]]}",
     "m.yaml:4:54: error: joints.j.rotations: axes 2 and 3 are parallel: turns about neighbouring axes must differ\n"},
    {"ParallelTranslations", "{type: translation, parent: a, child: b, axes: [[1, 0, 0], [1, 0, 0]]}",
     "m.yaml:4:53: error: joints.j.axes: the two axes are parallel\n"},
    {"TranslationsInAPlane", "{type: general, parent: a, child: b, translations: [[1, 0, 0], [0, 1, 0], [1, 1, 0]]}",
     "m.yaml:4:57: error: joints.j.translations: the three axes lie in a plane\n"},
    {"GeneralJointWithoutAxes", "{type: general, parent: a, child: b}",
     "m.yaml:4:6: error: joints.j: a general joint needs 'translations' or 'rotations'; a joint without any is a "
     "weld\n"},
    {"GimbalLock",
     "{type: gimbal, parent: a, child: b, axes: [[0, 0, 1], [0, 1, 0], [1, 0, 0]], initial: {angles: [0, 90 deg, 0]}}",
     "m.yaml:4:92: error: joints.j.initial: gimbal lock: at the initial angles the three axes lie in a plane (the "
     "second angle is 90 deg); begin elsewhere, order the axes otherwise, or use a spherical joint\n"},
    {"GimbalLockAtZero", "{type: gimbal, parent: a, child: b, axes: [[0, 0, 1], [0, 1, 0], [0, 0, 1]]}",
     "m.yaml:4:6: error: joints.j.initial: gimbal lock: at the initial angles the three axes lie in a plane (the "
     "second angle is 0 deg); begin elsewhere, order the axes otherwise, or use a spherical joint\n"},
    {"StiffnessOfAnUnknownTable", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: {table: spring}}",
     "m.yaml:4:72: error: joints.j.stiffness: no table 'spring'\n"},
    {"DampingOfAnUnknownTable",
     "{type: universal, parent: a, child: b, axes: [[1, 0, 0], [0, 1, 0]], damping: [1, {table: dashpot}]}",
     "m.yaml:4:88: error: joints.j.damping[1]: no table 'dashpot'\n"},
    {"GearOfAnUnknownJoint",
     "{type: gear, joints: [k, jj]}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:31: error: joints.j.joints[1]: no joint 'jj'; did you mean 'j'?\n"},
    {"GearOfAJointWithSeveralCoordinates",
     "{type: gear, joints: [k, l]}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}\n  l: {type: free, "
     "parent: world, child: a}",
     "m.yaml:4:31: error: joints.j.joints[1]: a gear couples joints with one coordinate; 'l' is a free joint\n"},
    {"GearOfOneJointTwice", "{type: gear, joints: [k, k]}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:27: error: joints.j.joints: a gear couples two different joints\n"},
    {"GearWithZeroRatio",
     "{type: gear, joints: [k, l], ratio: 0}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}\n  l: {type: "
     "revolute, parent: world, child: a, axis: [0, 0, 1]}",
     "m.yaml:4:42: error: joints.j.ratio: cannot be zero\n"},
    {"DistanceOfZeroLength",
     "{type: distance, parent: a, child: b, length: 0}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:52: error: joints.j.length: must be positive\n"},
    {"ThermalWithZeroTimeConstant",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 1, thermal: {time_constant: 0, steady: 1}}",
     "m.yaml:4:100: error: joints.j.thermal.time_constant: must be positive\n"},
    {"LockedJointThatMoves", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], locked: true, initial: {rate: 1}}",
     "m.yaml:4:84: error: joints.j.initial: the joint is locked, so its initial speed must be zero\n"},
    {"LoopWithoutCut",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1]}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, "
     "1]}",
     ""},
    {"CutOfAJointThatIsInNoLoop", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], cut: true}",
     "m.yaml:4:66: error: joints.j.cut: the joint is not part of a loop\n"},
    {"BodyWithoutAJoint", "{type: free, parent: world, child: a}",
     "m.yaml:2:47: error: bodies.b: no joint connects it with the rest; give it a joint to another body, or a free "
     "joint to world\n"},
    {"BaseThatDoesNotReachTheWorld",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1]}\n  base: {type: weld, parent: a, child: b}",
     "m.yaml:5:9: error: joints.base: no joint reaches world, and the joint that would is called 'base'; this one "
     "connects 'a' and 'b': give it another name, or let its parent be world\n"},
    {"BadAxisInAGearedJoint",
     "{type: gear, joints: [k, l]}\n  k: {type: revolute, parent: a, child: b}\n  l: {type: revolute, parent: world, "
     "child: a, axis: [0, 0, 1]}",
     "m.yaml:5:6: error: joints.k.axis: missing; a revolute joint needs it\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, ImpossibleJoints, ::testing::ValuesIn(cases), testing::case_name);

TEST(Loops, ThroughNodesWhoseDeformationIsLeftOutAreRefused) {
  const auto problems = [](const char* terms, const char* shut) {
    return testing::problems_of(fmt::format(R"(gyrostat: 1
bodies:
  crank: {{mass: 1, com: [0.25, 0, 0], inertia: [0.001, 0.02, 0.02]}}
  rod: {{flexible: {{beam: {{to: [1, 0, 0], elements: 4, mass_per_length: 1, EI: 1e3}}, modes: {{count: 2}}, terms: {}}}}}
  slider: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  a: {{type: revolute, parent: world, child: crank, axis: [0, 0, 1]}}
  b: {{type: revolute, parent: crank, child: rod.root, parent_point: [0.5, 0, 0], axis: [0, 0, 1]}}
  c: {{type: prismatic, parent: world, child: slider, axis: [1, 0, 0], initial: {{displacement: 1.5}}}}
{}
)",
                                            terms, shut));
  };
  const char* said =
      "goes through 'rod.tip', where the body has 'terms: ruthless': that level leaves out where the deformation puts "
      "what is attached, so a loop would not stay closed; use 'linear' or 'stiffened'\n";
  const char* joint = "  d: {type: revolute, parent: rod.tip, child: slider, axis: [0, 0, 1], cut: true}";
  EXPECT_EQ(problems("ruthless", joint), std::string("m.yaml:10:6: error: joints.d: ") + said);
  EXPECT_EQ(problems("linear", joint), "");
  EXPECT_EQ(problems("ruthless",
                     "constraints: {tie: {distance: {from: [rod.tip, [0, 0, 0]], to: [slider, [0, 1, 0]]}, "
                     "equals: 1}}"),
            std::string("m.yaml:10:20: error: constraints.tie: ") + said);
  EXPECT_EQ(problems("ruthless",
                     "constraints: {tie: {distance: {from: [rod.root, [0, 0, 0]], to: [slider, [0, 1, 0]]}, "
                     "equals: 1.4142135623730951}}"),
            "")
      << "the root does not move";
}

}  // namespace validate_joints_test
}  // namespace gyrostat
