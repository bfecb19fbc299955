// gyrostat import.
#include <fstream>

#include "app/head.h"

namespace gyrostat::testing {
namespace import_test {

class Import : public ::testing::Test {
 protected:
  Import() { scratch.write("cat.deck", slurp(GYROSTAT_SOURCE_DIR "/examples/cat/cat.deck")); }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments); }

  Scratch scratch;
};

TEST_F(Import, MakesAModelThatChecksAndSaysWhatIsOtherwise) {
  const Outcome o = command("import dasc cat.deck -o model.yaml");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, HasSubstr("Not taken as it is in the deck:\n"));
  EXPECT_THAT(o.out, HasSubstr("control: the actuator of the largest error acts against it"));
  EXPECT_THAT(o.out, HasSubstr("model.yaml: written\n"));
  EXPECT_EQ(command("check model.yaml").out, "model.yaml: ok, 9 bodies, 16 degrees of freedom\n");
  EXPECT_EQ(command("run model.yaml --until 0.01 --quiet").exit_code, 0);
}

TEST_F(Import, TheModelHasTheNameOfTheDeckUnlessItIsGiven) {
  EXPECT_EQ(command("import dasc cat.deck").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "cat.yaml"));
}

TEST_F(Import, AnswersInJson) {
  const Outcome o = command("import dasc cat.deck -o model.yaml --json");
  EXPECT_EQ(o.exit_code, 0);
  const auto answer = json::parse(o.out);
  EXPECT_EQ(answer["model"], "model.yaml");
  EXPECT_EQ(answer["notes"].size(), 7U);
}

TEST_F(Import, ReplacesNothing) {
  scratch.write("model.yaml", "gyrostat: 1\nbodies: {}\n");
  const Outcome o = command("import dasc cat.deck -o model.yaml");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("model.yaml: exists; it is not replaced: choose another name, or say --force"));
  EXPECT_EQ(slurp(scratch.path() / "model.yaml"), "gyrostat: 1\nbodies: {}\n");
  EXPECT_EQ(command("import dasc cat.deck -o cat.deck").exit_code, 2);
  EXPECT_EQ(command("import dasc cat.deck -o model.yaml --force").exit_code, 0);
  EXPECT_EQ(command("import dasc cat.deck -o model.yaml").exit_code, 2);
}

TEST_F(Import, RefusesADamagedDeckWithItsLine) {
  scratch.write("bad.deck", "SYSTEM:\n1 0 0.0 2 0 0.\n0. 1. O.1 5\nEND\n");
  const Outcome o = command("import dasc bad.deck -o model.yaml");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_THAT(o.err, HasSubstr("bad.deck:3:7: error: SYSTEM: 'O.1' is not a number; did you mean '0.1'?\n"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "model.yaml"));
}

TEST_F(Import, RefusesDecksThatAreNone) {
  const auto refused = [&](const std::string& deck) {
    scratch.write("bad.deck", deck);
    const Outcome o = command("import dasc bad.deck -o model.yaml");
    EXPECT_EQ(o.exit_code, 1);
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "model.yaml"));
    return o.err;
  };
  const std::string cat = slurp(scratch.path() / "cat.deck");
  EXPECT_THAT(refused(""),
              HasSubstr("bad.deck: error: no section of a DASC deck is in it (SYSTEM, BODY, JOINT, ...)\n"));
  EXPECT_THAT(refused(" \n\n"), HasSubstr("no section of a DASC deck is in it"));
  EXPECT_THAT(
      refused(cat.substr(0, 600)),
      AllOf(HasSubstr("bad.deck: error: the deck ends without END: is all of it there?\n"),
            HasSubstr("error: BODY: expected 6 numbers (position and angles of body 5), got 5: the deck ends\n")));
  std::string unknown = cat;
  unknown.insert(unknown.find("JOINT:"), "TETHER:\n1 2\n");
  EXPECT_THAT(refused(unknown),
              HasSubstr("bad.deck:34:1: error: 'TETHER' is no section of a DASC deck; those are SYSTEM"));
}

TEST_F(Import, RefusesWhatIsNotThere) {
  EXPECT_EQ(command("import dasc none.deck").exit_code, 2);
  EXPECT_EQ(command("import dasc .").exit_code, 2);
  const Outcome o = command("import nastran cat.deck");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("unknown format 'nastran'; the formats are dasc"));
  EXPECT_EQ(command("import dasc cat.deck -o none/model.yaml").exit_code, 2);
}

}  // namespace import_test
}  // namespace gyrostat::testing
