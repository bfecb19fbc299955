// What a report knows of states over time: of state machines, and of what holds joints and wheels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/report/page.h"
#include "gyrostat/results/run.h"

#include "support/load.h"
#include "support/page.h"
#include "support/program.h"

namespace gyrostat::testing {
namespace phases_test {

using nlohmann::json;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

/// The page of a run of a model.
Page page_of(const std::string& text, const Scratch& scratch, const std::string& name = "run") {
  const Loaded loaded = load(text);
  EXPECT_TRUE(loaded.model) << problems_of(loaded);
  const std::string results = (scratch.path() / (name + ".h5")).string();
  const results::RunResult result = results::run(loaded, RunSettings(*loaded.model), results);
  EXPECT_EQ(result.outcome.kind, gyrostat::Outcome::Kind::finished) << result.outcome.failure;
  const std::string out = (scratch.path() / (name + ".html")).string();
  report::write_report({results}, out, tiny_page);
  return Page(slurp(out));
}

struct Phase {
  double t = 0;
  std::string state;
};

std::vector<Phase> phases_of(const Page& page, const std::string& name) {
  const json& run = page.payload["runs"][0];
  for (const json& phases : run.value("phases", json::array())) {
    if (phases["name"] != name) continue;
    const std::vector<double> time = page.numbers(phases["time"]);
    const std::vector<std::uint32_t> state = page.numbers<std::uint32_t>(phases["state"]);
    EXPECT_EQ(time.size(), state.size());
    std::vector<Phase> list;
    for (std::size_t k = 0; k < time.size(); ++k) list.push_back({time[k], phases["states"].at(state[k])});
    return list;
  }
  return {};
}

void expect_phases(const Page& page, const std::string& name, const std::vector<Phase>& wanted) {
  SCOPED_TRACE(name);
  const std::vector<Phase> found = phases_of(page, name);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    EXPECT_EQ(found[k].state, wanted[k].state);
    EXPECT_NEAR(found[k].t, wanted[k].t, 1e-8) << wanted[k].state;
  }
}

TEST(Phases, OfAStateMachineBeginWithItsStateAtTheStart) {
  const Scratch scratch;
  const Page page = page_of(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
signals:
  mode: {modes: {states: {idle: {to: {busy: 1}}, busy: {to: {done: "pulse(1.25, 1.5) > 0"}}, done: {to: {idle: {for: 0.5 s}}}}}}
  quiet: {modes: {states: {here: {to: {there: t > 9}}, there: }}}
simulation: {duration: 3}
output: {record: [a.omega_x], interval: 0.5}
)",
                            scratch);
  expect_phases(page, "mode", {{0, "busy"}, {1.25, "done"}, {1.75, "busy"}});
  expect_phases(page, "quiet", {{0, "here"}});
  const json& phases = page.payload["runs"][0]["phases"];
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0]["of"], "signal");
  EXPECT_EQ(phases[0]["states"], json({"idle", "busy", "done"}));
}

const std::string mechanism = R"(gyrostat: 1
bodies:
  bus: {mass: 9, inertia: [9, 9, 9], wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, torque: 0.1, speed_limit: 2}}}
  door: {mass: 1, inertia: [1, 1, 1]}
  block: {mass: 2, inertia: [1, 1, 1]}
  ball: {mass: 2, inertia: [1, 1, 1]}
  free: {mass: 2, inertia: [1, 1, 1]}
joints:
  mount: {type: weld, parent: world, child: bus}
  hinge: {type: revolute, parent: bus, child: door, axis: [0, 0, 1], initial: {rate: 1}, latch: {when: "hinge.angle > 0.5", release: "t > 3"},
          friction: {coulomb: 0.001}}
  slide: {type: prismatic, parent: bus, child: block, axis: [1, 0, 0], torque: "2*t", friction: {coulomb: 3}}
  drop: {type: prismatic, parent: bus, child: ball, axis: [0, 1, 0], torque: "-1 + 0.8*t", stops: {low: 0}}
  loose: {type: prismatic, parent: bus, child: free, axis: [0, 1, 0], stops: {low: -5}}
simulation: {duration: 4}
output: {interval: 0.1}
)";

TEST(Phases, OfJointsAndWheelsSayWhatHoldsThem) {
  const Scratch scratch;
  const Page page = page_of(mechanism, scratch);
  // the hinge is at rest when it is released, and its friction holds it
  const std::vector<Phase> hinge = phases_of(page, "hinge");
  ASSERT_EQ(hinge.size(), 3U);
  EXPECT_EQ(hinge[0].state, "free");
  EXPECT_EQ(hinge[1].state, "latched");
  EXPECT_NEAR(hinge[1].t, (1 - std::sqrt(1 - 0.001)) / 0.001, 1e-7);  // t - 0.0005 t^2 = 0.5
  EXPECT_EQ(hinge[2].state, "sticks");
  EXPECT_NEAR(hinge[2].t, 3, 1e-9);
  expect_phases(page, "slide", {{0, "sticks"}, {1.5, "free"}});
  expect_phases(page, "drop", {{0, "on low stop"}, {1.25, "free"}});
  expect_phases(page, "bus.rw", {{0, "free"}, {2, "at speed limit"}});
  EXPECT_TRUE(phases_of(page, "loose").empty()) << "nothing ever held it";
  for (const json& phases : page.payload["runs"][0]["phases"]) {
    const bool wheel = phases["of"] == "wheel";
    const json& named =
        page.payload["runs"][0]["model"][wheel ? "wheels" : "joints"].at(phases["number"].get<std::size_t>());
    EXPECT_EQ(named["name"], phases["name"]);
  }
}

TEST(Phases, OfARunThatWasResumedAreThoseOfTheWhole) {
  const Scratch scratch;
  const Loaded loaded = load(mechanism);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const std::string path = (scratch.path() / "part.h5").string();
  results::RunCallbacks until_two;
  until_two.go_on = [](double t) { return t < 2; };
  results::run(loaded, RunSettings(*loaded.model), path, {}, until_two);
  results::ResumeOptions options;
  options.model = &*loaded.model;
  const results::RunResult result = results::resume(path, options);
  ASSERT_EQ(result.outcome.kind, gyrostat::Outcome::Kind::finished) << result.outcome.failure;
  const std::string out = (scratch.path() / "part.html").string();
  report::write_report({path}, out, tiny_page);
  const Page resumed(slurp(out)), whole = page_of(mechanism, scratch);
  for (const char* name : {"hinge", "slide", "drop", "bus.rw"}) {
    SCOPED_TRACE(name);
    expect_phases(resumed, name, phases_of(whole, name));
  }
}

TEST(Phases, AreLeftOutWhereThereAreNone) {
  const Scratch scratch;
  const Page page = page_of(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
simulation: {duration: 1}
)",
                            scratch);
  EXPECT_FALSE(page.payload["runs"][0].contains("phases"));
}

}  // namespace phases_test
}  // namespace gyrostat::testing
