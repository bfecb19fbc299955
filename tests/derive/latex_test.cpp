// LaTeX of examples of every kind compiles, and its lines fit the page.
#include <algorithm>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gyrostat/derive/equations.h"
#include "gyrostat/derive/latex_lines.h"
#include "gyrostat/derive/print.h"
#include "gyrostat/derive/scalar_print.h"

#include "support/load.h"
#include "support/program.h"

namespace gyrostat::testing {
namespace latex_test {

/// What may stand out to the right. The margin is 60 pt wide or more; a sixth of it, two letters, is hardly seen and
/// nothing is cut. Lines that are not broken where they should be stand out by 15 pt and up to hundreds.
constexpr double most_overfull = 10;  // pt

/// How far the widest line of a document stands out, in pt. TeX must accept it.
double widest_overfull(const std::string& latex) {
  const Scratch scratch;
  scratch.write("equations.tex", latex);
  const std::string command = fmt::format(
      "cd '{}' && max_print_line=10000 pdflatex -draftmode -interaction=batchmode -halt-on-error equations.tex "
      ">/dev/null 2>&1",
      scratch.path().string());
  const int outcome = std::system(command.c_str());
  const std::string log = slurp(scratch.path() / "equations.log");
  EXPECT_EQ(outcome, 0) << log.substr(log.size() < 3000 ? 0 : log.size() - 3000);
  EXPECT_NE(log.find("PDF statistics:"), std::string::npos) << "TeX did not come to the end";
  const std::regex overfull("Overfull \\\\hbox \\(([0-9.]+)pt too wide\\)");
  double widest = 0;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, overfull)) widest = std::max(widest, std::stod(match[1].str()));
  }
  return widest;
}

/// Long names, wheels, limits, loops, prescribed joints, orbits, many bodies; with derivatives where those are short.
TEST(Latex, OfExamplesCompilesAndFitsThePage) {
  if (std::system("command -v pdflatex >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no pdflatex";
  struct Example {
    const char* name;
    bool derivatives;
  };
  for (const auto& [name, derivatives] : {Example{"templates/templates", false},
                                          {"cat_satellite/cat_satellite", false},
                                          {"cat/cat", false},
                                          {"four_bar/four_bar", true},
                                          {"five_body/five_body", false},
                                          {"dual_spin/dual_spin", true},
                                          {"dumbbell/tether", true},
                                          {"deployment/deployment", false},
                                          {"leo_satellite/leo_satellite", true},
                                          {"dry_friction/gimbal", true}}) {
    const Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/" + std::string(name) + ".yaml");
    ASSERT_TRUE(loaded.model) << name;
    const Formulas formulas = read_formulas(loaded.source);
    const derive::Document document = derive::derive_equations(*loaded.model, &formulas);
    EXPECT_LT(widest_overfull(derive::print_latex(document, {true, false})), most_overfull) << name << ", vectors";
    const scalar::Form form = scalar::derive_form(*loaded.model, {derivatives, true, &formulas});
    EXPECT_LT(widest_overfull(scalar::to_latex(form)), most_overfull) << name << ", scalars";
  }
}

/// The measure is that of TeX, to a tenth: compared with the widths of boxes.
TEST(Latex, WidthsAreEstimatedAsTexMeasuresThem) {
  if (std::system("command -v pdflatex >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no pdflatex";
  const std::vector<std::string> formulas = {
      "x_{60} + m_{\\textrm{hub}} \\, a_{\\textrm{pan,z}} \\, \\omega_{\\textrm{base,x}} \\, "
      "\\omega_{\\textrm{base,z}}",
      "\\frac{\\textrm{mu}}{{x_{4}}^{3}} \\, \\bigl(3 \\, \\textrm{m\\_lower} \\, {x_{8}}^{2} - x_{11}\\bigr)",
      "\\sin(q_{\\textrm{pan}}) \\, \\cos(q_{\\textrm{tilt}} + q_{\\textrm{pan}}) - \\sqrt{r_{\\textrm{base,x}} + 2}",
      "\\begin{cases}-x_{6} & \\text{if } 0 < x_{6} - \\textrm{torque\\_limit}_{\\textrm{rotor}} \\\\ 0 & "
      "\\text{otherwise}\\end{cases} + \\dot{u}_{\\textrm{pan}}"};
  std::string text = "\\documentclass{article}\\usepackage{amsmath}\\begin{document}\n";
  for (const std::string& f : formulas)
    text += "\\setbox0=\\hbox{$\\displaystyle " + f + "$}\\typeout{width \\the\\wd0}\n";
  const Scratch scratch;
  scratch.write("widths.tex", text + "\\end{document}\n");
  const std::string command = fmt::format(
      "cd '{}' && pdflatex -draftmode -interaction=batchmode widths.tex >/dev/null 2>&1", scratch.path().string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::istringstream lines(slurp(scratch.path() / "widths.log"));
  std::size_t k = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("width ")) continue;
    ASSERT_LT(k, formulas.size());
    const double width = std::stod(line.substr(6));
    EXPECT_NEAR(derive::latex_width(formulas[k]), width, 0.1 * width) << formulas[k];
    ++k;
  }
  EXPECT_EQ(k, formulas.size());
}

/// Nothing is lost where lines are broken, and what is inside of braces and cases is not broken.
TEST(Latex, LinesAreBrokenBetweenTermsAndFactors) {
  using ::testing::ElementsAre;
  EXPECT_THAT(derive::latex_lines("a + b - c", 1000), ElementsAre("a + b - c"));
  EXPECT_THAT(derive::latex_lines("a + b - c", 30), ElementsAre("a + b ", "- c"));
  EXPECT_THAT(derive::latex_lines("a \\, b \\, c", 15), ElementsAre("a \\, b ", "{}\\cdot c"));
  EXPECT_THAT(derive::latex_lines("\\frac{a + b}{c - d} + e", 20), ElementsAre("\\frac{a + b}{c - d} ", "+ e"));
  EXPECT_THAT(derive::latex_lines("\\begin{cases}a + b & c \\\\ d\\end{cases}", 5),
              ElementsAre("\\begin{cases}a + b & c \\\\ d\\end{cases}"));
}

}  // namespace latex_test
}  // namespace gyrostat::testing
