// Bodies that cannot exist, or look as if their units were mixed.
#include "support/problem_case.h"

namespace gyrostat {
namespace validate_bodies_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies:\n"
    "  a: ";

class UnphysicalBodies : public testing::ProblemTest {};

TEST_P(UnphysicalBodies, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"NegativeMass", "{mass: -1, inertia: [1, 1, 1]}",
     "m.yaml:3:13: error: bodies.a.mass: a mass cannot be negative\n"},
    {"PointMassWithoutMass", "{mass: 0, point_mass: true}",
     "m.yaml:3:13: error: bodies.a.mass: a point mass must have mass\n"},
    {"NegativeMoment", "{mass: 1, inertia: [-1, 1, 1]}",
     "m.yaml:3:25: error: bodies.a.inertia: a principal moment is negative (-1, 1, 1 kg m^2)\n"},
    {"NegativePrincipalMoment", "{mass: 1, inertia: {xx: 1, yy: 1, zz: 1, xy: 2}}",
     "m.yaml:3:25: error: bodies.a.inertia: a principal moment is negative (-1, 1, 3 kg m^2)\n"},
    {"TriangleInequality", "{mass: 1, inertia: [1, 1, 3]}",
     "m.yaml:3:25: error: bodies.a.inertia: no body has principal moments 1, 1, 3 kg m^2: the largest exceeds the sum "
     "of the others by 1 (triangle inequality); check units and the signs of xy, xz, yz, or say 'accept_unphysical: "
     "true'\n"},
    {"TriangleInequalityInABlock", "\n    mass: 1\n    inertia:\n      xx: 1\n      yy: 1\n      zz: 3",
     "m.yaml:5:5: error: bodies.a.inertia: no body has principal moments 1, 1, 3 kg m^2: the largest exceeds the sum "
     "of the others by 1 (triangle inequality); check units and the signs of xy, xz, yz, or say 'accept_unphysical: "
     "true'\n"},
    {"TriangleInequalityAccepted", "{mass: 1, inertia: [1, 1, 3], accept_unphysical: true}",
     "m.yaml:3:25: warning: bodies.a.inertia: no body has principal moments 1, 1, 3 kg m^2: the largest exceeds the "
     "sum of the others by 1 (triangle inequality); accepted, as the body says\n"},
    {"InertiaWithoutMass", "{mass: 0, inertia: [1, 1, 1]}",
     "m.yaml:3:25: error: bodies.a.inertia: inertia without mass; give the body a mass, or say 'accept_unphysical: "
     "true'\n"},
    {"InertiaWithoutMassAccepted",
     "{mass: 0, inertia: [1, 1, 1], accept_unphysical: true}\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints: {j: {type: "
     "weld, parent: a, child: b}}",
     "m.yaml:3:25: warning: bodies.a.inertia: inertia without mass; accepted, as the body says\n"},
    {"WheelWithZeroInertia", "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0}}}",
     "m.yaml:3:75: error: bodies.a.wheels.w.inertia: must be positive\n"},
    {"WheelWithNegativeInertia", "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: -1}}}",
     "m.yaml:3:75: error: bodies.a.wheels.w.inertia: must be positive\n"},
    {"WheelWithoutARadius", "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, radius: 0}}}",
     "m.yaml:3:88: error: bodies.a.wheels.w.radius: must be positive\n"},
    {"WheelWithANegativeRadius",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, radius: -20 mm}}}",
     "m.yaml:3:88: error: bodies.a.wheels.w.radius: must be positive\n"},
    {"WheelsLargerThanTheBody",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.8}, v: {axis: [0, 0, -1], inertia: 0.7}}}",
     "m.yaml:3:44: error: bodies.a.wheels: the wheels have more inertia than the body that includes them (by 0.5 kg "
     "m^2): the inertia of a body includes its wheels at rest\n"},
    {"InertiaInSquareMillimetres", "{mass: 10, inertia: [1.6e6, 1.6e6, 1.6e6], points: {p: [0.4, 0, 0]}}",
     "m.yaml:3:26: warning: bodies.a.inertia: the radius of gyration, 400 m, is 1e+03 times the size of the body, 0.4 "
     "m; is the inertia in kg mm^2, kg cm^2, kg in^2 or g m^2, or are the lengths in km?\n"},
    {"LengthsInMillimetres", "{mass: 10, inertia: [1.6, 1.6, 1.6], points: {p: [400, 0, 0]}}",
     "m.yaml:3:26: warning: bodies.a.inertia: the radius of gyration, 0.4 m, is 0.001 times the size of the body, 400 "
     "m; are the lengths in mm or cm?\n"},
    {"InertiaInSquareCentimetres", "{mass: 10, inertia: [1.6e4, 1.6e4, 1.6e4], points: {p: [0.4, 0, 0]}}",
     "m.yaml:3:26: warning: bodies.a.inertia: the radius of gyration, 40 m, is 100 times the size of the body, 0.4 m; "
     "is the inertia in kg mm^2, kg cm^2, kg in^2 or g m^2, or are the lengths in km?\n"},
    {"InertiaInGrams", "{mass: 10, inertia: [1600, 1600, 1600], points: {p: [0.4, 0, 0]}}",
     "m.yaml:3:26: warning: bodies.a.inertia: the radius of gyration, 12.6 m, is 31.6 times the size of the body, 0.4 "
     "m; is the inertia in kg mm^2, kg cm^2, kg in^2 or g m^2, or are the lengths in km?\n"},
    {"MissingMassAndBadInertia", "{inertia: [1, 1, 3]}",
     "m.yaml:3:6: error: bodies.a.mass: missing; it is required (kg)\n"
     "m.yaml:3:16: error: bodies.a.inertia: no body has principal moments 1, 1, 3 kg m^2: the largest exceeds the sum "
     "of the others by 1 (triangle inequality); check units and the signs of xy, xz, yz, or say 'accept_unphysical: "
     "true'\n"},
    {"MassOfTheWholeIsNegativeAndMissing", "{mass: -1}",
     "m.yaml:3:13: error: bodies.a.mass: a mass cannot be negative\n"},
    {"InertiaInSquareInches", "{mass: 10, inertia: [2480, 2480, 2480], points: {p: [0.4, 0, 0]}}",
     "m.yaml:3:26: warning: bodies.a.inertia: the radius of gyration, 15.7 m, is 39.4 times the size of the body, 0.4 "
     "m; is the inertia in kg mm^2, kg cm^2, kg in^2 or g m^2, or are the lengths in km?\n"},
    {"InertiaOfABodyThatHasNoSizeOfItsOwn",
     "{mass: 10, inertia: [1.6e6, 1.6e6, 1.6e6]}\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints: {j: {type: weld, parent: "
     "a, child: b, child_point: [0.4, 0, 0]}}",
     "m.yaml:3:26: warning: bodies.a.inertia: the radius of gyration, 400 m, is 1e+03 times the size of the body, 0.4 "
     "m; is the inertia in kg mm^2, kg cm^2, kg in^2 or g m^2, or are the lengths in km?\n"},
    {"NegativeMassInAWrongUnitIsOneMistake", "{mass: -1 m, inertia: [1, 1, 1]}",
     "m.yaml:3:13: error: bodies.a.mass: expected a value in kg, got m\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, UnphysicalBodies, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace validate_bodies_test
}  // namespace gyrostat
