// How flexible bodies are deformed and how that changes, over any scalar. Numbers in comments are the equations of
// docs/theory/flexible.md.
//
// Modal coordinates eta and their rates decide all of it but the velocity terms, which need the motion of the body's
// frame: `deform` comes before the outward pass, `add_velocity_terms` after it.
#pragma once

#include <array>

#include "gyrostat/dynamics/kinematics.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// Functions that are called, not part of the text they are called from: bodies that do not bend pay nothing for them.
#define GYROSTAT_APART [[gnu::noinline]] static

/// Coefficients of (-x)^k in the series of sin(t)/t, (1 - cos t)/t^2 and (t - sin t)/t^3, x = t^2: 1 / (2k + n)!.
inline constexpr std::size_t rotation_terms = 13;
template <int n>
inline constexpr std::array<double, rotation_terms> rotation_coefficients = [] {
  std::array<double, rotation_terms> list{};
  double one = n == 3 ? 1.0 / 6 : 1.0 / n;
  for (std::size_t k = 0; k < rotation_terms; ++k) {
    list[k] = one;
    one /= -static_cast<double>((2 * k + n + 1) * (2 * k + n + 2));
  }
  return list;
}();

/// These functions of t^2, and the derivatives of two of them: exact to rounding up to t = pi.
template <class T>
struct RotationSeries {
  T s1, s2, s3, ds2, ds3;

  GYROSTAT_INLINE explicit RotationSeries(const T& square) {
    constexpr std::size_t last = rotation_terms - 1;
    s1 = T(rotation_coefficients<1>[last]);
    s2 = T(rotation_coefficients<2>[last]);
    s3 = T(rotation_coefficients<3>[last]);
    ds2 = ds3 = T(0.0);
    for (std::size_t k = last; k-- > 0;) {
      ds2 = ds2 * square + s2;
      ds3 = ds3 * square + s3;
      s1 = s1 * square + T(rotation_coefficients<1>[k]);
      s2 = s2 * square + T(rotation_coefficients<2>[k]);
      s3 = s3 * square + T(rotation_coefficients<3>[k]);
    }
  }
};

template <class T>
GYROSTAT_INLINE Mat3<T> identity3() {
  const T zero(0.0), one(1.0);
  return {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
}

/// Sums over modes a of eta_a times the numbers `first` .. `last` - 1 of row a.
template <class T, class C>
GYROSTAT_INLINE void contract(std::size_t m, const T* eta, const C* __restrict rows, std::size_t stride,
                              std::size_t first, std::size_t last, T* __restrict sums) {
  for (std::size_t k = first; k < last; ++k) sums[k] = T(0.0);
  for (std::size_t a = 0; a < m; ++a) {
    const T weight = eta[a];
    const C* __restrict row = rows + a * stride;
    for (std::size_t k = first; k < last; ++k) sums[k] = sums[k] + weight * row[k];
  }
}

template <class T>
GYROSTAT_INLINE Vec3<T> three(const T* n) {
  return {n[0], n[1], n[2]};
}

template <class T, class C>
GYROSTAT_INLINE void add_scaled(Sym3<T>& sum, const T& s, const Sym3<C>& a) {
  sum = {sum.xx + s * a.xx, sum.yy + s * a.yy, sum.zz + s * a.zz,
         sum.xy + s * a.xy, sum.xz + s * a.xz, sum.yz + s * a.yz};
}

/// A node of a flexible body seen from the body's frame, in its axes M; S gets the columns of its motion subspace.
/// (1)-(4)
template <class T, class C>
GYROSTAT_APART void deform_node(const FlexibleStructure& body, const ModalNodeNumbers<C>& node, bool loaded,
                                const T* eta, const T* etad, T* sums, NodeMotion<T>& motion, Twist<T>* S) {
  const std::uint32_t m = body.modes;
  const T half(0.5);
  motion.r = cast<T>(node.position);
  motion.R = identity3<T>();
  motion.velocity = motion.bias = {};
  for (std::uint32_t a = 0; a < m; ++a) S[a] = {cast<T>(node.rotation[a]), cast<T>(node.translation[a])};
  if (body.terms == FlexibleTerms::ruthless) {
    Vec3<T> turn{};
    for (std::uint32_t a = 0; a < m; ++a) {
      motion.velocity.w += etad[a] * S[a].w;
      motion.velocity.v += etad[a] * S[a].v;
      if (loaded) continue;  // one that carries nothing is seen where it is
      motion.r += eta[a] * S[a].v;
      turn += eta[a] * S[a].w;
    }
    if (!loaded) {
      const RotationSeries<T> s(dot(turn, turn));
      const auto rotated = [&](const Vec3<T>& x) {
        const Vec3<T> y = cross(turn, x);
        return x + s.s1 * y + s.s2 * cross(turn, y);
      };
      motion.R = {rotated(motion.R.x), rotated(motion.R.y), rotated(motion.R.z)};
    }
    return;
  }
  Vec3<T> theta{};
  for (std::uint32_t a = 0; a < m; ++a) {
    theta += eta[a] * S[a].w;
    motion.r += eta[a] * S[a].v;
  }
  Vec3<T> theta_bias{};  // what rates of eta alone make of the second derivative of theta
  if (!node.pairs.empty()) {
    T *changes = sums, *rates = sums + 6 * std::size_t{m};
    contract<T, C>(m, eta, node.pairs.data(), 6 * std::size_t{m}, 0, 6 * std::size_t{m}, changes);
    contract<T, C>(m, etad, node.pairs.data(), 6 * std::size_t{m}, 0, 6 * std::size_t{m}, rates);
    for (std::uint32_t a = 0; a < m; ++a) {
      const Vec3<T> dw = three(changes + 3 * a), dv = three(changes + 3 * (m + a));
      S[a].w += dw;
      S[a].v += dv;
      theta += (half * eta[a]) * dw;
      motion.r += (half * eta[a]) * dv;
      theta_bias += etad[a] * three(rates + 3 * a);
      motion.bias.v += etad[a] * three(rates + 3 * (m + a));
    }
  }
  Vec3<T> theta_rate{};
  for (std::uint32_t a = 0; a < m; ++a) {
    theta_rate += etad[a] * S[a].w;
    motion.velocity.v += etad[a] * S[a].v;
  }
  const RotationSeries<T> s(dot(theta, theta));
  const auto turned = [&](const Vec3<T>& x) {  // T(theta) x
    const Vec3<T> y = cross(theta, x);
    return x + s.s2 * y + s.s3 * cross(theta, y);
  };
  const auto rotated = [&](const Vec3<T>& x) {  // exp([theta]x) x
    const Vec3<T> y = cross(theta, x);
    return x + s.s1 * y + s.s2 * cross(theta, y);
  };
  motion.R = {rotated(motion.R.x), rotated(motion.R.y), rotated(motion.R.z)};
  for (std::uint32_t a = 0; a < m; ++a) S[a].w = turned(S[a].w);
  motion.velocity.w = turned(theta_rate);
  // The rate of T(theta) times theta_rate.
  const T square_rate = T(2.0) * dot(theta, theta_rate);
  const Vec3<T> once = cross(theta, theta_rate), twice = cross(theta, once);
  motion.bias.w = turned(theta_bias) + (square_rate * s.ds2) * once + (square_rate * s.ds3) * twice +
                  s.s3 * cross(theta_rate, once);
}

/// Of a flexible body: what its modal coordinates make of its inertia, in its axes M.       (5), (6)
template <class T, class C>
GYROSTAT_APART void deform_body(const FlexibleStructure& body, const ModalNumbers<C>& n, const T* eta, const T* etad,
                                T* sums, Deformation<T>& d, ModalMotion<T>* modes) {
  const std::uint32_t m = body.modes;
  const ModalRow row{m};
  const T half(0.5);
  d.J = cast<T>(n.J0);
  d.mc = cast<T>(n.mc0);
  d.J_rate = {};
  d.momentum = d.bias = {};
  for (std::uint32_t a = 0; a < m; ++a) {
    modes[a].C = {cast<T>(n.Cr0[a]), cast<T>(n.Ct0[a])};
    modes[a].J = cast<T>(n.J1[a]);
    modes[a].turning = {};
  }
  if (body.terms == FlexibleTerms::ruthless) return;
  T *changes = sums, *rates = sums + row.size();
  contract<T, C>(m, eta, n.pairs.data(), row.size(), 0, row.turning(0), changes);
  contract<T, C>(m, etad, n.pairs.data(), row.size(), row.Cr1(0), row.size(), rates);
  for (std::uint32_t b = 0; b < m; ++b) {
    ModalMotion<T>& mode = modes[b];
    const T* j = changes + row.J2(b);
    const Sym3<T> dJ = {j[0], j[1], j[2], j[3], j[4], j[5]};
    const Vec3<T> dCt = three(changes + row.Gm(b));
    add_scaled(d.J, eta[b], mode.J);
    add_scaled(d.J, half * eta[b], dJ);
    mode.J += dJ;
    add_scaled(d.J_rate, etad[b], mode.J);
    d.mc += eta[b] * mode.C.force + (half * eta[b]) * dCt;
    mode.C.torque += three(changes + row.Cr1(b));
    mode.C.force += dCt;
    mode.turning = three(rates + row.turning(b));
    d.momentum.torque += etad[b] * mode.C.torque;
    d.momentum.force += etad[b] * mode.C.force;
    d.bias.torque += etad[b] * three(rates + row.Cr1(b));
    d.bias.force += etad[b] * three(rates + row.Gm(b));
  }
}

/// Before the outward pass.
template <class T, class C>
GYROSTAT_APART void deform(const MechanismOf<C>& mechanism, const T* q, const T* u, Kinematics<T>& kinematics) {
  for (std::size_t k = 0; k < mechanism.flexible.size(); ++k) {
    const FlexibleOf<C>& body = mechanism.flexible[k];
    deform_body<T, C>(body, body, q + body.q, u + body.u, kinematics.sums.data(), kinematics.deformations[k],
                      kinematics.modes.data() + body.modal);
    for (std::uint32_t t = body.first_node; t < body.first_node + body.nodes; ++t) {
      const ModalNodeOf<C>& node = mechanism.modal_nodes[t];
      deform_node<T, C>(body, node, node.loaded, q + body.q, u + body.u, kinematics.sums.data(), kinematics.nodes[t],
                        kinematics.S.data() + mechanism.links[node.body].S);
    }
  }
}

/// Body i, a node of a flexible body, from the motion of that body's frame. `S` is turned into world axes.
template <class T, bool given_udot, class C>
GYROSTAT_APART void node_outboard(const MechanismOf<C>& mechanism, std::uint32_t i, const T* udot,
                                  const BodyMotion<T>& inboard, Kinematics<T>& kinematics) {
  const LinkOf<C>& link = mechanism.links[i];
  const ModalNodeOf<C>& node = mechanism.modal_nodes[link.modal_node];
  const NodeMotion<T>& motion = kinematics.nodes[link.modal_node];
  BodyMotion<T>& body = kinematics.bodies[i];
  Twist<T>* S = kinematics.S.data() + link.S;
  for (std::uint32_t a = 0; a < link.nu; ++a) S[a] = {inboard.R_NM * S[a].w, inboard.R_NM * S[a].v};
  const Vec3<T> w = inboard.R_NM * motion.velocity.w;
  body.R_NM = (inboard.R_NM * motion.R) * cast<T>(link.R_PF);
  body.r = inboard.R_NM * motion.r;
  body.w = inboard.w + w;  // (3)
  body.alpha = inboard.alpha;
  body.a = inboard.a + inboard.W * body.r;
  if (mechanism.flexible[node.flexible].terms != FlexibleTerms::ruthless) {
    body.alpha += cross(inboard.w, w) + inboard.R_NM * motion.bias.w;  // (4)
    body.a += T(2.0) * cross(inboard.w, inboard.R_NM * motion.velocity.v) + inboard.R_NM * motion.bias.v;
  }
  if constexpr (given_udot) {
    for (std::uint32_t a = 0; a < link.nu; ++a) {
      body.alpha += udot[a] * S[a].w;
      body.a += udot[a] * S[a].v;
    }
  }
  body.W = acceleration_gradient(body.alpha, body.w);
}

/// After the outward pass: the terms of flexible bodies that their angular velocity makes, in world axes.       (7)-(9)
template <class T, class C>
GYROSTAT_APART void add_velocity_terms(const MechanismOf<C>& mechanism, Kinematics<T>& kinematics) {
  for (std::size_t k = 0; k < mechanism.flexible.size(); ++k) {
    const FlexibleOf<C>& body = mechanism.flexible[k];
    const BodyMotion<T>& motion = kinematics.bodies[body.body];
    const Mat3<T>& R = motion.R_NM;
    Deformation<T>& d = kinematics.deformations[k];
    const Vec3<T> w = transpose_times(R, motion.w);
    const T half(0.5);
    for (std::uint32_t b = 0; b < body.modes; ++b) {
      ModalMotion<T>& mode = kinematics.modes[body.modal + b];
      mode.bias = dot(w, mode.turning) - half * dot(w, mode.J * w);  // (9)
      mode.C = {R * mode.C.torque, R * mode.C.force};
    }
    const Wrench<T> bias = {d.bias.torque + d.J_rate * w + cross(w, d.J * w + d.momentum.torque),            // (7)
                            d.bias.force + cross(w, cross(w, d.mc)) + T(2.0) * cross(w, d.momentum.force)};  // (8)
    d.bias = {R * bias.torque, R * bias.force};
    d.momentum = {R * d.momentum.torque, R * d.momentum.force};
    d.mc = R * d.mc;
    const Vec3<T> x = d.J * transpose_times(R, Vec3<T>{T(1.0), T(0.0), T(0.0)});
    const Vec3<T> y = d.J * transpose_times(R, Vec3<T>{T(0.0), T(1.0), T(0.0)});
    const Vec3<T> z = d.J * transpose_times(R, Vec3<T>{T(0.0), T(0.0), T(1.0)});
    const Vec3<T> Rx = R * x, Ry = R * y, Rz = R * z;  // columns of R J R'
    d.J = {Rx.x, Ry.y, Rz.z, Ry.x, Rz.x, Rz.y};
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
