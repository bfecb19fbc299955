// A single body: closed forms of its motion.
//
// Tolerances of integrated motions: the method of Runge and Kutta with step h errs by about (w h)^4 (w T) / 120, where
// w is the fastest rate; step counts are chosen so that this is below 1e-10 and ten to a hundred times that is allowed.
#include <numbers>

#include <gtest/gtest.h>

#include "published/runge_kutta.h"

namespace gyrostat::testing {
namespace rigid_body_test {

constexpr double pi = std::numbers::pi;

Scene free_body(const Vector3& moments) {
  Description d;
  d.bodies = {rigid_body("body", 3, moments, {0.3, -0.2, 0.1})};
  return Scene(std::move(d));
}

Vector3 omega(const Scene& s) { return s.state.u.head<3>(); }
Matrix3 attitude(const Scene& s) { return body_poses(s.system(), s.state.q)[1].R; }

/// Lets the com rest while the body turns at w (body axes): what is torque-free is the motion about the com.
void spin(Scene& s, const Vector3& w) {
  s.state.u.head<3>() = w;
  s.state.u.segment<3>(3) = -attitude(s) * w.cross(s.system().bodies[1].mass_properties.com);
}

/// Goldstein, Poole, Safko, Classical Mechanics, 5.6: with A = I1 = I2 and C = I3 the angular velocity goes round the
/// axis of symmetry in the body at the rate (C - A) / A w3, and the axis round the angular momentum in space at H / A.
TEST(AxisymmetricBody, PrecessesAtTheRateOfEuler) {
  for (const double C : {0.8, 3.0}) {  // prolate, oblate
    const double A = 2, w3 = 1.5, across = 0.7, body_rate = (C - A) / A * w3;
    Scene s = free_body({A, A, C});
    spin(s, {across, 0, w3});
    const double time = 3.7;
    integrate(s, time, 4000);
    const Vector3 expected(across * std::cos(body_rate * time), across * std::sin(body_rate * time), w3);
    EXPECT_LT((omega(s) - expected).norm(), 1e-10) << C;

    const double H = Vector3(A * across, 0, C * w3).norm();
    Scene once = free_body({A, A, C});
    spin(once, {across, 0, w3});
    const Vector3 axis = attitude(once).col(2);
    integrate(once, pi * A / H, 4000);  // half a turn: the axis is on the other side of H, which is fixed in space
    const Vector3 momentum = Vector3(A * across, 0, C * w3).normalized();
    EXPECT_LT((attitude(once).col(2) - (2 * momentum.dot(axis) * momentum - axis)).norm(), 1e-10) << C;
    integrate(once, pi * A / H, 4000);
    EXPECT_LT((attitude(once).col(2) - axis).norm(), 1e-10) << C;
  }
}

/// Published values: K(1/sqrt 2) = 1.8540746773013719 (Abramowitz and Stegun, table 17.1; Gauss's constant).
TEST(EllipticFunctions, OfTheTestAreRight) {
  EXPECT_NEAR(complete_elliptic_integral(std::sqrt(0.5)), 1.8540746773013719, 1e-15);
  for (const double k : {0.1, 0.5, 0.9, 0.99}) {
    const double K = complete_elliptic_integral(k), complement = std::sqrt(1 - k * k);
    EXPECT_NEAR(jacobi(K, k).sn, 1, 1e-14);
    EXPECT_NEAR(jacobi(K / 2, k).sn, 1 / std::sqrt(1 + complement), 1e-14);  // Abramowitz and Stegun 16.5
    EXPECT_NEAR(jacobi(K / 2, k).dn, std::sqrt(complement), 1e-14);
    EXPECT_NEAR(jacobi(2 * K + 0.3, k).sn, -jacobi(0.3, k).sn, 1e-13);
    EXPECT_NEAR(jacobi(2 * K + 0.3, k).cn, -jacobi(0.3, k).cn, 1e-13);
  }
}

/// Landau and Lifshitz, Mechanics, section 37, for I1 < I2 < I3 and M^2 > 2 E I2.
struct Asymmetric {
  Vector3 I{1, 2, 2.7};
  Vector3 w0{0.9, 0, 1.1};
  double M2 = I.cwiseProduct(w0).squaredNorm(), E2 = w0.dot(I.cwiseProduct(w0));  // M^2, 2 E
  double rate = std::sqrt((I[2] - I[1]) * (M2 - E2 * I[0]) / I.prod());
  double k = std::sqrt((I[1] - I[0]) * (E2 * I[2] - M2) / ((I[2] - I[1]) * (M2 - E2 * I[0])));

  [[nodiscard]] Vector3 at(double t) const {
    const Jacobi j = jacobi(rate * t, k);
    return {std::sqrt((E2 * I[2] - M2) / (I[0] * (I[2] - I[0]))) * j.cn,
            std::sqrt((E2 * I[2] - M2) / (I[1] * (I[2] - I[1]))) * j.sn,
            std::sqrt((M2 - E2 * I[0]) / (I[2] * (I[2] - I[0]))) * j.dn};
  }
};

TEST(AsymmetricBody, MovesAsJacobisFunctionsSay) {
  const Asymmetric exact;
  ASSERT_GT(exact.M2, exact.E2 * exact.I[1]);
  ASSERT_LT((exact.at(0) - exact.w0).norm(), 1e-15);
  Scene s = free_body(exact.I);
  spin(s, exact.w0);
  for (int i = 1; i <= 10; ++i) {
    integrate(s, 0.9, 1000);
    EXPECT_LT((omega(s) - exact.at(0.9 * i)).norm(), 1e-10) << i;
  }
}

TEST(AsymmetricBody, ReturnsAfterFourQuarterPeriods) {
  const Asymmetric exact;
  Scene s = free_body(exact.I);
  spin(s, exact.w0);
  integrate(s, 4 * complete_elliptic_integral(exact.k) / exact.rate, 8000);
  EXPECT_LT((omega(s) - exact.w0).norm(), 1e-10);
}

/// Its com rests all the while, and its angular momentum is fixed in space.
TEST(AsymmetricBody, KeepsItsMomentumInSpace) {
  const Asymmetric exact;
  Scene s = free_body(exact.I);
  s.state.q.segment<4>(3) << 0.5, -0.5, 0.5, 0.5;
  spin(s, exact.w0);
  const Vector3 com = body_poses(s.system(), s.state.q)[1] * s.system().bodies[1].mass_properties.com;
  const Vector3 momentum = attitude(s) * exact.I.cwiseProduct(omega(s));
  integrate(s, 9, 10000);
  EXPECT_LT((body_poses(s.system(), s.state.q)[1] * s.system().bodies[1].mass_properties.com - com).norm(), 1e-10);
  EXPECT_LT((attitude(s) * exact.I.cwiseProduct(omega(s)) - momentum).norm(), 1e-10);
}

/// Wittenburg, Dynamics of Multibody Systems, on permanent rotations: a gyrostat turns permanently about w where J w +
/// h is along w. Wheels along the body's axes have any such h; the accelerations vanish to rounding.
TEST(Gyrostat, TurnsPermanentlyAboutAnAxisThatIsNotPrincipal) {
  const Vector3 J(2, 3, 4), w(0.5, -0.3, 0.8);
  for (const double along : {-3.0, 0.0, 2.5, 10.0}) {
    const Vector3 h = along * w - J.cwiseProduct(w);
    Description d;
    d.bodies = {rigid_body("bus", 3, J)};
    for (int k = 0; k < 3; ++k) {
      d.bodies[0].wheels.push_back(wheel("w" + std::to_string(k), Vector3::Unit(k), 0.1, h[k] / 0.1));
    }
    Scene s(std::move(d));
    s.state.u.head<3>() = w;
    EXPECT_LT(s.accelerations().cwiseAbs().maxCoeff(), 1e-13) << along;
    s.state.u[6] += 1;  // a wheel faster by 1 rad/s: -w x 0.1 (1, 0, 0), over the moments without the wheels
    const Vector3 torque = -w.cross(Vector3(0.1, 0, 0));
    EXPECT_LT((s.accelerations().head<3>() - torque.cwiseQuotient(Vector3(J - Vector3::Constant(0.1)))).norm(), 1e-13);
  }
}

}  // namespace rigid_body_test
}  // namespace gyrostat::testing
