#include "gyrostat/dynamics/linear_total.h"

#include <numeric>

#include <Eigen/Cholesky>

#include "gyrostat/dynamics/augmented_body.h"

namespace gyrostat {

std::string outside_domain_of_linear_total(const System& system, const DynamicsSettings& /*settings*/) {
  std::string problem = outside_domain_of_line_hinges(system);
  if (!problem.empty()) return problem;
  std::vector<std::uint32_t> all(system.body_count());
  std::iota(all.begin(), all.end(), 1U);
  return held_small_joint(system, all);
}

namespace {

/// The bodies re-expressed where the hinges are at `about` and the base has the world's axes.
void place(const LineHinges& tree, const AugmentedBodyData& at, const DynamicsSettings& settings, SmallMotion& small) {
  for (std::size_t k = 0; k < at.bodies.size(); ++k) {
    const HingedBody& constant = tree.bodies[k];
    NominalBody body{constant.number,
                     constant.parent,
                     constant.hinge,
                     constant.hinges,
                     constant.kind,
                     at.bodies[k].link,
                     at.bodies[k].R_Nk * constant.D,
                     at.bodies[k].d,
                     {}};
    if (constant.kind != HingeKind::line) {
      const double* q = settings.about.data() + tree.hinges[constant.hinge].q;
      body.about = {q[0], q[1], q[2], q[3]};
    }
    small.bodies.push_back(body);
  }
  for (std::size_t s = 0; s < tree.hinges.size(); ++s) {
    const LineHinge& hinge = tree.hinges[s];
    const auto q = static_cast<Eigen::Index>(hinge.q);
    small.hinges.push_back({at.g[s], cross(at.g[s], at.bodies[hinge.body].d), hinge.body, hinge.q, hinge.u,
                            settings.about[q], hinge.built_free});
    (hinge.built_free ? small.free : small.given).push_back(hinge.u);
    small.all.push_back(static_cast<std::uint32_t>(s));
  }
  for (WeldedBody welded : tree.welded) {
    welded.lever = at.bodies[welded.host].R_Nk * welded.lever;
    small.welded.push_back(welded);
  }
}

/// The inverse of the constant matrix, and what follows from it for given hinges and for the base point.
Eigen::MatrixXd gain_of(const LineHinges& tree, const AugmentedBodyData& at) {
  const Eigen::MatrixXd A = system_matrix(tree, at);
  std::vector<Eigen::Index> unknown = {0, 1, 2}, given;
  Eigen::MatrixXd B(3, A.cols());  // (3)
  B.leftCols<3>() = -skew(to_eigen(at.bodies[0].d));
  for (std::size_t s = 0; s < tree.hinges.size(); ++s) {
    const Eigen::Index column = static_cast<Eigen::Index>(s) + 3;
    const LineHinge& hinge = tree.hinges[s];
    (hinge.built_free ? unknown : given).push_back(column);
    B.col(column) = to_eigen(cross(at.g[s], at.bodies[hinge.body].d));
  }
  const auto n = static_cast<Eigen::Index>(unknown.size()), m = static_cast<Eigen::Index>(given.size());
  Eigen::MatrixXd right = Eigen::MatrixXd::Identity(n, n + m);
  right.rightCols(m) = -A(unknown, given);
  Eigen::MatrixXd gain(n + 3, n + m);
  gain.topRows(n) = Eigen::MatrixXd(A(unknown, unknown)).ldlt().solve(right);  // (4)
  gain.bottomRows(3) = B(Eigen::all, unknown) * gain.topRows(n);               // (5)
  gain.bottomRightCorner(3, m) += B(Eigen::all, given);                        // (5)
  return gain;
}

}  // namespace

SmallMotion::SmallMotion(const System& system, const DynamicsSettings& settings) : tree(system, settings, {}) {
  AugmentedBodyData at(tree);
  const State rest = at_rest(system, settings.about);
  sum_branches(tree, rest.q.data(), rest.u.data(), Forces<double>(system), at);
  place(tree, at, settings, *this);
  const Eigen::MatrixXd matrix = gain_of(tree, at);
  gain.assign(matrix.data(), matrix.data() + matrix.size());
  outputs = static_cast<std::size_t>(matrix.rows());
  inputs = static_cast<std::size_t>(matrix.cols());
}

void resolve_loads(const SmallMotion& small, const double* q, const Forces<double>& forces, const Mat3<double>& R,
                   SmallMotionData& data) {
  const Wrench<double> base = base_wrench(small.tree, R, q, forces);
  data.branch[0] = {transpose_times(R, base.torque), transpose_times(R, base.force)};
  for (std::size_t k = 1; k < small.bodies.size(); ++k) {
    const Wrench<double>& wrench = forces.wrench[small.bodies[k].number];
    data.branch[k] = {transpose_times(R, wrench.torque), transpose_times(R, wrench.force)};
  }
}

namespace {

/// y = A x, columns of `rows` numbers, four at a time.
void multiply(const double* A, const double* x, std::size_t rows, std::size_t columns, double* y) {
  for (std::size_t i = 0; i < rows; ++i) y[i] = 0;
  std::size_t j = 0;
  for (; j + 4 <= columns; j += 4, A += 4 * rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      y[i] += (x[j] * A[i] + x[j + 1] * A[rows + i]) + (x[j + 2] * A[2 * rows + i] + x[j + 3] * A[3 * rows + i]);
    }
  }
  for (; j < columns; ++j, A += rows) {
    for (std::size_t i = 0; i < rows; ++i) y[i] += x[j] * A[i];
  }
}

}  // namespace

void respond(const SmallMotion& small, const double* q, const double* u, const Forces<double>& forces,
             const Mat3<double>& R, const Vec3<double>& force, SmallMotionData& data, double* udot) {
  const std::size_t free = small.free.size(), rows = small.outputs;
  double *in = data.in.data(), *out = data.out.data();
  for (std::size_t j = 0; j < small.given.size(); ++j) in[3 + free + j] = forces.udot[small.given[j]];
  multiply(small.gain.data(), in, rows, small.inputs, out);  // (4), (5)
  for (std::size_t i = 0; i < free; ++i) udot[small.free[i]] = out[3 + i];
  for (const std::uint32_t k : small.given) udot[k] = forces.udot[k];
  const Vec3<double> relative = {out[rows - 3], out[rows - 2], out[rows - 1]};
  report_base(small.tree, R, q, u, {out[0], out[1], out[2]}, R * ((1 / small.tree.mass) * force + relative),
              udot);  // (3)
}

LinearTotalData::LinearTotalData(const LinearTotal& constants)
    : small(constants.small),
      theta(constants.small.bodies.size()),
      link(theta.size()),
      d(theta.size()),
      g(constants.small.hinges.size()) {}

namespace {

/// The axes of a ball turn with the child; those of a line hinge with what is inboard of it.
void turn_ball(const SmallMotion& small, const NominalBody& body, const double* q, LinearTotalData& workspace,
               Vec3<double>& theta) {
  const NominalHinge* hinge = &small.hinges[body.hinge];
  const Vec3<double> turn = small_turn(body.about, q + hinge->q), inboard = theta;
  theta += turn.x * hinge[0].g + turn.y * hinge[1].g + turn.z * hinge[2].g;  // (1)
  const Vec3<double>& child = body.kind == HingeKind::ball ? theta : inboard;
  for (std::size_t i = 0; i < 3; ++i) workspace.g[body.hinge + i] = hinge[i].g + cross(child, hinge[i].g);  // (2)
}

void turn_line(const SmallMotion& small, const NominalBody& body, const double* q, LinearTotalData& workspace,
               Vec3<double>& theta) {
  for (std::uint32_t s = body.hinge; s < body.hinge + body.hinges; ++s) {
    const NominalHinge& hinge = small.hinges[s];
    workspace.g[s] = hinge.g + cross(theta, hinge.g);  // (2)
    theta += (q[hinge.q] - hinge.about) * hinge.g;     // (1)
  }
}

/// Outward: rotations, and what they do to vectors fixed in the bodies.
void turn_bodies(const SmallMotion& small, const double* q, LinearTotalData& workspace) {
  workspace.d[0] = small.bodies[0].D;
  for (std::size_t k = 1; k < small.bodies.size(); ++k) {
    const NominalBody& body = small.bodies[k];
    Vec3<double> theta = workspace.theta[body.parent];
    workspace.link[k] = body.link + cross(theta, body.link);  // (2)
    if (body.kind == HingeKind::line) {
      turn_line(small, body, q, workspace, theta);
    } else {
      turn_ball(small, body, q, workspace, theta);
    }
    workspace.theta[k] = theta;
    workspace.d[k] = body.D + cross(theta, body.D);  // (2)
  }
}

}  // namespace

void accelerations(const LinearTotal& constants, const double* q, const double* u, const Forces<double>& forces,
                   LinearTotalData& workspace, double* udot) {
  const SmallMotion& small = constants.small;
  SmallMotionData& data = workspace.small;
  require_choice(small.tree, forces, "linear_total", small.all);
  const Mat3<double> R = base_rotation(small.tree, q);
  turn_bodies(small, q, workspace);
  resolve_loads(small, q, forces, R, data);
  for (const WeldedBody& welded : small.welded) {
    const Wrench<double>& wrench = forces.wrench[welded.number];
    Wrench<double>& host = data.branch[welded.host];
    const Vec3<double> force = transpose_times(R, wrench.force);
    const Vec3<double> lever = welded.lever + cross(workspace.theta[welded.host], welded.lever);  // (2)
    host.torque += transpose_times(R, wrench.torque) + cross(lever, force);
    host.force += force;
  }
  for (std::size_t k = small.bodies.size(); k-- > 1;) {
    const std::uint32_t h = small.bodies[k].parent;
    data.branch[h].torque += data.branch[k].torque + cross(workspace.link[k], data.branch[k].force);  // (6)
    data.branch[h].force += data.branch[k].force;
    workspace.d[h] += workspace.d[k];
  }
  const Vec3<double>& force = data.branch[0].force;
  const Vec3<double> whole = data.branch[0].torque + cross(workspace.d[0], force);  // (6)
  double* in = data.in.data();
  in[0] = whole.x, in[1] = whole.y, in[2] = whole.z;
  in += 3;
  for (std::size_t s = 0; s < small.hinges.size(); ++s) {
    const NominalHinge& hinge = small.hinges[s];
    if (!hinge.free) continue;
    *in++ = forces.tau[hinge.u] +
            dot(workspace.g[s], data.branch[hinge.body].torque + cross(workspace.d[hinge.body], force));  // (6)
  }
  respond(small, q, u, forces, R, force, data, udot);
}

}  // namespace gyrostat
