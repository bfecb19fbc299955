#include "gyrostat/dynamics/singularity.h"

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/flexible_range.h"

namespace gyrostat {

std::optional<std::string> find_lost_force(const Mechanism& mechanism, const Forces<double>& forces) {
  const System& system = *mechanism.system;
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    if (!to_eigen(forces.wrench[i].torque).allFinite() || !to_eigen(forces.wrench[i].force).allFinite()) {
      return fmt::format("a load on body '{}' is not finite", system.bodies[i].name);
    }
    if (link.motion == JointMotion::modal) continue;
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
      if (!std::isfinite(forces.tau[k])) {
        return fmt::format("the torque of joint '{}' is not finite", system.joints[i].name);
      }
      if (!forces.free[k] && !std::isfinite(forces.udot[k])) {
        return fmt::format("the prescribed acceleration of joint '{}' is not finite", system.joints[i].name);
      }
    }
  }
  for (const FlexibleBody& body : system.flexible) {
    for (std::size_t k = 0; k < body.data.modes(); ++k) {
      if (std::isfinite(forces.tau[body.u + k])) continue;
      return fmt::format("the load on mode {} of flexible body '{}' is not finite", k + 1,
                         system.bodies[body.body].name);
    }
  }
  for (const Wheel& wheel : system.wheels) {
    const bool lost =
        !std::isfinite(forces.tau[wheel.u]) || (!forces.free[wheel.u] && !std::isfinite(forces.udot[wheel.u]));
    if (lost) return fmt::format("what drives wheel '{}.{}' is not finite", system.bodies[wheel.body].name, wheel.name);
  }
  return std::nullopt;
}

std::optional<std::string> find_gimbal_lock(const Mechanism& mechanism, const double* q, const Forces<double>& forces) {
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Joint& joint = mechanism.system->joints[i];
    if (joint.rotations != 3 || !forces.free[joint.u]) continue;
    const JointPosition<double> x = joint_position(mechanism.joints[i], q + joint.q);
    const double volume = dot(x.rotation[0], cross(x.rotation[1], x.rotation[2]));
    if (!(std::abs(volume) < locked_gimbal_volume)) continue;
    const double angle = q[joint.q + mechanism.joints[i].rotation_coordinate + 1u];
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
  for (const FlexibleBody& body : system.flexible) {
    for (std::size_t k = 0; k < body.data.modes(); ++k) {
      if (std::isfinite(q[body.q + k])) continue;
      return fmt::format("mode {} of flexible body '{}' is not finite", k + 1, system.bodies[body.body].name);
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

/// The inward pass once more, for the size of its terms.
std::vector<Terms> find_terms(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                              const Forces<double>& forces) {
  const std::size_t count = mechanism.links.size();
  Forces<double> none(*mechanism.system);
  none.free = forces.free;
  const std::vector<double> still(mechanism.nu);
  ArticulatedBodyData<double> workspace(mechanism);
  std::vector<Articulated<double>> articulated(count);
  std::vector<Terms> terms(count);
  for (auto i = static_cast<std::uint32_t>(count) - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<double>& body = kinematics.bodies[i];
    Articulated<double>& A = articulated[i];
    add_body(mechanism, i, kinematics, still.data(), none, workspace, A);
    const Moments<double> own = moments(link, body.R_NM);
    terms[i].rotation += largest(own.E);
    terms[i].translation += link.mass;
    if (link.flexible != LinkStructure::none) {
      terms[i].rotation += largest(kinematics.deformations[link.flexible].J);
      terms[i].translation += mechanism.flexible[link.flexible].mass;
    }
    if (link.parent == 0) continue;
    // At the body's own point, where what the move adds and takes away is not there yet.
    BodyMotion<double> unmoved = body;
    unmoved.r = {};
    if (link.motion == JointMotion::modal) {
      workspace.flexible.nodes[link.modal_node] = A;
      continue;
    }
    eliminate_joint(link, unmoved, kinematics.S.data() + link.S, none, A, workspace.eliminated.data() + link.u);
    const double r = to_eigen(body.r).norm();
    terms[link.parent].rotation += largest(A.inertia.I) + 2 * r * largest(A.inertia.H) + r * r * largest(A.inertia.M);
    terms[link.parent].translation += largest(A.inertia.M);
    articulated[link.parent].inertia += moved(A.inertia, body.r);
  }
  return terms;
}

Matrix6 matrix_of(const Inertia<double>& A) {
  Matrix6 m;
  m << to_eigen(A.I), to_eigen(A.H), to_eigen(A.H).transpose(), to_eigen(A.M);
  return m;
}

/// Does a motion of a floating body with all that is outboard of it move no mass?
bool floats_without_inertia(const Inertia<double>& articulated, const Terms& terms) {
  if (!(terms.rotation > 0 && terms.translation > 0)) return true;
  Vector6 scale;
  scale << Vector3::Constant(1 / std::sqrt(terms.rotation)), Vector3::Constant(1 / std::sqrt(terms.translation));
  const Matrix6 scaled = scale.asDiagonal() * matrix_of(articulated) * scale.asDiagonal();
  const double least = Eigen::SelfAdjointEigenSolver<Matrix6>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
  return !(least > lost_inertia);
}

bool moves_without_inertia(const Twist<double>& column, double D_inverse, const Terms& terms) {
  const double whole = dot(column.w, column.w) * terms.rotation + dot(column.v, column.v) * terms.translation;
  return !(1 / D_inverse > lost_inertia * whole);
}

/// Why body i with all that is outboard of it has no inertia.
std::string without_inertia(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* q,
                            std::uint32_t i) {
  if (auto indefinite = find_indefinite(mechanism, kinematics, q, i, mechanism.end[i])) return *indefinite;
  return fmt::format("joint '{}' can move at this configuration without moving any mass",
                     mechanism.system->joints[i].name);
}

}  // namespace

std::optional<std::string> find_non_finite_acceleration(const Mechanism& mechanism, const double* q,
                                                        const double* udot) {
  if (auto lost = find_lost_number(*mechanism.system, q)) return lost;
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    if (link.motion == JointMotion::modal) continue;
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
      if (std::isfinite(udot[k])) continue;
      return fmt::format("the acceleration of joint '{}' is not finite", mechanism.system->joints[i].name);
    }
  }
  for (const FlexibleBody& body : mechanism.system->flexible) {
    for (std::size_t k = 0; k < body.data.modes(); ++k) {
      if (std::isfinite(udot[body.u + k])) continue;
      return fmt::format("the acceleration of mode {} of flexible body '{}' is not finite", k + 1,
                         mechanism.system->bodies[body.body].name);
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

std::optional<std::string> find_singularity(const Mechanism& mechanism, const double* q,
                                            const Kinematics<double>& kinematics, const Forces<double>& forces,
                                            const ArticulatedBodyData<double>& workspace, const double* udot) {
  if (auto lost = find_lost_number(*mechanism.system, q)) return lost;
  if (auto lock = find_gimbal_lock(mechanism, q, forces)) return lock;
  const std::vector<Terms> terms = find_terms(mechanism, kinematics, forces);
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    bool lost = false;
    if (link.motion == JointMotion::floating) {
      lost = forces.free[link.u] && floats_without_inertia(workspace.floating[link.floating], terms[i]);
    } else if (link.motion != JointMotion::modal) {
      Twist<double> only;
      const Twist<double>* S = subspace_of(link, kinematics, kinematics.bodies[i], only);
      for (std::uint32_t k = 0; k < link.nu; ++k) {
        const bool free = forces.free[link.u + k];
        lost = lost || (free && moves_without_inertia(S[k], workspace.eliminated[link.u + k].D_inverse, terms[i]));
      }
    }
    if (lost) return without_inertia(mechanism, kinematics, q, i);
  }
  return find_non_finite_acceleration(mechanism, q, udot);
}

}  // namespace gyrostat
