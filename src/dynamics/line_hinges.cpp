#include "gyrostat/dynamics/line_hinges.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace gyrostat {

std::string outside_domain_of_line_hinges(const System& system) {
  if (!system.constraints.empty()) return beyond_a_tree(system.constraints.front());
  if (!system.wheels.empty()) {
    const Wheel& wheel = system.wheels.front();
    return "body '" + system.bodies[wheel.body].name + "' has wheel '" + wheel.name + "'";
  }
  if (system.body_count() == 0) return "there are no bodies";
  double mass = 0;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    const std::string name = "joint '" + joint.name + "'";
    mass += system.bodies[i].mass_properties.mass;
    if (i == 1) {
      if (joint.type != JointType::free) return name + " of the base is not free";
      if (joint.motion == Motion::locked) return name + " of the base is locked";
      if (joint.motion == Motion::prescribed) return name + " of the base is prescribed";
      if (joint.may_lock) return name + " of the base may be held in a run";
      continue;
    }
    if (system.parent[i] == 0) return name + " is a second one at the world";
    if (joint.type == JointType::free || joint.translations > 0) return name + " translates";
  }
  return mass > 0 ? "" : "no body has mass";
}

std::string held_small_joint(const System& system, std::span<const std::uint32_t> small) {
  for (const std::uint32_t i : small) {
    if (!system.joints[i].may_lock) continue;
    return "joint '" + system.joints[i].name +
           "' may be held in a run by a latch, friction or a stop, and its matrix is factored once";
  }
  return {};
}

namespace {

/// Right-handed axes with `z` as the third.
Matrix3 axes_along(const Vector3& z) {
  Matrix3 A;
  A << z.unitOrthogonal(), z.cross(z.unitOrthogonal()), z;
  return A;
}

Matrix3 about_z(double angle) { return rotation_about(Vector3::UnitZ(), angle); }

/// (2)
Matrix3 of_particle(double mass, const Vector3& r) {
  return mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
}

/// What is known of the bodies while the tree is made.
struct Making {
  std::vector<std::uint32_t> host;    // by number in the System: its place in LineHinges::bodies
  std::vector<Pose> X_host;           // by number in the System: its frame in the host's
  std::vector<MassProperties> whole;  // by host, in its frame
  std::vector<Matrix3> left_out;      // by host: inertias whose gyroscopic torque is left out
};

void join(const System& system, const DynamicsSettings& settings, std::uint32_t i, Making& making) {
  const std::uint32_t k = making.host[i];
  const MassProperties part = in_frame(making.X_host[i], system.bodies[i].mass_properties);
  making.whole[k] = combined(making.whole[k], part);
  if (!settings.gyroscopic[i]) making.left_out[k] += part.inertia;
}

void add_weld(const Joint& joint, std::uint32_t i, const Pose& inboard, const Vector3& link, LineHinges& tree,
              Making& making) {
  const Matrix3 R = inboard.R * (joint.reversed ? Matrix3(joint.R_0.transpose()) : joint.R_0);
  making.X_host[i] = {R, link - R * base_point(joint)};
  tree.welded.push_back({i, making.host[i], cast<double>(link)});
}

/// The hinges of a joint, from the inboard body outward: R_hk = Q Rz Q Rz .. . Where the joint is reversed the user's
/// last axis comes first, and each turns the other way about: R(a, -angle) = R(-a, angle).
Matrix3 add_hinges(const Joint& joint, std::uint32_t joint_number, const Matrix3& R_inboard, bool small,
                   const Eigen::VectorXd& about, std::uint32_t body, LineHinges& tree) {
  Matrix3 before = R_inboard * (joint.reversed ? Matrix3(joint.R_0.transpose()) : Matrix3(Matrix3::Identity()));
  for (std::uint32_t n = 0; n < joint.rotations; ++n) {
    const std::uint32_t i = joint.reversed ? joint.rotations - 1 - n : n;
    const Matrix3 A = axes_along(joint.reversed ? Vector3(-joint.a[i]) : joint.a[i]);
    LineHinge hinge;
    hinge.body = body;
    hinge.q = joint.q + i;
    hinge.u = joint.u + i;
    hinge.joint = joint_number;
    hinge.built_free = joint.motion == Motion::free;
    hinge.small = small;
    if (small) hinge.about = about[static_cast<Eigen::Index>(hinge.q)];
    hinge.Q = cast<double>(Matrix3(before * A * about_z(hinge.about)));
    before = A.transpose();
    tree.hinges.push_back(hinge);
  }
  return joint.reversed ? before : Matrix3(before * joint.R_0);  // from the user's axes to the last hinge's
}

/// The three axes of a spherical joint. The frame of its body has the user's axes.
void add_ball(const Joint& joint, const Matrix3& R_inboard, bool small, const Eigen::VectorXd& about, HingedBody& body,
              std::uint32_t k, LineHinges& tree) {
  body.kind = joint.reversed ? HingeKind::reversed_ball : HingeKind::ball;
  const double* q = about.data() + joint.q;
  body.about = {q[0], q[1], q[2], q[3]};
  for (std::uint32_t i = 0; i < 3; ++i) {
    LineHinge hinge;
    hinge.Q = cast<double>(R_inboard);
    hinge.body = k;
    hinge.q = joint.q;
    hinge.u = joint.u + i;
    hinge.joint = body.number;
    hinge.built_free = joint.motion == Motion::free;
    hinge.small = small;
    tree.hinges.push_back(hinge);
  }
}

void add_joint(const System& system, const DynamicsSettings& settings, std::uint32_t i, bool small, LineHinges& tree,
               Making& making) {
  const Joint& joint = system.joints[i];
  HingedBody body;
  body.number = i;
  body.hinge = static_cast<std::uint32_t>(tree.hinges.size());
  making.host[i] = static_cast<std::uint32_t>(tree.bodies.size());
  Matrix3 R_user = Matrix3::Identity();
  if (i > 1) {
    const std::uint32_t parent = system.parent[i];
    const Pose& inboard = making.X_host[parent];
    const Vector3 link = inboard * (joint.reversed ? joint.child_point : joint.parent_point);
    if (joint.nu == 0) {
      making.host[i] = making.host[parent];
      add_weld(joint, i, inboard, link, tree, making);
      return;
    }
    body.parent = making.host[parent];
    body.link = cast<double>(link);
    if (joint.type == JointType::spherical) {
      add_ball(joint, inboard.R, small, settings.about, body, making.host[i], tree);
    } else {
      R_user = add_hinges(joint, i, inboard.R, small, settings.about, making.host[i], tree);
    }
    body.hinges = static_cast<std::uint32_t>(tree.hinges.size()) - body.hinge;
  }
  making.X_host[i] = {R_user, -(R_user * base_point(joint))};
  making.whole.emplace_back();
  making.left_out.emplace_back(Matrix3::Zero());
  tree.bodies.push_back(body);
}

/// Barycentres and augmented bodies: to each body is added, at every hinge, the mass of the branch beyond it.
void augment(const Making& making, LineHinges& tree) {
  const std::size_t count = tree.bodies.size();
  std::vector<double> branch(count);  // mass of a body and those outboard of it
  for (std::size_t k = count; k-- > 0;) {
    branch[k] += making.whole[k].mass;
    tree.bodies[k].end = std::max(tree.bodies[k].end, static_cast<std::uint32_t>(k + 1));
    if (k == 0) continue;
    HingedBody& parent = tree.bodies[tree.bodies[k].parent];
    branch[tree.bodies[k].parent] += branch[k];
    parent.end = std::max(parent.end, tree.bodies[k].end);
  }
  tree.mass = branch[0];
  std::vector<Vector3> b(count);
  for (std::size_t k = 0; k < count; ++k) b[k] = making.whole[k].mass * making.whole[k].com / tree.mass;
  for (std::size_t k = 1; k < count; ++k)
    b[tree.bodies[k].parent] += branch[k] * to_eigen(tree.bodies[k].link) / tree.mass;
  std::vector<Matrix3> Phi(count);
  for (std::size_t k = 0; k < count; ++k) {
    const MassProperties& whole = making.whole[k];
    Phi[k] =
        whole.inertia + of_particle(whole.mass, whole.com - b[k]) + of_particle(tree.mass - branch[k], b[k]);  // (2)
    if (k == 0) continue;
    const std::uint32_t h = tree.bodies[k].parent;
    Phi[h] += of_particle(branch[k], to_eigen(tree.bodies[k].link) - b[h]);  // (2)
  }
  for (std::size_t k = 0; k < count; ++k) {
    HingedBody& body = tree.bodies[k];
    body.D = cast<double>(Vector3(-b[k]));  // (1)
    body.Phi = symmetric(Phi[k]);
    body.left_out = symmetric(making.left_out[k]);
    body.gyroscopic = making.left_out[k].isZero(0);
  }
}

}  // namespace

LineHinges::LineHinges(const System& system, const DynamicsSettings& settings,
                       const std::vector<std::uint32_t>& small) {
  const std::size_t count = system.bodies.size();
  Making making{std::vector<std::uint32_t>(count), std::vector<Pose>(count), {}, {}};
  base_reversed = system.joints[1].reversed;
  for (const Joint& joint : system.joints) names.push_back(joint.name);
  for (std::uint32_t i = 1; i < count; ++i) {
    const bool is_small = std::ranges::find(small, i) != small.end();
    add_joint(system, settings, i, is_small, *this, making);
    join(system, settings, i, making);
  }
  augment(making, *this);
}

void require_choice(const LineHinges& tree, const Forces<double>& forces, std::string_view formulation,
                    std::span<const std::uint32_t> fixed) {
  for (std::size_t k = 0; k < 6; ++k) {
    if (forces.free[k]) continue;
    throw std::invalid_argument(fmt::format("{} cannot lock or prescribe joint '{}' of the base", formulation,
                                            tree.names[tree.bodies[0].number]));
  }
  for (const std::uint32_t s : fixed) {
    const LineHinge& hinge = tree.hinges[s];
    if (forces.free[hinge.u] == hinge.built_free) continue;
    throw std::invalid_argument(
        fmt::format("{} was built with joint '{}' {}, and its matrix is factored once: it must stay so", formulation,
                    tree.names[hinge.joint], hinge.built_free ? "free" : "locked or prescribed"));
  }
}

State at_rest(const System& system, const Eigen::VectorXd& q) {
  State state{q, Eigen::VectorXd::Zero(system.initial.u.size())};
  state.q.segment<4>(3) << 1, 0, 0, 0;
  return state;
}

}  // namespace gyrostat
