#include "gyrostat/dynamics/linear_partial.h"

#include <algorithm>

namespace gyrostat {

std::string outside_domain_of_linear_partial(const System& system, const DynamicsSettings& settings) {
  std::string problem = outside_domain_of_line_hinges(system);
  if (!problem.empty()) return problem;
  if (std::ranges::find(settings.linearized, 1U) == settings.linearized.end())
    return held_small_joint(system, settings.linearized);
  return "joint '" + system.joints[1].name + "' of the base cannot be linearised";
}

namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

/// By body: what carries the terminal appendage that it belongs to, or `none`. Appendages with a common carrier are
/// one.
std::vector<std::uint32_t> carriers(const LineHinges& tree) {
  const std::size_t count = tree.bodies.size();
  std::vector<std::uint32_t> carrier(count, none);
  std::vector<bool> terminal(count, true);
  for (std::size_t k = count; k-- > 1;) {
    terminal[k] = terminal[k] && tree.hinges[tree.bodies[k].hinge].small;
    if (!terminal[k]) terminal[tree.bodies[k].parent] = false;
  }
  for (std::size_t k = 1; k < count; ++k) {
    const std::uint32_t parent = tree.bodies[k].parent;
    if (terminal[k]) carrier[k] = carrier[parent] == none ? parent : carrier[parent];
  }
  return carrier;
}

/// The carrier with the most free hinges in its appendage, the first of equals; `none` if no hinge is small and free.
std::uint32_t largest_appendage(const LineHinges& tree, const std::vector<std::uint32_t>& carrier) {
  std::vector<std::uint32_t> hinges(tree.bodies.size());
  for (const LineHinge& hinge : tree.hinges) {
    if (carrier[hinge.body] != none && hinge.built_free) ++hinges[carrier[hinge.body]];
  }
  const auto largest = std::ranges::max_element(hinges);
  return *largest == 0 ? none : static_cast<std::uint32_t>(largest - hinges.begin());
}

/// (2) L D L^T of the appendage's block, at the configuration it is small about.
void factor(const AugmentedBodyData& at, LinearPartial& workspace) {
  const std::size_t n = workspace.inside.size();
  const Eigen::MatrixXd all = system_matrix(workspace.tree, at);
  workspace.L.resize(n * n);
  workspace.pivot_inverse.resize(n);
  std::vector<double> pivot(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = all(workspace.inside[i] + 3, workspace.inside[j] + 3);
      const double *row_i = &workspace.L[i * n], *row_j = &workspace.L[j * n];
      for (std::size_t k = 0; k < j; ++k) sum -= row_i[k] * pivot[k] * row_j[k];
      if (i == j) pivot[i] = sum;
      workspace.L[i * n + j] = sum / pivot[j];
    }
    workspace.pivot_inverse[i] = 1 / pivot[i];
  }
}

}  // namespace

LinearPartial::LinearPartial(const System& system, const DynamicsSettings& settings)
    : tree(system, settings, settings.linearized) {
  const std::vector<std::uint32_t> carrier = carriers(tree);
  const std::uint32_t base = largest_appendage(tree, carrier);
  for (std::size_t k = 1; k < tree.bodies.size(); ++k) {
    if (base != none && carrier[k] == base) appendage.push_back(tree.bodies[k].number);
  }
  for (std::uint32_t s = 0; s < tree.hinges.size(); ++s) {
    const std::uint32_t body = tree.hinges[s].body;
    if (base != none && carrier[body] == base) {
      appendage_hinges.push_back(s);
      if (tree.hinges[s].built_free) inside.push_back(s);
    } else {
      outside.push_back(s);
      on_path.push_back(static_cast<char>(base != none && body <= base && base < tree.bodies[body].end));
    }
  }
  AugmentedBodyData at(tree);
  const State rest = at_rest(system, settings.about);
  sum_branches(tree, rest.q.data(), rest.u.data(), Forces<double>(system), at);
  factor(at, *this);
}

LinearPartialData::LinearPartialData(const LinearPartial& constants)
    : rest(constants.tree),
      on_path(constants.outside.size()),
      reach(constants.outside.size()),
      W(constants.inside.size()),
      h(constants.inside.size()),
      x(constants.inside.size()) {}

namespace {

using Six = std::array<double, 6>;

template <class Row>
double product(const Six& a, const Row& b) {
  return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/// (1) How the hinges outside act on those inside.
void reach_inside(const LineHinges& tree, LinearPartialData& workspace) {
  const AugmentedBodyData& rest = workspace.rest;
  for (std::size_t i = 0; i < rest.unknown.size(); ++i) {
    const std::uint32_t s = rest.unknown[i];
    const AugmentedMotion& body = rest.bodies[tree.hinges[s].body];
    const bool on_path = workspace.on_path[i] != 0;
    const Vec3<double> g = on_path ? rest.g[s] : Vec3<double>{};
    const Vec3<double> m = tree.mass * cross(rest.g[s], on_path ? body.r - body.d : -body.d);
    workspace.reach[i] = {g.x, g.y, g.z, m.x, m.y, m.z};
  }
}

/// The rows of the appendage, forward-substituted with its constant factor: (3), and their squares for (4).
void substitute(const LinearPartial& constants, const Forces<double>& forces, LinearPartialData& workspace) {
  const LineHinges& tree = constants.tree;
  const AugmentedBodyData& rest = workspace.rest;
  const std::size_t n = constants.inside.size();
  std::array<AppendageRow, 7> H{};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t s = constants.inside[i];
    const LineHinge& hinge = tree.hinges[s];
    const HingeVectors v = hinge_vectors(tree, rest, s);
    const double b = forces.tau[hinge.u] + dot(rest.g[s], branch_torque(rest, hinge.body));
    AppendageRow row(AppendageRow::Doubles{v.a0.x, v.a0.y, v.a0.z, v.h.x, v.h.y, v.h.z, b, 0});
    const double* factor = constants.L.data() + i * n;
    for (std::size_t k = 0; k < i; ++k) row = row - factor[k] * workspace.W[k];  // (3)
    workspace.W[i] = row;
    workspace.h[i] = v.h;
    for (std::size_t c = 0; c < 7; ++c) H[c] = H[c] + (constants.pivot_inverse[i] * row[c]) * row;  // (4)
  }
  workspace.H = H;
}

/// What the appendage takes from the equations of the rest.
void reduce(LinearPartialData& workspace) {
  AugmentedBodyData& rest = workspace.rest;
  const std::size_t order = rest.order, stride = rest.stride;
  const auto& H = workspace.H;
  double* A = rest.matrix.data();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) A[i * stride + j] -= H[i][j];  // (4)
    A[i * stride + order] -= H[i][6];                                  // (4)
  }
  for (std::size_t j = 3; j < order; ++j) {
    const Six& P = workspace.reach[j - 3];
    Six HP;
    for (std::size_t c = 0; c < 6; ++c) HP[c] = product(P, H[c]);
    for (std::size_t i = 0; i < 3; ++i) A[i * stride + j] -= HP[i];                                 // (4)
    for (std::size_t i = 3; i <= j; ++i) A[i * stride + j] -= product(workspace.reach[i - 3], HP);  // (4)
    A[j * stride + order] -= product(P, H[6]);                                                      // (4)
  }
}

/// (5) The appendage's accelerations from those of the rest. Returns what they add to that of the base point.
Vec3<double> recover(const LinearPartial& constants, LinearPartialData& workspace, double* udot) {
  const LineHinges& tree = constants.tree;
  const AugmentedBodyData& rest = workspace.rest;
  const std::size_t stride = rest.stride, n = constants.inside.size();
  const double* solution = rest.matrix.data() + rest.order;
  Six y = {solution[0], solution[stride], solution[2 * stride]};
  for (std::size_t j = 3; j < rest.order; ++j) {
    for (std::size_t c = 0; c < 6; ++c) y[c] += workspace.reach[j - 3][c] * solution[j * stride];
  }
  Vec3<double> a;
  for (std::size_t i = n; i-- > 0;) {
    double sum = (workspace.W[i][6] - product(y, workspace.W[i])) * constants.pivot_inverse[i];
    for (std::size_t k = i + 1; k < n; ++k) sum -= constants.L[k * n + i] * workspace.x[k];
    workspace.x[i] = sum;
    udot[tree.hinges[constants.inside[i]].u] = sum;
    a += sum * workspace.h[i];
  }
  return a;
}

}  // namespace

void accelerations(const LinearPartial& constants, const double* q, const double* u, const Forces<double>& forces,
                   LinearPartialData& workspace, double* udot) {
  const LineHinges& tree = constants.tree;
  AugmentedBodyData& rest = workspace.rest;
  require_choice(tree, forces, "linear_partial", constants.appendage_hinges);
  rest.unknown.clear();
  for (std::size_t k = 0; k < constants.outside.size(); ++k) {
    if (!forces.free[tree.hinges[constants.outside[k]].u]) continue;
    workspace.on_path[rest.unknown.size()] = constants.on_path[k];
    rest.unknown.push_back(constants.outside[k]);
  }
  rest.size_equations();
  sum_branches(tree, q, u, forces, rest);
  assemble(tree, forces, rest);
  reach_inside(tree, workspace);
  substitute(constants, forces, workspace);
  reduce(workspace);
  solve_symmetric(rest.matrix.data(), rest.order, rest.stride);
  const Vec3<double> others = recover(constants, workspace, udot);
  fill_udot(tree, q, u, forces, others, rest, udot);
}

}  // namespace gyrostat
