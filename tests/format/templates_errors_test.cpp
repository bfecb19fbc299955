// What can be wrong with templates and their instances.
#include "support/problem_case.h"

namespace gyrostat {
namespace templates_errors_test {

/// A wheel on a body outside; every case goes on behind it, at line 14.
const char* const model = R"(gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [10, 10, 10]}
templates:
  wheel:
    parameters:
      mount: body
      axis: [0, 0, 1]
      inertia: number
    bodies: {mount: {wheels: {rotor: {axis: axis, inertia: inertia, torque: drive}}}}
    signals: {drive: -mount.rotor.rate}
  twice:
    instances: {one: {template: wheel, with: {mount: bus, inertia: 1}}}
)";

class TemplateProblems : public testing::ProblemTest {};

TEST_P(TemplateProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"NothingWrong", "instances: {rw: {template: wheel, with: {mount: bus, inertia: 1}}, x: {template: twice}}", ""},
    {"UnknownTemplate", "instances: {rw: {template: weel}}",
     "m.yaml:14:28: error: instances.rw.template: no template 'weel'; did you mean 'wheel'?\n"},
    {"NoTemplate", "instances: {rw: {with: {mount: bus}}}",
     "m.yaml:14:17: error: instances.rw.template: missing; it is required (which template)\n"},
    {"TemplateThatIsAList", "instances: {rw: {template: [wheel]}}",
     "m.yaml:14:28: error: instances.rw.template: expected text, got a list\n"},
    {"UnknownField", "instances: {rw: {template: wheel, wiht: {}}}",
     "m.yaml:14:35: error: instances.rw.wiht: unknown field; did you mean 'with'?\n"},
    {"MissingParameters", "instances: {rw: {template: wheel}}",
     "m.yaml:14:13: error: instances.rw: the template 'wheel' needs the parameter 'mount': the name of a body\n"
     "m.yaml:14:13: error: instances.rw: the template 'wheel' needs the parameter 'inertia': a number\n"},
    {"MissingParameter", "instances: {rw: {template: wheel, with: {mount: bus}}}",
     "m.yaml:14:13: error: instances.rw: the template 'wheel' needs the parameter 'inertia': a number\n"},
    {"MissingParameterOfOneOfSeveral",
     "instances: {rw: {template: wheel, with: {inertia: 1}, for: {a: {mount: bus}, b: }}}",
     "m.yaml:14:78: error: instances.rw.for.b: the template 'wheel' needs the parameter 'mount': the name of a body\n"},
    {"UnknownParameter", "instances: {rw: {template: wheel, with: {mount: bus, inerta: 1}}}",
     "m.yaml:14:54: error: instances.rw.with.inerta: the template 'wheel' has no parameter 'inerta'; did you mean "
     "'inertia'?\n"},
    {"ParameterOfATemplateWithoutAny", "instances: {rw: {template: twice, with: {mass: 1}}}",
     "m.yaml:14:42: error: instances.rw.with.mass: the template 'twice' has no parameters\n"},
    {"ParameterWithoutValue", "instances: {rw: {template: wheel, with: {mount: , inertia: 1}}}",
     "m.yaml:14:42: error: instances.rw.with.mount: expected the name of a body, got nothing\n"},
    {"BodyThatIsAList", "instances: {rw: {template: wheel, with: {mount: [bus], inertia: 1}}}",
     "m.yaml:14:49: error: instances.rw.with.mount: expected the name of a body, got a list\n"},
    {"BodyThatDoesNotExist", "instances: {rw: {template: wheel, with: {mount: buss, inertia: 1}}}",
     "m.yaml:14:49: error: instances: no body 'buss'; did you mean 'bus'?\n"},
    {"WheelOnTheWorld", "instances: {rw: {template: wheel, with: {mount: world, inertia: 1}}}",
     "m.yaml:14:49: error: instances: no body 'world'\n"},
    {"NumberThatIsAMapping", "instances: {rw: {template: wheel, with: {mount: bus, inertia: {a: 1}}}}",
     "m.yaml:14:63: error: parameters.rw.inertia: expected a number, got a mapping\n"},
    {"NumberOfAnotherUnit", "instances: {rw: {template: wheel, with: {mount: bus, inertia: 1 kg}}}",
     "m.yaml:10:60: error: bodies.bus.wheels.rw.rotor.inertia: expected a value in kg*m^2, got kg\n"},
    {"ValueOfAWrongForm", "instances: {rw: {template: wheel, with: {mount: bus, inertia: 1, axis: [1, 0]}}}",
     "m.yaml:14:72: error: bodies.bus.wheels.rw.rotor.axis: expected 3 numbers, got 2\n"},
    {"InstancesAsAList", "instances: [wheel]",
     "m.yaml:14:12: error: instances: expected a mapping of names, got a list\n"},
    {"InstanceThatIsText", "instances: {rw: wheel}",
     "m.yaml:14:17: error: instances.rw: expected a mapping with fields like template, ..., got 'wheel'\n"},
    {"ForWithoutNames", "instances: {rw: {template: wheel, for: {}}}",
     "m.yaml:14:40: error: instances.rw.for: expected names of instances with the values of their parameters, got "
     "none\n"},
    {"InstanceTwice", "instances: {rw: {template: twice}, rw: {template: twice}}",
     "m.yaml:14:36: error: instances.rw: 'rw' is defined twice; first on line 14\n"},
    {"InstanceWithADot", "instances: {rw.a: {template: twice}}",
     "m.yaml:14:13: error: instances.rw.a: 'rw.a' is not a name: a name is made of the letters a-z and A-Z, digits and "
     "_, and does not begin with a digit\n"},
    {"InstanceNamedLikeABody", "instances: {bus: {template: twice}}",
     "m.yaml:14:13: error: instances.bus: 'bus' is the name of a body too; give the instance another name\n"},
    {"NameWithDotsLikeAPartOfABody", "signals: {bus.omega: 1}",
     "m.yaml:14:22: error: signals.bus.omega: begins with 'bus', which is the name of a body too; rename one of the "
     "two\n"},
    {"NameWithDotsLikeAnAngleOfABody", "signals: {bus.euler_zyx.x: 1}",
     "m.yaml:14:28: error: signals.bus.euler_zyx.x: begins with 'bus', which is the name of a body too; rename one of "
     "the two\n"},
    {"NameThatAnInstanceMakes",
     "signals: {rw.drive: 1}\ninstances: {rw: {template: wheel, with: {mount: bus, inertia: 1}}}",
     "m.yaml:11:15: error: signals.rw.drive: 'rw.drive' is defined twice; first on line 14\n"},
    {"UnknownNameFromOutside",
     "instances: {rw: {template: wheel, with: {mount: bus, inertia: 1}}}\nsignals: {s: rw.drve}",
     "m.yaml:15:14: error: signals.s: no parameter or signal 'rw.drve'; did you mean 'rw.drive'?\n"},
};

INSTANTIATE_TEST_SUITE_P(Instances, TemplateProblems, ::testing::ValuesIn(cases), testing::case_name);

/// The body of a template, which one instance uses.
class TemplateBodyProblems : public testing::ProblemTest {};

TEST_P(TemplateBodyProblems, AreSaidWithTheirPlace) {
  expect_problems("gyrostat: 1\nbodies: {bus: {mass: 1, inertia: [1, 1, 1]}}\ninstances: {u: {template: unit}}\n");
}

const testing::ProblemCase bodies[] = {
    {"NothingWrong", "templates: {unit: {signals: {s: 1}}}", ""},
    {"WrongSection", "templates: {unit: {simulation: {duration: 1}}}",
     "m.yaml:4:20: error: templates.unit.simulation: unknown field; the fields here are parameters, tables, bodies, "
     "joints, constraints, signals, loads, instances\n"},
    {"MisspeltSection", "templates: {unit: {signal: {s: 1}}}",
     "m.yaml:4:20: error: templates.unit.signal: unknown field; did you mean 'signals'?\n"},
    {"TemplatesAsAList", "templates: [unit]",
     "m.yaml:4:12: error: templates: expected a mapping of names, got a list\n"},
    {"SectionAsAList", "templates: {unit: {signals: [s]}}",
     "m.yaml:4:29: error: templates.unit.signals: expected a mapping of names, got a list\n"},
    {"LoadsAsAMapping", "templates: {unit: {loads: {body: bus}}}",
     "m.yaml:4:27: error: templates.unit.loads: expected a list of loads, each beginning with '- ', got a mapping\n"},
    {"ParameterThatIsNothing", "templates: {unit: {parameters: {k: }}}",
     "m.yaml:4:33: error: templates.unit.parameters.k: give its default, or say what is to be given: number, signal, "
     "body, joint, table, value\n"},
    {"ParameterWithTheNameOfAFunction", "templates: {unit: {parameters: {sin: 1}}}",
     "m.yaml:4:33: error: templates.unit.parameters.sin: 'sin' is the name of a function\n"},
    {"ReservedName", "templates: {unit: {signals: {t: 1}}}",
     "m.yaml:4:30: error: templates.unit.signals.t: the name 't' is reserved\n"},
    {"NameWithADot", "templates: {unit: {signals: {a.b: 1}}}",
     "m.yaml:4:30: error: templates.unit.signals.a.b: 'a.b' is not a name: a name is made of the letters a-z and A-Z, "
     "digits and _, and does not begin with a digit\n"},
    {"SignalNamedLikeAParameter", "templates: {unit: {parameters: {k: 1}, signals: {k: 2}}}",
     "m.yaml:4:50: error: templates.unit.signals.k: 'k' is a parameter of the template too\n"},
    {"BodyNamedLikeANumber", "templates: {unit: {parameters: {k: 1}, bodies: {k: {mass: 1}}}}",
     "m.yaml:4:49: error: templates.unit.bodies.k: 'k' is a parameter of the template too; only one that is a body can "
     "get parts here\n"},
    {"MassOfABodyOutside", "templates: {unit: {parameters: {m: {body: bus}}, bodies: {m: {mass: 2}}}}",
     "m.yaml:4:63: error: templates.unit.bodies.m.mass: the body 'm' is outside the template; it can be given points, "
     "wheels, shape here, nothing else\n"},
    {"ItUsesItself", "templates: {unit: {instances: {u: {template: unit}}}}",
     "m.yaml:4:46: error: templates.unit.instances.u.template: a template uses itself: unit -> unit\n"},
    {"TheyUseEachOther",
     "templates: {unit: {instances: {u: {template: other}}}, other: {instances: {v: {template: unit}}}}",
     "m.yaml:4:90: error: templates.other.instances.v.template: a template uses itself: unit -> other -> unit\n"},
    {"ValueInAnExpression", "templates: {unit: {parameters: {v: [1, 2]}, signals: {s: 2*v}}}",
     "m.yaml:4:60: error: instances.u.v: the parameter 'v' is a value and must stand by itself; declare it as a "
     "number, "
     "signal, body, joint or table to use it in an expression, or, for a vector, with a default that is an expression: "
     "\"[0, 0, 1]\"\n"},
    {"ValueThatIsItself", "templates: {unit: {parameters: {v: {value: v}}, signals: {s: v}}}",
     "m.yaml:4:44: error: instances.u.v: the parameter 'v' is defined in terms of itself\n"},
    {"NumberThatIsItself", "templates: {unit: {parameters: {v: 2*v}}}",
     "m.yaml:4:36: error: parameters.u.v: defined in terms of itself: u.v -> u.v\n"},
    {"NameThatDoesNotExist", "templates: {unit: {signals: {s: 2*gian}}}",
     "m.yaml:4:35: error: signals.u.s: no parameter or signal 'gian'\n"},
    {"WrongInstanceInWhatIsUsedTwice",
     "templates: {unit: {instances: {a: {template: part}, b: {template: part}}}, part: {instances: {x: {from: 1}}}}",
     "m.yaml:4:98: error: templates.part.instances.x.template: missing; it is required (which template)\n"
     "m.yaml:4:99: error: templates.part.instances.x.from: unknown field; the fields here are template, with, for\n"},
    {"MissingParameterInWhatIsUsedTwice",
     "templates: {unit: {instances: {a: {template: part}, b: {template: part}}}, part: {instances: {x: {template: "
     "leaf}}}, "
     "leaf: {parameters: {size: number}, signals: {s: size}}}",
     "m.yaml:4:95: error: templates.part.instances.x: the template 'leaf' needs the parameter 'size': a number\n"},
    {"UnknownFieldInside", "templates: {unit: {loads: [{body: bus, froce: [1, 0, 0]}]}}",
     "m.yaml:4:28: error: loads[0]: needs a 'force' or a 'torque'\n"
     "m.yaml:4:40: error: loads[0].froce: unknown field; did you mean 'force'?\n"},
};

INSTANTIATE_TEST_SUITE_P(Bodies, TemplateBodyProblems, ::testing::ValuesIn(bodies), testing::case_name);

/// Each template uses the next ten times: what the file asks for grows without bound, what is made does not.
TEST(TemplateLimits, HoldWhereTemplatesMultiply) {
  std::string text =
      "gyrostat: 1\nbodies: {bus: {mass: 1, inertia: [1, 1, 1]}}\ninstances: {u: {template: t0}}\ntemplates:\n";
  for (int level = 0; level < 12; ++level) {
    text += fmt::format("  t{}: {{instances: {{u: {{template: t{}, for: {{", level, level + 1);
    for (char c = 'a'; c < 'k'; ++c) text += fmt::format("{}: ,", c);
    text += "}}}}\n";
  }
  EXPECT_EQ(testing::problems_of(text + "  t12: {}\n"),
            "m.yaml:16:58: error: templates.t11.instances.u.for.d: more than 100000 instances of templates\n");
}

/// A thousand signals in each of ten thousand instances.
TEST(TemplateLimits, HoldWhereInstancesAreLarge) {
  std::string text = "gyrostat: 1\nbodies: {bus: {mass: 1, inertia: [1, 1, 1]}}\ntemplates:\n  u:\n    signals:\n";
  for (int k = 0; k < 1000; ++k) text += fmt::format("      s{}: 1\n", k);
  text += "instances:\n  i:\n    template: u\n    for:\n";
  for (int k = 0; k < 10'000; ++k) text += fmt::format("      a{}:\n", k);
  EXPECT_EQ(testing::problems_of(text),
            "m.yaml:1006:1: error: instances: the templates make more than 4000000 values\n");
}

TEST(TemplateLimits, HoldWhereTemplatesAreDeep) {
  std::string text =
      "gyrostat: 1\nbodies: {bus: {mass: 1, inertia: [1, 1, 1]}}\ninstances: {u: {template: t0}}\ntemplates:\n";
  for (int level = 0; level < 30; ++level)
    text += fmt::format("  t{}: {{instances: {{u: {{template: t{}}}}}}}\n", level, level + 1);
  EXPECT_EQ(testing::problems_of(text + "  t30: {}\n"),
            "m.yaml:24:21: error: templates.t19.instances.u: templates use each other more than 20 deep\n");
}

}  // namespace templates_errors_test
}  // namespace gyrostat
