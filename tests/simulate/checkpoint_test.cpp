// A run that is taken up again at a checkpoint goes on as if it had never stopped, to the last bit.
#include <gtest/gtest.h>

#include "gyrostat/math/checksum.h"

#include "support/flight.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace checkpoint_test {

/// All that a checkpoint has to remember in one model.
const std::string everything = R"yaml(gyrostat: 1
tables: {bend: {x: [-9, -0.3, 0.2, 9], y: [6, 2, 5, 9]}}
bodies:
  a: {mass: 3, com: [0.1, 0.2, 0.3], inertia: [2, 2.5, 3],
      wheels: {w: {axis: [1, 1, 0], inertia: 0.2, rate: 5, torque: "0.1*held"}}}
  b: {mass: 1, com: [0, 1, 0], inertia: [1, 1.2, 1.3]}
  c: {mass: 1, com: [0, 1, 0], inertia: [1, 1.2, 1.3]}
  d: {mass: 1, com: [0, 1, 0], inertia: [1, 1.2, 1.3]}
joints:
  base: {initial: {orientation: {axis: [1, 2, 3], angle: 1}, omega: [0.3, 0.2, 0.1]}}
  ball: {type: spherical, parent: a, child: b, parent_point: [1, 1, 1], damping: 0.3,
         initial: {omega: [0.3, -0.2, 0.1]}}
  slide: {type: prismatic, parent: b, child: c, axis: [1, 0, 1], initial: {displacement: 0.3}, stiffness: {table: bend},
          thermal: {time_constant: 2, steady: 0.3, factor: "0.5 + 0.1*a.C11"}}
  arm: {type: revolute, parent: c, child: d, axis: [0, 1, 1],
        prescribed: {position: "0.3*ramp(0.35) - 0.5*ramp(1.25) + 0.1*sin(t)"}}
signals:
  rate: "a.omega_x + 0.01*noise"
  noise: {noise: {seed: 5, std: 1, period: 0.07}}
  held: {sample: {input: "rate", period: 0.05}}
  late: {delay: {input: "rate + jet", time: 0.13}}
  track: {integral: "rate - 0.2*track", initial: 0.1}
  lag: {transfer_function: {input: "late", numerator: [1, 2], denominator: [1, 2, 4], initial: 0.1}}
  pid: {pid: {input: "lag", kp: 1, ki: 2, kd: 0.1, filter: 0.3, low: -0.2, high: 0.2}}
  jet: {switching_amplifier: {input: "0.5*sin(20*t) - track - 0.3*rate", deadband: 0.05, hysteresis: 0.02,
                              min_on_time: 20 ms, min_off_time: 30 ms}}
  turned: {unwrap: {input: "atan2(sin(9*t + track), cos(9*t + track))"}}
  mode: {latch: {set: "sin(9*t) - 0.5", reset: "cos(9*t) - 0.9"}}
  kept: {hold: {input: rate, when: mode}}
  worst: {largest: {inputs: [rate, late, "0.3*sin(7*t)"], hysteresis: 0.01}}
loads:
  - {body: a, torque: ["jet + 0.1*mode", "pid + 0.1*kept", "0.1*abs(sin(5*t)) + 0.01*worst + 0.01*turned"]}
  - {torsion_spring: {from: a, to: c, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 0, 1], stiffness: 0.2,
                      damping: "0.1 + 0.1*mode"}}
  - {thruster: {body: d, point: [0, 1, 1], direction: [1, 1, 0], thrust: 0.2, command: "step(0.77) - held"}}
environment: {gravity_gradient: perturbation,
              orbit: {semi_major_axis: 1000, eccentricity: 0.1, center: {mu: 5e8, radius: 1}}}
simulation: {duration: 2}
output: {interval: 0.03}
)yaml";

/// From a checkpoint to the end.
class Resumed : public Observer {
 public:
  Resumed(const Flight& from, const std::string& bytes)
      : simulation(*from.loaded.model, from.settings), outcome(simulation.resume(bytes, *this)) {}

  std::vector<double> time;
  std::vector<std::vector<double>> rows;
  std::vector<RecordedEvent> events;
  std::vector<std::pair<double, std::string>> checkpoints;

  void record(double t, std::span<const double> row) override {
    time.push_back(t);
    rows.emplace_back(row.begin(), row.end());
  }
  void event(double t, const Change& change) override { events.push_back({t, change}); }
  void checkpoint(double t, const std::string& bytes) override { checkpoints.emplace_back(t, bytes); }
  bool go_on(double) override { return true; }

  Simulation simulation;
  Outcome outcome;
};

template <class List>
List tail_of(const List& whole, std::size_t count) {
  return {whole.end() - static_cast<std::ptrdiff_t>(count), whole.end()};
}

void expect_same_end(const Flight& whole, std::size_t checkpoint) {
  const auto& [t, bytes] = whole.checkpoints[checkpoint];
  SCOPED_TRACE(fmt::format("from t = {}", t));
  const Resumed part(whole, bytes);
  ASSERT_EQ(part.outcome.kind, whole.outcome.kind) << part.outcome.failure;
  EXPECT_EQ(part.outcome.t, whole.outcome.t);
  ASSERT_LE(part.time.size(), whole.time.size());
  EXPECT_EQ(part.time, tail_of(whole.time, part.time.size()));
  EXPECT_EQ(part.rows, tail_of(whole.rows, part.rows.size()));
  if (part.time.size() < whole.time.size()) {
    EXPECT_LE(whole.time[whole.time.size() - part.time.size() - 1], t + same_instant(t));  // none is missing
  }
  ASSERT_LE(part.events.size(), whole.events.size());
  for (std::size_t k = 0; k < part.events.size(); ++k) {
    const RecordedEvent& expected = whole.events[whole.events.size() - part.events.size() + k];
    EXPECT_EQ(part.events[k].t, expected.t);
    EXPECT_EQ(part.events[k].change.name, expected.change.name);
  }
  ASSERT_EQ(part.checkpoints.size(), whole.checkpoints.size() - checkpoint - 1);
  for (std::size_t k = 0; k < part.checkpoints.size(); ++k) {
    EXPECT_EQ(part.checkpoints[k], whole.checkpoints[checkpoint + 1 + k]) << "checkpoint " << k << " after it";
  }
  EXPECT_EQ(part.simulation.event_count(), whole.simulation.event_count());
  EXPECT_EQ(part.simulation.records(), whole.simulation.records());
  EXPECT_EQ(part.simulation.statistics().steps, whole.simulation.statistics().steps);
  EXPECT_EQ(part.simulation.ledger().save(), whole.simulation.ledger().save());
}

Flight::Adjust with(const std::string& method, double interval) {
  return [=](RunSettings& s) {
    s.integrator = {method, 1e-7, 0.01, 0};
    s.checkpoint_interval = interval;
  };
}

TEST(Checkpoint, ResumesToTheLastBitWithEveryKindOfMemory) {
  for (const char* attitude : {"quaternion", "direction_cosines"}) {
    for (const std::string_view method : integrator_names) {
      SCOPED_TRACE(std::string(method) + ", " + attitude);
      Loaded loaded = load(everything);
      ASSERT_TRUE(loaded.model) << problems_of(loaded);
      loaded.model->description.simulation.attitude = attitude;
      const Flight whole(std::move(loaded), with(std::string(method), 0.21));
      ASSERT_EQ(whole.outcome.kind, Outcome::Kind::finished) << whole.outcome.failure;
      ASSERT_EQ(whole.checkpoints.size(), 9u);
      EXPECT_GT(whole.times_of("signals.jet").size(), 5u);
      for (std::size_t k = 0; k < whole.checkpoints.size(); ++k) expect_same_end(whole, k);
    }
  }
}

TEST(Checkpoint, AtTheInstantOfAnEventResumesToTheLastBit) {
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    const Flight whole(everything,
                       with(std::string(method), 0.35));  // a kink of the prescribed motion, a sample, noise
    ASSERT_EQ(whole.checkpoints.size(), 5u);
    for (std::size_t k = 0; k < whole.checkpoints.size(); ++k) expect_same_end(whole, k);
  }
}

TEST(Checkpoint, RemembersAPulseSinceTheLastRecord) {
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    const Flight whole(R"yaml(gyrostat: 1
bodies: {a: {mass: 3, inertia: [2, 2.5, 3]}}
loads:
  - {thruster: {body: a, point: com, direction: [1, 0, 0], thrust: 2, command: "-pulse(0.31, 0.315)"}}
  - {body: a, torque: ["pulse(0.32, 0.325)", "1 - 0.5*step(0.31)", 0.1]}
simulation: {duration: 1}
output: {interval: 0.1}
)yaml",
                       with(std::string(method), 0.35));
    ASSERT_EQ(whole.checkpoints.size(), 2u);
    EXPECT_EQ(whole.at(0.4, "loads/0.thrust"), -2);
    EXPECT_EQ(whole.at(0.5, "loads/0.thrust"), 0);
    const Resumed part(whole, whole.checkpoints[0].second);
    const auto first = [&](const char* name) { return part.rows.at(0)[whole.column(name)]; };
    EXPECT_NEAR(part.time.at(0), 0.4, 1e-15);
    EXPECT_EQ(first("loads/0.thrust"), -2);
    EXPECT_EQ(first("loads/1.torque_x"), 1);
    EXPECT_EQ(first("loads/1.torque_y"), 1) << "as at the record before";
    for (std::size_t k = 0; k < whole.checkpoints.size(); ++k) expect_same_end(whole, k);
  }
}

TEST(Checkpoint, OfRandomModelsResumesToTheLastBit) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const std::string method(integrator_names[seed % integrator_names.size()]);
    const Flight whole(random_flight(seed), with(method, 0.6));
    if (whole.outcome.kind != Outcome::Kind::finished) continue;  // gimbal lock
    for (std::size_t k = 0; k < whole.checkpoints.size(); ++k) expect_same_end(whole, k);
  }
}

TEST(Checkpoint, OnlyShortensSteps) {
  for (const char* method : {"cvode_adams", "cvode_bdf", "dopri5"}) {
    SCOPED_TRACE(method);
    const auto fly = [&](double interval) {
      return Flight(everything, [&](RunSettings& s) {
        s.integrator = {method, 1e-10, 0, 0};
        s.checkpoint_interval = interval;
        s.until = 0.3;
      });
    };
    const Flight without = fly(0), often = fly(0.02);
    EXPECT_TRUE(without.checkpoints.empty());
    EXPECT_EQ(often.checkpoints.size(), 15u);
    for (std::size_t k = 0; k + 3 < without.rows.back().size(); ++k) {  // the last three are the ledger's
      EXPECT_NEAR(without.rows.back()[k], often.rows.back()[k], 1e-6 * (1 + std::abs(without.rows.back()[k])))
          << without.simulation.columns()[k].name;
    }
  }
}

// --- damage ----------------------------------------------------------------------------------------------------------

bool throws(const Flight& whole, const std::string& bytes) {
  try {
    const Resumed part(whole, bytes);
    return false;
  } catch (const std::exception&) {
    return true;
  }
}

TEST(Checkpoint, CutShortIsRefused) {
  const Flight whole(everything, with("dopri5", 1));
  const std::string& bytes = whole.checkpoints.at(0).second;
  for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 97) {
    EXPECT_TRUE(throws(whole, bytes.substr(0, length))) << length << " of " << bytes.size();
  }
  EXPECT_TRUE(throws(whole, bytes.substr(0, bytes.size() - 1)));
}

TEST(Checkpoint, WithMoreBytesThanItsOwnIsRefused) {
  const Flight whole(everything, with("dopri5", 1));
  EXPECT_TRUE(throws(whole, whole.checkpoints.at(0).second + "more"));
}

TEST(Checkpoint, OfAnotherModelIsRefused) {
  const Flight whole(everything, with("dopri5", 1)), other(R"yaml(gyrostat: 1
bodies: {a: {mass: 3, inertia: [2, 2.5, 3]}}
simulation: {duration: 2}
)yaml",
                                                           with("dopri5", 1));
  EXPECT_TRUE(throws(whole, other.checkpoints.at(0).second));
  EXPECT_TRUE(throws(other, whole.checkpoints.at(0).second));
}

std::string springs(const std::string& first, const std::string& second) {
  return R"yaml(gyrostat: 1
tables: {bend: {x: [-9, -0.3, 0.2, 9], y: [6, 2, 5, 9]}}
bodies: {a: {mass: 3, inertia: [2, 2.5, 3]}, b: {mass: 3, inertia: [2, 2.5, 3]}}
joints:
  j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {rate: 1}, stiffness: )yaml" +
         first + "}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: " + second +
         "}\nsimulation: {duration: 2}\n";
}

TEST(Checkpoint, OfAModelWithOtherTablesIsRefused) {
  const Flight none(springs("3", "4"), with("dopri5", 1)),
      both(springs("{table: bend}", "{table: bend}"), with("dopri5", 1));
  EXPECT_TRUE(throws(none, both.checkpoints.at(0).second));
  EXPECT_TRUE(throws(both, none.checkpoints.at(0).second));
}

TEST(Checkpoint, OfAModelWithAnotherBlockIsRefused) {
  const auto model = [](const std::string& block) {
    return "gyrostat: 1\nbodies: {a: {mass: 3, inertia: [2, 2.5, 3]}}\njoints: {base: {initial: {omega: [1, 2, 3]}}}\n"
           "signals: {s: {" +
           block + "}}\nloads: [{body: a, torque: [0.01*s, 0, 0]}]\nsimulation: {duration: 2}\n";
  };
  const Flight delay(model("delay: {input: a.omega_x, time: 0.1}"), with("dopri5", 1)),
      sample(model("sample: {input: a.omega_x, period: 0.1}"), with("dopri5", 1));
  EXPECT_TRUE(throws(delay, sample.checkpoints.at(0).second));
  EXPECT_TRUE(throws(sample, delay.checkpoints.at(0).second));
}

/// Whatever decides how a run goes on; but it may end at another time, and where it began does not matter any more.
TEST(Checkpoint, OfARunWithOtherSettingsIsRefused) {
  const Flight whole(everything, with("dopri5", 1));
  const std::string& bytes = whole.checkpoints.at(0).second;
  const auto refused = [&](const Flight::Adjust& change) {
    RunSettings settings = whole.settings;
    change(settings);
    Simulation other(*whole.loaded.model, settings);
    try {
      other.restore(bytes);
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string_view(error.what()).find("other settings"), std::string_view::npos) << error.what();
      return true;
    }
    return false;
  };
  using S = RunSettings;
  const std::vector<std::pair<const char*, Flight::Adjust>> changes = {
      {"method", [](S& s) { s.integrator.method = "cvode_adams"; }},
      {"tolerance", [](S& s) { s.integrator.tolerance *= 2; }},
      {"step", [](S& s) { s.integrator.step *= 2; }},
      {"longest step", [](S& s) { s.integrator.longest_step = 0.1; }},
      {"interval", [](S& s) { s.interval *= 2; }},
      {"watch interval", [](S& s) { s.watch_interval = 0.01; }},
      {"checkpoint interval", [](S& s) { s.checkpoint_interval *= 2; }},
      {"formulation", [](S& s) { s.formulation = "composite_body"; }},
      {"noise stream", [](S& s) { s.noise_stream = 1; }},
      {"ledger", [](S& s) { s.keeps_ledger = false; }},
      {"records", [](S& s) { s.records = false; }},
      {"measures", [](S& s) {
         s.measures = {{"rate", MeasureKind::max}};
       }}};
  for (const auto& [what, change] : changes) EXPECT_TRUE(refused(change)) << what;
  EXPECT_FALSE(refused([](S&) {}));
  EXPECT_FALSE(refused([](S& s) { s.until = 5; }));
}

TEST(Checkpoint, KeepsWhatWasMeasuredBefore) {
  const auto measuring = [](RunSettings& s) {
    with("dopri5", 0.35)(s);
    s.measures = {{"rate", MeasureKind::max},        {"lag", MeasureKind::min},
                  {"pid", MeasureKind::rms},         {"lag", MeasureKind::mean},
                  {"jet", MeasureKind::final},       {"rate", MeasureKind::integral, 0.1, 1},
                  {"mode", MeasureKind::first_time}, {"track", MeasureKind::max, 0.2, 0.3}};
  };
  const Flight whole(everything, measuring, Flight::Expect::finish);
  ASSERT_GE(whole.checkpoints.size(), 4U);
  for (const auto& [t, bytes] : whole.checkpoints) {
    EXPECT_EQ(Resumed(whole, bytes).simulation.measured(), whole.simulation.measured()) << "from t = " << t;
  }
  RunSettings settings = whole.settings;
  settings.measures.pop_back();
  Simulation fewer(*whole.loaded.model, settings);
  EXPECT_THROW(fewer.restore(whole.checkpoints[0].second), std::runtime_error);
}

TEST(Checkpoint, WithAFlippedByteIsRefused) {
  const Flight whole(everything, with("dopri5", 1));
  const std::string& bytes = whole.checkpoints.at(0).second;
  Random random(1);
  for (int k = 0; k < 300; ++k) {
    std::string damaged = bytes;
    const std::size_t at = random.index(bytes.size());
    damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(random.between(1, 255)));
    EXPECT_TRUE(throws(whole, damaged)) << "byte " << at << " of " << bytes.size();
  }
}

/// What comes through in spite of its checksum may be refused or not, but must not be read beyond its end.
TEST(Checkpoint, SealedAnewAfterDamageDoesNotCrash) {
  struct Stops : Observer {
    void record(double, std::span<const double>) override {}
    void event(double, const Change&) override {}
    void checkpoint(double, const std::string&) override {}
    bool go_on(double) override { return false; }
  };
  const Flight whole(everything, with("dopri5", 1));
  const std::string bytes = whole.checkpoints.at(0).second.substr(sizeof(std::uint64_t));
  Random random(2);
  int refused = 0;
  for (int k = 0; k < 1000; ++k) {
    std::string damaged = bytes;
    const std::size_t at = random.index(bytes.size() / 8) * 8;  // of a number, the part that counts most
    for (std::size_t i = at; i < std::min(at + 8, bytes.size()); ++i)
      damaged[i] = static_cast<char>(random.between(0, 255));
    Archive sealed;
    sealed.put(checksum(damaged));
    Stops stops;
    Simulation simulation(*whole.loaded.model, whole.settings);
    try {
      simulation.resume(sealed.bytes() + damaged, stops);
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 1000);
}

}  // namespace checkpoint_test
}  // namespace gyrostat::testing
