#include <array>

#include "gyrostat/derive/scalar_form.h"

namespace gyrostat::scalar {

std::vector<double> values_of(const std::vector<Variable>& variables) {
  std::vector<double> list;
  for (const Variable& v : variables) list.push_back(v.value);
  return list;
}

namespace {

/// Adds Z^T y to x, where W y = y - Z D^-1 x; entries of x and y are `step` apart.
void add_multipliers(const Form& form, const std::vector<double>& values, double* x, double* y, std::size_t step) {
  const LoopForm& loops = *form.loops;
  const std::size_t n = form.nf(), m = loops.rows.size();
  const auto W = [&](std::size_t r, std::size_t s) { return values[loops.W[in_triangle(r, s)]]; };
  const auto Z = [&](std::size_t r, std::size_t k) { return values[loops.Z[r * n + k]]; };
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t k = 0; k < n; ++k) y[r * step] -= Z(r, k) * values[form.D_inverse[k]] * x[k * step];
    for (std::size_t s = 0; s < r; ++s) y[r * step] -= W(r, s) * W(s, s) * y[s * step];
  }
  for (std::size_t s = m; s-- > 0;) {
    for (std::size_t r = s + 1; r < m; ++r) y[s * step] -= W(r, s) * y[r * step];
    y[s * step] *= W(s, s);
  }
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t k = 0; k < n; ++k) x[k * step] += Z(r, k) * y[r * step];
  }
}

}  // namespace

Evaluation evaluate(const Form& form, std::span<const double> p, std::span<const double> q, std::span<const double> u,
                    double t, std::span<const double> s) {
  std::vector<double> symbols(form.graph.symbols());
  const auto put = [&](const std::vector<Variable>& list, std::span<const double> values) {
    for (std::size_t k = 0; k < list.size(); ++k) symbols[form.graph[list[k].id].a] = values[k];
  };
  put(form.p, p), put(form.q, q), put(form.u, u), put(form.s, s);
  symbols[form.graph[form.time].a] = t;
  std::vector<double> values = form.graph.evaluate(symbols, form.tables);
  const auto listed = [&](const std::vector<Id>& ids) {
    std::vector<double> list;
    for (const Id id : ids) list.push_back(values[id]);
    return list;
  };
  Evaluation e{listed(form.M), listed(form.f), listed(form.udot), listed(form.qdot), {}, {}, {}, {}, {}, {}, {}};
  if (form.loops) {
    e.G = listed(form.loops->G);
    e.gamma = listed(form.loops->gamma);
    e.multipliers = listed(form.loops->multipliers);
  }
  if (!form.jacobian) return e;

  const JacobianForm& j = *form.jacobian;
  for (const std::uint32_t k : form.free) symbols[form.graph[j.udot[k]].a] = e.udot[k];
  for (std::size_t r = 0; r < j.lambda.size(); ++r) symbols[form.graph[j.lambda[r]].a] = e.multipliers[r];
  values = form.graph.evaluate(symbols, form.tables);
  const std::size_t nq = q.size(), nu = u.size(), ns = s.size(), n = form.nf(), columns = form.columns();
  const std::size_t nx = nq + nu;
  e.R = listed(j.R), e.S = listed(j.S);
  std::vector<double> X = listed(j.solved_R), Y = e.S;
  const auto L = [&](std::size_t k, std::size_t i) { return values[form.L[in_triangle(k, i)]]; };
  e.A.assign(nx * nx, 0);
  e.B.assign(nx * ns, 0);
  const auto set = [&](std::size_t row, std::size_t column, double value) {
    (column < nx ? e.A[row * nx + column] : e.B[row * ns + column - nx]) = value;
  };
  for (std::size_t c = 0; c < columns; ++c) {
    const auto x = [&](std::size_t k) -> double& { return X[k * columns + c]; };
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t i = 0; i < k; ++i) x(i) -= L(k, i) * x(k);
    }
    if (form.loops) add_multipliers(form, values, X.data() + c, Y.data() + c, columns);
    for (std::size_t k = 0; k < n; ++k) {
      x(k) *= values[form.D_inverse[k]];
      for (std::size_t i = 0; i < k; ++i) x(k) -= L(k, i) * x(i);
    }
    if (form.turned.first >= 0) {
      const auto first = static_cast<std::size_t>(form.turned.first);
      const std::array<double, 3> v = {x(first), x(first + 1), x(first + 2)};
      for (std::size_t k = 0; k < 3; ++k) {
        x(first + k) = 0;
        for (std::size_t i = 0; i < 3; ++i) x(first + k) += values[form.turned.R[3 * k + i]] * v[i];
      }
    }
    for (std::size_t k = 0; k < n; ++k) set(nq + form.free[k], c, x(k));
    for (std::size_t k = 0; k < form.given.size(); ++k) {
      set(nq + form.given[k].u, c, values[j.given[k * columns + c]]);
    }
  }
  for (std::size_t k = 0; k < nq; ++k) {
    for (std::size_t c = 0; c < nq; ++c) set(k, c, values[j.qdot_q[k * nq + c]]);
    for (std::size_t c = 0; c < nu; ++c) set(k, nq + c, values[j.qdot_u[k * nu + c]]);
  }
  return e;
}

}  // namespace gyrostat::scalar
