// What a page says of a linear model: modes and how bodies move in them, responses, margins, root loci.
#include "gyrostat/report/analysis.h"

#include <gmock/gmock.h>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/mode_motion.h"
#include "gyrostat/report/page.h"
#include "gyrostat/report/shapes.h"
#include "gyrostat/results/linear_reader.h"

#include "support/hand_made_results.h"
#include "support/load.h"
#include "support/page.h"

namespace gyrostat::testing {
namespace analysis_test {

using nlohmann::json;
using report::LinearStudy;
using report::ReportError;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A free bus with a sprung arm, a wheel, and a beam that carries a tip mass; a loop with a delay.
const std::string craft = R"yaml(gyrostat: 1
name: A craft
parameters: {k: 20 N*m/rad}
bodies:
  bus: {mass: 100, inertia: [20, 30, 40], shape: [{box: [1, 1, 2]}],
    wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, rate: 30, torque: torque}}}
  arm: {mass: 5, inertia: [1, 1, 0.1], shape: [{cylinder: [0.1, 2]}]}
  boom: {flexible: {beam: {to: [0, 3, 0], elements: 4, mass_per_length: 1, EI: 500}, modes: {count: 2}, damping: 0.005}}
  tip: {mass: 1, inertia: [0.1, 0.1, 0.1], shape: [{sphere: 0.2}]}
joints:
  hinge: {type: revolute, parent: bus, child: arm, parent_point: [0, 0, 1], child_point: [0, 0, -1], axis: [1, 0, 0],
    stiffness: k, damping: 0.5}
  root: {type: weld, parent: bus, child: boom.root, parent_point: [0, 0.5, 0]}
  end: {type: weld, parent: boom.tip, child: tip}
signals:
  command: "2*bus.yaw + 15*bus.omega_z"
  torque: {delay: {input: command, time: 20 ms}}
simulation: {duration: 5}
)yaml";

class Analyses : public ::testing::Test {
 protected:
  Analyses() : loaded(load(craft)) {}
  [[nodiscard]] LinearModel linear_of(const std::vector<std::string>& open = {}) const {
    LinearizeSettings settings;
    settings.open = open;
    settings.inputs = {"bus.torque_x"};
    settings.outputs = {"hinge.angle", "bus.omega_x"};
    return linearize(*loaded.model, initial_point(*loaded.model), settings);
  }
  [[nodiscard]] LinearOrigin origin() const { return {"A craft", "m.yaml", craft, {}, 3}; }
  [[nodiscard]] std::string file(const std::string& name) const { return (scratch.path() / name).string(); }
  Page page_of(const LinearStudy& study) const {
    made = report::write_report_of({{}, "", &study, &*loaded.model}, file("out.html"), tiny_page);
    return Page(slurp(file("out.html")));
  }
  std::string write_linear(const LinearModel& linear, const LinearOrigin& from) const {
    return scratch.write("linear.h5", linear_hdf5(linear, state_space(linear), from));
  }
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
  Loaded loaded;
  mutable report::Report made;
};

TEST_F(Analyses, HaveTheModesWithTheirNumbers) {
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const LinearStudy study = report::study_of(linear_of({"command"}), origin(), 0);
  const Page p = page_of(study);
  EXPECT_TRUE(made.warnings.empty());
  EXPECT_TRUE(p.payload["runs"].empty());
  const json& a = p.payload["analysis"];
  EXPECT_EQ(a["model_name"], "A craft");
  EXPECT_EQ(a["model_text"], craft);
  EXPECT_EQ(a["t"], 0);
  EXPECT_TRUE(a["opened"].empty()) << "the modes are those of the closed loop";
  const Modes modes = find_modes(study.space);
  std::size_t neutral = 0;
  while (a["modes"][neutral]["neutral"] == true) ++neutral;
  ASSERT_EQ(a["modes"].size() - neutral, modes.modes.size() - modes.rigid);
  for (std::size_t k = modes.rigid; k < modes.modes.size(); ++k) {
    const json& shown = a["modes"][neutral + k - modes.rigid];
    const Mode& mode = modes.modes[k];
    EXPECT_EQ(shown["rigid"], false);
    EXPECT_EQ(shown["what"], words_of(mode, study.space.states, loaded.model->system));
    EXPECT_NEAR(shown["eigenvalue"][1].get<double>(), mode.eigenvalue.imag(), 1e-12);
    if (!mode.oscillates()) {
      EXPECT_TRUE(shown["frequency"].is_null());
      EXPECT_NEAR(shown["time"].get<double>(), mode.time_constant(), 1e-9 * std::abs(mode.time_constant()));
      continue;
    }
    EXPECT_NEAR(shown["frequency"].get<double>(), mode.natural_frequency() / 6.283185307179586, 1e-12);
    EXPECT_NEAR(shown["damping"].get<double>(), mode.damping_ratio(), 1e-9);
  }
}

TEST_F(Analyses, TellRigidMotionsFromOthersThatAreNeutral) {
  ASSERT_TRUE(loaded.model);
  const json modes = page_of(report::study_of(linear_of(), origin(), 0)).payload["analysis"]["modes"];
  std::map<std::string, bool> rigid;  // by what moves
  for (const json& mode : modes) {
    if (mode["neutral"] == true) rigid[mode["what"].get<std::string>()] = mode["rigid"];
  }
  // the yaw is controlled by the wheel, whose angle is free: it is no motion of all bodies as one
  const std::map<std::string, bool> expected = {{"base.rotation_x", true}, {"base.rotation_y", true},
                                                {"base.position_x", true}, {"base.position_y", true},
                                                {"base.position_z", true}, {"bus.rw.angle", false}};
  EXPECT_EQ(rigid, expected);
}

/// Motion of a mode in a page.
struct Shown {
  explicit Shown(std::vector<float> given) : numbers(std::move(given)) {}
  [[nodiscard]] Eigen::Vector3cd vector(std::size_t at) const {
    Eigen::Vector3cd v;
    for (std::size_t k = 0; k < 3; ++k)
      v[static_cast<Eigen::Index>(k)] = {numbers[2 * (at + k)], numbers[2 * (at + k) + 1]};
    return v;
  }
  std::vector<float> numbers;
};

TEST_F(Analyses, HaveMotionsThatAreThoseOfTheEigenvectorScaledToOneMetre) {
  ASSERT_TRUE(loaded.model);
  const System& system = loaded.model->system;
  const LinearStudy study = report::study_of(linear_of(), origin(), 0);
  const Page p = page_of(study);
  const json& a = p.payload["analysis"];
  const Modes modes = find_modes(study.space);
  const ModeMotions motions(system, study.linear);
  const std::vector<Pose> poses = body_poses(system, study.linear.state.q);
  const std::size_t neutral = a["modes"].size() - (modes.modes.size() - modes.rigid);
  int checked = 0;
  for (std::size_t k = modes.rigid; k < modes.modes.size(); ++k) {
    const json& shown = a["modes"][neutral + k - modes.rigid];
    if (shown["motion"].is_null()) continue;
    const Shown motion(p.numbers<float>(shown["motion"]));
    const std::size_t bodies = system.body_count();
    ASSERT_EQ(motion.numbers.size(), 2 * (6 * bodies + system.flexible[0].data.modes() + 1)) << "one wheel";
    const auto m = static_cast<Eigen::Index>(study.linear.coordinates);
    const ModeMotion exact = motions.of(modes.modes[k].shape.head(m));
    // the same but for a complex factor
    std::complex<double> factor = 0;
    double most = 0;
    for (std::size_t i = 1; i <= bodies; ++i) {
      for (int c = 0; c < 3; ++c) {
        if (std::abs(exact.translation[i][c]) <= most) continue;
        most = std::abs(exact.translation[i][c]);
        factor = motion.vector(6 * (i - 1))[c] / exact.translation[i][c];
      }
    }
    double farthest = 0;
    for (std::size_t i = 1; i <= bodies; ++i) {
      const Eigen::Vector3cd t = motion.vector(6 * (i - 1)), r = motion.vector(6 * (i - 1) + 3);
      EXPECT_LT((t - factor * exact.translation[i]).norm(), 2e-6);
      EXPECT_LT((r - factor * exact.rotation[i]).norm(), 2e-6 * (1 + r.norm()));
      EXPECT_LE(r.norm(), shown["rotation"].get<double>() * 1.5);
      // no corner of any shape moves farther than 1 m, at any phase
      const json& body = a["scene"]["bodies"][i - 1];
      for (const json& shape : body["shapes"]) {
        report::SceneShape s;
        const std::string kind = shape["kind"];
        s.kind = kind == "box" ? Shape::Kind::box : kind == "cylinder" ? Shape::Kind::cylinder : Shape::Kind::sphere;
        for (int c = 0; c < 3; ++c) s.size[c] = shape["size"][static_cast<std::size_t>(c)];
        for (int c = 0; c < 3; ++c) s.at[c] = shape["at"][static_cast<std::size_t>(c)];
        const auto& q = shape["orientation"];
        s.orientation = {q[0], q[1], q[2], q[3]};
        for (const Vector3& corner : report::corners_of(s)) {
          const Vector3 lever = poses[i].R * corner;
          for (const double phase : {0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.4, 2.8}) {
            const std::complex<double> turn = std::polar(1.0, phase);
            const Vector3 by = (t * turn).real() + (r * turn).real().cross(lever);
            EXPECT_LT(by.norm(), 1 + 1e-5);
            if (phase == 0) farthest = std::max(farthest, by.norm());
          }
        }
      }
    }
    EXPECT_LE(farthest, 1 + 1e-5);
    ++checked;
  }
  EXPECT_GE(checked, 4);
}

TEST_F(Analyses, HaveAPointThatMovesByOneMetreAtPhaseZero) {
  ASSERT_TRUE(loaded.model);
  const LinearStudy study = report::study_of(linear_of(), origin(), 0);
  const Page p = page_of(study);
  for (const json& mode : p.payload["analysis"]["modes"]) {
    if (mode["motion"].is_null() || mode["what"] != "base.position_y") continue;
    const Shown motion(p.numbers<float>(mode["motion"]));
    for (std::size_t i = 0; i < loaded.model->system.body_count(); ++i) {
      EXPECT_LT((motion.vector(6 * i) - Eigen::Vector3cd(0, 1, 0)).norm(), 1e-6) << "all bodies go along y";
      EXPECT_EQ(motion.vector(6 * i + 3).norm(), 0);
    }
    EXPECT_EQ(mode["rotation"], 0);
    return;
  }
  FAIL() << "no such mode";
}

TEST_F(Analyses, HaveTheMarginsOfTheirLoopsAtPointsOfTheCurve) {
  ASSERT_TRUE(loaded.model);
  const LinearModel opened = linear_of({"command"});
  const Page p = page_of(report::study_of(opened, origin(), 0));
  const json& responses = p.payload["analysis"]["responses"];
  ASSERT_EQ(responses.size(), 3U);
  EXPECT_EQ(responses[0]["title"], "loop gain at command");
  EXPECT_EQ(responses[1]["title"], "bus.torque_x to hinge.angle");
  EXPECT_EQ(responses[1]["unit"], "rad/(N*m)");
  EXPECT_TRUE(responses[1]["margins"].is_null());
  const json& margins = responses[0]["margins"];
  EXPECT_EQ(margins["signal"], "command");
  EXPECT_EQ(margins["stable"], true);
  const Margins expected = find_margins(opened, "command", true);
  ASSERT_EQ(margins["gain"].size(), expected.gain.size());
  ASSERT_EQ(margins["phase"].size(), expected.phase.size());
  ASSERT_FALSE(expected.phase.empty());
  const std::vector<double> frequency = p.numbers(responses[0]["frequency"]), gain = p.numbers(responses[0]["gain"]),
                            phase = p.numbers(responses[0]["phase"]);
  ASSERT_EQ(gain.size(), frequency.size());
  for (std::size_t k = 0; k < expected.phase.size(); ++k) {
    EXPECT_EQ(margins["phase"][k]["margin"], expected.phase[k].margin);
    const auto at = std::ranges::find(frequency, expected.phase[k].frequency) - frequency.begin();
    ASSERT_LT(at, static_cast<std::ptrdiff_t>(frequency.size()));
    EXPECT_NEAR(gain[static_cast<std::size_t>(at)], 0, 1e-6);
    const double from_limit = phase[static_cast<std::size_t>(at)] - expected.phase[k].margin * 180 / 3.141592653589793;
    EXPECT_NEAR(std::remainder(from_limit - 180, 360), 0, 1e-6);
  }
  for (const Crossover& c : expected.gain) {
    const auto at = std::ranges::find(frequency, c.frequency) - frequency.begin();
    ASSERT_LT(at, static_cast<std::ptrdiff_t>(frequency.size()));
    EXPECT_NEAR(gain[static_cast<std::size_t>(at)], -20 * std::log10(c.margin), 1e-6);
  }
}

TEST_F(Analyses, HaveTheBranchesOfARootLocus) {
  ASSERT_TRUE(loaded.model);
  LinearStudy study = report::study_of(linear_of(), origin(), 0);
  const Eigen::MatrixXd A{{0, 1}, {0, 0}};
  const auto matrix = [&](double k) { return Eigen::MatrixXd(A - k * Eigen::MatrixXd{{0, 0}, {1, 1}}); };
  study.locus = {"k", "N*m/rad", 2.0, root_locus(matrix, {1, 2, 3})};
  const Page p = page_of(study);
  const json& locus = p.payload["analysis"]["locus"];
  EXPECT_EQ(locus["parameter"], "k");
  EXPECT_EQ(locus["nominal"], 2);
  const std::vector<double> values = p.numbers(locus["values"]);
  ASSERT_EQ(locus["branches"].size(), 2U);
  for (const json& branch : locus["branches"]) {
    const std::vector<double> numbers = p.numbers(branch);
    ASSERT_EQ(numbers.size(), 2 * values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::complex<double> s(numbers[2 * k], numbers[2 * k + 1]);
      EXPECT_LT(std::abs(s * s + values[k] * s + values[k]), 1e-12);
    }
  }
}

TEST_F(Analyses, StandBesideTheRunOfTheSameModel) {
  const std::string results = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 0.5, 1}}});
  const Loaded hinge = load(one_hinge);
  const LinearModel linear = linearize(*hinge.model, initial_point(*hinge.model), {});
  const std::string file_name = write_linear(linear, {"A hinge", "made.yaml", one_hinge, {}, 3});
  report::write_report_of({{results}, file_name}, file("out.html"), tiny_page);
  const Page p(slurp(file("out.html")));
  ASSERT_EQ(p.payload["runs"].size(), 1U);
  EXPECT_EQ(p.payload["analysis"]["label"], "linear.h5");
  EXPECT_EQ(p.payload["analysis"]["scene"]["bodies"].size(), 1U);
  EXPECT_EQ(p.payload["analysis"]["modes"][0]["neutral"], true);
}

TEST_F(Analyses, OfAnotherModelThanTheRunsAreRefused) {
  const std::string results = hand_made(scratch, one_hinge, {{"hinge.angle", {0, 0.5, 1}}});
  const std::string linear = write_linear(linear_of(), {"A craft", "craft.yaml", craft, {}, 3});
  const auto write = [&] { report::write_report_of({{results}, linear}, file("out.html"), tiny_page); };
  EXPECT_THAT(error_of(write), HasSubstr("linear.h5: is of the model 'A craft' (craft.yaml), and "));
  EXPECT_THAT(error_of(write), HasSubstr("made.h5 of 'A hinge' ("));
  EXPECT_THAT(error_of(write), HasSubstr("linearise the model that was run, or run the one that was linearised"));
  EXPECT_FALSE(std::filesystem::exists(file("out.html")));
}

TEST_F(Analyses, WithOtherParametersThanTheRunAreRefused) {
  const std::string text =
      "gyrostat: 1\nname: A hinge\nparameters: {k: 1}\n" + one_hinge.substr(one_hinge.find("bodies"));
  const std::string results = hand_made(scratch, text, {{"hinge.angle", {0, 0.5, 1}}});
  const Loaded hinge = load(text);
  const LinearModel linear = linearize(*hinge.model, initial_point(*hinge.model), {});
  const std::string other = write_linear(linear, {"A hinge", "made.yaml", text, {"k=2"}, 3});
  const auto write = [&] { report::write_report_of({{results}, other}, file("out.html"), tiny_page); };
  EXPECT_THAT(error_of(write), HasSubstr("linear.h5: was made with --set k=2, and "));
  EXPECT_THAT(error_of(write), HasSubstr("made.h5 with --set nothing: they are of different models"));
}

TEST_F(Analyses, DoNotReplaceTheFilesTheyComeFrom) {
  const std::string linear = write_linear(linear_of(), origin());
  EXPECT_THAT(error_of([&] {
                report::write_report_of({{}, linear}, linear, tiny_page, true);
              }),
              HasSubstr("linear.h5: is the linear model, which would be lost"));
}

TEST_F(Analyses, OfAFileAloneShowTheOperatingPoint) {
  const std::string linear = write_linear(linear_of({"command"}), origin());
  report::write_report_of({{}, linear}, file("out.html"), tiny_page);
  const Page p(slurp(file("out.html")));
  EXPECT_TRUE(p.payload["runs"].empty());
  EXPECT_EQ(p.numbers(p.payload["analysis"]["scene"]["time"]).size(), 1U);
  EXPECT_EQ(p.payload["analysis"]["responses"].size(), 3U);
}

}  // namespace analysis_test
}  // namespace gyrostat::testing
