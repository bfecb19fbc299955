// gyrostat info: the model as text and as data.
#include "app/head.h"

namespace gyrostat::testing {
namespace {

TEST(Info, DrawsTheTreeOfTheFiveBodySpacecraft) {
  const Outcome o = run("info " + five_body);
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_THAT(o.out, StartsWith("JPL five-body spacecraft, case 1\n"
                                "\n"
                                "world\n"
                                "└─ base: free, 6 degrees of freedom -> bus (410 kg)\n"
                                "   ├─ pan: revolute at 218 deg -> hub (6.8 kg)\n"
                                "   │  └─ tilt: revolute at -30 deg -> platform (57.5 kg)\n"
                                "   └─ boom_x: revolute -> knuckle (massless)\n"
                                "      └─ boom_z: revolute -> boom (10.7 kg)\n"
                                "\n"
                                "5 bodies, 10 degrees of freedom: 10 of joints\n"));
  EXPECT_THAT(o.out, HasSubstr("  mass              485 kg\n"));
  EXPECT_THAT(o.out, HasSubstr("\n11 coordinates:\n  q[0]  base.position_x"));
  EXPECT_THAT(o.out, HasSubstr("\n10 speeds:\n  u[0]  base."));
  EXPECT_THAT(o.out, Not(HasSubstr("\033")));
  EXPECT_THAT(o.err, HasSubstr("warning: bodies.bus.inertia"));
  EXPECT_THAT(o.out, Not(HasSubstr("warning")));
}

TEST(Info, ShowsWheelsLocksReversedJointsAndLoops) {
  const Scratch scratch;
  const Outcome o = run("info " + quoted(scratch.write("m.yaml", R"(gyrostat: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1}, v: {axis: [1, 0, 0], inertia: 0.1}}}
  b: {mass: 2, inertia: [1, 1, 1]}
  c: {mass: 3, point_mass: true}
joints:
  base: {}
  j: {type: revolute, parent: b, child: a, axis: [0, 0, 1], locked: true, initial: {angle: 10 deg}}
  k: {type: prismatic, parent: a, child: c, axis: [0, 0, 1], prescribed: {acceleration: 1}}
  l: {type: weld, parent: b, child: c, cut: true}
)")));
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, StartsWith("world\n"
                                "└─ base: free, 6 degrees of freedom -> a (1 kg, wheels w, v)\n"
                                "   ├─ j: revolute, locked, reversed at 10 deg -> b (2 kg)\n"
                                "   └─ k: prismatic, prescribed -> c (3 kg, point mass)\n"
                                "joints.l: weld between b and c; it is marked 'cut'\n"
                                "\n"
                                "3 bodies, 8 degrees of freedom: 6 of joints, 2 of wheels, 1 locked, 1 prescribed\n"
                                "mobility "));
}

TEST(Info, AnswersInJson) {
  const Outcome o = run("info --json " + five_body);
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  const json answer = json::parse(o.out, nullptr, false);
  ASSERT_FALSE(answer.is_discarded());
  EXPECT_EQ(answer["ok"], true);
  EXPECT_EQ(answer["warnings"], 1);
  EXPECT_EQ(answer["name"], "JPL five-body spacecraft, case 1");
  EXPECT_EQ(answer["freedoms"], json({{"joints", 10}, {"wheels", 0}, {"modes", 0}, {"locked", 0}, {"prescribed", 0}}));
  EXPECT_DOUBLE_EQ(answer["mass"], 485);
  EXPECT_EQ(answer["com"].size(), 3U);
  ASSERT_EQ(answer["inertia"].size(), 3U);
  EXPECT_EQ(answer["inertia"][0].size(), 3U);
  EXPECT_EQ(answer["inertia"][0][1], answer["inertia"][1][0]);
  EXPECT_EQ(answer["principal_moments"].size(), 3U);
  ASSERT_EQ(answer["bodies"].size(), 5U);
  EXPECT_EQ(
      answer["bodies"][1],
      json({{"name", "hub"},
            {"parent", "bus"},
            {"mass", 6.8},
            {"joint",
             {{"name", "pan"}, {"type", "revolute"}, {"freedoms", 1}, {"motion", "free"}, {"reversed", false}}}}));
  EXPECT_EQ(answer["wheels"], json::array());
  EXPECT_EQ(answer["loops"], json::array());
  ASSERT_EQ(answer["state"]["coordinates"].size(), 11U);
  ASSERT_EQ(answer["state"]["speeds"].size(), 10U);
  EXPECT_EQ(answer["state"]["coordinates"][7]["name"], "pan.angle");
  EXPECT_EQ(answer["state"]["coordinates"][7]["unit"], "rad");
  EXPECT_NEAR(answer["state"]["coordinates"][7]["initial"], 3.804817768, 1e-8);
}

TEST(Info, OfAWrongModelSaysWhatIsWrong) {
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", "gyrostat: 1\nbodies: {a: {mass: -1, inertia: [1, 1, 1]}}\n");
  const Outcome text = run("info " + quoted(path));
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_EQ(text.out, "");
  EXPECT_THAT(text.err, StartsWith(path + ":2:20: error: bodies.a.mass: a mass cannot be negative\n"));
  const Outcome data = run("info --json " + quoted(path));
  EXPECT_EQ(data.exit_code, 1);
  EXPECT_EQ(data.err, "");
  EXPECT_EQ(json::parse(data.out, nullptr, false)["ok"], false);
}

TEST(Info, SetChangesWhatIsShown) {
  const Scratch scratch;
  const std::string path =
      quoted(scratch.write("m.yaml", "gyrostat: 1\nparameters: {M: 1}\nbodies: {a: {mass: M, inertia: [1, 1, 1]}}\n"));
  EXPECT_THAT(run("info " + path + " --set 'M=2500 g'").out, HasSubstr("-> a (2.5 kg)\n"));
}

TEST(Info, OfALongChainIsShort) {
  const Scratch scratch;
  std::string text = "gyrostat: 1\nbodies:\n";
  for (int i = 0; i < 5000; ++i) text += "  b" + std::to_string(i) + ": {mass: 1, inertia: [1, 1, 1]}\n";
  text += "joints:\n";
  for (int i = 1; i < 5000; ++i) {
    text += "  j" + std::to_string(i) + ": {type: revolute, parent: b" + std::to_string(i - 1) + ", child: b" +
            std::to_string(i) + ", axis: [0, 0, 1]}\n";
  }
  const std::string path = quoted(scratch.write("m.yaml", text));
  const Outcome o = run("info " + path);
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_LT(o.out.size(), 100'000U);
  EXPECT_THAT(o.out, HasSubstr("\n5000 bodies, 5005 degrees of freedom: 5005 of joints\n"));
  EXPECT_THAT(o.out, HasSubstr("more bodies (--json lists all)\n"));
  const json answer = json::parse(run("info --json " + path).out, nullptr, false);
  EXPECT_EQ(answer["bodies"].size(), 5000U);
}

TEST(Info, ReadsAPipe) {
  const int status =
      std::system(("cat " + ten_body + " | '" GYROSTAT_PROGRAM "' info /dev/stdin >/dev/null 2>&1").c_str());
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace gyrostat::testing
