// What is printed: readable, complete, and safe whatever the names are.
#include "gyrostat/derive/scalar_print.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "derive/scalar_support.h"
#include "support/program.h"

namespace gyrostat::testing {
namespace scalar_print_test {

using scalar::Form;
using ::testing::HasSubstr;
using ::testing::Not;

Form form_of_text(const std::string& text, const scalar::Options& options = {false, true}) {
  const Loaded loaded = load(text);
  EXPECT_TRUE(loaded.model) << problems_of(loaded);
  return scalar::derive_form(*loaded.model, options);
}

std::size_t columns_of_line(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
}

TEST(ScalarPrint, OfADoublePendulumReadsLikeATextbook) {
  const std::string text = scalar::to_text(form_of_text(double_pendulum), false);
  EXPECT_THAT(text, HasSubstr("  M[2,2] = I_lower,yy + m_lower·c_lower,z²\n"));
  EXPECT_THAT(text, HasSubstr("  M[2,1] = I_lower,yy + m_lower·c_lower,z·(c_lower,z + a_elbow,z·cos(q_elbow))\n"));
  EXPECT_THAT(text, HasSubstr("sin(q_shoulder + q_elbow)"));
  EXPECT_THAT(text, HasSubstr("  m_upper     upper.mass             kg      2\n"));
  EXPECT_THAT(text, HasSubstr("Rows of M and f, in their order: the accelerations of u_shoulder, u_elbow\n"));
}

TEST(ScalarPrint, FitsTheScreenAndIsPlainOnRequest) {
  for (const char* file : {"five_body/five_body.yaml", "dumbbell/dumbbell.yaml", "cat_satellite/cat_satellite.yaml"}) {
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    const Form form = scalar::derive_form(*loaded.model, {false, true});
    std::istringstream lines(scalar::to_text(form, false));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of_line(line), 80U) << line;
    const std::string plain = scalar::to_text(form, true);
    EXPECT_TRUE(std::ranges::all_of(plain, [](char c) { return static_cast<unsigned char>(c) < 128; }));
  }
}

/// Names that are too long for their columns go on below; nothing of them is lost.
TEST(ScalarPrint, ListsOfLongNamesFitTheScreen) {
  const std::string name = "the_left_outer_panel_of_the_solar_array_with_its_yoke", joint = std::string(90, 'j');
  const Form form = form_of_text(
      "gyrostat: 1\nbodies: {" + name + ": {mass: 2.125, inertia: [1, 2, 3], com: [0.5, 0, 0]}}\njoints: {" + joint +
      ": {type: revolute, parent: world, child: " + name + ", axis: [0, 0, 1], stiffness: 1234.5678}}\n");
  const std::string text = scalar::to_text(form, false);
  const std::string lists = text.substr(0, text.find("Mass matrix"));
  std::istringstream lines(lists);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of_line(line), 80U) << line;
  std::string joined = lists;
  std::erase_if(joined, [](char c) { return c == ' ' || c == '\n'; });
  for (const std::string& part :
       {name + ".mass" + "kg" + "2.125", joint + ".stiffness" + "N*m/rad" + "1234.5678", joint + ".angle" + "rad"})
    EXPECT_THAT(joined, HasSubstr(part));
}

/// Exponents stand above indices and behind the names of functions; words are upright; nothing is multiplied by 1/x.
TEST(ScalarPrint, IsSetAsBooksDo) {
  const Form form = form_of_text(R"(gyrostat: 1
bodies:
  hub: {mass: 2, inertia: [0.2, 0.3, 0.2], com: [0, 0, -0.7], wheels: {rw: {axis: [0, 0, 1], inertia: 2.5e-7, torque: level, torque_limit: 0.5}}}
  arm: {mass: 1, inertia: [0.1, 0.2, 0.25]}
joints:
  base: {type: revolute, parent: world, child: hub, axis: [0, 0, 1]}
  pin: {type: revolute, parent: hub, child: arm, parent_point: [0.4, 0, 0], axis: [0, 1, 0]}
loads:
  - {spring: {from: [world, [1, 0, 0]], to: [arm, [0, 0, 1]], stiffness: 2}}
signals: {level: t}
)");
  const std::string html = scalar::to_html(form), latex = scalar::to_latex(form), text = scalar::to_text(form, false);
  EXPECT_THAT(html,
              ::testing::ContainsRegex("<msubsup><mi>u</mi><mrow><mtext>base</mtext></mrow><mn>2</mn></msubsup>"));
  EXPECT_THAT(html, HasSubstr("<msup><mi mathvariant=\"normal\">sin</mi><mn>2</mn></msup>"));
  EXPECT_THAT(html, HasSubstr("<mi mathvariant=\"normal\">torque_limit</mi>"));
  EXPECT_THAT(html, HasSubstr("<h2>Mass matrix <i>M</i>, symmetric"));
  EXPECT_THAT(html, HasSubstr("2.5·10<sup>−7</sup>"));
  EXPECT_THAT(latex, HasSubstr("u_{\\textrm{base}}^{2}"));
  EXPECT_THAT(latex, HasSubstr("\\sin^{2}(q_{\\textrm{pin}})"));
  EXPECT_THAT(latex, HasSubstr("\\subsection*{Right-hand side $f$}"));
  EXPECT_THAT(latex, HasSubstr("zz $= 0.25$ $\\mathrm{kg\\,}\\mathrm{m^{2}}$"));
  EXPECT_THAT(text, Not(HasSubstr("·1/")));
}

/// A chain of bodies with hinges about x, y, z in turn.
Description chain_of(std::size_t count) {
  Description d;
  d.name = "chain";
  for (std::size_t i = 0; i < count; ++i) {
    BodyDescription body;
    body.name = fmt::format("b{}", i);
    body.mass = 1 + 0.1 * static_cast<double>(i);
    body.inertia = Vector3(1, 1.2, 1.4).asDiagonal();
    body.com = {0.1, 0.2, 0.3};
    d.bodies.push_back(body);
    if (i == 0) continue;
    JointDescription joint;
    joint.name = fmt::format("j{}", i);
    joint.type = JointType::revolute;
    joint.parent = fmt::format("b{}", i - 1);
    joint.child = body.name;
    joint.parent_point = {0.5, 0, 0.1};
    joint.rotations = {Vector3::Unit(static_cast<Eigen::Index>(i % 3))};
    joint.position = {0.1};
    joint.speed = {0.2};
    d.joints.push_back(joint);
  }
  return d;
}

TEST(ScalarPrint, SaysHowLargeItGetsAndStillWritesCode) {
  std::size_t before = 0;
  for (const std::size_t count : {20U, 50U}) {
    const Loaded loaded = load_description(chain_of(count));
    ASSERT_TRUE(loaded.model);
    const auto start = std::chrono::steady_clock::now();
    const Form form = scalar::derive_form(*loaded.model);
    const std::string code = scalar::to_c(form);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_LT(seconds, 60) << count << " bodies";  // measured: 0.4 s and 1.9 s of processor time
    const std::string text = scalar::to_text(form, false);
    EXPECT_THAT(text, HasSubstr(fmt::format("With {} free speeds the equations are too long to read", count + 5)));
    EXPECT_THAT(text, Not(HasSubstr("M[1,1]")));
    EXPECT_TRUE(form.recursive);
    const std::size_t operations = scalar::count_operations(form.graph, form.udot).all();
    EXPECT_LT(operations, 700 * count);  // linear growth
    EXPECT_GT(operations, before);
    if (count == 50) {  // what stays too long to be read is not simplified for reading
      const Form to_read = scalar::derive_form(*loaded.model, {false, true});
      EXPECT_EQ(scalar::count_operations(to_read.graph, to_read.udot).all(), operations);
    }
    before = operations;
    PlantAt plant(*loaded.model);
    plant.set(loaded.model->system.initial);
    expect_same_accelerations(form, evaluate_at(form, plant.point(form)).udot, plant);
  }
}

TEST(ScalarPrint, CountsOperations) {
  const Form form = form_of_text(R"(gyrostat: 1
bodies: {bob: {mass: 2, inertia: [0.1, 0.1, 0.02], com: [0, 0, -0.7]}}
joints: {pin: {type: revolute, parent: world, child: bob, axis: [0, 1, 0]}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
)");
  const std::vector<scalar::NamedCount> counts = scalar::operation_counts(form);
  EXPECT_EQ(scalar::count_text(counts.at(0).count), "1 addition, 2 multiplications");  // I + m c c
  EXPECT_EQ(scalar::count_text(counts.at(1).count), "0 additions, 3 multiplications, 1 sine or cosine");
}

// --- names -----------------------------------------------------------------------------------------------------------

/// A name that would end comments, strings and formulas, and words that languages keep for themselves.
constexpr const char* hostile = R"yaml(gyrostat: 1
name: "x \u202e \u2028 */ #error \" ''' \\ \\end{document} </script><b> $%_^&~ // ??/"
parameters: {lambda: 2, double: 3}
bodies:
  int: {mass: 2, inertia: [0.1, 0.1, 0.02], com: [0, 0, -0.7]}
  class: {mass: 2, inertia: [0.1, 0.1, 0.02], com: [0, 0, -0.7]}
joints:
  return: {type: revolute, parent: world, child: int, axis: [0, 1, 0], torque: "lambda*while - double*return.rate"}
  None: {type: revolute, parent: int, child: class, axis: [1, 0, 0], torque: "sin"}
signals: {while: "t", sin: "2*t"}
)yaml";

TEST(ScalarPrint, OfHostileNamesCompilesAndRuns) {
  const std::string text = std::string(hostile);
  Loaded loaded = load(text);
  if (!loaded.model) {  // the name of a function is refused as that of a signal
    std::string other = text;
    other.replace(other.find("torque: \"sin\""), 13, "torque: \"sign_\"");
    other.replace(other.find(" sin: "), 6, " sign_: ");
    loaded = load(other);
  }
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = scalar::derive_form(*loaded.model, {true, false});
  const Scratch scratch;
  const std::string c = scratch.write("e.c", scalar::to_c(form)),
                    python = scratch.write("e.py", scalar::to_python(form));
  const std::string log = (scratch.path() / "log").string();
  EXPECT_EQ(
      std::system(
          fmt::format("cc -std=c99 -Wall -Wextra -Wpedantic -Werror -c '{}' -o /dev/null >'{}' 2>&1", c, log).c_str()),
      0)
      << slurp(log);
  EXPECT_EQ(std::system(fmt::format("python3 -I '{}' >'{}' 2>&1", python, log).c_str()), 0) << slurp(log);
  for (const std::string& code : {slurp(c), slurp(python), scalar::to_text(form, false)})
    EXPECT_THAT(code, Not(::testing::AnyOf(HasSubstr("\u202E"), HasSubstr("\u2028"))));
  const std::string html = scalar::to_html(form);
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_EQ(html.find("</script>"), html.rfind("</script>"));  // that of the page
  EXPECT_EQ(html.find("<script>"), html.rfind("<script>"));
  EXPECT_LT(html.rfind("<script>"), html.find("</script>"));
  const std::string latex = scalar::to_latex(form);
  EXPECT_THAT(latex, HasSubstr("$\\backslash$end\\{document\\}"));
  EXPECT_EQ(latex.find("\\end{document}"), latex.size() - 15);
  EXPECT_FALSE(nlohmann::json::parse(scalar::to_json(form), nullptr, false).is_discarded());
}

TEST(ScalarPrint, AsLatexCompiles) {
  const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/five_body/five_body.yaml");
  const std::string latex = scalar::to_latex(scalar::derive_form(*loaded.model, {false, true}));
  int depth = 0;
  for (std::size_t k = 0; k < latex.size(); ++k) {
    const bool escaped = k > 0 && latex[k - 1] == '\\';
    depth += !escaped && latex[k] == '{' ? 1 : !escaped && latex[k] == '}' ? -1 : 0;
    ASSERT_GE(depth, 0);
  }
  EXPECT_EQ(depth, 0);
  EXPECT_THAT(latex, HasSubstr("\\usepackage{amsmath}"));
  if (std::system("command -v pdflatex >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no pdflatex";
  const Scratch scratch;
  scratch.write("e.tex", latex);
  const std::string log = (scratch.path() / "log").string();
  EXPECT_EQ(std::system(fmt::format("cd '{}' && pdflatex -interaction=nonstopmode -halt-on-error e.tex >log 2>&1",
                                    scratch.path().string())
                            .c_str()),
            0)
      << slurp(log);
}

TEST(ScalarPrint, AsHtmlIsWellFormed) {
  const Loaded loaded = load(many_loads);
  const Scratch scratch;
  const std::string page = scratch.write("e.html", scalar::to_html(scalar::derive_form(*loaded.model, {false, true})));
  const std::string log = (scratch.path() / "log").string();
  const std::string command = fmt::format(
      "python3 -I -c \"import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])\" '{}' >'{}' 2>&1", page, log);
  EXPECT_EQ(std::system(command.c_str()), 0) << slurp(log);
}

// --- JSON ------------------------------------------------------------------------------------------------------------

/// The nodes of the JSON evaluated by what their names say.
std::vector<double> evaluated(const nlohmann::json& form, const ScalarPoint& x) {
  const nlohmann::json& nodes = form["nodes"];
  std::vector<double> values(nodes.size());
  const auto put = [&](const char* list, const std::vector<double>& numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k) values[form[list][k]["node"].get<std::size_t>()] = numbers[k];
  };
  put("p", x.p), put("q", x.q), put("u", x.u), put("s", x.s);
  values[form["t"]["node"].get<std::size_t>()] = x.t;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::string operation = nodes[k]["operation"];
    if (operation == "symbol") continue;
    if (operation == "constant") {
      values[k] = nodes[k]["value"];
      continue;
    }
    std::vector<double> a;
    for (const auto& operand : nodes[k]["operands"]) a.push_back(values[operand.get<std::size_t>()]);
    a.resize(3);
    if (operation == "add") values[k] = a[0] + a[1];
    if (operation == "subtract") values[k] = a[0] - a[1];
    if (operation == "multiply") values[k] = a[0] * a[1];
    if (operation == "divide") values[k] = a[0] / a[1];
    if (operation == "negate") values[k] = -a[0];
    if (operation == "sin") values[k] = std::sin(a[0]);
    if (operation == "cos") values[k] = std::cos(a[0]);
    if (operation == "sqrt") values[k] = std::sqrt(a[0]);
    if (operation == "less") values[k] = a[0] < a[1] ? 1 : 0;
    if (operation == "select") values[k] = a[0] != 0 ? a[1] : a[2];
  }
  return values;
}

TEST(ScalarPrint, AsJsonIsTheGraph) {
  for (const char* file : {"five_body/five_body.yaml", "dumbbell/tether.yaml"}) {
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    const Form form = scalar::derive_form(*loaded.model);
    const nlohmann::json json = nlohmann::json::parse(scalar::to_json(form));
    PlantAt plant(*loaded.model);
    plant.set(loaded.model->system.initial);
    const ScalarPoint x = plant.point(form);
    const std::vector<double> values = evaluated(json, x);
    std::vector<double> udot;
    for (const auto& node : json["udot"]) udot.push_back(values[node.get<std::size_t>()]);
    expect_same_accelerations(form, udot, plant);
    EXPECT_EQ(json["M"].size(), form.nf());
    EXPECT_EQ(json["p"][0]["name"], form.p[0].name);
  }
}

/// Code that is long to compile says so, with what is shorter; what is short says nothing.
TEST(SizeWarning, NamesTheCountAndWhatToDo) {
  const Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/ten_body/ten_body.yaml");
  ASSERT_TRUE(loaded.model);
  std::vector<scalar::NamedCount> counts = scalar::operation_counts(scalar::derive_form(*loaded.model, {true, false}));
  const std::size_t all = counts.back().count.all();
  ASSERT_GT(all, scalar::most_quickly_compiled);
  EXPECT_THAT(scalar::size_warning(counts), ::testing::StartsWith(fmt::format("{} operations in one function", all)));
  EXPECT_THAT(scalar::size_warning(counts),
              ::testing::HasSubstr(fmt::format("--jacobian ({} operations)", counts[3].count.all())));
  counts.back().count.additions = scalar::most_compiled + 1;  // as of the scissor's loops
  EXPECT_THAT(scalar::size_warning(counts), ::testing::HasSubstr("even with -O0 it may need more memory"));
  counts.pop_back();
  EXPECT_EQ(scalar::size_warning(counts), "");
  counts.back().count.additions = scalar::most_quickly_compiled + 1;
  EXPECT_THAT(scalar::size_warning(counts), ::testing::EndsWith("compile with -O0"));
}

}  // namespace scalar_print_test
}  // namespace gyrostat::testing
