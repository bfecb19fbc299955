#include "gyrostat/dynamics/absolute.h"

#include <limits>

#include <Eigen/Cholesky>
#include <fmt/format.h>

namespace gyrostat {

namespace {

constexpr Eigen::Index most_absolute_speeds = 10000;
constexpr std::size_t most_absolute_pairs = 20'000'000;  // of equations on one body: elements of the matrix
constexpr std::size_t most_absolute_flexible = 3000;
constexpr std::size_t most_absolute_constraints = 3000;  // rows, each compared with all

}  // namespace

std::string too_many_constraints(const System& system) {
  const AbsoluteConstraints constraints(system);
  const std::size_t rows = constraints.closure_rows + constraints.couplings.size();
  if (rows <= most_absolute_constraints) return {};
  return fmt::format("{} equations of loops and constraints are more than the {} whose independence it can find", rows,
                     most_absolute_constraints);
}

std::string outside_domain_of_absolute(const System& system, const DynamicsSettings& /*settings*/) {
  if (system.initial.u.size() > most_absolute_speeds) {
    return fmt::format("{} speeds are more than the {} for which its matrices are kept; use articulated_body",
                       system.initial.u.size(), most_absolute_speeds);
  }
  std::size_t pairs = 0;
  std::vector<std::size_t> acting(system.bodies.size(), 0);
  const auto is_node = [&](std::size_t i) { return system.bodies[i].node != Body::none; };
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    if (is_node(i)) continue;
    const std::size_t inboard = system.parent[i];
    acting[i] += 6;
    acting[is_node(inboard) ? system.parent[inboard] : inboard] += 6;
  }
  for (std::size_t i = 1; i < acting.size(); ++i) pairs += acting[i] * acting[i] / 2;
  if (pairs > most_absolute_pairs) {
    return fmt::format(
        "its matrix has {} elements, more than the {} that are kept: too many joints on one body; use articulated_body",
        pairs, most_absolute_pairs);
  }
  std::size_t coordinates = 6 * count_bodies(system);
  for (const FlexibleBody& body : system.flexible) coordinates += body.data.modes();
  if (!system.flexible.empty() && coordinates > most_absolute_flexible) {
    return fmt::format(
        "with flexible bodies its matrix is dense, and {} coordinates are more than the {} that are "
        "kept; use articulated_body",
        coordinates, most_absolute_flexible);
  }
  return too_many_constraints(system);
}

namespace {

void size_workspace(AbsoluteData& data) {
  const AbsolutePlan& plan = data.plan;
  data.D.assign(plan.D_size, 0);
  data.masses.assign(plan.matrix_size, 0);
  std::uint32_t widest = 0;
  for (const AbsoluteBlock& block : plan.blocks) widest = std::max(widest, block.end_column - block.first_column);
  data.Y.setZero(plan.largest_block, widest);
  for (Eigen::VectorXd* x : {&data.f, &data.h}) x->setZero(plan.coordinates);
  for (Eigen::VectorXd* x : {&data.gamma, &data.lambda, &data.step}) {
    x->setZero(static_cast<Eigen::Index>(plan.equations.size()));
  }
}

}  // namespace

AbsoluteData::AbsoluteData(const Absolute& constants)
    : state(constants.model),
      rows(constants.joint_rows() + constants.constraints.closure_rows),
      rank(constants.model, constants.constraints),
      plan(constants, constants.as_built) {
  size_workspace(*this);
}

Vector6 body_force(const Absolute& constants, const AbsoluteState& state, std::uint32_t i, const double* u,
                   const Forces<double>& forces) {
  const AbsoluteBody& body = constants.model.bodies[i];
  const AbsoluteMotion& motion = state.bodies[i];
  const Vector3 force = to_eigen(forces.wrench[i].force);
  Vector3 torque =
      motion.A.transpose() * to_eigen(forces.wrench[i].torque) + body.base.cross(motion.A.transpose() * force);
  if (body.gyroscopic && body.flexible == AbsoluteBody::none) {
    const Vector3 w = motion.A.transpose() * motion.w;
    Vector3 momentum = body.inertia * w;
    for (std::uint32_t k = body.wheel; k < body.wheel + body.wheels; ++k) {
      const Wheel& wheel = constants.model.wheels[k];
      momentum += wheel.inertia * (u[wheel.u] + wheel.axis.dot(w)) * wheel.axis;
    }
    torque -= w.cross(momentum);  // (7)
  }
  Vector6 all;
  all << force, torque;
  return all;
}

namespace {

/// x: the coordinates of the carrier of body i. Adds what a wrench on the body does to them.                   (26)
void add_wrench(const AbsoluteModel& model, const AbsoluteState& state, std::uint32_t i, const Vector6& wrench,
                double* x) {
  const std::uint32_t node = model.bodies[i].node;
  if (node == AbsoluteBody::none) {
    Eigen::Map<Vector6> all(x);
    all += wrench;
    return;
  }
  const Eigen::MatrixXd& B = state.nodes[node].B;
  for (Eigen::Index k = 0; k < B.cols(); ++k) x[k] += B.col(k).dot(wrench);
}

/// The product of a wrench on body i and its acceleration, but for what nodes have without h'.
double along(const AbsoluteData& data, const AbsoluteModel& model, std::uint32_t i, const Vector6& wrench) {
  const double* h = data.h.data() + data.plan.x[model.carrier(i)];
  const std::uint32_t node = model.bodies[i].node;
  if (node == AbsoluteBody::none) return wrench.dot(Eigen::Map<const Vector6>(h));
  const Eigen::MatrixXd& B = data.state.nodes[node].B;
  double sum = 0;
  for (Eigen::Index k = 0; k < B.cols(); ++k) sum += h[k] * B.col(k).dot(wrench);
  return sum;
}

/// A torque of unit size about the axis of a wheel, taken from its body.
Vector6 about_axis(const Wheel& wheel) {
  Vector6 wrench;
  wrench << Vector3::Zero(), wheel.axis;
  return wrench;
}

/// What the body of a wheel has of angular acceleration about the wheel's axis without h': a node of a flexible body.
double turning_of_node(const AbsoluteState& state, const AbsoluteModel& model, std::uint32_t wheel) {
  const std::uint32_t node = model.bodies[model.wheels[wheel].body].node;
  return node == AbsoluteBody::none ? 0 : state.nodes[node].b.tail<3>().dot(model.wheels[wheel].axis);
}

/// Forces on all coordinates: on bodies, and tau of joints, modes and wheels.
void find_forces(const Absolute& constants, const double* u, const Forces<double>& forces, AbsoluteData& data) {
  const AbsoluteModel& model = constants.model;
  data.f.setZero();
  const auto apply = [&](std::uint32_t i, const Vector6& wrench) {
    add_wrench(model, data.state, i, wrench, data.f.data() + data.plan.x[model.carrier(i)]);
  };
  for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
    const AbsoluteBody& body = model.bodies[i];
    apply(i, body_force(constants, data.state, i, u, forces));
    for (std::uint32_t k = 0; k < body.wheels; ++k) {
      const Wheel& wheel = model.wheels[body.wheel + k];
      data.f[data.plan.x[i] + body.own + k] = forces.tau[wheel.u];  // (8)
      apply(i, -forces.tau[wheel.u] * about_axis(wheel));           // (8)
    }
  }
  for (std::size_t k = 0; k < model.flexible.size(); ++k) {
    const AbsoluteFlexible& body = model.flexible[k];
    const std::uint32_t x = data.plan.x[body.body];
    data.f.segment(x, 6 + body.modes()) += data.state.flexible[k].force;  // (22)
    for (std::uint32_t a = 0; a < body.modes(); ++a) data.f[x + 6 + a] += forces.tau[body.u + a];
  }
  for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
    const AbsoluteJoint& joint = model.joints[i];
    for (std::uint32_t k = 0; k < joint.speeds(); ++k) {
      const double tau = forces.tau[joint.u + k];
      if (tau == 0) continue;
      const AbsoluteRow& row = data.rows[6 * i + k];
      if (joint.P != 0) apply(joint.P, tau * row.on[0]);  // (12)
      if (joint.C != 0) apply(joint.C, tau * row.on[1]);
    }
  }
}

/// Adds a part of an equation; `at(side)`: where to, or nullptr.
template <class At>
void add_part(const AbsoluteModel& model, const AbsoluteData& data, const AbsolutePart& part, At at) {
  if (!part.of_wheel) {
    for (const std::size_t side : {0U, 1U}) {
      if (part.body[side] == 0) continue;
      add_wrench(model, data.state, part.body[side], part.coefficient * data.rows[part.number].on[side], at(side));
    }
    return;
  }
  *at(1) += part.coefficient;
  const Vector6 wrench = -part.coefficient * about_axis(model.wheels[part.number]);  // (8)
  add_wrench(model, data.state, part.body[0], wrench, at(0));
}

/// The equations of constraint: D and gamma.
void fill_equations(const Absolute& constants, const Forces<double>& forces, AbsoluteData& data) {
  const AbsolutePlan& plan = data.plan;
  std::fill(data.D.begin(), data.D.end(), 0.0);
  for (std::uint32_t e = 0; e < plan.equations.size(); ++e) {
    const AbsoluteEquation& equation = plan.equations[e];
    double& gamma = data.gamma[e];
    gamma = equation.given == AbsoluteEquation::Given::speed   ? forces.udot[equation.index]
            : equation.given == AbsoluteEquation::Given::value ? forces.equals[equation.index].acceleration
                                                               : 0;
    const bool kept = data.is_kept(equation, e);
    for (std::uint32_t p = equation.first; p < equation.end; ++p) {
      const AbsolutePart& part = plan.parts[p];
      gamma += part.coefficient * (part.of_wheel ? turning_of_node(data.state, constants.model, part.number)
                                                 : data.rows[part.number].gamma);
      if (kept) add_part(constants.model, data, part, [&](std::size_t side) { return &data.D[part.place[side]]; });
    }
  }
}

using Columns = Eigen::Map<Eigen::MatrixXd>;
using ConstColumns = Eigen::Map<const Eigen::MatrixXd>;

Columns columns_of(std::vector<double>& D, const AbsoluteBlock& block) {
  return {D.data() + block.D, block.size, block.end_column - block.first_column};
}
ConstColumns columns_of(const std::vector<double>& D, const AbsoluteBlock& block) {
  return {D.data() + block.D, block.size, block.end_column - block.first_column};
}

/// The mass matrix of a block that has flexible bodies, or bodies without mass or inertia in some direction, with what
/// their constraints stand in for; and the forces that go with it. False if it is still singular.
bool factor_masses(const Absolute& constants, const AbsoluteBlock& block, AbsoluteData& data) {
  const AbsolutePlan& plan = data.plan;
  Columns M(data.masses.data() + block.matrix, block.size, block.size);
  M.setZero();
  Eigen::VectorXd::SegmentReturnType f = data.f.segment(block.x, block.size);
  for (std::uint32_t b = block.first_body; b < block.end_body; ++b) {
    const AbsoluteBody& body = constants.model.bodies[plan.block_bodies[b]];
    const std::uint32_t x = plan.x[plan.block_bodies[b]] - block.x;
    if (body.flexible != AbsoluteBody::none) {
      M.block(x, x, body.own, body.own) = data.state.flexible[body.flexible].M;  // (21)
    } else if (body.own > 0) {
      M.diagonal().segment<3>(x).setConstant(body.mass);
      M.block<3, 3>(x + 3, x + 3) = body.inertia;
    }
    for (std::uint32_t k = 0; k < body.wheels; ++k) {
      M(x + body.own + k, x + body.own + k) = constants.model.wheels[body.wheel + k].inertia;
    }
  }
  const Columns D = columns_of(data.D, block);
  for (std::uint32_t c = block.first_column; c < block.end_column; ++c) {
    if (!plan.equations[plan.columns[c]].stiff) continue;
    const auto d = D.col(c - block.first_column);
    double size = 0;  // of the row's inverse mass, were every body as heavy as the heaviest
    for (std::uint32_t b = block.first_body; b < block.end_body; ++b) {
      const std::uint32_t x = plan.x[plan.block_bodies[b]] - block.x,
                          own = constants.model.bodies[plan.block_bodies[b]].own;
      if (own == 0) continue;
      size += d.segment<3>(x).squaredNorm() / constants.mass_scale;
      size += d.segment<3>(x + 3).squaredNorm() / constants.inertia_scale;
      size += d.segment(x + 6, own - 6).squaredNorm();  // modal masses are 1
    }
    if (size == 0) continue;
    M.noalias() += d * (d.transpose() / size);    // (16)
    f += data.gamma[plan.columns[c]] / size * d;  // (16)
  }
  Eigen::Ref<Eigen::MatrixXd> in_place(M);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factored(in_place);
  return factored.info() == Eigen::Success;
}

/// x becomes M^-1 x in a block.
template <class Matrix>
void divide(const Absolute& constants, const AbsolutePlan& plan, const std::vector<double>& masses,
            const AbsoluteBlock& block, Matrix&& x) {
  if (block.dense) {
    const ConstColumns L(masses.data() + block.matrix, block.size, block.size);
    L.triangularView<Eigen::Lower>().solveInPlace(x);
    L.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
    return;
  }
  const std::uint32_t i = plan.block_bodies[block.first_body];
  const AbsoluteBody& body = constants.model.bodies[i];
  const Matrix3& inverse = constants.inertia_inverse[i];
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    auto column = x.col(c);
    column.template head<3>() /= body.mass;
    column.template segment<3>(3) = (inverse * column.template segment<3>(3)).eval();
    for (std::uint32_t k = 0; k < body.wheels; ++k) column[6 + k] /= constants.model.wheels[body.wheel + k].inertia;
  }
}

/// (15): the matrix of the multipliers, block by block. False if a mass matrix is singular.
bool assemble_multipliers(const Absolute& constants, AbsoluteData& data) {
  AbsolutePlan& plan = data.plan;
  std::vector<double>& S = plan.factors.values();
  std::fill(S.begin(), S.end(), 0.0);
  for (const AbsoluteBlock& block : plan.blocks) {
    if (block.dense && !factor_masses(constants, block, data)) return false;
    const Columns D = columns_of(data.D, block);
    auto Y = data.Y.topLeftCorner(D.rows(), D.cols());
    Y = D;
    divide(constants, plan, data.masses, block, Y);
    const std::uint32_t* slot = plan.slots.data() + block.slots;
    for (Eigen::Index k = 0; k < D.cols(); ++k) {
      for (Eigen::Index j = 0; j <= k; ++j) S[*slot++] += D.col(j).dot(Y.col(k));  // (15)
    }
  }
  for (std::uint32_t e = plan.first_constraint; e < plan.equations.size(); ++e) {
    if (!data.is_kept(plan.equations[e], e)) S[plan.factors.slot(e, e)] = 1;
  }
  return true;
}

/// The largest error of the equations that were left out because others imply them. The forces f are used up: their
/// place is taken by one equation after another.
void check_redundant(const Absolute& constants, AbsoluteData& data) {
  const AbsolutePlan& plan = data.plan;
  data.inconsistency = 0;
  for (std::uint32_t e = plan.first_constraint; e < plan.equations.size(); ++e) {
    if (data.is_kept(plan.equations[e], e)) continue;
    find_equation(constants, data, e, data.f);
    data.inconsistency = std::max(data.inconsistency, std::abs(data.f.dot(data.h) - data.gamma[e]));
  }
}

/// Accelerations of the joints and wheels from those of the bodies.
void find_udot(const Absolute& constants, const Forces<double>& forces, const AbsoluteData& data, double* udot) {
  const AbsoluteModel& model = constants.model;
  for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
    const AbsoluteJoint& joint = model.joints[i];
    for (std::uint32_t k = 0; k < joint.speeds(); ++k) {
      const AbsoluteRow& row = data.rows[6 * i + k];
      double sum = -row.gamma;
      if (joint.P != 0) sum += along(data, model, joint.P, row.on[0]);
      if (joint.C != 0) sum += along(data, model, joint.C, row.on[1]);
      udot[joint.u + k] = sum;  // (17)
    }
  }
  for (const AbsoluteFlexible& body : model.flexible) {
    const double* modal = data.h.data() + data.plan.x[body.body] + 6;
    std::copy(modal, modal + body.modes(), udot + body.u);
  }
  for (std::uint32_t k = 0; k < model.wheels.size(); ++k) {
    const Wheel& wheel = model.wheels[k];
    const AbsoluteBody& body = model.bodies[wheel.body];
    const double turning = along(data, model, wheel.body, about_axis(wheel)) + turning_of_node(data.state, model, k);
    udot[wheel.u] = data.h[data.plan.x[wheel.body] + body.own + k - body.wheel] - turning;  // (17)
  }
  for (std::size_t k = 0; k < constants.speeds.size(); ++k) {
    if (is_given(constants, forces, k)) udot[k] = forces.udot[k];
  }
}

}  // namespace

void find_equation(const Absolute& constants, const AbsoluteData& data, std::uint32_t e, Eigen::VectorXd& d) {
  const AbsolutePlan& plan = data.plan;
  d.setZero();
  for (std::uint32_t p = plan.equations[e].first; p < plan.equations[e].end; ++p) {
    const AbsolutePart& part = plan.parts[p];
    add_part(constants.model, data, part, [&](std::size_t side) {
      if (side == 1 && part.of_wheel) return d.data() + plan.x[part.body[0]] + wheel_within(constants, part);
      return d.data() + plan.x[constants.model.carrier(part.body[side])];
    });
  }
}

void divide_by_masses(const Absolute& constants, const AbsoluteData& data, Eigen::VectorXd& x) {
  for (const AbsoluteBlock& block : data.plan.blocks) {
    divide(constants, data.plan, data.masses, block, x.segment(block.x, block.size));
  }
}

void add_constraint_forces(const AbsoluteData& data, const Eigen::VectorXd& lambda, Eigen::VectorXd& x) {
  for (const AbsoluteBlock& block : data.plan.blocks) {
    const ConstColumns D = columns_of(data.D, block);
    for (Eigen::Index c = 0; c < D.cols(); ++c) {
      x.segment(block.x, block.size) +=
          lambda[data.plan.columns[block.first_column + static_cast<std::uint32_t>(c)]] * D.col(c);
    }
  }
}

void find_errors(const AbsoluteData& data, const Eigen::VectorXd& gamma, const Eigen::VectorXd& x,
                 Eigen::VectorXd& errors) {
  errors = gamma;
  for (const AbsoluteBlock& block : data.plan.blocks) {
    const ConstColumns D = columns_of(data.D, block);
    for (Eigen::Index c = 0; c < D.cols(); ++c) {
      errors[data.plan.columns[block.first_column + static_cast<std::uint32_t>(c)]] -=
          D.col(c).dot(x.segment(block.x, block.size));
    }
  }
  for (std::uint32_t e = data.plan.first_constraint; e < data.plan.equations.size(); ++e) {
    if (!data.is_kept(data.plan.equations[e], e)) errors[e] = 0;
  }
}

void accelerations(const Absolute& constants, const double* q, const double* u, const Forces<double>& forces,
                   AbsoluteData& data, double* udot) {
  if (!data.plan.fits(constants, forces)) {
    data.plan = AbsolutePlan(constants, forces);
    size_workspace(data);
  }
  find_motion(constants.model, q, u, data.state);
  for (std::uint32_t i = 1; i < constants.model.bodies.size(); ++i) {
    find_rows(constants.model, data.state, i, &data.rows[6 * static_cast<std::size_t>(i)]);
  }
  AbsoluteRow* closure_rows = data.rows.data() + constants.joint_rows();
  for (const AbsoluteClosure& closure : constants.constraints.closures) {
    find_rows(constants.model, data.state, closure, closure_rows + closure.first_row);
  }
  if (!data.rank.kept.empty()) {
    find_by_speeds(
        constants.model, constants.constraints, data.state, closure_rows,
        [&](std::uint32_t k) { return data.plan.given[k]; }, data.rank);
    find_independent(data.rank);  // (19)
  }
  find_forces(constants, u, forces, data);
  fill_equations(constants, forces, data);
  if (!assemble_multipliers(constants, data) || !data.plan.factors.factor()) {
    std::fill(udot, udot + constants.model.speeds, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // The second time takes out what rounding left of the equations of constraint.
  data.h = data.f;
  divide_by_masses(constants, data, data.h);
  data.lambda.setZero();
  for (int pass = 0; pass < 2; ++pass) {
    find_errors(data, data.gamma, data.h, data.step);
    data.plan.factors.solve(data.step.data());  // (15)
    data.lambda += data.step;
    data.h = data.f;
    add_constraint_forces(data, data.lambda, data.h);
    divide_by_masses(constants, data, data.h);  // (14)
  }
  check_redundant(constants, data);
  find_udot(constants, forces, data, udot);
}

}  // namespace gyrostat
