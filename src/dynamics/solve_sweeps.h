// M^-1 times right-hand sides, one for each direction, by what articulated_body left at a point. Numbers in comments
// are the equations of docs/theory/derivatives.md.
#pragma once

#include "gyrostat/dynamics/closure_sweeps.h"
#include "gyrostat/dynamics/directions.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// The rows of a node take their part of a right-hand side.       (4)
GYROSTAT_INLINE void reduce_rows(const ClosurePlan& plan, const ClosurePlan::Node& node, const ClosureData<double>& c,
                                 std::size_t from, DerivativesData& w, Wrench<SomeDirections>* bias) {
  using P = SomeDirections;
  for (std::uint32_t n = node.eliminations; n < node.eliminations_end; ++n) {
    const ClosurePlan::Elimination& e = plan.eliminations[n];
    const P wy = P(c.pivot[e.kept]) * loaded(w.y[e.kept], from);
    if (bias != nullptr) {
      bias->torque -= wy * cast<P>(c.K[e.column].torque);
      bias->force -= wy * cast<P>(c.K[e.column].force);
    }
    for (std::uint32_t a = 0; a < e.count; ++a) {
      const ClosurePlan::Neighbour& s = plan.neighbours[e.neighbours + a];
      store(loaded(w.y[s.kept], from) - wy * P(c.L[s.slot]), from, w.y[s.kept]);
    }
  }
}

/// And give the multipliers: those of a node, whose body changes its acceleration by `change`, or of the world.     (5)
GYROSTAT_INLINE void solve_rows(const ClosurePlan& plan, const ClosurePlan::Node& node, const ClosureData<double>& c,
                                std::size_t from, DerivativesData& w, const Twist<SomeDirections>* change) {
  using P = SomeDirections;
  for (std::uint32_t n = node.eliminations_end; n-- > node.eliminations;) {
    const ClosurePlan::Elimination& e = plan.eliminations[n];
    P left = loaded(w.y[e.kept], from);
    for (std::uint32_t a = 0; a < e.count; ++a) {
      const ClosurePlan::Neighbour& s = plan.neighbours[e.neighbours + a];
      left -= P(c.L[s.slot]) * loaded(w.lambda[s.kept], from);
    }
    if (change != nullptr) {
      left -= product(*change, Wrench<P>{cast<P>(c.K[e.column].torque), cast<P>(c.K[e.column].force)});
    }
    store(P(c.pivot[e.kept]) * left, from, w.lambda[e.kept]);
  }
}

/// The modes of a flexible body take their part of right-hand sides: what their nodes and they themselves leave of it.
GYROSTAT_APART void reduce_modes(const Differentiated& at, std::uint32_t number, const ClosurePlan* plan,
                                 std::size_t from, DerivativesData& w, Wrench<SomeDirections>& bias) {
  using P = SomeDirections;
  const FlexibleOf<double>& f = at.mechanism.flexible[number];
  const ModalMotion<double>* modes = at.kinematics.modes.data() + f.modal;
  const ModalElimination<double>& e = at.articulated.flexible;
  const std::size_t n = 6 * std::size_t{f.loaded}, chunks = chunks_of(f);
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    P force = -loaded(w.right[f.u + a], from);
    for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
      const std::uint32_t i = at.mechanism.modal_nodes[t].body;
      const Twist<double>& S = at.kinematics.S[at.mechanism.links[i].S + a];
      force += product(Twist<P>{cast<P>(S.w), cast<P>(S.v)}, loaded_six<Wrench<P>>(w.bias[i], from));
    }
    store(force, from, w.right[f.u + a]);
    bias.torque -= force * cast<P>(modes[a].C.torque);
    bias.force -= force * cast<P>(modes[a].C.force);
  }
  const RowOfEight<double>* N = e.N.data() + e.first_N[f.first_loaded];
  const RowOfEight<double>* Y = e.Y.data() + 6 * std::size_t{f.first_loaded};
  Eight* y = w.nodes.data() + 6 * std::size_t{f.first_loaded};
  for (std::size_t k = 0; k < n; ++k) store(P(), from, y[k]);
  std::size_t row = 0;
  for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
    const ModalNodeOf<double>& node = at.mechanism.modal_nodes[t];
    bias += moved(loaded_six<Wrench<P>>(w.bias[node.body], from), cast<P>(at.kinematics.bodies[node.body].r));
    if (!node.loaded) continue;
    Twist<P> moves{};
    for (std::uint32_t a = 0; a < f.modes; ++a) {
      const Twist<double>& S = at.kinematics.S[at.mechanism.links[node.body].S + a];
      const P force = loaded(w.right[f.u + a], from);
      moves.w += force * cast<P>(S.w);
      moves.v += force * cast<P>(S.v);
    }
    const Six<P> six(moves);
    for (std::size_t k = 0; k < n; ++k) {
      P sum = loaded(y[k], from);
      for (std::size_t j = 0; j < 6; ++j) sum += P((&N[k * chunks][0])[row + j]) * six.v[j];
      store(sum, from, y[k]);
    }
    row += 6;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const P sum = loaded(y[k], from);
    bias.torque -= sum * cast<P>(Vec3<double>{Y[k][0], Y[k][1], Y[k][2]});
    bias.force -= sum * cast<P>(Vec3<double>{Y[k][3], Y[k][4], Y[k][5]});
  }
  const ClosureData<double>& c = at.articulated.closures;
  for (std::uint32_t r = 0; plan != nullptr && r < plan->modal[number].count; ++r) {
    const ClosurePlan::Modal& modal = plan->modal[number];
    Eight& left = w.y[plan->columns[plan->modal_columns[modal.columns + r]].kept];
    P sum = loaded(left, from);
    for (std::uint32_t a = 0; a < f.modes; ++a)
      sum += P(c.modal_G[modal.G + r * f.modes + a]) * loaded(w.right[f.u + a], from);
    for (std::size_t k = 0; k < n; ++k) sum -= P(c.modal_N[modal.N + r * n + k]) * loaded(y[k], from);
    store(sum, from, left);
  }
}

/// And give the modal accelerations, and those of the nodes, when the body changes its acceleration by `change`.
GYROSTAT_APART void solve_modes(const Differentiated& at, std::uint32_t number, const ClosurePlan* plan,
                                std::size_t from, DerivativesData& w, const Twist<SomeDirections>& change) {
  using P = SomeDirections;
  const FlexibleOf<double>& f = at.mechanism.flexible[number];
  const ModalMotion<double>* modes = at.kinematics.modes.data() + f.modal;
  const ModalElimination<double>& e = at.articulated.flexible;
  const std::size_t n = 6 * std::size_t{f.loaded}, chunks = chunks_of(f);
  const RowOfEight<double>* N = e.N.data() + e.first_N[f.first_loaded];
  const RowOfEight<double>* Y = e.Y.data() + 6 * std::size_t{f.first_loaded};
  Eight* y = w.nodes.data() + 6 * std::size_t{f.first_loaded};
  const ClosureData<double>& c = at.articulated.closures;
  for (std::uint32_t r = 0; plan != nullptr && r < plan->modal[number].count; ++r) {
    const ClosurePlan::Modal& modal = plan->modal[number];
    const P lambda = loaded(w.lambda[plan->columns[plan->modal_columns[modal.columns + r]].kept], from);
    for (std::uint32_t a = 0; a < f.modes; ++a) {
      store(loaded(w.right[f.u + a], from) - P(c.modal_G[modal.G + r * f.modes + a]) * lambda, from, w.right[f.u + a]);
    }
    for (std::size_t k = 0; k < n; ++k)
      store(loaded(y[k], from) - P(c.modal_N[modal.N + r * n + k]) * lambda, from, y[k]);
  }
  const Six<P> A(change);
  for (std::size_t k = 0; k < n; ++k) {
    P sum = -loaded(y[k], from);
    for (std::size_t j = 0; j < 6; ++j) sum += P(Y[k][j]) * A.v[j];
    store(sum, from, y[k]);
  }
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    const Wrench<P> C = {cast<P>(modes[a].C.torque), cast<P>(modes[a].C.force)};
    store(-loaded(w.right[f.u + a], from) - product(change, C), from, w.right[f.u + a]);
  }
  std::size_t row = 0;
  for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
    const ModalNodeOf<double>& node = at.mechanism.modal_nodes[t];
    if (!node.loaded) continue;
    P F[6] = {};
    for (std::size_t k = 0; k < n; ++k) {
      const P left = loaded(y[k], from);
      for (std::size_t j = 0; j < 6; ++j) F[j] += P((&N[k * chunks][0])[row + j]) * left;
    }
    const Wrench<P> wrench = {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
    for (std::uint32_t a = 0; a < f.modes; ++a) {
      const Twist<double>& S = at.kinematics.S[at.mechanism.links[node.body].S + a];
      const P rate = loaded(w.right[f.u + a], from) - product(Twist<P>{cast<P>(S.w), cast<P>(S.v)}, wrench);
      store(rate, from, w.right[f.u + a]);
    }
    row += 6;
  }
  for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
    const std::uint32_t i = at.mechanism.modal_nodes[t].body;
    Twist<P> of_node = {change.w, change.v + cross(change.w, cast<P>(at.kinematics.bodies[i].r))};
    for (std::uint32_t a = 0; a < f.modes; ++a) {
      const Twist<double>& S = at.kinematics.S[at.mechanism.links[i].S + a];
      const P rate = loaded(w.right[f.u + a], from);
      of_node.w += rate * cast<P>(S.w);
      of_node.v += rate * cast<P>(S.v);
    }
    store_six(of_node.w, of_node.v, from, w.change[i]);
  }
}

/// Adds to a body's bias force what does not come from its first child.
GYROSTAT_INLINE void add_bias(const Wrench<SomeDirections>& F, std::uint32_t body, std::size_t from,
                              DerivativesData& w) {
  Wrench<SomeDirections> sum = F;
  if (w.has_bias[body] != 0) sum += loaded_six<Wrench<SomeDirections>>(w.bias[body], from);
  w.has_bias[body] = 1;
  store_six(sum.torque, sum.force, from, w.bias[body]);
}

/// M^-1 times right-hand sides by the factors that the articulated bodies are: nothing is eliminated again. `w.bias`
/// begins as wrenches that the right-hand sides do not count.       (4), (5)
GYROSTAT_INLINE void solve_directions(const Differentiated& at, const Condition<Directional>* free, std::size_t from,
                                      DerivativesData& w) {
  using P = SomeDirections;
  const Mechanism& mechanism = at.mechanism;
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  const ClosurePlan* plan = at.closures != nullptr ? at.closures->plan : nullptr;
  const ClosureData<double>& c = at.articulated.closures;
  /// Rows that are passed on by a body lose what a change of acceleration, product by product, gives them.
  const auto take_from_rows = [&](const ClosurePlan::Node& node, const double* products, const P& rate) {
    for (std::uint32_t k = 0; k < node.passed; ++k) {
      Eight& y = w.y[plan->columns[node.column + k].kept];
      store(loaded(y, from) - P(products[k]) * rate, from, y);
    }
  };
  for (const WheelLink& wheel : mechanism.wheels) {
    if (!free[wheel.u]) continue;
    for (std::uint32_t t = plan != nullptr ? plan->first_term[wheel.u] : 0;
         plan != nullptr && t < plan->first_term[wheel.u + 1]; ++t) {
      const std::uint32_t column = plan->nodes[wheel.body].column + plan->terms[t].column;
      Eight& y = w.y[plan->columns[column].kept];
      const P per_torque(at.closures->values.coefficients[plan->terms[t].term] / wheel.inertia);
      store(loaded(y, from) - per_torque * loaded(w.right[wheel.u], from), from, y);
    }
    const Vec3<P> b = cast<P>(at.kinematics.bodies[wheel.body].R_NM * wheel.axis);
    add_bias({loaded(w.right[wheel.u], from) * b, {}}, wheel.body, from, w);
  }
  Wrench<P> carried{};  // by the body before: the first child, along a chain
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<double>& body = at.kinematics.bodies[i];
    const Eliminated<double>* e = at.articulated.eliminated.data() + link.u;
    const Twist<double>* S = at.kinematics.S.data() + link.S;
    Wrench<P> bias = carried;
    if (w.has_bias[i] != 0) bias += loaded_six<Wrench<P>>(w.bias[i], from);
    carried = {};
    if (link.flexible != LinkStructure::none) [[unlikely]]
      reduce_modes(at, link.flexible, plan, from, w, bias);
    if (plan != nullptr) reduce_rows(*plan, plan->nodes[i], c, from, w, &bias);
    if (link.motion == JointMotion::modal) [[unlikely]] {
      store_six(bias.torque, bias.force, from, w.bias[i]);
      continue;
    }
    if (link.motion == JointMotion::floating) {
      Wrench<P> F = {-bias.torque, -bias.force};
      for (std::size_t k = 0; k < 6; ++k) {
        const P right = loaded(w.right[link.u + k], from);
        F.torque += right * cast<P>(S[k].w);
        F.force += right * cast<P>(S[k].v);
      }
      const Inertia<double>& A = at.articulated.floating[link.floating];
      const Twist<P> change = solved(Inertia<P>{cast<P>(A.I), cast<P>(A.H), cast<P>(A.M)}, F);
      const Condition<P> is_free = static_cast<bool>(free[link.u]);
      const Twist<P> taken = {choose<P>(is_free, change.w, {}), choose<P>(is_free, change.v, {})};
      store_six(taken.w, taken.v, from, w.change[i]);
      for (std::uint32_t k = 0; plan != nullptr && k < plan->nodes[i].passed; ++k) {
        const std::uint32_t column = plan->nodes[i].column + k;
        Eight& y = w.y[plan->columns[column].kept];
        const Wrench<P> K = {cast<P>(c.K[column].torque), cast<P>(c.K[column].force)};
        store(loaded(y, from) - product(taken, K), from, y);
      }
      continue;
    }
    const Vec3<P> r = cast<P>(body.r);
    const P unmoved = link.motion == JointMotion::revolute ? dot(cast<P>(body.R_NM.z), bias.torque) : P();
    bias = moved(bias, r);
    const auto eliminate = [&](std::size_t k, const P& projected) {
      const P rate = (loaded(w.right[link.u + k], from) - projected) * P(e[k].D_inverse);
      store(rate, from, w.right[link.u + k]);
      bias.torque += rate * cast<P>(e[k].U.torque);
      bias.force += rate * cast<P>(e[k].U.force);
      if (plan == nullptr) return;
      take_from_rows(plan->nodes[i], c.G.data() + plan->nodes[i].G + k * plan->nodes[i].passed, rate);
    };
    if (link.motion == JointMotion::revolute) {
      eliminate(0, unmoved);
    } else if (link.motion == JointMotion::prismatic) {
      eliminate(0, dot(cast<P>(body.R_NM.z), bias.force));
    } else {
      for (std::size_t k = link.nu; k-- > 0;) {
        const Twist<double> at_parent = {S[k].w, S[k].v - cross(S[k].w, body.r)};
        eliminate(k, product(Twist<P>{cast<P>(at_parent.w), cast<P>(at_parent.v)}, bias));
      }
    }
    if (link.parent == i - 1) {
      carried = bias;
    } else {
      add_bias(bias, link.parent, from, w);
    }
  }
  if (plan != nullptr) {
    reduce_rows(*plan, plan->nodes[0], c, from, w, nullptr);
    solve_rows(*plan, plan->nodes[0], c, from, w, nullptr);
  }
  Twist<P> change{};  // of the body before: the parent, along a chain
  for (std::uint32_t i = 1; i < count; ++i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<double>& body = at.kinematics.bodies[i];
    const Eliminated<double>* e = at.articulated.eliminated.data() + link.u;
    const Twist<double>* S = at.kinematics.S.data() + link.S;
    if (link.motion == JointMotion::floating) {
      change = loaded_six<Twist<P>>(w.change[i], from);
      for (std::uint32_t k = 0; plan != nullptr && k < plan->nodes[i].passed; ++k) {
        const std::uint32_t column = plan->nodes[i].column + k;
        const P lambda = loaded(w.lambda[plan->columns[column].kept], from);
        change.w += lambda * cast<P>(c.X[column].w);
        change.v += lambda * cast<P>(c.X[column].v);
      }
      if (plan != nullptr) {
        store_six(change.w, change.v, from, w.change[i]);
        solve_rows(*plan, plan->nodes[i], c, from, w, &change);
      }
      for (std::size_t k = 0; k < 3; ++k) store(dot(cast<P>(S[k].w), change.w), from, w.right[link.u + k]);
      store(change.v.x, from, w.right[link.u + 3]);
      store(change.v.y, from, w.right[link.u + 4]);
      store(change.v.z, from, w.right[link.u + 5]);
      if (link.flexible != LinkStructure::none) solve_modes(at, link.flexible, plan, from, w, change);
      continue;
    }
    if (link.motion == JointMotion::modal) [[unlikely]] {
      change = loaded_six<Twist<P>>(w.change[i], from);
      if (plan != nullptr) solve_rows(*plan, plan->nodes[i], c, from, w, &change);
      continue;
    }
    if (link.parent != i - 1) change = loaded_six<Twist<P>>(w.change[link.parent], from);
    const auto rate_of = [&](std::size_t k) {
      const Wrench<P> U = {cast<P>(e[k].U.torque), cast<P>(e[k].U.force)};
      P drive = -product(change, U);
      const ClosurePlan::Node* node = plan != nullptr ? &plan->nodes[i] : nullptr;
      for (std::uint32_t n = 0; node != nullptr && n < node->passed; ++n) {
        drive += P(c.G[node->G + k * node->passed + n]) * loaded(w.lambda[plan->columns[node->column + n].kept], from);
      }
      const P rate = loaded(w.right[link.u + k], from) + P(e[k].D_inverse) * drive;
      store(rate, from, w.right[link.u + k]);
      return rate;
    };
    const Vec3<P> r = cast<P>(body.r);
    if (link.motion == JointMotion::revolute) {
      const P rate = rate_of(0);
      change.v += cross(change.w, r);
      change.w += rate * cast<P>(body.R_NM.z);
    } else {
      Twist<double> only;
      const Twist<double>* columns = subspace_of(link, at.kinematics, body, only);
      for (std::size_t k = 0; k < link.nu; ++k) {
        const P rate = rate_of(k);
        change.w += rate * cast<P>(columns[k].w);
        change.v += rate * cast<P>(columns[k].v - cross(columns[k].w, body.r));
      }
      change.v += cross(change.w, r);
    }
    if (link.branch_sum != 0 || link.special) store_six(change.w, change.v, from, w.change[i]);
    if (plan != nullptr) solve_rows(*plan, plan->nodes[i], c, from, w, &change);
    if (link.flexible != LinkStructure::none) [[unlikely]]
      solve_modes(at, link.flexible, plan, from, w, change);
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    const Vec3<P> b = cast<P>(at.kinematics.bodies[wheel.body].R_NM * wheel.axis);
    const Twist<P> of_body = loaded_six<Twist<P>>(w.change[wheel.body], from);
    P torque = loaded(w.right[wheel.u], from);
    for (std::uint32_t t = plan != nullptr ? plan->first_term[wheel.u] : 0;
         plan != nullptr && t < plan->first_term[wheel.u + 1]; ++t) {
      const std::uint32_t column = plan->nodes[wheel.body].column + plan->terms[t].column;
      torque +=
          P(at.closures->values.coefficients[plan->terms[t].term]) * loaded(w.lambda[plan->columns[column].kept], from);
    }
    const P rate = torque * P(1 / wheel.inertia) - dot(b, of_body.w);
    store(select(Condition<P>(static_cast<bool>(free[wheel.u])), rate, P()), from, w.right[wheel.u]);
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
