// What is wrong with the file as a whole: its version, its sections, the names in them.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_file_errors_test {

class FileProblems : public testing::ProblemTest {};

TEST_P(FileProblems, AreSaidWithTheirPlace) { expect_problems(""); }

const testing::ProblemCase cases[] = {
    {"MissingVersion", "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:1:1: error: missing the first line of a model file: 'gyrostat: 1'\n"},
    {"AnotherVersion", "gyrostat: 2\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:1:11: error: gyrostat: this program reads format version 1, not '2'\n"},
    {"VersionThatIsAList", "gyrostat: [1]\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:1:11: error: gyrostat: expected the format version, 1, got a list\n"},
    {"VersionWithoutValue", "gyrostat:\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:1:1: error: gyrostat: expected the format version, 1, got nothing\n"},
    {"MissingBodies", "gyrostat: 1\nname: x\n",
     "m.yaml:1:1: error: bodies: missing; it is required (the bodies by name)\n"},
    {"EmptyBodies", "gyrostat: 1\nbodies: {}\n", "m.yaml:2:9: error: bodies: a model needs at least one body\n"},
    {"BodiesWithoutValue", "gyrostat: 1\nbodies:\n", "m.yaml:2:1: error: bodies: a model needs at least one body\n"},
    {"BodiesAsAList", "gyrostat: 1\nbodies: [a, b]\n",
     "m.yaml:2:9: error: bodies: expected a mapping of names, got a list\n"},
    {"UnknownSectionNearAKnownOne", "gyrostat: 1\nbodys: {}\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:2:1: error: bodys: unknown field; did you mean 'bodies'?\n"},
    {"UnknownSectionLikeNoOther", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nweather: fine\n",
     "m.yaml:3:1: error: weather: unknown field; the fields here are gyrostat, name, include, templates, instances, "
     "parameters, tables, "
     "bodies, joints, constraints, signals, loads, environment, simulation, output\n"},
    {"SectionGivenTwice", "gyrostat: 1\nname: x\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nname: y\n",
     "m.yaml:4:1: error: name: given twice; first on line 2\n"},
    {"NameThatIsAList", "gyrostat: 1\nname: [x]\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:2:7: error: name: expected text, got a list\n"},
    {"NameWithoutValue", "gyrostat: 1\nname:\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:2:1: error: name: expected text, got nothing\n"},
    {"LoadsAsAMapping", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nloads: {body: a}\n",
     "m.yaml:3:8: error: loads: expected a list of loads, each beginning with '- ', got a mapping\n"},
    {"SignalsAsAList", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nsignals: [1]\n",
     "m.yaml:3:10: error: signals: expected a mapping of names, got a list\n"},
    {"EnvironmentAsText", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nenvironment: earth\n",
     "m.yaml:3:14: error: environment: expected a mapping with fields like gravity, ..., got 'earth'\n"},
    {"AComplexKeyAsField", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n? [a, b]\n: c\n",
     "m.yaml:3:3: error: expected the name of a field, got a list\n"},
    {"AComplexKeyAsName",
     "gyrostat: 1\nbodies:\n  ? [a, b]\n  : {mass: 1, inertia: [1, 1, 1]}\n  a: {mass: 1, inertia: [1, 1, 1]}\n",
     "m.yaml:3:5: error: bodies: expected a name, got a list\n"},
    {"NameWithASpace", "gyrostat: 1\nbodies:\n  big bus: {mass: 1, inertia: [1, 1, 1]}\n",
     "m.yaml:3:3: error: bodies.big bus: 'big bus' is not a name: a name is made of the letters a-z and A-Z, digits "
     "and _, and does not begin with a digit\n"},
    {"NameThatBeginsWithADigit", "gyrostat: 1\nbodies:\n  1a: {mass: 1, inertia: [1, 1, 1]}\n",
     "m.yaml:3:3: error: bodies.1a: '1a' is not a name: a name is made of the letters a-z and A-Z, digits and _, and "
     "does not begin with a digit\n"},
    {"ReservedName", "gyrostat: 1\nbodies:\n  world: {mass: 1, inertia: [1, 1, 1]}\n",
     "m.yaml:3:3: error: bodies.world: the name 'world' is reserved\n"},
    {"NameThatIsTooLong",
     "gyrostat: 1\nbodies:\n  "
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: {mass: 1, "
     "inertia: [1, 1, 1]}\n",
     "m.yaml:3:3: error: "
     "bodies.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: a "
     "name has at most 100 letters\n"},
    {"NameDefinedTwice",
     "gyrostat: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  a: {mass: 1, inertia: [1, 1, 1]}\n",
     "m.yaml:4:3: error: bodies.a: 'a' is defined twice; first on line 3\n"},
    {"EmptyName", "gyrostat: 1\nbodies:\n  '': {mass: 1, inertia: [1, 1, 1]}\n",
     "m.yaml:3:3: error: bodies: '' is not a name: a name is made of the letters a-z and A-Z, digits and _, and does "
     "not begin with a digit\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, FileProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_file_errors_test
}  // namespace gyrostat
