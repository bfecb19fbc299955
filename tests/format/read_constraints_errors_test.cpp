// What is wrong with constraints, and with the way they are kept.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_constraints_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies:\n"
    "  bus: {mass: 10, inertia: [3, 4, 5], points: {hook: [1, 0, 0]}, wheels: {rotor: {axis: [0, 0, 1], inertia: 0.2}, "
    "driven: {axis: [1, 0, 0], inertia: 0.2, speed: 3}}}\n"
    "  left: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1], points: {tip: [2, 0, 0]}}\n"
    "  right: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1], points: {tip: [2, 0, 0]}}\n"
    "  weight: {mass: 1, inertia: [1, 1, 1]}\n"
    "  pan: {mass: 1, inertia: [1, 1, 1]}\n"
    "  cart: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  base: {type: free, parent: world, child: bus}\n"
    "  port: {type: revolute, parent: bus, child: left, axis: [0, 0, 1]}\n"
    "  star: {type: revolute, parent: bus, child: right, axis: [0, 0, 1]}\n"
    "  fall: {type: prismatic, parent: bus, child: weight, axis: [0, 0, 1]}\n"
    "  fixed: {type: prismatic, parent: bus, child: pan, axis: [0, 0, 1], locked: true}\n"
    "  given: {type: prismatic, parent: bus, child: cart, axis: [0, 0, 1], prescribed: {position: t}}\n"
    "constraints:\n"
    "  c: ";

class ConstraintProblems : public testing::ProblemTest {};

TEST_P(ConstraintProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"OfNothing", "", "m.yaml:17:3: error: constraints.c: needs one of coupling, distance, point, coordinate\n"},
    {"ThatIsText", "coupling",
     "m.yaml:17:6: error: constraints.c: expected a mapping with fields like coupling, ..., got 'coupling'\n"},
    {"ThatIsAList", "[coupling, equals]",
     "m.yaml:17:6: error: constraints.c: expected a mapping with fields like coupling, ..., got a list\n"},
    {"ThatIsEmpty", "{}", "m.yaml:17:6: error: constraints.c: needs one of coupling, distance, point, coordinate\n"},
    {"WithoutAKind", "{equals: 1}",
     "m.yaml:17:6: error: constraints.c: needs one of coupling, distance, point, coordinate\n"},
    {"WithFieldsOfAPointOnly", "{of: world, directions: [[0, 1, 0]]}",
     "m.yaml:17:6: error: constraints.c: needs one of coupling, distance, point, coordinate\n"},
    {"OfAnUnknownKind", "{weld: [port, star]}",
     "m.yaml:17:7: error: constraints.c.weld: unknown field; the fields here are coupling, distance, point, of, "
     "directions, coordinate, equals\n"},
    {"OfAMisspeltKind", "{couplin: {port.angle: 1, star.angle: 1}}",
     "m.yaml:17:7: error: constraints.c.couplin: unknown field; did you mean 'coupling'?\n"},
    {"WithAMisspeltField", "{coupling: {port.angle: 1, star.angle: 1}, equal: 0}",
     "m.yaml:17:49: error: constraints.c.equal: unknown field; did you mean 'equals'?\n"},
    {"OfTwoKinds", "{coupling: {port.angle: 1, star.angle: 1}, coordinate: port.angle}",
     "m.yaml:17:6: error: constraints.c: has coupling and coordinate at once; only one can be given\n"},
    {"OfThreeKinds", "{coupling: {port.angle: 1, star.angle: 1}, coordinate: port.angle, point: [bus, hook]}",
     "m.yaml:17:6: error: constraints.c: has coupling and point and coordinate at once; only one can be given\n"},
    {"WithAFieldTwice", "{coordinate: port.angle, equals: 1, equals: 2}",
     "m.yaml:17:42: error: constraints.c.equals: given twice; first on line 17\n"},
    {"GivenTwice", "{coordinate: port.angle, equals: 0}\n  c: {coordinate: star.angle, equals: 0}",
     "m.yaml:18:3: error: constraints.c: 'c' is defined twice; first on line 17\n"},
    {"NamedAsAJoint", "{coordinate: port.angle, equals: 0}\n  star: {coordinate: star.angle, equals: 0}",
     "m.yaml:18:9: error: constraints.star: a joint has this name; give the constraint another\n"},
    {"WithAReservedName", "{coordinate: port.angle, equals: 0}\n  world: {coordinate: star.angle, equals: 0}",
     "m.yaml:18:3: error: constraints.world: the name 'world' is reserved\n"},
    {"WithANameThatIsNone", "{coordinate: port.angle, equals: 0}\n  2x: {coordinate: star.angle, equals: 0}",
     "m.yaml:18:3: error: constraints.2x: '2x' is not a name: a name is made of the letters a-z and A-Z, digits and _, "
     "and does not begin with a digit\n"},
    {"InASecondSection", "{coordinate: port.angle, equals: 0}\nconstraints: {d: {coordinate: star.angle, equals: 0}}",
     "m.yaml:18:1: error: constraints: given twice; first on line 16\n"},
    {"AskedForItsReactionByAMisspeltName",
     "{coordinate: port.angle, equals: 0}\n  motor: {coordinate: star.angle, equals: 0}\noutput: {reactions: [moter]}",
     "m.yaml:19:22: error: output.reactions[0]: no joint or constraint 'moter'; did you mean 'motor'?\n"},
    {"CouplingOfText", "{coupling: port.angle}",
     "m.yaml:17:17: error: constraints.c.coupling: expected coordinates with their coefficients: {left.angle: 1, "
     "right.angle: -1}, got 'port.angle'\n"},
    {"CouplingOfNothing", "{coupling: }",
     "m.yaml:17:7: error: constraints.c.coupling: expected coordinates with their coefficients: {left.angle: 1, "
     "right.angle: -1}, got nothing\n"},
    {"CouplingOfAList", "{coupling: [port.angle, star.angle]}",
     "m.yaml:17:17: error: constraints.c.coupling: expected coordinates with their coefficients: {left.angle: 1, "
     "right.angle: -1}, got a list\n"},
    {"CouplingThatIsEmpty", "{coupling: {}}",
     "m.yaml:17:17: error: constraints.c.coupling: expected coordinates with their coefficients: {left.angle: 1, "
     "right.angle: -1}, got none\n"},
    {"CouplingOfOneCoordinate", "{coupling: {port.angle: 1}}",
     "m.yaml:17:17: error: constraints.c.coupling: couples two or more coordinates; of one, write 'coordinate'\n"},
    {"CouplingWithACoefficientOfZero", "{coupling: {port.angle: 0, star.angle: 1}}",
     "m.yaml:17:30: error: constraints.c.coupling.port.angle: the coefficient is zero; leave it out\n"},
    {"CouplingWithACoefficientThatIsNoNumber", "{coupling: {port.angle: .nan, star.angle: 1}}",
     "m.yaml:17:30: error: constraints.c.coupling.port.angle: expected a finite number, got '.nan'\n"},
    {"CouplingWithAnInfiniteCoefficient", "{coupling: {port.angle: 1, star.angle: -.inf}}",
     "m.yaml:17:45: error: constraints.c.coupling.star.angle: expected a finite number, got '-.inf'\n"},
    {"CouplingWithAHugeCoefficient", "{coupling: {port.angle: 1e31, star.angle: 1}}",
     "m.yaml:17:30: error: constraints.c.coupling.port.angle: 1e+31 is too large to compute with; the limit is 1e+30 "
     "in SI units\n"},
    {"CouplingWithATinyCoefficient", "{coupling: {port.angle: 1e-31, star.angle: 1}}",
     "m.yaml:17:30: error: constraints.c.coupling.port.angle: 1e-31 is too small to compute with; the limit is 1e-30 "
     "in SI units\n"},
    {"CouplingWithAnUnknownParameter", "{coupling: {port.angle: ratio, star.angle: 1}}",
     "m.yaml:17:30: error: constraints.c.coupling.port.angle: no parameter 'ratio'\n"},
    {"CouplingWithACoefficientThatChanges", "{coupling: {port.angle: 1, star.angle: t}}",
     "m.yaml:17:45: error: constraints.c.coupling.star.angle: t changes as the simulation runs, but a constant is "
     "needed here\n"},
    {"CouplingWithAListForACoefficient", "{coupling: {port.angle: [1], star.angle: 1}}",
     "m.yaml:17:30: error: constraints.c.coupling.port.angle: expected a number, got a list\n"},
    {"CouplingWithoutACoefficient", "{coupling: {port.angle: , star.angle: 1}}",
     "m.yaml:17:18: error: constraints.c.coupling.port.angle: expected a number, got nothing\n"},
    {"CouplingOfACoordinateTwice", "{coupling: {port.angle: 1, port.angle: -1}}",
     "m.yaml:17:33: error: constraints.c.coupling.port.angle: given twice; first on line 17\n"},
    {"CouplingOfAListForACoordinate", "{coupling: {[port, angle]: 1, star.angle: -1}}",
     "m.yaml:17:18: error: constraints.c.coupling: expected the name of a coordinate, like left.angle, got a list\n"},
    {"CouplingOfACoordinateWithoutAName", "{coupling: {'': 1, star.angle: -1}}",
     "m.yaml:17:18: error: constraints.c.coupling: expected the name of a coordinate, like left.angle, got ''\n"},
    {"CouplingOfAnUnknownJoint", "{coupling: {prot.angle: 1, star.angle: -1}}",
     "m.yaml:17:30: error: constraints.c.coupling.prot.angle: no body, joint or signal 'prot'; did you mean 'port'?\n"},
    {"CouplingOfAnUnknownCoordinate", "{coupling: {star.angle: 1, port.angel: -1}}",
     "m.yaml:17:45: error: constraints.c.coupling.port.angel: the joint 'port' has no 'angel'; did you mean "
     "'angle'?\n"},
    {"CouplingOnSeveralLines", "\n    coupling:\n      port.angle: 1\n      star.angel: -1",
     "m.yaml:20:19: error: constraints.c.coupling.star.angel: the joint 'star' has no 'angel'; did you mean "
     "'angle'?\n"},
    {"CouplingOfJoints", "{coupling: {port: 1, star: -1}}",
     "m.yaml:17:24: error: constraints.c.coupling.port: 'port' is a joint; write a quantity of it, like port.angle\n"
     "m.yaml:17:33: error: constraints.c.coupling.star: 'star' is a joint; write a quantity of it, like star.angle\n"},
    {"CouplingOfARate", "{coupling: {port.rate: 1, star.angle: -1}}",
     "m.yaml:17:29: error: constraints.c.coupling.port.rate: 'port.rate' is not a coordinate of a joint: those are "
     "JOINT.angle, JOINT.displacement and so on, and BODY.WHEEL.angle\n"},
    {"CouplingOfABodysMotion", "{coupling: {bus.omega_x: 1, star.angle: -1}}",
     "m.yaml:17:31: error: constraints.c.coupling.bus.omega_x: 'bus.omega_x' is not a coordinate of a joint: those are "
     "JOINT.angle, JOINT.displacement and so on, and BODY.WHEEL.angle\n"},
    {"CouplingOfAQuaternion", "{coupling: {base.quaternion_x: 1, star.angle: -1}}",
     "m.yaml:17:37: error: constraints.c.coupling.base.quaternion_x: the orientation of a free joint is no coordinate "
     "that a constraint can be given; use a gimbal joint\n"},
    {"CouplingOfASignal", "{coupling: {s: 1, star.angle: -1}}\nsignals: {s: 1}",
     "m.yaml:17:21: error: constraints.c.coupling.s: 's' is not a coordinate of a joint: those are JOINT.angle, "
     "JOINT.displacement and so on, and BODY.WHEEL.angle\n"},
    {"CouplingOfAnUnknownWheel", "{coupling: {bus.rotr.angle: 1, star.angle: -1}}",
     "m.yaml:17:34: error: constraints.c.coupling.bus.rotr.angle: the body 'bus' has no wheel or point 'rotr'; did you "
     "mean 'rotor'?\n"},
    {"CouplingOfAWheelsRate", "{coupling: {bus.rotor.rate: 1, star.angle: -1}}",
     "m.yaml:17:34: error: constraints.c.coupling.bus.rotor.rate: 'bus.rotor.rate' is not a coordinate of a joint: "
     "those are JOINT.angle, JOINT.displacement and so on, and BODY.WHEEL.angle\n"},
    {"CouplingInAFrame", "{coupling: {port.angle: 1, star.angle: -1}, of: bus}",
     "m.yaml:17:54: error: constraints.c.of: does not go with 'coupling'; only 'point' has it\n"},
    {"CouplingAlongDirections", "{coupling: {port.angle: 1, star.angle: -1}, directions: [[1, 0, 0]]}",
     "m.yaml:17:62: error: constraints.c.directions: does not go with 'coupling'; only 'point' has it\n"},
    {"CouplingWithTwoValues", "{coupling: {port.angle: 1, star.angle: -1}, equals: [1, 2]}",
     "m.yaml:17:58: error: constraints.c.equals: expected 1 value, got 2\n"},
    {"CouplingWithNoValue", "{coupling: {port.angle: 1, star.angle: -1}, equals: []}",
     "m.yaml:17:58: error: constraints.c.equals: expected 1 value, got 0\n"},
    {"CouplingThatRepeatsAnother",
     "{coupling: {port.angle: 1, star.angle: -3}}\n  d: {coupling: {star.angle: 6, port.angle: -2}, equals: 1}",
     "m.yaml:18:17: error: constraints.d.coupling: repeats the constraint 'c'; remove one of the two\n"},
    {"CouplingOfWhatCannotMove", "{coupling: {fixed.displacement: 1, given.displacement: -1}}",
     "m.yaml:17:17: error: constraints.c.coupling: all of its coordinates are locked or prescribed; one must be "
     "free\n"},
    {"EqualsNothing", "{coordinate: port.angle, equals: }",
     "m.yaml:17:31: error: constraints.c.equals: expected a number or an expression, got nothing\n"},
    {"EqualsAMapping", "{coordinate: port.angle, equals: {t: 1}}",
     "m.yaml:17:39: error: constraints.c.equals: expected a number or an expression, got a mapping\n"},
    {"EqualsNoNumber", "{coordinate: port.angle, equals: .nan}",
     "m.yaml:17:39: error: constraints.c.equals: expected a finite number, got '.nan'\n"},
    {"EqualsWhatIsNoExpression", "{coordinate: port.angle, equals: '1 +* t'}",
     "m.yaml:17:43: error: constraints.c.equals: expected a number, a name or '(', got '*'\n"},
    {"EqualsAnUnknownName", "{coordinate: port.angle, equals: '2*sped'}\nsignals: {speed: t}",
     "m.yaml:17:42: error: constraints.c.equals: no parameter or signal 'sped'; did you mean 'speed'?\n"},
    {"EqualsTheState", "{coordinate: port.angle, equals: '2*t + bus.omega_x'}",
     "m.yaml:17:46: error: constraints.c.equals: what a constraint equals is an expression of t, parameters, and "
     "signals that are such expressions; 'bus.omega_x' is none\n"},
    {"EqualsASignalOfTheState", "{coordinate: port.angle, equals: s}\nsignals: {s: star.angle}",
     "m.yaml:17:39: error: constraints.c.equals: what a constraint equals is an expression of t, parameters, and "
     "signals that are such expressions; 's' is none\n"},
    {"EqualsABlock", "{coordinate: port.angle, equals: s}\nsignals: {s: {integral: 1}}",
     "m.yaml:17:39: error: constraints.c.equals: what a constraint equals is an expression of t, parameters, and "
     "signals that are such expressions; 's' is none\n"},
    {"EqualsAPole", "{coordinate: port.angle, equals: 1/t}",
     "m.yaml:17:39: error: constraints.c.equals: is not finite at t = 0 (value inf, rate -inf)\n"},
    {"EqualsALengthForAnAngle", "{coordinate: port.angle, equals: 1 m}",
     "m.yaml:17:39: error: constraints.c.equals: expected a value in rad, got m\n"},
    {"EqualsAnAngleForALength", "{coordinate: fall.displacement, equals: 1 deg}",
     "m.yaml:17:46: error: constraints.c.equals: expected a value in m, got rad\n"},
    {"EqualsAMassForAWheelsAngle", "{coordinate: bus.rotor.angle, equals: 1 kg}",
     "m.yaml:17:44: error: constraints.c.equals: expected a value in rad, got kg\n"},
    {"EqualsAParameterOfAnotherKind", "{coordinate: port.angle, equals: L}\nparameters: {L: 3 m}",
     "m.yaml:17:39: error: constraints.c.equals: expected rad, but the expression is in m\n"},
    {"EqualsAListWithAnExpressionThatIsNone",
     "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0]], equals: [1, 2 +]}",
     "m.yaml:17:78: error: constraints.c.equals[1]: expected a number, a name or '(', but the expression ends\n"},
    {"EqualsAListWithTheState", "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0]], equals: [1, port.angle]}",
     "m.yaml:17:75: error: constraints.c.equals[1]: what a constraint equals is an expression of t, parameters, and "
     "signals that are such expressions; 'port.angle' is none\n"},
    {"EqualsAListWithAnUnknownName", "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0]], equals: [1, 2*x]}",
     "m.yaml:17:77: error: constraints.c.equals[1]: no parameter or signal 'x'\n"},
    {"EqualsAListOfLists", "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0]], equals: [1, [2]]}",
     "m.yaml:17:75: error: constraints.c.equals[1]: expected a number or an expression, got a list\n"},
    {"EqualsAListWithAnAngle", "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0]], equals: [1, 2 rad]}",
     "m.yaml:17:75: error: constraints.c.equals[1]: expected a value in m, got rad\n"},
    {"CoordinateWithoutAValue", "{coordinate: port.angle}",
     "m.yaml:17:6: error: constraints.c.equals: missing; the value of the coordinate: a constant, or an expression of "
     "t\n"},
    {"CoordinateOfAList", "{coordinate: [port.angle], equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: expected text, got a list\n"},
    {"CoordinateOfNothing", "{coordinate: , equals: 0}",
     "m.yaml:17:7: error: constraints.c.coordinate: expected text, got nothing\n"},
    {"CoordinateWithoutAName", "{coordinate: '', equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: expected a name, got ''\n"},
    {"CoordinateOfAMapping", "{coordinate: {port.angle: 1}, equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: expected text, got a mapping\n"},
    {"CoordinateOfAnUnknownJoint", "{coordinate: prot.angle, equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: no body, joint or signal 'prot'; did you mean 'port'?\n"},
    {"CoordinateThatAJointDoesNotHave", "{coordinate: port.displacement, equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: the joint 'port' has no 'displacement'; it has angle, rate\n"},
    {"CoordinateThatIsMisspelt", "{coordinate: port.agle, equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: the joint 'port' has no 'agle'; did you mean 'angle'?\n"},
    {"CoordinateThatIsAJoint", "{coordinate: port, equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: 'port' is a joint; write a quantity of it, like port.angle\n"},
    {"CoordinateThatIsARate", "{coordinate: port.rate, equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: 'port.rate' is not a coordinate of a joint: those are "
     "JOINT.angle, JOINT.displacement and so on, and BODY.WHEEL.angle\n"},
    {"CoordinateThatIsAQuaternion", "{coordinate: base.quaternion_w, equals: 0}",
     "m.yaml:17:19: error: constraints.c.coordinate: the orientation of a free joint is no coordinate that a "
     "constraint can be given; use a gimbal joint\n"},
    {"CoordinateWithAPoint", "{coordinate: port.angle, directions: [[1, 0, 0]], equals: 0}",
     "m.yaml:17:43: error: constraints.c.directions: does not go with 'coordinate'; only 'point' has it\n"},
    {"CoordinateWithTwoValues", "{coordinate: port.angle, equals: [0, 1]}",
     "m.yaml:17:39: error: constraints.c.equals: expected 1 value, got 2\n"},
    {"CoordinateDrivenTwice", "{coordinate: port.angle, equals: t}\n  d: {coordinate: port.angle, equals: 2*t}",
     "m.yaml:18:19: error: constraints.d.coordinate: repeats the constraint 'c'; remove one of the two\n"},
    {"CoordinateOfALockedJoint", "{coordinate: fixed.displacement, equals: t}",
     "m.yaml:17:19: error: constraints.c.coordinate: the joint 'fixed' is locked; remove that or the constraint\n"},
    {"CoordinateOfAPrescribedJoint", "{coordinate: given.displacement, equals: t}",
     "m.yaml:17:19: error: constraints.c.coordinate: the motion of the joint 'given' is prescribed; remove that or the "
     "constraint\n"},
    {"CoordinateOfAPrescribedWheel", "{coordinate: bus.driven.angle, equals: t}",
     "m.yaml:17:19: error: constraints.c.coordinate: the 'speed' of the wheel 'driven' is prescribed; remove that or "
     "the constraint\n"},
    {"DistanceWithoutAValue", "{distance: {from: [bus, hook], to: [left, tip]}}",
     "m.yaml:17:6: error: constraints.c.equals: missing; the distance that is kept: a length, or an expression of t\n"},
    {"DistanceThatIsNegative", "{distance: {from: [bus, hook], to: [left, tip]}, equals: -1}",
     "m.yaml:17:63: error: constraints.c.equals: a distance must be positive\n"},
    {"DistanceOfZero", "{distance: {from: [bus, hook], to: [left, tip]}, equals: 0}",
     "m.yaml:17:63: error: constraints.c.equals: a distance must be positive\n"},
    {"DistanceThatBeginsNegative", "{distance: {from: [bus, hook], to: [left, tip]}, equals: t - 1}",
     "m.yaml:17:63: error: constraints.c.equals: a distance must be positive\n"},
    {"DistanceInAWrongUnit", "{distance: {from: [bus, hook], to: [left, tip]}, equals: 1 kg}",
     "m.yaml:17:63: error: constraints.c.equals: expected a value in m, got kg\n"},
    {"DistanceWithTwoValues", "{distance: {from: [bus, hook], to: [left, tip]}, equals: [1, 2]}",
     "m.yaml:17:63: error: constraints.c.equals: expected 1 value, got 2\n"},
    {"DistanceWithoutABeginning", "{distance: {to: [left, tip]}, equals: 1}",
     "m.yaml:17:17: error: constraints.c.distance.from: missing; it is required ([BODY, POINT])\n"},
    {"DistanceWithoutAnEnd", "{distance: {from: [bus, hook]}, equals: 1}",
     "m.yaml:17:17: error: constraints.c.distance.to: missing; it is required ([BODY, POINT])\n"},
    {"DistanceOfNothing", "{distance: , equals: 1}",
     "m.yaml:17:7: error: constraints.c.distance.from: missing; it is required ([BODY, POINT])\n"
     "m.yaml:17:7: error: constraints.c.distance.to: missing; it is required ([BODY, POINT])\n"},
    {"DistanceThatIsANumber", "{distance: 1, equals: 1}",
     "m.yaml:17:17: error: constraints.c.distance: expected a mapping with fields like from, ..., got '1'\n"},
    {"DistanceOfAList", "{distance: [[bus, hook], [left, tip]], equals: 1}",
     "m.yaml:17:17: error: constraints.c.distance: expected a mapping with fields like from, ..., got a list\n"},
    {"DistanceWithAMisspeltField", "{distance: {from: [bus, hook], too: [left, tip]}, equals: 1}",
     "m.yaml:17:37: error: constraints.c.distance.too: unknown field; did you mean 'to'?\n"},
    {"DistanceFromABody", "{distance: {from: bus, to: [left, tip]}, equals: 1}",
     "m.yaml:17:24: error: constraints.c.distance.from: expected [BODY, POINT], got 'bus'\n"},
    {"DistanceFromAListOfOne", "{distance: {from: [bus], to: [left, tip]}, equals: 1}",
     "m.yaml:17:24: error: constraints.c.distance.from: expected [BODY, POINT], got a list\n"},
    {"DistanceFromAListOfThree", "{distance: {from: [bus, hook, tip], to: [left, tip]}, equals: 1}",
     "m.yaml:17:24: error: constraints.c.distance.from: expected [BODY, POINT], got a list\n"},
    {"DistanceFromABodyWithoutAName", "{distance: {from: ['', hook], to: [left, tip]}, equals: 1}",
     "m.yaml:17:25: error: constraints.c.distance.from[0]: expected a name, got ''\n"},
    {"DistanceFromAPointWithoutAName", "{distance: {from: [bus, ''], to: [left, tip]}, equals: 1}",
     "m.yaml:17:30: error: constraints.c.distance.from[1]: expected the name of a point, a position [x, y, z], or com, "
     "got ''\n"},
    {"DistanceFromAnUnknownBody", "{distance: {from: [buss, hook], to: [left, tip]}, equals: 1}",
     "m.yaml:17:25: error: constraints.c.distance.from[0]: no body 'buss'; did you mean 'bus'?\n"},
    {"DistanceFromAnUnknownPoint", "{distance: {from: [bus, hok], to: [left, tip]}, equals: 1}",
     "m.yaml:17:30: error: constraints.c.distance.from[1]: the body 'bus' has no point 'hok'; did you mean 'hook'?\n"},
    {"DistanceFromAPointOfTheWorldByName", "{distance: {from: [world, hook], to: [left, tip]}, equals: 1}",
     "m.yaml:17:32: error: constraints.c.distance.from[1]: a point of the world is given by its position [x, y, z]\n"},
    {"DistanceFromAPositionOfTwoNumbers", "{distance: {from: [bus, [1, 0]], to: [left, tip]}, equals: 1}",
     "m.yaml:17:30: error: constraints.c.distance.from[1]: expected 3 numbers, got 2\n"},
    {"DistanceFromAPositionInAWrongUnit", "{distance: {from: [bus, [1, 0, 1 kg]], to: [left, tip]}, equals: 1}",
     "m.yaml:17:37: error: constraints.c.distance.from[1][2]: expected a value in m, got kg\n"},
    {"DistanceWithinABody", "{distance: {from: [bus, hook], to: [bus, com]}, equals: 1}",
     "m.yaml:17:41: error: constraints.c.distance.to: both ends are on the same body, where points keep their distance "
     "anyway\n"},
    {"DistanceInAFrame", "{distance: {from: [bus, hook], to: [left, tip]}, of: bus, equals: 1}",
     "m.yaml:17:59: error: constraints.c.of: does not go with 'distance'; only 'point' has it\n"},
    {"DistanceThatRepeatsAnother",
     "{distance: {from: [bus, hook], to: [left, tip]}, equals: 1}\n  d: {distance: {from: [left, tip], to: [bus, "
     "hook]}, equals: 2}",
     "m.yaml:18:17: error: constraints.d.distance: repeats the constraint 'c'; remove one of the two\n"},
    {"PointWithoutDirections", "{point: [left, tip], of: world}",
     "m.yaml:17:6: error: constraints.c: needs 'directions' beside 'point': one to three vectors\n"},
    {"PointOfNothing", "{point: , directions: [[0, 1, 0]]}",
     "m.yaml:17:7: error: constraints.c.point: expected [BODY, POINT], got nothing\n"},
    {"PointOfABody", "{point: left, directions: [[0, 1, 0]]}",
     "m.yaml:17:14: error: constraints.c.point: expected [BODY, POINT], got 'left'\n"},
    {"PointOfAMapping", "{point: {body: left}, directions: [[0, 1, 0]]}",
     "m.yaml:17:14: error: constraints.c.point: expected [BODY, POINT], got a mapping\n"},
    {"PointOfAnUnknownBody", "{point: [lefft, tip], directions: [[0, 1, 0]]}",
     "m.yaml:17:15: error: constraints.c.point[0]: no body 'lefft'; did you mean 'left'?\n"},
    {"PointThatIsUnknown", "{point: [left, tp], directions: [[0, 1, 0]]}",
     "m.yaml:17:21: error: constraints.c.point[1]: the body 'left' has no point 'tp'; did you mean 'tip'?\n"},
    {"PointOfTheWorldInTheWorld", "{point: [world, [0, 0, 0]], directions: [[0, 1, 0]]}",
     "m.yaml:17:6: error: constraints.c.of: the point belongs to that body; name another, in whose frame it is held\n"},
    {"PointInItsOwnBody", "{point: [left, tip], of: left, directions: [[0, 1, 0]]}",
     "m.yaml:17:31: error: constraints.c.of: the point belongs to that body; name another, in whose frame it is "
     "held\n"},
    {"PointInAnUnknownBody", "{point: [left, tip], of: bsu, directions: [[0, 1, 0]]}",
     "m.yaml:17:31: error: constraints.c.of: no body 'bsu'; did you mean 'bus'?\n"},
    {"PointInAJoint", "{point: [left, tip], of: port, directions: [[0, 1, 0]]}",
     "m.yaml:17:31: error: constraints.c.of: no body 'port'\n"},
    {"PointInNothing", "{point: [left, tip], of: , directions: [[0, 1, 0]]}",
     "m.yaml:17:27: error: constraints.c.of: expected text, got nothing\n"},
    {"PointInABodyWithoutAName", "{point: [left, tip], of: '', directions: [[0, 1, 0]]}",
     "m.yaml:17:31: error: constraints.c.of: expected a name, got ''\n"},
    {"PointInAList", "{point: [left, tip], of: [bus], directions: [[0, 1, 0]]}",
     "m.yaml:17:31: error: constraints.c.of: expected text, got a list\n"},
    {"DirectionsOfNothing", "{point: [left, tip], directions: }",
     "m.yaml:17:27: error: constraints.c.directions: expected a list of 1 to 3 axes, each 3 numbers, got nothing\n"},
    {"DirectionsThatAreText", "{point: [left, tip], directions: y}",
     "m.yaml:17:39: error: constraints.c.directions: expected a list of 1 to 3 axes, each 3 numbers, got 'y'\n"},
    {"DirectionsThatAreNone", "{point: [left, tip], directions: []}",
     "m.yaml:17:39: error: constraints.c.directions: expected 1 to 3 axes, each 3 numbers, got 0\n"},
    {"DirectionsThatAreOneVector", "{point: [left, tip], directions: [0, 1, 0]}",
     "m.yaml:17:40: error: constraints.c.directions[0]: expected 3 numbers, got '0'\n"
     "m.yaml:17:43: error: constraints.c.directions[1]: expected 3 numbers, got '1'\n"
     "m.yaml:17:46: error: constraints.c.directions[2]: expected 3 numbers, got '0'\n"},
    {"DirectionsThatAreFour", "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]}",
     "m.yaml:17:39: error: constraints.c.directions: expected 1 to 3 axes, each 3 numbers, got 4\n"},
    {"DirectionsOfTwoNumbers", "{point: [left, tip], directions: [[1, 0]]}",
     "m.yaml:17:40: error: constraints.c.directions[0]: expected 3 numbers, got 2\n"},
    {"DirectionsOfZeroLength", "{point: [left, tip], directions: [[1, 0, 0], [0, 0, 0]]}",
     "m.yaml:17:51: error: constraints.c.directions[1]: a direction cannot have zero length\n"},
    {"DirectionsThatAreNoNumbers", "{point: [left, tip], directions: [[.nan, 0, 0]]}",
     "m.yaml:17:41: error: constraints.c.directions[0][0]: expected a finite number, got '.nan'\n"},
    {"DirectionsWithAUnit", "{point: [left, tip], directions: [[1 m, 0, 0]]}",
     "m.yaml:17:41: error: constraints.c.directions[0][0]: expected a plain number, got m\n"},
    {"DirectionsThatAreParallel", "{point: [left, tip], directions: [[1, 0, 0], [-2, 0, 0]]}",
     "m.yaml:17:39: error: constraints.c.directions: the two directions are parallel; leave one out\n"},
    {"DirectionsInAPlane", "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0], [1, 1, 0]]}",
     "m.yaml:17:39: error: constraints.c.directions: the three directions lie in a plane; leave one out, or give "
     "independent ones\n"},
    {"DirectionsOfWhichTwoAreParallel", "{point: [left, tip], directions: [[1, 0, 0], [2, 0, 0], [0, 1, 0]]}",
     "m.yaml:17:39: error: constraints.c.directions: the three directions lie in a plane; leave one out, or give "
     "independent ones\n"},
    {"PointWithAValueTooFew", "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0]], equals: [1]}",
     "m.yaml:17:71: error: constraints.c.equals: expected 2 values, one for each direction, got 1\n"},
    {"PointWithAValueTooMany", "{point: [left, tip], directions: [[1, 0, 0]], equals: [1, 2]}",
     "m.yaml:17:60: error: constraints.c.equals: expected 1 value, got 2\n"},
    {"StabilizationThatIsText", "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: baumgarte}",
     "m.yaml:18:29: error: simulation.stabilization: expected a mapping with fields like method, ..., got "
     "'baumgarte'\n"},
    {"StabilizationOfNothing", "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: }",
     "m.yaml:18:14: error: simulation.stabilization.method: missing; it is required (projection after every step, or "
     "feedback of the violation (baumgarte))\n"},
    {"StabilizationThatIsAList", "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: [baumgarte]}",
     "m.yaml:18:29: error: simulation.stabilization: expected a mapping with fields like method, ..., got a list\n"},
    {"StabilizationThatIsEmpty", "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {}}",
     "m.yaml:18:29: error: simulation.stabilization.method: missing; it is required (projection after every step, or "
     "feedback of the violation (baumgarte))\n"},
    {"StabilizationThatIsMisspelt",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilisation: {method: projection}}",
     "m.yaml:18:14: error: simulation.stabilisation: unknown field; did you mean 'stabilization'?\n"},
    {"StabilizationByAnUnknownMethod",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: ggl}}",
     "m.yaml:18:38: error: simulation.stabilization.method: expected one of projection, baumgarte, got 'ggl'\n"},
    {"StabilizationByAMisspeltMethod",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgart}}",
     "m.yaml:18:38: error: simulation.stabilization.method: expected one of projection, baumgarte, got 'baumgart'; did "
     "you mean 'baumgarte'?\n"},
    {"StabilizationByAListOfMethods",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: [projection]}}",
     "m.yaml:18:38: error: simulation.stabilization.method: expected one of projection, baumgarte, got a list\n"},
    {"StabilizationByNoMethod", "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: }}",
     "m.yaml:18:30: error: simulation.stabilization.method: expected one of projection, baumgarte, got nothing\n"},
    {"StabilizationWithoutItsMethod",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {alpha: 5, beta: 5}}",
     "m.yaml:18:29: error: simulation.stabilization.method: missing; it is required (projection after every step, or "
     "feedback of the violation (baumgarte))\n"},
    {"BaumgarteWithoutRates", "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte}}",
     "m.yaml:18:29: error: simulation.stabilization.alpha: missing; baumgarte needs it: a rate, 1/s\n"
     "m.yaml:18:29: error: simulation.stabilization.beta: missing; baumgarte needs it: a rate, 1/s\n"},
    {"BaumgarteWithoutAlpha",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, beta: 5}}",
     "m.yaml:18:29: error: simulation.stabilization.alpha: missing; baumgarte needs it: a rate, 1/s\n"},
    {"BaumgarteWithoutBeta",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: 5}}",
     "m.yaml:18:29: error: simulation.stabilization.beta: missing; baumgarte needs it: a rate, 1/s\n"},
    {"BaumgarteWithNegativeRates",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: -5, beta: -1}}",
     "m.yaml:18:56: error: simulation.stabilization.alpha: must not be negative\n"
     "m.yaml:18:66: error: simulation.stabilization.beta: must not be negative\n"},
    {"BaumgarteThatFeedsNothingBack",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: 0, beta: 0}}",
     "m.yaml:18:29: error: simulation.stabilization: alpha and beta are both zero: nothing would keep the "
     "constraints\n"},
    {"BaumgarteWithAlphaInAWrongUnit",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: 5 m, beta: 1}}",
     "m.yaml:18:56: error: simulation.stabilization.alpha: expected a value in 1/s, got m\n"},
    {"BaumgarteWithBetaThatIsNoNumber",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: 1, beta: .nan}}",
     "m.yaml:18:65: error: simulation.stabilization.beta: expected a finite number, got '.nan'\n"},
    {"BaumgarteWithAlphaThatIsText",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: fast, beta: 1}}",
     "m.yaml:18:56: error: simulation.stabilization.alpha: no parameter 'fast'\n"},
    {"BaumgarteWithBetaThatIsAList",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: 1, beta: [5]}}",
     "m.yaml:18:65: error: simulation.stabilization.beta: expected a number, got a list\n"},
    {"BaumgarteWithAlphaThatChanges",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: t, beta: 1}}",
     "m.yaml:18:56: error: simulation.stabilization.alpha: t changes as the simulation runs, but a constant is needed "
     "here\n"},
    {"BaumgarteWithAnUnknownField",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: 5, beta: 5, gamma: "
     "1}}",
     "m.yaml:18:68: error: simulation.stabilization.gamma: unknown field; the fields here are method, alpha, beta\n"},
    {"BaumgarteWithAMisspeltField",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpa: 5, beta: 5}}",
     "m.yaml:18:49: error: simulation.stabilization.alpa: unknown field; did you mean 'alpha'?\n"},
    {"BaumgarteWithAlphaTwice",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: 5, alpha: 5, beta: "
     "5}}",
     "m.yaml:18:59: error: simulation.stabilization.alpha: given twice; first on line 18\n"},
    {"ProjectionWithAlpha",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: projection, alpha: 5}}",
     "m.yaml:18:57: error: simulation.stabilization.alpha: only baumgarte has this field\n"},
};

INSTANTIATE_TEST_SUITE_P(Reader, ConstraintProblems, ::testing::ValuesIn(cases), testing::case_name);

class RightConstraints : public testing::ProblemTest {};

TEST_P(RightConstraints, HaveNoProblems) { expect_problems(model); }

const testing::ProblemCase right[] = {
    {"CouplingOfAWheelAndAPosition", "{coupling: {bus.rotor.angle: 0.5, base.position_x: -2 rad/m}, equals: 1 deg}",
     ""},
    {"CouplingWithAListOfOneValue", "{coupling: {port.angle: 1, star.angle: -1}, equals: [t]}", ""},
    {"CouplingOfALockedJoint", "{coupling: {port.angle: 1, fixed.displacement: -1}}", ""},
    {"CouplingsOfTheSameCoordinatesInOtherRatios",
     "{coupling: {port.angle: 1, star.angle: -1}}\n  d: {coupling: {port.angle: 1, star.angle: 1}}", ""},
    {"DriveByASignal", "{coordinate: port.angle, equals: s}\nsignals: {s: 2*r, r: t^2}", ""},
    {"DistanceInCentimetres", "{distance: {from: [bus, hook], to: [left, tip]}, equals: 250 cm}", ""},
    {"PointWithOneValueForAll", "{point: [left, tip], directions: [[1, 0, 0], [0, 1, 0]], equals: 3}", ""},
    {"PointOfTheWorldInABody", "{point: [world, [0, 0, 0]], of: bus, directions: [[0, 2, 0]]}", ""},
    {"PointWithoutAFrame", "{point: [left, com], directions: [[0, 1, 0]]}", ""},
    {"BaumgarteWithOneRateOfZero",
     "{coordinate: port.angle, equals: 0}\nsimulation: {stabilization: {method: baumgarte, alpha: 0, beta: 5}}", ""},
};

INSTANTIATE_TEST_SUITE_P(Reader, RightConstraints, ::testing::ValuesIn(right), testing::case_name);

constexpr const char* loop =
    "gyrostat: 1\n"
    "bodies:\n"
    "  bus: {mass: 10, inertia: [3, 4, 5]}\n"
    "  left: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}\n"
    "  right: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}\n"
    "  mid: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  port: {type: revolute, parent: bus, child: left, axis: [0, 0, 1]}\n"
    "  star: {type: revolute, parent: bus, child: right, axis: [0, 0, 1]}\n"
    "  close: ";

class CutProblems : public testing::ProblemTest {};

TEST_P(CutProblems, AreSaidWithTheirPlace) { expect_problems(loop); }

const testing::ProblemCase cuts[] = {
    {"CutThatIsText",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: maybe}\n  held: {type: weld, parent: bus, "
     "child: mid}",
     "m.yaml:10:77: error: joints.close.cut: expected true or false, got 'maybe'\n"},
    {"CutThatIsANumber",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: 1}\n  held: {type: weld, parent: bus, child: "
     "mid}",
     "m.yaml:10:77: error: joints.close.cut: expected true or false, got '1'\n"},
    {"CutThatIsAList",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: [true]}\n  held: {type: weld, parent: bus, "
     "child: mid}",
     "m.yaml:10:77: error: joints.close.cut: expected true or false, got a list\n"},
    {"CutOfNothing",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: }\n  held: {type: weld, parent: bus, child: "
     "mid}",
     "m.yaml:10:72: error: joints.close.cut: expected true or false, got nothing\n"},
    {"CutThatIsMisspelt",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cutt: true}\n  held: {type: weld, parent: bus, "
     "child: mid}",
     "m.yaml:10:72: error: joints.close.cutt: unknown field; did you mean 'cut'?\n"},
    {"CutOfAJointInNoLoop", "{type: weld, parent: left, child: mid, cut: true}",
     "m.yaml:10:54: error: joints.close.cut: the joint is not part of a loop\n"},
    {"CutOfALoopTwice",
     "{type: revolute, parent: left, child: mid, axis: [0, 0, 1], cut: true}\n  shut: {type: revolute, parent: mid, "
     "child: right, axis: [0, 0, 1], cut: true}",
     "m.yaml:10:75: error: joints.close.cut: the loop is cut at another joint already; mark one joint of a loop\n"},
    {"CutOfADistance",
     "{type: distance, parent: left, child: right, length: 1, cut: true}\n  held: {type: weld, parent: bus, child: "
     "mid}",
     "m.yaml:10:71: error: joints.close.cut: a distance is always a loop constraint\n"},
    {"CutOfAGear", "{type: gear, joints: [port, star], cut: true}\n  held: {type: weld, parent: bus, child: mid}",
     "m.yaml:10:50: error: joints.close.cut: a gear is always a loop constraint\n"},
    {"CutOfASpring",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], stiffness: 3, cut: true}\n  held: {type: weld, "
     "parent: bus, child: mid}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; its 'stiffness' "
     "needs them: cut the loop at another joint\n"},
    {"CutOfADamper",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], damping: 3, cut: true}\n  held: {type: weld, "
     "parent: bus, child: mid}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; its 'damping' "
     "needs them: cut the loop at another joint\n"},
    {"CutOfAMotor",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], torque: t, cut: true}\n  held: {type: weld, "
     "parent: bus, child: mid}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; its 'torque' "
     "needs them: cut the loop at another joint\n"},
    {"CutOfAPrescribedMotion",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], prescribed: {position: t}, cut: true}\n  held: "
     "{type: weld, parent: bus, child: mid}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; its 'prescribed' "
     "needs them: cut the loop at another joint\n"},
    {"CutOfAJointThatASignalReads",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: true}\n  held: {type: weld, parent: bus, "
     "child: mid}\nsignals: {s: close.angle}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; signals.s needs "
     "them: cut the loop at another joint\n"},
    {"CutOfAJointThatALoadReads",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: true}\n  held: {type: weld, parent: bus, "
     "child: mid}\nloads: [{body: left, torque: [close.rate, 0, 0]}]",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; "
     "loads[0].torque[0] needs them: cut the loop at another joint\n"},
    {"CutOfAJointThatIsRecorded",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: true}\n  held: {type: weld, parent: bus, "
     "child: mid}\noutput: {record: [close.angle]}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; output.record "
     "needs them: cut the loop at another joint\n"},
    {"CutOfAJointThatIsDriven",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: true}\n  held: {type: weld, parent: bus, "
     "child: mid}\nconstraints: {c: {coordinate: close.angle, equals: t}}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; the constraint "
     "'c' needs them: cut the loop at another joint\n"},
    {"CutOfAJointThatIsCoupled",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: true}\n  held: {type: weld, parent: bus, "
     "child: mid}\nconstraints: {c: {coupling: {close.angle: 1, port.angle: 1}}}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; the constraint "
     "'c' needs them: cut the loop at another joint\n"},
    {"CutOfAGearedJoint",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: true}\n  held: {type: weld, parent: bus, "
     "child: mid}\n  gear: {type: gear, joints: [port, close]}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; the gear 'gear' "
     "needs them: cut the loop at another joint\n"},
    {"CutOfAJointWithAConfigurationToLinearizeAbout",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], cut: true}\n  held: {type: weld, parent: bus, "
     "child: mid}\nsimulation: {about: {close: 1}}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; simulation.about "
     "needs them: cut the loop at another joint\n"},
    {"LoopOfJointsThatAllHaveSprings",
     "{type: revolute, parent: left, child: right, axis: [0, 0, 1], stiffness: 1}\n  held: {type: weld, parent: bus, "
     "child: mid}\nsignals: {s: port.angle + star.angle}",
     "m.yaml:10:10: error: joints.close: closes a loop with port, star, and has no coordinates then; its 'stiffness' "
     "needs them: mark as 'cut: true' a joint of the loop whose coordinates nothing needs; where all are needed, make "
     "a "
     "body of two halves and join these by a weld with 'cut: true'\n"},
};

INSTANTIATE_TEST_SUITE_P(Reader, CutProblems, ::testing::ValuesIn(cuts), testing::case_name);

}  // namespace read_constraints_errors_test
}  // namespace gyrostat
