// Gravity that varies over the spacecraft: torques, forces and energies in closed form and by differences, and flights.
#include "gyrostat/forces/gravity_gradient.h"

#include <numbers>

#include <gtest/gtest.h>

#include "support/at_start.h"
#include "support/flight.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace {

constexpr double mu = 3.986004418e14;

const std::string orbit =
    "orbit: {semi_major_axis: 7000 km, eccentricity: 0.1, inclination: 50 deg, raan: 20 deg, "
    "argument_of_periapsis: 70 deg, time_of_periapsis: -900, center: earth}";
std::string environment(const std::string& gradient) {
  return "environment: {" + orbit + ", gravity_gradient: " + gradient + "}\n";
}

const std::string brick = R"(gyrostat: 1
bodies: {a: {mass: 50, com: [0.3, 0.1, -0.2], inertia: {xx: 20, yy: 35, zz: 40, xy: 3, xz: -2, yz: 1}}}
joints: {base: {child_point: [1, 0, 0], initial: {orientation: {axis: [1, 2, 3], angle: 1}}}}
)";

OrbitState start_of(const AtStart& at) { return Orbit(*at.loaded.model->description.environment.orbit).at(0); }

void place(AtStart& at) { place_on_orbit(at.loaded.model->description, at.system(), at.state); }

TEST(GravityGradient, TurnsABodyByThreeMuOverRCubedNCrossIN) {
  for (const char* kind : {"perturbation", "full"}) {
    SCOPED_TRACE(kind);
    const AtStart at(brick + environment(kind), place);
    const Matrix3 R = Eigen::AngleAxisd(1, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    const MassProperties& m = at.system().bodies[1].mass_properties;
    const Vector3 lever = R * (m.com - Vector3(1, 0, 0));
    const OrbitState o = start_of(at);
    const bool full = kind == std::string("full");
    const Vector3 com = o.position + (full ? lever : Vector3(Vector3::Zero()));  // the given orbit is that of the com
    const Vector3 n = com.normalized();
    const Vector3 torque = 3 * mu / std::pow(com.norm(), 3) * n.cross(R * m.inertia * R.transpose() * n);
    const Vector3 found = at.torque("a") - lever.cross(at.force("a"));  // from the base point to the com
    // in `full`, the lever of 1 m is taken of the whole weight: 1e-16 of it
    EXPECT_LT((found - torque).norm(), full ? 1e-12 : 1e-15 * torque.norm() + 1e-20) << torque.norm();
    EXPECT_GT(torque.norm(), 1e-6);
  }
}

TEST(GravityGradient, OfAGivenOrbitAddsUpToNoForce) {
  RandomFlightOptions options;
  options.loads = false;
  options.most_bodies = 12;
  options.massless = 0.15;
  options.gradient = GravityGradient::perturbation;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const AtStart at(RandomFlight(seed, options).make());
    Vec3<double> sum;
    double size = 0;
    for (const auto& wrench : at.forces.wrench) {
      sum += wrench.force;
      size += to_eigen(wrench.force).norm();
    }
    EXPECT_LT(to_eigen(sum).norm(), 1e-13 * (1 + size)) << "seed " << seed;
  }
}

/// Moments and attraction of one body, as functions of where it is.
struct Attracted {
  Loaded loaded = load(
      brick + "environment: {orbit: {semi_major_axis: 10, center: {mu: 600, radius: 1}}, gravity_gradient: full}\n");
  Plant plant{loaded.model.value(), "articulated_body"};
  PlantRun run{plant};
  State state = loaded.model->system.initial;

  /// Energy with the base point at p and the body turned by a small rotation vector, world axes.
  double energy(const Vector3& p, const Vector3& turn) {
    move(p, turn);
    return run.potential_energy();
  }
  Wrench<double> wrench(const Vector3& p) {
    move(p, Vector3::Zero());
    return run.forces().wrench[1];
  }

 private:
  void move(const Vector3& p, const Vector3& turn) {
    state.q.head<3>() = p;
    const Eigen::Quaterniond q =
        Eigen::AngleAxisd(turn.norm(), turn.norm() > 0 ? turn.normalized() : Vector3::UnitX()) *
        Eigen::Quaterniond(Eigen::AngleAxisd(1, Vector3(1, 2, 3).normalized()));
    state.q.segment<4>(3) << q.w(), q.x(), q.y(), q.z();
    Eigen::VectorXd y;
    run.start_as_given(y, state);
    run.evaluate(0, y.data(), Stage::forces);
  }
};

TEST(Attraction, IsTheSlopeOfItsPotential) {
  Attracted body;
  const Vector3 p(3, -4, 2);
  const Wrench<double> wrench = body.wrench(p);
  const double h = 1e-4;
  for (int k = 0; k < 3; ++k) {
    const Vector3 e = h * Vector3::Unit(k), none = Vector3::Zero();
    const double force = -(body.energy(p + e, none) - body.energy(p - e, none)) / (2 * h);
    const double torque = -(body.energy(p, e) - body.energy(p, -e)) / (2 * h);
    EXPECT_NEAR(to_eigen(wrench.force)[k], force, 1e-5) << k;  // h^2 times third derivatives of 600 * 50 / 5.4
    EXPECT_NEAR(to_eigen(wrench.torque)[k], torque, 1e-5) << k;
  }
  EXPECT_GT(to_eigen(wrench.torque).norm(), 1);
}

TEST(Attraction, OfADumbbellOfPointMassesIsThatOfItsMasses) {
  // two points 2a apart as one body: the force errs with the fourth power of a / R
  const auto error = [](double a) {
    const AtStart at(
        fmt::format("gyrostat: 1\nbodies: {{b: {{mass: 2, inertia: [1e-9, {0}, {0}]}}}}\n", 2 * a * a) +
            "joints: {base: {initial: {orientation: {axis: [0, 0, 1], angle: 30 deg}}}}\n"
            "environment: {orbit: {semi_major_axis: 10, center: {mu: 600, radius: 1}}, gravity_gradient: full}\n",
        place);
    Vector3 force = Vector3::Zero();
    for (const double s : {-a, a}) {
      const Vector3 r = Vector3(10, 0, 0) + s * Vector3(std::cos(std::numbers::pi / 6), 0.5, 0);
      force -= 600 * r / std::pow(r.norm(), 3);
    }
    return (at.force("b") - force).norm();
  };
  EXPECT_LT(error(0.1), 1e-6);  // of 12 N
  EXPECT_NEAR(std::log2(error(0.8) / error(0.4)), 4, 0.1);
}

TEST(Attraction, OfABallFollowsKepler) {
  const double revolution = 2 * std::numbers::pi * std::sqrt(std::pow(7e6, 3) / mu);
  for (const char* method : {"cvode_adams", "dopri5"}) {
    SCOPED_TRACE(method);
    const Flight run(R"(gyrostat: 1
bodies: {ball: {mass: 3, inertia: [1, 1, 1]}}
output: {record: [ball.position_x, ball.position_y, ball.position_z, orbit.true_anomaly, orbit.radius]}
simulation: {duration: 1}
)" + environment("full"),
                     [&](RunSettings& s) {
                       s.until = revolution;
                       s.interval = revolution / 50;
                       s.integrator.method = method;
                       s.integrator.tolerance = 1e-13;
                     });
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
    const Orbit reference(*run.loaded.model->description.environment.orbit);
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const OrbitState at = reference.at(run.time[k]);
      const Vector3 p(run.rows[k][0], run.rows[k][1], run.rows[k][2]);
      EXPECT_LT((p - at.position).norm() / at.radius, 1e-9) << run.time[k];
      EXPECT_NEAR(std::remainder(run.rows[k][3] - at.true_anomaly, 2 * std::numbers::pi), 0, 1e-8);  // 1e-9 over e
      EXPECT_NEAR(run.rows[k][4] / at.radius, 1, 1e-9);
    }
  }
}

TEST(Attraction, PutsWhatIsFreeOnTheOrbit) {
  const AtStart at(brick + environment("full"), place);
  const OrbitState o = start_of(at);
  EXPECT_LT((Vector3(at.state.q.head<3>()) - o.position).norm(), 1e-8);
  EXPECT_LT((Vector3(at.state.u.tail<3>()) - o.velocity).norm(), 1e-11);
  const std::vector<double> a = at.accelerations("base");
  const Vector3 fall = -mu / std::pow(o.radius, 3) * o.position;
  EXPECT_LT((Vector3(a[3], a[4], a[5]) - fall).norm(), 1e-5);  // 1 m from the mass centre: 1e-7 of 8 m/s^2
}

/// A joint may be written from the body to the world.
TEST(Attraction, PutsWhatIsFreeOnTheOrbitWhicheverWayItsJointIsWritten) {
  const AtStart at(
      "gyrostat: 1\nbodies: {a: {mass: 50, inertia: [20, 25, 30]}}\n"
      "joints: {base: {type: free, parent: a, child: world, initial: {orientation: {axis: [1, 2, 3], angle: 1}, omega: "
      "[0.1, 0.2, -0.3]}}}\nsignals: {x: orbit.nadir_x, y: orbit.nadir_y, z: orbit.nadir_z}\n" +
          environment("full"),
      place);
  const OrbitState o = start_of(at);
  EXPECT_LT((to_eigen(at.conserved.com) - o.position).norm(), 1e-8);
  EXPECT_LT((to_eigen(at.conserved.com_velocity) - o.velocity).norm(), 1e-8);
  const auto& outputs = at.plant.signals().outputs;
  const Vector3 nadir(at.run.value(outputs[0][0]), at.run.value(outputs[1][0]), at.run.value(outputs[2][0]));
  EXPECT_LT((nadir + o.position.normalized()).norm(), 1e-14);
}

const std::string tethered = R"(gyrostat: 1
bodies:
  a: {mass: 5, inertia: [2, 2.5, 3]}
  b: {mass: 2, com: [0, 1, 0], inertia: [1, 1.2, 1.3]}
joints:
  base: {initial: {omega: [0.1, 0.2, -0.1]}}
  ball: {type: spherical, parent: a, child: b, parent_point: [1, 0, 0], initial: {omega: [0.1, 0, 0.2]}}
environment: {orbit: {semi_major_axis: 30, eccentricity: 0.2, inclination: 1, center: {mu: 300, radius: 1}},
              gravity_gradient: full}
simulation: {duration: 60, integrator: {method: dopri5, tolerance: 1e-11}}
)";

TEST(Attraction, KeepsEnergyAndAngularMomentumAboutTheCentre) {
  Loaded loaded = load(tethered);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Plant plant(*loaded.model, "articulated_body");
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start(y);
  Dopri5 integrator(
      {&run,
       [](void* p, double t, const double* at, double* ydot) { static_cast<PlantRun*>(p)->derivative(t, at, ydot); },
       nullptr, plant.size()},
      {1e-11, 1e-14, 0});
  const auto sums = [&](double t) {
    run.evaluate(t, integrator.state().data(), Stage::signals);
    const Conserved<double>& c = run.conserved();
    return std::pair{c.kinetic + run.potential_energy(), to_eigen(c.angular_com + cross(c.com, c.linear))};
  };
  integrator.restart(0, y);
  const auto [energy, momentum] = sums(0);
  for (double t = 0; t < 60;) {
    const Step step = integrator.step(60);
    ASSERT_EQ(step.failure, "");
    t = step.to;
    const auto [e, h] = sums(t);
    ASSERT_NEAR(e / energy, 1, 1e-9);
    ASSERT_LT((h - momentum).norm(), 1e-9 * momentum.norm());
  }
}

/// A flexible body of mass points, undeformed, which turns freely where and as the seed says.
Description flexible_body(std::uint64_t seed, GravityGradient kind) {
  Random random(seed);
  BodyDescription body;
  body.name = "b";
  body.flexible.emplace();
  body.flexible->data = random_flexible(random, 4, true, true);
  body.flexible->terms = seed % 2 == 0 ? FlexibleTerms::linear : FlexibleTerms::stiffened;
  body.flexible->position = body.flexible->rate = {0, 0, 0, 0};
  JointDescription base;
  base.name = "base";
  base.type = JointType::free;
  base.parent = "world";
  base.child = "b";
  const Eigen::Vector4d q = random.quaternion();
  base.position = {3, -4, 2, q[0], q[1], q[2], q[3]};
  base.speed.assign(6, 0);
  Description d;
  d.bodies.push_back(body);
  d.joints.push_back(base);
  d.environment.orbit.emplace();
  d.environment.orbit->semi_major_axis = 10, d.environment.orbit->mu = 600, d.environment.orbit->radius = 1;
  d.environment.gravity_gradient = kind;
  return d;
}

TEST(Attraction, OfModesIsTheSlopeOfItsPotential) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    AtStart at(flexible_body(seed, GravityGradient::full));
    const FlexibleBody& body = at.system().flexible[0];
    const std::vector<double> tau = at.forces.tau;
    for (std::uint32_t a = 0; a < 4; ++a) {
      const auto energy = [&](double eta) {
        at.state.q[body.q + a] = eta;
        at.update();
        return at.potential;
      };
      const double h = 1e-4, slope = (energy(h) - energy(-h)) / (2 * h);
      energy(0);
      EXPECT_NEAR(tau[body.u + a], -slope, 1e-6 * (1 + std::abs(slope))) << "seed " << seed << ", mode " << a;
      EXPECT_GT(std::abs(slope), 1e-3);
    }
  }
}

/// On a mode it is what the pulls on the mass points do along its shape.
TEST(GravityGradient, OnModesIsThatOnTheirMassPoints) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const AtStart at(flexible_body(seed, GravityGradient::perturbation));
    const FlexibleBody& body = at.system().flexible[0];
    const Eigen::Vector4d q = at.state.q.segment<4>(3);
    const Matrix3 R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const OrbitState o = start_of(at);
    const Vector3 n = o.position.normalized();
    double mass = 0;
    Vector3 com = Vector3::Zero();
    for (const FlexibleNode& node : body.data.nodes) mass += node.mass, com += node.mass * node.position;
    com /= mass;
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(4);
    for (const FlexibleNode& node : body.data.nodes) {
      const Vector3 x = R * (node.position - com);
      const Vector3 pull = 600 / std::pow(o.radius, 3) * (3 * n.dot(x) * n - x);
      expected += node.mass * (R * node.shape.translation).transpose() * pull;
    }
    for (std::uint32_t a = 0; a < 4; ++a) {
      EXPECT_NEAR(at.forces.tau[body.u + a], expected[a], 1e-12 * (1 + expected.norm())) << "seed " << seed;
    }
    EXPECT_GT(expected.norm(), 1e-2);
  }
}

TEST(GravityGradient, OfBothKindsAgreesTheMoreTheSmallerTheSpacecraft) {
  // the perturbation leaves out what goes with the third power of the size: half the size, half the difference
  const auto difference = [](double size) {
    const auto fly = [size](const std::string& kind) {
      return Flight(fmt::format(R"(gyrostat: 1
bodies:
  a: {{mass: 5, inertia: [{0}, {1}, {2}]}}
  b: {{mass: 2, com: [0, {3}, 0], inertia: [{4}, {5}, {6}]}}
joints:
  base: {{initial: {{orientation: {{axis: [0, 1, 2], angle: 0.5}}}}}}
  hinge: {{type: revolute, parent: a, child: b, parent_point: [{3}, 0, 0], axis: [1, 0, 1], initial: {{angle: 0.3}}}}
environment: {{orbit: {{semi_major_axis: 100, eccentricity: 0.1, inclination: 1, center: {{mu: 1e6, radius: 1}}}},
               gravity_gradient: {7}}}
simulation: {{duration: 3, integrator: {{method: dopri5, tolerance: 1e-12}}}}
)",
                                2 * size * size, 2.5 * size * size, 3.5 * size * size, size, size * size,
                                1.2 * size * size, 1.3 * size * size, kind));
    };
    const Flight given = fly("perturbation"), full = fly("full");
    EXPECT_EQ(given.outcome.kind, Outcome::Kind::finished) << given.outcome.failure;
    EXPECT_EQ(full.outcome.kind, Outcome::Kind::finished) << full.outcome.failure;
    EXPECT_GT(std::abs(given.last("hinge.angle") - 0.3), 0.1);  // it moves
    return std::abs(given.last("hinge.angle") - full.last("hinge.angle"));
  };
  const double coarse = difference(0.2), fine = difference(0.1);
  EXPECT_LT(coarse, 0.05);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.2);
}

}  // namespace
}  // namespace gyrostat::testing
