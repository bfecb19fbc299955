// What the examples must come to, by formulas and small integrations that share nothing with the library.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace gyrostat::testing::reference {

using Vec = std::array<double, 3>;
using Mat = std::array<Vec, 3>;  // rows

inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec scaled(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Vec sum(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

// --- integration -----------------------------------------------------------------------------------------------------

/// One step of Gragg, Bulirsch and Stoer: the modified midpoint rule with 2, 4, .. 2 `levels` substeps, extrapolated;
/// order 2 `levels`. `f(t, y)` gives the rate of the array y.
template <class T, std::size_t n, class F>
std::array<T, n> extrapolated_step(const F& f, T t, const std::array<T, n>& y, T h, std::size_t levels = 8) {
  std::array<std::array<T, n>, 12> row{};
  const std::array<T, n> slope = f(t, y);
  for (std::size_t level = 0; level < levels; ++level) {
    const std::size_t substeps = 2 * (level + 1);
    const T s = h / T(substeps);
    std::array<T, n> before = y, now = y;
    for (std::size_t i = 0; i < n; ++i) now[i] += s * slope[i];
    for (std::size_t k = 1; k < substeps; ++k) {
      const std::array<T, n> rate = f(t + T(k) * s, now);
      for (std::size_t i = 0; i < n; ++i) before[i] = std::exchange(now[i], before[i] + 2 * s * rate[i]);
    }
    const std::array<T, n> end = f(t + h, now);
    std::array<T, n> value{};
    for (std::size_t i = 0; i < n; ++i) value[i] = (now[i] + before[i] + s * end[i]) / 2;
    for (std::size_t k = 0; k < level; ++k) {  // Aitken and Neville; row[k] holds level - 1's entries
      const T ratio = T(substeps) / T(substeps - 2 * (k + 1));
      for (std::size_t i = 0; i < n; ++i) {
        const T better = value[i] + (value[i] - row[k][i]) / (ratio * ratio - 1);
        row[k][i] = std::exchange(value[i], better);
      }
    }
    row[level] = value;
  }
  return row[levels - 1];
}

/// y at t1 from y at t0, in equal steps.
template <class T, std::size_t n, class F>
std::array<T, n> integrated(const F& f, T t0, std::array<T, n> y, T t1, int steps, std::size_t levels = 8) {
  const T h = (t1 - t0) / T(steps);
  for (int k = 0; k < steps; ++k) y = extrapolated_step<T, n>(f, t0 + T(k) * h, y, h, levels);
  return y;
}

// --- elliptic functions ----------------------------------------------------------------------------------------------

/// K for the complementary parameter m1 = 1 - k^2, by the arithmetic-geometric mean.
inline double complete_elliptic(double m1) {
  double a = 1, g = std::sqrt(m1);
  for (int i = 0; i < 40 && std::abs(a - g) > 1e-16 * a; ++i) a = std::exchange(g, std::sqrt(a * g)) * 0.5 + a * 0.5;
  return std::numbers::pi / (a + g);
}

struct Jacobi {
  double sn = 0, cn = 1, dn = 1;
};

/// sn, cn, dn of u for the complementary parameter m1 in (0, 1], by descending Landen transformations
/// (Abramowitz and Stegun 16.4).
inline Jacobi jacobi(double u, double m1) {
  std::array<double, 16> a{}, c{};
  a[0] = 1;
  c[0] = std::sqrt(1 - m1);
  double b = std::sqrt(m1);
  std::size_t n = 0;
  while (std::abs(c[n]) > 1e-17 && n + 1 < a.size()) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    ++n;
  }
  const double period = 4 * complete_elliptic(m1);
  double phi = std::ldexp(a[n] * std::remainder(u, period), static_cast<int>(n));
  for (; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  const double cn = std::cos(phi);
  return {std::sin(phi), cn, std::sqrt(m1 + (1 - m1) * cn * cn)};
}

// --- a rigid body with nothing acting on it --------------------------------------------------------------------------

/// Euler's and Jacobi's solution for principal moments `inertia` (all different) and angular velocity `rates` at t = 0,
/// in body axes. Not on the separatrix.
class TorqueFree {
 public:
  TorqueFree(const Vec& inertia, const Vec& rates) : inertia_(inertia) {
    std::array<std::size_t, 3> order = {0, 1, 2};
    for (const auto& [i, j] : std::array<std::array<std::size_t, 2>, 3>{{{0, 1}, {1, 2}, {0, 1}}}) {
      if (inertia[order[i]] < inertia[order[j]]) std::swap(order[i], order[j]);
    }
    const double side = excess(order[1], rates);  // H^2 - 2 T I_b: which axis the polhode is around
    if (side == 0) throw std::invalid_argument("on the separatrix");
    if (side < 0) std::swap(order[0], order[2]);
    a_ = order[0], b_ = order[1], c_ = order[2];
    const double Ia = inertia[a_], Ib = inertia[b_], Ic = inertia[c_];
    const double from_a = excess(a_, rates), from_b = excess(b_, rates), from_c = excess(c_, rates);
    amplitude_[a_] = std::copysign(std::sqrt(from_c / (Ia * (Ia - Ic))), rates[a_]);
    amplitude_[b_] = std::sqrt(-from_a / (Ib * (Ia - Ib)));
    amplitude_[c_] = std::sqrt(-from_a / (Ic * (Ia - Ic)));
    speed_ = std::sqrt((Ia - Ib) * from_c / (Ia * Ib * Ic));
    m1_ = (Ia - Ic) * from_b / ((Ia - Ib) * from_c);
    const double parity = (b_ == (a_ + 1) % 3) ? 1 : -1;
    if (parity * (Ic - Ia) * amplitude_[a_] < 0) amplitude_[b_] = -amplitude_[b_];
    if (amplitude_[b_] != 0) {
      const double phi = std::atan2(rates[b_] / amplitude_[b_], rates[c_] / amplitude_[c_]);
      phase_ = std::ellint_1(std::sqrt(1 - m1_), phi);
      for (int i = 0; i < 4; ++i) {  // sqrt(1 - m1) has lost digits of a small m1
        const Jacobi j = jacobi(phase_, m1_);
        phase_ += std::asin(std::sin(phi) * j.cn - std::cos(phi) * j.sn) / j.dn;
      }
    }
    momentum_ = std::sqrt(dot(momentum(0), momentum(0)));
  }

  /// Angular velocity, body axes.
  [[nodiscard]] Vec rates(double t) const {
    const Jacobi j = jacobi(speed_ * t + phase_, m1_);
    Vec w{};
    w[a_] = amplitude_[a_] * j.dn;
    w[b_] = amplitude_[b_] * j.sn;
    w[c_] = amplitude_[c_] * j.cn;
    return w;
  }

  /// The time after which the angular velocity is the same again; half of it turns the intermediate axis over.
  [[nodiscard]] double period() const { return 4 * complete_elliptic(m1_) / speed_; }

  /// The largest rate about the intermediate axis.
  [[nodiscard]] double intermediate_amplitude() const { return std::abs(amplitude_[b_]); }

  /// R_NB, which maps components in the body to those in the world, for R_NB(0) = 1. The azimuth about the angular
  /// momentum of the body axis that never points along it is integrated by Gauss and Legendre.
  [[nodiscard]] Mat orientation(double t) const {
    static constexpr std::array<double, 5> x = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                                0.8650633666889845, 0.9739065285171717};
    static constexpr std::array<double, 5> w = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                                0.1494513491505806, 0.0666713443086881};
    const int segments = 1 + static_cast<int>(32 * std::abs(t) / period());
    const double half = t / segments / 2;
    double azimuth = 0;
    for (int s = 0; s < segments; ++s) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double middle = (2 * s + 1) * half;
        azimuth += half * w[k] * (azimuth_rate(middle - half * x[k]) + azimuth_rate(middle + half * x[k]));
      }
    }
    const Mat start = triad(0), now = triad(t);  // rows in body axes: along H, across, and the third
    const Vec across = sum(scaled(std::cos(azimuth), start[1]), scaled(std::sin(azimuth), start[2]));
    const Mat world = {start[0], across, cross(start[0], across)};
    Mat r{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) r[i][j] += world[k][i] * now[k][j];
      }
    }
    return r;
  }

 private:
  Vec inertia_, amplitude_{};
  std::size_t a_ = 0, b_ = 1, c_ = 2;
  double speed_ = 0, m1_ = 1, phase_ = 0, momentum_ = 0;

  /// H^2 - 2 T I_k, without cancellation.
  [[nodiscard]] double excess(std::size_t k, const Vec& w) const {
    double e = 0;
    for (std::size_t i = 0; i < 3; ++i) e += inertia_[i] * (inertia_[i] - inertia_[k]) * w[i] * w[i];
    return e;
  }
  [[nodiscard]] Vec momentum(double t) const {
    const Vec w = rates(t);
    return {inertia_[0] * w[0], inertia_[1] * w[1], inertia_[2] * w[2]};
  }
  [[nodiscard]] Mat triad(double t) const {
    const Vec h = scaled(1 / momentum_, momentum(t));
    Vec e{};
    e[c_] = 1;
    Vec across = sum(e, scaled(-h[c_], h));
    across = scaled(1 / std::sqrt(dot(across, across)), across);
    return {h, across, cross(h, across)};
  }
  [[nodiscard]] double azimuth_rate(double t) const {
    const Vec w = rates(t), h = scaled(1 / momentum_, momentum(t));
    Vec e{};
    e[c_] = 1;
    const Vec across = sum(e, scaled(-h[c_], h));
    return dot(h, cross(across, cross(w, e))) / dot(across, across);
  }
};

// --- a spinning rotor in a platform ----------------------------------------------------------------------------------

/// Nutation [rad/s] of a platform with moments A, B, C (rotor included) that turns at n about its third axis and holds
/// the momentum h of a rotor along it. Small motion, no friction.
inline double nutation(double A, double B, double C, double n, double h) {
  return std::sqrt(((C - A) * n + h) * ((C - B) * n + h) / (A * B));
}

/// Dual spin with a ball in a tube along the spin axis. A, B, C: moments of the whole, ball in the middle; n: rate of
/// the part that carries the tube; h: momentum of the rest along the axis, relative to that part.
struct BallInTube {
  double A = 0, B = 0, C = 0;         // [kg m^2]
  double n = 0, h = 0;                // [rad/s], [kg m^2/s]
  double whole = 0, ball = 0;         // masses [kg]
  double arm = 0;                     // distance of the tube from the axis, along the first body axis [m]
  double stiffness = 0, damping = 0;  // [N/m], [N s/m]

  /// The characteristic polynomial at s, from
  ///   A w1' + ((C - B) n + h) w2 = 0
  ///   B w2' - ((C - A) n + h) w1 - m b (z'' + n^2 z) = 0
  ///   mu z'' + c z' + k z - m b (w2' - n w1) = 0,     mu = m (M - m) / M.
  [[nodiscard]] std::complex<double> characteristic(std::complex<double> s) const {
    const double a = (C - B) * n + h, b = (C - A) * n + h, mb = ball * arm, mu = ball * (whole - ball) / whole;
    const std::complex<double> tube = mu * s * s + damping * s + stiffness;
    // Rows (w1, w2, z): [A s, a, 0], [-b, B s, -mb (s^2 + n^2)], [mb n, -mb s, tube].
    return A * s * (B * s * tube - mb * mb * s * (s * s + n * n)) - a * (-b * tube + mb * mb * n * (s * s + n * n));
  }

  /// The root nearest to the guess.
  [[nodiscard]] std::complex<double> root(std::complex<double> guess) const {
    for (int i = 0; i < 200; ++i) {
      const std::complex<double> e = 1e-6 * std::abs(guess);
      const std::complex<double> slope = (characteristic(guess + e) - characteristic(guess - e)) / (2.0 * e);
      guess -= characteristic(guess) / slope;
    }
    return guess;
  }
};

// --- in the gradient of gravity --------------------------------------------------------------------------------------

/// Librations on a circular orbit in units of the orbital rate; x forward, y against the orbit's normal, z down.
struct Librations {
  double pitch = 0, slow = 0, fast = 0;  // the last two mix roll and yaw
};
inline Librations librations(double Ix, double Iy, double Iz) {
  const double k1 = (Iy - Iz) / Ix, k3 = (Iy - Ix) / Iz;
  const double b = 1 + 3 * k1 + k1 * k3, root = std::sqrt(b * b - 16 * k1 * k3);
  return {std::sqrt(3 * (Ix - Iz) / Iy), std::sqrt((b - root) / 2), std::sqrt((b + root) / 2)};
}

/// True anomaly at mean anomaly M.
inline double true_anomaly(double M, double e) {
  double E = M;
  for (int i = 0; i < 60; ++i) E -= (E - e * std::sin(E) - M) / (1 - e * std::cos(E));
  return 2 * std::atan2(std::sqrt(1 + e) * std::sin(E / 2), std::sqrt(1 - e) * std::cos(E / 2));
}

/// Pitch on an eccentric orbit, in the sense of the orbit's motion, from the equation in the true anomaly f,
///   (1 + e cos f) p'' - 2 e sin f (p' + 1) + 3 k sin p cos p = 0,     k = (Ix - Iz) / Iy.
/// From pitch and its derivative along f at periapsis to those at f.
inline std::array<double, 2> eccentric_pitch(double e, double k, double pitch, double slope, double f) {
  const auto rate = [e, k](double at, const std::array<double, 2>& y) -> std::array<double, 2> {
    const double c = 1 + e * std::cos(at);
    return {y[1], (2 * e * std::sin(at) * (y[1] + 1) - 3 * k * std::sin(y[0]) * std::cos(y[0])) / c};
  };
  return integrated<double, 2>(rate, 0.0, {pitch, slope}, f, 1 + static_cast<int>(4 * std::abs(f)));
}

/// The forced pitch of first order in e is this times sin f.
inline double forced_pitch(double e, double k) { return 2 * e / (3 * k - 1); }

/// A rigid body with principal moments on a Kepler orbit in the world's xy plane, periapsis on x at t = 0, under the
/// first-order gradient torque 3 mu/R^3 n x I n. State: quaternion (w, x, y, z) to the world, angular velocity in body
/// axes.
struct RigidInOrbit {
  Vec inertia{};
  double n = 0, eccentricity = 0;  // mean motion [rad/s]
  using State = std::array<double, 7>;

  /// Unit vector down, and mu/R^3.
  [[nodiscard]] std::pair<Vec, double> gravity(double t) const {
    const double f = true_anomaly(n * t, eccentricity), e = eccentricity;
    const double a_over_r = (1 + e * std::cos(f)) / (1 - e * e);
    return {Vec{-std::cos(f), -std::sin(f), 0}, n * n * a_over_r * a_over_r * a_over_r};
  }
  /// A vector of the world in body axes.
  static Vec in_body(const State& q, const Vec& v) {
    const Vec axis = {-q[1], -q[2], -q[3]};
    const Vec c = sum(cross(axis, v), scaled(q[0], v));
    return sum(v, scaled(2, cross(axis, c)));
  }
  [[nodiscard]] State after(double t, const State& start, int steps) const {
    const auto rate = [this](double now, const State& y) -> State {
      const auto [down, k] = gravity(now);
      const Vec d = in_body(y, down), w = {y[4], y[5], y[6]};
      State r{};
      r[0] = -(y[1] * w[0] + y[2] * w[1] + y[3] * w[2]) / 2;  // q' = q (0, w) / 2
      r[1] = (y[0] * w[0] + y[2] * w[2] - y[3] * w[1]) / 2;
      r[2] = (y[0] * w[1] + y[3] * w[0] - y[1] * w[2]) / 2;
      r[3] = (y[0] * w[2] + y[1] * w[1] - y[2] * w[0]) / 2;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
        r[4 + i] = (inertia[j] - inertia[l]) / inertia[i] * (w[j] * w[l] - 3 * k * d[j] * d[l]);
      }
      return r;
    };
    return integrated<double, 7>(rate, 0.0, start, t, steps);
  }
  /// Pitch and roll of a body whose axes are forward, against the orbit's normal, and down.
  [[nodiscard]] std::array<double, 3> pitch_roll_yaw(double t, const State& y) const {
    const Vec d = in_body(y, gravity(t).first), z = in_body(y, {0, 0, 1});
    return {std::atan2(-d[0], d[2]), std::atan2(d[1], d[2]), std::atan2(-z[0], -z[1])};
  }
  /// Over x at t = 0, upright but for pitch and roll, turning at `rate` about the world's z axis.
  static State tipped(double pitch, double roll, double rate) {
    // q = q(z, 90 deg) q(x, roll - 90 deg) q(y, pitch)
    const double h = std::sqrt(0.5), a = (roll - std::numbers::pi / 2) / 2, b = pitch / 2;
    const double w = h * std::cos(a), x = h * std::sin(a);  // q(z) q(x) = (w, x, x, w)
    const double c = std::cos(b), s = std::sin(b);
    const Vec z = {-std::sin(roll) * std::sin(pitch), -std::cos(roll), std::sin(roll) * std::cos(pitch)};
    return {w * c - x * s, x * c - w * s, x * c + w * s, w * c + x * s, rate * z[0], rate * z[1], rate * z[2]};
  }
};

/// Two masses on a spring, on a circular orbit of rate n; pitch in the sense of the orbit's motion.
struct Dumbbell {
  double mass1 = 0, mass2 = 0;        // [kg]
  double stiffness = 0, damping = 0;  // [N/m], [N s/m]
  double length = 0;                  // unstretched [m]
  double n = 0;                       // [rad/s]

  [[nodiscard]] double reduced() const { return mass1 * mass2 / (mass1 + mass2); }
  /// The length at which the spring balances the gradient and the turning, upright.
  [[nodiscard]] double equilibrium() const { return stiffness * length / (stiffness - 3 * reduced() * n * n); }
  /// Small pitch and stretch are coupled by Coriolis; slow and fast frequency [rad/s] without damping.
  [[nodiscard]] std::array<double, 2> frequencies() const {
    const double a = stiffness / reduced() - 3 * n * n, b = a + 7 * n * n;
    const double fast = std::sqrt((b + std::sqrt(b * b - 12 * n * n * a)) / 2);
    return {std::sqrt(3 * a) * n / fast, fast};
  }
  /// Length, its rate, pitch, its rate after time t, in the plane of the orbit.
  [[nodiscard]] std::array<double, 4> after(double t, const std::array<double, 4>& start) const {
    const auto rate = [this](double, const std::array<double, 4>& y) -> std::array<double, 4> {
      const double L = y[0], c = std::cos(y[2]), turning = n + y[3];
      const double pull = (stiffness * (L - length) + damping * y[1]) / reduced();
      return {y[1], L * (turning * turning + n * n * (3 * c * c - 1)) - pull, y[3],
              -2 * y[1] / L * turning - 3 * n * n * std::sin(y[2]) * c};
    };
    return integrated<double, 4>(rate, 0.0, start, t, 1 + static_cast<int>(t * frequencies()[1]));
  }
};

// --- a boom in the sun -----------------------------------------------------------------------------------------------

/// A bus and a boom in a plane, without angular momentum; the hinge is at the bus's mass centre, so that the equations
/// are
///   J q'' + d q' + k (q - r) = 0,   tau r' = steady cos(share q - sun) - r,
/// with J the reduced moment and `share` the part of the hinge angle that the boom turns in the world.
struct ThermalBoom {
  double bus_mass = 0, bus_inertia = 0;
  double boom_mass = 0, boom_inertia = 0,
         boom_com = 0;  // inertia about its mass centre; distance of that from the hinge
  double stiffness = 0, damping = 0, time_constant = 0;
  double steady = 0, sun = 0;  // [rad]; the sun's angle from the boom's first axis at the start, towards the tip

  [[nodiscard]] double about_hinge() const {
    return boom_inertia + boom_com * boom_com * boom_mass * bus_mass / (boom_mass + bus_mass);
  }
  [[nodiscard]] double inertia() const { return about_hinge() * bus_inertia / (about_hinge() + bus_inertia); }
  [[nodiscard]] double share() const { return bus_inertia / (about_hinge() + bus_inertia); }
  [[nodiscard]] double frequency() const { return std::sqrt(stiffness / inertia()); }
  /// The angle at which the boom could rest.
  [[nodiscard]] double equilibrium() const {
    double q = 0;
    for (int i = 0; i < 100; ++i) q = steady * std::cos(share() * q - sun);
    return q;
  }
  /// Change of the thermal rest angle with the hinge angle, at rest.
  [[nodiscard]] double feedback() const { return -steady * share() * std::sin(share() * equilibrium() - sun); }
  /// The oscillatory root [1/s] of (J s^2 + d s + k)(tau s + 1) - k feedback.
  [[nodiscard]] std::complex<double> root() const {
    std::complex<double> s(0, frequency());
    for (int i = 0; i < 100; ++i) {
      const std::complex<double> spring = inertia() * s * s + damping * s + stiffness, lag = time_constant * s + 1.0;
      s -= (spring * lag - stiffness * feedback()) / ((2 * inertia() * s + damping) * lag + spring * time_constant);
    }
    return s;
  }
  /// The feedback below which it flutters (Routh).
  [[nodiscard]] double flutter_feedback() const {
    const double w = frequency(), zeta = damping / (2 * inertia() * w), lag = w * time_constant;
    return -(2 * zeta * (lag + 1 / lag) + 4 * zeta * zeta);
  }
  /// Hinge angle, rate and rest angle after time t.
  [[nodiscard]] std::array<double, 3> after(double t, const std::array<double, 3>& start) const {
    const auto rate = [this](double, const std::array<double, 3>& y) -> std::array<double, 3> {
      return {y[1], -(damping * y[1] + stiffness * (y[0] - y[2])) / inertia(),
              (steady * std::cos(share() * y[0] - sun) - y[2]) / time_constant};
    };
    return integrated<double, 3>(rate, 0.0, start, t, 1 + static_cast<int>(t * (frequency() + 1 / time_constant)));
  }
};

}  // namespace gyrostat::testing::reference
