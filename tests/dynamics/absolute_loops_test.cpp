// Loops and constraints in absolute and in mixed coordinates: what must hold for any accelerations, and mechanisms
// whose motion is known.
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/dynamics/absolute.h"
#include "gyrostat/model/determinacy.h"

#include "support/closed_loops.h"
#include "support/load.h"
#include "support/loop_checks.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace absolute_loops_test {

/// Adds constraints that no joint makes: a coupling, a distance and a point, with the values that they have.
void add_constraints(System& system, Random& random) {
  std::vector<std::uint32_t> single;  // joints with speeds that are rates of coordinates
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
    if (!has_quaternion(system.joints[i].type) && system.joints[i].nu > 0) single.push_back(i);
  }
  const auto add = [&](std::string name, auto kind, std::vector<double> equals) {
    std::uint32_t first = 0;
    for (const Constraint& one : system.constraints) first += static_cast<std::uint32_t>(one.equals.size());
    system.constraints.push_back({name, "constraints." + name, name, std::move(kind), "", std::move(equals), first});
  };
  if (single.size() > 1 && random.chance(0.7)) {
    Coupling coupling;
    double value = 0;
    const auto term = [&](std::uint32_t q, std::uint32_t u) {
      coupling.terms.push_back({q, u, random.uniform(0.5, 2)});
      value += coupling.terms.back().coefficient * system.initial.q[q];
    };
    for (const std::uint32_t i : {single[random.index(single.size())], single[random.index(single.size())]}) {
      term(system.joints[i].q, system.joints[i].u);
    }
    if (!system.wheels.empty()) term(system.wheels[0].q, system.wheels[0].u);
    add("mesh", coupling, {value});
  }
  const auto body = [&] { return static_cast<std::uint32_t>(random.index(system.bodies.size())); };
  const auto node = [&](std::uint32_t of) {
    system.nodes.push_back({"", of, random.vector(), Matrix3::Identity()});
    return static_cast<std::uint32_t>(system.nodes.size() - 1);
  };
  const auto place = [&](std::uint32_t k) {
    return body_poses(system, system.initial.q)[system.nodes[k].body] * system.nodes[k].p;
  };
  const std::uint32_t a = node(body()), b = node(body());
  if (system.nodes[a].body != system.nodes[b].body) {
    const Vector3 apart = place(b) - place(a);
    if (random.chance(0.5)) {
      add("rod", Distance{a, b}, {apart.norm()});
    } else {
      PointOnFrame point{a, b, {random.direction()}};
      if (random.chance(0.5)) point.directions.push_back(point.directions[0].unitOrthogonal());
      std::vector<double> equals;
      const Matrix3 R = body_poses(system, system.initial.q)[system.nodes[a].body].R;
      for (const Vector3& n : point.directions) equals.push_back((R * n).dot(apart));
      add("slot", point, equals);
    }
  }
}

struct Seen {
  int compared = 0, held = 0, extreme = 0, rows = 0;
  std::set<std::pair<JointType, bool>> cut;
};

/// Both formulations at a random instant of a random system with loops.
void check_random_case(std::uint64_t seed, const RandomModelOptions& options, Seen& seen) {
  Assembled a = assemble(with_loops(seed, random_description(seed, options)));
  ASSERT_EQ(a.problems.errors(), 0U) << text_of(a.problems);
  Random random(seed ^ 0xab50);
  add_constraints(a.system, random);
  LoopCase c(a.system);
  if (c.state.u.size() == 0 || c.constraints.rows() == 0) return;
  c.forces = random_forces(a.system, random);
  for (const Constraint& one : a.system.constraints) {  // driven: their values change
    for (std::size_t k = 0; k < one.equals.size(); ++k) {
      c.forces.equals[one.first_equal + k] = {one.equals[k], random.uniform(-1, 1), random.uniform(-5, 5)};
    }
  }
  if (!c.has_clear_rank() || find_massless_motions(a.system).count > 0) return;
  const double left = c.make_speeds_consistent();
  if (left > 1e-10 || !c.is_possible()) {  // driven where they cannot be: hold what is driven, and prescribed
    for (auto& given : c.forces.equals) given.rate = given.acceleration = 0;
    std::fill(c.forces.udot.begin(), c.forces.udot.end(), 0.0);
    if (c.make_speeds_consistent() > 1e-10 || !c.is_possible()) return;
    ++seen.held;
  }
  const Eigen::VectorXd udot = c.absolute(), mixed = c.mixed();
  const double size = 1 + udot.cwiseAbs().maxCoeff();
  if (size > 1e6) {  // hardly any inertia in some direction: no digits to compare
    ++seen.extreme;
    return;
  }
  ASSERT_LT(c.row_error(udot), 1e-8 * size);
  ASSERT_LT(c.force_error(udot), 1e-8 * size);
  ASSERT_LT((udot - mixed).cwiseAbs().maxCoeff(), 1e-8 * size);
  ++seen.compared;
  seen.rows += static_cast<int>(c.constraints.rows());
  for (const Constraint& one : a.system.constraints) {
    if (const auto* cut = std::get_if<CutJoint>(&one.kind)) {
      const auto [parent, child] = bodies_of(a.system, one);
      seen.cut.insert({cut->joint.type, parent > child});
    }
  }
}

/// A parallelogram that is folded flat, exactly or nearly: arms lie along the force of a row, which restrains nothing
/// then. What is left of it is rounding, as are the products of arms and force.
TEST(AbsoluteLoops, LeaveOutWhatRestrainsNothingInAFlatParallelogram) {
  const auto at = [](double angle) {
    return load(fmt::format(R"yaml(gyrostat: 1
bodies:
  v0: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  v1: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  h1: {{mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
joints:
  a0: {{type: revolute, parent: world, child: v0, axis: [0, 0, 1], initial: {{angle: {0}, rate: -1}}}}
  a1: {{type: revolute, parent: world, child: v1, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {{angle: {0}, rate: -1}}}}
  b1: {{type: revolute, parent: v0, child: h1, parent_point: [0, 1, 0], axis: [0, 0, 1], initial: {{angle: -{0}, rate: 1}}}}
  c1: {{type: revolute, parent: h1, child: v1, parent_point: [1, 0, 0], child_point: [0, 1, 0], axis: [0, 0, 1], cut: true}}
environment: {{gravity: {{uniform: [0, -9.81, 0]}}}}
)yaml",
                            angle));
  };
  const double flat = std::acos(0.0);
  for (const double angle : {flat, flat - 1e-12, flat - 1e-10, flat - 1e-9, flat - 1e-5}) {
    SCOPED_TRACE(angle);
    const Loaded loaded = at(angle);
    const Model& model = *loaded.model;
    Forces<double> forces(model.system);
    for (std::uint32_t i = 1; i < model.system.bodies.size(); ++i) {
      const Pose X = body_poses(model.system, model.system.initial.q)[i];
      const Vector3 weight(0, -9.81, 0), arm = X.R * model.system.bodies[i].mass_properties.com;
      forces.wrench[i].force = cast<double>(weight);
      forces.wrench[i].torque = cast<double>(Vector3(arm.cross(weight)));
    }
    for (const char* formulation : {"absolute", "mixed", "articulated_body"}) {
      Dynamics dynamics(model.system, DynamicsSettings(model), formulation);
      dynamics.update(model.system.initial);
      Eigen::VectorXd udot;
      dynamics.accelerations(model.system.initial, forces, udot);
      // two arms about their ends, and the bar, which does not turn
      const double inertia = 2 * (0.1 + 0.25) + 1, torque = 9.81 * 2 * std::sin(angle);
      for (const Joint& joint : model.system.joints) {
        if (joint.nu == 0) continue;
        const double sign = joint.name == "b1" ? -1 : 1;
        EXPECT_NEAR(udot[joint.u], sign * torque / inertia, 1e-6) << formulation << " " << joint.name;
      }
    }
  }
}

TEST(AbsoluteLoops, ObeyTheConstraintsAndDAlembertOnRandomSystems) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    check_random_case(seed, {.least_bodies = 3, .most_bodies = seed % 10 == 0 ? 30U : 8U}, seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.compared, 700);
  EXPECT_GT(seen.compared - seen.held, 500);  // driven as they please
  EXPECT_LT(seen.extreme, 10);
  EXPECT_GT(seen.rows, 4000);
  EXPECT_GE(seen.cut.size(), 20U);
}

}  // namespace absolute_loops_test
}  // namespace gyrostat::testing
