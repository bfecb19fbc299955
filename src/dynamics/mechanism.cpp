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

/// 2 (u.v) 1 - u v' - v u'
template <class C>
Sym3<C> second_moment(const Vec3<C>& u, const Vec3<C>& v) {
  const C two(2.0);
  const C xx = u.x * v.x, yy = u.y * v.y, zz = u.z * v.z, zero(0.0);
  return {two * (yy + zz),
          two * (xx + zz),
          two * (xx + yy),
          zero - u.x * v.y - u.y * v.x,
          zero - u.x * v.z - u.z * v.x,
          zero - u.y * v.z - u.z * v.y};
}

template <class C>
Sym3<C> minus(const Sym3<C>& a, const Sym3<C>& b) {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}
template <class C>
Sym3<C> scaled(const C& s, const Sym3<C>& a) {
  return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}

template <class C>
Vec3<C> vector_at(const C* n) {
  return {n[0], n[1], n[2]};
}
template <class C>
void set_vector(const Vec3<C>& v, C* n) {
  n[0] = v.x, n[1] = v.y, n[2] = v.z;
}
template <class C>
Sym3<C> symmetric_at(const C* n) {
  return {n[0], n[1], n[2], n[3], n[4], n[5]};
}
template <class C>
void set_symmetric(const Sym3<C>& s, C* n) {
  n[0] = s.xx, n[1] = s.yy, n[2] = s.zz, n[3] = s.xy, n[4] = s.xz, n[5] = s.yz;
}

/// From the body's origin to its base point d: positions of mass lose d.
template <class C>
void move_origin(const Vec3<C>& d, ModalNumbers<C>& n) {
  const std::size_t m = n.Ct0.size();
  const ModalRow row{m};
  const Vec3<C> mc0 = n.mc0;
  const C half(0.5);
  n.mc0 = mc0 - n.mass * d;
  n.J0 = minus(n.J0, minus(second_moment(d, mc0), scaled(half * n.mass, second_moment(d, d))));
  for (std::size_t a = 0; a < m; ++a) {
    n.Cr0[a] -= cross(d, n.Ct0[a]);
    n.J1[a] = minus(n.J1[a], second_moment(d, n.Ct0[a]));
    C* pairs = n.pairs.data() + a * row.size();
    for (std::size_t b = 0; b < m; ++b) {
      const Vec3<C> Gm = vector_at(pairs + row.Gm(b));
      set_vector(vector_at(pairs + row.Cr1(b)) - cross(d, Gm), pairs + row.Cr1(b));
      set_symmetric(minus(symmetric_at(pairs + row.J2(b)), second_moment(d, Gm)), pairs + row.J2(b));
    }
  }
}

template <class C>
void turn(const Mat3<C>& R_BM, std::vector<Vec3<C>>& list) {
  for (Vec3<C>& v : list) v = transpose_times(R_BM, v);
}

/// To the base point and the axes of the body's frame M.
template <class C>
void place(const BodyNumbers<C>& frames, ModalNumbers<C>& n) {
  move_origin(frames.base, n);
  const Mat3<C>& R = frames.R_BM;
  const std::size_t m = n.Ct0.size();
  const ModalRow row{m};
  n.mc0 = transpose_times(R, n.mc0);
  n.J0 = in_axes_of(R, n.J0);
  turn(R, n.Ct0);
  turn(R, n.Cr0);
  for (Sym3<C>& J1 : n.J1) J1 = in_axes_of(R, J1);
  for (std::size_t a = 0; a < m; ++a) {
    C* pairs = n.pairs.data() + a * row.size();
    for (std::size_t b = 0; b < m; ++b) {
      set_symmetric(in_axes_of(R, symmetric_at(pairs + row.J2(b))), pairs + row.J2(b));
      for (const std::size_t k : {row.Cr1(b), row.Gm(b)})
        set_vector(transpose_times(R, vector_at(pairs + k)), pairs + k);
    }
  }
  const auto Cr1 = [&](std::size_t a, std::size_t b) {
    return vector_at(n.pairs.data() + a * row.size() + row.Cr1(b));
  };
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) {
      set_vector(Cr1(a, b) - Cr1(b, a), n.pairs.data() + a * row.size() + row.turning(b));
    }
  }
}
template <class C>
void place(const BodyNumbers<C>& frames, ModalNodeNumbers<C>& n) {
  n.position = transpose_times(frames.R_BM, n.position - frames.base);
  turn(frames.R_BM, n.translation);
  turn(frames.R_BM, n.rotation);
  for (std::size_t k = 0; k < n.pairs.size(); k += 3) {
    set_vector(transpose_times(frames.R_BM, vector_at(n.pairs.data() + k)), n.pairs.data() + k);
  }
}

std::vector<Vec3<double>> columns_of(const Eigen::Matrix3Xd& matrix) {
  std::vector<Vec3<double>> list;
  for (Eigen::Index k = 0; k < matrix.cols(); ++k) list.push_back(cast<double>(Vector3(matrix.col(k))));
  return list;
}

ModalNumbers<double> modal_numbers_of(const FlexibleBody& body) {
  const ModalIntegrals sums = modal_integrals(body.data, Vector3::Zero(), body.terms);
  const std::size_t m = body.data.modes();
  const ModalRow row{m};
  ModalNumbers<double> n;
  n.mass = sums.mass;
  n.mc0 = cast<double>(sums.mc0);
  n.J0 = symmetric(sums.J0);
  n.Ct0 = columns_of(sums.Ct0);
  n.Cr0 = columns_of(sums.Cr0);
  for (const Matrix3& J1 : sums.J1) n.J1.push_back(symmetric(J1));
  n.pairs.resize(m * row.size());
  for (std::size_t a = 0; a < m; ++a) {
    double* pairs = n.pairs.data() + a * row.size();
    for (std::size_t b = 0; b < m; ++b) {
      const auto pair = pair_index(a, b);
      set_symmetric(symmetric(sums.J2[pair]), pairs + row.J2(b));
      set_vector(cast<double>(Vector3(sums.Cr1.col(static_cast<Eigen::Index>(a * m + b)))), pairs + row.Cr1(b));
      set_vector(cast<double>(Vector3(sums.Gm.col(static_cast<Eigen::Index>(pair)))), pairs + row.Gm(b));
    }
  }
  return n;
}

ModalNodeNumbers<double> modal_node_numbers_of(const FlexibleBody& body, const FlexibleNode& node) {
  const std::size_t m = body.data.modes();
  ModalNodeNumbers<double> n;
  n.position = cast<double>(node.position);
  n.translation = columns_of(node.shape.translation);
  n.rotation = columns_of(node.shape.rotation);
  if (body.terms != FlexibleTerms::stiffened || !body.data.second_order) return n;
  n.pairs.resize(6 * m * m);
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) {
      const auto pair = static_cast<Eigen::Index>(pair_index(a, b));
      double* pairs = n.pairs.data() + a * 6 * m;
      set_vector(cast<double>(Vector3(node.shape.rotation2.col(pair))), pairs + 3 * b);
      set_vector(cast<double>(Vector3(node.shape.translation2.col(pair))), pairs + 3 * m + 3 * b);
    }
  }
  return n;
}

/// Flexible bodies and their nodes, with the speeds that the nodes have: the modal rates.
template <class C>
void add_flexible(const System& system, const SystemNumbers<C>& numbers, MechanismOf<C>& m) {
  std::uint32_t loaded = 0;
  for (std::uint32_t k = 0; k < system.flexible.size(); ++k) {
    const FlexibleBody& body = system.flexible[k];
    FlexibleOf<C> flexible{{}, numbers.flexible[k]};
    flexible.body = body.body;
    flexible.q = body.q;
    flexible.u = body.u;
    flexible.modes = static_cast<std::uint32_t>(body.data.modes());
    flexible.modal = static_cast<std::uint32_t>(m.modes);
    flexible.terms = body.terms;
    flexible.first_node = static_cast<std::uint32_t>(m.modal_nodes.size());
    flexible.first_loaded = loaded;
    m.modes += flexible.modes;
    place(m.bodies[body.body], static_cast<ModalNumbers<C>&>(flexible));
    m.links[body.body].flexible = k;
    for (std::uint32_t i = body.body + 1; i < m.links.size(); ++i) {
      if (m.links[i].parent != body.body || m.links[i].motion != JointMotion::modal) continue;
      const bool has_inertia = is_loaded(system, i);
      ModalNodeOf<C> node{{i, k, has_inertia}, numbers.modal_nodes[m.links[i].modal_node]};
      place(m.bodies[body.body], static_cast<ModalNodeNumbers<C>&>(node));
      LinkOf<C>& link = m.links[i];
      link.modal_node = static_cast<std::uint32_t>(m.modal_nodes.size());
      link.u = body.u;
      link.q = body.q;
      link.nu = static_cast<std::uint16_t>(flexible.modes);
      link.S = static_cast<std::uint32_t>(m.columns);
      m.columns += flexible.modes;
      m.modal_nodes.push_back(std::move(node));
      ++flexible.nodes;
      if (!has_inertia) continue;
      ++flexible.loaded;
      ++loaded;
    }
    m.flexible.push_back(std::move(flexible));
  }
}

/// The first child of body i is i + 1; what others hand inwards goes through memory.
template <class C>
void place_branch_sums(MechanismOf<C>& m) {
  for (auto i = static_cast<std::uint32_t>(m.links.size()) - 1; i > 0; --i) {
    LinkOf<C>& parent = m.links[m.links[i].parent];
    if (m.links[i].parent == i - 1 || m.links[i].motion == JointMotion::modal || parent.branch_sum != 0) continue;
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
  for (const FlexibleBody& body : system.flexible) numbers.flexible.push_back(modal_numbers_of(body));
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    if (system.bodies[i].node == Body::none) continue;
    const FlexibleBody& body = system.flexible[system.bodies[system.parent[i]].flexible];
    numbers.modal_nodes.push_back(modal_node_numbers_of(body, body.data.nodes[system.bodies[i].node]));
  }
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
      nu(static_cast<std::size_t>(of.initial.u.size())),
      columns(nu) {
  std::uint32_t modal_node_count = 0;
  bodies[0].R_BM = identity<C>();
  joints.push_back({{}, numbers.joints[0]});
  for (std::uint32_t i = 1; i < links.size(); ++i) {
    const Joint& joint = of.joints[i];
    joints.push_back({structure_of(joint), numbers.joints[i]});
    LinkOf<C>& link = links[i];
    link.parent = of.parent[i];
    link.q = joint.q;
    link.u = link.S = joint.u;
    link.nu = joint.nu;
    link.motion = motion_of(joint, link.parent == 0);
    link.gyroscopic = settings.gyroscopic[i];
    if (of.bodies[i].node != Body::none) {
      link.motion = JointMotion::modal;
      link.modal_node = modal_node_count++;
    }
    set_link(i, numbers.bodies[i], *this);
    if (of.bodies[i].flexible != Body::none) {
      link.mass = link.e0 = link.e1 = link.e_xy = C(0.0);
      link.mc = link.e = {};
    }
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
  add_flexible(of, numbers, *this);
  for (LinkOf<C>& link : links) {
    link.special = link.wheels || !link.gyroscopic || link.flexible != LinkStructure::none;
  }
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
  if (a.flexible.size() != b.flexible.size()) {
    return fmt::format("one has {} flexible bodies and the other {}", a.flexible.size(), b.flexible.size());
  }
  for (std::size_t k = 0; k < a.flexible.size(); ++k) {
    const FlexibleStructure &x = a.flexible[k], &y = b.flexible[k];
    if (!(x == y)) {
      return fmt::format("the flexible body '{}' has other modes, nodes or terms", a.system->bodies[x.body].name);
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
