// Templates: what an instance becomes, what names mean inside it, and that the model without templates is the same.
#include <algorithm>

#include "gyrostat/format/expand.h"

#include "support/problem_case.h"

namespace gyrostat {
namespace templates_test {

using testing::description_of;
using testing::load;
using testing::named;
using testing::problems_of;

/// Two arrays on a bus, each with a motor that follows a command.
const std::string arrays = R"(gyrostat: 1
parameters: {stiff: 4, mass: 1000}
templates:
  array:
    parameters:
      mount: body
      at: value
      command: signal
      mass: 5
      gain: {number: 2*mass}
      axis: [0, 1, 0]
    bodies:
      panel: {mass: mass, inertia: [1, 1, 1], points: {tip: [0, 2, 0]}}
      mount: {points: {root: at}}
    joints:
      hinge: {type: revolute, parent: mount, child: panel, parent_point: at, axis: axis, stiffness: stiff, torque: drive}
    signals:
      error: command - hinge.angle
      drive: gain*error - 0.1*hinge.rate
      height: panel.tip.position_z - mount.root.position_z
    loads:
      - {body: panel, point: tip, force: [drive, 0, 0]}
      - {spring: {from: [mount, root], to: [panel, tip], stiffness: 1}}
bodies:
  bus: {mass: 100, inertia: [10, 10, 10]}
signals: {drive: 7}
instances:
  wing:
    template: array
    with: {mount: bus, command: sin(t)}
    for:
      left: {at: [0, 1, 0]}
      right: {at: [0, -1, 0], mass: 2*stiff, axis: [0, -1, 0]}
)";

TEST(Templates, MakeThingsWithTheNameOfTheInstance) {
  const Description d = description_of(arrays);
  ASSERT_EQ(d.bodies.size(), 3U);
  EXPECT_EQ(d.bodies[0].name, "bus");
  EXPECT_EQ(named(d.bodies, "wing.left.panel").mass, 5);
  EXPECT_EQ(named(d.bodies, "wing.right.panel").mass, 8);
  const JointDescription right = named(d.joints, "wing.right.hinge");
  EXPECT_EQ(right.parent, "bus");
  EXPECT_EQ(right.child, "wing.right.panel");
  EXPECT_EQ(right.parent_point, Vector3(0, -1, 0));
  EXPECT_EQ(right.rotations.at(0), Vector3(0, -1, 0));
}

TEST(Templates, TakeLocalNamesFirstAndThoseOfTheModelElse) {
  const Description d = description_of(arrays);
  const JointDescription left = named(d.joints, "wing.left.hinge");
  EXPECT_EQ(left.torque.at(0).text, "wing.left.drive");  // not the model's own `drive`
  EXPECT_EQ(left.stiffness.at(0).value, 4);              // `stiff` is the model's
  EXPECT_EQ(named(d.parameters, "wing.right.gain").value.value, 16);
  EXPECT_EQ(named(d.parameters, "mass").value.value, 1000);
}

TEST(Templates, LeaveUnitsInFormulasAlone) {
  Source source("m.yaml", R"(gyrostat: 1
templates: {u: {parameters: {m: 1, N: 2, s: 3}, signals: {a: "2 N*m*s - 2.5e1 m/s^2 + m*N/s + 3*m", b: 4 m}}}
instances: {i: {template: u}}
)");
  Problems problems;
  const YamlNode tree = expanded_tree(source, problems);
  EXPECT_EQ(problems.errors(), 0U);
  const YamlNode* signals = tree.find("signals");
  ASSERT_NE(signals, nullptr);
  EXPECT_EQ(signals->items.at(1).text, "2 N*m*s - 2.5e1 m/s^2 + i.m*i.N/i.s + 3*i.m");
  EXPECT_EQ(signals->items.at(3).text, "4 m");
}

TEST(Templates, AddPointsAndWheelsToABodyOutside) {
  const Description d = description_of(arrays);
  const BodyDescription bus = named(d.bodies, "bus");
  EXPECT_EQ(named(bus.points, "wing.left.root").position, Vector3(0, 1, 0));
  const auto& spring = std::get<SpringLoad>(d.loads.at(3));
  EXPECT_EQ(spring.from.body, "bus");
  EXPECT_EQ(spring.from.point, "wing.right.root");
  EXPECT_EQ(spring.to.body, "wing.right.panel");
  EXPECT_EQ(spring.to.point, "tip");
  const auto height = std::get<Expression>(named(d.signals, "wing.left.height").block);
  EXPECT_EQ(height.text, "wing.left.panel.tip.position_z - bus.wing.left.root.position_z");
}

TEST(Templates, HaveNumbersThatCanBeSetFromOutside) {
  const Loaded loaded = load(arrays, {{"wing.left.mass", "6"}});
  ASSERT_EQ(problems_of(loaded), "");
  EXPECT_EQ(named(loaded.model->description.bodies, "wing.left.panel").mass, 6);
  EXPECT_EQ(named(loaded.model->description.parameters, "wing.left.gain").value.value, 12);
  EXPECT_EQ(problems_of(arrays, {{"wing.left.mas", "6"}}),
            "m.yaml: error: --set wing.left.mas: the model has no such parameter; did you mean 'wing.left.mass'?\n");
}

TEST(Templates, AreGoneFromTheExpandedText) {
  const Loaded loaded = load(arrays);
  const std::string text(loaded.source.expanded_text());
  const Loaded again = load(text);
  EXPECT_EQ(problems_of(again), "") << text;
  EXPECT_EQ(again.source.expanded_text(), text);
  EXPECT_EQ(text.find("template"), std::string::npos) << text;
  ASSERT_TRUE(loaded.model && again.model);
  const auto bytes = [](const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); };
  EXPECT_EQ(bytes(loaded.model->system.initial.q), bytes(again.model->system.initial.q));
  for (std::size_t i = 0; i < loaded.model->system.bodies.size(); ++i)
    EXPECT_EQ(loaded.model->system.bodies[i].name, again.model->system.bodies[i].name);
}

TEST(Templates, UseOthers) {
  const Description d = description_of(R"(gyrostat: 1
templates:
  link:
    parameters: {from: body, length: number}
    bodies: {rod: {mass: 1, com: [length/2, 0, 0], inertia: [1, 1, 1]}}
    joints: {pin: {type: revolute, parent: from, child: rod, axis: [0, 0, 1]}}
  arm:
    parameters: {base: body, reach: 2}
    instances:
      upper: {template: link, with: {from: base, length: reach}}
      lower: {template: link, with: {from: upper.rod, length: reach/2}}
    signals: {bend: lower.pin.angle}
bodies: {bus: {mass: 9, inertia: [1, 1, 1]}}
instances:
  arm: {template: arm, for: {a: {base: bus}, b: {base: bus, reach: 4}}}
)");
  EXPECT_EQ(named(d.joints, "arm.b.lower.pin").parent, "arm.b.upper.rod");
  EXPECT_EQ(named(d.bodies, "arm.b.lower.rod").com, Vector3(1, 0, 0));
  EXPECT_EQ(std::get<Expression>(named(d.signals, "arm.a.bend").block).text, "arm.a.lower.pin.angle");
}

TEST(Templates, HaveFlexibleBodiesWithNodesAndTables) {
  const Description d = description_of(R"(gyrostat: 1
templates:
  boom:
    parameters: {mount: body, to: value, tip_name: {value: tip}}
    tables: {k: {x: [-1, 1], y: [1, 2]}}
    bodies:
      beam:
        flexible: {beam: {to: to, elements: 2, mass_per_length: 1, EI: 10, nodes: {mid: 0.5}}, modes: {count: 2}}
        wheels: {rotor: {axis: [1, 0, 0], inertia: 0.1, node: tip, rate: 3}}
      head: {mass: 1, inertia: [1, 1, 1]}
    joints:
      root: {type: weld, parent: mount, child: beam.root}
      neck: {type: revolute, parent: beam, parent_node: tip_name, child: head, axis: [1, 0, 0], stiffness: {table: k}}
    signals:
      spin: beam.tip.rotor.rate
      look: table(k, beam.mid.position_z)
    constraints:
      still: {coordinate: neck.angle, equals: 0}
bodies: {bus: {mass: 9, inertia: [1, 1, 1]}}
instances:
  up: {template: boom, with: {mount: bus, to: [0, 0, 1]}}
)");
  EXPECT_EQ(named(d.joints, "up.neck").parent, "up.beam.tip");
  EXPECT_EQ(named(d.joints, "up.neck").stiffness.at(0).table, "up.k");
  EXPECT_EQ(named(d.bodies, "up.beam.tip").wheels.at(0).rate, 3);
  EXPECT_EQ(std::get<Expression>(named(d.signals, "up.look").block).text, "table(up.k, up.beam.mid.position_z)");
}

TEST(Templates, TellWhereAndInWhichInstanceAProblemIs) {
  const Loaded loaded = load(R"(gyrostat: 1
templates:
  unit:
    parameters: {gain: 1}
    bodies: {part: {mass: 1, inertia: [1, 1, 1]}}
    joints: {pin: {type: revolute, parent: bus, child: part, axis: [0, 0, 1], torque: gain*gain*part.omega_q}}
bodies: {bus: {mass: 9, inertia: [1, 1, 1]}}
instances:
  rw: {template: unit, for: {a: {}, b: {}}}
)");
  ASSERT_EQ(loaded.problems.all().size(), 2U);
  EXPECT_EQ(render(loaded.problems.all()[1], loaded.source, false),
            "m.yaml:6:97: error: joints.rw.b.pin.torque: the body 'rw.b.part' has no 'omega_q'; did you mean "
            "'omega_x'?\n"
            "    6 |     joints: {pin: {type: revolute, parent: bus, child: part, axis: [0, 0, 1], torque: "
            "gain*gain*part.omega_q}}\n"
            "      | " +
                std::string(96, ' ') +
                "^\n"
                "      in the instance 'rw.b' of the template 'unit' (m.yaml:9:37)\n");
}

TEST(Templates, TellOnceWhatIsWrongInAllInstances) {
  const Loaded loaded = load(R"(gyrostat: 1
templates:
  unit:
    bodies: {part: {mass: -1, inertia: [1, 1, 1]}}
    joints: {pin: {type: weld, parent: bus, child: part}}
bodies: {bus: {mass: 9, inertia: [1, 1, 1]}}
instances:
  rw: {template: unit, for: {a: {}, b: {}, c: {}}}
)");
  ASSERT_EQ(loaded.problems.all().size(), 1U);
  EXPECT_EQ(loaded.problems.errors(), 1U);
  EXPECT_THAT(render(loaded.problems.all()[0], loaded.source, false),
              ::testing::EndsWith("in the instance 'rw.a' of the template 'unit' (m.yaml:8:30), and in 2 more\n"));
}

TEST(Templates, TellWhereAWrongNameIsGivenAndWhatALocalOneMayBe) {
  const std::string model = R"(gyrostat: 1
templates:
  unit:
    parameters: {mount: body, damping: 1, given: damping}
    bodies: {part: {mass: given, inertia: [1, 1, 1]}}
    joints: {pin: {type: revolute, parent: mount, child: part, axis: [0, 0, 1]}}
bodies: {bus: {mass: 9, inertia: [1, 1, 1]}}
)";
  EXPECT_EQ(problems_of(model + "instances: {u: {template: unit, with: {mount: buss}}}\n"),
            "m.yaml:8:47: error: joints.u.pin.parent: no body 'buss'; did you mean 'bus'?\n");
  const std::string one = model + "instances: {u: {template: unit, with: {mount: bus}}}\n";
  EXPECT_EQ(problems_of(one), "");
  EXPECT_EQ(problems_of(one + "signals: {s: pin.angle}\n"),
            "m.yaml:9:14: error: signals.s: no body, joint or signal 'pin'; did you mean 'u.pin'?\n");
  EXPECT_EQ(problems_of(one + "signals: {s: dampnig}\n"),
            "m.yaml:9:14: error: signals.s: no parameter or signal 'dampnig'; did you mean 'u.damping'?\n");
  EXPECT_EQ(problems_of(one + "parameters: {s: 2*dampnig}\n"),
            "m.yaml:9:19: error: parameters.s: no parameter 'dampnig'; did you mean 'u.damping'?\n");
}

TEST(Names, WithDotsAreThoseOfAnyModel) {
  const std::string model = R"(gyrostat: 1
parameters: {a.b.k: 2}
bodies: {bus: {mass: 9, inertia: [1, 1, 1], wheels: {rw.a.rotor: {axis: [0, 0, 1], inertia: 0.1}}}, a.b.part: {mass: a.b.k, inertia: [1, 1, 1]}}
joints: {a.b.pin: {type: revolute, parent: bus, child: a.b.part, axis: [0, 0, 1]}}
signals:
  a.b.s: a.b.k*a.b.pin.angle + a.b.part.omega_x + bus.rw.a.rotor.rate
  wrong: )";
  EXPECT_EQ(problems_of(model + "a.b.s"), "");
  EXPECT_EQ(problems_of(model + "a.b.pn.angle"),
            "m.yaml:7:10: error: signals.wrong: no body, joint or signal 'a.b.pn'; did you mean 'a.b.pin'?\n");
  EXPECT_EQ(problems_of(model + "a.b.kk"),
            "m.yaml:7:10: error: signals.wrong: no parameter or signal 'a.b.kk'; did you mean 'a.b.k'?\n");
  EXPECT_EQ(problems_of(model + "bus.rw.a.roto.rate"),
            "m.yaml:7:10: error: signals.wrong: the body 'bus' has no wheel or point 'rw.a.roto'; did you mean "
            "'rw.a.rotor'?\n");
}

}  // namespace templates_test
}  // namespace gyrostat
