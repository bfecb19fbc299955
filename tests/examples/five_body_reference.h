// JPL's five-body spacecraft, flown by a small simulator of its own: Kane's equations with dense matrices, fixed steps
// of extrapolated midpoint rules, jets that switch where their input crosses the deadband. Nothing of the library is in
// it.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "examples/reference.h"

namespace gyrostat::testing::reference {

inline Vec times(const Mat& m, const Vec& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }
inline Vec transposed_times(const Mat& m, const Vec& v) {
  return sum(sum(scaled(v[0], m[0]), scaled(v[1], m[1])), scaled(v[2], m[2]));
}
inline Mat times(const Mat& a, const Mat& b) {
  return {transposed_times(b, a[0]), transposed_times(b, a[1]), transposed_times(b, a[2])};
}
inline Mat turn(const Vec& axis, double angle) {  // Rodrigues
  const double c = std::cos(angle), s = std::sin(angle), x = axis[0], y = axis[1], z = axis[2];
  return {Vec{c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s},
          Vec{y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s},
          Vec{z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)}};
}

/// What drives the spacecraft and how long.
struct FiveBodyCase {
  std::function<double(double)> pan_command, tilt_command;  // of time [rad]; of the motors, if not prescribed
  std::function<std::array<double, 3>(double)> prescribed;  // pan angle, rate, acceleration; tilt turns by the opposite
  bool jets = true;
  double pan = 218 * std::numbers::pi / 180, tilt = -30 * std::numbers::pi / 180;
  double duration = 60, interval = 0.06, step = 0.01;
  std::vector<double> corners;  // times at which commands have kinks
};

struct FiveBodySample {
  double t = 0;
  Vec omega{}, theta{};                   // of the bus, body axes; as sensors see it
  std::array<double, 4> angle{}, rate{};  // pan, tilt, boom_x, boom_z
  Vec momentum{};                         // angular, about the mass centre of all, world axes
};

struct FiveBodyFlight {
  std::vector<FiveBodySample> samples;
  std::array<std::vector<double>, 3> pulses;  // times at which the jets about each axis came on
};

class FiveBody {
 public:
  static FiveBodyFlight fly(const FiveBodyCase& given) { return FiveBody(given).run(); }

 private:
  static constexpr std::size_t hinges = 4, speeds = 6 + hinges;  // omega, velocity of the bus (world axes), hinge rates
  // quaternion, position, hinge angles, then the speeds
  using State = std::array<double, 7 + hinges + speeds>;
  using Column = std::array<double, speeds>;
  struct Motion {
    Mat R{};  // body to world
    Vec com{}, omega{}, velocity{};
    std::array<Vec, speeds> w{}, v{};  // partial angular velocities, and velocities of the mass centre
    Vec alpha{}, a{};                  // accelerations where all speeds are constant
  };

  explicit FiveBody(const FiveBodyCase& given) : case_(given) {}

  static constexpr std::array<std::size_t, 5> inner = {0, 0, 1, 0, 3};
  static constexpr std::array<double, 5> mass = {410, 6.8, 57.5, 0, 10.7};
  static constexpr std::array<Vec, 5> axis = {Vec{}, Vec{0, 0, 1}, Vec{-1, 0, 0}, Vec{1, 0, 0}, Vec{0, 0, 1}};
  static constexpr std::array<Vec, 5> at_parent = {Vec{}, Vec{0, 0, -1.5}, Vec{0, -0.10, -0.75}, Vec{0, -1.2, 0},
                                                   Vec{}};
  static constexpr std::array<Vec, 5> at_child = {Vec{}, Vec{0, 0, -0.75}, Vec{0, -0.22, 0.20}, Vec{}, Vec{0, 3.3, 0}};
  static constexpr std::array<Mat, 5> inertia = {
      Mat{Vec{115, -14, 14}, Vec{-14, 316, -34.6}, Vec{14, -34.6, 440}},
      Mat{Vec{0.35, 0, 0}, Vec{0, 0.35, 0}, Vec{0, 0, 0}},
      Mat{Vec{4.85, 0.41, -0.07}, Vec{0.41, 2.20, 0.54}, Vec{-0.07, 0.54, 5.50}}, Mat{},
      Mat{Vec{27.2, 0, 0}, Vec{0, 0.2, 0}, Vec{0, 0, 27.2}}};
  static constexpr std::array<double, 3> jet_torque = {0.23, 0.21, 0.31};
  static constexpr double rate_gain = 2.0, deadband = 0.005, least_on = 0.020;

  FiveBodyCase case_;
  std::array<int, 3> jet_ = {0, 0, 0};
  std::array<double, 3> on_until_ = {0, 0, 0};

  static Mat orientation(const State& y) {
    const double w = y[0], x = y[1], u = y[2], z = y[3];
    return {Vec{1 - 2 * (u * u + z * z), 2 * (x * u - w * z), 2 * (x * z + w * u)},
            Vec{2 * (x * u + w * z), 1 - 2 * (x * x + z * z), 2 * (u * z - w * x)},
            Vec{2 * (x * z - w * u), 2 * (u * z + w * x), 1 - 2 * (x * x + u * u)}};
  }
  static double angle(const State& y, std::size_t hinge) { return y[7 + hinge]; }
  static double rate(const State& y, std::size_t hinge) { return y[7 + hinges + 6 + hinge]; }

  static std::array<Motion, 5> motions(const State& y) {
    std::array<Motion, 5> m;
    const double* u = y.data() + 7 + hinges;
    m[0].R = orientation(y);
    m[0].com = {y[4], y[5], y[6]};
    m[0].omega = {u[0], u[1], u[2]};
    m[0].velocity = {u[3], u[4], u[5]};
    for (std::size_t i = 0; i < 3; ++i) m[0].w[i][i] = m[0].v[3 + i][i] = 1;
    for (std::size_t b = 1; b < 5; ++b) {
      const Motion& p = m[inner[b]];
      Motion& c = m[b];
      c.R = times(p.R, turn(axis[b], angle(y, b - 1)));
      const Vec g = times(p.R, axis[b]), out = times(p.R, at_parent[b]), in = scaled(-1, times(c.R, at_child[b]));
      c.com = sum(p.com, sum(out, in));
      c.w = p.w;
      c.w[5 + b] = g;
      c.omega = sum(p.omega, scaled(rate(y, b - 1), g));
      c.alpha = sum(p.alpha, scaled(rate(y, b - 1), cross(p.omega, g)));
      for (std::size_t k = 0; k < speeds; ++k) c.v[k] = sum(p.v[k], sum(cross(p.w[k], out), cross(c.w[k], in)));
      c.velocity = sum(p.velocity, sum(cross(p.omega, out), cross(c.omega, in)));
      c.a = sum(p.a, sum(cross(p.alpha, out), cross(p.omega, cross(p.omega, out))));
      c.a = sum(c.a, sum(cross(c.alpha, in), cross(c.omega, cross(c.omega, in))));
    }
    return m;
  }

  static Column solved(std::array<Column, speeds> M, Column rhs) {
    for (std::size_t k = 0; k < speeds; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < speeds; ++i) {
        if (std::abs(M[i][k]) > std::abs(M[pivot][k])) pivot = i;
      }
      std::swap(M[k], M[pivot]);
      std::swap(rhs[k], rhs[pivot]);
      for (std::size_t i = k + 1; i < speeds; ++i) {
        const double f = M[i][k] / M[k][k];
        for (std::size_t j = k; j < speeds; ++j) M[i][j] -= f * M[k][j];
        rhs[i] -= f * rhs[k];
      }
    }
    for (std::size_t k = speeds; k-- > 0;) {
      for (std::size_t j = k + 1; j < speeds; ++j) rhs[k] -= M[k][j] * rhs[j];
      rhs[k] /= M[k][k];
    }
    return rhs;
  }

  [[nodiscard]] State rates(double t, const State& y) const {
    const std::array<Motion, 5> m = motions(y);
    std::array<Column, speeds> M{};
    Column rhs{};
    for (std::size_t b = 0; b < 5; ++b) {
      const auto I = [&](const Vec& x) { return times(m[b].R, times(inertia[b], transposed_times(m[b].R, x))); };
      const Vec gyroscopic = sum(I(m[b].alpha), cross(m[b].omega, I(m[b].omega)));
      Vec torque{};
      if (b == 0)
        torque = times(m[0].R, Vec{jet_torque[0] * jet_[0], jet_torque[1] * jet_[1], jet_torque[2] * jet_[2]});
      for (std::size_t k = 0; k < speeds; ++k) {
        const Vec Iw = I(m[b].w[k]);
        for (std::size_t j = 0; j < speeds; ++j) M[k][j] += mass[b] * dot(m[b].v[k], m[b].v[j]) + dot(Iw, m[b].w[j]);
        rhs[k] += dot(m[b].w[k], sum(torque, scaled(-1, gyroscopic))) - mass[b] * dot(m[b].v[k], m[b].a);
      }
    }
    rhs[8] += -2000 * angle(y, 2) - 10 * rate(y, 2);
    rhs[9] += -2000 * angle(y, 3) - 10 * rate(y, 3);
    if (case_.prescribed) {
      const double pan = case_.prescribed(t)[2];
      for (const auto& [k, value] : {std::pair<std::size_t, double>{6, pan}, std::pair<std::size_t, double>{7, -pan}}) {
        for (std::size_t j = 0; j < speeds; ++j) M[k][j] = j == k ? 1 : 0;
        rhs[k] = value;
      }
    } else {
      rhs[6] += -3500 * (angle(y, 0) - case_.pan_command(t)) - 20 * rate(y, 0);
      rhs[7] += -3500 * (angle(y, 1) - case_.tilt_command(t)) - 20 * rate(y, 1);
    }
    const Column udot = solved(M, rhs);

    State d{};
    const Vec w = m[0].omega;  // world axes: q' = (0, w) q / 2
    d[0] = -(w[0] * y[1] + w[1] * y[2] + w[2] * y[3]) / 2;
    d[1] = (w[0] * y[0] + w[1] * y[3] - w[2] * y[2]) / 2;
    d[2] = (w[1] * y[0] + w[2] * y[1] - w[0] * y[3]) / 2;
    d[3] = (w[2] * y[0] + w[0] * y[2] - w[1] * y[1]) / 2;
    for (std::size_t i = 0; i < 3; ++i) d[4 + i] = m[0].velocity[i];
    for (std::size_t i = 0; i < hinges; ++i) d[7 + i] = rate(y, i);
    for (std::size_t i = 0; i < speeds; ++i) d[7 + hinges + i] = udot[i];
    return d;
  }

  static Vec bus_omega(const State& y) {
    return transposed_times(orientation(y), {y[7 + hinges], y[8 + hinges], y[9 + hinges]});
  }
  static Vec theta(const State& y) {
    const Mat R = orientation(y);  // C = R^T
    return {std::atan2(R[2][1], R[2][2]), std::atan2(-R[2][0], R[2][2]), std::atan2(-R[0][1], R[0][0])};
  }
  static double input(const State& y, std::size_t axis_number) {
    return -theta(y)[axis_number] - rate_gain * bus_omega(y)[axis_number];
  }

  /// What an amplifier does at time t: its output, given the one before.
  [[nodiscard]] int wanted(double t, const State& y, std::size_t i) const {
    if (!case_.jets) return 0;
    if (jet_[i] != 0 && t < on_until_[i] - 1e-12) return jet_[i];
    const double in = input(y, i);
    return in > deadband ? 1 : in < -deadband ? -1 : 0;
  }
  [[nodiscard]] bool steady(double t, const State& y) const {
    for (std::size_t i = 0; i < 3; ++i) {
      if (wanted(t, y, i) != jet_[i]) return false;
    }
    return true;
  }
  void switch_jets(double t, const State& y, FiveBodyFlight& flight) {
    for (std::size_t i = 0; i < 3; ++i) {
      const int now = wanted(t, y, i);
      if (now != jet_[i] && now != 0) {
        flight.pulses[i].push_back(t);
        on_until_[i] = t + least_on;
      }
      jet_[i] = now;
    }
  }

  static FiveBodySample sample(double t, const State& y) {
    FiveBodySample s;
    s.t = t;
    s.omega = bus_omega(y);
    s.theta = theta(y);
    for (std::size_t i = 0; i < hinges; ++i) s.angle[i] = angle(y, i), s.rate[i] = rate(y, i);
    const std::array<Motion, 5> m = motions(y);
    double whole = 0;
    Vec com{}, velocity{};
    for (std::size_t b = 0; b < 5; ++b) {
      whole += mass[b];
      com = sum(com, scaled(mass[b], m[b].com));
      velocity = sum(velocity, scaled(mass[b], m[b].velocity));
    }
    for (std::size_t b = 0; b < 5; ++b) {
      const Vec r = sum(m[b].com, scaled(-1 / whole, com)), v = sum(m[b].velocity, scaled(-1 / whole, velocity));
      const Vec spin = times(m[b].R, times(inertia[b], transposed_times(m[b].R, m[b].omega)));
      s.momentum = sum(s.momentum, sum(spin, scaled(mass[b], cross(r, v))));
    }
    return s;
  }

  [[nodiscard]] State step(double t, const State& y, double h) const {
    return extrapolated_step<double, std::tuple_size_v<State>>(
        [this](double at, const State& now) { return rates(at, now); }, t, y, h, 4);
  }

  FiveBodyFlight run() {
    FiveBodyFlight flight;
    State y{};
    y[0] = 1;
    y[7] = case_.pan;
    y[8] = case_.tilt;
    double t = 0;
    flight.samples.push_back(sample(0, y));
    std::sort(case_.corners.begin(), case_.corners.end());
    while (t < case_.duration - 1e-9) {
      // the next time at which something is known to happen
      double end = std::min(t + case_.step, flight.samples.back().t + case_.interval);
      for (const double corner : case_.corners) {
        if (corner > t + 1e-12) end = std::min(end, corner);
      }
      for (std::size_t i = 0; i < 3; ++i) {
        if (jet_[i] != 0 && on_until_[i] > t + 1e-12) end = std::min(end, on_until_[i]);
      }
      State next = step(t, y, end - t);
      // Where a jet comes on or goes off on the way, stop there.
      if (!steady(end, next) && steady(t, y)) {
        double low = 0, high = end - t;
        while (high - low > 1e-9) {
          const double middle = (low + high) / 2;
          (steady(t + middle, step(t, y, middle)) ? low : high) = middle;
        }
        end = t + high;
        next = step(t, y, high);
      }
      y = next;
      t = end;
      switch_jets(t, y, flight);
      if (t > flight.samples.back().t + case_.interval - 1e-9) flight.samples.push_back(sample(t, y));
    }
    return flight;
  }
};

/// The report's commands: at slew rates of 1 deg/s.
inline FiveBodyCase five_body_case1() {
  constexpr double degree = std::numbers::pi / 180;
  FiveBodyCase c;
  c.pan_command = [](double t) { return (218 - std::min(t, 50.0)) * degree; };
  c.tilt_command = [](double t) { return (-30 + std::min(t, 50.0)) * degree; };
  c.corners = {50};
  return c;
}

inline FiveBodyCase five_body_case1_prescribed() {
  FiveBodyCase c = five_body_case1();
  c.corners = {0.05, 0.1, 50, 50.05, 50.1};
  c.prescribed = [](double t) -> std::array<double, 3> {
    const auto ramp = [t](double t0) { return std::max(0.0, t - t0); };
    const double slope = 6.981317007977318;
    const auto shape = [&](auto power) {
      return power(ramp(0)) - 2 * power(ramp(0.05)) + power(ramp(0.1)) - power(ramp(50)) + 2 * power(ramp(50.05)) -
             power(ramp(50.1));
    };
    const double turned = slope / 6 * shape([](double x) { return x * x * x; });
    const double rate = slope / 2 * shape([](double x) { return x * x; });
    return {218 * std::numbers::pi / 180 - turned, -rate, -slope * shape([](double x) { return x; })};
  };
  return c;
}

inline FiveBodyCase five_body_case2() {
  constexpr double degree = std::numbers::pi / 180;
  FiveBodyCase c;
  c.pan_command = [](double t) { return (218 + std::min(t, 2.0)) * degree; };
  c.tilt_command = [](double t) { return (-30 + std::clamp(t - 5, 0.0, 5.0)) * degree; };
  c.corners = {2, 5, 10};
  c.duration = 20;
  c.interval = 0.02;
  return c;
}

}  // namespace gyrostat::testing::reference
