#include "gyrostat/import/dasc_joints.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace gyrostat::dasc {

namespace {

const Body world_body = {{}, Vector3::Zero(), Matrix3::Identity(), Vector3::Zero(), Vector3::Zero(),
                         1,  Vector3::Ones()};

const Body& body_of(const Deck& deck, int number) {
  return model_body(deck, number) == 0 ? world_body : deck.bodies[static_cast<std::size_t>(number) - 1];
}

/// From one direction to another about an axis that is across both.
double angle_about(const Vector3& axis, const Vector3& from, const Vector3& to) {
  return std::atan2(axis.dot(from.cross(to)), from.dot(to));
}

/// A tiny difference is what the deck rounded off.
bool same_rotation(const Matrix3& a, const Matrix3& b) { return (a - b).cwiseAbs().maxCoeff() < 1e-6; }

/// One rotation about `axis`: the child's axes are the parent's at zero, or else the start is at zero.
void set_revolute(ModelJoint& joint, const Vector3& axis, const Matrix3& R_IJ) {
  const Vector3 across = axis.unitOrthogonal();
  const double angle = angle_about(axis, across, R_IJ * across);
  const bool plain = same_rotation(rotation_about(axis, angle), R_IJ);
  joint.orientation = plain ? Matrix3(Matrix3::Identity()) : R_IJ;
  joint.axes = {axis};
  joint.coordinates = {plain ? angle : 0};
}

/// `first` is fixed in I, `second` in J, each in the axes of its body.
void set_universal(ModelJoint& joint, const Vector3& first, const Vector3& second, const Matrix3& R_IJ) {
  const Vector3 seen = R_IJ * second;
  const double angle1 = angle_about(first, (second - first * first.dot(second)).normalized(), seen);
  const Matrix3 rest = rotation_about(first, -angle1) * R_IJ;
  const Vector3 across = second.unitOrthogonal();
  const double angle2 = angle_about(second, across, rest * across);
  const bool plain = std::abs(first.dot(second)) < 0.9 &&
                     same_rotation(rotation_about(first, angle1) * rotation_about(second, angle2), R_IJ);
  joint.orientation = plain ? Matrix3(Matrix3::Identity()) : R_IJ;
  joint.axes = {first, plain ? second : seen};
  joint.coordinates = {plain ? angle1 : 0, plain ? angle2 : 0};
}

}  // namespace

int model_body(const Deck& deck, int body) { return body > static_cast<int>(deck.bodies.size()) ? 0 : body; }

std::string of_time(const Deck& deck, int curve, double constant) {
  const std::string time = deck.t0 == 0 ? "t" : fmt::format("t + {}", deck.t0);
  if (curve == 0) return fmt::format("{}", constant);
  if (curve < 0) return fmt::format("{}({})", curve == -1 ? "sin" : "cos", time);
  return fmt::format("table(curve{}, {})", curve, time);
}

ModelJoint model_joint(const Deck& deck, std::size_t k) {
  const Joint& of = deck.joints[k];
  const Body &i = body_of(deck, of.i), &j = body_of(deck, of.j);
  const Matrix3 R_IJ = i.R_NB.transpose() * j.R_NB;
  const Vector3 axis_i = (of.q_i - of.p_i).normalized(), axis_j = (of.q_j - of.p_j).normalized();
  const Vector3 w_IJ = j.R_NB * j.omega - i.R_NB * i.omega;  // world axes
  const auto about = [&](const Vector3& axis_in_i) { return (i.R_NB * axis_in_i).dot(w_IJ); };
  const Vector3 apart = j.position + j.R_NB * of.p_j - i.position - i.R_NB * of.p_i;

  ModelJoint joint;
  joint.name = fmt::format("joint{}", k + 1);
  joint.parent = model_body(deck, of.i), joint.child = model_body(deck, of.j);
  joint.parent_point = of.p_i, joint.child_point = of.p_j;
  joint.gap = apart.norm();
  switch (of.kind) {
    case JointKind::translational: {
      joint.type = "prismatic";
      joint.orientation = R_IJ, joint.axes = {axis_i};
      const Vector3 along = i.R_NB * axis_i;
      joint.coordinates = {along.dot(apart)};
      const Vector3 v_i = i.velocity + i.R_NB * i.omega.cross(of.p_i),
                    v_j = j.velocity + j.R_NB * j.omega.cross(of.p_j);
      joint.speeds = {along.dot(v_j - v_i - (i.R_NB * i.omega).cross(apart))};
      joint.gap = (apart - along * along.dot(apart)).norm();
      joint.lean = std::asin(std::min(1.0, along.cross(j.R_NB * axis_j).norm()));
      break;
    }
    case JointKind::revolute:
      joint.type = "revolute";
      set_revolute(joint, axis_i, R_IJ);
      joint.speeds = {about(axis_i)};
      joint.lean = std::acos(std::clamp(axis_i.dot(R_IJ * axis_j), -1.0, 1.0));
      break;
    case JointKind::gear: {  // DASC holds the arms in their plane, and drives their angle
      const Vector3 normal = of.p_i.cross(R_IJ * of.p_j);
      joint.type = "revolute";
      set_revolute(joint, normal.isZero(1e-12) ? of.p_i.unitOrthogonal() : normal.normalized(), R_IJ);
      joint.speeds = {about(joint.axes[0])};
      joint.acceleration = of_time(deck, of.drive_curve, of.drive);
      break;
    }
    case JointKind::spherical:
      joint.type = "spherical";
      joint.orientation = R_IJ;
      joint.omega = j.R_NB.transpose() * w_IJ;
      break;
    case JointKind::universal:
      joint.type = "universal";
      set_universal(joint, axis_i, axis_j, R_IJ);
      joint.speeds = {about(axis_i), about(R_IJ * axis_j)};
      joint.lean = std::abs(std::asin(std::clamp(axis_i.dot(R_IJ * axis_j), -1.0, 1.0)));
      break;
  }
  return joint;
}

std::vector<ModelJoint> base_joints(const Deck& deck) {
  std::vector<int> group(deck.bodies.size() + 2);  // the smallest number in it; 0: with a ground
  std::iota(group.begin(), group.end(), 0);
  const auto merge = [&](int a, int b) {
    const int first = std::min(group[static_cast<std::size_t>(a)], group[static_cast<std::size_t>(b)]);
    const int second = std::max(group[static_cast<std::size_t>(a)], group[static_cast<std::size_t>(b)]);
    for (int& g : group) g = g == second ? first : g;
  };
  std::vector<ModelJoint> joints;
  const auto add = [&](const std::string& name, const std::string& type, int body) {
    const Body& of = body_of(deck, body);
    ModelJoint joint;
    joint.name = name, joint.type = type, joint.child = body;
    joint.parent_point = joint.child_point = Vector3::Zero();
    joint.orientation = of.R_NB, joint.position = of.position, joint.velocity = of.velocity, joint.omega = of.omega;
    joints.push_back(joint);
  };
  const int count = static_cast<int>(deck.bodies.size());
  for (int body = 1; body <= count + 1; ++body) {
    if (!deck.is_ground(body)) continue;
    merge(0, body);
    if (body <= count) add(fmt::format("ground{}", body), "weld", body);
  }
  for (const Joint& joint : deck.joints) merge(joint.i, joint.j);
  for (int body = 1; body <= count; ++body) {
    if (group[static_cast<std::size_t>(body)] != body) continue;
    add(body == 1 ? "base" : fmt::format("free{}", body), "free", body);
  }
  return joints;
}

}  // namespace gyrostat::dasc
