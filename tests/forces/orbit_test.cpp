// Kepler's equation and the motion on an ellipse: laws, limits, and published examples.
#include "gyrostat/forces/orbit.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "support/random_model.h"

namespace gyrostat::testing {
namespace {

using std::numbers::pi;
using Long = long double;

constexpr double degree = pi / 180, epsilon = std::numeric_limits<double>::epsilon();
constexpr double nearest_to_parabola = 1 - epsilon / 2;

// --- Kepler's equation -----------------------------------------------------------------------------------------------

/// x - sin x without cancellation.
Long less_its_sine(Long x) {
  if (x > 1) return x - std::sin(x);
  Long term = x * x * x / 6, sum = 0;
  for (int k = 4; std::abs(term) > 1e-22L * std::abs(sum); k += 2) {
    sum += term;
    term *= -x * x / Long(k * (k + 1));
  }
  return sum;
}

/// dM/dE, which is also the radius over the semi-major axis.
Long slope(Long E, Long e) { return 1 - e + 2 * e * std::sin(E / 2) * std::sin(E / 2); }

/// One step of Newton's in long double: what E would have to be.
Long improved(Long E, Long M, Long e) { return E - ((1 - e) * E + e * less_its_sine(E) - M) / slope(E, e); }

/// The residual has the rounding of M in it, M e_ = (1 - e cos E) E e_ at most, so that E is exact to rounding.
void expect_solution(double M, double e) {
  const double E = eccentric_anomaly(M, e);
  EXPECT_LE(std::abs(improved(E, M, e) - E), 3 * epsilon * Long(E)) << std::hexfloat << "M " << M << " e " << e;
}

TEST(EccentricAnomaly, IsExactToRoundingForEveryEllipse) {
  Random random(1);
  for (int i = 0; i < 200000 && !::testing::Test::HasFailure(); ++i) {
    const double small = std::pow(10, -random.uniform(0, 16));
    const double e = std::min(i % 3 == 0 ? random.uniform(0, 1) : i % 3 == 1 ? small : 1 - small, nearest_to_parabola);
    expect_solution(random.uniform(0, pi), e);
    expect_solution(pi * std::pow(10, -random.uniform(0, 30)), e);
    expect_solution(pi - std::pow(10, -random.uniform(0, 16)), e);
  }
}

TEST(EccentricAnomaly, KnownToTwentyDigits) {  // by bisection with sixty digits
  const struct {
    double e, M, E;
  } cases[] = {{0.1, 1, 1.0885977523978936236},
               {0.5, 1e-3, 0.0019999986666696000331},
               {0.9, 2.5, 2.8008058643031318262},
               {0.99999, 1e-9, 0.000099983341828078646624},
               {0.99999, 1e-6, 0.017072121484623873747},
               {0.999999, 0.01, 0.39248835890865517315},
               {1 - 0x1p-40, 1e-20, 1.0994872710341250799e-8},
               {nearest_to_parabola, 1e-12, 0.00018171205816125541639},
               {nearest_to_parabola, 3, 3.0707667271420402315}};
  for (const auto& [e, M, E] : cases) EXPECT_NEAR(eccentric_anomaly(M, e), E, 2 * epsilon * E) << e << ' ' << M;
}

TEST(EccentricAnomaly, IsOddAndHasItsEndsWhereTheMeanAnomalyHas) {
  for (const double e : {0., 1e-300, 0.3, 0.999999, nearest_to_parabola}) {
    EXPECT_EQ(eccentric_anomaly(0, e), 0);
    EXPECT_NEAR(eccentric_anomaly(pi, e), pi, epsilon * pi);
    EXPECT_LE(eccentric_anomaly(pi, e), pi);
    EXPECT_EQ(eccentric_anomaly(-1.2, e), -eccentric_anomaly(1.2, e));
    EXPECT_NEAR(eccentric_anomaly(5e-324, e), 0, 1e-300);
  }
  EXPECT_EQ(eccentric_anomaly(1.2, 0), 1.2);
  EXPECT_TRUE(std::isnan(eccentric_anomaly(std::nan(""), 0.5)));
}

TEST(EccentricAnomaly, OfValladosExample) {  // Fundamentals of Astrodynamics and Applications, example 2-1
  EXPECT_NEAR(360 * degree + eccentric_anomaly((235.4 - 360) * degree, 0.4), 220.512074767522 * degree, 1e-14);
}

// --- the motion ------------------------------------------------------------------------------------------------------

OrbitDescription random_elements(Random& random) {
  OrbitDescription orbit;
  const double nearness = std::pow(10, -random.uniform(0, 8));
  orbit.semi_major_axis = std::pow(10, random.uniform(6, 9));
  orbit.eccentricity = random.chance(0.1) ? 0 : random.chance(0.5) ? random.uniform(0, 0.9) : 1 - nearness;
  orbit.inclination = random.uniform(0, pi);
  orbit.raan = random.uniform(-pi, 3 * pi);
  orbit.argument_of_periapsis = random.uniform(-pi, 3 * pi);
  orbit.time_of_periapsis = random.uniform(-1e5, 1e5);
  if (random.chance(0.3)) orbit.mu = std::pow(10, random.uniform(10, 20));
  return orbit;
}

/// `check(elements, orbit, t)` at times within some turns of periapsis, many of them near it.
template <class Check>
void for_random_orbits(int count, Check check) {
  Random random(2);
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const OrbitDescription elements = random_elements(random);
    const Orbit orbit(elements);
    const double turns = random.chance(0.5) ? random.uniform(-3, 3) : std::pow(10, -random.uniform(0, 8));
    check(elements, orbit, elements.time_of_periapsis + turns * 2 * pi / orbit.mean_motion());
  }
}

TEST(Orbit, KeepsEnergyAngularMomentumAndPlane) {
  for_random_orbits(5000, [](const OrbitDescription& elements, const Orbit& orbit, double t) {
    const OrbitState state = orbit.at(t);
    const double a = elements.semi_major_axis, e = elements.eccentricity;
    EXPECT_NEAR(state.position.norm(), state.radius, 1e-15 * state.radius);
    // v^2 = mu (2 / r - 1 / a)
    const double by_gravity = 2 * orbit.mu() / state.radius;
    EXPECT_NEAR(state.velocity.squaredNorm(), by_gravity - orbit.mu() / a, 3e-15 * by_gravity);
    const double i = elements.inclination, node = elements.raan;
    const Vector3 normal(std::sin(i) * std::sin(node), -std::sin(i) * std::cos(node), std::cos(i));
    const Vector3 h = state.position.cross(state.velocity);
    const double rounding = 2e-15 * state.radius * state.velocity.norm();
    EXPECT_LT((h - std::sqrt(orbit.mu() * a * (1 - e) * (1 + e)) * normal).norm(), rounding);
    // r = p / (1 + e cos nu), rather r (1 - e + 2 e cos^2 (nu/2)) = p
    const double half = std::cos(state.true_anomaly / 2), factor = (1 - e) + 2 * e * half * half;
    EXPECT_NEAR(state.radius * factor, a * (1 - e) * (1 + e), 2e-15 * state.radius * factor + 2e-15 * state.radius);
  });
}

/// Differences of sixth order, in steps that are short against the time in which the motion changes.
TEST(Orbit, FollowsNewtonsLaw) {
  for_random_orbits(2000, [](const OrbitDescription& elements, const Orbit&, double t) {
    OrbitDescription about_now = elements;  // so that times near it are exact
    about_now.time_of_periapsis -= t;
    const Orbit orbit(about_now);
    const OrbitState now = orbit.at(0);
    const double h = 0.003 * now.radius / std::max(now.velocity.norm(), std::sqrt(orbit.mu() / now.radius));
    Vector3 velocity = Vector3::Zero(), acceleration = Vector3::Zero();
    for (const auto& [steps, weight] : {std::pair{1, 45. / 60}, std::pair{2, -9. / 60}, std::pair{3, 1. / 60}}) {
      const OrbitState later = orbit.at(steps * h), before = orbit.at(-steps * h);
      velocity += weight / h * (later.position - before.position);
      acceleration += weight / h * (later.velocity - before.velocity);
    }
    const Vector3 by_gravity = -orbit.mu() / std::pow(now.radius, 3) * now.position;
    EXPECT_LT((velocity - now.velocity).norm(), 1e-10 * std::max(now.velocity.norm(), 0.003 * now.radius / h));
    EXPECT_LT((acceleration - by_gravity).norm(), 1e-10 * by_gravity.norm());
  });
}

/// Near periapsis of a nearly parabolic orbit the radius is a small part of the axis, and still has all its digits. So
/// has the velocity but for the slow part at apoapsis, which the rounding of the time moves by as much of sqrt(mu / r).
TEST(Orbit, IsExactRelativeToTheRadius) {
  Random random(3);
  for (int i = 0; i < 20000 && !::testing::Test::HasFailure(); ++i) {
    OrbitDescription elements{.semi_major_axis = 1, .mu = 1};
    const double small = std::pow(10, -random.uniform(0, 15)), M = pi * std::pow(10, -random.uniform(0, 25));
    const double e = elements.eccentricity = random.chance(0.5) ? random.uniform(0, 1) : 1 - small;
    const OrbitState state = Orbit(elements).at(M);
    const Long E = improved(eccentric_anomaly(M, e), M, e), s = std::sin(E / 2), c = std::cos(E / 2), k = e;
    const Long ratio = std::sqrt((1 - k) * (1 + k)), r = slope(E, e);
    const Long x = 1 - k - 2 * s * s, y = 2 * ratio * s * c, v_x = -2 * s * c / r, v_y = ratio * (1 - 2 * s * s) / r;
    SCOPED_TRACE(::testing::Message() << std::hexfloat << "e " << e << " M " << M);
    EXPECT_LE(std::hypot(x - Long(state.position.x()), y - Long(state.position.y())), 4 * epsilon * r);
    EXPECT_LE(std::hypot(v_x - Long(state.velocity.x()), v_y - Long(state.velocity.y())),
              4 * epsilon * std::max(std::hypot(v_x, v_y), 1 / std::sqrt(r)));
    const Long half = std::atan2(std::sqrt(1 + k) * s, std::sqrt(1 - k) * c);
    EXPECT_LE(std::abs(2 * half - Long(state.true_anomaly)), 6 * epsilon * half);
  }
}

/// The C library reduces angles of any size exactly, and a circle of mean motion 1 rad/s asks for nothing else.
TEST(Orbit, KeepsItsPhaseOverAnyNumberOfTurns) {
  Random random(4);
  for (int i = 0; i < 20000 && !::testing::Test::HasFailure(); ++i) {
    const double t = (random.chance(0.5) ? -1 : 1) * std::pow(10, random.uniform(-3, 15)),
                 t_0 = random.uniform(-10, 10);
    const OrbitState state = Orbit({.semi_major_axis = 1, .time_of_periapsis = t_0, .mu = 1}).at(t);
    const Long x = std::cos(Long(t)) * std::cos(Long(t_0)) + std::sin(Long(t)) * std::sin(Long(t_0));
    const Long y = std::sin(Long(t)) * std::cos(Long(t_0)) - std::cos(Long(t)) * std::sin(Long(t_0));
    EXPECT_NEAR(state.position.x(), double(x), 5 * epsilon) << std::hexfloat << t << ' ' << t_0;
    EXPECT_NEAR(state.position.y(), double(y), 5 * epsilon) << std::hexfloat << t << ' ' << t_0;
  }
}

TEST(Orbit, ComesBackAfterAPeriod) {
  for_random_orbits(1000, [](const OrbitDescription& elements, const Orbit& orbit, double t) {
    const double period = 2 * pi * std::sqrt(std::pow(elements.semi_major_axis, 3) / elements.mu);
    EXPECT_NEAR(orbit.mean_motion() * period, 2 * pi, 1e-14);
    const OrbitState state = orbit.at(t);
    for (const double turns : {-2., 1., 5.}) {
      const double phase = 1e-14 + 4 * epsilon * std::abs(t) / period;  // what rounding of the times makes of it
      const double distance = (orbit.at(t + turns * period).position - state.position).norm();
      EXPECT_LT(distance, 10 * phase * period * state.velocity.norm() + 1e-14 * state.radius) << turns;
    }
  });
}

TEST(Orbit, PassesItsApsesInDirectionsThatTheElementsGive) {
  const auto at_start = [](const OrbitDescription& elements) { return Orbit(elements).at(0); };
  OrbitDescription o{.semi_major_axis = 10, .eccentricity = 0.5, .mu = 1};
  EXPECT_LT((at_start(o).position - 5 * Vector3::UnitX()).norm(), 1e-14);
  EXPECT_GT(at_start(o).velocity.y(), 0);
  EXPECT_EQ(at_start(o).true_anomaly, 0);
  o.raan = 90 * degree;
  EXPECT_LT((at_start(o).position - 5 * Vector3::UnitY()).norm(), 1e-14);
  o.inclination = 90 * degree;
  EXPECT_LT((at_start(o).velocity.normalized() - Vector3::UnitZ()).norm(), 1e-14) << "northward at the ascending node";
  o.argument_of_periapsis = 90 * degree;
  EXPECT_LT((at_start(o).position - 5 * Vector3::UnitZ()).norm(), 1e-14);
  o.time_of_periapsis = pi / Orbit(o).mean_motion();
  EXPECT_LT((at_start(o).position + 15 * Vector3::UnitZ()).norm(), 1e-13);
  EXPECT_NEAR(std::abs(at_start(o).true_anomaly), pi, 1e-14);
}

TEST(Orbit, WithoutEccentricityIsACircleAtConstantSpeed) {
  const Orbit orbit({.semi_major_axis = 7e6, .inclination = 1, .argument_of_periapsis = 2});
  const double speed = std::sqrt(orbit.mu() / 7e6);
  for (double t = -2000; t < 2000; t += 10) {
    const OrbitState state = orbit.at(t);
    EXPECT_EQ(state.radius, 7e6);
    EXPECT_NEAR(state.velocity.norm(), speed, 1e-15 * speed);
    EXPECT_NEAR(state.true_anomaly, orbit.mean_motion() * t, 1e-15);
  }
}

TEST(Orbit, GoesFromPeriapsisOutward) {
  const Orbit orbit({.semi_major_axis = 1e9, .eccentricity = 0.999999, .mu = 1e15});
  EXPECT_NEAR(orbit.at(0).radius, 1000, 1e-7);
  EXPECT_LT(orbit.at(-1e-4).true_anomaly, 0);
  EXPECT_GT(orbit.at(1e-4).true_anomaly, 0);
  EXPECT_LT(orbit.at(1e-4).true_anomaly, 0.2);
  EXPECT_NEAR(orbit.at(pi / orbit.mean_motion()).radius, 1.999999e9, 1e-6);
}

// --- the osculating true anomaly
// ---------------------------------------------------------------------------------------

void expect_same_angle(double a, double b, double tolerance) {
  EXPECT_NEAR(std::remainder(a - b, 2 * pi), 0, tolerance) << a << ' ' << b;
}

TEST(OsculatingTrueAnomaly, IsThatOfTheOrbitOnTheOrbit) {
  for_random_orbits(5000, [](const OrbitDescription& elements, const Orbit& orbit, double t) {
    const OrbitState state = orbit.at(t);
    const bool circular = elements.eccentricity < Orbit::nearly_circular;
    expect_same_angle(orbit.true_anomaly(state.position, state.velocity), state.true_anomaly,
                      circular ? 1e-14 : 1e-14 / elements.eccentricity);
  });
}

TEST(OsculatingTrueAnomaly, OfANearlyCircularOrbitIsFromThePeriapsisOfTheGivenOne) {
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    OrbitDescription elements = random_elements(random);
    elements.eccentricity = random.uniform(0, 0.99 * Orbit::nearly_circular);
    const Orbit orbit(elements);
    elements.eccentricity = 0;
    const OrbitState state = Orbit(elements).at(random.uniform(-1e4, 1e4));
    expect_same_angle(orbit.true_anomaly(state.position, state.velocity), state.true_anomaly, 1e-14);
  }
}

TEST(OsculatingTrueAnomaly, DoesNotDependOnTheGivenOrbitWhereTheOsculatingOneHasAPeriapsis) {
  for_random_orbits(500, [](const OrbitDescription& elements, const Orbit& orbit, double t) {
    if (elements.eccentricity < 0.01) return;
    const Orbit other({.semi_major_axis = 7e6, .inclination = 1, .mu = elements.mu});
    const OrbitState state = orbit.at(t);
    EXPECT_EQ(other.true_anomaly(state.position, state.velocity), orbit.true_anomaly(state.position, state.velocity));
  });
}

TEST(OsculatingTrueAnomaly, OfAHyperbola) {
  const Orbit orbit({.semi_major_axis = 1, .mu = 1});
  EXPECT_NEAR(orbit.true_anomaly({1, 0, 0}, {0, 2, 0}), 0, 1e-15);  // e = 3
  const double x = 1 / 2., y = std::sqrt(3) / 2, p = 1 + 3 * x;     // at 60 degrees, r = 1
  const double along = 3 * y / std::sqrt(p), across = std::sqrt(p);
  EXPECT_NEAR(orbit.true_anomaly({x, y, 0}, {along * x - across * y, along * y + across * x, 0}), 60 * degree, 1e-15);
}

// --- published examples
// --------------------------------------------------------------------------------------------------

/// Curtis, Orbital Mechanics for Engineering Students, examples 3.1 and 3.2: perigee 9600 km, apogee 21000 km,
/// mu 398600 km^3/s^2.
TEST(Orbit, OfCurtissExamples) {
  const Orbit orbit({.semi_major_axis = 15300e3, .eccentricity = 11400. / 30600, .mu = 398600e9});
  EXPECT_NEAR(2 * pi / orbit.mean_motion(), 18834, 0.5);
  EXPECT_NEAR(orbit.at(4077).true_anomaly, 120 * degree, 0.01 * degree);
  EXPECT_NEAR(orbit.at(3 * 3600).true_anomaly, (193.2 - 360) * degree, 0.05 * degree);
}

/// Vallado, Fundamentals of Astrodynamics and Applications, example 2-5: elements of a position and velocity.
TEST(Orbit, OfValladosExample) {
  const Vector3 position(6524.834e3, 6862.875e3, 6448.296e3), velocity(4901.327, 5533.756, -1976.341);
  const double e = 0.832853, half = 92.335 * degree / 2;
  OrbitDescription elements{.semi_major_axis = 36127.343e3,
                            .eccentricity = e,
                            .inclination = 87.870 * degree,
                            .raan = 227.898 * degree,
                            .argument_of_periapsis = 53.385 * degree};
  const double E = 2 * std::atan(std::sqrt((1 - e) / (1 + e)) * std::tan(half));
  const OrbitState state = Orbit(elements).at((E - e * std::sin(E)) / Orbit(elements).mean_motion());
  EXPECT_NEAR(state.true_anomaly, 2 * half, 1e-14);
  EXPECT_LT((state.position - position).norm(), 2e-5 * position.norm());
  EXPECT_LT((state.velocity - velocity).norm(), 2e-5 * velocity.norm());
  EXPECT_NEAR(Orbit(elements).true_anomaly(position, velocity), 2 * half, 0.0005 * degree);
}

}  // namespace
}  // namespace gyrostat::testing
