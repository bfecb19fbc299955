// Rows of constraints against derivatives of their residuals along random motions, by dual numbers.
#include "gyrostat/constraints/constraints.h"

#include <map>
#include <memory>
#include <set>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "gyrostat/dynamics/conserved.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/math/dual.h"
#include "gyrostat/model/determinacy.h"

#include "support/closed_loops.h"
#include "support/load.h"

namespace gyrostat::testing {
namespace {

using Row = ConstraintRow<double>;

/// Couples the coordinates of two joints that have one each, as they stand.
void add_gear(Description& d, Random& random) {
  std::vector<const JointDescription*> single;
  for (const JointDescription& j : d.joints) {
    if (!j.cut && !is_loop_constraint(j.type) && j.position.size() == 1) single.push_back(&j);
  }
  if (single.size() < 2) return;
  JointDescription gear;
  gear.name = "mesh";
  gear.type = JointType::gear;
  gear.geared = {single[0]->name, single[1]->name};
  gear.ratio = random.uniform(0.5, 2);
  gear.offset = single[1]->position[0] - gear.ratio * single[0]->position[0];
  d.joints.push_back(gear);
}

struct Case {
  Assembled a;
  std::unique_ptr<Mechanism> mechanism;
  Constraints constraints;

  explicit Case(Description description) : a(assemble(std::move(description))) {
    EXPECT_EQ(a.problems.errors(), 0U) << text_of(a.problems);
    mechanism = std::make_unique<Mechanism>(a.system);
    constraints = make_constraints(*mechanism);
  }
  explicit Case(std::uint64_t seed, const RandomModelOptions& options = {.most_bodies = 6})
      : Case(model(seed, options)) {}

  static Description model(std::uint64_t seed, const RandomModelOptions& options) {
    Description d = with_loops(seed, random_description(seed, options));
    Random random(seed ^ 0x9ea2);
    add_gear(d, random);
    return d;
  }

  [[nodiscard]] const System& system() const { return a.system; }

  /// Rows at speeds' derivatives `udot`, or at none.
  template <class T>
  [[nodiscard]] std::vector<ConstraintRow<T>> rows(const std::vector<T>& q, const std::vector<T>& u,
                                                   const std::vector<T>& udot = {}) const {
    Kinematics<T> kinematics(*mechanism);
    std::vector<T> given = udot.empty() ? std::vector<T>(u.size(), T(0.0)) : udot;
    outward<T, true>(*mechanism, q.data(), u.data(), given.data(), kinematics);
    std::vector<ConstraintRow<T>> list(constraints.rows());
    evaluate(constraints, *mechanism, kinematics, q.data(), u.data(), udot.empty() ? nullptr : udot.data(),
             Forces<T>(system()).equals.data(), list.data());
    return list;
  }

  /// J u by the bodies' velocities at their base points.
  [[nodiscard]] std::vector<double> times(const std::vector<Row>& list, const std::vector<double>& q,
                                          const std::vector<double>& u) const {
    Kinematics<double> kinematics(*mechanism);
    outward<double, false>(*mechanism, q.data(), u.data(), nullptr, kinematics);
    std::vector<BasePoint<double>> points;
    find_base_points(*mechanism, kinematics, u.data(), points);
    std::vector<double> product;
    for (std::size_t r = 0; r < list.size(); ++r) {
      double sum = 0;
      for (std::size_t k = 0; k < 2; ++k) {
        const std::uint32_t body = constraints.structure.bodies[r][k];
        sum += dot(list[r].on_bodies[k].torque, kinematics.bodies[body].w);
        if (body != 0) sum += dot(list[r].on_bodies[k].force, points[body].v);
      }
      const std::vector<double> coefficients = make_rows<double>(constraints).coefficients;
      for (std::size_t k = 0; k < coefficients.size(); ++k) {
        if (constraints.structure.terms[k].row == r) sum += coefficients[k] * u[constraints.structure.terms[k].u];
      }
      product.push_back(sum);
    }
    return product;
  }
};

std::vector<double> random_list(Random& random, std::size_t size) {
  std::vector<double> list(size);
  for (double& x : list) x = random.uniform(-2, 2);
  return list;
}

std::vector<double> list_of(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

/// A configuration that need not satisfy the constraints.
std::vector<double> random_coordinates(Random& random, const System& system) {
  std::vector<double> q = random_list(random, static_cast<std::size_t>(system.initial.q.size()));
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type)) continue;
    const Eigen::Vector4d e = random.quaternion();
    std::copy(e.begin(), e.end(), q.begin() + joint.q + (joint.type == JointType::free ? 3 : 0));
  }
  return q;
}

using Moving = Dual<8>;  // its first derivative is that by time

std::vector<Moving> moving(const std::vector<double>& values, const std::vector<double>& rates) {
  std::vector<Moving> list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    list.emplace_back(values[i]);
    list.back().d[0] = rates[i];
  }
  return list;
}

template <class Check>
void for_random_cases(std::uint64_t seeds, Check check) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Case c(seed);
    check(c, Random(seed ^ 0xc105ed));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Constraints, HaveAsManyRowsAsTheJointLocksForEveryTypeInBothDirections) {
  std::map<std::pair<JointType, bool>, int> seen;
  int gears = 0, distances = 0, held = 0;
  for_random_cases(600, [&](const Case& c, Random) {
    for (std::size_t k = 0; k < c.system().constraints.size(); ++k) {
      const Constraint& one = c.system().constraints[k];
      const std::uint32_t rows = c.constraints.first_row[k + 1] - c.constraints.first_row[k];
      if (const auto* cut = std::get_if<CutJoint>(&one.kind)) {
        const bool moves = cut->joint.motion == Motion::free;
        EXPECT_EQ(rows, moves ? 6U - cut->joint.nu : 6U);
        const auto [parent, child] = bodies_of(c.system(), one);
        ++seen[{cut->joint.type, parent > child}];
        held += !moves;
      } else {
        EXPECT_EQ(rows, 1U);
        gears += std::holds_alternative<Coupling>(one.kind);
        distances += std::holds_alternative<Distance>(one.kind);
      }
    }
  });
  EXPECT_EQ(seen.size(), 22U);
  for (const int count : {gears, distances, held}) EXPECT_GT(count, 20);
}

TEST(Constraints, HoldWhereTheLoopsAreClosed) {
  for_random_cases(400, [](const Case& c, Random random) {
    const std::vector<double> q = list_of(c.system().initial.q);
    for (const Row& row : c.rows(q, random_list(random, c.mechanism->nu))) EXPECT_NEAR(row.residual, 0, 1e-12);
  });
}

TEST(Constraints, RateIsTheDerivativeOfTheResidual) {
  for_random_cases(400, [](const Case& c, Random random) {
    for (const bool closed : {true, false}) {
      const std::vector<double> q = closed ? list_of(c.system().initial.q) : random_coordinates(random, c.system());
      const std::vector<double> u = random_list(random, c.mechanism->nu);
      std::vector<double> qdot(q.size());
      coordinate_rates(c.system(), q.data(), u.data(), qdot.data());
      for (const auto& row : c.rows(moving(q, qdot), moving(u, std::vector<double>(u.size())))) {
        EXPECT_NEAR(row.rate.value, row.residual.d[0], 1e-11 * (1 + std::abs(row.rate.value)));
      }
    }
  });
}

TEST(Constraints, AccelerationIsTheSecondDerivativeOfTheResidual) {
  for_random_cases(400, [](const Case& c, Random random) {
    for (const bool closed : {true, false}) {
      const std::vector<double> q = closed ? list_of(c.system().initial.q) : random_coordinates(random, c.system());
      const std::vector<double> u = random_list(random, c.mechanism->nu), udot = random_list(random, c.mechanism->nu);
      std::vector<double> qdot(q.size());
      coordinate_rates(c.system(), q.data(), u.data(), qdot.data());
      const std::vector<double> zero(u.size());
      for (const auto& row : c.rows(moving(q, qdot), moving(u, udot), moving(udot, zero))) {
        EXPECT_NEAR(row.acceleration.value, row.rate.d[0], 1e-11 * (1 + std::abs(row.acceleration.value)));
      }
    }
  });
}

TEST(Constraints, WrenchesAndCoefficientsAreTheJacobian) {
  for_random_cases(400, [](const Case& c, Random random) {
    const std::vector<double> q = random_coordinates(random, c.system());
    const std::vector<double> u = random_list(random, c.mechanism->nu), udot = random_list(random, c.mechanism->nu);
    const std::vector<Row> bias = c.rows(q, u), all = c.rows(q, u, udot);
    const std::vector<double> Ju = c.times(bias, q, u), Judot = c.times(bias, q, udot);
    for (std::size_t r = 0; r < bias.size(); ++r) {
      EXPECT_NEAR(bias[r].rate, Ju[r], 1e-11 * (1 + std::abs(Ju[r])));
      EXPECT_NEAR(all[r].acceleration - bias[r].acceleration, Judot[r], 1e-10 * (1 + std::abs(all[r].acceleration)));
    }
  });
}

TEST(Constraints, ExertOppositeWrenchesAtOnePoint) {
  for_random_cases(200, [](const Case& c, Random random) {
    const std::vector<double> q = random_coordinates(random, c.system()), u = random_list(random, c.mechanism->nu);
    const std::vector<Row> rows = c.rows(q, u);
    Kinematics<double> kinematics(*c.mechanism);
    outward<double, false>(*c.mechanism, q.data(), u.data(), nullptr, kinematics);
    std::vector<BasePoint<double>> points;
    find_base_points(*c.mechanism, kinematics, u.data(), points);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Vec3<double> force{}, torque{};
      for (std::size_t k = 0; k < 2; ++k) {
        const Wrench<double>& w = rows[r].on_bodies[k];
        force += w.force;
        torque += w.torque + cross(points[c.constraints.structure.bodies[r][k]].p, w.force);
      }
      EXPECT_LT(to_eigen(force).norm() + to_eigen(torque).norm(), 1e-12);
    }
  });
}

TEST(Constraints, LeaveAsManyMotionsAsDeterminacyCounts) {
  // Without any mass, every motion that the constraints allow leaves all mass at rest.
  std::size_t compared = 0, constrained = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Description d = Case::model(seed, {.most_bodies = 6, .special = seed % 2 == 0});
    for (BodyDescription& body : d.bodies) {
      body.mass = 0;
      body.inertia.setZero();
      body.wheels.clear();
    }
    const Case c(std::move(d));
    const std::vector<double> q = list_of(c.system().initial.q);
    std::vector<std::size_t> free;
    for (std::size_t i = 1; i < c.system().joints.size(); ++i) {
      const Joint& joint = c.system().joints[i];
      for (std::size_t k = 0; joint.motion == Motion::free && k < joint.nu; ++k) free.push_back(joint.u + k);
    }
    if (free.empty() || c.constraints.rows() == 0) continue;
    Eigen::MatrixXd J(c.constraints.rows(), free.size());
    for (std::size_t k = 0; k < free.size(); ++k) {
      std::vector<double> u(c.mechanism->nu, 0);
      u[free[k]] = 1;
      const std::vector<Row> rows = c.rows(q, u);
      for (std::size_t r = 0; r < rows.size(); ++r)
        J(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k)) = rows[r].rate;
    }
    const Eigen::VectorXd values = J.colPivHouseholderQr().matrixQR().diagonal().cwiseAbs();
    const auto in = [&](double low, double high) {
      return ((values.array() > low) && (values.array() < high)).count();
    };
    if (in(1e-10, 1e-5) > 0) continue;  // no clear rank
    ++compared;
    constrained += in(1e-5, 1e9) > 0;
    EXPECT_EQ(find_massless_motions(c.system()).count, free.size() - static_cast<std::size_t>(in(1e-5, 1e9)));
  }
  EXPECT_GT(compared, 300U);
  EXPECT_GT(constrained, 200U);
}

TEST(Constraints, LoseNoDigitsFarFromTheWorldsOrigin) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Description d = random_description(seed, {.least_bodies = 3, .most_bodies = 6, .implicit_base = 1});
    const Case near(with_loops(seed, d));
    bool to_world = false;
    for (const auto& at : near.constraints.structure.bodies) to_world = to_world || at[0] * at[1] == 0;
    if (to_world || near.system().joints[1].type != JointType::free) continue;
    const std::vector<double> q = list_of(near.system().initial.q);
    std::vector<double> far = q;
    for (std::size_t k = 0; k < 3; ++k) far[near.system().joints[1].q + k] += 7e6;
    const std::vector<double> u(near.mechanism->nu, 0.1);
    const std::vector<Row> a = near.rows(q, u), b = near.rows(far, u);
    for (std::size_t r = 0; r < a.size(); ++r, ++compared) {
      EXPECT_EQ(a[r].residual, b[r].residual);
      EXPECT_EQ(a[r].rate, b[r].rate);
    }
  }
  EXPECT_GT(compared, 50U);
}

TEST(Constraints, AreTheSameInEveryLaneOfAPack) {
  for_random_cases(50, [](const Case& c, Random random) {
    std::vector<std::vector<double>> q, u;
    using Lanes = Pack<4>;
    std::vector<Lanes> packed_q(c.mechanism->nq), packed_u(c.mechanism->nu);
    for (std::size_t lane = 0; lane < Lanes::lanes; ++lane) {
      q.push_back(random_coordinates(random, c.system()));
      u.push_back(random_list(random, c.mechanism->nu));
      for (std::size_t k = 0; k < q[lane].size(); ++k) packed_q[k][lane] = q[lane][k];
      for (std::size_t k = 0; k < u[lane].size(); ++k) packed_u[k][lane] = u[lane][k];
    }
    const auto packed = c.rows(packed_q, packed_u);
    for (std::size_t lane = 0; lane < Lanes::lanes; ++lane) {
      const std::vector<Row> rows = c.rows(q[lane], u[lane]);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        EXPECT_NEAR(packed[r].residual[lane], rows[r].residual, 1e-13);
        EXPECT_NEAR(packed[r].rate[lane], rows[r].rate, 1e-12 * (1 + std::abs(rows[r].rate)));
        EXPECT_NEAR(packed[r].acceleration[lane], rows[r].acceleration, 1e-11 * (1 + std::abs(rows[r].acceleration)));
      }
    }
  });
}

/// For assembly, a wrench of a row that does not hold acts where the points are to meet: on the parent at its own
/// point, however far the child's is from it.
TEST(ConstraintRows, ExertForcesWherePointsAreToMeetIfFrozen) {
  const Loaded loaded = load(R"yaml(
gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  pin: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  fly: {type: free, parent: world, child: b, initial: {position: [2, 3, 5]}}
  ball: {type: spherical, parent: a, child: b, parent_point: [1, 0, 0], cut: true}
simulation: {duration: 1}
)yaml");
  ASSERT_TRUE(loaded.model) << text_of(loaded.problems);
  const System& system = loaded.model->system;
  const Mechanism mechanism(system);
  const Constraints constraints = make_constraints(mechanism);
  const State& state = system.initial;
  Kinematics<double> kinematics(mechanism);
  const std::vector<double> none(mechanism.nu);
  outward<double, true>(mechanism, state.q.data(), state.u.data(), none.data(), kinematics);
  for (const bool frozen : {false, true}) {
    std::vector<Row> rows(constraints.rows());
    evaluate<double>(constraints, mechanism, kinematics, state.q.data(), state.u.data(), nullptr,
                     Forces<double>(system).equals.data(), rows.data(), frozen);
    ASSERT_EQ(rows.size(), 3U);
    for (const Row& row : rows) {
      const Vec3<double>&torque = row.on_bodies[0].torque, &force = row.on_bodies[0].force;  // of a, at the origin
      const Vec3<double> meets = cross(frozen ? Vec3<double>{1, 0, 0} : Vec3<double>{2, 3, 5}, force);
      EXPECT_LT(dot(torque - meets, torque - meets), 1e-28) << frozen;
      EXPECT_NEAR(dot(force, force), 1, 1e-14);
    }
  }
}

/// The same with values: a joint that is locked away from zero, and a point that is to be at a place.
TEST(ConstraintRows, ExertForcesWherePointsAreToBeIfFrozen) {
  struct Held {
    const char* text;
    Vec3<double> meets;  // axes of a, from its origin
  };
  const Held held[] = {
      {"  lock: {type: prismatic, parent: a, child: b, parent_point: [1, 0, 0], axis: [0, 1, 0], initial: "
       "{displacement: 0.5}, locked: true, cut: true}\n",
       {1, 0.5, 0}},
      {"constraints: {rail: {point: [b, [0, 0, 0]], of: a, directions: [[0, 1, 0], [0, 0, 1]], equals: [0.1, 0.2]}}\n",
       {2, 0.1, 0.2}}};
  for (const Held& h : held) {
    const Loaded loaded = load(std::string(R"yaml(
gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  pin: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  fly: {type: free, parent: world, child: b, initial: {position: [2, 3, 5]}}
)yaml") + h.text + "simulation: {duration: 1}\n");
    ASSERT_TRUE(loaded.model) << text_of(loaded.problems);
    const System& system = loaded.model->system;
    const Mechanism mechanism(system);
    const Constraints constraints = make_constraints(mechanism);
    const State& state = system.initial;
    Kinematics<double> kinematics(mechanism);
    const std::vector<double> none(mechanism.nu);
    outward<double, true>(mechanism, state.q.data(), state.u.data(), none.data(), kinematics);
    std::vector<Row> rows(constraints.rows());
    evaluate<double>(constraints, mechanism, kinematics, state.q.data(), state.u.data(), nullptr,
                     Forces<double>(system).equals.data(), rows.data(), true);
    int forces = 0;
    for (const Row& row : rows) {
      const Vec3<double>&torque = row.on_bodies[0].torque, &force = row.on_bodies[0].force;
      if (!(dot(force, force) > 0.5)) continue;  // of a rotation
      const Vec3<double> meets = cross(h.meets, force);
      EXPECT_LT(dot(torque - meets, torque - meets), 1e-28);
      ++forces;
    }
    EXPECT_EQ(forces, rows.size() == 6 ? 3 : 2);
  }
}

TEST(Constraints, KnowWhichGivenValueIsThatOfEachRow) {
  const Loaded loaded = load(R"yaml(
gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  pin: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  fly: {type: free, parent: world, child: b}
  ball: {type: spherical, parent: a, child: b, cut: true}
constraints:
  rail: {point: [b, [1, 0, 0]], of: a, directions: [[1, 0, 0], [0, 1, 0]], equals: [1, 0]}
  rope: {distance: {from: [world, [0, 0, 2]], to: [b, [0, 1, 0]]}, equals: 2}
simulation: {duration: 1}
)yaml");
  ASSERT_TRUE(loaded.model) << text_of(loaded.problems);
  const Mechanism mechanism(loaded.model->system);
  const Constraints constraints = make_constraints(mechanism);
  const std::uint32_t none = no_equal;
  EXPECT_EQ(constraints.equal_of, (std::vector<std::uint32_t>{none, none, none, 0, 1, 2}));
}

TEST(Constraints, HaveTheSameNumbersAsConstantsOfAnotherScalar) {
  std::size_t compared = 0;
  for_random_cases(30, [&](const Case& c, Random) {
    Constraints own = c.constraints;
    auto other = c.constraints.as<Pack<4>>();
    const std::vector<double*> numbers = own.numbers();
    const std::vector<Pack<4>*> packed = other.numbers();
    ASSERT_EQ(packed.size(), numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k, ++compared) {
      for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_EQ((*packed[k])[lane], *numbers[k]);
    }
  });
  EXPECT_GT(compared, 500U);
}

TEST(Constraints, HaveEachOfTheirNumbersOnce) {
  for_random_cases(30, [](const Case& c, Random) {
    Constraints copy = c.constraints;
    const std::vector<double*> numbers = copy.numbers();
    EXPECT_EQ(std::set<double*>(numbers.begin(), numbers.end()).size(), numbers.size());
  });
}

}  // namespace
}  // namespace gyrostat::testing
