// Attitudes as quaternions and as direction cosines: the same motion, and of unit length.
#include <gtest/gtest.h>

#include "support/flight.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace {

const std::string tumbling = R"yaml(gyrostat: 1
bodies: {a: {mass: 4, inertia: [1, 2, 2.5]}}
joints: {base: {initial: {orientation: {axis: [1, 2, 3], angle: 2}, omega: [0.1, 1, 0.2]}}}
simulation: {duration: 30}
output: {interval: 0.5}
)yaml";

const std::string tree = R"yaml(gyrostat: 1
bodies:
  a: {mass: 4, inertia: [1, 2, 2.5]}
  b: {mass: 1, com: [0, 1, 0], inertia: [0.5, 0.6, 0.7]}
  c: {mass: 1, com: [0, 0, 1], inertia: [0.5, 0.6, 0.7]}
joints:
  base: {initial: {orientation: {axis: [1, 2, 3], angle: 2}, omega: [0.1, 0.5, 0.2]}}
  ball: {type: spherical, parent: a, child: b, parent_point: [1, 0, 0], damping: 0.1, initial: {omega: [1, 0, 0.5]}}
  socket: {type: spherical, parent: c, child: b, child_point: [0, 2, 0],
           initial: {orientation: {axis: [0, 1, 1], angle: -2}}}
simulation: {duration: 10}
output: {interval: 0.5}
)yaml";

struct Method {
  std::string name;
  double error;  // what it leaves at its tolerance or step over these flights
};
const std::vector<Method> methods = {{"cvode_adams", 1e-6}, {"cvode_bdf", 1e-5}, {"dopri5", 1e-7}, {"rk4", 1e-7}};

Loaded in_form(const std::string& text, const std::string& attitude) {
  Loaded loaded = load(text);
  loaded.model.value().description.simulation.attitude = attitude;
  return loaded;
}

Flight::Adjust with(const std::string& method) {
  return [=](RunSettings& s) { s.integrator = {method, 1e-10, 0.005, 0}; };
}

/// A quaternion and its negative are one attitude.
Eigen::Vector4d quaternion(const Flight& run, std::size_t row, const std::string& joint) {
  const std::size_t k = run.column(joint + ".quaternion_w");
  return Eigen::Map<const Eigen::Vector4d>(run.rows[row].data() + k);
}

double distance(const Eigen::Vector4d& a, const Eigen::Vector4d& b) { return std::min((a - b).norm(), (a + b).norm()); }

void expect_same_motion(const std::string& text, const std::vector<std::string>& joints) {
  for (const Method& method : methods) {
    SCOPED_TRACE(method.name);
    const Flight a(in_form(text, "quaternion"), with(method.name)),
        b(in_form(text, "direction_cosines"), with(method.name));
    ASSERT_EQ(a.outcome.kind, Outcome::Kind::finished) << a.outcome.failure;
    ASSERT_EQ(b.outcome.kind, Outcome::Kind::finished) << b.outcome.failure;
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (std::size_t row = 0; row < a.rows.size(); ++row) {
      for (const std::string& joint : joints) {
        EXPECT_LT(distance(quaternion(a, row, joint), quaternion(b, row, joint)), method.error)
            << joint << " at " << a.time[row];
        for (const char* speed : {".omega_x", ".omega_y", ".omega_z"}) {
          EXPECT_NEAR(a.rows[row][a.column(joint + speed)], b.rows[row][b.column(joint + speed)], method.error);
        }
      }
    }
  }
}

TEST(Attitude, IsThatOfItsAnglesInTurn) {
  const Flight run(in_form(tumbling, "quaternion"), with("dopri5"));
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  const auto of = [&](std::size_t row, const char* name) { return run.rows[row][run.column(name)]; };
  double largest = 0;
  for (std::size_t row = 0; row < run.rows.size(); ++row) {
    const double roll = of(row, "a.roll"), pitch = of(row, "a.pitch"), yaw = of(row, "a.yaw");
    const Eigen::Quaterniond q(Eigen::AngleAxisd(yaw, Vector3::UnitZ()) * Eigen::AngleAxisd(pitch, Vector3::UnitY()) *
                               Eigen::AngleAxisd(roll, Vector3::UnitX()));
    EXPECT_LT(distance({q.w(), q.x(), q.y(), q.z()}, quaternion(run, row, "base")), 1e-9) << run.time[row];
    EXPECT_LE(std::abs(pitch), 1.5708);
    largest = std::max({largest, std::abs(roll), std::abs(yaw)});
    EXPECT_NEAR(of(row, "a.omega_y"), of(row, "base.omega_y"), 1e-15);
  }
  EXPECT_GT(largest, 2) << "it tumbles";
}

TEST(Attitude, OfATumblingBodyIsTheSameInBothForms) { expect_same_motion(tumbling, {"base"}); }
TEST(Attitude, OfATreeWithSphericalJointsIsTheSameInBothForms) { expect_same_motion(tree, {"base", "ball", "socket"}); }

TEST(Attitude, IsRecordedWithUnitLength) {
  for (const std::string& text : {tumbling, tree}) {
    for (const char* form : {"quaternion", "direction_cosines"}) {
      for (const Method& method : methods) {
        const Flight run(in_form(text, form), with(method.name));
        for (std::size_t row = 0; row < run.rows.size(); ++row) {
          EXPECT_NEAR(quaternion(run, row, "base").norm(), 1, 1e-15) << method.name << ", " << form;
        }
      }
    }
  }
}

TEST(Attitude, KeepsItsLengthOverManySteps) {
  for (const char* form : {"quaternion", "direction_cosines"}) {
    SCOPED_TRACE(form);
    const Flight run(in_form(tumbling, form), [](RunSettings& s) {
      s.integrator = {"rk4", 1e-9, 0.002, 0};
      s.until = 200;
    });
    EXPECT_EQ(run.simulation.statistics().steps, 100'000u);
    EXPECT_LT(run.simulation.ledger().attitude, 1e-12);  // of one step: it is put right after each
  }
}

TEST(Attitude, OfACoarseRunStaysNearUnitLength) {
  for (const char* form : {"quaternion", "direction_cosines"}) {
    for (const char* method : {"cvode_adams", "cvode_bdf", "dopri5"}) {
      const Flight run(in_form(tumbling, form), [&](RunSettings& s) {
        s.integrator = {method, 1e-4, 0, 0};
        s.until = 300;
      });
      EXPECT_LT(run.simulation.ledger().attitude, 1e-3) << method << ", " << form;
    }
  }
}

TEST(Attitude, OfABodyWithoutTorqueKeepsItsMomentumInTheWorld) {
  for (const char* form : {"quaternion", "direction_cosines"}) {
    const Flight run(in_form(tumbling, form), with("dopri5"));
    const auto momentum = [&](std::size_t row) {
      const Eigen::Vector4d q = quaternion(run, row, "base");
      const std::size_t k = run.column("base.omega_x");
      const Vector3 w(run.rows[row][k], run.rows[row][k + 1], run.rows[row][k + 2]);
      return Vector3(Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * Vector3(w.x(), 2 * w.y(), 2.5 * w.z()));
    };
    for (std::size_t row = 0; row < run.rows.size(); ++row) EXPECT_LT((momentum(row) - momentum(0)).norm(), 1e-8);
  }
}

TEST(Attitude, OfASymmetricTopPrecessesAsInTheTextbook) {
  // inertia (1, 1, 2): omega turns about z in the body at (2 - 1) * 0.5; in the world z circles the momentum at |h|
  const std::string top = R"yaml(gyrostat: 1
bodies: {a: {mass: 4, inertia: [1.5, 1.5, 2]}}
joints: {base: {initial: {omega: [0.3, 0, 0.6]}}}
simulation: {duration: 30}
output: {interval: 0.5, record: [a.omega_x, a.omega_y, a.omega_z, a.C31, a.C32, a.C33]}
)yaml";
  const double rate = (2 - 1.5) / 1.5 * 0.6;
  const Vector3 h(1.5 * 0.3, 0, 2 * 0.6);
  for (const char* form : {"quaternion", "direction_cosines"}) {
    for (const Method& method : methods) {
      SCOPED_TRACE(method.name + ", " + form);
      const Flight run(in_form(top, form), with(method.name));
      for (std::size_t row = 0; row < run.rows.size(); ++row) {
        const double t = run.time[row];
        EXPECT_NEAR(run.rows[row][0], 0.3 * std::cos(rate * t), method.error);
        EXPECT_NEAR(run.rows[row][1], 0.3 * std::sin(rate * t), method.error);
        EXPECT_NEAR(run.rows[row][2], 0.6, method.error);
        const Vector3 axis = Eigen::AngleAxisd(h.norm() / 1.5 * t, h.normalized()) * Vector3::UnitZ();
        EXPECT_LT((Vector3(run.rows[row][3], run.rows[row][4], run.rows[row][5]) - axis).norm(), method.error);
      }
    }
  }
}

TEST(Layout, GivesBackTheStateItWasGiven) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Loaded loaded = random_flight(seed);
    const System& system = loaded.model.value().system;
    for (const Attitude form : {Attitude::quaternion, Attitude::direction_cosines}) {
      const Layout layout(system, form, 3);
      EXPECT_EQ(layout.size, layout.x + 3);
      Eigen::VectorXd y = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(layout.size));
      State back = system.initial;
      back.q.setConstant(1e300), back.u.setConstant(1e300);
      layout.gather(system.initial, y.data());
      EXPECT_LT(layout.distance_from_unit(y.data()), 1e-14);
      layout.scatter(y.data(), back.q.data(), back.u.data());
      EXPECT_EQ(back.u, system.initial.u);
      for (const Layout::Rotation& rotation : layout.rotations) {
        const auto q = static_cast<Eigen::Index>(rotation.q);
        if (system.initial.q.segment<4>(q).dot(back.q.segment<4>(q)) < 0) back.q.segment<4>(q) *= -1;
      }
      EXPECT_TRUE(back.q.isApprox(system.initial.q, 1e-15)) << "seed " << seed;
    }
  }
}

TEST(Layout, ProjectsOntoTheNearestAttitude) {
  const Loaded loaded = load(tree);
  for (const Attitude form : {Attitude::quaternion, Attitude::direction_cosines}) {
    const Layout layout(loaded.model.value().system, form, 0);
    Eigen::VectorXd y(static_cast<Eigen::Index>(layout.size));
    layout.gather(loaded.model->system.initial, y.data());
    const Eigen::VectorXd exact = y;
    for (Eigen::Index k = 0; k < y.size(); ++k) y[k] += 1e-4 * std::sin(static_cast<double>(7 * k));
    EXPECT_GT(layout.distance_from_unit(y.data()), 1e-5);
    layout.project(y.data());
    EXPECT_LT(layout.distance_from_unit(y.data()), 1e-15);
    EXPECT_LT((y - exact).cwiseAbs().maxCoeff(), 5e-4);
  }
}

}  // namespace
}  // namespace gyrostat::testing
