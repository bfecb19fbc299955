#include "gyrostat/dynamics/mechanism.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace gyrostat {

namespace {

// clang-format off
double value_of(double x) { return x; }
double without_value(double) { return 0; }
template <std::size_t N> double value_of(const Dual<N>& x) { return x.value; }
template <std::size_t N> Dual<N> without_value(Dual<N> x) { x.value = 0; return x; }
template <class C> Vector3 value_of(const Vec3<C>& a) { return {value_of(a.x), value_of(a.y), value_of(a.z)}; }
// clang-format on

template <class C>
Mat3<C> identity() {
  return cast<C>(Matrix3(Matrix3::Identity()));
}

/// R^T E R
template <class C>
Sym3<C> in_axes_of(const Mat3<C>& R, const Sym3<C>& E) {
  const Vec3<C> x = E * R.x, y = E * R.y, z = E * R.z;
  return {dot(R.x, x), dot(R.y, y), dot(R.z, z), dot(R.x, y), dot(R.x, z), dot(R.y, z)};
}

/// A rotation whose z column is `axis`; the identity where that is z. Which one, is chosen by values: the numbers of
/// it may be differentiated.
template <class C>
Mat3<C> frame_with_z(const Vec3<C>& axis) {
  using std::sqrt;
  const Vector3 value = value_of(axis);
  const C zero(0.0), one(1.0);
  if (value == Vector3::UnitZ()) {  // the shortest turn from z
    const C x = zero - axis.y, y = axis.x, c = axis.z, h = one / (one + c);
    return {{c + h * x * x, h * x * y, zero - y}, {h * x * y, c + h * y * y, x}, {y, zero - x, c}};
  }
  int smallest = 0;
  value.cwiseAbs().minCoeff(&smallest);
  const Vec3<C> across = cross(axis, cast<C>(Vector3(Vector3::Unit(smallest))));
  const C length = sqrt(dot(across, across));
  const Vec3<C> x = {across.x / length, across.y / length, across.z / length};
  return {x, cross(axis, x), axis};
}

/// Rotation about z that makes the value of the xy element of R^T E R vanish.
template <class C>
Mat3<C> diagonalising_turn(const Sym3<C>& E) {
  const double xy = value_of(E.xy);
  if (xy == 0) return identity<C>();
  const double angle = 0.5 * std::atan2(2 * xy, value_of(E.xx) - value_of(E.yy));
  return cast<C>(rotation_about(Vector3::UnitZ(), angle));
}

JointMotion motion_of(const Joint& joint, bool from_world) {
  if (joint.type == JointType::free && from_world && !joint.reversed) return JointMotion::floating;
  if (joint.nu != 1) return JointMotion::general;
  return joint.rotations == 1 ? JointMotion::revolute : JointMotion::prismatic;
}

JointStructure structure_of(const Joint& joint) {
  JointStructure s;
  s.quaternion = has_quaternion(joint.type);
  s.free = joint.type == JointType::free;
  s.reversed = joint.reversed;
  if (s.quaternion) {
    s.rotations = 3;
    s.translations = s.first_translation = s.rotation_coordinate = s.free ? 3 : 0;
  } else {
    s.rotations = joint.rotations;
    s.translations = joint.translations;
    s.first_rotation = s.rotation_coordinate = joint.rotation_first ? 0 : joint.translations;
    s.first_translation = s.translation_coordinate = joint.rotation_first ? joint.rotations : 0;
  }
  return s;
}

/// Integral of x x^T dm about the base point, B axes.
template <class C>
Sym3<C> second_moments(const MassNumbers<C>& body, const Vec3<C>& base) {
  const Vec3<C> c = body.com - base, mc = body.mass * c;
  const Sym3<C>& J = body.inertia;
  const C half = C(0.5) * (J.xx + J.yy + J.zz);
  return {half - J.xx + mc.x * c.x, half - J.yy + mc.y * c.y, half - J.zz + mc.z * c.z,
          mc.x * c.y - J.xy,        mc.x * c.z - J.xz,        mc.y * c.z - J.yz};
}

JointNumbers<double> numbers_of(const Joint& joint) {
  JointNumbers<double> n;
  for (std::size_t k = 0; k < joint.translations; ++k) n.d[k] = cast<double>(joint.d[k]);
  for (std::size_t k = 0; k < joint.rotations; ++k) n.a[k] = cast<double>(joint.a[k]);
  n.R_0 = cast<double>(joint.R_0);
  n.parent_point = cast<double>(joint.parent_point);
  n.child_point = cast<double>(joint.child_point);
  return n;
}

/// Frames and folded constants of body i and its inboard joint.
template <class C>
void set_link(std::uint32_t i, const MassNumbers<C>& body, MechanismOf<C>& m) {
  LinkOf<C>& link = m.links[i];
  const JointOf<C>& joint = m.joints[i];
  BodyNumbers<C>& frames = m.bodies[i];
  const BodyNumbers<C>& parent = m.bodies[link.parent];
  frames.mass_properties = body;
  frames.base = joint.reversed ? joint.parent_point : joint.child_point;

  // The joint's axes F at zero coordinates in the inboard body's B, and those of this body's B that lie along them.
  Mat3<C> R_inboard_F = identity<C>(), R_BF = identity<C>();
  if (link.motion == JointMotion::revolute || link.motion == JointMotion::prismatic) {
    const Vec3<C>& axis = link.motion == JointMotion::revolute ? joint.a[0] : joint.d[0];
    const Mat3<C> Q = frame_with_z(joint.reversed ? -axis : axis), turned = transposed(joint.R_0) * Q;
    R_inboard_F = joint.reversed ? turned : Q;
    R_BF = joint.reversed ? Q : turned;
  }
  const Sym3<C> E_B = second_moments(body, frames.base);
  const Mat3<C> R_FM = diagonalising_turn(in_axes_of(R_BF, E_B));
  frames.R_BM = R_BF * R_FM;
  frames.J = in_axes_of(frames.R_BM, body.inertia);
  link.R_PF = transposed(parent.R_BM) * (R_inboard_F * R_FM);
  const Vec3<C>& inboard_point = joint.reversed ? joint.child_point : joint.parent_point;
  link.p_PF = transpose_times(parent.R_BM, inboard_point - parent.base);

  link.mass = body.mass;
  link.mc = body.mass * transpose_times(frames.R_BM, body.com - frames.base);
  const Sym3<C> E = in_axes_of(frames.R_BM, E_B);
  link.e0 = E.yy;
  link.e1 = E.xx - E.yy;
  link.e = {E.xz, E.yz, C(0.5) * (E.zz - E.yy)};
  link.e_xy = without_value(E.xy);
}

/// The first child of body i is i + 1; what others hand inwards goes through memory.
template <class C>
void place_branch_sums(MechanismOf<C>& m) {
  for (auto i = static_cast<std::uint32_t>(m.links.size()) - 1; i > 0; --i) {
    LinkOf<C>& parent = m.links[m.links[i].parent];
    if (m.links[i].parent == i - 1 || parent.branch_sum != 0) continue;
    parent.branch_sum = static_cast<std::uint32_t>(m.branch_sums++);
    m.links[i].starts_sum = true;
  }
}

}  // namespace

SystemNumbers<double> numbers_of(const System& system) {
  SystemNumbers<double> numbers;
  for (const Body& body : system.bodies) {
    const MassProperties& p = body.mass_properties;
    numbers.bodies.push_back({p.mass, cast<double>(p.com), symmetric(p.inertia)});
  }
  for (const Joint& joint : system.joints) numbers.joints.push_back(numbers_of(joint));
  for (const Wheel& wheel : system.wheels) numbers.wheels.push_back({cast<double>(wheel.axis), wheel.inertia});
  return numbers;
}

JointOf<double> joint_of(const Joint& joint) { return {structure_of(joint), numbers_of(joint)}; }

template <class C>
MechanismOf<C>::MechanismOf(const System& of) requires std::is_same_v<C, double>
    : MechanismOf(of, DynamicsSettings(of)) {}

template <class C>
MechanismOf<C>::MechanismOf(const System& of, const DynamicsSettings& settings) requires std::is_same_v<C, double>
    : MechanismOf(of, numbers_of(of), settings) {}

template <class C>
MechanismOf<C>::MechanismOf(const System& of, const SystemNumbers<C>& numbers, const DynamicsSettings& settings)
    : system(&of),
      links(of.bodies.size()),
      bodies(links.size()),
      wheel_of(links.size() + 1, 0),
      nq(static_cast<std::size_t>(of.initial.q.size())),
      nu(static_cast<std::size_t>(of.initial.u.size())) {
  bodies[0].R_BM = identity<C>();
  joints.push_back({{}, numbers.joints[0]});
  for (std::uint32_t i = 1; i < links.size(); ++i) {
    const Joint& joint = of.joints[i];
    joints.push_back({structure_of(joint), numbers.joints[i]});
    LinkOf<C>& link = links[i];
    link.parent = of.parent[i];
    link.q = joint.q;
    link.u = joint.u;
    link.nu = joint.nu;
    link.motion = motion_of(joint, link.parent == 0);
    link.gyroscopic = settings.gyroscopic[i];
    set_link(i, numbers.bodies[i], *this);
    if (link.motion == JointMotion::revolute) revolute.push_back(i);
    if (link.motion == JointMotion::floating) {
      link.floating = static_cast<std::uint32_t>(floating.size());
      floating.push_back(i);
    }
  }
  for (std::size_t k = 0; k < of.wheels.size(); ++k) {
    const std::uint32_t body = of.wheels[k].body;
    const WheelNumbers<C>& wheel = numbers.wheels[k];
    wheels.push_back({{body, of.wheels[k].u}, {transpose_times(bodies[body].R_BM, wheel.axis), wheel.inertia}});
    links[body].wheels = true;
    ++wheel_of[body + 1];
  }
  for (std::size_t i = 1; i < wheel_of.size(); ++i) wheel_of[i] += wheel_of[i - 1];

  end.resize(links.size());
  for (std::uint32_t i = 0; i < links.size(); ++i) end[i] = i + 1;
  for (auto i = static_cast<std::uint32_t>(links.size()) - 1; i > 0; --i) {
    end[links[i].parent] = std::max(end[links[i].parent], end[i]);
  }
  place_branch_sums(*this);
}

template struct MechanismOf<double>;
template MechanismOf<Dual<8>>::MechanismOf(const System&, const SystemNumbers<Dual<8>>&, const DynamicsSettings&);
template MechanismOf<Dual<4>>::MechanismOf(const System&, const SystemNumbers<Dual<4>>&, const DynamicsSettings&);

std::string structural_difference(const Mechanism& a, const Mechanism& b) {
  if (a.links.size() != b.links.size()) {
    return fmt::format("one has {} bodies and the other {}", a.body_count(), b.body_count());
  }
  for (std::size_t i = 1; i < a.links.size(); ++i) {
    const Link &x = a.links[i], &y = b.links[i];
    const std::string& name = a.system->bodies[i].name;
    if (x.parent != y.parent) return fmt::format("body '{}' has another parent", name);
    if (x.gyroscopic != y.gyroscopic) return fmt::format("the gyroscopic torque of body '{}' is left out of one", name);
    const JointStructure &j = a.joints[i], &k = b.joints[i];
    if (!(j == k) || !(static_cast<const LinkStructure&>(x) == y)) {
      return fmt::format("joint '{}' is of another type or direction", a.system->joints[i].name);
    }
  }
  if (a.wheels.size() != b.wheels.size()) {
    return fmt::format("one has {} wheels and the other {}", a.wheels.size(), b.wheels.size());
  }
  for (std::size_t k = 0; k < a.wheels.size(); ++k) {
    const WheelStructure &x = a.wheels[k], &y = b.wheels[k];
    if (!(x == y)) return fmt::format("wheel '{}' is on another body", a.system->wheels[k].name);
  }
  return {};
}

template <std::size_t N>
MechanismOf<Pack<N>> gathered(std::span<const Mechanism* const> lanes) {
  if (lanes.empty() || lanes.size() > N) {
    throw std::invalid_argument(fmt::format("{} systems do not go into {} lanes", lanes.size(), N));
  }
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) {
    const std::string difference = structural_difference(*lanes[0], *lanes[lane]);
    if (difference.empty()) continue;
    throw std::invalid_argument(fmt::format("systems 1 and {} are not of one structure: {}", lane + 1, difference));
  }
  MechanismOf<Pack<N>> all(*lanes[0]);
  for (std::size_t lane = 1; lane < N; ++lane) {
    for_numbers([lane](Pack<N>& number, double one) { number[lane] = one; }, all,
                *lanes[std::min(lane, lanes.size() - 1)]);
  }
  return all;
}

template MechanismOf<Pack<2>> gathered<2>(std::span<const Mechanism* const>);
template MechanismOf<Pack<4>> gathered<4>(std::span<const Mechanism* const>);
template MechanismOf<Pack<8>> gathered<8>(std::span<const Mechanism* const>);

}  // namespace gyrostat
