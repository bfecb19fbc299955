#include "gyrostat/report/analysis.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <Eigen/LU>
#include <Eigen/QR>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/analysis/loops.h"
#include "gyrostat/analysis/mode_motion.h"
#include "gyrostat/report/mode_scale.h"
#include "gyrostat/report/scene.h"
#include "gyrostat/report/summary.h"

namespace gyrostat::report {

namespace {

using Index = Eigen::Index;
using Complex = std::complex<double>;

constexpr std::size_t most_responses = 24;              // of a linear model with many inputs and outputs
constexpr std::size_t most_motion_numbers = 3'000'000;  // of all modes

Block add_numbers(Blocks& blocks, const std::vector<double>& values, std::size_t parts = 1) {
  return blocks.add(std::span<const double>(values), parts);
}

/// What the zero eigenvalues move: each of these has one coordinate that is 1 and those of the others 0. Of the vectors
/// of all their chains, those of speeds alone move nothing.
struct RigidMotions {
  Eigen::MatrixXd shapes;     // by coordinate of the linear model; a column for each motion
  std::vector<Index> led_by;  // coordinates
};
RigidMotions rigid_motions(const Modes& modes, Index coordinates) {
  const auto count = static_cast<Index>(modes.rigid);
  Eigen::MatrixXd N(coordinates, count);
  for (Index k = 0; k < count; ++k) {
    const Eigen::VectorXd shape = modes.modes[static_cast<std::size_t>(k)].shape.real();
    N.col(k) = shape.head(coordinates) / shape.norm();
  }
  RigidMotions result;
  if (N.size() == 0) return result;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(N.transpose());
  qr.setThreshold(1e-9);
  const Index rank = qr.rank();
  for (Index k = 0; k < rank; ++k) result.led_by.push_back(qr.colsPermutation().indices()[k]);
  std::ranges::sort(result.led_by);
  // N = E N(led_by), with as many columns of N as there are motions
  const Eigen::MatrixXd lead = N(result.led_by, Eigen::all);
  result.shapes = lead.transpose().colPivHouseholderQr().solve(N.transpose()).transpose();
  const auto rounded = [](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; };
  result.shapes = result.shapes.unaryExpr(rounded);
  return result;
}

/// "base.position_x", "pan.angle, tilt.angle"
std::string words_of_motion(const Eigen::VectorXd& shape, Index led_by, const std::vector<LinearVariable>& states) {
  std::string text = states[static_cast<std::size_t>(led_by)].name;
  int others = 0;
  for (Index k = 0; k < shape.size(); ++k) {
    if (k == led_by || shape[k] == 0) continue;
    if (++others <= 2) text += ", " + states[static_cast<std::size_t>(k)].name;
  }
  return others > 2 ? text + fmt::format(" and {} more", others - 2) : text;
}

/// All bodies as if they were one, and nothing bends.
bool moves_as_one(const ModeMotion& motion, const std::vector<Pose>& poses) {
  constexpr double least = 1e-9;
  if (poses.size() < 2) return false;
  const Vector3 turn = motion.rotation[1].real(), by = motion.translation[1].real();
  double difference = 0, size = turn.norm() + by.norm();
  for (std::size_t i = 2; i < poses.size(); ++i) {
    const Vector3 expected = by + turn.cross(poses[i].p - poses[1].p);
    difference = std::max(
        {difference, (motion.rotation[i].real() - turn).norm(), (motion.translation[i].real() - expected).norm()});
    size = std::max(size, expected.norm());
  }
  return size > 0 && difference <= least * size;
}

AnalysisMode shown_mode(const Mode& mode, const StateSpace& space, const System& system) {
  AnalysisMode shown;
  Complex lambda = continuous_eigenvalue(mode, space.period);
  const double size = std::abs(lambda);
  const bool undamped = std::abs(lambda.real()) <= negligible_damping * size;
  if (undamped) lambda.real(0);
  shown.eigenvalue = lambda;
  shown.grows = lambda.real() > 0;
  if (lambda.imag() != 0) {
    shown.frequency = size / (2 * std::numbers::pi);
    shown.damping = undamped ? 0 : -lambda.real() / size;
  }
  if (!undamped) shown.time = -1 / lambda.real();
  shown.what = words_of(mode, space.states, system);
  return shown;
}

/// Puts modes into an analysis, with their motion as long as there is room for it.
class ShownModes {
 public:
  ShownModes(const System& system, const LinearStudy& study, const std::optional<Scene>& scene, Blocks& blocks)
      : blocks_(blocks), motions_(system, study.linear), poses_(body_poses(system, study.linear.state.q)) {
    if (scene) scale_.emplace(system, *scene, poses_);
  }

  void add(AnalysisMode mode, const Eigen::VectorXcd& coordinates, Analysis& analysis) {
    const ModeMotion motion = motions_.of(coordinates);
    mode.rigid = mode.neutral && moves_as_one(motion, poses_);
    if (scale_ && used_ + scale_->numbers() <= most_motion_numbers) {
      ModeScale::Scaled scaled = scale_->scaled(motion);
      if (!scaled.numbers.empty()) {
        used_ += scaled.numbers.size();
        mode.motion = blocks_.add(std::span<const float>(scaled.numbers), 2);
        mode.body = scaled.body;
        mode.rotation = scaled.rotation;
      }
    } else if (scale_) {
      ++left_out_;
    }
    analysis.modes.push_back(std::move(mode));
  }

  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  Blocks& blocks_;
  ModeMotions motions_;
  std::vector<Pose> poses_;
  std::optional<ModeScale> scale_;
  std::size_t used_ = 0, left_out_ = 0;
};

void add_modes(const System& system, const LinearStudy& study, Blocks& blocks, Analysis& analysis) {
  const Modes found = find_modes(study.space);
  const auto coordinates = static_cast<Index>(study.linear.coordinates);
  ShownModes shown(system, study, analysis.scene, blocks);
  if (found.rigid > 0) {
    analysis.zeros = fmt::format(
        "{} {} {}: {}; {}", found.rigid, found.rigid == 1 ? "eigenvalue is" : "eigenvalues are",
        study.space.period != 0 ? "one" : "zero", words_of_chains(found), words_of_zeros(found, study.space.states));
  }
  const RigidMotions rigid = rigid_motions(found, coordinates);
  for (std::size_t k = 0; k < rigid.led_by.size(); ++k) {
    AnalysisMode mode;
    mode.neutral = true;
    const Eigen::VectorXd shape = rigid.shapes.col(static_cast<Index>(k));
    mode.what = words_of_motion(shape, rigid.led_by[k], study.linear.states);
    shown.add(std::move(mode), shape.cast<Complex>(), analysis);
  }
  for (const Mode& mode : found.modes) {
    if (mode.rigid) continue;
    shown.add(shown_mode(mode, study.space, system), mode.shape.head(coordinates), analysis);
  }
  if (shown.left_out() > 0) {
    analysis.warnings.push_back(
        fmt::format("{} modes are not shown moving: there would be too many numbers in the page", shown.left_out()));
  }
}

AnalysisCrossover shown(const Crossover& c) { return {c.frequency, c.margin}; }

AnalysisMargins shown(const Margins& m) {
  AnalysisMargins margins{m.signal, m.closed_loop_stable, {}, {}, {}, {}};
  for (const Crossover& c : m.gain) margins.gain.push_back(shown(c));
  for (const Crossover& c : m.phase) margins.phase.push_back(shown(c));
  if (m.delay) margins.delay = shown(*m.delay);
  if (m.modulus) margins.modulus = shown(*m.modulus);
  return margins;
}

void add_responses(const LinearStudy& study, Blocks& blocks, Analysis& analysis) {
  for (const StudiedResponse& r : study.responses) {
    AnalysisResponse response;
    response.title = r.title;
    response.unit = r.unit;
    response.frequency = add_numbers(blocks, r.response.frequency);
    response.gain = add_numbers(blocks, r.response.decibels);
    response.phase = add_numbers(blocks, r.response.phase);
    if (r.margins) response.margins = shown(*r.margins);
    analysis.responses.push_back(std::move(response));
  }
}

void add_locus(const LinearStudy& study, Blocks& blocks, Analysis& analysis) {
  if (!study.locus) return;
  const StudiedLocus& given = *study.locus;
  AnalysisLocus locus{given.parameter, given.unit, given.nominal, add_numbers(blocks, given.locus.values), {}};
  for (const auto& branch : given.locus.branches) {
    std::vector<double> numbers;
    for (const Complex z : branch) numbers.insert(numbers.end(), {z.real(), z.imag()});
    locus.branches.push_back(add_numbers(blocks, numbers, 2));
  }
  analysis.locus = std::move(locus);
}

/// "rad/(N*m)"
std::string unit_of(const LinearVariable& output, const LinearVariable& input) {
  if (output.unit.empty() || input.unit.empty()) return "";
  if (output.unit == input.unit) return "1";
  const bool simple = input.unit.find_first_of("*/") == std::string::npos;
  return output.unit + (simple ? "/" + input.unit : "/(" + input.unit + ")");
}

}  // namespace

StudiedResponse study_loop(const LinearModel& opened, const std::string& signal, const LinearModel& closed, int pade) {
  const Modes closed_modes = find_modes(state_space(closed, pade).A);
  const bool stable = std::ranges::none_of(closed_modes.modes, &Mode::grows);
  StudiedResponse studied{"loop gain at " + signal, "1", {}, find_margins(opened, signal, stable)};
  const Modes modes = find_modes(state_space(opened, pade).A);
  std::vector<double> grid = frequency_grid(modes, std::nullopt, std::nullopt), crossovers;
  for (const auto& list : {studied.margins->gain, studied.margins->phase}) {
    for (const Crossover& c : list) crossovers.push_back(c.frequency);
  }
  if (!crossovers.empty()) {  // those in the diagram, each a point of the curve
    const double low = std::min(grid.front(), 0.3 * std::ranges::min(crossovers));
    const double high = std::max(grid.back(), 3 * std::ranges::max(crossovers));
    grid = frequency_grid(modes, low, high);
    grid.insert(grid.end(), crossovers.begin(), crossovers.end());
    std::ranges::sort(grid);
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  }
  const auto place = [&](const std::vector<LinearVariable>& list) {
    return std::ranges::find(list, signal, &LinearVariable::name) - list.begin();
  };
  studied.response = smooth_response(opened, place(opened.inputs), place(opened.outputs), -1, grid);
  return studied;
}

std::vector<StudiedResponse> study_loops(const LinearModel& model, int pade) {
  const LinearModel closed = close_loops(model, model.opened);
  std::vector<StudiedResponse> list;
  for (const std::string& signal : model.opened) {
    std::vector<std::string> others = model.opened;
    std::erase(others, signal);
    list.push_back(study_loop(close_loops(model, others), signal, closed, pade));
  }
  return list;
}

LinearStudy study_of(const LinearModel& model, const LinearOrigin& origin, double period) {
  LinearStudy study{close_loops(model, model.opened), {}, origin, "", {}, {}};
  const LinearModel& closed = study.linear;
  study.space = period == 0 ? state_space(closed, origin.pade) : discrete_state_space(closed, origin.pade);
  study.responses = study_loops(model, origin.pade);
  if (closed.inputs.empty() || closed.outputs.empty()) return study;
  const std::vector<double> grid =
      frequency_grid(find_modes(state_space(closed, origin.pade).A), std::nullopt, std::nullopt);
  for (std::size_t k = 0; k < closed.inputs.size() * closed.outputs.size(); ++k) {
    const std::size_t i = k / closed.outputs.size(), o = k % closed.outputs.size();
    const LinearVariable &input = closed.inputs[i], &output = closed.outputs[o];
    if (study.responses.size() == most_responses) {
      study.linear.notes.push_back(
          fmt::format("the first {} responses are shown; name fewer inputs and outputs to see others", most_responses));
      break;
    }
    study.responses.push_back({fmt::format("{} to {}", input.name, output.name), unit_of(output, input),
                               smooth_response(closed, static_cast<Index>(i), static_cast<Index>(o), 1, grid),
                               std::nullopt});
  }
  return study;
}

Analysis analysis_of(const Model& model, const LinearStudy& study, Blocks& blocks, std::vector<std::string>& warnings) {
  const LinearModel& linear = study.linear;
  Analysis analysis;
  analysis.label = study.label;
  analysis.model_name = model.description.name;
  analysis.model_file = study.origin.model_file;
  analysis.model_text = study.origin.model_text;
  analysis.overrides = study.origin.overrides;
  analysis.opened = linear.opened;
  analysis.notes = linear.notes;
  analysis.t = linear.t;
  analysis.period = study.space.period;
  for (const LinearVariable& state : study.space.states) analysis.states.push_back(state.name);
  analysis.model = summary_of(model);
  const auto folder = std::filesystem::path(study.origin.model_file).parent_path();
  analysis.scene = still_scene(model, linear.t, linear.state.q, folder, blocks, analysis.warnings);
  add_modes(model.system, study, blocks, analysis);
  add_responses(study, blocks, analysis);
  add_locus(study, blocks, analysis);
  warnings.insert(warnings.end(), analysis.warnings.begin(), analysis.warnings.end());
  return analysis;
}

}  // namespace gyrostat::report
