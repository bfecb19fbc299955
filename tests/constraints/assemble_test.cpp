// Assembly: what is closed, what is kept, and that the change is the least.
#include "gyrostat/constraints/assemble.h"

#include <array>

#include <Eigen/SVD>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gyrostat/constraints/mobility.h"
#include "gyrostat/dynamics/coordinate_rates.h"

#include "support/closed_case.h"
#include "support/load.h"

namespace gyrostat::testing {
namespace assemble_test {

/// A closed configuration with the coordinates of its free joints moved a little, and speeds that violate constraints.
State disturbed(const ClosedCase& c, double size, Random& random) {
  State state = c.state;
  Eigen::VectorXd change(c.state.u.size()), rates = Eigen::VectorXd::Zero(c.state.q.size());
  for (Eigen::Index k = 0; k < change.size(); ++k)
    change[k] = c.forces->free[static_cast<std::size_t>(k)] ? size * random.uniform(-1, 1) : 0;
  coordinate_rates(c.system(), state.q.data(), change.data(), rates.data());
  state.q += rates;
  for (std::size_t i = 1; i < c.system().joints.size(); ++i) {
    const Joint& joint = c.system().joints[i];
    if (has_quaternion(joint.type)) state.q.segment<4>(joint.q + (joint.type == JointType::free ? 3 : 0)).normalize();
  }
  return state;
}

template <class Test>
std::size_t for_closed_cases(Test test) {
  std::size_t tested = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ClosedCase c(seed, {.most_bodies = 8, .massless = 0});
    if (c.constraints.rows() == 0 || c.choice().weakest < 1e-4) continue;
    // Rows that are redundant where the loops are closed may contradict each other nearby.
    if (std::ranges::count(c.choice().node_of, ClosurePlan::none) > 0) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    if (test(c, Random(seed ^ 0xa55e))) ++tested;
    if (::testing::Test::HasFailure()) return tested;
  }
  return tested;
}

TEST(Assembly, ClosesWhatIsNearAndMovesOnlyWhatMayMove) {
  const std::size_t tested = for_closed_cases([](const ClosedCase& c, Random random) {
    const State start = disturbed(c, 1e-3, random);
    const Assembly assembly = gyrostat::assemble(*c.mechanism, c.constraints, start, c.forces->free, c.forces->equals);
    if (assembly.position_before < 1e-6) return false;  // nothing to do
    EXPECT_LE(assembly.position, assembled_residual) << assembly.position_before;
    const State& found = assembly.state;
    for (std::size_t i = 1; i < c.system().joints.size(); ++i) {
      const Joint& joint = c.system().joints[i];
      if (joint.motion == Motion::free) continue;
      for (std::uint32_t k = 0; k < joint.nq; ++k) EXPECT_EQ(found.q[joint.q + k], start.q[joint.q + k]) << joint.name;
      for (std::uint32_t k = 0; k < joint.nu; ++k) EXPECT_EQ(found.u[joint.u + k], start.u[joint.u + k]) << joint.name;
    }
    EXPECT_LT((found.q - start.q).norm(), 1) << "near";
    return true;
  });
  EXPECT_GT(tested, 50U);
}

/// A model's text with all that an assembly needs.
struct Text {
  Loaded loaded;
  Mechanism mechanism;
  Constraints constraints;
  Forces<double> forces;

  explicit Text(const std::string& text)
      : loaded(load(text)), mechanism(system()), constraints(make_constraints(mechanism)), forces(system()) {
    EXPECT_EQ(problems_of(loaded), "");
  }
  [[nodiscard]] const System& system() const { return loaded.model->system; }
  [[nodiscard]] Assembly assembled() const {
    return gyrostat::assemble(mechanism, constraints, system().initial, forces.free, forces.equals);
  }
};

/// The change of x and a with x + a = 0 for which x^2 + (2 m a)^2 is least.
TEST(Assembly, CountsATurnAsAMoveByTheLengthOfTheSystem) {
  const Text text(R"yaml(gyrostat: 1
bodies: {car: {mass: 1, inertia: [1, 1, 1]}, wheel: {mass: 1, inertia: [1, 1, 1]}}
joints:
  slide: {type: prismatic, parent: world, child: car, axis: [1, 0, 0], initial: {displacement: 1, speed: 3}}
  turn: {type: revolute, parent: world, child: wheel, parent_point: [2, 0, 0], axis: [0, 0, 1]}
constraints: {rope: {coupling: {slide.displacement: 1, turn.angle: 1}}}
)yaml");
  const Assembly a = text.assembled();
  EXPECT_NEAR(a.position_before, 1, 1e-15);
  EXPECT_NEAR(a.speed_before, 3, 1e-15);
  EXPECT_NEAR(a.state.q[0], 1 - 0.8, 1e-12);
  EXPECT_NEAR(a.state.q[1], -0.2, 1e-12);
  EXPECT_NEAR(a.state.u[0], 3 - 3 * 0.8, 1e-12);
  EXPECT_NEAR(a.state.u[1], -3 * 0.2, 1e-12);
}

/// What a wheel has turned by is a coordinate as any other; its change counts, not where it is.
TEST(Assembly, CountsTheTurnOfAWheelFromWhereItIs) {
  const Text text(R"yaml(gyrostat: 1
bodies: {car: {mass: 1, inertia: [1, 1, 1], wheels: {rotor: {axis: [0, 0, 1], inertia: 0.1}}}}
joints: {slide: {type: prismatic, parent: world, child: car, axis: [1, 0, 0], initial: {displacement: 1}}}
constraints: {rope: {coupling: {slide.displacement: 1, car.rotor.angle: 2}, equals: 12}}
)yaml");
  State start = text.system().initial;
  start.q[1] = 5;  // of the wheel: 1 is missing
  const Assembly a = gyrostat::assemble(text.mechanism, text.constraints, start, text.forces.free, text.forces.equals);
  EXPECT_NEAR(a.state.q[0], 1 + 0.2, 1e-12);
  EXPECT_NEAR(a.state.q[1], 5 + 0.4, 1e-12);
}

/// The frame has to turn for a point that stands still.
TEST(Assembly, TurnsAFrameAboutAPointThatIsHeldInIt) {
  const Assembly a = Text(R"yaml(gyrostat: 1
bodies: {frame: {mass: 1, inertia: [1, 1, 1]}}
joints: {turn: {type: revolute, parent: world, child: frame, axis: [0, 0, 1]}}
constraints: {rail: {point: [world, [1, 0, 0]], of: frame, directions: [[0, 1, 0]], equals: 0.1}}
)yaml")
                         .assembled();
  EXPECT_TRUE(a.closed());
  EXPECT_NEAR(a.state.q[0], -std::asin(0.1), 1e-10);
}

/// A point on the axis of a joint stays where it is when the joint turns: its derivative is the rounding of a lever
/// along the axis, and no turn is right, though one by residual over rounding would be the least.
TEST(Assembly, TurnsNothingThatMovesAConstraintByRoundingOnly) {
  int inexact = 0;
  for (const char* along : {"0.1", "0.3", "0.7", "-1.1", "2.3"}) {
    const Text text(std::string("gyrostat: 1\nparameters: {s: ") + along + R"yaml(}
bodies: {top: {mass: 1, inertia: [1, 1, 1]}}
joints: {turn: {type: revolute, parent: world, child: top, parent_point: [0.3, 0.1, 0.7], axis: [1, 2, -0.6],
                initial: {angle: 0.4, rate: 0.3}}}
constraints: {rod: {distance: {from: [world, [3, -1, 2]], to: [top, ["s", "2*s", "-0.6*s"]]}, equals: 3.3}}
)yaml");
    const Assembly a = text.assembled();
    EXPECT_FALSE(a.closed());
    EXPECT_EQ(a.state.q[0], 0.4) << along;
    EXPECT_EQ(a.state.u[0], 0.3) << along;
    inexact += a.speed != 0;
  }
  EXPECT_GT(inexact, 1) << "or there is no rounding to be left out";
}

/// A change that is least, where all coordinates count alike, is J^T x: it has no part along motions that constraints
/// allow.
TEST(Assembly, ChangesCoordinatesAndSpeedsAlongWhatTheConstraintsResistOnly) {
  const Text text(R"yaml(gyrostat: 1
bodies:
  a: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  b: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  c: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  d: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  j1: {type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {angle: 0.9, rate: 1}}
  j2: {type: revolute, parent: a, child: b, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {angle: -0.5, rate: 2}}
  j3: {type: revolute, parent: b, child: c, parent_point: [1.3, 0, 0], axis: [0, 0, 1], initial: {angle: -1.2, rate: 3}}
  j4: {type: revolute, parent: world, child: d, parent_point: [2.4, 0, 0], axis: [0, 0, 1], initial: {angle: 1.8, rate: -1}}
  shut: {type: revolute, parent: c, child: d, parent_point: [0.7, 0, 0], child_point: [0.301, 0, 0], axis: [0, 0, 1], cut: true}
)yaml");
  const State& start = text.system().initial;
  const Assembly a = text.assembled();
  EXPECT_GT(a.position_before, 1e-3);
  EXPECT_TRUE(a.closed());
  Kinematics<double> kinematics(text.mechanism);
  update(text.mechanism, a.state.q.data(), a.state.u.data(), kinematics);
  ConstraintRows<double> rows = make_rows<double>(text.constraints);
  evaluate(text.constraints, text.mechanism, kinematics, a.state.q.data(), a.state.u.data(),
           static_cast<const double*>(nullptr), text.forces.equals.data(), rows.rows.data());
  Eigen::MatrixXd J(5, 4);
  find_jacobian(text.mechanism, kinematics, text.constraints.structure, rows,
                std::array<std::uint32_t, 5>{0, 1, 2, 3, 4}, J);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(1e-9);
  factors.compute(J);
  EXPECT_EQ(factors.rank(), 2);
  const Eigen::VectorXd moved = a.state.q - start.q, hurried = a.state.u - start.u;
  EXPECT_GT(moved.norm(), 1e-3);
  EXPECT_LT((moved - factors.solve(J * moved)).norm(), 1e-6 * moved.norm());
  EXPECT_GT(hurried.norm(), 0.1);
  EXPECT_LT((hurried - factors.solve(J * hurried)).norm(), 1e-9);
}

/// Loops between parts of a spacecraft do not depend on where it is, nor how it points and turns: nothing of that is
/// changed, however far they are open.
TEST(Assembly, LeavesAFreeSpacecraftWhereItIs) {
  const Text text(R"yaml(gyrostat: 1
bodies:
  bus: {mass: 20, inertia: [4, 5, 6]}
  a: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  b: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  c: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  base: {type: free, parent: world, child: bus, initial: {position: [1, 2, 3], orientation: {axis: [1, 2, 3], angle: 1},
         omega: [0.1, 0.2, 0.3], velocity: [1, 2, 3]}}
  j1: {type: spherical, parent: bus, child: a, parent_point: [0.2, 0.1, 0], initial: {orientation: {axis: [0, 0, 1], angle: 1.2}}}
  j2: {type: universal, parent: a, child: b, parent_point: [1, 0, 0], axes: [[0, 0, 1], [0, 1, 0]], initial: {angles: [-1.1, 0.3]}}
  j3: {type: revolute, parent: bus, child: c, parent_point: [1.4, 0, 0.1], axis: [0, 0.1, 1], initial: {angle: 1.5, rate: 1}}
  shut: {type: spherical, parent: b, child: c, parent_point: [1, 0, 0], child_point: [1, 0, 0], cut: true}
)yaml");
  const Assembly a = text.assembled();
  EXPECT_GT(a.position_before, 0.2);
  EXPECT_TRUE(a.closed());
  const State& start = text.system().initial;
  EXPECT_LT((a.state.q.head<7>() - start.q.head<7>()).norm(), 1e-6 * (a.state.q - start.q).norm());
  EXPECT_LT((a.state.u.head<6>() - start.u.head<6>()).norm(), 1e-12 * (a.state.u - start.u).norm());
  EXPECT_GT((a.state.u - start.u).norm(), 0.1);
}

/// The nearest attitude at which a point of a body that turns about its origin is on a plane: about the one axis across
/// the plane's normal and the point, by the angle between them that is missing.
TEST(Assembly, TurnsABallJointByTheShortestWay) {
  const Text text(R"yaml(gyrostat: 1
bodies: {top: {mass: 1, inertia: [1, 1, 1]}}
joints: {ball: {type: spherical, parent: world, child: top, initial: {orientation: {axis: [1, 0, 0], angle: 0.3}}}}
constraints: {floor: {point: [top, [2, 0, 0]], of: world, directions: [[0.6, 0, 0.8]], equals: -0.5}}
)yaml");
  const Assembly a = text.assembled();
  EXPECT_TRUE(a.closed());
  const auto attitude = [](const State& s) { return Eigen::Quaterniond(s.q[0], s.q[1], s.q[2], s.q[3]); };
  const Eigen::Quaterniond turn = attitude(a.state) * attitude(text.system().initial).conjugate();
  const double missing =
      std::acos(-0.25) - std::acos(0.6);  // of the angle between the arm, along x at first, and the normal
  const Vector3 expected = Vector3(0, 1, 0) * missing;
  EXPECT_LT((Eigen::AngleAxisd(turn).angle() * Eigen::AngleAxisd(turn).axis() - expected).norm(), 1e-6);
}

TEST(Assembly, BendsFlexibleBodiesOnlyWhereJointsDoNotReach) {
  int unbent = 0, bent = 0, open = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ClosedCase c = flexible_closed_case(seed, 0);
    if (c.system().flexible.empty() || c.constraints.rows() == 0) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::vector<Truth> joints = c.forces->free, modes(joints.size(), Truth(false));
    for (const FlexibleBody& body : c.system().flexible) {
      for (std::uint32_t k = 0; k < body.data.modes(); ++k) {
        joints[body.u + k] = false;
        modes[body.u + k] = body.terms != FlexibleTerms::ruthless;  // there positions do not follow the modes
      }
    }
    const Eigen::MatrixXd J = c.jacobian();
    const auto can_close = [&](const std::vector<Truth>& movable) {
      Eigen::MatrixXd part = J;
      for (Eigen::Index k = 0; k < J.cols(); ++k) {
        if (!movable[static_cast<std::size_t>(k)]) part.col(k).setZero();
      }
      if (J.rows() > J.cols()) return false;
      const Eigen::VectorXd values = part.jacobiSvd().singularValues();
      return values.minCoeff() > 0.05 * values.maxCoeff() && values.minCoeff() > 0.01;
    };
    Random random(seed);
    State start = disturbed(c, 1e-4, random);
    const auto is_closed = [&](const Assembly& a, const std::vector<Truth>& movable) {
      for (std::size_t k = 0; k < movable.size(); ++k) {
        if (movable[k] || !a.closed()) continue;
        EXPECT_EQ(a.state.u[static_cast<Eigen::Index>(k)], start.u[static_cast<Eigen::Index>(k)]) << "speed " << k;
      }
      EXPECT_LT(a.state.u.cwiseAbs().maxCoeff(), 1e6) << "not divided by rounding";
      open += !a.closed();
      return a.closed();
    };
    if (can_close(joints)) {
      const Assembly a = gyrostat::assemble(*c.mechanism, c.constraints, start, c.forces->free, c.forces->equals);
      if (is_closed(a, joints)) ++unbent;
      for (const FlexibleBody& body : c.system().flexible) {
        for (std::uint32_t k = 0; k < body.data.modes() && a.closed(); ++k) {
          EXPECT_EQ(a.state.q[body.q + k], start.q[body.q + k]) << "mode " << k;
        }
      }
    }
    if (can_close(modes)) {
      if (is_closed(gyrostat::assemble(*c.mechanism, c.constraints, start, modes, c.forces->equals), modes)) ++bent;
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(unbent, 30);
  EXPECT_GT(bent, 3);
  EXPECT_EQ(open, 0);
  std::cout << unbent << " unbent, " << bent << " bent\n";
}

/// Where the Jacobian is rounding, and where constraints contradict each other, no speed is divided by that, which
/// would make it 1e14. Near a singular position speeds are large, and not wrong. Which systems the seeds give depends
/// on the compiler; with g++ 127, 210, 303 and 308 are such, all speeds are below 1, and 156 once stayed open
/// by 1.1e-4.
TEST(Assembly, LeavesSpeedsOfTheirSizeWhereTheJacobianIsRounding) {
  int cases = 0, contradicting = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const ClosedCase c =
        seed < 300 ? flexible_closed_case(seed, 0) : ClosedCase(seed - 300, {.most_bodies = 8, .massless = 0});
    if (c.constraints.rows() == 0 || c.state.u.size() == 0) continue;
    Random random(seed % 300);
    const State start = disturbed(c, 1e-4, random);
    const Assembly a = gyrostat::assemble(*c.mechanism, c.constraints, start, c.forces->free, c.forces->equals);
    EXPECT_LT(a.state.u.cwiseAbs().maxCoeff(), 1e6) << "seed " << seed;
    if (seed == 156) {
      EXPECT_TRUE(a.closed()) << a.position << ", " << a.speed;
    }
    ++cases;
    contradicting += a.speed > 0.1;
  }
  EXPECT_GT(cases, 500);
  EXPECT_GT(contradicting, 50);
}

TEST(Assembly, PartsPointsThatMeetWhereADistanceIsAskedFor) {
  const Assembly a = Text(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  j: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  k: {type: revolute, parent: world, child: b, axis: [0, 0, 1]}
constraints: {rod: {distance: {from: [a, [1, 0, 0]], to: [b, [1, 0, 0]]}, equals: 1}}
)yaml")
                         .assembled();
  EXPECT_TRUE(a.closed());
  EXPECT_NEAR(std::abs(a.state.q[0] - a.state.q[1]), std::acos(-1.0) / 3, 1e-9);
}

TEST(Mobility, CountsRowsTheirRankAndNamesTheRedundantAndTheOpen) {
  const auto loop = [](const char* gap) {
    return Text(fmt::format(R"yaml(gyrostat: 1
bodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}, b: {{mass: 1, inertia: [1, 1, 1]}}, c: {{mass: 1, inertia: [1, 1, 1]}}}}
joints:
  j1: {{type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {{angle: 90 deg}}}}
  j2: {{type: revolute, parent: a, child: b, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {{angle: -90 deg}}}}
  j3: {{type: revolute, parent: world, child: c, parent_point: [{}, 0, 0], axis: [0, 0, 1], initial: {{angle: 90 deg}}}}
  shut: {{type: revolute, parent: b, child: c, parent_point: [1, 0, 0], child_point: [1, 0, 0], axis: [0, 0, 1], cut: true}}
constraints: {{drive: {{coordinate: j1.angle, equals: 90 deg}}}}
)yaml",
                            gap));
  };
  const Mobility closed = find_mobility(loop("1").system());
  EXPECT_EQ(closed.free, 3U);
  EXPECT_EQ(closed.rows, 6U);
  EXPECT_EQ(closed.rank, 3U);
  EXPECT_EQ(closed.counted(), -3);
  EXPECT_EQ(closed.by_rank(), 0U);
  ASSERT_EQ(closed.redundant.size(), 1U);
  EXPECT_EQ(closed.redundant[0].constraint, "shut");
  EXPECT_EQ(closed.redundant[0].rows, 3U);
  EXPECT_EQ(closed.open, "");
  EXPECT_LT(closed.residual, 1e-10);
  const Mobility open = find_mobility(loop("9").system());
  EXPECT_EQ(open.open, "shut");
  EXPECT_GT(open.residual, 1);
}

TEST(Assembly, OfNoConstraintsChangesNothing) {
  const ClosedCase c(random_description(3, {.most_bodies = 4, .massless = 0}), 3, false);
  const Assembly assembly = gyrostat::assemble(*c.mechanism, c.constraints, c.state, c.forces->free, c.forces->equals);
  EXPECT_TRUE(assembly.closed());
  EXPECT_EQ(assembly.state.q, c.state.q);
  EXPECT_EQ(assembly.state.u, c.state.u);
}

}  // namespace assemble_test
}  // namespace gyrostat::testing
