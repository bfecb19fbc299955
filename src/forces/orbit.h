// Motion on an ellipse about a centre of attraction.
#pragma once

#include <array>
#include <type_traits>

#include "gyrostat/math/dual.h"
#include "gyrostat/math/pack.h"
#include "gyrostat/math/small.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

/// E in [-pi, pi] of Kepler's equation M = E - e sin E, for M in [-pi, pi] and 0 <= e < 1. A few units in the last
/// place of E, however small it is and however near e is to 1.
double eccentric_anomaly(double mean_anomaly, double eccentricity);

/// From the centre, world axes: z along the normal of the equator, x to the vernal point.
struct OrbitState {
  Vector3 position = Vector3::Zero(), velocity = Vector3::Zero();  // [m, m/s]
  double radius = 0;                                               // [m]
  double true_anomaly = 0;                                         // from periapsis, in [-pi, pi] [rad]
};

class Orbit {
 public:
  /// Precondition: the description was found valid. An orbit without eccentricity has its periapsis where its argument
  /// says.
  explicit Orbit(const OrbitDescription& orbit);
  Orbit() : Orbit(OrbitDescription{1, 0, 0, 0, 0, 0, 1, 1}) {}  // a circle of unit size

  [[nodiscard]] OrbitState at(double t) const;

  /// Of a point that moves about the same centre, in [-pi, pi] [rad]: from the periapsis of its osculating orbit, or
  /// from this orbit's where the osculating one is nearly circular. On the orbit itself it is that of `at`.
  [[nodiscard]] double true_anomaly(const Vector3& position, const Vector3& velocity) const;

  /// Osculating eccentricities below this leave a periapsis that rounding and integration move about.
  static constexpr double nearly_circular = 1e-8;

  /// All that distinguishes one from another.
  [[nodiscard]] std::array<double, 12> numbers() const;

  [[nodiscard]] double mean_motion() const { return mean_motion_; }  // [rad/s]
  [[nodiscard]] double mu() const { return mu_; }                    // [m^3/s^2]

 private:
  double mu_, mean_motion_, time_of_periapsis_;
  double semi_major_axis_, eccentricity_, axis_ratio_;  // minor to major
  Vector3 to_periapsis_, to_quarter_;                   // unit vectors; the motion is from the first to the second
};

// --- over any scalar
// ---------------------------------------------------------------------------------------------------------------------

/// Of something that has no numbers of type C, one for each lane of a pack.
template <class C, class X>
struct ByLaneOf {
  using type = X;
};
template <std::size_t N, class X>
struct ByLaneOf<Pack<N>, X> {
  using type = std::array<X, N>;
};
template <class C, class X>
using ByLane = typename ByLaneOf<C, X>::type;

template <class T>
struct OrbitPoint {
  Vec3<T> position;        // from the centre, world axes [m]
  T radius, true_anomaly;  // [m, rad]
  T mu;                    // [m^3/s^2]
};

inline OrbitPoint<double> orbit_at(const Orbit& orbit, double t) {
  const OrbitState at = orbit.at(t);
  return {cast<double>(at.position), at.radius, at.true_anomaly, orbit.mu()};
}

template <std::size_t N>
OrbitPoint<Dual<N>> orbit_at(const Orbit& orbit, const Dual<N>& t) {
  const OrbitState at = orbit.at(t.value);
  const auto by_time = [&](double value, double rate) { return chain(value, rate, t); };
  return {{by_time(at.position.x(), at.velocity.x()), by_time(at.position.y(), at.velocity.y()),
           by_time(at.position.z(), at.velocity.z())},
          by_time(at.radius, at.position.dot(at.velocity) / at.radius),
          by_time(at.true_anomaly, at.position.cross(at.velocity).norm() / (at.radius * at.radius)),
          Dual<N>(orbit.mu())};
}

template <std::size_t N>
OrbitPoint<Pack<N>> orbit_at(const std::array<Orbit, N>& orbits, const Pack<N>& t) {
  OrbitPoint<Pack<N>> all;
  for (std::size_t lane = 0; lane < N; ++lane) {
    const OrbitPoint<double> at = orbit_at(orbits[lane], t[lane]);
    all.position.x[lane] = at.position.x;
    all.position.y[lane] = at.position.y;
    all.position.z[lane] = at.position.z;
    all.radius[lane] = at.radius;
    all.true_anomaly[lane] = at.true_anomaly;
    all.mu[lane] = at.mu;
  }
  return all;
}

/// The joint that keeps a body from flying about the centre of attraction where gravity_gradient is `full`, or empty.
std::string held_at_centre(const Description& description, const System& system);

/// Where gravity_gradient is `full`, a model says where its bodies are relative to a point on the orbit at t = 0; this
/// adds that point's position and velocity to what is free in the world. Else it changes nothing.
void place_on_orbit(const Description& description, const System& system, State& state);

}  // namespace gyrostat
