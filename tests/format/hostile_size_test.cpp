// Models that are too deep, too long or too many: refused within a moment and with little memory.
#include <chrono>

#include "gyrostat/format/limits.h"

#include "support/problem_case.h"

namespace gyrostat {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::load;
using ::testing::Not;
using testing::problems_of;
using ::testing::StartsWith;

const std::string good = "gyrostat: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n";

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// --- depth
// ---------------------------------------------------------------------------------------------------------------

const std::string too_deep = "error: lists and mappings nested more than 24 deep\n";

TEST(TooDeep, ListsOfListsAreRefusedWhereTheyAreTooDeep) {
  EXPECT_EQ(problems_of("gyrostat: 1\nname: " + repeated("[", 30) + repeated("]", 30) + "\n"),
            "m.yaml:2:30: " + too_deep);
  EXPECT_THAT(problems_of("gyrostat: 1\nname: " + repeated("[", 100'000)), EndsWith(too_deep));
  EXPECT_THAT(problems_of(repeated("[", 100'000)), EndsWith(too_deep));
}

TEST(TooDeep, MappingsInBracesAreRefused) {
  EXPECT_EQ(problems_of("gyrostat: 1\nname: " + repeated("{a: ", 100'000)), "m.yaml:2:99: " + too_deep);
}

TEST(TooDeep, BlocksAreRefused) {
  std::string text = "gyrostat: 1\n";
  for (std::size_t depth = 0; depth < 2'000; ++depth) text += std::string(depth, ' ') + "a:\n";
  EXPECT_EQ(problems_of(text), "m.yaml:26:25: " + too_deep);
}

TEST(TooDeep, DashesOnOneLineAreRefused) {
  EXPECT_EQ(problems_of("gyrostat: 1\nloads:\n" + repeated("- ", 100'000) + "\n"), "m.yaml:3:47: " + too_deep);
}

TEST(TooDeep, QuestionMarksOnOneLineAreRefused) {
  EXPECT_THAT(problems_of(repeated("? ", 100'000)), HasSubstr("error: "));
}

TEST(TooDeep, TheLimitItselfIsNotTooDeep) {
  EXPECT_THAT(problems_of(good + "name: " + repeated("[", 23) + repeated("]", 23) + "\n"),
              Not(HasSubstr("nested more than")));
}

TEST(TooDeep, ExpressionsAreRefused) {
  EXPECT_THAT(problems_of(good + "signals: {s: \"" + repeated("(", 5'000) + "\"}\n"),
              HasSubstr("error: signals.s: nested too deeply; the limit is 100 levels\n"));
  EXPECT_THAT(problems_of(good + "signals: {s: \"" + repeated("-", 5'000) + "1\"}\n"),
              HasSubstr("error: signals.s: nested too deeply; the limit is 100 levels\n"));
}

// --- number
// ----------------------------------------------------------------------------------------------------------------

TEST(TooMany, BodiesAreCountedAgainstTheLimit) {
  std::string text = "gyrostat: 1\nbodies:\n";
  for (std::size_t i = 0; i <= limits::bodies; ++i) text += " b" + std::to_string(i) + ": {mass: 1}\n";
  EXPECT_EQ(problems_of(text), "m.yaml:3:2: error: bodies: 250001 bodies; the limit is 250000\n");
}

TEST(TooMany, SignalsAreCountedAgainstTheLimit) {
  std::string text = good + "signals:\n";
  for (std::size_t i = 0; i <= limits::signals; ++i) text += " s" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(problems_of(text), "m.yaml:5:2: error: signals: 100001 signals; the limit is 100000\n");
}

TEST(TooMany, ValuesAreCountedAgainstTheLimit) {
  const std::string text = "gyrostat: 1\nname: [" + repeated("a,", limits::yaml_nodes) + "]\n";
  EXPECT_THAT(problems_of(text), HasSubstr("error: more than 8000000 values\n"));
}

TEST(TooMany, UnknownFieldsAreCountedWhenThereIsNoRoomForThem) {
  std::string text = good;
  for (std::size_t i = 0; i < 100'000; ++i) text += "unknown" + std::to_string(i) + ": 1\n";
  const Loaded loaded = load(text);
  EXPECT_EQ(loaded.problems.all().size(), limits::problems);
  EXPECT_EQ(loaded.problems.errors(), 100'000U);
  EXPECT_EQ(loaded.problems.not_kept(), 100'000U - limits::problems);
  EXPECT_THAT(problems_of(loaded), StartsWith("m.yaml:4:1: error: unknown0: unknown field"));
}

TEST(TooMany, UnknownNamesAmongManyNamesTakeNoQuadraticTime) {
  std::string text = good + "signals:\n";
  for (std::size_t i = 0; i < 10'000; ++i)
    text += " signal" + std::to_string(i) + ": nowhere" + std::to_string(i) + "\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(load(text).problems.errors(), 10'000U);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5);
}

TEST(TooMany, MissingFieldsOfManyBodiesAreFoundInTheFileInNoQuadraticTime) {
  std::string text = "gyrostat: 1\nbodies:\n";
  for (std::size_t i = 0; i < 100'000; ++i) text += " b" + std::to_string(i) + ": {}\n";
  EXPECT_GE(load(text).problems.errors(), 100'000U);
}

TEST(TooMany, ParametersThatNeedEachOtherInAChainTakeNoStack) {
  std::string text = good + "parameters:\n p0: 1\n";
  for (std::size_t i = 1; i < 50'000; ++i) text += " p" + std::to_string(i) + ": p" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(problems_of(text), "");
}

TEST(TooMany, SignalsInOneLongLoopArePrintedInPart) {
  std::string text = good + "signals:\n";
  for (std::size_t i = 0; i < 20'000; ++i)
    text += " s" + std::to_string(i) + ": s" + std::to_string((i + 1) % 20'000) + "\n";
  const std::string problems = problems_of(text);
  EXPECT_THAT(problems, StartsWith("m.yaml:5:6: error: signals.s0: algebraic loop: s0 -> s1 -> s2 -> "));
  EXPECT_LT(problems.size(), 500U);
}

TEST(TooMany, ParametersInOneLongCycleArePrintedInPart) {
  std::string text = good + "parameters:\n";
  for (std::size_t i = 0; i < 20'000; ++i)
    text += " p" + std::to_string(i) + ": p" + std::to_string((i + 1) % 20'000) + "\n";
  const std::string problems = problems_of(text);
  EXPECT_THAT(problems, StartsWith("m.yaml:5:6: error: parameters.p0: defined in terms of itself: p0 -> p1 -> p2 -> "));
  EXPECT_LT(problems.size(), 500U);
}

TEST(TooMany, ABillionLaughsAreRefusedAtTheFirst) {
  std::string text = "gyrostat: 1\nname:\n- &a [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n";
  for (char c = 'b'; c < 'j'; ++c) {
    const std::string one = std::string("*") + static_cast<char>(c - 1);
    text += std::string("- &") + c + " [" + repeated(one + ", ", 8) + one + "]\n";
  }
  EXPECT_EQ(problems_of(text), "m.yaml:3:3: error: YAML anchors are not part of the format; use parameters\n");
}

// --- length
// --------------------------------------------------------------------------------------------------------------

TEST(TooLong, AKeyOfAMegabyteIsShownInPart) {
  for (const std::string before : {"", "? "}) {
    const Loaded loaded = load(good + before + std::string(1'000'000, 'k') + (before.empty() ? ": 1\n" : "\n: 1\n"));
    ASSERT_EQ(loaded.problems.all().size(), 1U);
    EXPECT_LT(render(loaded.problems.all()[0], loaded.source, false).size(), 2'000U);
  }
}

TEST(TooLong, ANameOfAMegabyteIsShownInPart) {
  const Loaded loaded =
      load("gyrostat: 1\nbodies:\n  ? " + std::string(1'000'000, 'k') + "\n  : {mass: 1, inertia: [1, 1, 1]}\n");
  ASSERT_EQ(loaded.problems.all().size(), 1U);
  EXPECT_LT(render(loaded.problems.all()[0], loaded.source, false).size(), 2'000U);
}

TEST(TooLong, AScalarOfAMegabyteIsShownInPart) {
  for (const std::string& value : {std::string(1'000'000, '7') + "x", std::string(1'000'000, 'a'),
                                   "1 " + std::string(1'000'000, 'a'), std::string(1'000'000, '9')}) {
    const Loaded loaded = load("gyrostat: 1\nbodies:\n  a: {mass: " + value + ", inertia: [1, 1, 1]}\n");
    ASSERT_EQ(loaded.problems.all().size(), 1U);
    EXPECT_LT(render(loaded.problems.all()[0], loaded.source, false).size(), 2'000U) << value.substr(0, 10);
  }
}

TEST(TooLong, AReferenceOfAMegabyteIsShownInPart) {
  const Loaded loaded = load(good + "output: {reactions: [" + std::string(1'000'000, 'j') + "]}\n");
  ASSERT_EQ(loaded.problems.all().size(), 1U);
  EXPECT_LT(render(loaded.problems.all()[0], loaded.source, false).size(), 2'000U);
}

TEST(TooLong, ALongLineIsShownAroundTheColumn) {
  const Loaded loaded =
      load("gyrostat: 1\nbodies: {a: {points: {" + std::string(50, ' ') + "p: [1, 2, 3], q: [4, 5, 6]}, com: [" +
           std::string(400, ' ') + "0, 0, x], mass: 1, " + std::string(400, ' ') + "inertia: [1, 1, 1]}}\n");
  ASSERT_EQ(loaded.problems.all().size(), 1U);
  const std::string text = render(loaded.problems.all()[0], loaded.source, false);
  EXPECT_THAT(text, HasSubstr("0, 0, x], mass: 1"));
  EXPECT_LT(text.size(), 500U);
  // the caret stands under the x
  const std::size_t excerpt = text.find('\n') + 1, caret_line = text.find('\n', excerpt) + 1;
  EXPECT_EQ(text.find('x', excerpt) - excerpt, text.find('^', caret_line) - caret_line);
}

TEST(TooLong, ALongLineOfWideCharactersIsShownAroundTheColumn) {
  const Loaded loaded =
      load("gyrostat: 1\nname: \"" + repeated("ü", 300) + "\"\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n" +
           "signals: {s: \"1 + 2 + " + repeated("ü", 300) + "\"}\n");
  ASSERT_EQ(loaded.problems.all().size(), 1U);
  const std::string text = render(loaded.problems.all()[0], loaded.source, false);
  EXPECT_THAT(text, HasSubstr("m.yaml:4:23: error: signals.s: expected a number, a name or '(', got 'ü'\n"));
  EXPECT_LT(text.size(), 500U);
}

TEST(TooLong, ALongExpressionIsRefused) {
  EXPECT_EQ(problems_of(good + "signals: {s: \"1" + repeated("+1", 5'000) + "\"}\n"),
            "m.yaml:4:14: error: signals.s: the expression has 10001 characters; the limit is 10000\n");
}

// --- what reaches the terminal
// -------------------------------------------------------------------------------------------

TEST(Terminal, GetsNoControlCharactersOfTheFile) {
  // An escape in double quotes is made by YAML itself, so that no byte of the file is a control character.
  const Loaded loaded = load("gyrostat: 1\nbodies: {\"a\\e[31m\\x07b\": {mass: 1, inertia: [1, 1, 1]}}\n" +
                             std::string("output: {reactions: [\"\\e]0;title\\a\", \"\\x9b31m\"]}\n"));
  EXPECT_GE(loaded.problems.all().size(), 3U);
  for (const Problem& problem : loaded.problems.all()) {
    const std::string text = render(problem, loaded.source, false);
    for (const char c : text) {
      const bool control = (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F;
      EXPECT_FALSE(control) << text;
    }
    EXPECT_THAT(text, Not(HasSubstr("\xC2\x9B"))) << "the eight-bit escape, CSI";
  }
}

TEST(Terminal, GetsNoControlCharactersOfTheFilesName) {
  const Loaded loaded = load_text("\033[31mm.yaml", "", {});
  EXPECT_THAT(render(loaded.problems.all().at(0), loaded.source, false), Not(HasSubstr("\033")));
}

TEST(Terminal, GetsOneLineForEachProblem) {
  const Loaded loaded = load("gyrostat: 1\nbodies: {\"a\\nb\": {mass: 1, inertia: [1, 1, 1]}}\n");
  ASSERT_EQ(loaded.problems.all().size(), 1U);
  EXPECT_THAT(problems_of(loaded), HasSubstr("'a b' is not a name"));
}

// --- the same key twice, at every level
// ----------------------------------------------------------------------------------

TEST(Twice, IsAnErrorAtEveryLevel) {
  EXPECT_EQ(problems_of(R"(gyrostat: 1
gyrostat: 1
bodies:
  a:
    mass: 1
    inertia: {xx: 1, yy: 1, zz: 1, xx: 2}
    points: {p: [0, 0, 0], p: [0, 0, 0]}
    mass: 2
    wheels: {w: {axis: [0, 0, 1], inertia: 0.1, axis: [1, 0, 0]}}
  b: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  j: {type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {angle: 1, angle: 2}}
signals: {s: 1, s: 2, r: {integral: t, integral: t}}
loads:
  - {body: a, body: b, torque: [1, 0, 0]}
simulation: {integrator: {method: rk4, step: 1, step: 2}}
bodies: {}
)"),
            "m.yaml:2:1: error: gyrostat: given twice; first on line 1\n"
            "m.yaml:6:36: error: bodies.a.inertia.xx: given twice; first on line 6\n"
            "m.yaml:7:28: error: bodies.a.points.p: 'p' is defined twice; first on line 7\n"
            "m.yaml:8:5: error: bodies.a.mass: given twice; first on line 5\n"
            "m.yaml:9:49: error: bodies.a.wheels.w.axis: given twice; first on line 9\n"
            "m.yaml:11:3: error: bodies.b: 'b' is defined twice; first on line 10\n"
            "m.yaml:13:81: error: joints.j.initial.angle: given twice; first on line 13\n"
            "m.yaml:14:17: error: signals.s: 's' is defined twice; first on line 14\n"
            "m.yaml:14:40: error: signals.r.integral: given twice; first on line 14\n"
            "m.yaml:16:15: error: loads[0].body: given twice; first on line 16\n"
            "m.yaml:17:49: error: simulation.integrator.step: given twice; first on line 17\n"
            "m.yaml:18:1: error: bodies: given twice; first on line 3\n");
}

}  // namespace
}  // namespace gyrostat
