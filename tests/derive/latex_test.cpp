// LaTeX of examples of every kind compiles, and its lines fit the page.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
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

bool there_is_latex() { return std::system("command -v pdflatex >/dev/null 2>&1") == 0; }

/// The models of the examples, by file; campaigns and parts of models are none.
std::vector<std::string> example_models() {
  std::vector<std::string> files;
  for (const auto& folder : std::filesystem::directory_iterator(GYROSTAT_SOURCE_DIR "/examples")) {
    if (!folder.is_directory()) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      if (file.path().extension() == ".yaml" && slurp(file.path()).find("gyrostat: 1\n") != std::string::npos)
        files.push_back(file.path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

class LatexOfExample : public ::testing::TestWithParam<std::string> {};

TEST_P(LatexOfExample, CompilesAndFitsThePage) {
  if (!there_is_latex()) GTEST_SKIP() << "there is no pdflatex";
  const Loaded loaded = load_file(GetParam());
  ASSERT_TRUE(loaded.model);
  if (const std::string why = derive::outside_domain_of_derivation(loaded.model->system); !why.empty()) {
    EXPECT_THAT(why, ::testing::HasSubstr("bends"));
    return;
  }
  const Formulas formulas = read_formulas(loaded.source);
  const derive::Document document = derive::derive_equations(*loaded.model, &formulas);
  EXPECT_LT(widest_overfull(derive::print_latex(document, {true, false})), most_overfull);
}

/// With derivatives where those are short.
TEST_P(LatexOfExample, CompilesAndFitsThePageInScalarForm) {
  if (!there_is_latex()) GTEST_SKIP() << "there is no pdflatex";
  const std::string name = std::filesystem::path(GetParam()).stem().string();
  if (name == "scissor") GTEST_SKIP() << "minutes, to say that it is too long to read";
  const std::set<std::string> with_derivatives = {"four_bar", "dual_spin", "tether", "leo_satellite", "gimbal"};
  const Loaded loaded = load_file(GetParam());
  ASSERT_TRUE(loaded.model);
  const Formulas formulas = read_formulas(loaded.source);
  scalar::Form form;
  try {
    form = scalar::derive_form(*loaded.model, {with_derivatives.contains(name), true, &formulas});
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), ::testing::AnyOf(::testing::HasSubstr("flexible"), ::testing::HasSubstr("reaction")));
    return;
  }
  EXPECT_LT(widest_overfull(scalar::to_latex(form)), most_overfull);
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  const std::filesystem::path file = info.param;
  return file.parent_path().filename().string() + "_" + file.stem().string();
}
INSTANTIATE_TEST_SUITE_P(Examples, LatexOfExample, ::testing::ValuesIn(example_models()), test_name);

TEST(Latex, IsTriedOnAllExamples) { EXPECT_GE(example_models().size(), 40U); }

/// The measure is that of TeX, to a tenth: compared with the widths of boxes.
TEST(Latex, WidthsAreEstimatedAsTexMeasuresThem) {
  if (!there_is_latex()) GTEST_SKIP() << "there is no pdflatex";
  const std::vector<std::string> formulas = {
      "x_{60} + m_{\\textrm{hub}} \\, a_{\\textrm{pan,z}} \\, \\omega_{\\textrm{base,x}} \\, "
      "\\omega_{\\textrm{base,z}}",
      "\\frac{\\textrm{mu}}{{x_{4}}^{3}} \\, \\bigl(3 \\, \\textrm{m\\_lower} \\, {x_{8}}^{2} - x_{11}\\bigr)",
      "m_{\\textrm{boom}} \\, a_{\\textrm{boom\\_x,y}}^{2} \\, \\cos^{2}(q_{\\textrm{pan}}) + x_{71}^{3}",
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
