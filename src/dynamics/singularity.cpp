#include "gyrostat/dynamics/singularity.h"

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "gyrostat/dynamics/articulated_body_sweeps.h"

namespace gyrostat {

std::optional<std::string> find_lost_force(const Mechanism& mechanism, const Forces<double>& forces) {
  const System& system = *mechanism.system;
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    if (!to_eigen(forces.wrench[i].torque).allFinite() || !to_eigen(forces.wrench[i].force).allFinite()) {
      return fmt::format("a load on body '{}' is not finite", system.bodies[i].name);
    }
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
      if (!std::isfinite(forces.tau[k]))
        return fmt::format("the torque of joint '{}' is not finite", system.joints[i].name);
      if (link.motion == Motion::prescribed && !std::isfinite(forces.udot[k])) {
        return fmt::format("the prescribed acceleration of joint '{}' is not finite", system.joints[i].name);
      }
    }
  }
  for (const Wheel& wheel : system.wheels) {
    const bool lost =
        !std::isfinite(forces.tau[wheel.u]) || (wheel.speed_prescribed && !std::isfinite(forces.udot[wheel.u]));
    if (lost) return fmt::format("what drives wheel '{}.{}' is not finite", system.bodies[wheel.body].name, wheel.name);
  }
  return std::nullopt;
}

std::optional<std::string> find_gimbal_lock(const Mechanism& mechanism, const double* q) {
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Joint& joint = mechanism.system->joints[i];
    if (joint.rotations != 3 || joint.motion != Motion::free) continue;
    const JointPosition<double> x = joint_position(joint, q + joint.q);
    const double volume = dot(x.turn[0], cross(x.turn[1], x.turn[2]));
    if (!(std::abs(volume) < locked_gimbal_volume)) continue;
    const double angle = q[joint.q + x.first_turn + 1u];
    return fmt::format(
        "joint '{}' is at gimbal lock: at angle2 = {:.9g} deg its three axes lie in a plane, and its rates do not "
        "determine the motion; use a spherical joint, or axes in another order",
        joint.name, angle * 180 / std::numbers::pi);
  }
  return std::nullopt;
}

namespace {

std::optional<std::string> find_lost_number(const System& system, const double* q) {
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    for (std::size_t k = joint.q; k < joint.q + joint.nq; ++k) {
      if (!std::isfinite(q[k])) return fmt::format("a coordinate of joint '{}' is not finite", joint.name);
    }
  }
  return std::nullopt;
}

/// How large the terms are that a body's articulated inertia is the sum of, whether or not they cancel.
struct Terms {
  double rotation = 0, translation = 0;  // [kg m^2], [kg]
};

double largest(const Sym3<double>& m) { return to_eigen(m).cwiseAbs().maxCoeff(); }
double largest(const Mat3<double>& m) { return to_eigen(m).cwiseAbs().maxCoeff(); }

/// The inward sweep once more, with an eye on its terms.
std::vector<Terms> find_terms(const Mechanism& mechanism, const Kinematics<double>& kinematics) {
  const std::size_t count = mechanism.links.size();
  const Forces<double> none(*mechanism.system);
  const std::vector<double> still(mechanism.nu);
  std::vector<ArticulatedColumn<double>> columns(mechanism.nu);
  std::vector<Gathered<double>> gathered(count);
  std::vector<Terms> terms(count);
  for (auto i = static_cast<std::uint32_t>(count) - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<double>& body = kinematics.bodies[i];
    Gathered<double>& A = gathered[i];
    add_body(mechanism, i, body, still.data(), none, A);
    const Moments<double> own = moments(link, body.R);
    terms[i].rotation += largest(own.E);
    terms[i].translation += link.mass;
    if (link.parent == 0) continue;
    Column<double> only;
    absorb_joint(link, body, columns_of(link, kinematics, body, only), none, A, columns.data() + link.u);
    const double r = to_eigen(body.r).norm();
    terms[link.parent].rotation += largest(A.inertia.I) + 2 * r * largest(A.inertia.H) + r * r * largest(A.inertia.M);
    terms[link.parent].translation += largest(A.inertia.M);
    gathered[link.parent].inertia += moved(A.inertia, body.r);
  }
  return terms;
}

Matrix6 matrix_of(const Inertia<double>& A) {
  Matrix6 m;
  m << to_eigen(A.I), to_eigen(A.H), to_eigen(A.H).transpose(), to_eigen(A.M);
  return m;
}

/// Can a floating body with all that hangs on it be moved for nothing?
bool floats_without_inertia(const Inertia<double>& articulated, const Terms& terms) {
  if (!(terms.rotation > 0 && terms.translation > 0)) return true;
  Vector6 scale;
  scale << Vector3::Constant(1 / std::sqrt(terms.rotation)), Vector3::Constant(1 / std::sqrt(terms.translation));
  const Matrix6 scaled = scale.asDiagonal() * matrix_of(articulated) * scale.asDiagonal();
  const double least = Eigen::SelfAdjointEigenSolver<Matrix6>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
  return !(least > lost_inertia);
}

bool moves_without_inertia(const Column<double>& column, double per_D, const Terms& terms) {
  const double whole = dot(column.w, column.w) * terms.rotation + dot(column.v, column.v) * terms.translation;
  return !(1 / per_D > lost_inertia * whole);
}

}  // namespace

std::optional<std::string> find_singularity(const Mechanism& mechanism, const double* q,
                                            const Kinematics<double>& kinematics,
                                            const ArticulatedBody<double>& workspace, const double* udot) {
  if (auto lost = find_lost_number(*mechanism.system, q)) return lost;
  if (auto lock = find_gimbal_lock(mechanism, q)) return lock;
  const std::vector<Terms> terms = find_terms(mechanism, kinematics);
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    const std::string& name = mechanism.system->joints[i].name;
    bool lost =
        link.subspace == Subspaces::floating && floats_without_inertia(workspace.floating[link.floats], terms[i]);
    if (link.motion == Motion::free && link.subspace != Subspaces::floating) {
      Column<double> only;
      const Column<double>* columns = columns_of(link, kinematics, kinematics.bodies[i], only);
      for (std::uint32_t k = 0; k < link.nu; ++k) {
        lost = lost || moves_without_inertia(columns[k], workspace.columns[link.u + k].per_D, terms[i]);
      }
    }
    if (lost) return fmt::format("joint '{}' can move at this configuration without moving any mass", name);
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
      if (!std::isfinite(udot[k])) return fmt::format("the acceleration of joint '{}' is not finite", name);
    }
  }
  for (const Wheel& wheel : mechanism.system->wheels) {
    if (!std::isfinite(udot[wheel.u])) {
      return fmt::format("the acceleration of wheel '{}.{}' is not finite", mechanism.system->bodies[wheel.body].name,
                         wheel.name);
    }
  }
  return std::nullopt;
}

}  // namespace gyrostat
