// The equations of a scalar form, their solution, and its derivatives.
#include <algorithm>

#include "gyrostat/derive/scalar_builder.h"
#include "gyrostat/derive/scalar_polynomial.h"
#include "gyrostat/derive/scalar_print.h"
#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/composite_body_sweeps.h"

namespace gyrostat::scalar {

namespace {

/// Terms that expressions are multiplied out to.
constexpr std::size_t most_terms = 400, most_terms_for_reading = 1200;
/// Expressions that are compared one by one.
constexpr std::size_t most_mixed = 500;
/// How many times fewer operations simplification for reading may leave; what is longer stays too long to be read.
constexpr std::size_t most_shortened = 10;

}  // namespace

void FormBuilder::assemble(const Kinematics<Symbolic>& kinematics, const Forces<Symbolic>& forces) {
  const std::size_t nu = u_.size(), count = mechanism_->links.size();
  std::vector<Inertia<Symbolic>> composite(count);
  std::vector<Symbolic> M(nu * nu), none(nu), bias(nu);
  assemble_mass_matrix(*mechanism_, kinematics, composite, TriangleRows<Symbolic>{M.data(), nu});
  std::vector<Wrench<Symbolic>> transmitted(count);
  transmit(*mechanism_, kinematics, turned_u_.data(), none.data(), forces, transmitted, bias.data());
  const auto entry = [&](std::size_t k, std::size_t l) { return M[k < l ? l * nu + k : k * nu + l]; };
  for (const std::uint32_t k : form_.free) {
    for (const std::uint32_t l : form_.free) {
      if (l <= k) form_.solved_M.push_back(entry(k, l).id);
    }
    Symbolic f = forces.tau[k] - bias[k];
    for (const Given& given : form_.given) f -= entry(k, given.u) * forces.udot[given.u];
    form_.solved_f.push_back(f.id);
  }
}

void FormBuilder::simplify() {
  std::vector<Id> all = form_.solved_M;
  all.insert(all.end(), form_.solved_f.begin(), form_.solved_f.end());
  if (form_.nf() > most_readable_speeds &&
      count_operations(form_.graph, all).all() > most_shortened * most_readable_operations) {
    options_.readable = false;
  }
  const std::vector<Id> shorter = shortened(all);
  const auto n = static_cast<std::ptrdiff_t>(form_.solved_M.size());
  form_.solved_M.assign(shorter.begin(), shorter.begin() + n);
  form_.solved_f.assign(shorter.begin() + n, shorter.end());
}

void FormBuilder::factorise() {
  Graph& g = form_.graph;
  const std::size_t n = form_.nf();
  std::vector<Id> L = form_.solved_M;
  form_.D_inverse.resize(n);
  for (std::size_t k = n; k-- > 0;) {
    form_.D_inverse[k] = g.divide(1, L[in_triangle(k, k)]);
    L[in_triangle(k, k)] = 1;
    for (std::size_t i = k; i-- > 0;) {
      if (L[in_triangle(k, i)] == 0) continue;
      const Id a = g.multiply(L[in_triangle(k, i)], form_.D_inverse[k]);
      for (std::size_t j = 0; j <= i; ++j)
        L[in_triangle(i, j)] = g.subtract(L[in_triangle(i, j)], g.multiply(a, L[in_triangle(k, j)]));
      L[in_triangle(k, i)] = a;
    }
  }
  form_.L = std::move(L);
}

std::vector<Id> FormBuilder::half_solved(std::vector<Id> b) {
  Graph& g = form_.graph;
  for (std::size_t k = b.size(); k-- > 0;) {
    for (std::size_t i = 0; i < k; ++i) b[i] = g.subtract(b[i], g.multiply(form_.L[in_triangle(k, i)], b[k]));
  }
  return b;
}

std::vector<Id> FormBuilder::completed(std::vector<Id> z) {
  Graph& g = form_.graph;
  for (std::size_t k = 0; k < z.size(); ++k) {
    z[k] = g.multiply(z[k], form_.D_inverse[k]);
    for (std::size_t i = 0; i < k; ++i) z[k] = g.subtract(z[k], g.multiply(form_.L[in_triangle(k, i)], z[i]));
  }
  return z;
}

void FormBuilder::set_accelerations(std::vector<Id> x) {
  turn_back(x);
  form_.udot.assign(u_.size(), 0);
  for (std::size_t k = 0; k < x.size(); ++k) form_.udot[form_.free[k]] = x[k];
  for (const Given& given : form_.given) form_.udot[given.u] = given.acceleration;
}

void FormBuilder::solve_by_recursion(const Kinematics<Symbolic>& kinematics, const Forces<Symbolic>& forces) {
  ArticulatedBodyData<Symbolic> workspace(*mechanism_);
  std::vector<Symbolic> udot(u_.size());
  articulated_body_accelerations(*mechanism_, kinematics, turned_u_.data(), forces, workspace, udot.data());
  if (form_.turned.first >= 0) {
    const Vec3<Symbolic> v = R_ * Vec3<Symbolic>{udot[3], udot[4], udot[5]};
    udot[3] = v.x, udot[4] = v.y, udot[5] = v.z;
  }
  std::vector<Id> ids = form_.udot;
  for (const std::uint32_t k : form_.free) ids[k] = udot[k].id;
  if (count_operations(form_.graph, ids).all() >= count_operations(form_.graph, form_.udot).all()) return;
  form_.udot = std::move(ids);
  form_.recursive = true;
}

void FormBuilder::turn(Id& x, Id& y, Id& z) const {
  const Vec3<Symbolic> v = R_ * Vec3<Symbolic>{Symbolic::of(x), Symbolic::of(y), Symbolic::of(z)};
  x = v.x.id, y = v.y.id, z = v.z.id;
}

void FormBuilder::turn_back(std::vector<Id>& udot) {
  const std::size_t n = form_.nf();
  form_.f = form_.solved_f;
  form_.M.resize(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < n; ++l)
      form_.M[k * n + l] = form_.solved_M[k < l ? in_triangle(l, k) : in_triangle(k, l)];
  }
  if (!base_ || !mechanism_->joints[1].free || n == 0 || form_.free[0] != 0) return;
  form_.turned.first = 3;
  for (const Vec3<Symbolic>& row : {Vec3<Symbolic>{R_.x.x, R_.y.x, R_.z.x}, Vec3<Symbolic>{R_.x.y, R_.y.y, R_.z.y},
                                    Vec3<Symbolic>{R_.x.z, R_.y.z, R_.z.z}}) {
    for (const Symbolic& x : {row.x, row.y, row.z}) form_.turned.R.push_back(x.id);
  }
  turn(form_.f[3], form_.f[4], form_.f[5]);
  turn(udot[3], udot[4], udot[5]);
  if (form_.loops) {
    for (std::size_t r = 0; r < form_.loops->rows.size(); ++r) {
      Id* row = form_.loops->G.data() + r * n;
      turn(row[3], row[4], row[5]);
    }
  }
  std::vector<Id>& M = form_.M;
  const auto m = [&](std::size_t k, std::size_t l) -> Id& { return M[k * n + l]; };
  // the block of translations is the mass times the unit matrix, whatever the axes
  const bool is_mass = m(3, 3) == m(4, 4) && m(4, 4) == m(5, 5) && m(4, 3) == 0 && m(5, 3) == 0 && m(5, 4) == 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (is_mass && k >= 3 && k < 6) continue;
    turn(m(k, 3), m(k, 4), m(k, 5));
  }
  for (std::size_t l = 0; l < n; ++l) {
    if (l >= 3 && l < 6) {
      if (!is_mass) turn(m(3, l), m(4, l), m(5, l));
      continue;
    }
    for (std::size_t k = 3; k < 6; ++k) m(k, l) = m(l, k);
  }
}

std::vector<Id> FormBuilder::shortened(std::vector<Id> ids) {
  Simplifier simplifier(form_.graph, options_.readable ? most_terms_for_reading : most_terms, options_.readable);
  const std::vector<Id> simpler = simplifier.simplified(ids);
  const auto count = [&](std::span<const Id> list) { return count_operations(form_.graph, list).all(); };
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (form_.graph.is_constant(simpler[k])) ids[k] = simpler[k];  // it was zero all along
  }
  std::vector<Id> mixed = ids;
  if (ids.size() <= most_mixed) {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      if (count({&simpler[k], 1}) < count({&ids[k], 1})) mixed[k] = simpler[k];
    }
  }
  if (options_.readable) return mixed;
  const std::size_t as_is = count(ids), all_simpler = count(simpler), some_simpler = count(mixed);
  if (some_simpler < as_is && some_simpler < all_simpler) return mixed;
  return all_simpler < as_is ? simpler : ids;
}

void FormBuilder::differentiate(const Forces<Symbolic>& forces) {
  Graph& g = form_.graph;
  JacobianForm& j = form_.jacobian.emplace();
  std::vector<Symbolic> udot = forces.udot;
  j.udot.assign(u_.size(), 0);
  for (const std::uint32_t k : form_.free) {
    j.udot[k] = g.symbol();
    udot[k] = Symbolic::of(j.udot[k]);
  }
  for (const Given& given : form_.given) j.udot[given.u] = given.acceleration;
  if (form_.turned.first >= 0) {
    const Vec3<Symbolic> v = turned({udot[3], udot[4], udot[5]});
    udot[3] = v.x, udot[4] = v.y, udot[5] = v.z;
  }
  Kinematics<Symbolic> kinematics(*mechanism_);
  move_bodies(kinematics, udot.data());
  std::vector<Wrench<Symbolic>> transmitted(mechanism_->links.size());
  std::vector<Symbolic> needed(u_.size());
  transmit(*mechanism_, kinematics, turned_u_.data(), udot.data(), forces, transmitted, needed.data());
  std::vector<Id> columns;
  for (const auto* list : {&form_.q, &form_.u, &form_.s}) {
    for (const Variable& v : *list) columns.push_back(v.id);
  }
  const auto append = [&](std::vector<Id>& to, Id of, std::span<const Id> by) {
    const std::vector<Id> row = g.gradient(of, by);
    to.insert(to.end(), row.begin(), row.end());
  };
  std::vector<Id> residuals;
  for (const std::uint32_t k : form_.free) residuals.push_back((forces.tau[k] - needed[k]).id);
  if (form_.loops) add_loops(kinematics, udot, forces, residuals);
  residuals = shortened(residuals);
  for (std::size_t k = 0; k < residuals.size(); ++k) append(k < form_.nf() ? j.solved_R : j.S, residuals[k], columns);
  j.R = j.solved_R;
  if (form_.turned.first >= 0) {
    const std::size_t count = columns.size();
    Id* first = j.R.data() + static_cast<std::size_t>(form_.turned.first) * count;
    for (std::size_t c = 0; c < count; ++c) turn(first[c], first[count + c], first[2 * count + c]);
  }
  for (const Given& given : form_.given) append(j.given, given.acceleration, columns);
  const std::span<const Id> by(columns);
  for (const Id id : form_.qdot) append(j.qdot_q, id, by.first(q_.size()));
  for (const Id id : form_.qdot) append(j.qdot_u, id, by.subspan(q_.size(), u_.size()));
}

}  // namespace gyrostat::scalar
