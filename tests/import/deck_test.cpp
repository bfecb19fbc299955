// Decks of DASC as they are read, and damaged ones, which are refused with their line.
#include <filesystem>

#include "gyrostat/import/dasc_deck.h"

#include "support/load.h"
#include "support/program.h"

namespace gyrostat::testing {
namespace deck_test {

const std::string cat_deck = slurp(GYROSTAT_SOURCE_DIR "/examples/cat/cat.deck");

/// "deck:7: BODY: message" for each problem.
std::string problems_in(const std::string& text) {
  const Source source("deck", text);
  Problems problems;
  const auto deck = dasc::read_deck(source, problems);
  EXPECT_EQ(deck.has_value(), problems.errors() == 0);
  problems.sort();
  std::string list;
  for (const Problem& p : problems.all()) {
    list += std::to_string(p.place.line) + ": " + p.path + (p.path.empty() ? "" : ": ") + p.message + "\n";
  }
  return list;
}

dasc::Deck deck_of(const std::string& text) {
  const Source source("deck", text);
  Problems problems;
  auto deck = dasc::read_deck(source, problems);
  EXPECT_EQ(problems_in(text), "");
  return deck ? *deck : dasc::Deck{};
}

/// The cat's deck with another line of a number from 1.
std::string with_line(std::size_t number, const std::string& line) {
  std::istringstream in(cat_deck);
  std::string text, one;
  for (std::size_t k = 1; std::getline(in, one); ++k) text += (k == number ? line : one) + "\n";
  return text;
}

TEST(DascDeck, OfTheCatIsReadWhole) {
  const dasc::Deck deck = deck_of(cat_deck);
  EXPECT_EQ(deck.bodies.size(), 9U);
  EXPECT_EQ(deck.joints.size(), 8U);
  EXPECT_EQ(deck.sdas.size(), 10U);
  EXPECT_EQ(deck.curves.size(), 30U);
  EXPECT_EQ(deck.t_end, 0.9003);
  EXPECT_EQ(deck.steps_per_report, 5);
  EXPECT_TRUE(deck.is_ground(10));
  EXPECT_FALSE(deck.is_ground(9));
  EXPECT_EQ(deck.joints[3].kind, dasc::JointKind::universal);
  EXPECT_EQ(deck.sdas[4].rest, -1.571);
  EXPECT_EQ(deck.sdas[4].curves, (std::array{13, 14, 0}));
  EXPECT_EQ(deck.curves[12].x, (std::vector{-1.629, 0.786, 2.007, 4.771}));
  ASSERT_TRUE(deck.control);
  EXPECT_EQ(deck.control->independent[1].target, -3.1416);
  EXPECT_EQ(deck.control->dependent[3].ratio, 3.3);
  EXPECT_EQ(deck.control->steering_y, 1);
}

const std::string head = "SYSTEM:\n1 0 1. 2 0 1.E-9\n0. 2. 0.01 1\n";
const std::string body = "BODY:\n1. 2. 3. 0. 0. 0.\n6*0.\n2.D0, 1. 1. 1.\n";

TEST(DascDeck, NumbersAreThoseOfFortran) {
  const dasc::Deck deck = deck_of(head + body + "END\n");
  EXPECT_EQ(deck.bodies[0].mass, 2);
  EXPECT_EQ(deck.bodies[0].velocity, Vector3(0, 0, 0));
  EXPECT_EQ(deck.gravity_ratio, 1);
}

TEST(DascDeck, RecordsMayGoOnOverLinesAndBlankOnesArePassedOver) {
  const dasc::Deck deck =
      deck_of("words\n" + head + "BODY:\n1. 2.\n\n 3. 0.\n0. 0.\n0. 0. 0. 0. 0. 0.\n2. 1. 1. 1.\nEND\n");
  EXPECT_EQ(deck.bodies[0].position, Vector3(1, 2, 3));
}

TEST(DascDeck, KeywordsMayBeSmall) {
  EXPECT_EQ(deck_of("system\n1 0 1. 2 0 1.E-9\n0. 2. 0.01 1\nbody\n1. 2. 3. 0. 0. 0.\n6*0.\n2. 1. 1. 1.\nend\n")
                .bodies.size(),
            1U);
}

TEST(DascDeck, AnglesAreEulersBryantsOrEulerParameters) {
  const auto attitude = [](const std::string& kind, const std::string& angles) {
    return deck_of("SYS\n1 0 0. " + kind + " 0 0.\n0. 1. 0.1 1\nBOD\n0. 0. 0. " + angles + "\n6*0.\n4*1.\nEND\n")
        .bodies[0]
        .R_NB;
  };
  EXPECT_TRUE(attitude("1", "0.3 0.4 0.5").isApprox(*rotation_from_euler("zxz", {0.3, 0.4, 0.5}), 1e-12));
  EXPECT_TRUE(attitude("2", "0.3 0.4 0.5").isApprox(*rotation_from_euler("xyz", {0.3, 0.4, 0.5}), 1e-12));
  EXPECT_TRUE(attitude("3", "0.8 0.6 0. 0.").isApprox(to_rotation({0.8, 0.6, 0, 0}), 1e-12));
}

TEST(DascDeck, GroundsAreBodiesOrOneMore) {
  const dasc::Deck deck = deck_of("SYS\n2 0 0. 2 1 0.\n2\n0. 1. 0.1 1\nBOD\n6*0.\n6*0.\n4*1.\n6*0.\n6*0.\n4*1.\nEND\n");
  EXPECT_TRUE(deck.is_ground(2));
  EXPECT_FALSE(deck.is_ground(3));
}

// --- damaged decks ------------------------------------------------------------------------------------------------

TEST(DamagedDeck, WithoutAnySection) {
  EXPECT_EQ(problems_in("a letter\nto somebody\n"),
            "0: no section of a DASC deck is in it (SYSTEM, BODY, JOINT, ...)\n");
  EXPECT_EQ(problems_in(""), "0: no section of a DASC deck is in it (SYSTEM, BODY, JOINT, ...)\n");
}

TEST(DamagedDeck, WithoutAnEnd) {
  EXPECT_EQ(problems_in(head + body), "0: the deck ends without END: is all of it there?\n");
}

TEST(DamagedDeck, WithALetterInANumber) {
  EXPECT_EQ(problems_in(with_line(29, "0. 0. 0. O. 0. 0.")), "29: BODY: 'O.' is not a number; did you mean '0.'?\n");
  EXPECT_EQ(problems_in(with_line(7, "0.2 0 0,6x 0 0.4 0")), "7: BODY: '6x' is not a number\n");
}

TEST(DamagedDeck, WithANumberMissing) {  // the next line is taken for it, and has too many
  EXPECT_EQ(
      problems_in(with_line(7, "0.2 0 0.6 0 0.401425728")),
      "8: BODY: more than the 6 numbers that are read here (position and angles of body 1); DASC would pass over the "
      "rest: delete it, or write what is missing before\n");
}

TEST(DamagedDeck, WithANumberTooMany) {
  EXPECT_EQ(problems_in(with_line(4, "9 8 0.0 2 0 0.000000001 7")),
            "4: SYSTEM: more than the 6 numbers that are read here (bodies, joints, ratio of gravity, kind of angles, "
            "grounds, zero test); DASC would pass over the rest: delete it, or write what is missing before\n");
}

TEST(DamagedDeck, ThatIsCutOff) {
  EXPECT_EQ(problems_in(cat_deck.substr(0, cat_deck.find("JOINT:") + 20)),
            "0: the deck ends without END: is all of it there?\n"
            "36: JOINT: expected 6 numbers (points P in I and J of joint 1), got 2: the deck ends\n");
}

TEST(DamagedDeck, WithAWrongNumberOfBodies) {
  EXPECT_EQ(problems_in(with_line(4, "8 8 0.0 2 0 0.000000001")),
            "31: BODY: numbers that nothing reads; is the number of records given before right?\n");
  EXPECT_EQ(problems_in(with_line(4, "10 8 0.0 2 0 0.000000001")),
            "34: BODY: expected 6 numbers (position and angles of body 10), got 0: 'JOINT:' follows\n");
}

TEST(DamagedDeck, WithAWholeNumberThatIsNone) {
  EXPECT_EQ(problems_in(with_line(35, "1 2.5 5")),
            "35: JOINT: expected a whole number (bodies and type of joint 1), got 2.5\n");
}

TEST(DamagedDeck, WithAJointToNowhere) {
  EXPECT_EQ(problems_in(with_line(35, "1 12 5")), "35: JOINT: body J is 12; bodies are numbered 1 to 9\n");
  EXPECT_EQ(problems_in(with_line(35, "1 1 5")), "35: JOINT: a joint connects two different bodies\n");
  EXPECT_EQ(problems_in(with_line(35, "1 2 6")),
            "35: JOINT: the type must be 1 (translational), 2 (revolute), 3 (spherical), 4 (gear) or 5 (universal)\n");
}

TEST(DamagedDeck, WithAnAxisOfNoLength) {
  EXPECT_EQ(problems_in(with_line(37, "-0.06 0 0 0.03 1 0")),
            "37: JOINT: P and Q are the same point: there is no axis\n");
}

TEST(DamagedDeck, WithACurveThatIsNotThere) {
  EXPECT_EQ(problems_in(with_line(61, "1 2 1 2 1 77 0 5 0.1 0 0")), "61: SDA: curve 77: there are 30\n");
  EXPECT_EQ(problems_in(with_line(61, "1 2 1 2 1 -5 0 5 0.1 0 0")),
            "61: SDA: curve -5: DASC has the functions -1 (sine) and -2 (cosine)\n");
}

TEST(DamagedDeck, WithACurveThatGoesBack) {
  EXPECT_EQ(problems_in(with_line(94, "-3.2 -0.785 -0.9 3.2")), "94: CURVE: x of curve 1 must increase\n");
}

TEST(DamagedDeck, WithAValueLeftOutBetweenCommas) {
  EXPECT_EQ(problems_in(with_line(7, "0.2,,0.6 0 0.4 0")),
            "7: BODY: a value is left out before this comma; write it\n");
}

TEST(DamagedDeck, WithSectionsInAWrongOrderOrTwice) {
  EXPECT_EQ(problems_in(body + head + "END\n"),
            "1: BOD: the section SYSTEM, with the numbers of bodies and joints, must come first\n");
  EXPECT_EQ(problems_in(head + body + body + "END\n"), "8: BOD: the section is there twice\n");
}

TEST(DamagedDeck, WithASectionThatDascDoesNotHave) {
  const std::string known =
      "is no section of a DASC deck; those are SYSTEM, BODY, JOINT, FORCE, SDA, CURVE, CONTROL and END\n";
  EXPECT_EQ(problems_in(head + body + "SPRINGS:\n1 2 3.\n4 5 6.\nEND\n"), "8: 'SPRINGS' " + known);
  EXPECT_EQ(problems_in(head + body + "  Tether: \nEND\n"), "8: 'Tether' " + known);
  EXPECT_EQ(problems_in("Remarks:\n" + head + body + "A remark: it is passed over\nEND\n"), "");
}

TEST(DamagedDeck, WithAnImpossibleMassOrTime) {
  EXPECT_EQ(problems_in(with_line(9, "0 0.001 0.001 0.001")), "9: BODY: the mass of body 1 must be positive\n");
  EXPECT_EQ(problems_in(with_line(5, "1. 0.5 0.001 5")), "5: SYSTEM: the end must be after the start\n");
  EXPECT_EQ(problems_in(with_line(4, "-9 8 0.0 2 0 0.")),
            "4: SYSTEM: the number of bodies is -9; it must be 1 to 10000\n");
}

TEST(DamagedDeck, OfTheControl) {
  const std::size_t first = 184;  // the line with the numbers of systems
  EXPECT_EQ(problems_in(with_line(first + 2, "3 4 17 2 1 5")),
            "186: CONTROL: system 17: there are 10 spring-damper-actuators, and SDA must come before CONTROL\n");
  EXPECT_EQ(problems_in(with_line(first + 8, "5 8 9 10 4 4 4 2")),
            "183: CONTROL: system 10 depends on 2, which is not independent\n");
  EXPECT_EQ(problems_in(with_line(first + 10, "6 5 7 1 3.1416 0. 0.926")),
            "183: CONTROL: the adjusted system 6 is not independent: it has no law to take\n");
}

TEST(DamagedDeck, AnyBytesAreRefusedWithoutACrash) {
  std::uint32_t seed = 1;
  for (int n = 0; n < 300; ++n) {
    std::string text = cat_deck;
    for (int k = 0; k < 4; ++k) {
      seed = seed * 1664525U + 1013904223U;
      text[seed % text.size()] = static_cast<char>(seed >> 24U);
    }
    const Source source("deck", text);
    Problems problems;
    const auto deck = dasc::read_deck(source, problems);
    EXPECT_EQ(deck.has_value(), problems.errors() == 0);
  }
}

}  // namespace deck_test
}  // namespace gyrostat::testing
