// Energy, momentum and mass centre against sums over the bodies that know the model alone.
#include "gyrostat/dynamics/conserved.h"

#include "support/motion.h"
#include "support/random_dynamics.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace {

Conserved<double> conserved_of(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                               const Eigen::VectorXd& u) {
  std::vector<BasePoint<double>> points;
  find_base_points(mechanism, kinematics, u.data(), points);
  return conserved(mechanism, kinematics, u.data(), points);
}
Conserved<double> conserved_of(const Scene& s) { return conserved_of(s.mechanism, s.kinematics(), s.state.u); }

void expect_vector(const Vec3<double>& actual, const Vector3& expected, double tolerance = 1e-12) {
  EXPECT_LT((to_eigen(actual) - expected).cwiseAbs().maxCoeff(), tolerance)
      << to_eigen(actual).transpose() << " instead of " << expected.transpose();
}

/// A wheel is a body of its own that turns with its carrier and by itself; the carrier is what is left without it.
TEST(Conserved, AreTheSumsOverBodiesAndWheels) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomModelOptions options;
    options.most_bodies = 12;
    options.wheels = 0.5;
    const RandomCase c = RandomCase::make(seed, options);
    const System& system = c.system();
    const std::vector<Pose> X = body_poses(system, c.state.q);
    const std::vector<Velocity> V = velocities(system, c.state.q, c.state.u);
    const MassProperties total = total_mass_properties(system, c.state.q);
    double kinetic = 0;
    Vector3 linear = Vector3::Zero(), about_origin = linear, about_com = linear;
    for (std::size_t i = 1; i < X.size(); ++i) {
      const MassProperties& body = system.bodies[i].mass_properties;
      const Vector3 com = X[i] * body.com, v = V[i].v + V[i].w.cross(com - X[i].p), p = body.mass * v;
      Matrix3 J = X[i].R * body.inertia * X[i].R.transpose();
      Vector3 h = Vector3::Zero();
      for (const Wheel& wheel : system.wheels) {
        if (wheel.body != i) continue;
        const Vector3 axis = X[i].R * wheel.axis;
        const double rate = V[i].w.dot(axis) + c.state.u[wheel.u];  // in the world
        J -= wheel.inertia * axis * axis.transpose();
        h += wheel.inertia * rate * axis;
        kinetic += wheel.inertia * rate * rate / 2;
      }
      h += J * V[i].w;
      kinetic += (body.mass * v.squaredNorm() + V[i].w.dot(J * V[i].w)) / 2;
      linear += p;
      about_origin += h + com.cross(p);
      about_com += h + (com - total.com).cross(p);
    }
    const Conserved<double> found = conserved_of(*c.mechanism, c.kinematics, c.state.u);
    const double limit = 1e-12 * (1 + kinetic + about_origin.norm() + linear.norm());
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    EXPECT_NEAR(found.kinetic, kinetic, limit);
    EXPECT_NEAR(found.mass, total.mass, 1e-13 * (1 + total.mass));
    expect_vector(found.com, total.mass > 0 ? total.com : Vector3(Vector3::Zero()), 1e-12);
    expect_vector(found.linear, linear, limit);
    expect_vector(found.angular_origin, about_origin, limit);
    if (total.mass > 0) {
      expect_vector(found.angular_com, about_com, limit);
      expect_vector(found.com_velocity, linear / total.mass, limit);
    }
    if (HasFailure()) return;
  }
}

TEST(Conserved, OfASpinningGyrostatByHand) {
  Description d;
  d.bodies = {rigid_body("bus", 4, {2, 3, 4})};
  d.bodies[0].wheels = {wheel("a", Vector3::UnitX(), 0.5, 10), wheel("b", Vector3::UnitZ(), 0.25, -20)};
  Scene s(std::move(d));
  s.state.u.head<6>() << 0.1, 0.2, 0.3, 1, 0, 0;
  s.state.q.head<3>() << 0, 2, 0;
  const Conserved<double> found = conserved_of(s);
  EXPECT_NEAR(found.kinetic,
              0.5 * 4 + 0.5 * (2 * 0.01 + 3 * 0.04 + 4 * 0.09) + 0.5 * 10 * 0.1 + 0.5 * 0.5 * 100 - 0.25 * 20 * 0.3 +
                  0.5 * 0.25 * 400,
              1e-12);
  expect_vector(found.angular_com, {2 * 0.1 + 5, 0.6, 1.2 - 5});
  expect_vector(found.angular_origin, {2 * 0.1 + 5, 0.6, 1.2 - 5 - 2 * 4});
  expect_vector(found.linear, {4, 0, 0});
}

TEST(Conserved, OfTheTransportedBodyIsIndependentOfItsFrame) {
  Description d;
  d.bodies = {rigid_body("bus", 4, {2, 3, 4}, {1, -2, 0.5})};
  Scene s(std::move(d));
  s.state.u.head<3>() << 0.1, 0.2, 0.3;  // about the frame's origin, which rests
  const Vector3 w(0.1, 0.2, 0.3), c(1, -2, 0.5), v = w.cross(c);
  const Conserved<double> found = conserved_of(s);
  expect_vector(found.com, c);
  expect_vector(found.com_velocity, v);
  expect_vector(found.angular_com, {0.2, 0.6, 1.2});
  EXPECT_NEAR(found.kinetic, 0.5 * (2 * 0.01 + 3 * 0.04 + 4 * 0.09) + 2 * v.squaredNorm(), 1e-14);
}

TEST(Conserved, OfAWorldWithoutMassAreZero) {
  Description d;
  d.bodies.resize(1);
  d.bodies[0].name = "frame";
  JointDescription weld;
  weld.name = "weld", weld.parent = "world", weld.child = "frame";
  d.joints = {weld};
  const Scene s(std::move(d));
  const Conserved<double> found = conserved_of(s);
  EXPECT_EQ(found.mass, 0);
  EXPECT_EQ(found.kinetic, 0);
  EXPECT_EQ(to_eigen(found.com), Vector3::Zero());
  EXPECT_EQ(to_eigen(found.angular_com), Vector3::Zero());
}

}  // namespace
}  // namespace gyrostat::testing
