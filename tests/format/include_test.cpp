// Model files that include others.
#include <filesystem>
#include <fstream>

#include "support/problem_case.h"

namespace gyrostat {
namespace include_test {

namespace fs = std::filesystem;
using testing::named;

/// Files in a folder of their own. Paths in messages are relative to it.
class Include : public ::testing::Test {
 protected:
  Include() : folder_(fs::temp_directory_path() / fmt::format("gyrostat_include_{}", ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "parts");
  }
  ~Include() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  [[nodiscard]] Loaded loaded(const std::string& text) const {
    write("m.yaml", text);
    return load_file((folder_ / "m.yaml").string());
  }

  [[nodiscard]] std::string problems_of(const std::string& text) const {
    std::string said = testing::problems_of(loaded(text));
    const std::string here = folder_.string() + "/";
    for (std::size_t at = said.find(here); at != std::string::npos; at = said.find(here)) said.erase(at, here.size());
    return said;
  }

  fs::path folder_;
};

const std::string bus = "bodies: {bus: {mass: 9, inertia: [1, 1, 1]}}\n";
const std::string main_with_bus = "gyrostat: 1\n" + bus;

TEST_F(Include, JoinsTheSectionsOfAllFiles) {
  write("parts/panel.yaml",
        "include: ../common.yaml\nbodies: {panel: {mass: m, inertia: [1, 1, 1]}}\n"
        "joints: {hinge: {type: weld, parent: bus, child: panel}}\nloads: [{body: panel, force: [1, 0, 0]}]\n"
        "simulation: {duration: 3}\n");
  write("common.yaml", "gyrostat: 1\nparameters: {m: 5}\n");
  const Loaded l = loaded("gyrostat: 1\ninclude: [common.yaml, parts/panel.yaml]\n" + bus +
                          "loads: [{body: bus, force: [1, 0, 0]}]\nsimulation: {formulation: kane}\n");
  ASSERT_EQ(testing::problems_of(l), "");
  const Description& d = l.model->description;
  EXPECT_EQ(named(d.bodies, "panel").mass, 5);
  EXPECT_EQ(d.bodies.front().name, "panel");  // what is included comes first
  EXPECT_EQ(d.loads.size(), 2U);
  EXPECT_EQ(d.simulation.duration, 3);
  EXPECT_EQ(l.source.included().size(), 2U);  // common.yaml once
}

TEST_F(Include, GivesATextThatNeedsNoOtherFile) {
  write("parts/unit.yaml",
        "templates: {u: {parameters: {m: 1}, bodies: {b: {mass: m, inertia: [1, 1, 1], shape: [{mesh: b.stl}]}},\n"
        "  joints: {j: {type: weld, parent: bus, child: b}}}}\n");
  const Loaded l = loaded(main_with_bus + "include: parts/unit.yaml\ninstances: {x: {template: u}}\n");
  ASSERT_EQ(testing::problems_of(l), "");
  const Loaded again = load_text("elsewhere.yaml", std::string(l.source.whole_text()));
  EXPECT_EQ(testing::problems_of(again), "");
  ASSERT_TRUE(again.model);
  EXPECT_TRUE(again.source.included().empty());
  // The file that a part names is found from the model file.
  EXPECT_EQ(named(again.model->description.bodies, "x.b").shapes.at(0).file, "parts/b.stl");
}

TEST_F(Include, LeavesTheTextOfAFileWithoutItAsItIs) {
  const Loaded l = loaded(main_with_bus + "# a comment\n");
  EXPECT_EQ(l.source.whole_text(), l.source.text());
}

TEST_F(Include, TellsInWhichFileAProblemIs) {
  write("parts/panel.yaml", "bodies:\n  panel: {mass: -1, inertia: [1, 1, 1]}\n");
  EXPECT_EQ(
      problems_of(main_with_bus + "include: parts/panel.yaml\njoints: {j: {type: weld, parent: bus, child: pnel}}\n"),
      "m.yaml:4:46: error: joints.j.child: no body 'pnel'; did you mean 'panel'?\n"
      "parts/panel.yaml:2:17: error: bodies.panel.mass: a mass cannot be negative\n");
  write("parts/panel.yaml", "bodies:\n\tpanel: 1\n");
  EXPECT_EQ(problems_of(main_with_bus + "include: parts/panel.yaml\n"),
            "parts/panel.yaml:2:1: error: a tab in the indentation; YAML indents with spaces\n");
}

TEST_F(Include, RefusesWhatCannotBeIncluded) {
  const auto said = [&](const std::string& include) {
    return problems_of(main_with_bus + "include: " + include + "\n");
  };
  EXPECT_EQ(said("there_is_none.yaml"),
            "m.yaml:3:10: error: include: the file there_is_none.yaml cannot be read: No such file or directory\n");
  EXPECT_EQ(said("parts"), "m.yaml:3:10: error: include: the file parts is a directory, not a model file\n");
  EXPECT_EQ(said("/dev/zero"), "m.yaml:3:10: error: include: the file /dev/zero is not a file that can be included\n");
  const std::string names = "expected the name of a file, relative to this one, or a list of such names\n";
  EXPECT_EQ(said("{file: a.yaml}"), "m.yaml:3:10: error: include: " + names);
  EXPECT_EQ(said("[[a.yaml]]"), "m.yaml:3:11: error: include: " + names);
  EXPECT_EQ(said("[]"), "m.yaml:3:10: error: include: " + names);
  EXPECT_EQ(said(""), "m.yaml:3:1: error: include: " + names);
  write("list.yaml", "- a\n");
  EXPECT_EQ(said("list.yaml"), "list.yaml:1:1: error: expected sections like bodies, joints or templates\n");
  write("empty.yaml", "# nothing\n");
  EXPECT_EQ(said("empty.yaml"),
            "empty.yaml:1:1: error: the file is empty; a file that is included has sections like bodies, joints or "
            "templates\n");
  write("old.yaml", "gyrostat: 2\n");
  EXPECT_EQ(
      said("old.yaml"),
      "old.yaml:1:11: error: gyrostat: this program reads format version 1, not '2'; a file that is included needs "
      "no version\n");
  write("section.yaml", "bodys: {}\n");
  EXPECT_EQ(said("section.yaml"), "section.yaml:1:1: error: bodys: unknown field; did you mean 'bodies'?\n");
}

TEST_F(Include, RefusesFilesThatIncludeThemselves) {
  write("a.yaml", "include: parts/b.yaml\n");
  write("parts/b.yaml", "include: ../a.yaml\n");
  EXPECT_EQ(problems_of(main_with_bus + "include: a.yaml\n"),
            "parts/b.yaml:1:10: error: include: a file includes itself: a.yaml -> parts/b.yaml -> a.yaml\n");
  EXPECT_EQ(problems_of(main_with_bus + "include: m.yaml\n"),
            "m.yaml:3:10: error: include: a file includes itself: m.yaml -> m.yaml\n");
}

TEST_F(Include, RefusesWhatTwoFilesDefine) {
  write("a.yaml", "name: a\nparameters:\n  k: 1\nbodies:\n  bus: {mass: 1, inertia: [1, 1, 1]}\n");
  write("b.yaml", "parameters:\n  k: 2\n");
  EXPECT_EQ(problems_of(main_with_bus + "include: [a.yaml, b.yaml]\nname: m\nloads: []\n"),
            "m.yaml:2:10: error: bodies.bus: defined in two files; also at a.yaml:5:3\n"
            "m.yaml:4:1: error: name: given in two files; also at a.yaml:1:1\n"
            "b.yaml:2:3: error: parameters.k: defined in two files; also at a.yaml:3:3\n");
  write("c.yaml", "loads: {body: bus}\n");
  EXPECT_EQ(problems_of(main_with_bus + "include: c.yaml\nloads: []\n"),
            "m.yaml:4:1: error: loads: given in two files; also at c.yaml:1:1\n");
}

TEST_F(Include, NeedsAVersionInTheModelFileItself) {
  write("a.yaml", "gyrostat: 1\n" + bus);
  EXPECT_EQ(problems_of("include: a.yaml\n"),
            "m.yaml:1:1: error: missing the first line of a model file: 'gyrostat: 1'\n");
}

TEST_F(Include, HasLimits) {
  for (int k = 0; k < 30; ++k) write(fmt::format("f{}.yaml", k), fmt::format("include: f{}.yaml\n", k + 1));
  EXPECT_EQ(problems_of(main_with_bus + "include: f0.yaml\n"),
            "f19.yaml:1:10: error: include: files include each other more than 20 deep\n");
}

}  // namespace include_test
}  // namespace gyrostat
