// The classical method of Runge and Kutta for the motion of an Scene, and Jacobi's elliptic functions: what closed
// forms are compared with and made of.
#pragma once

#include <array>
#include <cmath>
#include <functional>

#include "gyrostat/dynamics/coordinate_rates.h"

#include "support/scene.h"

namespace gyrostat::testing {

/// Moves the state by `time` in `steps` equal steps. `load` sets the forces for the state at hand.
inline void integrate(Scene& s, double time, int steps, const std::function<void(Scene&)>& load = {}) {
  const Eigen::Index nq = s.state.q.size(), nu = s.state.u.size();
  const auto rate = [&](const Eigen::VectorXd& y) {
    s.state.q = y.head(nq);
    s.state.u = y.tail(nu);
    if (load) load(s);
    Eigen::VectorXd ydot(nq + nu);
    coordinate_rates(s.system(), s.state.q.data(), s.state.u.data(), ydot.data());
    ydot.tail(nu) = s.accelerations();
    return ydot;
  };
  const double h = time / steps;
  Eigen::VectorXd y(nq + nu);
  y << s.state.q, s.state.u;
  for (int i = 0; i < steps; ++i) {
    const Eigen::VectorXd a = rate(y), b = rate(y + h / 2 * a), c = rate(y + h / 2 * b), d = rate(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  s.state.q = y.head(nq);
  s.state.u = y.tail(nu);
}

/// The complete elliptic integral of the first kind of the modulus k, by the arithmetic-geometric mean.
inline double complete_elliptic_integral(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  for (int i = 0; i < 10; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::acos(-1.0) / (2 * a);
}

struct Jacobi {
  double sn = 0, cn = 0, dn = 0;
};

/// By descending Landen transformations (Abramowitz and Stegun 16.4).
inline Jacobi jacobi(double x, double k) {
  constexpr std::size_t n = 8;
  std::array<double, n + 1> a{}, c{};
  a[0] = 1;
  c[0] = k;
  double b = std::sqrt(1 - k * k);
  for (std::size_t i = 1; i <= n; ++i) {
    a[i] = (a[i - 1] + b) / 2;
    c[i] = (a[i - 1] - b) / 2;
    b = std::sqrt(a[i - 1] * b);
  }
  double phi = std::ldexp(a[n] * x, n);
  for (std::size_t i = n; i > 0; --i) phi = (phi + std::asin(c[i] / a[i] * std::sin(phi))) / 2;
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - k * k * sn * sn)};
}

/// Uniform gravity on every body.
inline void weigh(Scene& s, const Vector3& gravity) {
  const std::vector<Pose> X = body_poses(s.system(), s.state.q);
  for (std::uint32_t i = 1; i < X.size(); ++i) {
    const MassProperties& body = s.system().bodies[i].mass_properties;
    s.forces.wrench[i] = {};
    s.act(i, body.mass * gravity, Vector3::Zero(), X[i] * body.com);
  }
}

}  // namespace gyrostat::testing
