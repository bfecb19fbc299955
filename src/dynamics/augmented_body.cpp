#include "gyrostat/dynamics/augmented_body.h"

#include "gyrostat/math/sincos.h"

namespace gyrostat {

std::string outside_domain_of_augmented_body(const System& system, const DynamicsSettings& /*settings*/) {
  return outside_domain_of_line_hinges(system);
}

AugmentedBodyData::AugmentedBodyData(const LineHinges& tree)
    : bodies(tree.bodies.size()),
      g(tree.hinges.size()),
      matrix((3 + g.size()) * (4 + g.size())),
      h(3 * (4 + g.size())) {
  unknown.reserve(g.size());
}

namespace {

/// The matrix that takes a vector fixed in a body to its second derivative: [sigma]x + [w]x[w]x.
inline Mat3<double> second_derivative(const Vec3<double>& sigma, const Vec3<double>& w) {
  const double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{-yy - zz, xy + sigma.z, xz - sigma.y},
          {xy - sigma.z, -xx - zz, yz + sigma.x},
          {xz + sigma.y, yz - sigma.x, -xx - yy}};
}

/// The rate of a hinge about `g`, and its acceleration where that is given: (4), (5).
void turn(const LineHinge& hinge, const Vec3<double>& g, const double* u, const Forces<double>& forces,
          AugmentedMotion& body) {
  const double rate = u[hinge.u];
  body.sigma += rate * cross(body.w, g);                              // (5)
  if (!forces.free[hinge.u]) body.sigma += forces.udot[hinge.u] * g;  // (5)
  body.w += rate * g;                                                 // (4)
}

void follow_line(const LineHinges& tree, const HingedBody& constant, const double* q, const double* u,
                 const Forces<double>& forces, std::vector<Vec3<double>>& g, AugmentedMotion& body) {
  for (std::uint32_t s = constant.hinge; s < constant.hinge + constant.hinges; ++s) {
    const LineHinge& hinge = tree.hinges[s];
    const Mat3<double> R = body.R_Nk * hinge.Q;
    const double angle = q[hinge.q] - hinge.about;
    const SinCos<double> t = hinge.small ? SinCos<double>{angle, 1} : sincos(angle);
    body.R_Nk = {t.cos * R.x + t.sin * R.y, t.cos * R.y - t.sin * R.x, R.z};  // (3)
    g[s] = R.z;
    turn(hinge, R.z, u, forces, body);
  }
}

/// R(q), or to first order about `about` where the hinges are small.
Mat3<double> ball_rotation(const HingedBody& constant, const LineHinge& hinge, const double* coordinates) {
  const double* q = coordinates + hinge.q;
  if (!hinge.small) return cast<double>(to_rotation({q[0], q[1], q[2], q[3]}));
  const Mat3<double> R = cast<double>(to_rotation(constant.about));
  const Vec3<double> t = small_turn(constant.about, q);
  return {R.x + t.z * R.y - t.y * R.z, R.y + t.x * R.z - t.z * R.x, R.z + t.y * R.x - t.x * R.y};
}

/// The axes of a ball are fixed in one of its bodies, the user's child: their rates are components there.
void follow_ball(const LineHinges& tree, const HingedBody& constant, const double* q, const double* u,
                 const Forces<double>& forces, std::vector<Vec3<double>>& g, AugmentedMotion& body) {
  const LineHinge* hinge = &tree.hinges[constant.hinge];
  const Mat3<double> inboard = body.R_Nk * hinge->Q, R = ball_rotation(constant, *hinge, q);
  const bool reversed = constant.kind == HingeKind::reversed_ball;
  body.R_Nk = inboard * (reversed ? transposed(R) : R);  // (3)
  const Vec3<double> axes[3] = {reversed ? -inboard.x : body.R_Nk.x, reversed ? -inboard.y : body.R_Nk.y,
                                reversed ? -inboard.z : body.R_Nk.z};
  Vec3<double> relative;
  for (std::uint32_t i = 0; i < 3; ++i) {
    g[constant.hinge + i] = axes[i];
    relative += u[hinge[i].u] * axes[i];
    if (!forces.free[hinge[i].u]) body.sigma += forces.udot[hinge[i].u] * axes[i];  // (5)
  }
  body.sigma += cross(body.w, relative);  // (5): w x w_rel is the same for the w of either body
  body.w += relative;                     // (4)
}

/// Outward: where the bodies are turned and how they move while the unknown accelerations are zero.
void follow(const LineHinges& tree, const double* q, const double* u, const Forces<double>& forces,
            AugmentedBodyData& workspace) {
  for (std::size_t k = 0; k < tree.bodies.size(); ++k) {
    const HingedBody& constant = tree.bodies[k];
    AugmentedMotion& body = workspace.bodies[k];
    if (k == 0) {
      body.R_Nk = base_rotation(tree, q);
      body.w = base_rate(tree, body.R_Nk, u);
      body.sigma = {};
    } else {
      const AugmentedMotion& inboard = workspace.bodies[constant.parent];
      body.R_Nk = inboard.R_Nk;
      body.w = inboard.w;
      body.sigma = inboard.sigma;
      body.link = inboard.R_Nk * constant.link;
      body.link_second = tree.mass * (inboard.W * body.link);  // (7)
      if (constant.kind == HingeKind::line) {
        follow_line(tree, constant, q, u, forces, workspace.g, body);
      } else {
        follow_ball(tree, constant, q, u, forces, workspace.g, body);
      }
    }
    body.d = body.R_Nk * constant.D;
    body.W = second_derivative(body.sigma, body.w);
    body.z = tree.mass * (body.W * body.d);
    body.K = turned(body.R_Nk, constant.Phi);
    body.E = -(body.K * body.sigma) - cross(body.w, body.K * body.w);  // (11)
    if (!constant.gyroscopic) body.E += cross(body.w, turned(body.R_Nk, constant.left_out) * body.w);
  }
}

/// What acts on each body, taken to its base point.
void load(const LineHinges& tree, const double* q, const Forces<double>& forces, AugmentedBodyData& workspace) {
  for (std::size_t k = 0; k < tree.bodies.size(); ++k) {
    const Wrench<double> wrench =
        k == 0 ? base_wrench(tree, workspace.bodies[0].R_Nk, q, forces) : forces.wrench[tree.bodies[k].number];
    workspace.bodies[k].E += wrench.torque;
    workspace.bodies[k].F = wrench.force;
  }
  for (const WeldedBody& welded : tree.welded) {
    AugmentedMotion& host = workspace.bodies[welded.host];
    const Wrench<double>& wrench = forces.wrench[welded.number];
    host.E += wrench.torque + cross(host.R_Nk * welded.lever, wrench.force);
    host.F += wrench.force;
  }
}

}  // namespace

void sum_branches(const LineHinges& tree, const double* q, const double* u, const Forces<double>& forces,
                  AugmentedBodyData& workspace) {
  follow(tree, q, u, forces, workspace);
  load(tree, q, forces, workspace);
  const std::size_t count = tree.bodies.size();
  for (std::size_t k = count; k-- > 1;) {
    const AugmentedMotion& body = workspace.bodies[k];
    AugmentedMotion& inboard = workspace.bodies[tree.bodies[k].parent];
    const Vec3<double> x = inboard.d + body.link;
    inboard.E +=
        body.E + cross(body.link, body.F) + cross(x, body.z) + cross(body.d, inboard.z + body.link_second);  // (11)
    inboard.F += body.F;
    inboard.K += body.K + mutual(-tree.mass * x, body.d);  // (10)
    inboard.d += body.d;                                   // (8)
    inboard.z += body.z;                                   // (9)
  }
  workspace.bodies[0].r = workspace.bodies[0].d;
  workspace.bodies[0].rho = workspace.bodies[0].z;
  for (std::size_t k = 1; k < count; ++k) {
    AugmentedMotion& body = workspace.bodies[k];
    const AugmentedMotion& inboard = workspace.bodies[tree.bodies[k].parent];
    body.r = inboard.r + body.link;             // (12)
    body.rho = inboard.rho + body.link_second;  // (13)
  }
}

Eigen::MatrixXd system_matrix(const LineHinges& tree, const AugmentedBodyData& workspace) {
  const Eigen::Index n = static_cast<Eigen::Index>(tree.hinges.size());
  Eigen::MatrixXd A(n + 3, n + 3);
  A.topLeftCorner<3, 3>() = to_eigen(workspace.bodies[0].K);
  for (Eigen::Index s = 0; s < n; ++s) {
    const std::uint32_t body_s = tree.hinges[static_cast<std::size_t>(s)].body;
    const HingeVectors vectors = hinge_vectors(tree, workspace, static_cast<std::uint32_t>(s));
    A.col(s + 3).head<3>() = to_eigen(vectors.a0);
    for (Eigen::Index r = 0; r <= s; ++r) {
      const std::uint32_t body_r = tree.hinges[static_cast<std::size_t>(r)].body;
      const HingeVectors other = hinge_vectors(tree, workspace, static_cast<std::uint32_t>(r));
      const bool on_path = body_s < tree.bodies[body_r].end;
      A(r + 3, s + 3) = on_path ? dot(workspace.g[static_cast<std::size_t>(r)], vectors.a0) + dot(other.Mf, vectors.h)
                                : -tree.mass * dot(other.h, vectors.h);  // (16)
    }
  }
  A.triangularView<Eigen::StrictlyLower>() = A.transpose().triangularView<Eigen::StrictlyLower>();
  return A;
}

namespace {

/// The rows of the base, and h of every unknown.
void assemble_base(const LineHinges& tree, AugmentedBodyData& workspace) {
  const Sym3<double>& K = workspace.bodies[0].K;
  double *x = workspace.matrix.data(), *y = x + workspace.stride, *z = y + workspace.stride;
  double *hx = workspace.h.data(), *hy = hx + workspace.stride, *hz = hy + workspace.stride;
  x[0] = K.xx, x[1] = K.xy, x[2] = K.xz, y[1] = K.yy, y[2] = K.yz, z[2] = K.zz;
  for (std::size_t i = 3; i < workspace.order; ++i) {
    const HingeVectors v = hinge_vectors(tree, workspace, workspace.unknown[i - 3]);
    x[i] = v.a0.x, y[i] = v.a0.y, z[i] = v.a0.z;
    hx[i] = v.h.x, hy[i] = v.h.y, hz[i] = v.h.z;
  }
  const Vec3<double> torque = branch_torque(workspace, 0);
  x[workspace.order] = torque.x, y[workspace.order] = torque.y, z[workspace.order] = torque.z;
}

/// The row of an unknown hinge: first those in its branch, which follow it, then those beside it.
void assemble_hinge(const LineHinges& tree, std::size_t i, const Forces<double>& forces, AugmentedBodyData& workspace) {
  const std::size_t order = workspace.order, stride = workspace.stride;
  const double *x = workspace.matrix.data(), *y = x + stride, *z = y + stride;
  const double *hx = workspace.h.data(), *hy = hx + stride, *hz = hy + stride;
  double* row = workspace.matrix.data() + i * stride;
  const std::uint32_t s = workspace.unknown[i - 3], k = tree.hinges[s].body;
  const Vec3<double>& g = workspace.g[s];
  const AugmentedMotion& body = workspace.bodies[k];
  const Vec3<double> Mf = tree.mass * cross(g, body.r - body.d);
  const Vec3<double> Mh = {tree.mass * hx[i], tree.mass * hy[i], tree.mass * hz[i]};
  std::size_t end = i;
  while (end < order && tree.hinges[workspace.unknown[end - 3]].body < tree.bodies[k].end) ++end;
  for (std::size_t j = i; j < end; ++j) {
    row[j] = g.x * x[j] + g.y * y[j] + g.z * z[j] + (Mf.x * hx[j] + Mf.y * hy[j] + Mf.z * hz[j]);  // (16)
  }
  for (std::size_t j = end; j < order; ++j) row[j] = -(Mh.x * hx[j] + Mh.y * hy[j] + Mh.z * hz[j]);  // (16)
  row[order] = forces.tau[tree.hinges[s].u] + dot(g, branch_torque(workspace, k));                   // (6)
}

}  // namespace

void assemble(const LineHinges& tree, const Forces<double>& forces, AugmentedBodyData& workspace) {
  assemble_base(tree, workspace);
  for (std::size_t i = 3; i < workspace.order; ++i) assemble_hinge(tree, i, forces, workspace);
}

void fill_udot(const LineHinges& tree, const double* q, const double* u, const Forces<double>& forces,
               const Vec3<double>& others, const AugmentedBodyData& workspace, double* udot) {
  const std::size_t stride = workspace.stride, order = workspace.order;
  const double *x = workspace.matrix.data() + order, *h = workspace.h.data();
  const AugmentedMotion& base = workspace.bodies[0];
  const Vec3<double> alpha = {x[0], x[stride], x[2 * stride]};
  Vec3<double> a = (1 / tree.mass) * (base.F + base.z) + cross(alpha, base.d) + others;  // (17)
  for (const LineHinge& hinge : tree.hinges) {
    if (!forces.free[hinge.u]) udot[hinge.u] = forces.udot[hinge.u];
  }
  for (std::size_t i = 3; i < order; ++i) {
    const double acceleration = x[i * stride];
    udot[tree.hinges[workspace.unknown[i - 3]].u] = acceleration;
    a += acceleration * Vec3<double>{h[i], h[stride + i], h[2 * stride + i]};  // (17)
  }
  report_base(tree, base.R_Nk, q, u, transpose_times(base.R_Nk, alpha), a, udot);
}

void accelerations(const AugmentedBody& constants, const double* q, const double* u, const Forces<double>& forces,
                   AugmentedBodyData& workspace, double* udot) {
  const LineHinges& tree = constants.tree;
  require_choice(tree, forces, "augmented_body");
  workspace.unknown.clear();
  for (std::uint32_t s = 0; s < tree.hinges.size(); ++s) {
    if (forces.free[tree.hinges[s].u]) workspace.unknown.push_back(s);
  }
  workspace.size_equations();
  sum_branches(tree, q, u, forces, workspace);
  assemble(tree, forces, workspace);
  solve_symmetric(workspace.matrix.data(), workspace.order, workspace.stride);
  fill_udot(tree, q, u, forces, {}, workspace, udot);
}

}  // namespace gyrostat
