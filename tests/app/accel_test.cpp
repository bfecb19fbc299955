// gyrostat accel: accelerations, reactions, energy and momentum at the initial state, as text and as data.
#include <chrono>
#include <set>

#include "app/head.h"

namespace gyrostat::testing {
namespace accel_test {

const std::vector<std::string> exact = {"articulated_body", "composite_body", "kane", "nested_body",
                                        "augmented_body",   "absolute",       "mixed"};
const std::vector<std::string> linear = {"linear_total", "linear_total_fixed", "linear_partial"};

json answer(const std::string& text, const std::string& options = "") {
  const Outcome o = accel(text, "--json " + options);
  EXPECT_EQ(o.exit_code, 0) << o.out << o.err;
  EXPECT_EQ(o.err, "");
  json parsed = json::parse(o.out, nullptr, false);
  EXPECT_FALSE(parsed.is_discarded()) << o.out;
  return parsed;
}

void expect_list(const json& list, const std::vector<double>& expected, double tolerance = 1e-12) {
  ASSERT_TRUE(list.is_array()) << list;
  ASSERT_EQ(list.size(), expected.size()) << list;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    ASSERT_TRUE(list[k].is_number()) << list;
    EXPECT_NEAR(list[k], expected[k], tolerance * (1 + std::abs(expected[k]))) << list;
  }
}

/// No number is missing and none is a surprise: nan, inf and the zero that has a sign.
void expect_readable(const std::string& text) {
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
  std::istringstream words(text);
  for (std::string word; words >> word;) EXPECT_NE(word, "-0");
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

/// A free bus with a wheel, a driven and a locked joint; gravity pulls along y.
const std::string everything = R"(gyrostat: 1
parameters: {T: 2 N*m}
bodies:
  bus:
    mass: 6
    inertia: [3, 4, 5]
    wheels:
      rw: {axis: [0, 0, 1], inertia: 0.5, rate: 10, torque: T}
      dr: {axis: [1, 0, 0], inertia: 0.5, speed: "4*t"}
  slide: {mass: 2, inertia: [1, 1, 1]}
  held: {mass: 2, inertia: [1, 1, 1]}
joints:
  base: {initial: {velocity: [1, 0, 0], position: [0, 3, 0]}}
  driven: {type: prismatic, parent: bus, child: slide, axis: [0, 0, 1], prescribed: {position: "2*t^2"}}
  stuck: {type: revolute, parent: bus, child: held, axis: [0, 0, 1], locked: true}
environment: {gravity: {uniform: [0, -10, 0]}}
)";

// --- data --------------------------------------------------------------------------------------------------------

TEST(Accel, SaysWhichReactionsRedundantConstraintsLeaveOpen) {
  const Outcome o = accel(slider_crank);
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const std::string reactions_and_multipliers = o.out.substr(std::min(o.out.find("\nReactions"), o.out.size()));
  for (const char* name : {"\nshaft ", "\npin ", "\nguide ", "\nwrist "}) {
    const std::size_t begin = reactions_and_multipliers.find(name) + 1;
    const std::string line =
        reactions_and_multipliers.substr(begin, reactions_and_multipliers.find('\n', begin) - begin);
    EXPECT_THAT(line, ::testing::EndsWith("  not unique: force z, torque x y")) << name;
  }
  EXPECT_THAT(o.out, HasSubstr("not unique: of least norm"));
  for (const char* formulation : {"articulated_body", "composite_body", "kane", "absolute", "mixed"}) {
    const Outcome told = accel(slider_crank, std::string("--json --formulation ") + formulation);
    ASSERT_EQ(told.exit_code, 0) << told.err;
    const json reactions = json::parse(told.out)["reactions"];
    for (const char* name : {"shaft", "pin", "guide", "wrist"}) {
      EXPECT_EQ(reactions[name]["unique"], false) << name;
      EXPECT_EQ(reactions[name]["not_unique"], json({"force_z", "torque_x", "torque_y"})) << name;
    }
  }
}

TEST(Accel, SaysWhichDrivingForcesAreOpen) {
  const std::string text =
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
      "  x: {type: prismatic, parent: world, child: a, axis: [1, 0, 0], initial: {displacement: 2}, locked: true}\n"
      "constraints: {rod: {distance: {from: [world, [0, 0, 0]], to: [a, [0, 0, 0]]}, equals: 2}}\n";
  EXPECT_THAT(accel(text).out, HasSubstr("locked  not unique: of least norm\n"));
  EXPECT_THAT(accel(text.substr(0, text.find("constraints"))).out, Not(HasSubstr("not unique")));
}

TEST(Accel, AnswersFieldByField) {
  json a = answer(everything);
  std::set<std::string> fields;
  for (const auto& [key, value] : a.items()) fields.insert(key);
  for (const char* field :
       {"formulation", "accelerations", "wheels", "reactions", "driving", "energy", "momentum", "com"}) {
    EXPECT_TRUE(fields.contains(field)) << field;
  }
  EXPECT_EQ(a["formulation"], "articulated_body");

  // along z the slide takes 4 m/s^2 relative to a bus that takes -4 * 2/10; about z 2 N m turn the wheel, and back
  // the bus and what it carries, 5 - 0.5 + 1 + 1 kg m^2; about x the driven wheel turns all of it, 3 + 1 + 1 kg m^2
  const double back = -2 / 6.5, aside = -0.5 * 4 / 5;
  expect_list(a["accelerations"]["base"], {aside, 0, back, 0, -10, -0.8});
  expect_list(a["accelerations"]["driven"], {4});
  expect_list(a["accelerations"]["stuck"], {0});
  EXPECT_EQ(a["accelerations"].size(), 3U);

  EXPECT_EQ(a["wheels"].size(), 2U);
  EXPECT_NEAR(a["wheels"]["bus.rw"], 4 - back, 1e-12);
  EXPECT_NEAR(a["wheels"]["bus.dr"], 4, 1e-12);

  EXPECT_EQ(a["reactions"].size(), 3U);
  expect_list(a["reactions"]["base"]["force"], {0, 0, 0});
  expect_list(a["reactions"]["base"]["torque"], {0, 0, 0});
  expect_list(a["reactions"]["driven"]["force"], {0, 0, 2 * 3.2});
  expect_list(a["reactions"]["driven"]["torque"], {aside, 0, back});
  expect_list(a["reactions"]["stuck"]["force"], {0, 0, -1.6});
  expect_list(a["reactions"]["stuck"]["torque"], {aside, 0, back});

  EXPECT_EQ(a["driving"].size(), 3U) << "the driven, the locked and the driven wheel, not what moves freely";
  expect_list(a["driving"]["driven"], {6.4});
  expect_list(a["driving"]["stuck"], {back});
  expect_list(a["driving"]["bus.dr"], {0.5 * (4 + aside)});

  EXPECT_NEAR(a["energy"]["kinetic"], 0.5 * 10 + 0.5 * 0.5 * 100, 1e-12);
  EXPECT_NEAR(a["energy"]["potential"], 10 * 10 * 3, 1e-12);
  expect_list(a["momentum"]["linear"], {10, 0, 0});
  expect_list(a["momentum"]["angular_com"], {0, 0, 5});
  expect_list(a["com"], {0, 3, 0});
}

TEST(Accel, NothingIsNullInTheData) { EXPECT_THAT(accel(everything, "--json").out, Not(HasSubstr("null"))); }

TEST(Accel, WithoutWheelsAndDrivesTheirListsAreEmptyObjects) {
  json a = answer("gyrostat: 1\nbodies: {a: {mass: 2, inertia: [1, 1, 1]}}\n");
  EXPECT_EQ(a["wheels"], json::object());
  EXPECT_EQ(a["driving"], json::object());
  EXPECT_EQ(a["accelerations"].size(), 1U);
}

TEST(Accel, AccelerationsAreInTheOrderOfTheSpeeds) {
  json a = answer(R"(gyrostat: 1
bodies:
  a: {mass: 2, inertia: [2, 3, 4]}
  b: {mass: 2, inertia: [2, 3, 4]}
  c: {mass: 2, inertia: [2, 3, 4]}
  d: {mass: 2, inertia: [2, 3, 4]}
joints:
  f: {type: free, parent: world, child: a, torque: [2, 3, 4, 8, 16, 32]}
  c: {type: cylindrical, parent: world, child: b, axis: [0, 0, 1], torque: [4, 16]}
  p: {type: planar, parent: world, child: c, normal: [0, 0, 1], torque: [2, 4, 16]}
  s: {type: spherical, parent: world, child: d, torque: [6, 12, 20]}
)");
  expect_list(a["accelerations"]["f"], {1, 1, 1, 4, 8, 16});
  expect_list(a["accelerations"]["c"], {1, 8});
  expect_list(a["accelerations"]["p"], {1, 2, 4});
  expect_list(a["accelerations"]["s"], {3, 4, 5});
}

TEST(Accel, AWeldHasNoAccelerationsButAReaction) {
  json a = answer(R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}, b: {mass: 3, point_mass: true}}
joints: {w: {type: weld, parent: world, child: a}, v: {type: weld, parent: a, child: b, parent_point: [1, 0, 0]}}
environment: {gravity: {uniform: [0, 0, -10]}}
)");
  EXPECT_EQ(a["accelerations"], json({{"w", json::array()}, {"v", json::array()}}));
  expect_list(a["reactions"]["w"]["force"], {0, 0, 50});
  expect_list(a["reactions"]["w"]["torque"], {0, -30, 0});
  expect_list(a["reactions"]["v"]["force"], {0, 0, 30});
}

TEST(Accel, SetChangesAParameter) {
  json a = answer(everything, "--set 'T=4 N*m'");
  EXPECT_NEAR(a["wheels"]["bus.rw"], 8 + 4 / 6.5, 1e-12);
  EXPECT_EQ(accel(everything, "--set X=4").exit_code, 1);
  EXPECT_EQ(accel(everything, "--set T").exit_code, 2);
}

TEST(Accel, TheSameQuestionHasTheSameAnswer) {
  EXPECT_EQ(run("accel --json " + ten_body).out, run("accel --json " + ten_body).out);
}

// --- text --------------------------------------------------------------------------------------------------------

TEST(Accel, PrintsATableForPeople) {
  const Outcome o = accel(everything);
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, StartsWith("formulation articulated_body\n"));
  for (const char* words :
       {"base.velocity_y", "m/s^2", "rad/s^2", "-10\n", "driven.speed", "  prescribed\n", "stuck.rate", "  locked\n",
        "bus.rw.rate", "kinetic energy", "potential energy", "momentum", "com  "}) {
    EXPECT_THAT(o.out, HasSubstr(words));
  }
  expect_readable(o.out);
  std::istringstream lines(o.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
}

TEST(Accel, ANegativeZeroIsZero) {
  for (const char* force : {"[0, 0, 0]", "[-1, 0, 0]", "[0, -1, -1]"}) {
    expect_readable(
        accel("gyrostat: 1\nbodies: {a: {mass: 2, com: [0.5, 0, 0], inertia: [1, 1, 1]}}\nloads: [{body: a, "
              "force: " +
              std::string(force) + "}, {body: a, torque: [\"-1*t\", 0, \"-t\"]}]\n")
            .out);
  }
}

TEST(Accel, WarningsGoToStderrAndNotIntoTheAnswer) {
  const Outcome text = run("accel " + five_body);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.err, HasSubstr("warning: bodies.bus.inertia"));
  EXPECT_THAT(text.out, Not(HasSubstr("warning")));
  const Outcome data = run("accel --json " + five_body);
  EXPECT_EQ(data.err, "");
  EXPECT_FALSE(json::parse(data.out, nullptr, false).is_discarded());
}

TEST(Accel, OfAWrongModelSaysWhatIsWrong) {
  const std::string wrong = "gyrostat: 1\nbodies: {a: {mass: -1, inertia: [1, 1, 1]}}\n";
  const Outcome text = accel(wrong);
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_EQ(text.out, "");
  EXPECT_THAT(text.err, HasSubstr("m.yaml:2:20: error: bodies.a.mass: a mass cannot be negative\n"));
  const Outcome data = accel(wrong, "--json");
  EXPECT_EQ(data.exit_code, 1);
  EXPECT_EQ(data.err, "");
  EXPECT_EQ(json::parse(data.out, nullptr, false)["ok"], false);
}

TEST(Accel, HasHelp) {
  const Outcome o = run("accel --help");
  EXPECT_EQ(o.exit_code, 0);
  for (const char* word : {"FILE", "--set", "--json", "--formulation", "--state", "all"}) {
    EXPECT_THAT(o.out, HasSubstr(word));
  }
  EXPECT_EQ(run("accel").exit_code, 2);
  EXPECT_EQ(run("accel " + five_body + " --formulation").exit_code, 2);
  EXPECT_EQ(run("accel " + five_body + " --state").exit_code, 2);
}

// --- formulations ------------------------------------------------------------------------------------------------

/// A tree that every formulation takes: a free base, line hinges, no wheels.
const std::string for_all = R"(gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [10, 12, 8]}
  panel: {mass: 5, com: [0, 1, 0], inertia: [1.7, 0.1, 1.8]}
  tip: {mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  base: {initial: {omega: [0.01, 0.02, 0.03]}}
  hinge: {type: revolute, parent: bus, child: panel, parent_point: [0, 0.5, 0], axis: [1, 0, 0],
    stiffness: 20, initial: {angle: 0.1, rate: 0.02}}
  next: {type: revolute, parent: panel, child: tip, parent_point: [0, 2, 0], axis: [0, 0, 1],
    stiffness: 2, initial: {angle: 0.05}}
loads: [{body: bus, torque: [1, 2, 3]}]
)";

TEST(AccelFormulation, EachIsAskedForByItsName) {
  json reference = answer(for_all);
  for (const std::string& name : exact) {
    SCOPED_TRACE(name);
    json a = answer(for_all, "--formulation " + name);
    EXPECT_EQ(a["formulation"], name);
    for (const auto& [joint, list] : reference["accelerations"].items()) {
      expect_list(a["accelerations"][joint], list.get<std::vector<double>>(), 1e-10);
    }
    expect_list(a["reactions"]["hinge"]["force"], reference["reactions"]["hinge"]["force"].get<std::vector<double>>(),
                1e-9);
    EXPECT_THAT(accel(for_all, "--formulation " + name).out, StartsWith("formulation " + name + "\n"));
  }
  for (const std::string& name : linear) {
    SCOPED_TRACE(name);
    json a = answer(for_all, "--formulation " + name);
    EXPECT_EQ(a["formulation"], name);
    for (const auto& [joint, list] : reference["accelerations"].items()) {
      expect_list(a["accelerations"][joint], list.get<std::vector<double>>(), 0.02);
    }
  }
}

TEST(AccelFormulation, TheModelsOwnIsTheDefault) {
  EXPECT_EQ(answer(for_all + "simulation: {formulation: kane}\n")["formulation"], "kane");
  EXPECT_EQ(answer(for_all + "simulation: {formulation: kane}\n", "--formulation nested_body")["formulation"],
            "nested_body");
}

TEST(AccelFormulation, AllAreCompared) {
  const Outcome o = accel(for_all, "--formulation all");
  EXPECT_EQ(o.exit_code, 0);
  for (const std::string& name : exact) EXPECT_THAT(o.out, HasSubstr(name));
  for (const std::string& name : linear) EXPECT_THAT(o.out, HasSubstr(name));
  EXPECT_THAT(o.out, HasSubstr("largest disagreement of exact formulations: "));
  EXPECT_THAT(o.out, HasSubstr("linearised formulations differ from exact ones by at most "));
  EXPECT_THAT(o.out, Not(HasSubstr("does not take this model")));
  expect_readable(o.out);
}

TEST(AccelFormulation, AllAreComparedInTheData) {
  json a = answer(for_all, "--formulation all");
  EXPECT_EQ(a["formulation"], "all");
  EXPECT_EQ(a["formulations"].size(), 10U);
  EXPECT_EQ(a["outside_domain"], json::object());
  EXPECT_LT(a["largest_disagreement"], 1e-11);
  EXPECT_GT(a["linearised_difference"], 0);
  EXPECT_LT(a["linearised_difference"], 0.1);
  for (const std::string& name : exact) {
    expect_list(a["formulations"][name]["accelerations"]["next"], a["accelerations"]["next"].get<std::vector<double>>(),
                1e-10);
  }
  for (const char* shared : {"accelerations", "wheels", "reactions", "driving", "energy", "momentum", "com"}) {
    EXPECT_TRUE(a.contains(shared)) << shared;
  }
}

TEST(AccelFormulation, AllSaysWhyOneIsLeftOut) {
  json a = answer(everything, "--formulation all");
  EXPECT_EQ(a["formulations"].size() + a["outside_domain"].size(), 10U);
  EXPECT_THAT(a["outside_domain"]["augmented_body"].get<std::string>(), HasSubstr("'"));
  EXPECT_FALSE(a["formulations"].contains("augmented_body"));
  EXPECT_LT(a["largest_disagreement"], 1e-11);
  const Outcome o = accel(everything, "--formulation all");
  EXPECT_THAT(o.out, HasSubstr("augmented_body does not take this model: "));
  expect_readable(o.out);
}

TEST(AccelFormulation, AnUnknownOneIsMisuseAndTheOthersAreListed) {
  for (const std::string name : {"kan", "All", "newton"}) {
    const Outcome o = accel(for_all, "--formulation " + name);
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, HasSubstr(name));
    for (const std::string& known : exact) EXPECT_THAT(o.err, HasSubstr(known));
  }
  const Outcome data = accel(for_all, "--json --formulation kan");
  EXPECT_EQ(data.exit_code, 2);
  EXPECT_THAT(json::parse(data.out, nullptr, false)["error"].get<std::string>(), HasSubstr("kan"));
}

TEST(AccelFormulation, AModelOutsideItsDomainIsRefusedAndTheCauseNamed) {
  struct Case {
    std::string text, formulation, cause;
  };
  const std::string hinged = R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {pivot: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}}
)";
  for (const Case& c : {Case{everything, "augmented_body", "'"}, Case{hinged, "augmented_body", "'pivot'"},
                        Case{hinged, "linear_total", "'pivot'"}, Case{hinged, "linear_partial", "'pivot'"},
                        Case{hinged, "linear_total_fixed", "'pivot'"}}) {
    SCOPED_TRACE(c.formulation);
    const Outcome o = accel(c.text, "--formulation " + c.formulation);
    EXPECT_EQ(o.exit_code, 1);
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, HasSubstr("m.yaml: formulation " + c.formulation + " does not take this model: "));
    EXPECT_THAT(o.err, HasSubstr(c.cause));
    const Outcome data = accel(c.text, "--json --formulation " + c.formulation);
    EXPECT_EQ(data.exit_code, 1);
    EXPECT_THAT(json::parse(data.out, nullptr, false)["error"].get<std::string>(), HasSubstr(c.cause));
  }
}

TEST(AccelFormulation, LinearPartialNamesItsAppendage) {
  const std::string text = for_all + "simulation: {linearized: [next]}\n";
  EXPECT_EQ(answer(text, "--formulation linear_partial")["appendage"], json::array({"next"}));
  EXPECT_THAT(accel(text, "--formulation linear_partial").out, HasSubstr("terminal appendage next\n"));
}

// --- what cannot be computed -------------------------------------------------------------------------------------

/// Refused on stderr, or as {"error": ..} where data were asked for.
void expect_refused(const std::string& text, int exit_code, const std::vector<std::string>& said,
                    const std::string& options = "") {
  SCOPED_TRACE(text);
  const Outcome o = accel(text, options);
  EXPECT_EQ(o.exit_code, exit_code);
  EXPECT_EQ(o.out, "");
  EXPECT_THAT(o.err, HasSubstr("m.yaml: "));
  const Outcome data = accel(text, "--json " + options);
  EXPECT_EQ(data.exit_code, exit_code);
  EXPECT_EQ(data.err, "");
  json parsed = json::parse(data.out, nullptr, false);
  ASSERT_TRUE(parsed.contains("error")) << data.out;
  for (const std::string& words : said) {
    EXPECT_THAT(o.err, HasSubstr(words));
    EXPECT_THAT(parsed["error"].get<std::string>(), HasSubstr(words));
  }
}

TEST(AccelLoops, AgreeInAllFormulationsThatTakeThemAndHaveMultipliers) {
  const json a = answer(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], torque: 3}
  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}
  wheels: {type: gear, joints: [j, k], ratio: 2}
)",
                        "--formulation all");
  for (const char* name : {"articulated_body", "composite_body", "kane", "absolute", "mixed"}) {
    ASSERT_TRUE(a["formulations"].contains(name)) << name;
    // a turns at w, b at 3 w: 10 w' = 3
    EXPECT_NEAR(a["formulations"][name]["accelerations"]["j"][0].get<double>(), 0.3, 1e-12) << name;
    EXPECT_NEAR(a["formulations"][name]["accelerations"]["k"][0].get<double>(), 0.6, 1e-12) << name;
  }
  EXPECT_LT(a["largest_disagreement"].get<double>(), 1e-11);
  EXPECT_NEAR(a["multipliers"]["wheels"]["values"][0].get<double>(), 0.9, 1e-12) << "the torque on b";
  EXPECT_EQ(a["multipliers"]["wheels"]["unique"], true);
  EXPECT_THAT(a["outside_domain"]["nested_body"].get<std::string>(), HasSubstr("'wheels'"));
}

/// A drive begins with a rate, and the file says that all is at rest.
TEST(AccelLoops, SayThatTheStateDoesNotSatisfyTheConstraints) {
  const std::string driven = R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {rate: 0}}}
constraints: {motor: {coordinate: j.angle, equals: "3*t + t^2"}}
)";
  const Outcome o = accel(driven);
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_THAT(o.err,
              HasSubstr("WARNING: the state does not satisfy the constraints, by 0 m or rad and 3 m/s or rad/s"));
  EXPECT_EQ(answer(driven)["violation"]["speed"], 3);
  const std::string rate = "rate: 0";
  std::string right = driven;
  right.replace(right.find(rate), rate.size(), "rate: 3");
  EXPECT_EQ(accel(right).err, "");
  EXPECT_EQ(answer(right)["violation"]["speed"], 0);
}

TEST(AccelRefuses, AGimbalNearLockNamingJointAndAngle) {
  const Scratch scratch;
  const std::string state = scratch.write("near.json", R"({"joints": {"rings": {"position": [0, 1.5707946, 0]}}})");
  expect_refused(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {rings: {type: gimbal, parent: world, child: a, axes: [[0, 0, 1], [0, 1, 0], [1, 0, 0]]}}
)",
                 3, {"'rings'", "gimbal lock", "89.9999"}, "--state '" + state + "'");
}

TEST(AccelRefuses, LoadsThatAreNotFinite) {
  const std::string body = "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n";
  expect_refused(body + "loads: [{body: a, force: [\"1/t\", 0, 0]}]\n", 3, {"'a'", "not finite"});
  expect_refused(body +
                     "joints: {j: {type: prismatic, parent: world, child: a, axis: [0, 0, 1], prescribed: "
                     "{position: \"t^1.5\"}}}\n",
                 3, {"'j'", "not finite"});
  expect_refused(
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, "
      "torque: \"log(t)\"}}}}\njoints: {j: {type: weld, parent: world, child: a}}\n",
      3, {"'a.w'", "not finite"});
}

// --- models large and small --------------------------------------------------------------------------------------

TEST(AccelModels, TheExamplesRunWithAll) {
  for (const std::string& example : {five_body, ten_body}) {
    SCOPED_TRACE(example);
    const Outcome text = run("accel " + example + " --formulation all");
    EXPECT_EQ(text.exit_code, 0);
    expect_readable(text.out);
    const Outcome data = run("accel " + example + " --formulation all --json");
    EXPECT_EQ(data.exit_code, 0);
    json a = json::parse(data.out, nullptr, false);
    EXPECT_LT(a["largest_disagreement"], 1e-12);
    EXPECT_GE(a["formulations"].size(), 4U);
    EXPECT_THAT(data.out, Not(HasSubstr("null")));
  }
}

TEST(AccelModels, OneBody) {
  json a = answer("gyrostat: 1\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}\nloads: [{body: a, torque: [1, 2, 5]}]\n",
                  "--formulation all");
  EXPECT_EQ(a["formulations"].size(), 10U);
  for (const auto& [name, one] : a["formulations"].items()) {
    SCOPED_TRACE(name);
    expect_list(one["accelerations"]["base"], {1, 1, 2, 0, 0, 0});
  }
}

TEST(AccelModels, WeldsOnly) {
  const std::string text = R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}, b: {mass: 3, point_mass: true}}
joints: {w: {type: weld, parent: world, child: a}, v: {type: weld, parent: a, child: b, parent_point: [1, 0, 0]}}
environment: {gravity: {uniform: [0, 0, -10]}}
)";
  const Outcome o = accel(text, "--formulation all");
  EXPECT_EQ(o.exit_code, 0);
  expect_readable(o.out);
  EXPECT_EQ(answer(text, "--formulation all")["largest_disagreement"], 0);
}

TEST(AccelModels, AMovingBaseWithOnlyWeldsIsOneBody) {
  json a = answer(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints: {base: {}, w: {type: weld, parent: a, child: b, parent_point: [2, 0, 0]}}
loads: [{body: b, force: [0, 4, 0]}]
)");
  // 2 kg and 1 + 1 + 2 kg m^2 about the com in the middle
  expect_list(a["accelerations"]["base"], {0, 0, 1, 0, 2 - 1, 0});
}

TEST(AccelModels, AChainOfThreeHundredBodiesIsQuick) {
  std::string text = "gyrostat: 1\nbodies:\n";
  for (int i = 0; i < 300; ++i) {
    text += "  b" + std::to_string(i) + ": {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}\n";
  }
  text += "joints:\n  base: {initial: {omega: [0.1, 0.2, 0.3]}}\n";
  for (int i = 1; i < 300; ++i) {
    text += "  j" + std::to_string(i) + ": {type: revolute, parent: b" + std::to_string(i - 1) + ", child: b" +
            std::to_string(i) + ", parent_point: [1, 0, 0], axis: " + (i % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]") +
            ", stiffness: 1, initial: {angle: 0.1, rate: 0.1}}\n";
  }
  const auto begin = std::chrono::steady_clock::now();
  json a = answer(text, "--formulation all");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(taken.count(), 60) << "generous: sanitizers and a busy machine";
  EXPECT_EQ(a["accelerations"].size(), 300U);
  EXPECT_LT(a["largest_disagreement"], 1e-8);
  EXPECT_GE(a["formulations"].size(), 4U);
}

}  // namespace accel_test
}  // namespace gyrostat::testing
