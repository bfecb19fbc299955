#include "gyrostat/model/flexible_given.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/flexible/mode_table.h"
#include "gyrostat/flexible/reference_frame.h"
#include "gyrostat/flexible/select_modes.h"

namespace gyrostat {

namespace {

/// A body whose mass is not at nodes gets it from the model file, undeformed.
bool add_stated_mass(const FlexibleDescription& flexible, const std::string& body, FlexibleData& data,
                     Problems& problems) {
  if (!flexible.mass || !flexible.inertia) {
    problems.error("bodies." + body, fmt::format("42's files do not have the body's mass properties: state '{}' here",
                                                 flexible.mass ? "inertia" : "mass"));
    return false;
  }
  FlexibleNode node;
  node.position = flexible.com.value_or(Vector3::Zero());
  node.mass = *flexible.mass;
  node.inertia = *flexible.inertia;
  const auto m = static_cast<Eigen::Index>(data.modes());
  node.shape.translation.setZero(3, m);
  node.shape.rotation.setZero(3, m);
  data.nodes.push_back(std::move(node));
  const ModalIntegrals sums = modal_integrals(data, Vector3::Zero(), FlexibleTerms::ruthless);
  Eigen::MatrixXd M(6 + m, 6 + m);
  M << sums.J0, skew(sums.mc0), sums.Cr0, -skew(sums.mc0), sums.mass * Matrix3::Identity(), sums.Ct0,
      sums.Cr0.transpose(), sums.Ct0.transpose(), sums.Me;
  if (Eigen::LLT<Eigen::MatrixXd>(M).info() == Eigen::Success) return true;
  problems.error("bodies." + body,
                 "the modes of 42's files have more momentum than this mass and inertia can have: are they of this "
                 "body, and the integrals about its origin?");
  return false;
}

void drop_second_order(FlexibleData& data) {
  data.second_order = false;
  data.unit_loads.reset();
  for (FlexibleNode& node : data.nodes) {
    node.shape.translation2.resize(3, 0);
    node.shape.rotation2.resize(3, 0);
  }
}

/// The data in a frame at this node.
FlexibleData seen_at(FlexibleData data, const std::string& name, FlexibleTerms terms) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < data.nodes.size(); ++i) {
    if (data.nodes[i].name == name) {
      if (i == data.frame_node) return data;
      if (terms != FlexibleTerms::stiffened && data.unit_loads) drop_second_order(data);
      return referenced_to(data, i);
    }
    if (!data.nodes[i].name.empty()) known.push_back(data.nodes[i].name);
  }
  throw std::invalid_argument(
      fmt::format("a joint attaches at node '{}', which the data do not have{}", name, did_you_mean(name, known)));
}

std::string_view direction_name(Eigen::Index i) {
  constexpr std::array<std::string_view, 6> names = {"mass along x",    "mass along y",    "mass along z",
                                                     "inertia about x", "inertia about y", "inertia about z"};
  return names[static_cast<std::size_t>(i)];
}

}  // namespace

bool take_given_data(BodyDescription& body, const std::string& inboard, const std::string& path, Problems& problems) {
  FlexibleDescription& flexible = *body.flexible;
  try {
    FlexibleData data = *flexible.given;
    if (data.integrals && !add_stated_mass(flexible, body.name, data, problems)) return false;
    if (!inboard.empty()) data = seen_at(std::move(data), inboard, flexible.terms);
    if (flexible.selects_modes) {
      const Vector3 point =
          data.frame_node == FlexibleData::floating ? Vector3(Vector3::Zero()) : data.nodes[data.frame_node].position;
      data = selected_modes(data, flexible.modes.selection, point);
    }
    flexible.data = std::move(data);
    return true;
  } catch (const std::invalid_argument& error) {
    problems.error(path, error.what());
  }
  return false;
}

void warn_of_modes(const Description& description, const BodyDescription& body, const std::string& path,
                   Problems& problems) {
  const FlexibleDescription& flexible = *body.flexible;
  if (flexible.data.modes() == 0) return;
  const ModeTable table = mode_table(flexible.data);
  const double first = table.modes.front().frequency, interval = description.output.interval;
  if (first > 1e4 || first < 1e-4) {
    problems.warning(path, fmt::format("the first mode has {:.3g} Hz: are stiffness and mass in N, m and kg?", first));
  }
  if (interval > 0 && first * interval > 0.25 && first <= 1e4) {
    problems.warning("output.interval",
                     fmt::format("the first mode of '{}' has a period of {:.3g} s, fewer than four records; use at "
                                 "most {:.3g} s to see it",
                                 body.name, 1 / first, 0.25 / first));
  }
  for (std::size_t k = 0; k < table.modes.size(); ++k) {
    if (table.modes[k].damping_ratio <= 1) continue;
    problems.warning(path + ".damping",
                     fmt::format("mode {} has the damping ratio {:.3g}: above 1 it does not oscillate", k + 1,
                                 table.modes[k].damping_ratio));
    break;
  }
  if (flexible.report.massless_static > 0) {
    const bool one = flexible.report.massless_static == 1;
    problems.warning(path,
                     fmt::format("{} static mode{} of joint nodes move{} no mass and {} left out",
                                 flexible.report.massless_static, one ? "" : "s", one ? "s" : "", one ? "is" : "are"));
  }
  const bool counts =
      std::holds_alternative<ModeCount>(flexible.modes.selection) && (flexible.beam || flexible.selects_modes);
  Eigen::Index worst = 0;
  // Directions in which the modes have next to none, as along a beam that does not stretch, are not meant.
  Vector6 out = table.left_out();
  for (Eigen::Index i = 0; i < 6; ++i) out(i) = out(i) < 0.99 ? out(i) : 0;
  if (const double most = out.maxCoeff(&worst); counts && most > 0.5) {
    problems.warning(path + ".modes", fmt::format("the modes leave out {:.0f} % of the effective {}; more modes would "
                                                  "have more of it",
                                                  100 * most, direction_name(worst)));
  }
}

}  // namespace gyrostat
