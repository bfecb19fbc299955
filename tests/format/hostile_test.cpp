// Any bytes give an error with a place, never a crash, a hang or unbounded memory.
#include <chrono>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "gyrostat/format/limits.h"

#include "support/problem_case.h"
#include "support/program.h"

namespace gyrostat {
namespace hostile_test {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::load;
using ::testing::Not;
using testing::problems_of;
using testing::Scratch;
using ::testing::StartsWith;

using namespace std::string_literals;

const std::string good = "gyrostat: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n";

/// Every test here must be over quickly, even with sanitizers.
class Hostile : public ::testing::Test {
 protected:
  void TearDown() override {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    EXPECT_LT(taken.count(), 20) << "seconds";
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// --- texts that are no model -----------------------------------------------------------------------------------------

class NoModel : public testing::ProblemTest {};

TEST_P(NoModel, IsRefusedWithAPlace) { EXPECT_EQ(problems_of(GetParam().text), GetParam().problems); }

const testing::ProblemCase cases[] = {
    {"EmptyFile", "", "m.yaml:1:1: error: the file is empty; a model file begins with 'gyrostat: 1'\n"},
    {"OnlyAByteOrderMark", "\xEF\xBB\xBF",
     "m.yaml:1:1: error: the file is empty; a model file begins with 'gyrostat: 1'\n"},
    {"OnlyBlanks", "  \n\n   \n", "m.yaml:1:1: error: the file is empty; a model file begins with 'gyrostat: 1'\n"},
    {"OnlyComments", "# a\n# b\n", "m.yaml:1:1: error: the file is empty; a model file begins with 'gyrostat: 1'\n"},
    {"ListAsRoot", "- gyrostat\n- 1\n",
     "m.yaml:1:1: error: expected a model: 'gyrostat: 1', 'bodies:' and so on, got a list\n"},
    {"ScalarAsRoot", "hello\n",
     "m.yaml:1:1: error: expected a model: 'gyrostat: 1', 'bodies:' and so on, got 'hello'\n"},
    {"Anchor", "gyrostat: 1\nbodies: {a: &x {mass: 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:2:13: error: YAML anchors are not part of the format; use parameters\n"},
    {"Alias", "gyrostat: 1\nbodies: {a: *x}\n",
     "m.yaml:2:13: error: not valid YAML: the referenced anchor is not defined\n"},
    {"MergeKey", "gyrostat: 1\nbodies: {a: {<<: {mass: 1}, inertia: [1, 1, 1], mass: 1}}\n",
     "m.yaml:2:14: error: bodies.a.<<: unknown field; the fields here are mass, com, inertia, accept_unphysical, "
     "point_mass, points, wheels, flexible, shape\n"},
    {"Tag", "gyrostat: 1\nbodies: {a: {mass: !!float 1, inertia: [1, 1, 1]}}\n",
     "m.yaml:2:20: error: YAML tags are not part of the format\n"},
    {"TagThatWouldMakeAnObject", "gyrostat: 1\nbodies: !!python/object:os.system {a: 1}\n",
     "m.yaml:2:9: error: YAML tags are not part of the format\n"},
    {"TagOfOurOwn", "gyrostat: 1\nbodies: !body {a: 1}\n", "m.yaml:2:9: error: YAML tags are not part of the format\n"},
    {"TwoDocuments", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n---\ngyrostat: 1\n",
     "m.yaml:3:1: error: a model file holds one YAML document, and a second begins here\n"},
    {"TabInTheIndentation", "gyrostat: 1\nbodies:\n\ta: {mass: 1, inertia: [1, 1, 1]}\n",
     "m.yaml:3:1: error: a tab in the indentation; YAML indents with spaces\n"},
    {"UnclosedBrace", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}\n",
     "m.yaml:3:1: error: not valid YAML: end of map flow not found\n"},
    {"ChoiceWithoutQuotes", "gyrostat: 1\nsignals:\n  s: t > 1 ? 2 : 3\n",
     "m.yaml:3:16: error: not valid YAML: illegal map value; an expression with '?' and ':' stands in quotes\n"},
    {"UnclosedQuote", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nname: \"abc\n",
     "m.yaml:3:7: error: the quote that begins here is never closed\n"},
    {"InvalidUtf8", "gyrostat: 1\nname: a\xFF\n", "m.yaml:2:8: error: the byte 0xFF is not UTF-8 text\n"},
    {"Utf8ThatEndsEarly", "gyrostat: 1\nname: \xC3\xA4 \xC3", "m.yaml:2:9: error: the byte 0xC3 is not UTF-8 text\n"},
    {"OverlongUtf8", "gyrostat: 1\nname: \xE0\x80\xAF\n", "m.yaml:2:7: error: the byte 0xE0 is not UTF-8 text\n"},
    {"SurrogateInUtf8", "gyrostat: 1\nname: \xED\xA0\x80\n", "m.yaml:2:7: error: the byte 0xED is not UTF-8 text\n"},
    {"EscapeCharacter", "gyrostat: 1\nname: a\033[31mb\n", "m.yaml:2:8: error: the byte 0x1B is not UTF-8 text\n"},
    {"Latin1", "gyrostat: 1\n# M\xFCller\n", "m.yaml:2:4: error: the byte 0xFC is not UTF-8 text\n"},
};

INSTANTIATE_TEST_SUITE_P(Hostile, NoModel, ::testing::ValuesIn(cases), testing::case_name);

TEST_F(Hostile, ANulByteHasAPlace) {
  EXPECT_EQ(problems_of("gyrostat: 1\nname: a\0b\n"s), "m.yaml:2:8: error: the byte 0x00 is not UTF-8 text\n");
}

TEST_F(Hostile, Utf16IsRefusedAtItsFirstByte) {
  EXPECT_EQ(problems_of("\xFF\xFEg\0y\0r\0o\0"s), "m.yaml:1:1: error: the byte 0xFF is not UTF-8 text\n");
  EXPECT_EQ(problems_of("\xFE\xFF\0g\0y\0r\0o"s), "m.yaml:1:1: error: the byte 0xFE is not UTF-8 text\n");
  EXPECT_EQ(problems_of("g\0y\0r\0o\0"s), "m.yaml:1:2: error: the byte 0x00 is not UTF-8 text\n");
}

// --- encodings and line ends of good and bad models
// --------------------------------------------------------------------

TEST_F(Hostile, AByteOrderMarkChangesNothing) {
  EXPECT_EQ(problems_of("\xEF\xBB\xBF" + good), "");
  EXPECT_EQ(problems_of("\xEF\xBB\xBFgyrostat: 2\n"),
            "m.yaml:1:11: error: gyrostat: this program reads format version 1, not '2'\n");
}

TEST_F(Hostile, LineEndsOfWindowsChangeNoPlace) {
  EXPECT_EQ(problems_of("gyrostat: 1\r\nbodies:\r\n  a: {mass: 1, inertia: [1, 1, 1]}\r\n"), "");
  const Loaded loaded = load("gyrostat: 1\r\nbodies:\r\n  a: {mass: -1, inertia: [1, 1, 1]}\r\n");
  EXPECT_EQ(problems_of(loaded), "m.yaml:3:13: error: bodies.a.mass: a mass cannot be negative\n");
  EXPECT_THAT(render(loaded.problems.all().at(0), loaded.source, false), Not(HasSubstr("\r")));
}

TEST_F(Hostile, FreeTextMayBeInAnyLanguage) {
  const Loaded loaded = load(good + "name: Größe Δθ 衛星 🛰\n");
  EXPECT_EQ(problems_of(loaded), "");
  ASSERT_TRUE(loaded.model);
  EXPECT_EQ(loaded.model->description.name, "Größe Δθ 衛星 🛰");
}

TEST_F(Hostile, NamesAreAscii) {
  EXPECT_EQ(problems_of("gyrostat: 1\nbodies:\n  größe: {mass: 1, inertia: [1, 1, 1]}\n"),
            "m.yaml:3:3: error: bodies.größe: 'größe' is not a name: a name is made of the letters a-z and A-Z, "
            "digits and _, and does not begin with a digit\n");
}

TEST_F(Hostile, ColumnsCountCharactersNotBytes) {
  const Loaded loaded = load(
      "gyrostat: 1\nname: \"ü衛🛰\"\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}} # ü\n"
      "signals: {s: \"1 + ä\", \"r\": \"größe\"}\n");
  EXPECT_EQ(problems_of(loaded),
            "m.yaml:4:19: error: signals.s: expected a number, a name or '(', got 'ä'\n"
            "m.yaml:4:31: error: signals.r: expected an operator or the end, got 'ö'\n");
  EXPECT_THAT(render(loaded.problems.all().at(1), loaded.source, false), EndsWith("| " + std::string(30, ' ') + "^\n"));
}

// --- numbers
// -------------------------------------------------------------------------------------------------------------

std::string problems_of_mass(const std::string& mass) {
  return problems_of("gyrostat: 1\nbodies:\n  a: {mass: " + mass + ", inertia: [1, 1, 1]}\n");
}

TEST_F(Hostile, NumbersThatAreNone) {
  for (const std::string text : {".nan", ".NaN", "nan", ".inf", "-.inf", "+.inf", "inf", "-Infinity", ".INF"}) {
    EXPECT_EQ(problems_of_mass(text),
              "m.yaml:3:13: error: bodies.a.mass: expected a finite number, got '" + text + "'\n");
  }
}

TEST_F(Hostile, NumbersBeyondWhatCanBeRepresented) {
  for (const std::string& text : {"1e999"s, "-1e999"s, "1e-400"s, std::string(400, '9')}) {
    EXPECT_EQ(problems_of_mass(text), "m.yaml:3:13: error: bodies.a.mass: the number " + text +
                                          " cannot be represented (beyond 1e308 or below 1e-308)\n");
  }
  EXPECT_THAT(problems_of_mass("1e999 kg"), StartsWith("m.yaml:3:13: error: bodies.a.mass: the number"));
}

TEST_F(Hostile, VerySmallAndVeryLargeNumbersDoNotCrash) {
  for (const std::string text :
       {"4.9e-324", "2e-308", "1e308", "1.7976931348623157e308", "123456789012345678901234567890", "0x10", "1_000",
        "0b11", "1e", "1e+", "+", "-", ".", "1.", "00", "-0"}) {
    SCOPED_TRACE(text);
    problems_of_mass(text);
  }
  EXPECT_EQ(problems_of_mass("1."), "");
  EXPECT_EQ(problems_of_mass("123456789012345678901234567890"), "");
}

TEST_F(Hostile, ASeedBeyondWholeNumbersIsRefused) {
  EXPECT_EQ(problems_of(good + "signals: {n: {noise: {seed: 99999999999999999999, std: 1, period: 1}}}\n"),
            "m.yaml:4:29: error: signals.n.noise.seed: expected a whole number, got '99999999999999999999'\n");
}

// --- files
// -----------------------------------------------------------------------------------------------------------------

std::string problems_of_file(const std::string& path) { return problems_of(load_file(path)); }

TEST_F(Hostile, ADirectoryIsNoModel) {
  const Scratch scratch;
  const std::string path = scratch.path().string();
  EXPECT_EQ(problems_of_file(path), path + ": error: is a directory, not a model file\n");
}

TEST_F(Hostile, AMissingFileSaysSo) {
  EXPECT_EQ(problems_of_file("/nowhere/m.yaml"), "/nowhere/m.yaml: error: cannot be read: No such file or directory\n");
  EXPECT_EQ(problems_of_file(""), ": error: cannot be read: No such file or directory\n");
}

TEST_F(Hostile, AnUnreadableFileSaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", good);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_EQ(problems_of_file(path), path + ": error: cannot be read: Permission denied\n");
}

TEST_F(Hostile, APathThroughAFileSaysSo) {
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", good) + "/x";
  EXPECT_EQ(problems_of_file(path), path + ": error: cannot be read: Not a directory\n");
}

TEST_F(Hostile, AFileAtTheLimitIsRead) {
  std::string text = good + "#";
  text.resize(limits::file_bytes, 'x');
  EXPECT_EQ(problems_of(text), "");
}

TEST_F(Hostile, AFileJustBeyondTheLimitIsRefused) {
  std::string text = good + "#";
  text.resize(limits::file_bytes + 1, 'x');
  EXPECT_EQ(problems_of(text), "m.yaml: error: the file is larger than 32 MiB, the limit\n");
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", text);
  EXPECT_EQ(problems_of_file(path), path + ": error: the file is larger than 32 MiB, the limit\n");
}

TEST_F(Hostile, AHundredMegabytesAreRefusedQuickly) {
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", good);
  std::filesystem::resize_file(path, 100'000'000);  // zeros, which take no room on the disk
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(problems_of_file(path), path + ": error: the file is larger than 32 MiB, the limit\n");
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 2);
}

TEST_F(Hostile, AnEndlessFileIsRefused) {
  EXPECT_EQ(problems_of_file("/dev/zero"), "/dev/zero: error: the file is larger than 32 MiB, the limit\n");
}

}  // namespace hostile_test
}  // namespace gyrostat
