// Whole pages: what is in them, that nothing in them can break out, and what a failure leaves behind.
#include "gyrostat/report/page.h"

#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>

#include "gyrostat/report/viewer_page.h"

#include "support/hand_made_results.h"
#include "support/page.h"

namespace gyrostat::testing {
namespace {

using nlohmann::json;
using report::ReportError;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Pages : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const { return (scratch.path() / name).string(); }
  report::Report write(const std::vector<std::string>& results, const std::string& page = tiny_page) const {
    return report::write_report(results, file("out.html"), page);
  }
  [[nodiscard]] Page page() const { return Page(slurp(file("out.html"))); }
  /// The message of the ReportError.
  template <class Act>
  static std::string error_of(Act&& act) {
    try {
      act();
    } catch (const ReportError& error) {
      return error.what();
    }
    return "no error";
  }

  Scratch scratch;
};

TEST_F(Pages, HoldTheResults) {
  HandMade how;
  how.statistics = {{"steps", 12}, {"ledger_energy", 1e-9}, {"ledger_energy_scale", 2}, {"seconds", std::nan("")}};
  const std::string path = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 0.5, 1}}, {"x", {1, NAN, -3}}}, how);
  const report::Report made = write({path});
  EXPECT_EQ(made.bytes, std::filesystem::file_size(file("out.html")));
  const Page p = page();
  EXPECT_EQ(p.payload["format"], 2);
  EXPECT_EQ(p.payload["generator"], "gyrostat 0.1.0");
  ASSERT_EQ(p.payload["runs"].size(), 1U);
  const json& run = p.payload["runs"][0];
  EXPECT_EQ(run["label"], "made.h5");
  EXPECT_EQ(run["model_text"], one_hinge);
  EXPECT_EQ(run["status"], "finished");
  EXPECT_EQ(run["statistics"], json::parse(R"([["steps", 12.0], ["seconds", null]])"));
  EXPECT_EQ(run["ledger"]["lines"].size(), 1U);
  EXPECT_NEAR(run["ledger"]["lines"][0]["relative"], 5e-10, 1e-15);
  EXPECT_THAT(p.numbers(run["time"]), ElementsAre(0, 1, 2));
  EXPECT_THAT(p.column(run, "hinge.angle"), ElementsAre(0, 0.5, 1));
  EXPECT_EQ(run["model"]["bodies"][0]["name"], "a");
  EXPECT_EQ(run["model"]["degrees_of_freedom"]["free"], 1);
  EXPECT_EQ(run["scene"]["bodies"].size(), 1U);
  EXPECT_THAT(made.warnings, ElementsAre("there are non-finite values: x"));
  EXPECT_THAT(slurp(file("out.html")), HasSubstr("<title>Gyrostat</title>"));
}

TEST_F(Pages, OfTwoRunsTellThemApart) {
  HandMade other;
  other.file = "other.h5";
  const std::string a = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 1}}});
  const std::string b = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 2}}}, other);
  write({a, b});
  Page p = page();
  ASSERT_EQ(p.payload["runs"].size(), 2U);
  EXPECT_EQ(p.payload["runs"][0]["label"], "made.h5");
  EXPECT_EQ(p.payload["runs"][1]["label"], "other.h5");
  EXPECT_THAT(p.column(p.payload["runs"][1], "hinge.angle"), ElementsAre(0, 2));
  write({a, a});
  p = page();
  EXPECT_NE(p.payload["runs"][0]["label"], p.payload["runs"][1]["label"]);
  std::filesystem::create_directory(scratch.path() / "sub");
  std::filesystem::copy_file(a, scratch.path() / "sub/made.h5");
  write({a, file("sub/made.h5")});
  p = page();
  EXPECT_NE(p.payload["runs"][0]["label"], p.payload["runs"][1]["label"]);
}

// --- nothing breaks out ----------------------------------------------------------------------------------------------

TEST_F(Pages, CannotBeBrokenOutOf) {
  const std::string evil = "</script><script>alert(1)</script><!-- --!> & \xE2\x80\xA8 \xE2\x80\xA9";
  const std::string model = "gyrostat: 1\nname: '" + evil +
                            "'\nbodies: {a: {mass: 1, inertia: [1, 1, 1], shape: [{mesh: '" + evil +
                            "'}]}}\njoints: {hinge: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}}\n";
  HandMade how;
  how.statistics = {{"<script>&", 1}};
  how.status = "stopped: " + evil.substr(0, 60);
  how.unit = evil;
  write({hand_made(scratch, model, {{"hinge.angle", {0, 1}}, {"<script>", {1, 2}}}, how)});
  const std::string html = slurp(file("out.html"));
  const std::size_t begin = html.find("<script"), end = html.rfind("</script>");
  std::string inside = html.substr(begin, end - begin);
  std::size_t scripts = 0;
  for (std::size_t at = inside.find('<'); at != std::string::npos; at = inside.find('<', at + 1)) {
    const bool known = inside.compare(at, 14, "<script type=\"") == 0 || inside.compare(at, 10, "</script>\n") == 0;
    ASSERT_TRUE(known) << inside.substr(at, 40);
    ++scripts;
  }
  EXPECT_GT(scripts, 4U);
  EXPECT_THAT(inside, Not(HasSubstr("&")));
  EXPECT_THAT(inside, Not(HasSubstr("\xE2\x80")));
  EXPECT_EQ(page().payload["runs"][0]["model_text"], model);
  EXPECT_EQ(page().payload["runs"][0]["columns"][1]["name"], "<script>");
}

TEST_F(Pages, ReplaceWhatIsNoUtf8) {
  const std::string model = one_hinge + "# \xFF\xFE \xC3";
  write({hand_made(scratch, model, {{"hinge.angle", {0, 1}}})});
  const std::string text = page().payload["runs"][0]["model_text"];
  EXPECT_THAT(text, HasSubstr("# \xEF\xBF\xBD"));
}

// --- what a page cannot show, it says --------------------------------------------------------------------------------

TEST_F(Pages, SayWhatIsWrongWithTheRun) {
  HandMade how;
  how.statistics = {{"ledger_energy", 1}, {"ledger_energy_scale", 2}};
  how.status = "stopped at t = 1 s: gimbal lock";
  how.more = {{"run_method", "dopri5"}, {"run_tolerance", "1e-9"}, {"run_set", ""}};
  auto made = write({hand_made(scratch, one_hinge, {{"hinge.angle", {0, 1}}}, how)});
  ASSERT_EQ(made.warnings.size(), 2U);
  EXPECT_THAT(made.warnings[0], HasSubstr("stopped at t = 1 s: gimbal lock"));
  EXPECT_THAT(made.warnings[1], HasSubstr("the residual of energy is 1.00e+00 J, 5.0e-01 of its scale"));
  EXPECT_NEAR(page().payload["runs"][0]["ledger"]["allowed"], 1e-5, 1e-12);
  EXPECT_EQ(page().payload["runs"][0]["ledger"]["balanced"], false);
  EXPECT_EQ(page().payload["runs"][0]["warnings"].size(), 2U);

  how.status = "finished";
  how.more.emplace_back("ledger_exempt", "gyroscopic terms are dropped");
  how.more.emplace_back("ledger_allowed", "0.25");
  made = write({hand_made(scratch, one_hinge, {{"hinge.angle", {0, 1}}}, how)});
  EXPECT_THAT(made.warnings, IsEmpty());
  EXPECT_EQ(page().payload["runs"][0]["ledger"]["exempt"], "gyroscopic terms are dropped");
  EXPECT_EQ(page().payload["runs"][0]["ledger"]["balanced"], true);
  EXPECT_EQ(page().payload["runs"][0]["ledger"]["allowed"], 0.25);

  how.more.clear();
  how.statistics = {{"ledger_energy", 1}, {"ledger_energy_scale", 2}, {"ledger_energy_relative", 0}};
  how.status = "";
  made = write({hand_made(scratch, one_hinge, {{"hinge.angle", {0, 1}}}, how)});
  ASSERT_EQ(made.warnings.size(), 1U);
  EXPECT_THAT(made.warnings[0], HasSubstr("has not ended"));
  EXPECT_EQ(page().payload["runs"][0]["status"], "");
}

TEST_F(Pages, UseTheModelWithTheValuesOfTheRun) {
  HandMade how;
  how.more = {{"run_set", "m=7"}};
  const std::string model = "parameters: {m: 1}\n" + one_hinge;
  write({hand_made(scratch, model, {{"hinge.angle", {0, 1}}}, how)});
  EXPECT_EQ(page().payload["runs"][0]["model"]["parameters"][0]["value"], 7);
  how.more = {{"run_set", "m"}};
  EXPECT_THAT(write({hand_made(scratch, model, {{"hinge.angle", {0, 1}}}, how)}).warnings.at(0), HasSubstr("m"));
}

TEST_F(Pages, WithoutAModelHavePlots) {
  const auto made = write({hand_made(scratch, "bodies: [", {{"hinge.angle", {0, 1}}})});
  const json run = page().payload["runs"][0];
  EXPECT_TRUE(run["model"].is_null());
  EXPECT_TRUE(run["scene"].is_null());
  EXPECT_EQ(run["plots"][0]["title"], "Joint angles");
  ASSERT_GE(made.warnings.size(), 2U);
  EXPECT_THAT(made.warnings.front(), HasSubstr("made.yaml:1:"));
  EXPECT_THAT(made.warnings.back(), HasSubstr("cannot be read, so the motion cannot be shown"));
}

TEST_F(Pages, OfManyBodiesHaveNoPicture) {
  std::string model = "gyrostat: 1\nbodies:\n";
  std::string joints = "joints:\n";
  for (int i = 0; i < 2500; ++i) {
    const std::string n = std::to_string(i);
    model += "  b" + n + ": {mass: 1, inertia: [1, 1, 1]}\n";
    joints += "  j" + n + ": {type: revolute, parent: " + (i == 0 ? "world" : "b" + std::to_string(i - 1)) +
              ", child: b" + n + ", axis: [0, 0, 1]}\n";
  }
  const auto made = write({hand_made(scratch, model + joints, {{"j0.angle", {0, 1}}})});
  ASSERT_EQ(made.page_warnings.size(), 1U);
  EXPECT_THAT(made.page_warnings[0], HasSubstr("there are 2500 bodies; at most 2000"));
  EXPECT_EQ(page().payload["runs"][0]["model"]["bodies"].size(), 2500U);
}

// --- files -----------------------------------------------------------------------------------------------------------

TEST_F(Pages, NeverReplaceTheirResults) {
  const std::string path = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 1}}});
  const std::string before = slurp(path);
  for (const std::string& name : {path, file("./made.h5"), file("sub/../made.h5")}) {
    EXPECT_THAT(error_of([&] { report::write_report({path}, name, tiny_page); }), HasSubstr("is the results file"));
  }
  std::filesystem::create_symlink(path, scratch.path() / "link.html");
  EXPECT_THAT(error_of([&] { report::write_report({path}, file("link.html"), tiny_page); }),
              HasSubstr("is the results file"));
  EXPECT_EQ(slurp(path), before);
}

TEST_F(Pages, ThatFailLeaveTheOldOne) {
  const std::string path = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 1}}});
  write({path});
  const std::string old = slurp(file("out.html"));
  EXPECT_THAT(error_of([&] { write({path}, "no place for data"); }), HasSubstr("does not have the line"));
  EXPECT_THAT(error_of([&] { write({path}, tiny_page + tiny_page); }), HasSubstr("once"));
  EXPECT_THROW(write({file("gone.h5")}), results::ResultsError);
  EXPECT_EQ(slurp(file("out.html")), old);
  EXPECT_THAT(error_of([&] { report::write_report({path}, file("none/out.html"), tiny_page); }),
              HasSubstr("does not exist"));
  std::filesystem::create_directories(scratch.path() / "folder.html/full");
  EXPECT_THAT(error_of([&] { report::write_report({path}, file("folder.html"), tiny_page); }),
              HasSubstr("is a directory"));
  EXPECT_FALSE(std::filesystem::exists(file("folder.html.partial")));
  EXPECT_FALSE(std::filesystem::exists(file("out.html.partial")));
}

TEST_F(Pages, ReplaceReportsAndNothingElse) {
  const std::string path = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 1}}});
  scratch.write("out.html", "<html>another page</html>");
  EXPECT_THAT(error_of([&] { write({path}); }), HasSubstr("out.html: exists and is not a report"));
  EXPECT_EQ(slurp(file("out.html")), "<html>another page</html>");
  scratch.write("out.html", "");
  write({path});
  const auto bytes = std::filesystem::file_size(file("out.html"));
  write({path, path});
  EXPECT_GT(std::filesystem::file_size(file("out.html")), bytes);
}

TEST_F(Pages, KeepALink) {
  const std::string path = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 1}}});
  std::filesystem::create_directory(scratch.path() / "elsewhere");
  std::filesystem::create_symlink("elsewhere/page.html", scratch.path() / "out.html");
  write({path});
  EXPECT_TRUE(std::filesystem::is_symlink(file("out.html")));
  EXPECT_EQ(page().payload["runs"].size(), 1U);
  EXPECT_TRUE(std::filesystem::is_regular_file(file("elsewhere/page.html")));
}

}  // namespace
}  // namespace gyrostat::testing
