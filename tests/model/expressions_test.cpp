// Where dynamic expressions stand in a model, and which blocks pass their input on at once.
#include "gyrostat/model/expressions.h"

#include "support/load.h"

namespace gyrostat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Expression parsed(const std::string& text) { return expression::parse(text).expression; }

std::vector<std::string> paths(const std::vector<ExpressionAt>& list) {
  std::vector<std::string> texts;
  for (const ExpressionAt& at : list)
    texts.push_back(at.path + (at.of_time_only ? " (t)" : "") + " = " + at.expression->text);
  return texts;
}

TEST(Expressions, AreFoundWhereverTheyStand) {
  const Loaded loaded = testing::load(R"yaml(gyrostat: 1
bodies:
  bus:
    mass: 10
    inertia: [3, 3, 3]
    wheels:
      rw1: {axis: [1, 0, 0], inertia: 0.1, torque: "1 + t"}
      rw2: {axis: [0, 1, 0], inertia: 0.1, speed: "2 + t"}
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
  c: {mass: 1, inertia: [1, 1, 1]}
  d: {mass: 1, inertia: [1, 1, 1]}
joints:
  ja: {type: universal, parent: bus, child: a, axes: [[1, 0, 0], [0, 1, 0]], torque: ["3 + t", "4 + t"]}
  jb: {type: universal, parent: bus, child: b, axes: [[1, 0, 0], [0, 1, 0]], axis_torque: "5 + t"}
  jc: {type: revolute, parent: bus, child: c, axis: [1, 0, 0], prescribed: {position: "6 + t"}}
  jd: {type: revolute, parent: bus, child: d, axis: [1, 0, 0], stiffness: 1,
       thermal: {time_constant: 1, steady: 0.1, factor: "7 + t"}}
signals:
  s1: "8 + t"
  s2: {saturate: {input: "9 + t", low: 0, high: 1}}
loads:
  - {body: bus, force: ["10 + t", "11 + t", "12 + t"]}
  - {torque_between: {from: bus, to: a, axis: [1, 0, 0], torque: "13 + t"}}
  - {thruster: {body: bus, point: [0, 0, 0], direction: [1, 0, 0], thrust: "14 + t", command: "15 + t"}}
  - {spring: {from: [bus, [0, 0, 0]], to: [a, [1, 0, 0]], stiffness: 1, length: 1, force: "16 + t"}}
)yaml");
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  EXPECT_THAT(paths(all_expressions(loaded.model->description)),
              ElementsAre("bodies.bus.wheels.rw1.torque = 1 + t", "bodies.bus.wheels.rw2.speed (t) = 2 + t",
                          "joints.ja.torque[0] = 3 + t", "joints.ja.torque[1] = 4 + t",
                          HasSubstr("joints.jb.axis_torque"), "joints.jc.prescribed.position (t) = 6 + t",
                          "joints.jd.thermal.factor = 7 + t", "signals.s1 = 8 + t", "signals.s2.saturate.input = 9 + t",
                          "loads[0].force[0] = 10 + t", "loads[0].force[1] = 11 + t", "loads[0].force[2] = 12 + t",
                          "loads[1].torque_between.torque = 13 + t", "loads[2].thruster.thrust = 14 + t",
                          "loads[2].thruster.command = 15 + t", "loads[3].spring.force = 16 + t"));
}

TEST(Expressions, OfAModelWithoutAnyAreNone) {
  const Loaded loaded = testing::load("gyrostat: 1\nbodies:\n  bus: {mass: 1, inertia: [1, 1, 1]}\n");
  ASSERT_TRUE(loaded.model);
  EXPECT_THAT(all_expressions(loaded.model->description), IsEmpty());
}

TEST(Expressions, AreAllChecked) {
  const std::string text = testing::problems_of(R"yaml(gyrostat: 1
bodies:
  bus:
    mass: 10
    inertia: [3, 3, 3]
    wheels: {rw1: {axis: [1, 0, 0], inertia: 0.1, torque: "no1"}}
  a: {mass: 1, inertia: [1, 1, 1]}
joints:
  ja: {type: universal, parent: bus, child: a, axes: [[1, 0, 0], [0, 1, 0]], torque: ["t", "no2"]}
signals:
  s1: {integral: "no3"}
loads:
  - {body: bus, force: [0, "no4", 0]}
)yaml");
  for (const char* name : {"no1", "no2", "no3", "no4"})
    EXPECT_THAT(text, HasSubstr(std::string("no parameter or signal '") + name + "'"));
}

TEST(Expressions, NameATableThatDoesNotExistThoughASignalHasItsName) {
  const std::string text = testing::problems_of(
      "gyrostat: 1\nbodies:\n  bus: {mass: 1, inertia: [1, 1, 1]}\nsignals:\n  x: t\n  y: table(x, x)\n");
  EXPECT_THAT(text, HasSubstr("no table 'x'"));
}

TEST(Blocks, FeedThroughUnlessTheyHoldOrIntegrate) {
  const Expression e = parsed("t");
  EXPECT_TRUE(feeds_through(e));
  EXPECT_TRUE(feeds_through(SaturateBlock{e, 0, 1}));
  EXPECT_TRUE(feeds_through(TableBlock{e, "x"}));
  EXPECT_TRUE(feeds_through(SwitchingAmplifierBlock{e, 0, 0, 0, 0}));
  EXPECT_TRUE(feeds_through(TransferFunctionBlock{e, {1, 0}, {1, 1}, 0}));
  EXPECT_FALSE(feeds_through(TransferFunctionBlock{e, {1}, {1, 1}, 0}));
  EXPECT_FALSE(feeds_through(TransferFunctionBlock{e, {0, 1}, {1, 1}, 0})) << "a leading zero is no power of s";
  EXPECT_FALSE(feeds_through(IntegralBlock{e, 0}));
  EXPECT_FALSE(feeds_through(DelayBlock{e, 1}));
  EXPECT_FALSE(feeds_through(SampleBlock{e, 1}));
  EXPECT_FALSE(feeds_through(NoiseBlock{1, 1, 1}));
  StateSpaceBlock state_space;
  state_space.inputs = {e};
  state_space.a = state_space.b = state_space.c = {{1}};
  EXPECT_FALSE(feeds_through(state_space));
  state_space.d = {{0}};
  EXPECT_FALSE(feeds_through(state_space));
  state_space.d = {{2}};
  EXPECT_TRUE(feeds_through(state_space));
  PidBlock pid;
  pid.input = e;
  pid.kp = 1;
  EXPECT_TRUE(feeds_through(pid));
}

TEST(Blocks, TellWhereTheirInputsStand) {
  const auto paths_of = [](const Block& block) {
    std::vector<std::string> list;
    for (const auto& [path, input] : inputs_of(block)) list.push_back(path);
    return list;
  };
  const Expression e = parsed("t");
  EXPECT_THAT(paths_of(e), ElementsAre(""));
  EXPECT_THAT(paths_of(IntegralBlock{e, 0}), ElementsAre("integral"));
  EXPECT_THAT(paths_of(DelayBlock{e, 1}), ElementsAre("delay.input"));
  EXPECT_THAT(paths_of(TableBlock{e, "x"}), ElementsAre("table.x"));
  EXPECT_THAT(paths_of(NoiseBlock{}), IsEmpty());
  StateSpaceBlock state_space;
  state_space.inputs = {e, e};
  EXPECT_THAT(paths_of(state_space), ElementsAre("state_space.inputs[0]", "state_space.inputs[1]"));
}

}  // namespace
}  // namespace gyrostat
