// A fingerprint differs with whatever a user of the library can change, and with nothing else.
#include <set>

#include <gtest/gtest.h>

#include "gyrostat/plant/plant.h"

#include "support/load.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace fingerprint_test {

Loaded valid(const std::string& text) {
  Loaded loaded = load(text);
  if (!loaded.model) throw std::runtime_error(problems_of(loaded));
  return loaded;
}

std::uint64_t fingerprint_of(const Loaded& loaded, std::vector<PluginFunction> plugins = {}) {
  if (!loaded.model) throw std::runtime_error(problems_of(loaded));
  return Plant(*loaded.model, "articulated_body", std::move(plugins)).fingerprint();
}

/// Everything that a user of the library can change in a description has its part in the fingerprint.
TEST(Plant, FingerprintsTellApartWhateverIsChanged) {
  const Description description = valid(R"yaml(gyrostat: 1
parameters: {k: 5}
tables: {f: {x: [-1, 0, 1], y: [0, 0.5, 2], outside: extend}}
bodies:
  a: {mass: 1, inertia: [1, 1, 1], points: {p: [1, 2, 3]}, wheels: {w: {axis: [1, 0, 0], inertia: 0.1, rate: 3}}}
  b: {mass: 2, com: [1, 0, 0], inertia: [1, 2, 2]}
joints:
  base: {initial: {omega: [0.1, 0.2, 0.3]}}
  pan: {type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 3, damping: 0.2, rest: 0.1, torque: "-k*s"}
signals: {s: {sample: {input: "t", period: 0.3}}, j: {switching_amplifier: {input: "t - 1", deadband: 0.5}},
          i: {integral: "s", initial: 0.5}}
loads: [{thruster: {body: a, point: p, direction: [1, 0, 0], thrust: 2, command: j}},
        {spring: {from: [a, p], to: [b, [0, 1, 0]], stiffness: 3, damping: 1, length: 0.5}}]
environment: {gravity: {uniform: [0, 0, -1]}}
simulation: {duration: 5}
)yaml")
                                      .model->description;
  const std::uint64_t first = fingerprint_of(load_description(description));
  EXPECT_EQ(fingerprint_of(load_description(description)), first);
  using Change = void (*)(Description&);
  const std::vector<std::pair<const char*, Change>> changes = {
      {"mass", [](Description& d) { d.bodies[1].mass += 1; }},
      {"com", [](Description& d) { d.bodies[1].com.x() += 1; }},
      {"inertia", [](Description& d) { d.bodies[0].inertia(0, 0) += 0.1; }},
      {"point", [](Description& d) { d.bodies[0].points[0].position.y() += 1; }},
      {"wheel's inertia", [](Description& d) { d.bodies[0].wheels[0].inertia *= 2; }},
      {"wheel's rate", [](Description& d) { d.bodies[0].wheels[0].rate += 1; }},
      {"joint point", [](Description& d) { d.joints.back().parent_point.z() += 1; }},
      {"joint axis", [](Description& d) { d.joints.back().rotations[0] = Vector3::UnitX(); }},
      {"initial angle", [](Description& d) { d.joints.back().position = {0.3}; }},
      {"initial rate", [](Description& d) { d.joints.back().speed = {0.3}; }},
      {"stiffness", [](Description& d) { d.joints.back().stiffness[0].value += 1; }},
      {"damping", [](Description& d) { d.joints.back().damping[0].value += 1; }},
      {"rest", [](Description& d) { d.joints.back().rest[0] += 1; }},
      {"locked", [](Description& d) { d.joints.back().locked = true; }},
      {"torque", [](Description& d) { d.joints.back().torque = {parsed("k*s")}; }},
      {"parameter", [](Description& d) { d.parameters[0].value.value += 1; }},
      {"table", [](Description& d) { d.tables[0].y[1] += 1; }},
      {"period", [](Description& d) { std::get<SampleBlock>(d.signals[0].block).period += 0.1; }},
      {"deadband", [](Description& d) { std::get<SwitchingAmplifierBlock>(d.signals[1].block).deadband += 0.1; }},
      {"initial integral", [](Description& d) { std::get<IntegralBlock>(d.signals[2].block).initial += 0.1; }},
      {"direction", [](Description& d) { std::get<ThrusterLoad>(d.loads[0]).direction = Vector3::UnitZ(); }},
      {"spring's length", [](Description& d) { std::get<SpringLoad>(d.loads[1]).length += 0.1; }},
      {"gravity", [](Description& d) { d.environment.gravity.x() += 1; }},
      {"attitude", [](Description& d) { d.simulation.attitude = "direction_cosines"; }},
      {"gyroscopic terms", [](Description& d) { d.simulation.gyroscopic = false; }},
  };
  for (const auto& [what, change] : changes) {
    Description changed = description;
    change(changed);
    EXPECT_NE(fingerprint_of(load_description(std::move(changed))), first) << what;
  }
}

/// What is changed in the text of a model: its first occurrence, which must exist.
struct Edit {
  std::string from, to;
};

void expect_told_apart(const std::string& text, const std::vector<Edit>& edits) {
  const std::uint64_t first = fingerprint_of(valid(text));
  EXPECT_EQ(fingerprint_of(valid(text)), first);
  std::set<std::uint64_t> all = {first};
  for (const Edit& edit : edits) {
    SCOPED_TRACE("'" + edit.from + "' becomes '" + edit.to + "'");
    std::string changed = text;
    const std::size_t at = text.find(edit.from);
    ASSERT_NE(at, std::string::npos);
    changed.replace(at, edit.from.size(), edit.to);
    EXPECT_TRUE(all.insert(fingerprint_of(valid(changed))).second);
  }
}

TEST(Plant, FingerprintsTellApartConstraints) {
  expect_told_apart(
      R"yaml(gyrostat: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], points: {p: [0, 0, 0.5]}}
  b: {mass: 1, inertia: [1, 1, 1]}
  c: {mass: 1, inertia: [1, 1, 1]}
  d: {mass: 1, inertia: [1, 1, 1], points: {p: [0, 0, 0.5]}}
joints:
  base: {type: free, parent: world, child: a}
  one: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}
  two: {type: revolute, parent: a, child: c, axis: [0, 0, 1]}
  ball: {type: spherical, parent: a, child: d, parent_point: [3, 0, 0]}
constraints:
  mirror: {coupling: {one.angle: 1, two.angle: -1}}
  rod: {distance: {from: [a, p], to: [d, p]}, equals: 3}
  rail: {point: [d, p], of: a, directions: [[0, 1, 0]]}
simulation: {duration: 5}
)yaml",
      {{"two.angle: -1", "two.angle: -2"},
       {"one.angle: 1, two.angle: -1", "two.angle: -1, one.angle: 1"},
       {"mirror: {coupling: {one.angle: 1, two.angle: -1}}", "mirror: {coordinate: one.angle, equals: 0}"},
       {"mirror: {coupling: {one.angle: 1, two.angle: -1}}", "mirror: {coordinate: two.angle, equals: 0}"},
       {"mirror:", "other:"},
       {"equals: 3", "equals: \"3 + 0.1*sin(t)\""},
       {"equals: 3", "equals: \"3 + 0.2*sin(t)\""},
       {"[[0, 1, 0]]", "[[0, 0, 1]]"},
       {"[[0, 1, 0]]", "[[0, 1, 0], [0, 0, 1]]"},
       {"of: a, d", "of: b, d"},
       {"from: [a, p]", "from: [a, com]"}});
}

/// Which coordinate a term has: the sums are of equal length and have equal coefficients.
TEST(Plant, FingerprintsTellApartWhatIsCoupled) {
  const auto model = [](const std::string& constraint) {
    return "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]},\n"
           "  c: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
           "  j: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}\n"
           "  k: {type: revolute, parent: world, child: b, axis: [0, 0, 1]}\n"
           "  l: {type: revolute, parent: world, child: c, axis: [0, 0, 1]}\n" +
           constraint + "simulation: {duration: 1}\n";
  };
  std::set<std::uint64_t> all;
  const std::vector<std::string> constraints = {"constraints: {g: {coupling: {j.angle: 1, k.angle: -1}}}\n",
                                                "constraints: {g: {coupling: {j.angle: 1, l.angle: -1}}}\n",
                                                "constraints: {g: {coupling: {k.angle: 1, l.angle: -1}}}\n",
                                                "  g: {type: gear, joints: [j, k], ratio: -2}\n",
                                                "  g: {type: gear, joints: [j, l], ratio: -2}\n",
                                                "constraints: {g: {coordinate: j.angle, equals: \"sin(t)\"}}\n",
                                                "constraints: {g: {coordinate: k.angle, equals: \"sin(t)\"}}\n"};
  for (const std::string& constraint : constraints) all.insert(fingerprint_of(valid(model(constraint))));
  EXPECT_EQ(all.size(), constraints.size());
}

TEST(Plant, FingerprintsTellApartMechanisms) {
  expect_told_apart(R"yaml(gyrostat: 1
tables: {drag: {x: [-100, 100], y: [-0.1, 0.1]}}
bodies:
  a: {mass: 1, inertia: [1, 1, 1],
      wheels: {w: {axis: [1, 0, 0], inertia: 0.1, torque: 0.1, speed_limit: 100, torque_limit: 1, drag: drag,
                   friction: {coulomb: 0.01}}}}
  b: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}
  c: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}
  d: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, parent: a, child: b, axis: [0, 0, 1], latch: {when: hinge.angle - 1, release: t - 3}}
  pin: {type: revolute, parent: a, child: c, axis: [0, 0, 1],
        friction: {coulomb: 0.1, static: 0.15, viscous: 0.02, stribeck: 0.01},
        stops: {low: -1, high: 2, restitution: 0.5}}
  rail: {type: prismatic, parent: a, child: d, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.2, static: 0.3}},
         stops: {high: 3, stiffness: 100, damping: 1}}
simulation: {duration: 5}
)yaml",
                    {{"when: hinge.angle - 1", "when: hinge.angle - 2"},
                     {"when: hinge.angle - 1", "when: pin.angle - 1"},
                     {", release: t - 3", ""},
                     {", latch: {when: hinge.angle - 1, release: t - 3}", ""},
                     {"coulomb: 0.1,", "coulomb: 0.12,"},
                     {"coulomb: 0.1,", "coulomb: 0.1 + 0.01*hinge.rate,"},
                     {"static: 0.15", "static: 0.16"},
                     {"viscous: 0.02", "viscous: 0.03"},
                     {"stribeck: 0.01", "stribeck: 0.02"},
                     {", stribeck: 0.01", ""},
                     {"low: -1", "low: -1.1"},
                     {"high: 2", "high: 2.1"},
                     {"restitution: 0.5", "restitution: 0.4"},
                     {"coefficient: 0.2", "coefficient: 0.25"},
                     {"static: 0.3", "static: 0.35"},
                     {"high: 3", "high: 4"},
                     {"stiffness: 100", "stiffness: 200"},
                     {"damping: 1}", "damping: 2}"},
                     {"speed_limit: 100", "speed_limit: 90"},
                     {"torque_limit: 1", "torque_limit: 2"},
                     {", drag: drag", ""},
                     {"y: [-0.1, 0.1]", "y: [-0.2, 0.2]"},
                     {"friction: {coulomb: 0.01}", "friction: {coulomb: 0.02}"}});
}

TEST(Plant, FingerprintsTellApartSurroundingsAndMotions) {
  expect_told_apart(R"yaml(gyrostat: 1
bodies:
  a: {mass: 10, inertia: [1, 2, 3], wheels: {w: {axis: [1, 0, 0], inertia: 0.1, speed: 5}}}
  panel:
    flexible:
      beam: {to: [0, 3, 0], elements: 3, mass_per_length: 1, EI: 100, rotary_inertia: 0.01, nodes: {middle: 1}}
      modes: {count: 2, kind: cantilever}
      damping: 0.01
  tip: {mass: 0.1, point_mass: true}
joints:
  root: {type: revolute, parent: a, child: panel, child_node: root, axis: [1, 0, 0],
         prescribed: {position: 0.1*sin(t)}}
  end: {type: weld, parent: panel, parent_node: middle, child: tip}
signals: {x: "0.1*t", z: "0.2*t", i: {integral: "x", initial: 0.5}}
loads: [{body: a, torque: [i, 0, 0]}]
environment:
  orbit: {semi_major_axis: 8000 km, eccentricity: 0.1, inclination: 0.2, raan: 0.3, argument_of_periapsis: 0.4,
          time_of_periapsis: 5}
  gravity_gradient: perturbation
  sun: {direction: [1, 0, 0]}
simulation: {duration: 5}
)yaml",
                    {{"8000 km", "8001 km"},
                     {"eccentricity: 0.1", "eccentricity: 0.11"},
                     {"inclination: 0.2", "inclination: 0.3"},
                     {"raan: 0.3", "raan: 0.4"},
                     {"argument_of_periapsis: 0.4", "argument_of_periapsis: 0.5"},
                     {"time_of_periapsis: 5", "time_of_periapsis: 6"},
                     {"  gravity_gradient: perturbation\n", ""},
                     {"position: 0.1*sin(t)", "position: 0.2*sin(t)"},
                     {"position: 0.1*sin(t)", "acceleration: 0.1*sin(t)"},
                     {"speed: 5", "speed: 6"},
                     {"speed: 5", "rate: 5"},
                     {"to: [0, 3, 0]", "to: [0, 3.1, 0]"},
                     {"EI: 100", "EI: 101"},
                     {"mass_per_length: 1,", "mass_per_length: 1.1,"},
                     {"middle: 1}", "middle: 2}"},
                     {"count: 2", "count: 3"},
                     {"damping: 0.01", "damping: 0.02"},
                     {"damping: 0.01", "damping: 0.01\n      terms: linear"},
                     {"damping: 0.01", "damping: 0.01\n      initial: [0.01, 0]"},
                     {"damping: 0.01", "damping: 0.01\n      initial_rates: [0.01, 0]"},
                     {"{x: \"0.1*t\", z: \"0.2*t\"", "{z: \"0.1*t\", x: \"0.2*t\""},
                     {"initial: 0.5", "initial: 0.6"},
                     {"[i, 0, 0]", "[0, i, 0]"}});
}

/// A wheel that is on another body; where signals have their values.
TEST(Plant, FingerprintsTellApartPlaces) {
  const auto wheel_on = [](bool first) {
    const std::string wheel = ", wheels: {w: {axis: [1, 0, 0], inertia: 0.1, rate: 3}}";
    return "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]" + (first ? wheel : "") +
           "}, b: {mass: 1, inertia: [1, 1, 1]" + (first ? "" : wheel) +
           "}}\njoints: {j: {type: spherical, parent: a, child: b}}\nsimulation: {duration: 1}\n";
  };
  EXPECT_NE(fingerprint_of(valid(wheel_on(true))), fingerprint_of(valid(wheel_on(false))));
  const auto signals = [](const std::string& a, const std::string& b) {
    return "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nsignals: {a: \"" + a + "\", b: \"" + b +
           "\"}\nsimulation: {duration: 1}\n";
  };
  EXPECT_NE(fingerprint_of(valid(signals("t", "2*t"))), fingerprint_of(valid(signals("2*t", "t"))));
}

TEST(Plant, FingerprintsTellApartFlightCode) {
  const std::string text = R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
signals: {c: {plugin: {library: ./one.so, function: control, inputs: [t], outputs: [u, v], period: 0.1}}}
loads: [{body: a, torque: [c.u, c.v, 0]}]
simulation: {duration: 5}
)yaml";
  expect_told_apart(text, {{"./one.so", "./two.so"},
                           {"function: control", "function: guidance"},
                           {"./one.so, function: control", "./one.soc, function: ontrol"},
                           {"[t]", "[2*t]"},
                           {"period: 0.1", "period: 0.2"},
                           {"[u, v]", "[v, u]"}});
  PluginFunction runs;
  runs.function = [](const gyrostat_call*) { return 0; };
  PluginFunction remembers = runs;
  remembers.memory = 8;
  const Loaded loaded = valid(text);
  const std::set<std::uint64_t> all = {fingerprint_of(loaded), fingerprint_of(loaded, {runs}),
                                       fingerprint_of(loaded, {remembers})};
  EXPECT_EQ(all.size(), 3U) << "code that does not run, that runs, and that remembers";
}

}  // namespace fingerprint_test
}  // namespace gyrostat::testing
