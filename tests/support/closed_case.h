// Random systems with constraints of all kinds, at a configuration where they hold, with random speeds and forces.
#pragma once

#include <memory>

#include "gyrostat/constraints/constraints.h"
#include "gyrostat/constraints/plan.h"
#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/model/flexible_nodes.h"

#include "support/bordered.h"
#include "support/closed_loops.h"
#include "support/random_dynamics.h"

namespace gyrostat::testing {

/// A coupling of some joints and wheels, and a point on a frame, as they are at the initial configuration.
inline void add_relations(System& system, Random& random) {
  std::vector<Coupling::Term> terms;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (has_quaternion(joint.type) || joint.nu == 0 || !random.chance(0.3)) continue;
    const auto k = static_cast<std::uint32_t>(random.index(joint.nu));
    terms.push_back({joint.q + k, joint.u + k, random.uniform(0.5, 2)});
  }
  for (const Wheel& wheel : system.wheels) {
    if (random.chance(0.3)) terms.push_back({wheel.q, wheel.u, random.uniform(-1, 1)});
  }
  if (!terms.empty() && random.chance(0.7)) {
    double value = 0;
    for (const Coupling::Term& term : terms) value += term.coefficient * system.initial.q[term.q];
    system.constraints.push_back({"coupled", "constraints.coupled", "coupling", Coupling{terms}, {}, {value}, 0});
  }
  const auto a = static_cast<std::uint32_t>(random.index(system.bodies.size())),
             b = static_cast<std::uint32_t>(random.index(system.bodies.size()));
  if (a != b && random.chance(0.5)) {
    PointOnFrame point{system.bodies[a].origin_node, system.bodies[b].origin_node, {}};
    const std::size_t count = random.between(1, 3);
    const std::vector<Pose> X_N = body_poses(system, system.initial.q);
    const Vector3 p = X_N[a].R.transpose() * (X_N[b].p - X_N[a].p);
    std::vector<double> equals;
    for (std::size_t k = 0; k < count; ++k) {
      point.directions.push_back(random.vector().normalized());
      equals.push_back(point.directions.back().dot(p));
    }
    system.constraints.push_back({"rail", "constraints.rail", "point", point, {}, equals, 0});
  }
  std::uint32_t equals = 0;
  for (Constraint& constraint : system.constraints) {
    constraint.first_equal = equals;
    equals += static_cast<std::uint32_t>(constraint.equals.size());
  }
}

struct ClosedCase {
  Assembled a;
  std::unique_ptr<Mechanism> mechanism;
  Constraints constraints;
  State state;
  std::unique_ptr<Forces<double>> forces;
  std::unique_ptr<Kinematics<double>> kinematics;
  Closures<double> closures;

  ClosedCase(Description d, std::uint64_t seed, bool relations) : a(assemble(std::move(d))) {
    Random random(seed ^ 0xc105ed);
    if (relations) add_relations(a.system, random);
    mechanism = std::make_unique<Mechanism>(a.system);
    constraints = make_constraints(*mechanism);
    state = a.system.initial;
    for (double& u : state.u) u = random.uniform(-1, 1);
    forces = std::make_unique<Forces<double>>(random_forces(a.system, random));
    kinematics = std::make_unique<Kinematics<double>>(*mechanism);
    update(*mechanism, state.q.data(), state.u.data(), *kinematics);
    for (GivenValue<double>& given : forces->equals) {
      given.rate = random.uniform(-1, 1);
      given.acceleration = random.uniform(-1, 1);
    }
    closures.structure = &constraints.structure;
    closures.values = make_rows<double>(constraints);
    closures.demanded.resize(constraints.rows());
    closures.multipliers.resize(constraints.rows());
    evaluate(constraints, *mechanism, *kinematics, state.q.data(), state.u.data(), static_cast<const double*>(nullptr),
             forces->equals.data(), closures.values.rows.data());
    for (std::size_t r = 0; r < constraints.rows(); ++r) closures.demanded[r] = -closures.values.rows[r].acceleration;
  }

  explicit ClosedCase(std::uint64_t seed, const RandomModelOptions& options = {.most_bodies = 12, .massless = 0})
      : ClosedCase(with_loops(seed, random_description(seed, options)), seed, true) {}

  [[nodiscard]] const System& system() const { return a.system; }

  /// All rows, by all speeds.
  [[nodiscard]] Eigen::MatrixXd jacobian() const {
    Eigen::MatrixXd J(static_cast<Eigen::Index>(constraints.rows()), state.u.size());
    std::vector<std::uint32_t> all(constraints.rows());
    for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = r;
    find_jacobian(*mechanism, *kinematics, constraints.structure, closures.values, all, J);
    return J;
  }

  [[nodiscard]] Eigen::MatrixXd mass() const {
    CompositeBodyData composite(*mechanism);
    mass_matrix(*mechanism, *kinematics, composite);
    Eigen::MatrixXd M(state.u.size(), state.u.size());
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      for (Eigen::Index k = 0; k <= i; ++k)
        M(i, k) = M(k, i) = composite.mass_matrix.row(static_cast<std::size_t>(i))[k];
    }
    return M;
  }

  using Solution = BorderedSolution;

  [[nodiscard]] ClosureChoice choice() const {
    return choose_rows(*mechanism, *kinematics, forces->free, constraints.structure, closures.values);
  }

  /// The bordered system of the free speeds. Rows have the scales that their pivots are measured by.
  [[nodiscard]] Solution dense() const {
    Eigen::VectorXd given = Eigen::VectorXd::Zero(state.u.size()), needed(state.u.size());
    std::vector<Eigen::Index> free;
    for (Eigen::Index k = 0; k < given.size(); ++k) {
      if (forces->free[static_cast<std::size_t>(k)]) free.push_back(k);
      if (!forces->free[static_cast<std::size_t>(k)]) given[k] = forces->udot[static_cast<std::size_t>(k)];
    }
    InverseDynamics<double> inverse(*mechanism);
    inverse_dynamics(*mechanism, state.q.data(), state.u.data(), given.data(), *forces, inverse, needed.data());
    const Eigen::MatrixXd J = jacobian(), M = mass();
    const auto n = static_cast<Eigen::Index>(free.size()), m = J.rows();
    if (n == 0 || m == 0) return {given, {}, 0, 0};
    Bordered bordered{LongMatrix(n, n), LongMatrix(m, n), LongVector(n), LongVector(m), choice().scale};
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index k = free[static_cast<std::size_t>(i)];
      bordered.forces[i] = static_cast<long double>(forces->tau[static_cast<std::size_t>(k)]) - needed[k];
      for (Eigen::Index j = 0; j < n; ++j) bordered.M(i, j) = M(k, free[static_cast<std::size_t>(j)]);
      bordered.J.col(i) = J.col(k).cast<long double>();
    }
    for (Eigen::Index r = 0; r < m; ++r) bordered.demanded[r] = closures.demanded[static_cast<std::size_t>(r)];
    bordered.demanded -= (J * given).cast<long double>();
    Solution s = solution(bordered);
    for (Eigen::Index i = 0; i < n; ++i) given[free[static_cast<std::size_t>(i)]] = s.udot[i];
    s.udot = given;
    return s;
  }
};

/// Loops that go through the nodes of flexible bodies. They are closed where nothing is deformed; then all modal
/// coordinates are up to `bent`.
inline ClosedCase flexible_closed_case(std::uint64_t seed, double bent) {
  Description d = random_description(seed, {.most_bodies = 6, .massless = 0, .flexible = 0.6});
  for (BodyDescription& body : d.bodies) {
    if (body.flexible) body.flexible->position.clear();
  }
  Problems problems;
  add_base(d, problems);
  add_flexible_nodes(d, problems);
  ClosedCase c(with_loops(seed, std::move(d)), seed, true);
  Random random(seed);
  for (const FlexibleBody& body : c.system().flexible) {
    for (std::uint32_t k = 0; k < body.data.modes(); ++k) c.state.q[body.q + k] = random.uniform(-bent, bent);
  }
  update(*c.mechanism, c.state.q.data(), c.state.u.data(), *c.kinematics);
  evaluate(c.constraints, *c.mechanism, *c.kinematics, c.state.q.data(), c.state.u.data(),
           static_cast<const double*>(nullptr), c.forces->equals.data(), c.closures.values.rows.data());
  for (std::size_t r = 0; r < c.constraints.rows(); ++r)
    c.closures.demanded[r] = -c.closures.values.rows[r].acceleration;
  return c;
}

}  // namespace gyrostat::testing
