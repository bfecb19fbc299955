// Two arrays that unfold and latch, against a planar simulator of its own: absolute angles, Lagrange's equations,
// multipliers.
#include <Eigen/Dense>

#include "examples/flight.h"

namespace gyrostat::testing {
namespace deployment_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double pi = 3.14159265358979323846;
constexpr double stiffness = 0.4, preload = pi / 6, damper = 2;
constexpr int panels = 6, coordinates = 9;  // y and z of the bus; angles of the bus, left a, b, c, right a, b, c

struct Latching {
  double t = 0;
  int panel = 0;
  double lost = 0;  // kinetic energy [J]
};

/// All in the plane of y and z. Panel k is body k + 1, and bodies are turned by q[2 + body].
class Planar {
 public:
  explicit Planar(double cold) : cold_(cold) {
    for (int k = 0; k < panels; ++k) q_[3 + k] = q_[2 + parent(k)] + side(k) * folded(k);
  }

  double t = 0;
  std::vector<Latching> latchings;

  [[nodiscard]] double angle(int k) const { return side(k) * (q_[3 + k] - q_[2 + parent(k)]); }
  [[nodiscard]] double rate(int k) const { return side(k) * (u_[3 + k] - u_[2 + parent(k)]); }
  [[nodiscard]] double turn() const { return q_[2]; }
  [[nodiscard]] double turn_rate() const { return u_[2]; }

  void advance(double end) {
    while (t < end - 1e-12) {
      const double h = std::min(0.002, end - t);
      const VectorXd q = q_, u = u_;
      step(h);
      if (crossed() < 0) {
        t += h;
        continue;
      }
      double low = 0, high = h;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        q_ = q, u_ = u;
        step(middle);
        (crossed() < 0 ? low : high) = middle;
      }
      q_ = q, u_ = u;
      step(high);
      t += high;
      latch(crossed());
    }
  }

 private:
  double cold_;
  VectorXd q_ = VectorXd::Zero(coordinates), u_ = VectorXd::Zero(coordinates);
  std::array<bool, panels> closed_{};

  static int parent(int k) { return k % 3 == 0 ? 0 : k; }  // a body
  static double side(int k) { return k < 3 ? 1 : -1; }
  static double folded(int k) { return std::array{pi / 2, -pi, pi}.at(static_cast<std::size_t>(k % 3)); }
  static Vector2d turned(double angle, double y) { return {y * std::cos(angle), y * std::sin(angle)}; }

  [[nodiscard]] int crossed() const {
    for (int k = 0; k < panels; ++k) {
      if (!closed_.at(static_cast<std::size_t>(k)) && angle(k) * folded(k) <= 0) return k;
    }
    return -1;
  }

  /// Levers of the mass centre of a panel: by which it is from the bus along each turned body.
  static std::vector<std::pair<int, double>> levers(int k) {
    std::vector<std::pair<int, double>> list = {{2, side(k) * 0.6}};
    for (int i = k - k % 3; i < k; ++i) list.emplace_back(3 + i, side(k) * 2);
    list.emplace_back(3 + k, side(k) * 1);
    return list;
  }

  /// Mass matrix and forces, those of the motion itself included.
  void equations(const VectorXd& q, const VectorXd& u, MatrixXd& M, VectorXd& f) const {
    M = MatrixXd::Zero(coordinates, coordinates);
    f = VectorXd::Zero(coordinates);
    M(0, 0) = M(1, 1) = 300;
    M(2, 2) = 60;
    for (int k = 0; k < panels; ++k) {
      MatrixXd J = MatrixXd::Zero(2, coordinates);
      J(0, 0) = J(1, 1) = 1;
      Vector2d bias = Vector2d::Zero();
      for (const auto& [i, y] : levers(k)) {
        const Vector2d r = turned(q[i], y);
        J(0, i) = -r[1];
        J(1, i) = r[0];
        bias -= u[i] * u[i] * r;
      }
      M += 6 * J.transpose() * J;
      M(3 + k, 3 + k) += 2;
      f -= 6 * J.transpose() * bias;
      const double gamma = side(k) * (q[3 + k] - q[2 + parent(k)]), speed = side(k) * (u[3 + k] - u[2 + parent(k)]);
      const double rest = folded(k) > 0 ? -preload : preload;
      const double torque = -stiffness * (gamma - rest) - (k < 3 ? 1 : cold_) * damper * speed;
      f[3 + k] += side(k) * torque;
      f[2 + parent(k)] -= side(k) * torque;
    }
  }

  [[nodiscard]] MatrixXd rows() const {
    const auto count = std::count(closed_.begin(), closed_.end(), true);
    MatrixXd A = MatrixXd::Zero(count, coordinates);
    for (int k = 0, row = 0; k < panels; ++k) {
      if (!closed_.at(static_cast<std::size_t>(k))) continue;
      A(row, 3 + k) = 1;
      A(row++, 2 + parent(k)) = -1;
    }
    return A;
  }

  /// x and multipliers of M x = f + A' l, A x = b.
  static VectorXd solve(const MatrixXd& M, const MatrixXd& A, const VectorXd& f, const VectorXd& b) {
    const Eigen::Index n = M.rows(), m = A.rows();
    MatrixXd K = MatrixXd::Zero(n + m, n + m);
    K << M, A.transpose(), A, MatrixXd::Zero(m, m);
    VectorXd right(n + m);
    right << f, b;
    return K.partialPivLu().solve(right).head(n);
  }

  [[nodiscard]] VectorXd acceleration(const VectorXd& q, const VectorXd& u) const {
    MatrixXd M;
    VectorXd f;
    equations(q, u, M, f);
    const MatrixXd A = rows();
    return solve(M, A, f, VectorXd::Zero(A.rows()));
  }

  void step(double h) {  // Runge and Kutta, fourth order
    const VectorXd a1 = acceleration(q_, u_), u2 = u_ + h / 2 * a1;
    const VectorXd a2 = acceleration(q_ + h / 2 * u_, u2), u3 = u_ + h / 2 * a2;
    const VectorXd a3 = acceleration(q_ + h / 2 * u2, u3), u4 = u_ + h * a3;
    const VectorXd a4 = acceleration(q_ + h * u3, u4);
    q_ += h / 6 * (u_ + 2 * u2 + 2 * u3 + u4);
    u_ += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }

  void latch(int k) {
    closed_.at(static_cast<std::size_t>(k)) = true;
    MatrixXd M;
    VectorXd f;
    equations(q_, u_, M, f);
    const MatrixXd A = rows();
    const double before = u_.dot(M * u_) / 2;
    u_ += solve(M, A, VectorXd::Zero(coordinates), -A * u_);
    latchings.push_back({t, k, before - u_.dot(M * u_) / 2});
  }
};

std::string hinge(int k) { return std::string("array.") + (k < 3 ? "left." : "right.") + "abc"[k % 3] + ".hinge"; }

double work(const Flight& flight, const std::string& source) {
  const Ledger& ledger = flight.simulation.ledger();
  const auto found = std::ranges::find(ledger.sources, source);
  if (found == ledger.sources.end()) throw std::runtime_error("no source " + source);
  return ledger.work[static_cast<std::size_t>(found - ledger.sources.begin())];
}

TEST(Deployment, IsThatOfAnotherSimulator) {
  const Flight f = fly("deployment/deployment.yaml");
  Planar reference(1.1);
  for (std::size_t i = 0; i < f.time.size(); ++i) {
    reference.advance(f.time[i]);
    for (int k = 0; k < panels; ++k) {
      ASSERT_NEAR(f[hinge(k) + ".angle"][i], reference.angle(k), 1e-7) << hinge(k) << " at " << f.time[i];
      ASSERT_NEAR(f[hinge(k) + ".rate"][i], reference.rate(k), 1e-7) << hinge(k) << " at " << f.time[i];
    }
    ASSERT_NEAR(f["bus.omega_x"][i], reference.turn_rate(), 1e-7) << "at " << f.time[i];
    ASSERT_NEAR(f["bus.roll"][i], reference.turn(), 1e-7) << "at " << f.time[i];
  }
  ASSERT_EQ(reference.latchings.size(), 6U);
  for (const Latching& latching : reference.latchings) {
    const std::string name = hinge(latching.panel), panel = name.substr(0, name.size() - 6);
    EXPECT_NEAR(f.times_of("joints." + name).back(), latching.t, 1e-7) << name;
    EXPECT_NEAR(work(f, "joints." + name) - f.last(panel + ".damped"), -latching.lost, 1e-7) << name;
    EXPECT_GT(latching.lost, 0.01) << name;
  }
}

TEST(Deployment, KeepsTheMomentumAndEndsAtRest) {
  const Flight f = fly("deployment/deployment.yaml");
  for (const char* axis : {"x", "y", "z"}) EXPECT_LT(f.peak(std::string("system.momentum_") + axis), 1e-8);
  EXPECT_LT(std::abs(f.last("bus.omega_x")), 1e-10);
  EXPECT_GT(f.peak("bus.omega_x"), 0.03) << "the blows of the last two latches";
  EXPECT_NEAR(f.last("bus.roll"), 0.002, 0.001) << "turned all the same";
  EXPECT_LT(f.simulation.ledger().energy.relative(), 1e-8);
  EXPECT_LT(f.simulation.ledger().angular_momentum.relative(), 1e-8);
}

TEST(Deployment, OfEqualArraysLatchesInPairsAndDoesNotTurnTheBus) {
  const Flight f = fly("deployment/deployment.yaml", {{"cold", "1"}});
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(f.times_of("joints." + hinge(k)).back(), f.times_of("joints." + hinge(k + 3)).back(), 1e-9) << k;
  EXPECT_LT(f.peak("bus.omega_x"), 1e-8);
}

}  // namespace deployment_test
}  // namespace gyrostat::testing
