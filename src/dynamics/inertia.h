// A body's inertia and the force its motion needs, at its base point, over any scalar.
#pragma once

#include "gyrostat/dynamics/kinematics.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {

/// Maps accelerations of a body to the wrench they need: torque = I alpha + H a, force = H^T alpha + M a. World axes,
/// about the base point. 21 numbers: never a matrix of six.
template <class T>
struct Inertia {
  Sym3<T> I;  // [kg m^2]
  Mat3<T> H;  // [kg m]
  Sym3<T> M;  // [kg]
};

/// First and second moments of a body's mass in world axes.
template <class T>
struct Moments {
  Vec3<T> mc;
  Sym3<T> E;
};

}  // namespace gyrostat

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

// clang-format off
template <class T> GYROSTAT_INLINE Inertia<T>& operator+=(Inertia<T>& a, const Inertia<T>& b) { a.I += b.I; a.H += b.H; a.M += b.M; return a; }
template <class T> GYROSTAT_INLINE Wrench<T>& operator+=(Wrench<T>& a, const Wrench<T>& b) { a.torque += b.torque; a.force += b.force; return a; }
// clang-format on

/// A -= a b^T where that is symmetric
template <class T>
GYROSTAT_INLINE void subtract_square(Sym3<T>& A, const Vec3<T>& a, const Vec3<T>& b) {
  A = {A.xx - a.x * b.x, A.yy - a.y * b.y, A.zz - a.z * b.z, A.xy - a.x * b.y, A.xz - a.x * b.z, A.yz - a.y * b.z};
}

template <class T>
GYROSTAT_INLINE Wrench<T> operator*(const Inertia<T>& inertia, const Twist<T>& acceleration) {
  return {inertia.I * acceleration.w + inertia.H * acceleration.v,
          transpose_times(inertia.H, acceleration.w) + inertia.M * acceleration.v};
}

/// `select` for vectors.
template <class T>
GYROSTAT_INLINE Vec3<T> choose(const Condition<T>& condition, const Vec3<T>& yes, const Vec3<T>& no) {
  return {select(condition, yes.x, no.x), select(condition, yes.y, no.y), select(condition, yes.z, no.z)};
}

/// Power of a wrench in a motion.
template <class T>
GYROSTAT_INLINE T product(const Twist<T>& motion, const Wrench<T>& F) {
  return dot(motion.w, F.torque) + dot(motion.v, F.force);
}

/// Takes an inertia from a body's base point to its parent's, which is at -r from it.
template <class T>
GYROSTAT_INLINE Inertia<T> moved(const Inertia<T>& A, const Vec3<T>& r) {
  const Sym3<T>& M = A.M;
  const Mat3<T> H = {A.H.x + cross(r, {M.xx, M.xy, M.xz}), A.H.y + cross(r, {M.xy, M.yy, M.yz}),
                     A.H.z + cross(r, {M.xz, M.yz, M.zz})};
  // I + [r] H'^T - H [r]: the upper triangle of a symmetric matrix
  const Sym3<T> I = {A.I.xx + (r.y * H.z.x - r.z * H.y.x) + (r.y * A.H.z.x - r.z * A.H.y.x),
                     A.I.yy + (r.z * H.x.y - r.x * H.z.y) + (r.z * A.H.x.y - r.x * A.H.z.y),
                     A.I.zz + (r.x * H.y.z - r.y * H.x.z) + (r.x * A.H.y.z - r.y * A.H.x.z),
                     A.I.xy + (r.y * H.z.y - r.z * H.y.y) + (r.z * A.H.x.x - r.x * A.H.z.x),
                     A.I.xz + (r.y * H.z.z - r.z * H.y.z) + (r.x * A.H.y.x - r.y * A.H.x.x),
                     A.I.yz + (r.z * H.x.z - r.x * H.z.z) + (r.x * A.H.y.y - r.y * A.H.x.y)};
  return {I, H, M};
}

template <class T>
GYROSTAT_INLINE Wrench<T> moved(const Wrench<T>& F, const Vec3<T>& r) {
  return {F.torque + cross(r, F.force), F.force};
}

template <class T, class C>
GYROSTAT_INLINE Moments<T> moments(const LinkOf<C>& link, const Mat3<T>& R_NM) {
  const Vec3<T>&x = R_NM.x, &z = R_NM.z;
  const Vec3<T> e = R_NM * link.e, f = link.e1 * x;
  const C& e0 = link.e0;
  Moments<T> m = {R_NM * link.mc,
                  {e0 + f.x * x.x + (e.x * z.x + e.x * z.x), e0 + f.y * x.y + (e.y * z.y + e.y * z.y),
                   e0 + f.z * x.z + (e.z * z.z + e.z * z.z), f.x * x.y + e.x * z.y + e.y * z.x,
                   f.x * x.z + e.x * z.z + e.z * z.x, f.y * x.z + e.y * z.z + e.z * z.y}};
  if constexpr (has_derivatives<C>) {
    const Vec3<T> g = link.e_xy * R_NM.y;
    m.E += Sym3<T>{g.x * x.x + g.x * x.x, g.y * x.y + g.y * x.y, g.z * x.z + g.z * x.z,
                   g.x * x.y + g.y * x.x, g.x * x.z + g.z * x.x, g.y * x.z + g.z * x.y};
  }
  return m;
}

template <class T, class C>
GYROSTAT_INLINE void add_inertia(const LinkOf<C>& link, const Moments<T>& m, Inertia<T>& A) {
  const C& mass = link.mass;
  A.I = {A.I.xx + (m.E.yy + m.E.zz),
         A.I.yy + (m.E.xx + m.E.zz),
         A.I.zz + (m.E.xx + m.E.yy),
         A.I.xy - m.E.xy,
         A.I.xz - m.E.xz,
         A.I.yz - m.E.yz};
  A.H = {{A.H.x.x, A.H.x.y + m.mc.z, A.H.x.z - m.mc.y},
         {A.H.y.x - m.mc.z, A.H.y.y, A.H.y.z + m.mc.x},
         {A.H.z.x + m.mc.y, A.H.z.y - m.mc.x, A.H.z.z}};
  A.M.xx = A.M.xx + mass;
  A.M.yy = A.M.yy + mass;
  A.M.zz = A.M.zz + mass;
}

/// The wrench that a body without wheels needs for the motion it has: force = m a + W mc, torque = mc x a + the
/// integral of x x W x dm.
template <class T, class C>
GYROSTAT_INLINE Wrench<T> required_wrench(const C& mass, const Moments<T>& m, const Mat3<T>& W, const Vec3<T>& a) {
  const Sym3<T>& E = m.E;
  const T zy = W.x.z * E.xy + W.y.z * E.yy + W.z.z * E.yz, yz = W.x.y * E.xz + W.y.y * E.yz + W.z.y * E.zz;
  const T xz = W.x.x * E.xz + W.y.x * E.yz + W.z.x * E.zz, zx = W.x.z * E.xx + W.y.z * E.xy + W.z.z * E.xz;
  const T yx = W.x.y * E.xx + W.y.y * E.xy + W.z.y * E.xz, xy = W.x.x * E.xy + W.y.x * E.yy + W.z.x * E.yz;
  return {cross(m.mc, a) + Vec3<T>{zy - yz, xz - zx, yx - xy}, mass * a + W * m.mc};
}

/// The torque w x (J w) about the mass centre, which users may ask to leave out. J in M axes.
template <class T, class C>
GYROSTAT_INLINE Vec3<T> gyroscopic_torque(const Sym3<C>& J, const BodyMotion<T>& body) {
  return cross(body.w, body.R_NM * (cast<T>(J) * transpose_times(body.R_NM, body.w)));
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
