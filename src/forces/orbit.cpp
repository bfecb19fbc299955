#include "gyrostat/forces/orbit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gyrostat/math/sincos.h"

namespace gyrostat {

namespace {

using std::numbers::pi;

/// n (t - t_0) less whole turns, in [-pi, pi]: rounded once, however many turns there were.
double mean_anomaly(double n, double t, double t_0) {
  const double since = t - t_0, t_back = since + t_0;
  const double since_low = (t - t_back) - (t_0 - (t_back - since));
  const double angle = n * since, angle_low = std::fma(n, since, -angle) + n * since_low;
  constexpr double turn = 2 * pi, turn_low = 2.4492935982947064e-16;
  const double turns = std::nearbyint(angle / turn);
  const double M = std::fma(-turns, turn, angle) + (angle_low - turns * turn_low);  // the first term is exact
  return std::abs(M) <= pi ? M : M - std::copysign(turn, M);
}

/// x - sin x for 0 <= x <= pi, sin x known.
double less_its_sine(double x, double sin) {
  if (x > 1.5) return x - sin;
  const double z = x * x;
  double sum = 0;
  for (int k = 22; k >= 4; k -= 2) sum = z / (k * (k + 1)) * (1 - sum);
  return x * z / 6 * (1 - sum);
}

/// The root of a cubic that is like Kepler's equation (S. Mikkola 1987), for 0 <= M <= pi: within 0.2 % of E.
double first_guess(double M, double e) {
  const double scale = 4 * e + 0.5, a = (1 - e) / scale, b = M / 2 / scale;
  const double z = std::cbrt(b + std::sqrt(b * b + a * a * a));
  const double s = 2 * b / (z * z + a + (a / z) * (a / z));
  const double s2 = s * s, corrected = s - 0.078 * s * s2 * s2 / (1 + e);
  return M + e * corrected * (3 - 4 * corrected * corrected);
}

}  // namespace

double eccentric_anomaly(double mean_anomaly, double e) {
  const double M = std::abs(mean_anomaly);
  double E = first_guess(M, e);
  for (int i = 0; i < 2; ++i) {  // Halley's step about cubes E's relative error for any e and M: 2e-3, 1e-8, rounding
    const auto [sin, cos] = sincos(E / 2);
    const double sine = 2 * sin * cos;
    const double f = (1 - e) * E + e * less_its_sine(E, sine) - M;  // no cancellation but with M
    const double slope = (1 - e) + 2 * e * sin * sin;
    E -= f / (slope - f * e * sine / (2 * slope));
  }
  return std::copysign(std::min(E, pi), mean_anomaly);
}

Orbit::Orbit(const OrbitDescription& orbit)
    : mu_(orbit.mu),
      mean_motion_(std::sqrt(orbit.mu / orbit.semi_major_axis) / orbit.semi_major_axis),
      time_of_periapsis_(orbit.time_of_periapsis),
      semi_major_axis_(orbit.semi_major_axis),
      eccentricity_(orbit.eccentricity),
      axis_ratio_(std::sqrt((1 - orbit.eccentricity) * (1 + orbit.eccentricity))) {
  const Matrix3 R = rotation_about(Vector3::UnitZ(), orbit.raan) * rotation_about(Vector3::UnitX(), orbit.inclination) *
                    rotation_about(Vector3::UnitZ(), orbit.argument_of_periapsis);
  to_periapsis_ = R.col(0);
  to_quarter_ = R.col(1);
}

std::array<double, 12> Orbit::numbers() const {
  return {mu_,
          mean_motion_,
          time_of_periapsis_,
          semi_major_axis_,
          eccentricity_,
          axis_ratio_,
          to_periapsis_.x(),
          to_periapsis_.y(),
          to_periapsis_.z(),
          to_quarter_.x(),
          to_quarter_.y(),
          to_quarter_.z()};
}

OrbitState Orbit::at(double t) const {
  const double a = semi_major_axis_, e = eccentricity_;
  const double E = eccentric_anomaly(mean_anomaly(mean_motion_, t, time_of_periapsis_), e);
  const auto [sin, cos] = sincos(E / 2);
  const double sine = 2 * sin * cos, versine = 2 * sin * sin;
  const double relative_radius = (1 - e) + e * versine, speed = a * mean_motion_ / relative_radius;
  OrbitState state;
  state.position = a * ((1 - e) - versine) * to_periapsis_ + a * axis_ratio_ * sine * to_quarter_;
  state.velocity = -speed * sine * to_periapsis_ + speed * axis_ratio_ * (1 - versine) * to_quarter_;
  state.radius = a * relative_radius;
  state.true_anomaly = 2 * std::atan2(std::sqrt(1 + e) * sin, std::sqrt(1 - e) * cos);
  return state;
}

double Orbit::true_anomaly(const Vector3& position, const Vector3& velocity) const {
  const Vector3 h = position.cross(velocity);
  const double radius = position.norm();
  const double e_cos = h.squaredNorm() / (mu_ * radius) - 1, e_sin = h.norm() * position.dot(velocity) / (mu_ * radius);
  if (std::hypot(e_cos, e_sin) >= nearly_circular) return std::atan2(e_sin, e_cos);
  return std::atan2(h.dot(to_periapsis_.cross(position)), h.norm() * to_periapsis_.dot(position));
}

namespace {

/// Three independent translations from the world, or from the world's child where the joint is reversed?
bool flies(const Joint& joint) { return joint.type == JointType::free || (joint.translations == 3 && !joint.reversed); }

}  // namespace

std::string held_at_centre(const Description& description, const System& system) {
  if (description.environment.gravity_gradient != GravityGradient::full) return {};
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const bool held = !flies(system.joints[i]) || system.joints[i].motion != Motion::free;
    if (system.parent[i] == 0 && held) return system.joints[i].name;
  }
  return {};
}

void place_on_orbit(const Description& description, const System& system, State& state) {
  if (description.environment.gravity_gradient != GravityGradient::full) return;
  const OrbitState at = Orbit(*description.environment.orbit).at(0);
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (system.parent[i] != 0 || !flies(joint)) continue;
    if (joint.type != JointType::free) {
      Matrix3 D;
      D << joint.d[0], joint.d[1], joint.d[2];
      state.q.segment<3>(joint.q) += D.inverse() * at.position;
      state.u.segment<3>(joint.u) += D.inverse() * at.velocity;
    } else if (!joint.reversed) {
      state.q.segment<3>(joint.q) += at.position;
      state.u.segment<3>(joint.u + 3) += at.velocity;
    } else {  // the joint says where the world is as the body sees it
      const double* e = state.q.data() + joint.q + 3;
      const Matrix3 R = to_rotation({e[0], e[1], e[2], e[3]});
      const Vector3 w = state.u.segment<3>(joint.u);
      state.q.segment<3>(joint.q) -= R * at.position;
      state.u.segment<3>(joint.u + 3) -= R * (at.velocity + w.cross(at.position));
    }
  }
}

}  // namespace gyrostat
