// A System made ready for the fast recursions: every body's frame is moved to its inboard joint and turned so that an
// only axis is z, and constants are folded. Built once, never changed.
//
// Frame M of body i has its origin at the base point of the body (forces.h). For a joint with one axis its z is that
// axis, pointing so that the outboard body moves along or about +z for a positive speed. The turn about z that is left
// makes the xy element of the second moments vanish. Frame B is the body's frame as its user gave it.
//
// C is the type of the numbers: double; a pack, whose lanes are systems of one structure that differ in mass or
// geometry (`gathered`); dual numbers, for derivatives by parameters of the system. The recursions read nothing but
// the plain structs in here.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "gyrostat/dynamics/forces.h"
#include "gyrostat/dynamics/settings.h"
#include "gyrostat/math/dual.h"
#include "gyrostat/math/pack.h"

namespace gyrostat {

/// The motion subspace of a joint as the recursions see it.
enum class JointMotion : std::uint8_t {
  revolute,   // about z
  prismatic,  // along z
  general,    // given by the columns of a matrix; none for a weld
  floating,   // six degrees of freedom from the world
  modal,      // a node of a flexible body, its parent, whose modal rates are its speeds
};

// --- numbers of a system, by what they belong to; no member but numbers of type C ------------------------------------

/// Of a body, in B.
template <class C>
struct MassNumbers {
  C mass{};         // [kg]
  Vec3<C> com;      // [m]
  Sym3<C> inertia;  // about the mass centre [kg m^2]
};

/// Of a joint, from the user's parent to the user's child (model/joint.h).
template <class C>
struct JointNumbers {
  std::array<Vec3<C>, 3> d, a;          // unit translation and rotation axes, parent axes at zero coordinates
  Mat3<C> R_0;                          // R_PC at zero coordinates
  Vec3<C> parent_point, child_point{};  // [m]
};

template <class C>
struct WheelNumbers {
  Vec3<C> axis;  // unit vector; B axes in SystemNumbers, M axes in a mechanism
  C inertia{};   // about the axis [kg m^2]
};

/// Of a flexible body: its modal integrals (flexible/modal_integrals.h). In SystemNumbers about the body's origin in B
/// axes, in a mechanism about the base point in M axes.
template <class C>
struct ModalNumbers {
  C mass{};                       // [kg]
  Vec3<C> mc0;                    // [kg m]
  Sym3<C> J0;                     // [kg m^2]
  std::vector<Vec3<C>> Ct0, Cr0;  // by mode
  std::vector<Sym3<C>> J1;        // by mode
  std::vector<C> pairs;  // a row for each mode a: J2_ab, Cr1_ab, Gm_ab, Cr1_ab - Cr1_ba for all modes b (ModalRow)
};

/// Where the numbers of mode b begin in a row of `pairs` for m modes.
struct ModalRow {
  std::size_t m;

  [[nodiscard]] std::size_t J2(std::size_t b) const { return 6 * b; }
  [[nodiscard]] std::size_t Cr1(std::size_t b) const { return 6 * m + 3 * b; }
  [[nodiscard]] std::size_t Gm(std::size_t b) const { return 9 * m + 3 * b; }
  [[nodiscard]] std::size_t turning(std::size_t b) const { return 12 * m + 3 * b; }
  [[nodiscard]] std::size_t size() const { return 15 * m; }
};

/// Of a node of a flexible body, in the axes of the body.
template <class C>
struct ModalNodeNumbers {
  Vec3<C> position;                            // from the same point as the body's [m]
  std::vector<Vec3<C>> translation, rotation;  // by mode
  std::vector<C> pairs;  // a row for each mode a: rotation2_ab and then translation2_ab for all modes b; or none
};

/// All numbers that a System gives the equations of motion. Which body is the parent of which is not among them.
template <class C>
struct SystemNumbers {
  std::vector<MassNumbers<C>> bodies;
  std::vector<JointNumbers<C>> joints;
  std::vector<WheelNumbers<C>> wheels;
  std::vector<ModalNumbers<C>> flexible;         // in the order of System::flexible
  std::vector<ModalNodeNumbers<C>> modal_nodes;  // in the order of their bodies
};

SystemNumbers<double> numbers_of(const System& system);

// --- what the recursions read ----------------------------------------------------------------------------------------

struct LinkStructure {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t parent = 0, q = 0, u = 0;
  std::uint32_t S = 0;  // where its motion-subspace columns begin in Kinematics::S
  std::uint16_t nu = 0;
  JointMotion motion = JointMotion::general;
  bool wheels = false;
  bool gyroscopic = true;
  bool special = false;           // has wheels or modes, or its gyroscopic torque is left out
  bool starts_sum = false;        // of the children that are summed at their parent's place, the first one met inwards
  std::uint32_t branch_sum = 0;   // where what its children but the first one hand inwards is summed; 0: there are none
  std::uint32_t floating = 0;     // its place among the floating bodies, if it floats
  std::uint32_t flexible = none;  // its place among the flexible bodies
  std::uint32_t modal_node = none;  // its place among the nodes of flexible bodies

  bool operator==(const LinkStructure&) const = default;
};

/// Of body i and its inboard joint. P is frame M of the parent. Of a flexible body the mass and its moments are zero
/// here: they are among its ModalNumbers.
template <class C>
struct LinkNumbers {
  Mat3<C> R_PF;  // axes of the joint at zero coordinates, for revolute and prismatic
  Vec3<C> p_PF;  // joint point from the parent's base point, P axes; zero displacement [m]
  C mass{};      // [kg]
  Vec3<C> mc;    // first moment about the base point, M axes [kg m]
  C e0{}, e1{};  // second moments (integral of x x^T dm) about the base point, M axes [kg m^2]:
  Vec3<C> e;     //   E = e0 1 + e1 x x^T + z e^T + e z^T + e_xy (x y^T + y x^T)
  C e_xy{};      // zero; its derivatives need not be
};

template <class C>
struct LinkOf : LinkStructure, LinkNumbers<C> {};

/// Of a body, for those that ask for its frames and mass.
template <class C>
struct BodyNumbers {
  MassNumbers<C> mass_properties;
  Vec3<C> base;  // base point, B [m]
  Mat3<C> R_BM;
  Sym3<C> J;  // about the mass centre, M axes [kg m^2]
};

struct JointStructure {
  bool quaternion = false;  // the rotation's coordinates are a quaternion; its axes those of the user's child
  bool free = false;        // six degrees of freedom
  bool reversed = false;    // the user's child is inboard
  std::uint8_t translations = 0, rotations = 0;                      // how many
  std::uint8_t first_translation = 0, first_rotation = 0;            // where they begin in the joint's speeds
  std::uint8_t translation_coordinate = 0, rotation_coordinate = 0;  // and in its coordinates

  bool operator==(const JointStructure&) const = default;
};

template <class C>
struct JointOf : JointStructure, JointNumbers<C> {};

JointOf<double> joint_of(const Joint& joint);

struct WheelStructure {
  std::uint32_t body = 0, u = 0;

  bool operator==(const WheelStructure&) const = default;
};

template <class C>
struct WheelOf : WheelStructure, WheelNumbers<C> {};

struct FlexibleStructure {
  std::uint32_t body = 0, q = 0, u = 0;
  std::uint32_t modes = 0, modal = 0;          // how many; where their numbers begin in arrays over all modes
  std::uint32_t first_node = 0, nodes = 0;     // among the nodes of flexible bodies
  std::uint32_t first_loaded = 0, loaded = 0;  // of those to which inertia attaches, among all such
  FlexibleTerms terms = FlexibleTerms::stiffened;

  bool operator==(const FlexibleStructure&) const = default;
};

template <class C>
struct FlexibleOf : FlexibleStructure, ModalNumbers<C> {};

struct ModalNodeStructure {
  std::uint32_t body = 0, flexible = 0;  // its own body without mass; the flexible one, by its place
  bool loaded = false;                   // inertia attaches to it, or may: it has children, wheels or constraints

  bool operator==(const ModalNodeStructure&) const = default;
};

template <class C>
struct ModalNodeOf : ModalNodeStructure, ModalNodeNumbers<C> {};

template <class C>
struct MechanismOf {
  const System* system = nullptr;      // for names; of a gathered mechanism, that of its first lane
  std::vector<LinkOf<C>> links;        // [0] is the world
  std::vector<BodyNumbers<C>> bodies;  // the same
  std::vector<JointOf<C>> joints;      // joint i is inboard of body i
  std::vector<WheelOf<C>> wheels;      // in the order of their bodies
  std::vector<FlexibleOf<C>> flexible;
  std::vector<ModalNodeOf<C>> modal_nodes;  // in the order of their flexible bodies
  std::vector<std::uint32_t> wheel_of;      // wheels of body i: wheel_of[i] .. wheel_of[i + 1]
  std::vector<std::uint32_t> revolute;      // bodies whose joint is
  std::vector<std::uint32_t> floating;      // bodies that float in the world
  std::vector<std::uint32_t> end;           // the bodies outboard of body i, itself included, are i .. end[i] - 1
  std::size_t branch_sums = 1;              // how many places for sums over branches there are, the unused one included
  std::size_t nq = 0, nu = 0;
  std::size_t columns = 0;  // how many motion-subspace columns there are
  std::size_t modes = 0;    // of all flexible bodies

  /// `system` must outlive it.
  explicit MechanismOf(const System& system) requires std::is_same_v<C, double>;
  MechanismOf(const System& system, const DynamicsSettings& settings) requires std::is_same_v<C, double>;
  /// The structure of `system` with other numbers.
  MechanismOf(const System& system, const SystemNumbers<C>& numbers, const DynamicsSettings& settings);

  /// The same mechanism with its numbers as constants of C.
  template <class From>
  explicit MechanismOf(const MechanismOf<From>& from);

  [[nodiscard]] std::size_t body_count() const { return links.size() - 1; }
};

using Link = LinkOf<double>;
using Mechanism = MechanismOf<double>;
using WheelLink = WheelOf<double>;

/// How one mechanism differs from another in structure, naming the body or wheel, or empty.
std::string structural_difference(const Mechanism& a, const Mechanism& b);

/// One mechanism in each lane. There may be fewer than N: the last of them is in the lanes that are left. Throws
/// std::invalid_argument, naming what differs, if their structures are not the same.
template <std::size_t N>
MechanismOf<Pack<N>> gathered(std::span<const Mechanism* const> lanes);

// --- all numbers, one by one -----------------------------------------------------------------------------------------

// Calls `act` with every number of the first argument and those in the same place of the others. That none is left out
// is checked below: the structs have no room for more.
// clang-format off
template <class Act, class... V> constexpr void for_vector(Act& act, V&... v) { act(v.x...), act(v.y...), act(v.z...); }
template <class Act, class... M> constexpr void for_matrix(Act& act, M&... m) { for_vector(act, m.x...), for_vector(act, m.y...), for_vector(act, m.z...); }
template <class Act, class... S> constexpr void for_symmetric(Act& act, S&... s) { act(s.xx...), act(s.yy...), act(s.zz...), act(s.xy...), act(s.xz...), act(s.yz...); }
// clang-format on
template <class Act, class... L>
constexpr void for_link_numbers(Act& act, L&... l) {
  for_matrix(act, l.R_PF...);
  for_vector(act, l.p_PF...);
  act(l.mass...);
  for_vector(act, l.mc...);
  act(l.e0...), act(l.e1...);
  for_vector(act, l.e...);
  act(l.e_xy...);
}
template <class Act, class... M>
constexpr void for_mass_numbers(Act& act, M&... m) {
  act(m.mass...);
  for_vector(act, m.com...);
  for_symmetric(act, m.inertia...);
}
template <class Act, class... B>
constexpr void for_body_numbers(Act& act, B&... b) {
  for_mass_numbers(act, b.mass_properties...);
  for_vector(act, b.base...);
  for_matrix(act, b.R_BM...);
  for_symmetric(act, b.J...);
}
template <class Act, class... J>
constexpr void for_joint_numbers(Act& act, J&... j) {
  for (std::size_t k = 0; k < 3; ++k) for_vector(act, j.d[k]...), for_vector(act, j.a[k]...);
  for_matrix(act, j.R_0...);
  for_vector(act, j.parent_point...);
  for_vector(act, j.child_point...);
}
template <class Act, class... W>
constexpr void for_wheel_numbers(Act& act, W&... w) {
  for_vector(act, w.axis...);
  act(w.inertia...);
}

template <class Act, class... V>
void for_each_vector(Act& act, V&... lists) {
  const std::size_t count = std::get<0>(std::tie(lists...)).size();
  for (std::size_t k = 0; k < count; ++k) for_vector(act, lists[k]...);
}
template <class Act, class... V>
void for_each_symmetric(Act& act, V&... lists) {
  const std::size_t count = std::get<0>(std::tie(lists...)).size();
  for (std::size_t k = 0; k < count; ++k) for_symmetric(act, lists[k]...);
}
template <class Act, class... V>
void for_each_number(Act& act, V&... lists) {
  const std::size_t count = std::get<0>(std::tie(lists...)).size();
  for (std::size_t k = 0; k < count; ++k) act(lists[k]...);
}
template <class Act, class... F>
void for_modal_numbers(Act& act, F&... f) {
  act(f.mass...);
  for_vector(act, f.mc0...);
  for_symmetric(act, f.J0...);
  for_each_vector(act, f.Ct0...), for_each_vector(act, f.Cr0...);
  for_each_symmetric(act, f.J1...);
  for_each_number(act, f.pairs...);
}
template <class Act, class... N>
void for_modal_node_numbers(Act& act, N&... n) {
  for_vector(act, n.position...);
  for_each_vector(act, n.translation...), for_each_vector(act, n.rotation...);
  for_each_number(act, n.pairs...);
}

/// The numbers of whole mechanisms of one structure.
template <class Act, class First, class... M>
void for_numbers(Act act, First& first, M&... m) {
  for (std::size_t i = 0; i < first.links.size(); ++i) {
    for_link_numbers(act, first.links[i], m.links[i]...);
    for_body_numbers(act, first.bodies[i], m.bodies[i]...);
    for_joint_numbers(act, first.joints[i], m.joints[i]...);
  }
  for (std::size_t k = 0; k < first.wheels.size(); ++k) for_wheel_numbers(act, first.wheels[k], m.wheels[k]...);
  for (std::size_t k = 0; k < first.flexible.size(); ++k) for_modal_numbers(act, first.flexible[k], m.flexible[k]...);
  for (std::size_t k = 0; k < first.modal_nodes.size(); ++k)
    for_modal_node_numbers(act, first.modal_nodes[k], m.modal_nodes[k]...);
}

/// And those of systems of one structure.
template <class Act, class First, class... S>
void for_system_numbers(Act act, First& first, S&... s) {
  for (std::size_t i = 0; i < first.bodies.size(); ++i) for_mass_numbers(act, first.bodies[i], s.bodies[i]...);
  for (std::size_t i = 0; i < first.joints.size(); ++i) for_joint_numbers(act, first.joints[i], s.joints[i]...);
  for (std::size_t k = 0; k < first.wheels.size(); ++k) for_wheel_numbers(act, first.wheels[k], s.wheels[k]...);
  for (std::size_t k = 0; k < first.flexible.size(); ++k) for_modal_numbers(act, first.flexible[k], s.flexible[k]...);
  for (std::size_t k = 0; k < first.modal_nodes.size(); ++k)
    for_modal_node_numbers(act, first.modal_nodes[k], s.modal_nodes[k]...);
}

/// As many numbers as another has.
template <class C, class From>
void resize_like(ModalNumbers<C>& to, const ModalNumbers<From>& from) {
  to.Ct0.resize(from.Ct0.size()), to.Cr0.resize(from.Cr0.size()), to.J1.resize(from.J1.size());
  to.pairs.resize(from.pairs.size());
}
template <class C, class From>
void resize_like(ModalNodeNumbers<C>& to, const ModalNodeNumbers<From>& from) {
  to.translation.resize(from.translation.size()), to.rotation.resize(from.rotation.size());
  to.pairs.resize(from.pairs.size());
}

/// Does `visit` come to as many numbers as have room in a Numbers?
template <class Numbers, class Visit>
consteval bool visits_all(Visit visit) {
  std::size_t count = 0;
  const auto act = [&count](double&) { ++count; };
  Numbers numbers{};
  visit(act, numbers);
  return count * sizeof(double) == sizeof(Numbers);
}
static_assert(visits_all<LinkNumbers<double>>([](auto& act, auto& n) { for_link_numbers(act, n); }));
static_assert(visits_all<BodyNumbers<double>>([](auto& act, auto& n) { for_body_numbers(act, n); }));
static_assert(visits_all<JointNumbers<double>>([](auto& act, auto& n) { for_joint_numbers(act, n); }));
static_assert(visits_all<WheelNumbers<double>>([](auto& act, auto& n) { for_wheel_numbers(act, n); }));

template <class C>
template <class From>
MechanismOf<C>::MechanismOf(const MechanismOf<From>& from) {
  // A member that is added is a member that is copied: the list must have all of them.
  const auto& [f_system, f_links, f_bodies, f_joints, f_wheels, f_flexible, f_modal_nodes, f_wheel_of, f_revolute,
               f_floating, f_end, f_branch_sums, f_nq, f_nu, f_columns, f_modes] = from;
  system = f_system;
  for (const auto& link : f_links) links.push_back({link, {}});
  bodies.resize(f_bodies.size());
  for (const auto& joint : f_joints) joints.push_back({joint, {}});
  for (const auto& wheel : f_wheels) wheels.push_back({wheel, {}});
  for (const auto& body : f_flexible) resize_like(flexible.emplace_back(FlexibleOf<C>{body, {}}), body);
  for (const auto& node : f_modal_nodes) resize_like(modal_nodes.emplace_back(ModalNodeOf<C>{node, {}}), node);
  wheel_of = f_wheel_of;
  revolute = f_revolute;
  floating = f_floating;
  end = f_end;
  branch_sums = f_branch_sums;
  nq = f_nq;
  nu = f_nu;
  columns = f_columns;
  modes = f_modes;
  for_numbers([](C& number, const From& constant) { number = C(constant); }, *this, from);
}

}  // namespace gyrostat
