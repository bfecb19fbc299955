// What a run records beside the user's list: loads, with no pulse missed, and the motion.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace {

/// A free body with these loads and signals.
struct Pushed {
  std::string loads, signals = "";
  double duration = 2, interval = 0.1;
  std::string method = "dopri5", output = "";

  [[nodiscard]] std::string text() const {
    return fmt::format(R"(gyrostat: 1
bodies:
  b: {{mass: 1, inertia: [1, 1.2, 1.4]}}
joints: {{base: {{initial: {{omega: [0.3, 0.2, 0.1]}}}}}}
signals: {{{}}}
loads: [{}]
simulation: {{duration: {}, integrator: {{method: {}, {}}}}}
output: {{interval: {}{}}}
)",
                       signals, loads, duration, method, method == "rk4" ? "step: 0.03" : "tolerance: 1e-8", interval,
                       output);
  }
};

std::string thruster(const std::string& command, const std::string& thrust = "3") {
  return fmt::format("{{thruster: {{body: b, point: com, direction: [1, 0, 0], thrust: {}, command: \"{}\"}}}}", thrust,
                     command);
}

/// Thrust of a jet with this command, by record; nothing but what is in the map is not zero.
void expect_thrust(const std::string& command, const std::map<std::size_t, double>& expected) {
  for (const std::string& method : every_method) {
    SCOPED_TRACE(method + ", " + command);
    const Flight run(Pushed{.loads = thruster(command), .method = method}.text());
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
    std::vector<double> list(21, 0.0);
    for (const auto& [record, value] : expected) list[record] = value;
    EXPECT_EQ(run.values("loads/0.thrust"), list);
  }
}

// --- pulses ----------------------------------------------------------------------------------------------------------

TEST(Loads, OfAPulseBetweenRecordsStandAtTheNextRecord) {
  expect_thrust("pulse(0.333, 0.338) - pulse(1.021, 1.026)", {{4, 3}, {11, -3}});
}

TEST(Loads, OfAPulseAtTheInstantOfARecordStandThereAndAtTheNext) {
  expect_thrust("pulse(0.3, 0.305)", {{3, 3}, {4, 3}});
  expect_thrust("pulse(0, 0.005)", {{0, 3}, {1, 3}});
  expect_thrust("pulse(0.295, 0.3)", {{3, 3}});
  expect_thrust("pulse(1.995, 3)", {{20, 3}});
  expect_thrust("-step(2)", {{20, -3}});
}

TEST(Loads, OfAPulseOverSeveralRecordsStandAtEach) {
  expect_thrust("-pulse(0.25, 0.55)", {{3, -3}, {4, -3}, {5, -3}, {6, -3}});
}

TEST(Loads, OfSeveralPulsesAreTheLargestWithItsSign) {
  expect_thrust("pulse(0.31, 0.32) - 2*pulse(0.34, 0.345) + pulse(0.36, 0.37)", {{4, -6}});
  expect_thrust("2*pulse(0.31, 0.32) - pulse(0.36, 0.45)", {{4, 6}, {5, -3}});
}

TEST(Loads, OfEqualMagnitudeAreTheEarlier) {
  expect_thrust("pulse(0.31, 0.32) - pulse(0.35, 0.36)", {{4, 3}});
  expect_thrust("-pulse(0.31, 0.32) + pulse(0.35, 0.36)", {{4, -3}});
  expect_thrust("pulse(0.31, 0.32) - pulse(0.35, 0.42)", {{4, 3}, {5, -3}});        // at the record itself
  expect_thrust("pulse(0.25, 0.32) - pulse(0.32, 0.36)", {{3, 3}, {4, 3}});         // just after the record before
  expect_thrust("pulse(0.25, 0.4) - pulse(0.4, 0.45)", {{3, 3}, {4, 3}, {5, -3}});  // an event at a record
}

TEST(Loads, OfAnAmplifiersLeastPulsesAreAllThere) {
  for (const std::string& method : every_method) {
    SCOPED_TRACE(method);
    const Flight run(Pushed{.loads = "{body: b, torque: [0, \"0.2*jet\", 0]}",
                            .signals = "jet: {switching_amplifier: {input: \"sin(7*t)\", deadband: 0.9999, "
                                       "hysteresis: 0, min_on_time: 5 ms}}",
                            .duration = 8,
                            .method = method}
                         .text());
    const std::vector<double> torque = run.values("loads/0.torque_y"), jet = run.values("jet");
    std::size_t pulses = 0, seen = 0;
    for (const RecordedEvent& e : run.events) {
      if (!e.change.what.starts_with("on")) continue;
      ++pulses;
      const auto k = static_cast<std::size_t>(std::ceil(e.t / 0.1));
      EXPECT_EQ(torque[k], e.change.what == "on +" ? 0.2 : -0.2) << e.t;
    }
    EXPECT_EQ(pulses, 18u);
    for (const double x : jet) seen += x != 0 ? 1 : 0;
    EXPECT_LT(seen, 5u) << "most fall between records";
    EXPECT_EQ(std::ranges::count(torque, 0.0), static_cast<std::ptrdiff_t>(torque.size() - pulses - seen))
        << "what is on at a record is there at the next too";
  }
}

/// Pulses one after the other, some of their ends at records.
struct Pulses {
  struct Pulse {
    double from, to, height;
  };
  std::vector<Pulse> list;

  explicit Pulses(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> any(0, 1);
    for (double t = 0.1 * any(random); t < 1.9;) {
      const auto ahead = [&](double by) {
        const double next = t + by;
        return any(random) < 0.3 ? 0.1 * std::ceil(next / 0.1) : next;  // as records are computed
      };
      const double from = ahead(0.1 * any(random)), to = std::max(from + 0.002, from + 0.05 * any(random));
      list.push_back({from, to, std::floor(5 * any(random)) - 2});
      t = list.back().to;
    }
  }
  [[nodiscard]] std::string text() const {
    std::string sum = "0";
    for (const Pulse& p : list) sum += fmt::format(" + {}*pulse({}, {})", p.height, p.from, p.to);
    return sum;
  }
  /// Just after t.
  [[nodiscard]] double at(double t) const {
    for (const Pulse& p : list) {
      if (t >= p.from && t < p.to) return p.height;
    }
    return 0;
  }
  [[nodiscard]] double expected(double before, double now) const {
    std::vector<double> instants = {before};
    for (const Pulse& p : list) {
      for (const double t : {p.from, p.to}) {
        if (t > before && t <= now) instants.push_back(t);
      }
    }
    instants.push_back(now);
    double largest = 0;
    for (const double t : instants) largest = std::abs(at(t)) > std::abs(largest) ? at(t) : largest;
    return largest;
  }
};

TEST(Loads, OfRandomPulsesAreTheLargestAtRecordsAndEvents) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Pulses pulses(seed);
    const Flight run(
        Pushed{.loads = thruster(pulses.text(), "1"), .method = every_method[seed % every_method.size()]}.text());
    const std::vector<double> thrust = run.values("loads/0.thrust");
    for (std::size_t k = 0; k < thrust.size(); ++k) {
      EXPECT_EQ(thrust[k], pulses.expected(run.time[k == 0 ? 0 : k - 1], run.time[k])) << "record " << k;
    }
  }
}

// --- which there are -------------------------------------------------------------------------------------------------

using Names = std::vector<std::string>;

Names names_in(const Flight& run, const std::string& group) {
  Names names;
  for (const OutputColumn& column : run.simulation.columns()) {
    if (column.name.starts_with(group)) names.push_back(column.name.substr(group.size()));
  }
  return names;
}

TEST(Loads, HaveTheirPlaceInTheModelsListForAName) {
  const Flight run(Pushed{.loads = "{spring: {from: [world, [1, 0, 0]], to: [b, [0, 0, 0]], stiffness: 1}}, "
                                   "{body: b, force: [1, 0, \"-2 - t\"]}, "
                                   "{torque_between: {from: world, to: b, axis: [0, 0, 1], torque: 1}}, "
                                   "{thruster: {body: b, point: com, direction: [1, 0, 0], thrust: 4}}, "
                                   "{body: b, force: [1, 2, 3], torque: [4, 5, 6], axes: world}"}
                       .text());
  EXPECT_EQ(names_in(run, "loads/"), (Names{"1.force_x", "1.force_y", "1.force_z", "3.thrust", "4.force_x", "4.force_y",
                                            "4.force_z", "4.torque_x", "4.torque_y", "4.torque_z"}));
  const auto& columns = run.simulation.columns();
  EXPECT_EQ(columns[run.column("loads/1.force_x")].unit, "N");
  EXPECT_EQ(columns[run.column("loads/3.thrust")].unit, "N");
  EXPECT_EQ(columns[run.column("loads/4.torque_z")].unit, "N*m");
  EXPECT_TRUE(columns[run.column("loads/1.force_x")].description.starts_with("force, body axes: the largest"));
  EXPECT_TRUE(columns[run.column("loads/4.torque_z")].description.starts_with("torque, world axes: the largest"));
  EXPECT_EQ(run.values("loads/1.force_x"), std::vector<double>(21, 1));
  EXPECT_EQ(run.values("loads/1.force_y"), std::vector<double>(21, 0));
  EXPECT_EQ(run.values("loads/3.thrust"), std::vector<double>(21, 4));
  EXPECT_EQ(run.values("loads/4.torque_z"), std::vector<double>(21, 6));
  for (std::size_t k = 0; k < run.time.size(); ++k) EXPECT_EQ(run.values("loads/1.force_z")[k], -2 - run.time[k]);
  EXPECT_EQ(columns[columns.size() - 3].name, "ledger/energy");
}

TEST(Loads, AreNoneWithoutAny) { EXPECT_EQ(names_in(Flight(Pushed{.loads = ""}.text()), "loads/"), Names{}); }

TEST(Loads, WithoutAnExpressionForAComponentHaveNoColumnForIt) {
  Loaded loaded = load(Pushed{.loads = "{body: b, force: [1, 2, 3]}"}.text());
  std::get<BodyLoad>(loaded.model->description.loads[0]).force[1] = {};
  EXPECT_EQ(names_in(Flight(std::move(loaded)), "loads/"), (Names{"0.force_x", "0.force_z"}));
}

TEST(Loads, InWorldAxesAreThoseOfTheFile) {
  for (const std::string& method : every_method) {
    SCOPED_TRACE(method);
    const Flight run(Pushed{.loads = "{body: b, torque: [\"cos(t)\", 0.1, \"0.2*pulse(0.53, 0.535)\"], axes: world}",
                            .method = method}
                         .text());
    const std::vector<double> x = run.values("loads/0.torque_x"), z = run.values("loads/0.torque_z");
    EXPECT_GT(std::abs(run.last("base.quaternion_x")), 0.1) << "it turns";
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double before = std::cos(run.time[k == 0 ? 0 : k - 1]), now = std::cos(run.time[k]);
      EXPECT_EQ(x[k], std::abs(now) > std::abs(before) ? now : before) << k;
      EXPECT_EQ(z[k], k == 6 ? 0.2 : 0);
    }
  }
}

TEST(Loads, AreRecordedWhateverElseIs) {
  const Flight run(Pushed{.loads = thruster("pulse(0.333, 0.338)"), .output = ", record: [b.omega_x]"}.text());
  EXPECT_EQ(run.values("loads/0.thrust")[4], 3);
}

// --- the motion ------------------------------------------------------------------------------------------------------

const std::string craft = R"yaml(gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [10, 12, 8], wheels: {rw: {axis: [0, 0, 1], inertia: 0.05, rate: 20, torque: "0.01*sin(t)"}}}
  panel: {mass: 5, com: [0, 1, 0], inertia: [1.7, 0.1, 1.8]}
joints:
  base: {initial: {omega: [0.1, 0.2, 0.3]}}
  hinge: {type: revolute, parent: bus, child: panel, axis: [1, 0, 0], initial: {angle: 0.2}, stiffness: 20}
signals: {twice: 2*hinge.angle}
loads: [{thruster: {body: bus, point: com, direction: [1, 0, 0], thrust: 1, command: "pulse(0.33, 0.335)"}}]
simulation: {duration: 1, integrator: {method: dopri5, tolerance: 1e-9}}
output: {interval: 0.1)yaml";

TEST(MotionGroup, IsNotThereWithoutAList) { EXPECT_EQ(names_in(Flight(craft + "}\n"), "motion/"), Names{}); }

TEST(MotionGroup, HasWhatTheListLeavesOut) {
  EXPECT_EQ(
      names_in(Flight(craft + ", record: [hinge.angle, twice, base.quaternion_x, system.momentum_y]}\n"), "motion/"),
      (Names{"base.position_x", "base.position_y", "base.position_z", "base.quaternion_w", "base.quaternion_y",
             "base.quaternion_z", "bus.rw.angle", "system.momentum_x", "system.momentum_z"}));
  EXPECT_EQ(names_in(Flight(craft + ", record: []}\n"), "motion/"),
            (Names{"base.position_x", "base.position_y", "base.position_z", "base.quaternion_w", "base.quaternion_x",
                   "base.quaternion_y", "base.quaternion_z", "hinge.angle", "bus.rw.angle", "system.momentum_x",
                   "system.momentum_y", "system.momentum_z"}));
  EXPECT_EQ(
      names_in(Flight(craft + ", record: [base.position_x, base.position_y, base.position_z, base.quaternion_w, "
                              "base.quaternion_x, base.quaternion_y, base.quaternion_z, hinge.angle, bus.rw.angle, "
                              "system.momentum_x, system.momentum_y, system.momentum_z]}\n"),
               "motion/"),
      Names{});
}

TEST(MotionGroup, HasTheBitsAndTheWordsOfTheDefault) {
  for (const std::string& method : every_method) {
    SCOPED_TRACE(method);
    const auto adjust = [&](RunSettings& s) { s.integrator = {method, 1e-9, 0.01, 0}; };
    const Flight all(craft + "}\n", adjust), some(craft + ", record: [twice, hinge.angle]}\n", adjust);
    const Names names = names_in(some, "motion/");
    EXPECT_EQ(names.size(), 11u);
    for (const std::string& name : names) {
      EXPECT_EQ(some.values("motion/" + name), all.values(name)) << name;
      const OutputColumn& a = all.simulation.columns()[all.column(name)];
      const OutputColumn& b = some.simulation.columns()[some.column("motion/" + name)];
      EXPECT_EQ(a.unit, b.unit) << name;
      EXPECT_EQ(a.description, b.description) << name;
    }
    for (const char* name : {"twice", "hinge.angle", "loads/0.thrust", "ledger/energy"}) {
      EXPECT_EQ(some.values(name), all.values(name)) << name;
    }
  }
}

// --- what is recorded ------------------------------------------------------------------------------------------------

TEST(Record, TakesPatterns) {
  const std::string model =
      "gyrostat: 1\nbodies: {bus: {mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1}}}}\n"
      "signals: {kick: t, kick_more: t, other: bus.omega_x}\nsimulation: {duration: 1}\noutput: {record: ";
  const Flight run(model + "['bus.omega_*', '*.w.rate', 'kick*', bus.omega_x]}\n");
  std::vector<std::string> names;
  for (const OutputColumn& column : run.simulation.columns()) {
    if (column.name.find('/') == std::string::npos) names.push_back(column.name);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"bus.omega_x", "bus.omega_y", "bus.omega_z", "bus.w.rate", "kick", "kick_more"}));
  EXPECT_NE(problems_of(load(model + "['bus.omgea_*']}\n")).find("no quantity matches the pattern 'bus.omgea_*'"),
            std::string::npos);
}

TEST(Record, SignalsHaveUnits) {
  const Flight run(
      "gyrostat: 1\nbodies: {bus: {mass: 1, inertia: [1, 1, 1]}}\nsignals: {w: bus.omega_x, gain: 5*bus.omega_x, "
      "said: {expression: 5*bus.omega_x, unit: N*m}}\nsimulation: {duration: 1}\n");
  EXPECT_EQ(run.simulation.columns()[run.column("w")].unit, "rad/s");
  EXPECT_EQ(run.simulation.columns()[run.column("gain")].unit, "");
  EXPECT_EQ(run.simulation.columns()[run.column("said")].unit, "N*m");
}

}  // namespace
}  // namespace gyrostat::testing
