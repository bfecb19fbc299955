// The sweeps of the articulated-body recursion with constraints, over any scalar. Numbers in comments are the equations
// of docs/theory/closures.md.
#pragma once

#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/closures.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// x += y and x -= y for scalars that have no such operators.
template <class T>
GYROSTAT_INLINE void add(T& x, const T& y) {
  x = x + y;
}
template <class T>
GYROSTAT_INLINE void take(T& x, const T& y) {
  x = x - y;
}

/// A += w a a^T for a wrench a: its six rows and columns.
template <class T>
GYROSTAT_INLINE void add_square(Inertia<T>& A, const T& w, const Wrench<T>& a) {
  const Vec3<T> torque = -(w * a.torque), force = -(w * a.force);
  subtract_square(A.I, torque, a.torque);
  subtract_square(A.M, force, a.force);
  A.H = {A.H.x - a.force.x * torque, A.H.y - a.force.y * torque, A.H.z - a.force.z * torque};
}

template <class T>
GYROSTAT_INLINE void subtract(Wrench<T>& a, const T& factor, const Wrench<T>& b) {
  a.torque -= factor * b.torque;
  a.force -= factor * b.force;
}

// --- the matrix: K, G, L and the pivots ------------------------------------------------------------------------------

/// The wrenches that rows exert on a body, and the terms of its wheels.       (1)
template <class T, class C>
GYROSTAT_INLINE void add_ends(const MechanismOf<C>& mechanism, std::uint32_t i, const BodyMotion<T>& body,
                              const Forces<T>& forces, const Closures<T>& closures, ClosureData<T>& w) {
  const ClosurePlan& plan = *closures.plan;
  const ClosurePlan::Node& node = plan.nodes[i];
  for (std::uint32_t e = node.ends; e < node.ends_end; ++e) {
    const ClosurePlan::End& end = plan.ends[e];
    w.K[end.column] += closures.values.rows[end.row].on_bodies[end.side];
  }
  if (!mechanism.links[i].wheels) return;
  for (std::uint32_t n = mechanism.wheel_of[i]; n < mechanism.wheel_of[i + 1]; ++n) {
    const WheelOf<C>& wheel = mechanism.wheels[n];
    const Condition<T>& free = forces.free[wheel.u];
    std::uint32_t slot = plan.first_wheel_slot[wheel.u];
    for (std::uint32_t a = plan.first_term[wheel.u]; a < plan.first_term[wheel.u + 1]; ++a) {
      const T& g = closures.values.coefficients[plan.terms[a].term];
      const std::uint32_t column = node.column + plan.terms[a].column;
      const Vec3<T> b = body.R_NM * wheel.axis;
      const T J_inverse = T(1.0) / wheel.inertia;
      w.K[column].torque -= select(free, g, T(0.0)) * b;
      take(w.y[plan.columns[column].kept],
           T(g * select(free, J_inverse * forces.tau[wheel.u] - dot(b, body.alpha), forces.udot[wheel.u])));
      for (std::uint32_t c = plan.first_term[wheel.u]; c <= a; ++c, ++slot) {
        const T& other = closures.values.coefficients[plan.terms[c].term];
        add(w.L[plan.wheel_slots[slot]], T(select(free, g * other * J_inverse, T(0.0))));
      }
    }
  }
}

/// Eliminates the rows that are assigned to a body, or to the world, where `A` is null.       (2)
template <class T>
GYROSTAT_INLINE void eliminate_rows(const ClosurePlan& plan, const ClosurePlan::Node& node, Articulated<T>* A,
                                    ClosureData<T>& w, T& health) {
  for (std::uint32_t n = node.eliminations; n < node.eliminations_end; ++n) {
    const ClosurePlan::Elimination& e = plan.eliminations[n];
    using std::max;
    using std::min;
    const T scaled = w.L[e.diagonal] * T(plan.inverse_scale[e.kept]);
    health = min(health, scaled);
    const T pivot = T(plan.inverse_scale[e.kept]) / max(scaled, T(1e-18));
    w.pivot[e.kept] = pivot;
    const T wy = pivot * w.y[e.kept];
    if (A != nullptr) {
      const Wrench<T>& k = w.K[e.column];
      add_square(A->inertia, pivot, k);
      subtract(A->bias, wy, k);
    }
    std::uint32_t pair = e.pairs;
    for (std::uint32_t a = 0; a < e.count; ++a) {
      const ClosurePlan::Neighbour& s = plan.neighbours[e.neighbours + a];
      const T wL = pivot * w.L[s.slot];
      if (A != nullptr) subtract(w.K[s.column], wL, w.K[e.column]);
      take(w.y[s.kept], T(wy * w.L[s.slot]));
      for (std::uint32_t b = 0; b <= a; ++b, ++pair) {
        take(w.L[plan.neighbour_slots[pair]], T(wL * w.L[plan.neighbours[e.neighbours + b].slot]));
      }
    }
  }
}

/// The products of a joint's columns that are passed on with each other, and with what drives the joint.       (4), (5)
/// N is their number, or 0 for any.
template <std::uint32_t N = 0, class T>
GYROSTAT_INLINE void add_compliance(const ClosurePlan::Node& node, const ClosurePlan& plan, const Eliminated<T>& e,
                                    const T* G, ClosureData<T>& w) {
  const ClosurePlan::Column* columns = plan.columns.data() + node.column;
  const std::uint32_t* slot = plan.pair_slots.data() + node.slots;
  const std::uint32_t passed = N > 0 ? N : node.passed;
  for (std::uint32_t c = 0; c < passed; ++c) {
    const T DG = e.D_inverse * G[c];
    for (std::uint32_t d = 0; d <= c; ++d, ++slot) add(w.L[*slot], T(DG * G[d]));
    take(w.y[columns[c].kept], T(G[c] * e.udot));
  }
}

/// A speed's own terms among the columns.
template <class T>
GYROSTAT_INLINE void add_terms(const Closures<T>& closures, std::uint32_t u, T* G) {
  const ClosurePlan& plan = *closures.plan;
  for (std::uint32_t t = plan.first_term[u]; t < plan.first_term[u + 1]; ++t) {
    add(G[plan.terms[t].column], closures.values.coefficients[plan.terms[t].term]);
  }
}

/// What the elimination of a joint with one axis does to the N columns that it passes on, or to any number (0). (3)-(6)
template <std::uint32_t N, class T, class C>
GYROSTAT_INLINE void pass_along_axis(const LinkOf<C>& link, const BodyMotion<T>& body, const Eliminated<T>& e,
                                     const Closures<T>& closures, const ClosurePlan::Node& node, ClosureData<T>& w) {
  const ClosurePlan& plan = *closures.plan;
  const Wrench<T>* K = w.K.data() + node.column;
  T* G = w.G.data() + node.G;
  const std::uint32_t passed = N > 0 ? N : node.passed;
  const bool turns = link.motion == JointMotion::revolute;
  for (std::uint32_t c = 0; c < passed; ++c) G[c] = dot(body.R_NM.z, turns ? K[c].torque : K[c].force);
  add_terms(closures, link.u, G);
  for (std::uint32_t c = 0; c < passed; ++c) {
    const std::uint32_t at_parent = plan.columns[node.column + c].at_parent;
    if (at_parent == ClosurePlan::none) continue;
    Wrench<T> carried = moved(K[c], body.r);
    subtract(carried, T(e.D_inverse * G[c]), e.U);
    w.K[at_parent] += carried;
  }
  add_compliance<N>(node, plan, e, G, w);
}

/// The same of any joint.
template <class T, class C>
GYROSTAT_INLINE void pass_columns(const LinkOf<C>& link, const BodyMotion<T>& body, const Twist<T>* S,
                                  const Eliminated<T>* e, const Closures<T>& closures, const ClosurePlan::Node& node,
                                  ClosureData<T>& w) {
  const ClosurePlan& plan = *closures.plan;
  Wrench<T>* K = w.K.data() + node.column;
  const ClosurePlan::Column* columns = plan.columns.data() + node.column;
  T* G = w.G.data() + node.G;
  if (link.motion == JointMotion::revolute || link.motion == JointMotion::prismatic) {
    switch (node.passed) {
      case 1: return pass_along_axis<1>(link, body, *e, closures, node, w);
      case 2: return pass_along_axis<2>(link, body, *e, closures, node, w);
      case 3: return pass_along_axis<3>(link, body, *e, closures, node, w);
      default: return pass_along_axis<0>(link, body, *e, closures, node, w);
    }
  }
  for (std::uint32_t c = 0; c < node.passed; ++c) K[c] = moved(K[c], body.r);
  for (std::size_t k = link.nu; k-- > 0;) {
    T* g = G + k * node.passed;
    const Twist<T> at_parent = {S[k].w, S[k].v - cross(S[k].w, body.r)};
    for (std::uint32_t c = 0; c < node.passed; ++c) g[c] = product(at_parent, K[c]);  // (3)
    add_terms(closures, static_cast<std::uint32_t>(link.u + k), g);
    for (std::uint32_t c = 0; c < node.passed; ++c) subtract(K[c], T(e[k].D_inverse * g[c]), e[k].U);
    add_compliance(node, plan, e[k], g, w);
  }
  for (std::uint32_t c = 0; c < node.passed; ++c) {  // (6)
    if (columns[c].at_parent != ClosurePlan::none) w.K[columns[c].at_parent] += K[c];
  }
}

/// The same of a floating body: its six degrees of freedom at once.       (9)
template <class T>
GYROSTAT_INLINE void pass_floating(const LinkStructure& link, const Articulated<T>& A, const Twist<T>& increment,
                                   const Forces<T>& forces, const Closures<T>& closures, const ClosurePlan::Node& node,
                                   ClosureData<T>& w) {
  const ClosurePlan& plan = *closures.plan;
  const Condition<T>& free = forces.free[link.u];
  for (std::uint32_t k = 3; k < 6; ++k) {  // velocity in world axes: a term is a force there
    for (std::uint32_t t = plan.first_term[link.u + k]; t < plan.first_term[link.u + k + 1]; ++t) {
      Vec3<T>& force = w.K[node.column + plan.terms[t].column].force;
      T& component = k == 3 ? force.x : k == 4 ? force.y : force.z;
      component = component + closures.values.coefficients[plan.terms[t].term];
    }
  }
  const std::uint32_t* slot = plan.pair_slots.data() + node.slots;
  for (std::uint32_t c = 0; c < node.passed; ++c) {
    const Wrench<T>& K = w.K[node.column + c];
    Twist<T>& X = w.X[node.column + c];
    const Twist<T> solution = solved(A.inertia, K);
    X = {choose<T>(free, solution.w, {}), choose<T>(free, solution.v, {})};
    for (std::uint32_t d = 0; d <= c; ++d, ++slot) add(w.L[*slot], T(product(X, w.K[node.column + d])));
    take(w.y[plan.columns[node.column + c].kept], T(product(increment, K)));
  }
}

/// The columns that the nodes of a flexible body pass to it, as its modes leave them.       (10), (11)
template <class T, class C>
GYROSTAT_APART void pass_modal(const MechanismOf<C>& mechanism, std::uint32_t number, const Kinematics<T>& kinematics,
                               const ClosurePlan& plan, ArticulatedBodyData<T>& workspace) {
  const FlexibleOf<C>& f = mechanism.flexible[number];
  const ClosurePlan::Modal& modal = plan.modal[number];
  if (modal.count == 0) return;
  ClosureData<T>& w = workspace.closures;
  const ModalElimination<T>& e = workspace.flexible;
  const std::size_t n = 6 * std::size_t{f.loaded}, chunks = chunks_of(f);
  const RowOfEight<T>* N = e.N.data() + e.first_N[f.first_loaded];
  const RowOfEight<T>* Y = e.Y.data() + 6 * std::size_t{f.first_loaded};
  const T* force = e.modal_force.data() + f.modal;
  const std::uint32_t* slot = plan.modal_slots.data() + modal.slots;
  for (std::uint32_t c = 0; c < modal.count; ++c) {
    const std::uint32_t column = plan.modal_columns[modal.columns + c], kept = plan.columns[column].kept;
    T *g = w.modal_G.data() + modal.G + c * f.modes, *b = w.modal_N.data() + modal.N + c * n;
    for (std::uint32_t a = 0; a < f.modes; ++a) g[a] = T(0.0);
    for (std::size_t k = 0; k < n; ++k) b[k] = T(0.0);
    for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
      const std::uint32_t i = mechanism.modal_nodes[t].body;
      const ClosurePlan::Node& node = plan.nodes[i];
      const Twist<T>* S = kinematics.S.data() + mechanism.links[i].S;
      for (std::uint32_t d = node.column; d < node.column + node.passed; ++d) {
        if (plan.columns[d].at_parent != column) continue;
        w.K[column] += moved(w.K[d], kinematics.bodies[i].r);
        for (std::uint32_t a = 0; a < f.modes; ++a) g[a] = g[a] + product(S[a], w.K[d]);
      }
    }
    std::size_t row = 0;
    for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
      const ModalNodeOf<C>& node = mechanism.modal_nodes[t];
      if (!node.loaded) continue;
      const Twist<T>* S = kinematics.S.data() + mechanism.links[node.body].S;
      Twist<T> moves{};
      for (std::uint32_t a = 0; a < f.modes; ++a) {
        moves.w += g[a] * S[a].w;
        moves.v += g[a] * S[a].v;
      }
      const Six<T> six(moves);
      for (std::size_t k = 0; k < n; ++k) {
        const T* of_row = &N[k * chunks][0] + row;
        for (std::size_t j = 0; j < 6; ++j) b[k] = b[k] + of_row[j] * six.v[j];
      }
      row += 6;
    }
    Wrench<T>& K = w.K[column];
    T gain(0.0);
    for (std::uint32_t a = 0; a < f.modes; ++a) {
      subtract(K, g[a], kinematics.modes[f.modal + a].C);
      gain = gain + g[a] * force[a];
    }
    for (std::size_t k = 0; k < n; ++k) {
      const RowOfEight<T>& y = Y[k];
      subtract(K, b[k], Wrench<T>{{y[0], y[1], y[2]}, {y[3], y[4], y[5]}});
      gain = gain - b[k] * y[6];
    }
    add(w.y[kept], gain);
    for (std::uint32_t d = 0; d <= c; ++d, ++slot) {
      const T *other = w.modal_G.data() + modal.G + d * f.modes, *other_b = w.modal_N.data() + modal.N + d * n;
      T sum(0.0);
      for (std::uint32_t a = 0; a < f.modes; ++a) sum = sum + g[a] * other[a];
      for (std::size_t k = 0; k < n; ++k) sum = sum - b[k] * other_b[k];
      add(w.L[*slot], sum);
    }
  }
}

/// What the multipliers of these columns add to the forces on the modes.       (12)
template <class T, class C>
GYROSTAT_APART void drive_modes(const MechanismOf<C>& mechanism, std::uint32_t number, const ClosurePlan& plan,
                                ArticulatedBodyData<T>& workspace) {
  const FlexibleOf<C>& f = mechanism.flexible[number];
  const ClosurePlan::Modal& modal = plan.modal[number];
  const ClosureData<T>& w = workspace.closures;
  const std::size_t n = 6 * std::size_t{f.loaded};
  RowOfEight<T>* Y = workspace.flexible.Y.data() + 6 * std::size_t{f.first_loaded};
  T* force = workspace.flexible.modal_force.data() + f.modal;
  for (std::uint32_t c = 0; c < modal.count; ++c) {
    const T& lambda = w.lambda[plan.columns[plan.modal_columns[modal.columns + c]].kept];
    const T *g = w.modal_G.data() + modal.G + c * f.modes, *b = w.modal_N.data() + modal.N + c * n;
    for (std::uint32_t a = 0; a < f.modes; ++a) force[a] = force[a] - g[a] * lambda;
    for (std::size_t k = 0; k < n; ++k) Y[k][6] = Y[k][6] - b[k] * lambda;
  }
}

template <class T, class C>
GYROSTAT_INLINE void closed_inward(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics, const T* u,
                                   const Forces<T>& forces, Closures<T>& closures, ArticulatedBodyData<T>& workspace) {
  const ClosurePlan& plan = *closures.plan;
  ClosureData<T>& w = workspace.closures;
  for (Wrench<T>& K : w.K) K = {};
  for (T& L : w.L) L = T(0.0);
  for (std::size_t k = 0; k < plan.kept.size(); ++k) w.y[k] = closures.demanded[plan.kept[k]];
  closures.health = T(1.0);
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  Articulated<T> A{};
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    const ClosurePlan::Node& node = plan.nodes[i];
    add_body(mechanism, i, kinematics, u, forces, workspace, A);
    add_branches(link, workspace, A);
    if (link.flexible != LinkStructure::none) [[unlikely]]
      pass_modal<T, C>(mechanism, link.flexible, kinematics, plan, workspace);
    add_ends(mechanism, i, body, forces, closures, w);
    eliminate_rows(plan, node, &A, w, closures.health);
    if (link.motion == JointMotion::modal) [[unlikely]] {
      workspace.flexible.nodes[link.modal_node] = A;
      A = {};
      continue;
    }
    const Twist<T>* general = kinematics.S.data() + link.S;
    if (link.motion == JointMotion::floating) {
      workspace.floating[link.floating] = A.inertia;
      workspace.increment[i] = floating_increment(link, general, forces, A);
      pass_floating(link, A, workspace.increment[i], forces, closures, node, w);
      A = {};
      continue;
    }
    eliminate_joint(link, body, general, forces, A, workspace.eliminated.data() + link.u);
    if (node.passed > 0) {
      pass_columns(link, body, general, workspace.eliminated.data() + link.u, closures, node, w);
    }
    hand_over(mechanism, i, workspace, A);
  }
  eliminate_rows(plan, plan.nodes[0], static_cast<Articulated<T>*>(nullptr), w, closures.health);
}

// --- the solution ----------------------------------------------------------------------------------------------------

/// The multipliers of the rows that are eliminated at a body, which accelerates by `increment`, or at the world.   (7)
template <class T, class P>
GYROSTAT_INLINE void find_multipliers(const ClosurePlan& plan, const ClosurePlan::Node& node, const Twist<P>* increment,
                                      const ClosureData<T>& w, const P* y, P* lambda) {
  for (std::uint32_t n = node.eliminations_end; n-- > node.eliminations;) {
    const ClosurePlan::Elimination& e = plan.eliminations[n];
    P left = y[e.kept];
    for (std::uint32_t a = 0; a < e.count; ++a) {
      const ClosurePlan::Neighbour& s = plan.neighbours[e.neighbours + a];
      left = left - w.L[s.slot] * lambda[s.kept];
    }
    if (increment != nullptr) {
      const Wrench<T>& k = w.K[e.column];
      left = left - (k.torque.x * increment->w.x + k.torque.y * increment->w.y + k.torque.z * increment->w.z) -
             (k.force.x * increment->v.x + k.force.y * increment->v.y + k.force.z * increment->v.z);
    }
    lambda[e.kept] = w.pivot[e.kept] * left;
  }
}

template <class T, class C>
GYROSTAT_INLINE void closed_outward(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics,
                                    const Forces<T>& forces, Closures<T>& closures, ArticulatedBodyData<T>& workspace,
                                    T* udot) {
  const ClosurePlan& plan = *closures.plan;
  ClosureData<T>& w = workspace.closures;
  find_multipliers<T, T>(plan, plan.nodes[0], nullptr, w, w.y.data(), w.lambda.data());
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  Twist<T> at{};
  for (std::uint32_t i = 1; i < count; ++i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    const ClosurePlan::Node& node = plan.nodes[i];
    const ClosurePlan::Column* columns = plan.columns.data() + node.column;
    const Eliminated<T>* e = workspace.eliminated.data() + link.u;
    if (link.motion == JointMotion::floating) {
      at = workspace.increment[i];
      for (std::uint32_t c = 0; c < node.passed; ++c) {
        at.w += w.lambda[columns[c].kept] * w.X[node.column + c].w;
        at.v += w.lambda[columns[c].kept] * w.X[node.column + c].v;
      }
      accelerate_floating(link, kinematics.S.data() + link.S, at, udot);
    } else if (link.motion == JointMotion::modal) {
      at = workspace.increment[i];
    } else {
      if (link.parent != i - 1) at = workspace.increment[link.parent];
      const auto drive = [&](std::size_t k) {  // (8)
        const T* G = w.G.data() + node.G + k * node.passed;
        T force(0.0);
        for (std::uint32_t c = 0; c < node.passed; ++c) force = force + G[c] * w.lambda[columns[c].kept];
        return T(force - product(at, e[k].U));
      };
      accelerate_joint(link, kinematics, body, e, drive, at, udot);
    }
    workspace.increment[i] = at;
    find_multipliers(plan, node, &at, w, w.y.data(), w.lambda.data());
    if (link.flexible != LinkStructure::none) [[unlikely]] {
      drive_modes<T, C>(mechanism, link.flexible, plan, workspace);
      accelerate_modes<T, C>(mechanism, link.flexible, kinematics, workspace, workspace.increment[i], udot);
    }
  }
  for (const WheelOf<C>& wheel : mechanism.wheels) {
    const BodyMotion<T>& body = kinematics.bodies[wheel.body];
    const Vec3<T> alpha = body.alpha + workspace.increment[wheel.body].w;
    T tau = forces.tau[wheel.u];
    for (std::uint32_t t = plan.first_term[wheel.u]; t < plan.first_term[wheel.u + 1]; ++t) {
      const std::uint32_t column = plan.nodes[wheel.body].column + plan.terms[t].column;
      tau = tau + closures.values.coefficients[plan.terms[t].term] * w.lambda[plan.columns[column].kept];
    }
    const T decided = tau / wheel.inertia - dot(body.R_NM * wheel.axis, alpha);
    udot[wheel.u] = select(forces.free[wheel.u], decided, forces.udot[wheel.u]);
  }
  for (std::size_t k = 0; k < plan.kept.size(); ++k) closures.multipliers[plan.kept[k]] = w.lambda[k];
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
