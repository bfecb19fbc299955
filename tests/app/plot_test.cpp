// gyrostat plot, in the terminal.
#include <limits>

#include <pty.h>

#include "app/head.h"
#include "support/curves_file.h"

namespace gyrostat::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
const std::string utf8 = "env -u COLUMNS -u LINES LC_ALL=C.UTF-8", small = " --width 40 --height 9";

std::size_t lines_in(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

/// Of the longest line, in characters.
std::size_t width_in(const std::string& text) {
  std::size_t widest = 0, width = 0;
  for (const char c : text) {
    if (c == '\n') width = 0;
    if (c != '\n' && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) widest = std::max(widest, ++width);
  }
  return widest;
}

class Plot : public ::testing::Test {
 protected:
  Scratch scratch;

  std::string file(const std::vector<double>& times, const std::vector<SampleCurve>& curves) const {
    return curves_file(scratch, "a.h5", times, curves);
  }

  /// What is drawn of one curve at the times 0, 1, 2 ..
  std::string drawn(const std::vector<double>& values, const std::string& options = small) const {
    const Outcome o = run("plot " + file(counting(values.size()), {{"x", "m", values}}) + " x" + options, utf8);
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_EQ(o.err, "");
    return o.out;
  }

  /// What is drawn on a terminal of this size.
  std::string on_terminal(const std::string& arguments, unsigned short columns, unsigned short rows,
                          const std::string& environment = "env -u NO_COLOR TERM=xterm") const {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = rows;
    int terminal = -1;
    const std::string command = environment + " LC_ALL=C.UTF-8 '" GYROSTAT_PROGRAM "' " + arguments;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    if (child < 0) return "";
    std::string text;
    char part[4096];
    for (ssize_t count = 0; (count = read(terminal, part, sizeof part)) > 0;)
      text.append(part, static_cast<std::size_t>(count));
    int status = 0;
    waitpid(child, &status, 0);
    close(terminal);
    std::erase(text, '\r');
    return text;
  }

  static void expect_refused(const std::string& arguments, const std::string& said) {
    SCOPED_TRACE(arguments);
    const Outcome o = run(arguments, utf8);
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, HasSubstr(said));
  }
};

TEST_F(Plot, ALineInBraille) {
  EXPECT_EQ(drawn(counting(9)),
            "  x [m]\n"
            "  │                                 ⢀⣀⡠⠤\n"
            "  │                          ⢀⣀⡠⠤⠒⠊⠉⠁\n"
            "5 ┤                  ⣀⣀⠤⠤⠒⠒⠊⠉⠁\n"
            "  │          ⢀⣀⡠⠤⠔⠒⠉⠉\n"
            "  │   ⢀⣀⡠⠤⠒⠊⠉⠁\n"
            "0 ┤⠒⠊⠉⠁\n"
            "  └┬────────┬────────┬────────┬────────┬\n"
            "   0        2        4        6      8 s\n");
}

TEST_F(Plot, ALineInPlainCharacters) {
  EXPECT_EQ(drawn(counting(9), small + " --ascii"),
            "  x [m]\n"
            "  |                                  ...\n"
            "  |                          ...--'''\n"
            "5 +                    ..--''\n"
            "  |            ...--'''\n"
            "  |    ..--''''\n"
            "0 +--''\n"
            "  ++--------+--------+--------+--------+\n"
            "   0        2        4        6      8 s\n");
}

TEST_F(Plot, PlainCharactersWhereTheLocaleHasNoOthers) {
  const std::string a = "plot " + file(counting(9), {{"x", "m", counting(9)}}) + " x" + small;
  const std::string plain = run(a + " --ascii", utf8).out, braille = run(a, utf8).out;
  ASSERT_NE(plain, braille);
  EXPECT_EQ(run(a, "env -u LC_ALL -u LC_CTYPE -u LANG").out, plain);
  EXPECT_EQ(run(a, "LC_ALL=C").out, plain);
  EXPECT_EQ(run(a, "LC_ALL= LC_CTYPE=de_DE.ISO-8859-1 LANG=C.UTF-8").out, plain);
  EXPECT_EQ(run(a, "LC_ALL= LC_CTYPE=en_GB.utf8 LANG=C").out, braille);
  EXPECT_EQ(run(a, "LC_ALL= LC_CTYPE= LANG=de_DE.UTF-8").out, braille);
}

TEST_F(Plot, PlainMeansPlainNamesToo) {
  const std::string a = file(counting(3), {{"größe", "°", counting(3)}});
  const std::string text = run("plot " + a + " '*' --ascii").out;
  EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); })) << text;
  EXPECT_THAT(run("plot " + a + " '*'", utf8).out, StartsWith("  größe [°]\n"));
}

TEST_F(Plot, GapsAreLeftAndCounted) {
  EXPECT_EQ(drawn({0, 1, 2, nan, inf, 3, -inf, 4, 4}),
            "  x [m]\n"
            "4 ┤                                ⠒⠒⠒⠒⠒\n"
            "  │                       ⠂\n"
            "2 ┤      ⢀⡠⠔⠂\n"
            "  │  ⣀⠤⠒⠊⠁\n"
            "0 ┤⠒⠉\n"
            "  │\n"
            "  └┬────────┬────────┬────────┬────────┬\n"
            "   0        2        4        6      8 s\n"
            "x: 3 of 9 values not finite; not drawn\n");
}

TEST_F(Plot, ConstantsHaveAnAxisAboutThem) {
  for (const auto& [value, label] : std::vector<std::pair<double, std::string>>{
           {0, "\n 0 ┤⠒⠒⠒⠒"}, {2, "\n2.0 ┤⠒⠒⠒⠒"}, {-4e-9, "\n-4e-9 ┤⠒⠒⠒⠒"}, {1e300, "\n  1e300 ┤⠒⠒⠒⠒"}})
    EXPECT_THAT(drawn({value, value, value}), HasSubstr(label)) << value;
  EXPECT_THAT(drawn({1, 1 + 1e-13, 1}), HasSubstr("\nx: changes by 1e-13 only; drawn as constant\n"));
}

TEST_F(Plot, NoSpikeIsLost) {
  std::vector<double> values(100000, 0);
  values[56789] = 1;
  EXPECT_EQ(drawn(values),
            "  x [m]\n"
            "1.0 ┤                   ⢰\n"
            "    │                   ⢸\n"
            "0.5 ┤                   ⢸\n"
            "    │                   ⢸\n"
            "0.0 ┤⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠚⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒\n"
            "    │\n"
            "    └┬────────────────┬─────────────────\n"
            "     0              50000 s\n");
}

TEST_F(Plot, TicksAreOneTwoOrFiveTimesAPowerOfTen) {
  for (const auto& [most, labels] :
       std::vector<std::pair<double, std::vector<std::string>>>{{1, {"0.0 ┤", "0.2 ┤", "1.0 ┤"}},
                                                                {3.7, {"0 ┤", "2 ┤"}},
                                                                {90, {" 0 ┤", "20 ┤", "80 ┤"}},
                                                                {2e-5, {"   0 ┤", "1e-5 ┤", "2e-5 ┤"}},
                                                                {3e7, {"  0 ┤", "1e7 ┤", "2e7 ┤", "3e7 ┤"}}}) {
    const std::string text = drawn({0, most}, " --width 40 --height 14");
    for (const std::string& label : labels) EXPECT_THAT(text, HasSubstr("\n" + label)) << most;
  }
  EXPECT_THAT(drawn({1e6, 1e6 + 0.008}), HasSubstr("\n1000000.005 ┤"));
}

TEST_F(Plot, NumbersAtTheEdgeOfTheirRangeAreDrawn) {
  constexpr double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  EXPECT_THAT(drawn({1e300, -1e300, 1e300}), AllOf(HasSubstr("\n 1e300 ┤"), HasSubstr("\n-1e300 ┤")));
  EXPECT_THAT(drawn({most, -most, most}), AllOf(HasSubstr("\n 1e308 ┤"), HasSubstr("\n-1e308 ┤")));
  for (const std::vector<double>& values : std::vector<std::vector<double>>{
           {most, most}, {-most, -most}, {least, least}, {0, least}, {-least, 1e-310}, {1e-305, 3e-305}, {0, most}})
    EXPECT_EQ(lines_in(drawn(values, " --width 40 --height 12 ")) & ~1U, 12U);
}

TEST_F(Plot, TimesAtTheEdgeOfTheirRangeAreDrawn) {
  for (const std::vector<double>& times : std::vector<std::vector<double>>{
           {-1.7e308, 0, 1.7e308}, {1e9, 1e9 + 1e-6, 1e9 + 2e-6}, {0, 1e-310, 2e-310}, {7, 7, 7}}) {
    const Outcome o = run("plot " + file(times, {{"x", "m", {1, 2, 3}}}) + " x" + small, utf8);
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_EQ(lines_in(o.out), 9U) << o.out;
    EXPECT_EQ(width_in(o.out), 40U) << o.out;
  }
}

TEST_F(Plot, OneRecordIsADot) {
  const std::string a = file({3}, {{"x", "m", {2}}});
  EXPECT_EQ(run("plot " + a + " x" + small, utf8).out,
            "  x [m]\n"
            "2.5 ┤\n"
            "    │\n"
            "2.0 ┤                 ⠐\n"
            "    │\n"
            "1.5 ┤\n"
            "    │\n"
            "    └─────────────────┬─────────────────\n"
            "                      3 s\n");
}

TEST_F(Plot, WithoutColourEachCurveHasAPanel) {
  const std::string a = file(counting(9), {{"x", "m", counting(9)}, {"y", "m", counting(9)}});
  EXPECT_EQ(run("plot " + a + " x y --width 40 --height 16", utf8).out,
            "  x [m]\n"
            "  │                                 ⢀⣀⡠⠤\n"
            "  │                          ⢀⣀⡠⠤⠒⠊⠉⠁\n"
            "5 ┤                  ⣀⣀⠤⠤⠒⠒⠊⠉⠁\n"
            "  │          ⢀⣀⡠⠤⠔⠒⠉⠉\n"
            "  │   ⢀⣀⡠⠤⠒⠊⠉⠁\n"
            "0 ┤⠒⠊⠉⠁\n"
            "  └┬────────┬────────┬────────┬────────┬\n"
            "  y [m]\n"
            "  │                          ⢀⣀⣀⣀⠤⠤⠤⠔⠒⠊⠉\n"
            "5 ┤                ⣀⣀⣀⣀⠤⠤⠒⠒⠊⠉⠁\n"
            "  │   ⢀⣀⣀⣀⠤⠤⠤⠔⠒⠊⠉⠉⠉\n"
            "0 ┤⠒⠊⠉⠁\n"
            "  │\n"
            "  └┬────────┬────────┬────────┬────────┬\n"
            "   0        2        4        6      8 s\n");
}

TEST_F(Plot, OnATerminalCurvesShareAPanelInColours) {
  const std::string a = file(counting(9), {{"x", "m", counting(9)},
                                           {"y", "m", {8, 7, 6, 5, 4, 3, 2, 1, 0}},
                                           {"v", "m/s", counting(9)},
                                           {"far", "m", {0, 0, 0, 900, 0, 0, 0, 0, 0}}});
  const std::string text = on_terminal("plot " + a + " x y v far", 60, 40);
  if (text.empty()) GTEST_SKIP() << "no pseudo terminals here";
  EXPECT_THAT(text, StartsWith("  \033[36m── x\033[0m   \033[33m── y\033[0m   [m]\n"));
  EXPECT_THAT(text, HasSubstr("\n  \033[36m── far\033[0m [m]\n"));
  EXPECT_THAT(text, HasSubstr("\n  \033[36m── v\033[0m [m/s]\n"));
  EXPECT_LT(text.find("far"), text.find("── v")) << "panels of one unit stand together";
  EXPECT_EQ(lines_in(text), 30U) << "no higher than half its width";
  EXPECT_EQ(lines_in(on_terminal("plot " + a + " x", 60, 20)), 19U) << "a line is left for the prompt";
  for (const char* without : {"env TERM=xterm NO_COLOR=1", "env -u NO_COLOR TERM=dumb"})
    EXPECT_THAT(on_terminal("plot " + a + " x y v far", 60, 40, without), Not(HasSubstr("\033")));
}

TEST_F(Plot, FitsTheWidthAndHeightAskedFor) {
  const std::string a = "plot " + file(counting(9), {{"x", "m", counting(9)}}) + " x";
  EXPECT_EQ(width_in(run(a, utf8).out), 80U);
  EXPECT_EQ(lines_in(run(a, utf8).out), 23U);
  EXPECT_EQ(width_in(run(a, utf8 + " COLUMNS=132").out), 132U);
  EXPECT_EQ(width_in(run(a, utf8 + " COLUMNS=nonsense").out), 80U);
  EXPECT_EQ(width_in(run(a + " --width 50", utf8 + " COLUMNS=132").out), 50U);
  EXPECT_EQ(lines_in(run(a + " --height 31", utf8).out), 31U);
}

TEST_F(Plot, TheTimeCanBeLimited) {
  const std::string a = "plot " + file(counting(9), {{"x", "m", counting(9)}}) + " x --width 40 --height 9";
  EXPECT_EQ(run(a + " --from 2.5 --to 4.5", utf8).out,
            "  x [m]\n"
            "  │                               ⣀⣀⡠⠤⠔⠒\n"
            "4 ┤                      ⣀⣀⡠⠤⠔⠒⠒⠉⠉\n"
            "  │            ⢀⣀⣀⠤⠤⠔⠒⠊⠉⠉\n"
            "3 ┤   ⢀⣀⣀⠤⠤⠒⠒⠊⠉⠁\n"
            "  │⠒⠊⠉⠁\n"
            "2 ┤\n"
            "  └┬────────┬────────┬────────┬────────┬\n"
            "  2.5      3.0      3.5      4.0   4.5 s\n");
  EXPECT_THAT(run(a + " --from 6", utf8).out, HasSubstr("8.0 s\n"));
  EXPECT_EQ(run(a + " --from -5 --to inf", utf8).out, run(a, utf8).out);
  EXPECT_EQ(run(a + " --from 5.25 --to 5.75", utf8).exit_code, 0) << "between two records";
}

TEST_F(Plot, ANameCannotCommandTheTerminal) {
  const std::string a = file(counting(3), {{"a\033[31m\tb", "m\033[0m", counting(3)}});
  EXPECT_THAT(run("plot " + a + " '*'", utf8).out, StartsWith("  a?[31m?b [m?[0m]\n"));
}

TEST_F(Plot, LongNamesKeepTheirEnd) {
  const std::string a = file(counting(3), {{std::string(200, 'x') + "end", "m", counting(3)}});
  const std::string text = run("plot " + a + " '*' --width 40", utf8).out;
  EXPECT_THAT(text, StartsWith("  ...xxx"));
  EXPECT_THAT(text, HasSubstr("xxxend\n"));
  EXPECT_EQ(width_in(text), 40U);
}

TEST_F(Plot, RefusesWhatItCannotDraw) {
  const std::string a = file(counting(9), {{"bus.x", "m", counting(9)}});
  expect_refused("plot", "FILE is required");
  expect_refused("plot " + a, "plot needs the names of columns, like 'bus.*': 'gyrostat show ");
  expect_refused("plot " + a + " time", "time is the axis of every plot; name a column: 'gyrostat show ");
  expect_refused("plot " + a + " bus.y", "a.h5: no column 'bus.y'; did you mean 'bus.x'?");
  expect_refused("plot " + a + " 'hub.*'", "a.h5: no column matches 'hub.*'");
  expect_refused("plot nowhere.h5 x", "nowhere.h5: no such file");
  expect_refused("plot " + a + " bus.x --from 9", "--from 9: the records are from 0 to 8 s");
  expect_refused("plot " + a + " bus.x --to -1", "--to -1: the records are from 0 to 8 s");
  expect_refused("plot " + a + " bus.x --from 4 --to 3", "--from 4 --to 3: the first must be before the second");
  expect_refused("plot " + a + " bus.x --from nan", "--from nan: is no time");
  expect_refused("plot " + a + " bus.x --from now", "now");
  expect_refused("plot " + a + " bus.x --width 5", "--width 5: expected 30 to 1000 characters");
  expect_refused("plot " + a + " bus.x --width -5", "-5");
  expect_refused("plot " + a + " bus.x --height 1001", "--height 1001: expected 8 to 1000 lines");
  expect_refused("plot " + a + " bus.x --size 100x100", "--size");
  expect_refused("plot " + curves_file(scratch, "empty.h5", {}, {{"x", "m", {}}}) + " x", "empty.h5: has no records");
  expect_refused("plot " + curves_file(scratch, "back.h5", {0, 2, 1}, {{"x", "m", {0, 1, 2}}}) + " x",
                 "back.h5: is damaged: its times are not in order");
  expect_refused("plot " + curves_file(scratch, "nan.h5", {0, 1}, {{"x", "m", {nan, nan}}}) + " x",
                 "x: no value is finite");
}

}  // namespace
}  // namespace gyrostat::testing
