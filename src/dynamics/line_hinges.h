// A free-flying tree as rigid bodies connected by line hinges, with augmented bodies and barycentres: the constants
// that augmented_body and the linearised formulations start from. Numbers in comments are those of
// docs/theory/augmented_body.md.
//
// A joint with several axes is several hinges at one point. The massless bodies between them have no extent, so nothing
// of them is left but the axes. Welded bodies are one body.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/dynamics/forces.h"
#include "gyrostat/dynamics/settings.h"

namespace gyrostat {

/// A hinge turns what is outboard of it about the z axis of the frame Q leads to.
struct LineHinge {
  Mat3<double> Q;          // to the frame of this hinge from that of the hinge before it, or of the body's parent
  std::uint32_t body = 0;  // in LineHinges::bodies: the next body outboard
  std::uint32_t q = 0, u = 0;
  std::uint32_t joint = 0;  // in the System
  bool built_free = true;   // as the System has it: what formulations with constant matrices keep
  double about = 0;         // the angle a linearised hinge is small about; Q includes it [rad]
  bool small = false;       // cos = 1, sin = the angle from `about`
};

/// How the axes of a joint follow its bodies: each the body before it (line), or all three the outboard body (ball), or
/// all three the inboard body (reversed ball).
enum class HingeKind : std::uint8_t { line, ball, reversed_ball };

/// A body and its inboard joint. Its frame is that of its last hinge, with the origin at its base point (forces.h).
struct HingedBody {
  std::uint32_t number = 0;             // in the System
  std::uint32_t parent = 0, end = 0;    // in LineHinges::bodies; those outboard of it and itself are below `end`
  std::uint32_t hinge = 0, hinges = 0;  // the first, and how many
  HingeKind kind = HingeKind::line;
  Quaternion about;        // of a linearised ball
  Vec3<double> link;       // from the parent's base point to this one's, in the parent's frame [m]
  Vec3<double> D;          // (1) from the barycentre to the base point [m]
  Sym3<double> Phi;        // (2) inertia of the augmented body about the barycentre [kg m^2]
  bool gyroscopic = true;  // false: the following is left out of w x Phi w
  Sym3<double> left_out;   // [kg m^2]
};

/// A body that is welded to another and has no frame of its own.
struct WeldedBody {
  std::uint32_t number = 0;  // in the System
  std::uint32_t host = 0;    // in LineHinges::bodies
  Vec3<double> lever;        // from the host's base point to this one's, in the host's frame [m]
};

struct LineHinges {
  std::vector<HingedBody> bodies;  // [0] is the base
  std::vector<LineHinge> hinges;
  std::vector<WeldedBody> welded;
  std::vector<std::string> names;  // of the System's joints
  double mass = 0;                 // of all bodies [kg]
  bool base_reversed = false;      // the base is the parent of its joint and the world the child

  /// Precondition: outside_domain_of_line_hinges(system) is empty. The joints `small` are linearised about `about`.
  LineHinges(const System& system, const DynamicsSettings& settings, const std::vector<std::uint32_t>& small);
};

/// What keeps a system from being a free-flying tree of rotational joints, naming it, or empty.
std::string outside_domain_of_line_hinges(const System& system);

/// Of joints whose motion is linearised: one that a run may hold and free, in words; or nothing.
std::string held_small_joint(const System& system, std::span<const std::uint32_t> small);

/// Throws std::invalid_argument, naming the joint, if the base is not free, or if one of the
/// hinges `fixed` is not free or given as it was in the System.
void require_choice(const LineHinges& tree, const Forces<double>& forces, std::string_view formulation,
                    std::span<const std::uint32_t> fixed = {});

/// The tree's own copy of a configuration: `q`, with the base at the world's axes.
State at_rest(const System& system, const Eigen::VectorXd& q);

// clang-format off
/// R m R^T
inline Sym3<double> turned(const Mat3<double>& R, const Sym3<double>& m) {
  const Vec3<double> x = m.xx * R.x + m.xy * R.y + m.xz * R.z, y = m.xy * R.x + m.yy * R.y + m.yz * R.z,
                     z = m.xz * R.x + m.yz * R.y + m.zz * R.z;
  return {x.x * R.x.x + y.x * R.y.x + z.x * R.z.x, x.y * R.x.y + y.y * R.y.y + z.y * R.z.y,
          x.z * R.x.z + y.z * R.y.z + z.z * R.z.z, x.x * R.x.y + y.x * R.y.y + z.x * R.z.y,
          x.x * R.x.z + y.x * R.y.z + z.x * R.z.z, x.y * R.x.z + y.y * R.y.z + z.y * R.z.z};
}
/// 2 (a.b) 1 - a b^T - b a^T
inline Sym3<double> mutual(const Vec3<double>& a, const Vec3<double>& b) {
  const double x = a.x * b.x, y = a.y * b.y, z = a.z * b.z;
  return {2 * (y + z), 2 * (x + z), 2 * (x + y), -(a.x * b.y + a.y * b.x), -(a.x * b.z + a.z * b.x), -(a.y * b.z + a.z * b.y)};
}
// clang-format on

// The base joint is the first, so that its coordinates and speeds are the first of the state.

/// R_N0 of the base.
inline Mat3<double> base_rotation(const LineHinges& tree, const double* q) {
  const double w = q[3], x = q[4], y = q[5], z = q[6];
  const Mat3<double> R = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                          {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                          {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
  return tree.base_reversed ? transposed(R) : R;
}

/// Its angular velocity, world axes.
inline Vec3<double> base_rate(const LineHinges& tree, const Mat3<double>& R, const double* u) {
  const Vec3<double> w = {u[0], u[1], u[2]};
  return tree.base_reversed ? -w : R * w;
}

/// The torque about its base point and the force on it, those of its joint included, world axes.
inline Wrench<double> base_wrench(const LineHinges& tree, const Mat3<double>& R, const double* q,
                                  const Forces<double>& forces) {
  const Vec3<double> torque = {forces.tau[0], forces.tau[1], forces.tau[2]};
  const Vec3<double> force = {forces.tau[3], forces.tau[4], forces.tau[5]};
  const Wrench<double>& given = forces.wrench[tree.bodies[0].number];
  if (!tree.base_reversed) return {given.torque + R * torque, given.force + force};
  const Vec3<double> x = {q[0], q[1], q[2]};
  return {given.torque - torque - R * cross(x, force), given.force - R * force};  // (18)
}

/// Derivatives of the base joint's speeds. `alpha` in base axes, `a` that of the base point in world axes.
inline void report_base(const LineHinges& tree, const Mat3<double>& R, const double* q, const double* u,
                        const Vec3<double>& alpha, const Vec3<double>& a, double* udot) {
  Vec3<double> rotation = alpha, translation = a;
  if (tree.base_reversed) {
    const Vec3<double> x = {q[0], q[1], q[2]}, v = {u[3], u[4], u[5]};
    const Vec3<double> w = transpose_times(R, base_rate(tree, R, u));
    rotation = -(R * alpha);
    translation = -transpose_times(R, a) - cross(alpha, x) - cross(w, 2.0 * v + cross(w, x));  // (19)
  }
  udot[0] = rotation.x, udot[1] = rotation.y, udot[2] = rotation.z;
  udot[3] = translation.x, udot[4] = translation.y, udot[5] = translation.z;
}

/// The rotation vector of a linearised ball from `about`, in the child's axes.
inline Vec3<double> small_turn(const Quaternion& about, const double* q) {
  const double w = about.w * q[0] + about.x * q[1] + about.y * q[2] + about.z * q[3];
  const Vec3<double> v = {about.w * q[1] - about.x * q[0] - about.y * q[3] + about.z * q[2],
                          about.w * q[2] + about.x * q[3] - about.y * q[0] - about.z * q[1],
                          about.w * q[3] - about.x * q[2] + about.y * q[1] - about.z * q[0]};
  return (w < 0 ? -2.0 : 2.0) * v;
}

/// to -= factor * from, entries `begin` .. `end` - 1. The rows are different ones, which lets a compiler use vectors.
inline void subtract(double* __restrict to, const double* __restrict from, double factor, std::size_t begin,
                     std::size_t end) {
  for (std::size_t j = begin; j < end; ++j) to[j] -= factor * from[j];
}

/// The same with two rows at once.
inline void subtract(double* __restrict to, const double* __restrict from1, double factor1,
                     const double* __restrict from2, double factor2, std::size_t begin, std::size_t end) {
  for (std::size_t j = begin; j < end; ++j) to[j] -= factor1 * from1[j] + factor2 * from2[j];
}

/// Solves A x = b for a symmetric positive definite A of the order `n`, with b as its column n. Of A the upper triangle
/// is read; rows are `stride` apart. Overwrites A; x is left in b's place.
inline void solve_symmetric(double* A, std::size_t n, std::size_t stride) {
  for (std::size_t k = 0; k < n; k += 2) {  // two pivots at a time
    double *first = A + k * stride, *second = first + stride;
    if (k + 1 == n) break;
    const double per_first = 1 / first[k];
    subtract(second, first, first[k + 1] * per_first, k + 1, n + 1);
    const double per_second = 1 / second[k + 1];
    for (std::size_t i = k + 2; i < n; ++i) {
      subtract(A + i * stride, first, first[i] * per_first, second, second[i] * per_second, i, n + 1);
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    const double* row = A + k * stride;
    double sum = row[n];
    for (std::size_t j = k + 1; j < n; ++j) sum -= row[j] * A[j * stride + n];
    A[k * stride + n] = sum / row[k];
  }
}

}  // namespace gyrostat
