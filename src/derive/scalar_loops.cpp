// Constraints that close loops, in a scalar form: rows by the plant's own templates, and the solution with multipliers.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/constraints/assemble.h"
#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/derive/scalar_builder.h"

namespace gyrostat::scalar {

namespace {

/// Vectors and numbers of constraint rows as symbols; their points are nodes, which are symbols already.
class ConstraintNumbers {
 public:
  ConstraintNumbers(const System& system, const std::vector<NodeOf<Symbolic>>& nodes, Parameters& parameters)
      : system_(system), nodes_(nodes), parameters_(parameters) {}

  void set(CutJointConstraint<Symbolic>& to, const CutJointConstraint<double>& from, const Constraint& one) const {
    const Joint& joint = std::get<CutJoint>(one.kind).joint;
    attach(to.nodes, joint.parent_node, joint.child_node);
    for (std::size_t k = 0; k < from.translation_count; ++k) {
      const std::string name = fmt::format("{}.row{}", one.name, k + 1);
      to.translations[k].n = parameters_.unit_vector(name + "_n", from.translations[k].n);
      to.translations[k].c = parameters_.number(name + "_c", "m", from.translations[k].c);
    }
    for (std::size_t k = 0; k < from.rotation_count; ++k) {
      const std::string name = fmt::format("{}.row{}", one.name, from.translation_count + k + 1U);
      to.rotations[k].x = parameters_.unit_vector(name + "_a", from.rotations[k].x);
      to.rotations[k].y = parameters_.unit_vector(name + "_b", from.rotations[k].y);
      to.rotations[k].c = parameters_.number(name + "_c", "", from.rotations[k].c);
    }
  }
  void set(CouplingConstraint<Symbolic>& to, const CouplingConstraint<double>& from, const Constraint& one) const {
    const std::vector<StateEntry> names = coordinate_entries(system_);
    for (std::size_t k = 0; k < from.terms.size(); ++k) {
      const double value = from.terms[k].coefficient;
      const std::string& coordinate = names[from.terms[k].q].name;
      if (one.type == "gear") {
        // q2 = ratio q1 + offset
        if (k == 0) to.terms[k].coefficient = -parameters_.number(one.name + ".ratio", "", -value, one.path + ".ratio");
        continue;
      }
      const std::string place = fmt::format("{}.coupling.{}", one.path, coordinate);
      if ((value == 1 || value == -1) && !parameters_.follows(place)) continue;
      to.terms[k].coefficient = parameters_.number(one.name + ".of_" + coordinate, "", value, place);
    }
  }
  void set(DistanceConstraint<Symbolic>& to, const DistanceConstraint<double>& /*from*/, const Constraint& one) const {
    const auto& distance = std::get<Distance>(one.kind);
    attach(to.nodes, distance.parent_node, distance.child_node);
  }
  void set(PointOnFrameConstraint<Symbolic>& to, const PointOnFrameConstraint<double>& from,
           const Constraint& one) const {
    const auto& point = std::get<PointOnFrame>(one.kind);
    attach(to.nodes, point.frame_node, point.point_node);
    for (std::size_t k = 0; k < from.count; ++k) {
      to.directions[k] = parameters_.unit_vector(fmt::format("{}.row{}_n", one.name, k + 1), from.directions[k]);
    }
  }

 private:
  void attach(NodePair<Symbolic>& to, std::uint32_t a, std::uint32_t b) const {
    to.a.lever = nodes_[a].p;
    to.b.lever = nodes_[b].p;
  }

  const System& system_;
  const std::vector<NodeOf<Symbolic>>& nodes_;
  Parameters& parameters_;
};

std::string row_name(const System& system, const Constraints& constraints, std::uint32_t row) {
  const std::size_t of = constraints.constraint_of(row);
  const std::uint32_t first = constraints.first_row[of], end = constraints.first_row[of + 1];
  const std::string& name = system.constraints[of].name;
  return end - first == 1 ? name : fmt::format("{}, row {}", name, row - first + 1);
}

/// a D^-1 b
Id weighted_product(Graph& g, const std::vector<Id>& D_inverse, const Id* a, const Id* b) {
  Id sum = 0;
  for (std::size_t k = 0; k < D_inverse.size(); ++k) sum = g.add(sum, g.multiply(g.multiply(a[k], D_inverse[k]), b[k]));
  return sum;
}

}  // namespace

ConstraintsOf<Symbolic> FormBuilder::symbolic_constraints(const Mechanism& plain) {
  const Constraints numbers = make_constraints(plain);
  ConstraintsOf<Symbolic> made = numbers.as<Symbolic>();
  const ConstraintNumbers to(system_, nodes_, parameters_);
  // The lists have the constraints of each kind in the order of the System.
  const auto of_kind = [&]<std::size_t kind>(std::integral_constant<std::size_t, kind>) {
    std::size_t k = 0;
    for (const Constraint& one : system_.constraints) {
      if (one.kind.index() != kind) continue;
      to.set(std::get<kind>(made.kinds)[k], std::get<kind>(numbers.kinds)[k], one);
      ++k;
    }
  };
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    (of_kind(std::integral_constant<std::size_t, kind>()), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(made.kinds)>>());
  return made;
}

std::vector<std::uint32_t> FormBuilder::independent_rows() {
  Dynamics dynamics(system_, DynamicsSettings(model_));
  if (dynamics.constraints().rows() == 0) return {};  // a free joint that closes a loop restrains nothing
  // Where loops are not quite closed, rows that are redundant where they are closed need not be.
  const Forces<double> forces(system_);
  const Assembly assembly =
      gyrostat::assemble(dynamics.mechanism(), dynamics.constraints(), system_.initial, forces.free, forces.equals);
  const State& start = assembly.closed() ? assembly.state : system_.initial;
  Eigen::VectorXd udot;
  dynamics.update(start);
  try {
    dynamics.accelerations(start, forces, udot);
  } catch (const ClosureError& error) {
    throw std::invalid_argument(error.what());
  }
  std::vector<std::uint32_t> kept = dynamics.closures().plan->kept;
  for (std::uint32_t row = 0; row < dynamics.constraints().rows(); ++row) {
    const bool is_kept = std::ranges::find(kept, row) != kept.end();
    (is_kept ? form_.loops->rows : form_.loops->left_out).push_back(row_name(system_, dynamics.constraints(), row));
  }
  return kept;
}

std::vector<Symbolic> FormBuilder::jacobian_row(const RowStructure& structure, const ConstraintRows<Symbolic>& rows,
                                                const Kinematics<Symbolic>& kinematics, std::uint32_t row) const {
  std::vector<Symbolic> J(u_.size());
  for (std::size_t side = 0; side < 2; ++side) {
    Wrench<Symbolic> F = rows.rows[row].on_bodies[side];
    for (std::uint32_t i = structure.bodies[row][side]; i != 0; i = mechanism_->links[i].parent) {
      const LinkOf<Symbolic>& link = mechanism_->links[i];
      const Twist<Symbolic>* S = kinematics.S.data() + link.S;
      for (std::uint32_t k = 0; k < link.nu; ++k) J[link.u + k] += product(S[k], F);
      F = moved(F, kinematics.bodies[i].r);
    }
  }
  for (std::size_t k = 0; k < structure.terms.size(); ++k) {
    if (structure.terms[k].row == row) J[structure.terms[k].u] += rows.coefficients[k];
  }
  return J;
}

void FormBuilder::solve_closed(const Mechanism& plain, const Kinematics<Symbolic>& kinematics,
                               const Forces<Symbolic>& forces) {
  Graph& g = form_.graph;
  LoopForm& loops = form_.loops.emplace();
  const std::vector<std::uint32_t> kept = independent_rows();
  const std::size_t n = form_.nf(), m = kept.size();
  if (loops.rows.empty() && loops.left_out.empty()) {
    form_.loops.reset();
    set_accelerations(completed(half_solved(form_.solved_f)));
    return;
  }
  closed_.emplace(Closed{symbolic_constraints(plain), kept, {}});
  const ConstraintsOf<Symbolic>& constraints = closed_->constraints;
  ConstraintRows<Symbolic> rows = make_rows<Symbolic>(constraints);
  evaluate(constraints, *mechanism_, kinematics, q_.data(), turned_u_.data(), static_cast<const Symbolic*>(nullptr),
           forces.equals.data(), rows.rows.data());
  for (const std::uint32_t row : kept) {
    const std::vector<Symbolic> J = jacobian_row(constraints.structure, rows, kinematics, row);
    Symbolic gamma = -rows.rows[row].acceleration;
    for (const Given& given : form_.given) gamma -= J[given.u] * forces.udot[given.u];
    for (const std::uint32_t k : form_.free) loops.G.push_back(J[k].id);
    loops.gamma.push_back(gamma.id);
  }
  std::vector<Id> all = loops.G;
  all.insert(all.end(), loops.gamma.begin(), loops.gamma.end());
  all = shortened(all);
  loops.G.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(m * n));
  loops.gamma.assign(all.begin() + static_cast<std::ptrdiff_t>(m * n), all.end());
  closed_->G = loops.G;

  factorise_loops();
  std::vector<Id> zf = half_solved(form_.solved_f), left = loops.gamma;
  for (std::size_t r = 0; r < m; ++r) {
    left[r] = g.subtract(left[r], weighted_product(g, form_.D_inverse, loops.Z.data() + r * n, zf.data()));
  }
  loops.multipliers = solved_for_multipliers(std::move(left));
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t k = 0; k < n; ++k) zf[k] = g.add(zf[k], g.multiply(loops.Z[r * n + k], loops.multipliers[r]));
  }
  set_accelerations(completed(std::move(zf)));
}

void FormBuilder::factorise_loops() {
  Graph& g = form_.graph;
  LoopForm& loops = *form_.loops;
  const std::size_t n = form_.nf(), m = loops.rows.size();
  for (std::size_t r = 0; r < m; ++r) {
    const auto row = loops.G.begin() + static_cast<std::ptrdiff_t>(r * n);
    const std::vector<Id> z = half_solved({row, row + static_cast<std::ptrdiff_t>(n)});
    loops.Z.insert(loops.Z.end(), z.begin(), z.end());
    for (std::size_t s = 0; s <= r; ++s) {
      loops.W.push_back(weighted_product(g, form_.D_inverse, loops.Z.data() + r * n, loops.Z.data() + s * n));
    }
  }
  std::vector<Id>& W = loops.W;
  for (std::size_t s = 0; s < m; ++s) {
    const Id inverse = g.divide(1, W[in_triangle(s, s)]);
    for (std::size_t r = s + 1; r < m; ++r) {
      const Id factor = g.multiply(W[in_triangle(r, s)], inverse);
      for (std::size_t c = s + 1; c <= r; ++c)
        W[in_triangle(r, c)] = g.subtract(W[in_triangle(r, c)], g.multiply(factor, W[in_triangle(c, s)]));
    }
    W[in_triangle(s, s)] = inverse;
  }
}

std::vector<Id> FormBuilder::solved_for_multipliers(std::vector<Id> b) {
  Graph& g = form_.graph;
  const std::vector<Id>& W = form_.loops->W;
  for (std::size_t s = 0; s < b.size(); ++s) {
    for (std::size_t r = s + 1; r < b.size(); ++r) {
      const Id factor = g.multiply(W[in_triangle(r, s)], W[in_triangle(s, s)]);
      b[r] = g.subtract(b[r], g.multiply(factor, b[s]));
    }
  }
  for (std::size_t s = b.size(); s-- > 0;) {
    for (std::size_t r = s + 1; r < b.size(); ++r) b[s] = g.subtract(b[s], g.multiply(W[in_triangle(r, s)], b[r]));
    b[s] = g.multiply(b[s], W[in_triangle(s, s)]);
  }
  return b;
}

void FormBuilder::add_loops(const Kinematics<Symbolic>& kinematics, const std::vector<Symbolic>& udot,
                            const Forces<Symbolic>& forces, std::vector<Id>& residuals) {
  Graph& g = form_.graph;
  const std::size_t n = form_.nf();
  for (std::size_t r = 0; r < closed_->rows.size(); ++r) {
    const Id lambda = g.symbol();
    form_.jacobian->lambda.push_back(lambda);
    for (std::size_t k = 0; k < n; ++k) residuals[k] = g.add(residuals[k], g.multiply(closed_->G[r * n + k], lambda));
  }
  ConstraintRows<Symbolic> rows = make_rows<Symbolic>(closed_->constraints);
  evaluate(closed_->constraints, *mechanism_, kinematics, q_.data(), turned_u_.data(), udot.data(),
           forces.equals.data(), rows.rows.data());
  for (const std::uint32_t row : closed_->rows) residuals.push_back(g.negate(rows.rows[row].acceleration.id));
}

}  // namespace gyrostat::scalar
