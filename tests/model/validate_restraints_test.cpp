// What may hold a joint or a wheel, given wrongly.
#include "support/problem_case.h"

namespace gyrostat {
namespace validate_restraints_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  j: {parent: a, child: b, type: ";

class WrongRestraints : public testing::ProblemTest {};

TEST_P(WrongRestraints, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"LatchWithoutCondition", "revolute, axis: [0, 0, 1], latch: {release: 1}}",
     "m.yaml:4:68: error: joints.j.latch.when: missing; it is required (locks the joint when it becomes positive; a "
     "comparison is 1 where true)\n"},
    {"LatchWithAMisspeltField", "revolute, axis: [0, 0, 1], latch: {when: 1, releas: 1}}",
     "m.yaml:4:78: error: joints.j.latch.releas: unknown field; did you mean 'release'?\n"},
    {"LatchThatIsNoMapping", "revolute, axis: [0, 0, 1], latch: true}",
     "m.yaml:4:68: error: joints.j.latch: expected a mapping with fields like when, ..., got 'true'\n"},
    {"LatchOnAnUnknownName", "revolute, axis: [0, 0, 1], latch: {when: 'k.angle > 1'}}",
     "m.yaml:4:75: error: joints.j.latch.when: no body, joint or signal 'k'\n"},
    {"LatchOfAWeld", "weld, latch: {when: 1}}", "m.yaml:4:47: error: joints.j.latch: a weld has no coordinates\n"},
    {"LatchOfALockedJoint", "revolute, axis: [0, 0, 1], locked: true, latch: {when: 1}}",
     "m.yaml:4:82: error: joints.j.latch: the joint is locked, so nothing else can hold it; remove one of the two\n"},
    {"LatchOfAPrescribedJoint", "revolute, axis: [0, 0, 1], prescribed: {position: t}, latch: {when: 1}}",
     "m.yaml:4:95: error: joints.j.latch: the motion of the joint is prescribed, and nothing can hold it; remove one "
     "of the two\n"},
    {"LatchThatComparesAnAngleWithATime", "revolute, axis: [0, 0, 1], latch: {when: 'j.angle > t'}}",
     "m.yaml:4:84: error: joints.j.latch.when: one side is in rad, the other in s\n"},
    {"FrictionWithoutALevel", "revolute, axis: [0, 0, 1], friction: {static: 1}}",
     "m.yaml:4:71: error: joints.j.friction.coulomb: missing; it is required (level while it slides: N m or N), unless "
     "there is 'reaction'\n"},
    {"ReactionWithoutACoefficient", "revolute, axis: [0, 0, 1], friction: {reaction: {radius: 0.1}}}",
     "m.yaml:4:82: error: joints.j.friction.reaction.coefficient: missing; it is required (of friction, while it "
     "slides)\n"},
    {"ReactionWithoutARadius", "revolute, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.1}}}",
     "m.yaml:4:82: error: joints.j.friction.reaction.radius: missing; the torque of friction is the coefficient times "
     "this radius times the reaction\n"},
    {"ReactionWithARadiusOnARail", "prismatic, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.1, radius: 0.1}}}",
     "m.yaml:4:110: error: joints.j.friction.reaction.radius: is for joints that turn; the friction of a prismatic "
     "joint is the coefficient times the reaction\n"},
    {"ReactionWithANegativeCoefficient", "prismatic, axis: [0, 0, 1], friction: {reaction: {coefficient: -0.1}}}",
     "m.yaml:4:97: error: joints.j.friction.reaction.coefficient: must not be negative\n"},
    {"ReactionWithLessAtRest", "prismatic, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.2, static: 0.1}}}",
     "m.yaml:4:110: error: joints.j.friction.reaction.static: must not be below 'coefficient': what slides would stop "
     "where it cannot stay\n"},
    {"ReactionWithARadiusOfZero", "revolute, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.2, radius: 0}}}",
     "m.yaml:4:109: error: joints.j.friction.reaction.radius: must be positive\n"},
    {"ReactionWithARadiusInSeconds",
     "revolute, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.2, radius: 1 s}}}",
     "m.yaml:4:109: error: joints.j.friction.reaction.radius: expected a value in m, got s\n"},
    {"ReactionWithACoefficientInNewton", "prismatic, axis: [0, 0, 1], friction: {reaction: {coefficient: 1 N}}}",
     "m.yaml:4:97: error: joints.j.friction.reaction.coefficient: expected a plain number, got N\n"},
    {"ReactionAsANumber", "prismatic, axis: [0, 0, 1], friction: {reaction: 0.3}}",
     "m.yaml:4:83: error: joints.j.friction.reaction: expected a mapping with fields like coefficient, ..., got "
     "'0.3'\n"},
    {"ReactionThatVaries", "prismatic, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.1*t}}}",
     "m.yaml:4:101: error: joints.j.friction.reaction.coefficient: t changes as the simulation runs, but a constant is "
     "needed here\n"},
    {"ReactionWithAMisspeltField", "prismatic, axis: [0, 0, 1], friction: {reaction: {coeficient: 0.1}}}",
     "m.yaml:4:84: error: joints.j.friction.reaction.coeficient: unknown field; did you mean 'coefficient'?\n"},
    {"ReactionInPlaceOfALevel", "prismatic, axis: [0, 0, 1], friction: {coulomb: {reaction: 0.1}}}",
     "m.yaml:4:82: error: joints.j.friction.coulomb: expected a number or an expression, got a mapping\n"},
    {"ReactionWithStribeckAndOneCoefficient",
     "prismatic, axis: [0, 0, 1], friction: {stribeck: 0.1, reaction: {coefficient: 0.1}}}",
     "m.yaml:4:83: error: joints.j.friction.stribeck: the level falls from 'static' to 'coulomb' over it; give "
     "'static' too\n"},
    {"ReactionInALoop",
     "revolute, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.1, radius: 0.1}}}\n  k: {type: revolute, parent: "
     "a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:82: error: joints.j.friction.reaction: is for models without loops and constraints, whose reactions "
     "need not be unique; give 'coulomb' as an expression\n"},
    {"FrictionOfAForceOnAHinge", "revolute, axis: [0, 0, 1], friction: {coulomb: 1 N}}",
     "m.yaml:4:81: error: joints.j.friction.coulomb: expected a value in N*m, got N\n"},
    {"FrictionOfATorqueOnARail", "prismatic, axis: [0, 0, 1], friction: {coulomb: 1 N*m}}",
     "m.yaml:4:82: error: joints.j.friction.coulomb: expected a value in N, got N*m\n"},
    {"FrictionOfADifferentDimension", "revolute, axis: [0, 0, 1], friction: {coulomb: 'j.rate + t'}}",
     "m.yaml:4:89: error: joints.j.friction.coulomb: one side is in rad/s, the other in s\n"},
    {"NegativeFriction", "revolute, axis: [0, 0, 1], friction: {coulomb: -1}}",
     "m.yaml:4:81: error: joints.j.friction.coulomb: must not be negative\n"},
    {"NegativeViscousFriction", "revolute, axis: [0, 0, 1], friction: {coulomb: 1, viscous: -1}}",
     "m.yaml:4:93: error: joints.j.friction.viscous: must not be negative\n"},
    {"StaticBelowCoulomb", "revolute, axis: [0, 0, 1], friction: {coulomb: 1, static: 0.5}}",
     "m.yaml:4:92: error: joints.j.friction.static: must not be below 'coulomb': what slides would stop where it "
     "cannot stay\n"},
    {"StribeckWithoutStatic", "revolute, axis: [0, 0, 1], friction: {coulomb: 1, stribeck: 0.1}}",
     "m.yaml:4:94: error: joints.j.friction.stribeck: the level falls from 'static' to 'coulomb' over it; give "
     "'static' too\n"},
    {"NegativeStribeck", "revolute, axis: [0, 0, 1], friction: {coulomb: 1, static: 2, stribeck: -0.1}}",
     "m.yaml:4:105: error: joints.j.friction.stribeck: must be positive; without it the level falls at "
     "once\n"},
    {"StribeckOfZero", "revolute, axis: [0, 0, 1], friction: {coulomb: 1, static: 2, stribeck: 0}}",
     "m.yaml:4:105: error: joints.j.friction.stribeck: must be positive; without it the level falls at once\n"},
    {"StribeckThatIsNoSpeed", "revolute, axis: [0, 0, 1], friction: {coulomb: 1, static: 2, stribeck: 1 s}}",
     "m.yaml:4:105: error: joints.j.friction.stribeck: expected a value in rad/s, got s\n"},
    {"FrictionOfAUniversalJoint", "universal, axes: [[1, 0, 0], [0, 1, 0]], friction: {coulomb: 1}}",
     "m.yaml:4:85: error: joints.j.friction: is for joints with one coordinate; this one has 2\n"},
    {"FrictionOfALockedJoint", "revolute, axis: [0, 0, 1], locked: true, friction: {coulomb: 1}}",
     "m.yaml:4:85: error: joints.j.friction: the joint is locked, so nothing else can hold it; remove one of the "
     "two\n"},
    {"StopsWithoutEnds", "revolute, axis: [0, 0, 1], stops: {restitution: 0.5}}",
     "m.yaml:4:68: error: joints.j.stops: needs 'low' or 'high', or both\n"},
    {"StopsAsAList", "revolute, axis: [0, 0, 1], stops: [-1, 1]}",
     "m.yaml:4:68: error: joints.j.stops: expected a mapping with fields like low, ..., got a list\n"},
    {"StopsWithAMisspeltEnd", "revolute, axis: [0, 0, 1], stops: {lwo: -1}}",
     "m.yaml:4:69: error: joints.j.stops.lwo: unknown field; did you mean 'low'?\n"},
    {"FrictionAsANumber", "revolute, axis: [0, 0, 1], friction: 0.1}",
     "m.yaml:4:71: error: joints.j.friction: expected a mapping with fields like coulomb, ..., got '0.1'\n"},
    {"StopsInReverse", "revolute, axis: [0, 0, 1], stops: {low: 1, high: -1}}",
     "m.yaml:4:83: error: joints.j.stops.high: must be greater than 'low'\n"},
    {"StopsInMetresOnAHinge", "revolute, axis: [0, 0, 1], stops: {high: 1 m}}",
     "m.yaml:4:75: error: joints.j.stops.high: expected a value in rad, got m\n"},
    {"StartBeyondTheStops", "revolute, axis: [0, 0, 1], initial: {angle: 100 deg}, stops: {high: 90 deg}}",
     "m.yaml:4:95: error: joints.j.stops: the initial coordinate, 1.74533, is beyond 'high'; begin within the stops by "
     "'initial'\n"},
    {"RestitutionOfOne", "revolute, axis: [0, 0, 1], stops: {high: 1, restitution: 1}}",
     "m.yaml:4:91: error: joints.j.stops.restitution: must be at least 0 and less than 1\n"},
    {"NegativeRestitution", "revolute, axis: [0, 0, 1], stops: {high: 1, restitution: -0.1}}",
     "m.yaml:4:91: error: joints.j.stops.restitution: must be at least 0 and less than 1\n"},
    {"RestitutionWithStiffness", "revolute, axis: [0, 0, 1], stops: {high: 1, restitution: 0.1, stiffness: 10}}",
     "m.yaml:4:91: error: joints.j.stops.restitution: a stop with 'stiffness' is compliant and loses energy by "
     "'damping'; remove one of the two\n"},
    {"DampingWithoutStiffness", "revolute, axis: [0, 0, 1], stops: {high: 1, damping: 10}}",
     "m.yaml:4:87: error: joints.j.stops.damping: a rigid stop has 'restitution'; a compliant one needs 'stiffness'\n"},
    {"NegativeStiffness", "revolute, axis: [0, 0, 1], stops: {high: 1, stiffness: -10}}",
     "m.yaml:4:89: error: joints.j.stops.stiffness: must be positive\n"},
    {"NegativeDamping", "revolute, axis: [0, 0, 1], stops: {high: 1, stiffness: 10, damping: -1}}",
     "m.yaml:4:102: error: joints.j.stops.damping: must not be negative\n"},
    {"StopsOfASphericalJoint", "spherical, stops: {high: 1}}",
     "m.yaml:4:52: error: joints.j.stops: is for joints with one coordinate; this one has 3\n"},
    {"LatchThatMustBeCut",
     "revolute, axis: [0, 0, 1], latch: {when: 1}, cut: true}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, "
     "1]}",
     "m.yaml:4:6: error: joints.j: closes a loop with k, and has no coordinates then; its 'latch' needs them: cut the "
     "loop at another joint\n"},
};
INSTANTIATE_TEST_SUITE_P(Model, WrongRestraints, ::testing::ValuesIn(cases), testing::case_name);

// And each of these at the end of this one.
constexpr const char* wheel =
    "gyrostat: 1\n"
    "tables: {bearing: {x: [0, 1], y: [0, 1]}}\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, ";

class WrongWheels : public testing::ProblemTest {};

TEST_P(WrongWheels, AreSaidWithTheirPlace) { expect_problems(wheel); }

const testing::ProblemCase wheels[] = {
    {"FrictionInNewton", "friction: {coulomb: 1 N}}}}}",
     "m.yaml:3:107: error: bodies.a.wheels.w.friction.coulomb: expected a value in N*m, got N\n"},
    {"FrictionByReaction", "friction: {coulomb: 1, reaction: {coefficient: 0.1}}}}}}",
     "m.yaml:3:110: error: bodies.a.wheels.w.friction.reaction: unknown field; the fields here are coulomb, static, "
     "viscous, stribeck\n"},
    {"NegativeFriction", "friction: {coulomb: -1}}}}}",
     "m.yaml:3:107: error: bodies.a.wheels.w.friction.coulomb: must not be negative\n"},
    {"FrictionOfAPrescribedSpeed", "speed: 3, friction: {coulomb: 1}}}}}",
     "m.yaml:3:107: error: bodies.a.wheels.w.friction: the wheel's speed is prescribed; remove this field or "
     "'speed'\n"},
    {"TorqueLimitBelowZero", "torque: 1, torque_limit: -1}}}}",
     "m.yaml:3:112: error: bodies.a.wheels.w.torque_limit: must not be negative\n"},
    {"TorqueLimitInSeconds", "torque: 1, torque_limit: 1 s}}}}",
     "m.yaml:3:112: error: bodies.a.wheels.w.torque_limit: expected a value in N*m, got s\n"},
    {"TorqueLimitWithoutAMotor", "torque_limit: 1}}}}",
     "m.yaml:3:101: error: bodies.a.wheels.w.torque_limit: the wheel has no motor; give it a 'torque'\n"},
    {"NegativeSpeedLimit", "speed_limit: -1}}}}",
     "m.yaml:3:100: error: bodies.a.wheels.w.speed_limit: must be positive\n"},
    {"RateBeyondTheLimit", "rate: -20, speed_limit: 10}}}}",
     "m.yaml:3:93: error: bodies.a.wheels.w.rate: is beyond the speed limit, 10 rad/s\n"},
    {"LimitOfAPrescribedSpeed", "speed: 3, speed_limit: 10}}}}",
     "m.yaml:3:110: error: bodies.a.wheels.w.speed_limit: the wheel's speed is prescribed; remove this field or "
     "'speed'\n"},
    {"DragByAnUnknownTable", "drag: berring}}}}",
     "m.yaml:3:93: error: bodies.a.wheels.w.drag: no table 'berring'; did you mean 'bearing'?\n"},
    {"NegativeStaticImbalance", "static_imbalance: -1e-6}}}}",
     "m.yaml:3:105: error: bodies.a.wheels.w.static_imbalance: must not be negative\n"},
    {"NegativeDynamicImbalance", "dynamic_imbalance: -1e-6}}}}",
     "m.yaml:3:106: error: bodies.a.wheels.w.dynamic_imbalance: must not be negative\n"},
    {"ImbalanceInKilograms", "static_imbalance: 1 kg}}}}",
     "m.yaml:3:105: error: bodies.a.wheels.w.static_imbalance: expected a value in kg*m, got kg\n"},
};
INSTANTIATE_TEST_SUITE_P(Model, WrongWheels, ::testing::ValuesIn(wheels), testing::case_name);

}  // namespace validate_restraints_test
}  // namespace gyrostat
