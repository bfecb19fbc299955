// What is wrong with the fields of a state machine, and with names of its states.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_modes_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "signals:\n"
    "  x: {integral: t}\n"
    "  v: {integral: a.omega}\n"
    "  w: {integral: a.position}\n"
    "  on: {latch: {set: 0}}\n"
    "  s: {modes: ";

class ModesProblems : public testing::ProblemTest {};

TEST_P(ModesProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"ThatAreText", "run}",
     "m.yaml:8:14: error: signals.s.modes: expected a mapping with fields like initial, ..., got 'run'\n"},
    {"WithoutStates", "{initial: p}}",
     "m.yaml:8:14: error: signals.s.modes.states: missing; it is required (NAME: {minimum, to, entry})\n"},
    {"StatesThatAreAList", "{states: [p, q]}}",
     "m.yaml:8:23: error: signals.s.modes.states: expected states by name: {detumble: {to: {point: \"norm(bus.omega) < "
     "0.01\"}}, point: }, got a list\n"},
    {"StatesThatAreNothing", "{states: }}",
     "m.yaml:8:15: error: signals.s.modes.states: expected states by name: {detumble: {to: {point: \"norm(bus.omega) < "
     "0.01\"}}, point: }, got nothing\n"},
    {"StatesWithoutAny", "{states: {}}}",
     "m.yaml:8:23: error: signals.s.modes.states: expected states by name: {detumble: {to: {point: \"norm(bus.omega) < "
     "0.01\"}}, point: }, got a mapping\n"},
    {"AStateTwice", "{states: {p: , p: }}}",
     "m.yaml:8:29: error: signals.s.modes.states.p: 'p' is defined twice; first on line 8\n"},
    {"AStateWithABadName", "{states: {p-1: }}}",
     "m.yaml:8:24: error: signals.s.modes.states.p-1: 'p-1' is not a name: a name is made of the letters a-z and A-Z, "
     "digits and _, and does not begin with a digit\n"},
    {"AStateWithADot", "{states: {p.q: }}}",
     "m.yaml:8:24: error: signals.s.modes.states.p.q: 'p.q' is not a name: a name is made of the letters a-z and A-Z, "
     "digits and _, and does not begin with a digit\n"},
    {"AStateWithALongName", "{states: {abcdefghijklmnopqrstuvwxyz12345: }}}",
     "m.yaml:8:24: error: signals.s.modes.states.abcdefghijklmnopqrstuvwxyz12345: the name of a state has at most 30 "
     "letters\n"},
    {"AStateThatIsText", "{states: {p: q}}}",
     "m.yaml:8:27: error: signals.s.modes.states.p: expected a mapping with fields like minimum, ..., got 'q'\n"},
    {"AStateWithAMisspeltField", "{states: {p: {minimun: 2}}}}",
     "m.yaml:8:28: error: signals.s.modes.states.p.minimun: unknown field; did you mean 'minimum'?\n"},
    {"AnInitialStateThatIsNone", "{initial: q, states: {point: , park: {to: {point: t}}}}}",
     "m.yaml:8:24: error: signals.s.modes.initial: no state 'q'\n"},
    {"AMisspeltInitialState", "{initial: pont, states: {point: }}}",
     "m.yaml:8:24: error: signals.s.modes.initial: no state 'pont'; did you mean 'point'?\n"},
    {"AnInitialStateThatIsAList", "{initial: [p], states: {p: }}}",
     "m.yaml:8:24: error: signals.s.modes.initial: expected text, got a list\n"},
    {"ANegativeMinimum", "{states: {p: {minimum: -1 s, to: {q: t}}, q: }}}",
     "m.yaml:8:37: error: signals.s.modes.states.p.minimum: must not be negative\n"},
    {"AMinimumInAWrongUnit", "{states: {p: {minimum: 2 m}}}}",
     "m.yaml:8:37: error: signals.s.modes.states.p.minimum: expected a value in s, got m\n"},
    {"AMinimumThatMoves", "{states: {p: {minimum: a.omega_x}}}}",
     "m.yaml:8:37: error: signals.s.modes.states.p.minimum: 'a.omega_x' changes as the simulation runs, but a constant "
     "is "
     "needed here\n"},
    {"TransitionsThatAreAList", "{states: {p: {to: [q]}, q: }}}",
     "m.yaml:8:32: error: signals.s.modes.states.p.to: expected a mapping of names, got a list\n"},
    {"ATransitionToNowhere", "{states: {p: {to: {pont: t}}, point: {to: {p: t}}}}}",
     "m.yaml:8:39: error: signals.s.modes.states.p.to.pont: no state 'pont'; did you mean 'point'?\n"},
    {"ATransitionToItself", "{states: {p: {to: {p: t}}}}}",
     "m.yaml:8:36: error: signals.s.modes.states.p.to.p: leads to the state itself\n"},
    {"TwoTransitionsToOneState", "{states: {p: {to: {q: t, q: 1}}, q: }}}",
     "m.yaml:8:39: error: signals.s.modes.states.p.to.q: 'q' is defined twice; first on line 8\n"},
    {"ATransitionWithoutCondition", "{states: {p: {to: {q: }}, q: }}}",
     "m.yaml:8:33: error: signals.s.modes.states.p.to.q: expected a number or an expression, got nothing\n"},
    {"ATransitionWithNothingInIt", "{states: {p: {to: {q: {}}}, q: }}}",
     "m.yaml:8:36: error: signals.s.modes.states.p.to.q: needs 'when' (a condition), 'for' (a time), or both: else it "
     "would be left as it is entered\n"},
    {"ATransitionWithAMisspeltField", "{states: {p: {to: {q: {wen: t, for: 1}}}, q: }}}",
     "m.yaml:8:37: error: signals.s.modes.states.p.to.q.wen: unknown field; did you mean 'when'?\n"},
    {"AConditionThatIsNone", "{states: {p: {to: {q: \"t >\"}}, q: }}}",
     "m.yaml:8:40: error: signals.s.modes.states.p.to.q: expected a number, a name or '(', but the expression ends\n"},
    {"AConditionOnAnUnknownName", "{states: {p: {to: {q: \"1 < y\"}}, q: }}}",
     "m.yaml:8:41: error: signals.s.modes.states.p.to.q: no parameter or signal 'y'; did you mean 'v.y'?\n"},
    {"AConditionOnAnUnknownNameInAMapping", "{states: {p: {to: {q: {when: \"1 < y\", for: 2 s}}}, q: }}}",
     "m.yaml:8:48: error: signals.s.modes.states.p.to.q.when: no parameter or signal 'y'; did you mean 'v.y'?\n"},
    {"AConditionThatIsAVector", "{states: {p: {to: {q: a.omega}}, q: }}}",
     "m.yaml:8:36: error: signals.s.modes.states.p.to.q: a number is needed here, not a vector in axes of a; "
     "take a "
     "component (v.x), norm(v) or dot(a, v)\n"},
    {"AConditionOfDifferentUnits", "{states: {p: {to: {q: \"norm(a.omega) < 2 m\"}}, q: }}}",
     "m.yaml:8:51: error: signals.s.modes.states.p.to.q: one side is in rad/s, the other in m\n"},
    {"ATimeInAWrongUnit", "{states: {p: {to: {q: {when: t, for: 3 kg}}}, q: }}}",
     "m.yaml:8:51: error: signals.s.modes.states.p.to.q.for: expected a value in s, got kg\n"},
    {"ANegativeTime", "{states: {p: {to: {q: {when: t, for: -3}}}, q: }}}",
     "m.yaml:8:51: error: signals.s.modes.states.p.to.q.for: must not be negative\n"},
    {"ATimeOfZeroAlone", "{states: {p: {to: {q: {for: 0}}}, q: }}}",
     "m.yaml:8:36: error: signals.s.modes.states.p.to.q: needs 'when' (a condition), 'for' (a time), or both: else it "
     "would be left as it is entered\n"},
    {"ActionsThatAreAList", "{states: {p: {entry: [x]}}}}",
     "m.yaml:8:35: error: signals.s.modes.states.p.entry: expected a mapping of names, got a list\n"},
    {"AnActionOnNothing", "{states: {p: {entry: {xx: 0}}}}}",
     "m.yaml:8:40: error: signals.s.modes.states.p.entry.xx: no signal 'xx'; did you mean 'x'?\n"},
    {"AnActionOnAStateMachine", "{states: {p: {entry: {s: 0}}}}}",
     "m.yaml:8:39: error: signals.s.modes.states.p.entry.s: 's' is a modes; entering a state sets an integral or a "
     "latch\n"},
    {"AnActionTwice", "{states: {p: {entry: {x: 0, x: 1}}}}}",
     "m.yaml:8:42: error: signals.s.modes.states.p.entry.x: 'x' is defined twice; first on line 8\n"},
    {"AnActionWithoutAValue", "{states: {p: {entry: {x: }}}}}",
     "m.yaml:8:36: error: signals.s.modes.states.p.entry.x: expected what the signal is set to: a number, an "
     "expression, "
     "or a vector of 3, got nothing\n"},
    {"AnActionOfTwoNumbers", "{states: {p: {entry: {x: [1, 2]}}}}}",
     "m.yaml:8:39: error: signals.s.modes.states.p.entry.x: expected what the signal is set to: a number, an "
     "expression, "
     "or a vector of 3, got a list\n"},
    {"AVectorForANumber", "{states: {p: {entry: {x: [1, 2, 3]}}}}}",
     "m.yaml:8:39: error: signals.s.modes.states.p.entry.x: the signal is a number; set it to one value\n"},
    {"AVectorExpressionForANumber", "{states: {p: {entry: {x: a.omega}}}}}",
     "m.yaml:8:39: error: signals.s.modes.states.p.entry.x: a number is needed here, not a vector in axes of a; "
     "take a component (v.x), norm(v) or dot(a, v)\n"},
    {"AVectorInOtherAxes", "{states: {p: {entry: {w: 2*v}}}}}",
     "m.yaml:8:39: error: signals.s.modes.states.p.entry.w: the vector is in axes of a, but is needed in world axes; "
     "write in(world, ...)\n"},
    {"AVectorOfDifferentUnits", "{states: {p: {entry: {v: v + a.omega}}}}}",
     "m.yaml:8:41: error: signals.s.modes.states.p.entry.v: one side is in rad, the other in rad/s\n"},
    {"AValueInAnotherUnit", "{states: {p: {entry: {x: (1 m + 2 m)}}}}}",
     "m.yaml:8:39: error: signals.s.modes.states.p.entry.x: expected s^2, but the expression is in m\n"},
    {"AnActionOnAVectorThatIsNoIntegral",
     "{states: {p: {entry: {lag: 0}}}}}\n  lag: {low_pass: {input: v, time_constant: 1}}",
     "m.yaml:8:41: error: signals.s.modes.states.p.entry.lag: 'lag' is a low_pass; entering a state sets an integral "
     "or a "
     "latch\n"},
    {"AStateThatIsNeverEntered", "{states: {p: {to: {q: t}}, q: , r: {to: {p: t}}}}}",
     "m.yaml:8:49: warning: signals.s.modes.states.r: no transitions lead to it from 'p', the state at t = 0\n"},
    {"AnExpressionWithAMisspeltState", "{states: {point: }}}\n  y: 2*s.pont",
     "m.yaml:9:8: error: signals.y: the state machine 's' has no 'pont'; did you mean 'point'?\n"},
    {"AnExpressionWithAnUnknownState", "{states: {point: , park: {to: {point: t}}}, initial: park}}\n  y: s.x1",
     "m.yaml:9:6: error: signals.y: the state machine 's' has no 'x1'; it has point, park\n"},
};

INSTANTIATE_TEST_SUITE_P(Read, ModesProblems, ::testing::ValuesIn(cases), testing::case_name);

TEST(ReadModes, HaveStatesTransitionsAndActions) {
  const Description d = testing::description_of(std::string(model) +
                                                "{initial: q, states: {p: {minimum: 1 min, to: {q: t > 2, r: {when: "
                                                "a.omega_x, for: 20 ms}}}, q: {entry: {x: 3, v: a.omega, on: 1}, to: "
                                                "{p: {for: 2}}}, r: }}}\n");
  const ModesBlock b = std::get<ModesBlock>(testing::named(d.signals, "s").block);
  EXPECT_EQ(b.first(), 1U);
  ASSERT_EQ(b.states.size(), 3U);
  EXPECT_EQ(b.states[0].name, "p");
  EXPECT_EQ(b.states[0].minimum, 60);
  ASSERT_EQ(b.states[0].transitions.size(), 2U);
  EXPECT_EQ(b.states[0].transitions[0].to, "q");
  EXPECT_EQ(b.states[0].transitions[0].when.text, "t > 2");
  EXPECT_EQ(b.states[0].transitions[0].hold, 0);
  EXPECT_EQ(b.states[0].transitions[1].to, "r");
  EXPECT_EQ(b.states[0].transitions[1].when.text, "a.omega_x");
  EXPECT_DOUBLE_EQ(b.states[0].transitions[1].hold, 0.02);
  EXPECT_TRUE(b.states[1].transitions[0].when.empty());
  EXPECT_EQ(b.states[1].transitions[0].hold, 2);
  ASSERT_EQ(b.states[1].entry.size(), 5U) << "one for each component";
  EXPECT_EQ(b.states[1].entry[0].signal, "x");
  EXPECT_EQ(testing::number_of(b.states[1].entry[0].value.at(0)), 3);
  EXPECT_EQ(b.states[1].entry[2].signal, "v.y");
  EXPECT_EQ(b.states[1].entry[4].signal, "on");
  EXPECT_TRUE(b.states[2].transitions.empty());
}

TEST(ReadModes, BeginInTheFirstStateUnlessOneIsGiven) {
  const Description d = testing::description_of(std::string(model) + "{states: {p: {to: {q: t}}, q: }}}\n");
  EXPECT_EQ(std::get<ModesBlock>(testing::named(d.signals, "s").block).first(), 0U);
}

TEST(ReadModes, InTemplatesHaveStatesOfTheirOwnAndActionsOnLocalSignals) {
  const Description d = testing::description_of(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
templates:
  arm:
    parameters: {wait: 2 s, go: signal}
    signals:
      total: {integral: "t/1 s"}
      mode: {modes: {states: {total: {minimum: wait, to: {wait_more: {when: "go > total", for: 2*wait}}}, wait_more: {entry: {total: "total + go"}, to: {total: "mode.wait_more > go"}}}}}
instances:
  left: {template: arm, with: {go: t, wait: 3 s}}
  right: {template: arm, with: {go: 2*t}}
)");
  const ModesBlock b = std::get<ModesBlock>(testing::named(d.signals, "left.mode").block);
  EXPECT_EQ(b.states[0].name, "total");
  EXPECT_EQ(b.states[0].minimum, 3);
  EXPECT_EQ(b.states[0].transitions[0].hold, 6);
  EXPECT_EQ(b.states[1].entry[0].signal, "left.total");
  const Names names(d);
  for (const char* name : {"left.mode.total", "right.mode.wait_more", "right.mode"}) {
    EXPECT_TRUE(std::holds_alternative<Reference>(names.resolve(name))) << name;
  }
}

}  // namespace read_modes_errors_test
}  // namespace gyrostat
