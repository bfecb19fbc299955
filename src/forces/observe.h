// What names in expressions are worth at an instant: sensors. Over any scalar.
#pragma once

#include <optional>

#include "gyrostat/forces/elements.h"
#include "gyrostat/math/quaternion.h"

namespace gyrostat {

/// The environment and force elements that sensors ask about.
template <class C>
struct Surroundings {
  const ForceElements<C>& elements;
  std::span<const Table> tables;
  const ByLane<C, Orbit>* orbit = nullptr;  // given; null: there is none
};

/// What many observables of an instant share, computed once for all of them where any is asked for.
template <class T>
struct Shared {
  std::optional<Conserved<T>> conserved;
  std::optional<T> potential;  // energy
  std::optional<OrbitPoint<T>> orbit;
};

template <class T, class C>
const Conserved<T>& conserved_of(const Instant<T, C>& instant, Shared<T>& shared) {
  if (!shared.conserved) {
    shared.conserved = conserved(instant.mechanism, instant.kinematics, instant.u, instant.base_points);
  }
  return *shared.conserved;
}

template <class T, class C>
const T& potential_of(const Instant<T, C>& instant, const Surroundings<C>& around, const Values<T>& values,
                      Shared<T>& shared) {
  if (!shared.potential) shared.potential = potential_energy(around.elements, instant, values, around.tables);
  return *shared.potential;
}

template <class T>
const T& component(const Vec3<T>& v, std::uint32_t k) {
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}
template <class T>
const Vec3<T>& column(const Mat3<T>& m, std::uint32_t k) {
  return k == 0 ? m.x : k == 1 ? m.y : m.z;
}

template <class C>
const TorsionSpring<C>& torsion_of(const ForceElements<C>& elements, std::uint32_t number) {
  return elements.template of<TorsionSpring>()[number];
}

/// Roll, pitch or yaw (0, 1, 2) of R = Rz(yaw) Ry(pitch) Rx(roll); pitch is within a quarter turn. Where it is one, yaw
/// and roll are not unique and their derivatives are not finite.
template <class T>
T attitude_angle(const Mat3<T>& R, std::uint32_t which) {
  using std::atan2;
  using std::sqrt;
  if (which == 0) return atan2(R.y.z, R.z.z);
  if (which == 2) return atan2(R.x.y, R.x.x);
  return atan2(-R.x.z, sqrt(R.x.x * R.x.x + R.x.y * R.x.y));
}

/// True anomaly of a point that moves about the centre of attraction, with its derivatives.
inline double osculating_anomaly(const Orbit& orbit, const Vec3<double>& p, const Vec3<double>& v) {
  return orbit.true_anomaly(to_eigen(p), to_eigen(v));
}
template <std::size_t N>
Dual<N> osculating_anomaly(const Orbit& orbit, const Vec3<Dual<N>>& p, const Vec3<Dual<N>>& v) {
  // e sin and e cos of the anomaly give the derivatives
  const Dual<N> radius = sqrt(dot(p, p)), outward = dot(p, v), mu(orbit.mu());
  const Vec3<Dual<N>> h = cross(p, v);
  Dual<N> angle = atan2(sqrt(dot(h, h)) * outward / (mu * radius), dot(h, h) / (mu * radius) - Dual<N>(1.0));
  const auto value = [](const Vec3<Dual<N>>& x) { return Vec3<double>{x.x.value, x.y.value, x.z.value}; };
  angle.value = osculating_anomaly(orbit, value(p), value(v));
  return angle;
}
template <std::size_t N>
Pack<N> osculating_anomaly(const std::array<Orbit, N>& orbits, const Vec3<Pack<N>>& p, const Vec3<Pack<N>>& v) {
  Pack<N> angle;
  for (std::size_t lane = 0; lane < N; ++lane) {
    const auto of_lane = [lane](const Vec3<Pack<N>>& x) { return Vec3<double>{x.x[lane], x.y[lane], x.z[lane]}; };
    angle[lane] = osculating_anomaly(orbits[lane], of_lane(p), of_lane(v));
  }
  return angle;
}

/// The orbit of the mass centre: as given, or as it is flown.
template <class T, class C>
T observe_orbit(const Observable& o, const Instant<T, C>& instant, const Surroundings<C>& around, Shared<T>& shared) {
  using Kind = Observable::Kind;
  if (around.elements.template of<CentralAttraction>().empty()) {
    if (!shared.orbit) shared.orbit = orbit_at(*around.orbit, instant.t);
    if (o.kind == Kind::orbit_radius) return shared.orbit->radius;
    if (o.kind == Kind::orbit_true_anomaly) return shared.orbit->true_anomaly;
    return -component(shared.orbit->position, o.component) / shared.orbit->radius;
  }
  using std::sqrt;
  const Conserved<T>& whole = conserved_of(instant, shared);
  if (o.kind == Kind::orbit_true_anomaly) return osculating_anomaly(*around.orbit, whole.com, whole.com_velocity);
  const T radius = sqrt(dot(whole.com, whole.com));
  return o.kind == Kind::orbit_radius ? radius : -component(whole.com, o.component) / radius;
}

/// `values` are those that force elements read: the energy needs the rests of thermal springs.
template <class T, class C>
T observe(const Observable& o, const Instant<T, C>& instant, const Surroundings<C>& around, const Values<T>& values,
          Shared<T>& shared) {
  using Kind = Observable::Kind;
  switch (o.kind) {
    case Kind::time: return instant.t;
    case Kind::coordinate: return instant.q[o.index];
    case Kind::speed: return instant.u[o.index];
    case Kind::omega: return component(instant.in_body(o.index, instant.angular_velocity(o.index)), o.component);
    case Kind::position: return component(instant.position(o.index), o.component);
    case Kind::velocity: return component(instant.velocity(o.index), o.component);
    case Kind::quaternion: return quaternion_of(instant.R_NB(o.index))[o.component];
    case Kind::attitude_angle: return attitude_angle(instant.R_NB(o.index), o.component);
    case Kind::direction_cosine: return component(column(instant.R_NB(o.index), o.component / 3), o.component % 3);
    case Kind::com: return component(conserved_of(instant, shared).com, o.component);
    case Kind::momentum: return component(conserved_of(instant, shared).angular_com, o.component);
    case Kind::energy: return conserved_of(instant, shared).kinetic + potential_of(instant, around, values, shared);
    case Kind::orbit_radius:
    case Kind::orbit_true_anomaly:
    case Kind::orbit_nadir: return observe_orbit(o, instant, around, shared);
    case Kind::distance: return node_line(instant, o.index, o.other).distance;
    case Kind::distance_rate: return node_line(instant, o.index, o.other).rate;
    case Kind::torsion_sine: return torsion_of(around.elements, o.index).line(instant).sine;
    case Kind::torsion_cosine: return torsion_of(around.elements, o.index).line(instant).cosine;
    case Kind::torsion_rate: return torsion_of(around.elements, o.index).rate(instant);
  }
  return T(0.0);
}

}  // namespace gyrostat
