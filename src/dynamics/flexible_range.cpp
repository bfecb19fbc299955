#include "gyrostat/dynamics/flexible_range.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

namespace gyrostat {

namespace {

double deflection_of(const FlexibleData& data, const double* eta) {
  const Eigen::Map<const Eigen::VectorXd> modal(eta, static_cast<Eigen::Index>(data.modes()));
  const Vector3 frame =
      data.frame_node == FlexibleData::floating ? Vector3(Vector3::Zero()) : data.nodes[data.frame_node].position;
  double most = 0, size = 0;
  for (const FlexibleNode& node : data.nodes) {
    most = std::max(most, (node.shape.translation * modal).norm());
    size = std::max(size, (node.position - frame).norm());
  }
  return size > 0 ? most / size : 0;
}

/// What is left of the frame's inertia when the modes are free must be positive.
bool is_indefinite(const FlexibleOf<double>& body, const Kinematics<double>& kinematics, std::size_t k) {
  if (body.terms == FlexibleTerms::ruthless) return false;
  const Deformation<double>& d = kinematics.deformations[k];
  Matrix6 own;
  own << to_eigen(d.J), skew(to_eigen(d.mc)), -skew(to_eigen(d.mc)), body.mass * Matrix3::Identity();
  const double rotation = std::sqrt(to_eigen(d.J).cwiseAbs().maxCoeff()), translation = std::sqrt(body.mass);
  for (std::uint32_t a = 0; a < body.modes; ++a) {
    const Wrench<double>& C = kinematics.modes[body.modal + a].C;
    Vector6 column;
    column << to_eigen(C.torque), to_eigen(C.force);
    own -= column * column.transpose();
  }
  Vector6 scale;
  scale << Vector3::Constant(1 / rotation), Vector3::Constant(1 / translation);
  constexpr double rounding = 1e-9;
  const Matrix6 scaled = scale.asDiagonal() * own * scale.asDiagonal();
  return Eigen::LLT<Matrix6>(scaled + rounding * Matrix6::Identity()).info() != Eigen::Success;
}

}  // namespace

FlexibleRange range_of(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* q,
                       std::size_t k) {
  const FlexibleOf<double>& body = mechanism.flexible[k];
  const FlexibleData& data = mechanism.system->flexible[k].data;
  FlexibleRange range;
  if (body.modes == 0) return range;
  const double first = std::sqrt(data.stiffness(0, 0)), rate = to_eigen(kinematics.bodies[body.body].w).norm();
  if (body.terms != FlexibleTerms::stiffened) range.spin = rate / first;
  range.deflection = deflection_of(data, q + body.q);
  range.indefinite = is_indefinite(body, kinematics, k);
  return range;
}

std::optional<std::string> find_indefinite(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                           const double* q, std::uint32_t first, std::uint32_t end) {
  for (std::size_t k = 0; k < mechanism.flexible.size(); ++k) {
    const std::uint32_t body = mechanism.flexible[k].body;
    if (body < first || body >= end) continue;
    const FlexibleRange range = range_of(mechanism, kinematics, q, k);
    if (!range.indefinite) continue;
    return fmt::format(
        "flexible body '{}' is deflected by {:.2g} of its size, so far that its mass matrix is indefinite: its shapes "
        "are of small deflections; divide it into several bodies, or make it stiffer",
        mechanism.system->bodies[body].name, range.deflection);
  }
  return std::nullopt;
}

std::string spin_warning(std::string_view body, double spin) {
  return fmt::format(
      "flexible body '{}' turns at {:.2g} of its first frequency; without stiffening by spin its frequencies are wrong "
      "by 5 per cent from {} on: use 'terms: stiffened'",
      body, spin, most_spin);
}

std::string deflection_warning(std::string_view body, double deflection) {
  return fmt::format(
      "flexible body '{}' is deflected by {:.2g} of its size; its shapes are of small deflections, up to {}: divide it "
      "into several bodies",
      body, deflection, most_deflection);
}

}  // namespace gyrostat
