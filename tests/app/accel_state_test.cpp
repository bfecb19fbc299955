// gyrostat accel --state: another state than the initial one, and everything that can be wrong with the file.
#include "app/head.h"

namespace gyrostat::testing {
namespace {

const std::string model = R"(gyrostat: 1
parameters: {k: 4}
bodies:
  bus: {mass: 6, inertia: [3, 4, 5], wheels: {rw: {axis: [0, 0, 1], inertia: 0.5, stiffness: 3, rate: 1}}}
  panel: {mass: 2, inertia: [1, 1, 1]}
  ball: {mass: 2, inertia: [1, 2, 2.5]}
  rings: {mass: 2, inertia: [1, 1, 1]}
  held: {mass: 2, inertia: [1, 1, 1]}
  two: {mass: 2, inertia: [1, 1, 1]}
joints:
  base: {type: free, parent: world, child: bus}
  pan: {type: revolute, parent: world, child: panel, axis: [0, 0, 1], stiffness: k, damping: 1, initial: {angle: 0.5}}
  socket: {type: spherical, parent: world, child: ball}
  gimbals: {type: gimbal, parent: world, child: rings, axes: [[0, 0, 1], [0, 1, 0], [1, 0, 0]]}
  stuck: {type: revolute, parent: world, child: held, axis: [0, 0, 1], locked: true}
  cyl: {type: cylindrical, parent: world, child: two, axis: [0, 0, 1], stiffness: [3, 4]}
)";

struct Files {
  Scratch scratch;
  std::string model_path = scratch.write("m.yaml", model);

  [[nodiscard]] Outcome accel(const std::string& state, const std::string& options = "") const {
    return run("accel '" + model_path + "' --state '" + scratch.write("s.json", state) + "' " + options);
  }
  [[nodiscard]] json answer(const std::string& state, const std::string& options = "") const {
    const Outcome o = accel(state, "--json " + options);
    EXPECT_EQ(o.exit_code, 0) << o.out << o.err;
    json parsed = json::parse(o.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded());
    return parsed;
  }
};

void expect_list(const json& list, const std::vector<double>& expected) {
  ASSERT_EQ(list.size(), expected.size()) << list;
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(list[k], expected[k], 1e-12) << list;
}

TEST(AccelState, AnEmptyObjectIsTheInitialState) {
  const Files files;
  for (const char* state : {"{}", "{\"joints\": {}}", "{\"joints\": {}, \"wheels\": {}}", " \n{ }\n",
                            "{\"joints\": {\"pan\": {}, \"base\": {}}}"}) {
    EXPECT_EQ(files.accel(state).out, run("accel '" + files.model_path + "'").out) << state;
  }
}

TEST(AccelState, PositionsAndSpeedsReplaceTheInitialOnes) {
  const Files files;
  expect_list(files.answer("{}")["accelerations"]["pan"], {-2});
  expect_list(files.answer(R"({"joints": {"pan": {"position": [2], "speed": [3]}}})")["accelerations"]["pan"], {-11});
  expect_list(files.answer(R"({"joints": {"pan": {"speed": [3]}}})")["accelerations"]["pan"], {-5});
  expect_list(files.answer(R"({"joints": {"pan": {"position": 2}}})")["accelerations"]["pan"], {-8});
  expect_list(files.answer(R"({"joints": {"cyl": {"position": [1, 2]}}})")["accelerations"]["cyl"], {-3, -4});
}

TEST(AccelState, OfAFreeJointHasItsOwnNames) {
  const Files files;
  json a = files.answer(R"({"joints": {"base": {"orientation": [0.6, 0, 0, 0.8], "omega": [1, 0, 2],
    "position": [1, 2, 3], "velocity": [4, 5, 6]}}})");
  // w x (J w + h) with h of the wheel: [1, 0, 2] x [3, 0, 10 + 0.5] = [0, 6 - 10.5, 0]
  EXPECT_NEAR(a["accelerations"]["base"][1], 4.5 / 4, 1e-12);
  expect_list(a["momentum"]["linear"], {24, 30, 36});
  EXPECT_NEAR(a["com"][0], 6.0 / 16, 1e-12);
  EXPECT_NEAR(a["com"][2], 18.0 / 16, 1e-12);
}

TEST(AccelState, OfASphericalJointIsAQuaternionAndOmega) {
  const Files files;
  for (const char* state : {R"({"joints": {"socket": {"position": [0.6, 0.8, 0, 0], "speed": [1, 1, 0]}}})",
                            R"({"joints": {"socket": {"orientation": [0.6, 0.8, 0, 0], "omega": [1, 1, 0]}}})"}) {
    expect_list(files.answer(state)["accelerations"]["socket"], {0, 0, -0.4});
  }
}

TEST(AccelState, TheScalarOfAQuaternionComesFirst) {
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
loads: [{body: a, force: [3, 0, 0]}]
)");
  const std::string state = scratch.write("s.json", R"({"joints": {"base": {"orientation": [0, 0, 0, 1]}}})");
  const Outcome o = run("accel --json '" + path + "' --state '" + state + "'");
  expect_list(json::parse(o.out, nullptr, false)["accelerations"]["base"], {0, 0, 0, -3, 0, 0});
}

TEST(AccelState, OfAWheelIsItsRateAndItsAngle) {
  const Files files;
  json before = files.answer("{}"), after = files.answer(R"({"wheels": {"bus.rw": {"rate": 10}}})");
  EXPECT_NEAR(before["energy"]["kinetic"], 0.25, 1e-12);
  EXPECT_NEAR(after["energy"]["kinetic"], 25, 1e-12);
  json turned = files.answer(R"({"wheels": {"bus.rw": {"angle": 2}}})");
  EXPECT_NEAR(turned["energy"]["potential"], before["energy"]["potential"].get<double>() + 6, 1e-12);
}

TEST(AccelState, ALockedJointMayStandElsewhere) {
  const Files files;
  expect_list(files.answer(R"({"joints": {"stuck": {"position": [2], "speed": [0]}}})")["accelerations"]["stuck"], {0});
}

TEST(AccelState, WorksTogetherWithSetAndAll) {
  const Files files;
  json a = files.answer(R"({"joints": {"pan": {"position": [2]}}})", "--set k=10 --formulation all");
  expect_list(a["accelerations"]["pan"], {-20});
  EXPECT_LT(a["largest_disagreement"], 1e-12);
}

TEST(AccelState, AQuaternionAlmostOfUnitLengthIsMadeSo) {
  const Files files;
  json a = files.answer(R"({"joints": {"base": {"orientation": [0.6000003, 0, 0, 0.8000004]}}})");
  EXPECT_TRUE(a.contains("accelerations"));
}

// --- what is wrong -----------------------------------------------------------------------------------------------

struct WrongCase {
  const char* name;
  std::string state;
  std::string said;  // after the file's name
};

class AccelStateWrong : public ::testing::TestWithParam<WrongCase> {};

TEST_P(AccelStateWrong, IsRefusedWithItsPlace) {
  const Files files;
  const Outcome o = files.accel(GetParam().state);
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_THAT(o.err, StartsWith((files.scratch.path() / "s.json").string() + ": "));
  EXPECT_THAT(o.err, HasSubstr("s.json: " + GetParam().said));
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
}

INSTANTIATE_TEST_SUITE_P(
    Each, AccelStateWrong,
    ::testing::Values(
        WrongCase{"Empty", "", "parse error at line 1, column 1"},
        WrongCase{"NotJson", "{\"joints\":\n  {pan: 1}}", "parse error at line 2, column 4"},
        WrongCase{"NotClosed", "{\"joints\": {", "parse error at line 1, column 13"},
        WrongCase{"MoreAfterIt", "{} x", "parse error at line 1, column 4"},
        WrongCase{"NotText", "{\"joints\": {\"\xFF\": {}}}", "parse error at line 1, column 14"},
        WrongCase{"NaN", R"({"joints": {"pan": {"position": [NaN]}}})", "parse error at line 1, column 34"},
        WrongCase{"UnknownSection", R"({"joint": {}})",
                  "joint: is not a field here; the fields are gyrostat_state, joints, wheels"},
        WrongCase{"JointsAreAList", R"({"joints": []})", "joints: an object is expected"},
        WrongCase{"JointsAreNull", R"({"joints": null})", "joints: an object is expected"},
        WrongCase{"WheelsAreANumber", R"({"wheels": 3})", "wheels: an object is expected"},
        WrongCase{"UnknownJoint", R"({"joints": {"pam": {}}})",
                  "joints.pam: there is no joint 'pam'; did you mean 'pan'?"},
        WrongCase{"UnknownJointUnlikeAny", R"({"joints": {"quite_another": {}}})",
                  "joints.quite_another: there is no joint 'quite_another'"},
        WrongCase{"JointIsNull", R"({"joints": {"pan": null}})", "joints.pan: an object is expected"},
        WrongCase{"JointIsANumber", R"({"joints": {"pan": 3}})", "joints.pan: an object is expected"},
        WrongCase{"ExtraField", R"({"joints": {"pan": {"position": 1, "angle": 2}}})",
                  "joints.pan.angle: is not a field here; the fields are position, speed"},
        WrongCase{"FreeJointWithSpeed", R"({"joints": {"base": {"speed": [0, 0, 0, 0, 0, 0]}}})",
                  "joints.base.speed: is not a field here; the fields are orientation, omega, position, velocity"},
        WrongCase{"TooLong", R"({"joints": {"pan": {"position": [1, 2]}}})",
                  "joints.pan.position: a number is expected"},
        WrongCase{"TooShort", R"({"joints": {"cyl": {"speed": [1]}}})",
                  "joints.cyl.speed: a list of 2 numbers is expected"},
        WrongCase{"ANumberForTwo", R"({"joints": {"cyl": {"speed": 1}}})",
                  "joints.cyl.speed: a list of 2 numbers is expected"},
        WrongCase{"ShortQuaternion", R"({"joints": {"socket": {"position": [1, 0, 0]}}})",
                  "joints.socket.position: a list of 4 numbers is expected"},
        WrongCase{"QuaternionNotUnit", R"({"joints": {"base": {"orientation": [1, 1, 0, 0]}}})",
                  "joints.base.orientation: the quaternion [w, x, y, z] has length 1.41421356 and not 1"},
        WrongCase{"QuaternionZero", R"({"joints": {"socket": {"position": [0, 0, 0, 0]}}})",
                  "joints.socket.position: the quaternion [w, x, y, z] has length 0 and not 1"},
        WrongCase{"StringForNumber", R"({"joints": {"pan": {"position": ["30 deg"]}}})",
                  "joints.pan.position[0]: a number is expected"},
        WrongCase{"NullForNumber", R"({"joints": {"cyl": {"speed": [1, null]}}})",
                  "joints.cyl.speed[1]: a number is expected"},
        WrongCase{"TrueForNumber", R"({"joints": {"cyl": {"speed": [true, 1]}}})",
                  "joints.cyl.speed[0]: a number is expected"},
        WrongCase{"NullForList", R"({"joints": {"cyl": {"speed": null}}})",
                  "joints.cyl.speed: a list of 2 numbers is expected"},
        WrongCase{"ListInList", R"({"joints": {"pan": {"position": [[1]]}}})",
                  "joints.pan.position[0]: a number is expected"},
        WrongCase{"UnknownWheel", R"({"wheels": {"bus.rv": {"rate": 1}}})",
                  "wheels.bus.rv: there is no wheel 'bus.rv'; did you mean 'bus.rw'?"},
        WrongCase{"WheelWithoutItsBody", R"({"wheels": {"rw": {"rate": 1}}})", "wheels.rw: there is no wheel 'rw'"},
        WrongCase{"ExtraFieldOfAWheel", R"({"wheels": {"bus.rw": {"speed": 1}}})",
                  "wheels.bus.rw.speed: is not a field here; the fields are rate, angle"},
        WrongCase{"WheelIsANumber", R"({"wheels": {"bus.rw": 7}})", "wheels.bus.rw: an object is expected"},
        WrongCase{"LockedJointWithSpeed", R"({"joints": {"stuck": {"speed": [1]}}})",
                  "joints.stuck: the joint is locked and cannot have a speed"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(AccelState, AFileThatIsMissingIsNamed) {
  const Files files;
  const Outcome o = run("accel '" + files.model_path + "' --state /nowhere/s.json");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "/nowhere/s.json: the file cannot be read\n");
}

TEST(AccelState, ADirectoryIsNoStateFile) {
  const Files files;
  const Outcome o = run("accel '" + files.model_path + "' --state '" + files.scratch.path().string() + "'");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_THAT(o.err, StartsWith(files.scratch.path().string() + ": "));
}

TEST(AccelState, AFileThatIsNestedDeeplyIsRefusedAndDoesNotCrash) {
  const Files files;
  EXPECT_EQ(files.accel(std::string(200'000, '[')).exit_code, 2);
  EXPECT_EQ(files.accel(std::string(200'000, '[') + std::string(200'000, ']')).exit_code, 2);
}

TEST(AccelState, AGimbalAtLockCannotGoOn) {
  const Files files;
  const std::string state = R"({"joints": {"gimbals": {"position": [0.1, 1.5707963267948966, 0.2]}}})";
  const Outcome o = files.accel(state);
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(o.out, "");
  for (const char* words : {"m.yaml: ", "'gimbals'", "gimbal lock", "90 deg"}) EXPECT_THAT(o.err, HasSubstr(words));
  const Outcome data = files.accel(state, "--json");
  EXPECT_EQ(data.exit_code, 3);
  EXPECT_THAT(json::parse(data.out, nullptr, false)["error"].get<std::string>(), HasSubstr("'gimbals'"));
  EXPECT_EQ(files.accel(state, "--formulation all").exit_code, 3);
  EXPECT_EQ(files.accel(state, "--formulation kane").exit_code, 3);
}

TEST(AccelState, AMotionWithoutInertiaCannotGoOn) {
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", R"(gyrostat: 1
bodies: {arm: {mass: 0}, bead: {mass: 1, point_mass: true}}
joints:
  turn: {type: revolute, parent: world, child: arm, axis: [0, 0, 1]}
  slide: {type: prismatic, parent: arm, child: bead, axis: [1, 0, 0], initial: {displacement: 1}}
)");
  EXPECT_EQ(run("accel '" + path + "'").exit_code, 0);
  const std::string state = scratch.write("s.json", R"({"joints": {"slide": {"position": 0}}})");
  const Outcome o = run("accel '" + path + "' --state '" + state + "'");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(o.out, "");
  EXPECT_THAT(o.err, HasSubstr("joint 'turn' can move at this configuration without moving any mass"));
}

TEST(AccelState, MayComeThroughAPipe) {
  const Files files;
  const int status =
      std::system(("echo '{\"joints\": {\"pan\": {\"position\": [2]}}}' | '" GYROSTAT_PROGRAM "' accel '" +
                   files.model_path + "' --state /dev/stdin >/dev/null 2>&1")
                      .c_str());
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace gyrostat::testing
