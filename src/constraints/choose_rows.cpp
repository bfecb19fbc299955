// The recursion of docs/theory/closures.md with all rows and in long double: L squares the Jacobian, and whether a
// pivot is zero or only small cannot be told in double.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <Eigen/Cholesky>

#include "gyrostat/constraints/plan.h"
#include "gyrostat/constraints/row_paths.h"

namespace gyrostat {

namespace {

using Number = long double;
using Six = Eigen::Matrix<Number, 6, 1>;
using SixSquare = Eigen::Matrix<Number, 6, 6>;

/// A pivot over its scale that is taken at once: what is eliminated too early can lose digits.
constexpr Number good_pivot = 1e-3L;
/// Inertia along a speed, over that of all it carries were the joints outboard of it locked, that is taken for none:
/// rounding, of which the recursion in double would make accelerations.
constexpr Number no_inertia = 1e-13L;
/// More open rows than this at a body, and those to the world are eliminated as soon as they can be.
constexpr std::size_t most_open = 12;

Six six(const Vec3<double>& a, const Vec3<double>& b) {
  return (Six() << Number(a.x), Number(a.y), Number(a.z), Number(b.x), Number(b.y), Number(b.z)).finished();
}

SixSquare square(const Inertia<double>& A) {
  SixSquare m;
  m << to_eigen(A.I).cast<Number>(), to_eigen(A.H).cast<Number>(), to_eigen(A.H).transpose().cast<Number>(),
      to_eigen(A.M).cast<Number>();
  return m;
}

/// Maps twists at the parent's base point to those at a base point that is at r from it.
SixSquare shift(const Vec3<double>& r) {
  SixSquare X = SixSquare::Identity();
  const Number x = r.x, y = r.y, z = r.z;
  X.block<3, 3>(3, 0) << 0, z, -y, -z, 0, x, y, -x, 0;
  return X;
}

class Chooser {
 public:
  Chooser(const Mechanism& mechanism, const Kinematics<double>& kinematics, const std::vector<Truth>& free,
          const RowStructure& structure, const ConstraintRows<double>& rows)
      : mechanism_(mechanism),
        kinematics_(kinematics),
        free_(free),
        structure_(structure),
        rows_(rows),
        paths_(find_paths(mechanism, structure)),
        inertia_(mechanism.links.size(), SixSquare::Zero()),
        K_(mechanism.links.size()),
        L_(structure.rows()),
        terms_(mechanism.nu) {
    choice_.node_of.assign(structure.rows(), ClosurePlan::none);
    for (std::uint32_t t = 0; t < structure.terms.size(); ++t) terms_[structure.terms[t].u].push_back(t);
    for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) add_own_inertia(i);
    composite_ = inertia_;
    for (auto i = static_cast<std::uint32_t>(mechanism.links.size()) - 1; i > 0; --i) {
      const SixSquare X = shift(kinematics.bodies[i].r);
      composite_[mechanism.links[i].parent] += X.transpose() * composite_[i] * X;
    }
    find_scales();
    for (std::uint32_t r = 0; r < structure.rows(); ++r) {
      open_.insert(r);
      L_[r][r] = 0;
      for (std::size_t side = 0; side < 2; ++side) {
        const std::uint32_t body = structure.bodies[r][side];
        if (body != 0) column(body, r) += wrench(r, side);
      }
    }
  }

  ClosureChoice choose() {
    for (auto i = static_cast<std::uint32_t>(mechanism_.links.size()) - 1; i > 0; --i) {
      eliminate_wheels(i);
      if (mechanism_.links[i].flexible != LinkStructure::none) eliminate_modes(i);
      eliminate_rows(i);
      eliminate_joint(i);
    }
    eliminate_rows(0);
    return choice_;
  }

 private:
  [[nodiscard]] Six wrench(std::uint32_t row, std::size_t side) const {
    const Wrench<double>& F = rows_.rows[row].on_bodies[side];
    return six(F.torque, F.force);
  }

  Six& column(std::uint32_t body, std::uint32_t row) { return K_[body].try_emplace(row, Six::Zero()).first->second; }

  void add_own_inertia(std::uint32_t i) {
    Inertia<double> A{};
    add_inertia(mechanism_.links[i], moments(mechanism_.links[i], kinematics_.bodies[i].R_NM), A);
    inertia_[i] = square(A);
    if (mechanism_.links[i].flexible == LinkStructure::none) return;
    const Deformation<double>& d = kinematics_.deformations[mechanism_.links[i].flexible];
    const double mass = mechanism_.flexible[mechanism_.links[i].flexible].mass;
    const Vector3 mc = to_eigen(d.mc);
    inertia_[i].topLeftCorner<3, 3>() += to_eigen(d.J).cast<Number>();
    inertia_[i].topRightCorner<3, 3>() += skew(mc).cast<Number>();
    inertia_[i].bottomLeftCorner<3, 3>() -= skew(mc).cast<Number>();
    inertia_[i].diagonal().tail<3>().array() += Number(mass);
  }

  /// What a row would give its bodies if they were alone: the size that its pivot is measured by.
  void find_scales() {
    Number mass = 0, inertia = 0;
    for (std::uint32_t i = 1; i < inertia_.size(); ++i) {
      mass += inertia_[i](3, 3);
      inertia += inertia_[i].topLeftCorner<3, 3>().trace() / 2;
    }
    const auto alone = [&](std::uint32_t i, const Six& F) -> Number {
      const BodyNumbers<double>& body = mechanism_.bodies[i];
      const Number own = inertia_[i](3, 3);
      const Vec3<double> c =
          kinematics_.bodies[i].R_NM * transpose_times(body.R_BM, body.mass_properties.com - body.base);
      const Sym3<double>& J = body.J;
      const Number turning = (J.xx + J.yy + J.zz) / 2;
      const Eigen::Matrix<Number, 3, 1> force = F.tail<3>(), arm = to_eigen(c).cast<Number>();
      const Eigen::Matrix<Number, 3, 1> torque = F.head<3>() - arm.cross(force);
      return force.squaredNorm() / (own > 0 ? own : mass) + torque.squaredNorm() / (turning > 0 ? turning : inertia);
    };
    std::vector<Number> scale(structure_.rows(), 0);
    for (std::uint32_t r = 0; r < structure_.rows(); ++r) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::uint32_t body = structure_.bodies[r][side];
        if (body != 0) scale[r] += alone(body, wrench(r, side));
      }
    }
    const std::vector<SpeedOwner> owners = owners_of_speeds(mechanism_);
    for (std::uint32_t t = 0; t < structure_.terms.size(); ++t) {
      const auto [row, u] = structure_.terms[t];
      const std::uint32_t body = owners[u].body;
      const Number c = rows_.coefficients[t];
      Number own = 0;
      if (owners[u].wheel) {
        for (const WheelLink& wheel : mechanism_.wheels) own = wheel.u == u ? Number(wheel.inertia) : own;
      } else {
        const Six S = subspace(body, u - mechanism_.links[body].u);
        own = S.dot(inertia_[body] * S);
        if (!(own > 0)) own = S.head<3>().squaredNorm() * inertia + S.tail<3>().squaredNorm() * mass;
      }
      scale[row] += c * c / own;
    }
    for (const Number s : scale) choice_.scale.push_back(s > 0 ? static_cast<double>(s) : 1.0);
  }

  [[nodiscard]] Six subspace(std::uint32_t body, std::uint32_t k) const {
    const Link& link = mechanism_.links[body];
    Twist<double> only;
    const Twist<double>* S = subspace_of(link, kinematics_, kinematics_.bodies[body], only);
    return six(S[k].w, S[k].v);
  }

  /// A degree of freedom leaves: U = I S, D = S.U, and g what rows have directly on its speed.
  void eliminate(std::uint32_t i, const Six& U, Number D, const std::map<std::uint32_t, Number>& products) {
    for (auto a = products.begin(); a != products.end(); ++a) {
      for (auto b = products.begin(); b != std::next(a); ++b) {
        const Number change = a->second * b->second / D;
        L_[a->first][b->first] += change;
        if (a->first != b->first) L_[b->first][a->first] += change;
      }
      column(i, a->first) -= U * (a->second / D);
    }
    inertia_[i] -= U * U.transpose() / D;
  }

  void eliminate_wheels(std::uint32_t i) {
    for (std::uint32_t n = mechanism_.wheel_of[i]; n < mechanism_.wheel_of[i + 1]; ++n) {
      const WheelLink& wheel = mechanism_.wheels[n];
      if (!free_[wheel.u]) continue;
      const Vec3<double> b = kinematics_.bodies[i].R_NM * wheel.axis;
      std::map<std::uint32_t, Number> products;
      for (const std::uint32_t t : terms_[wheel.u]) products[structure_.terms[t].row] = rows_.coefficients[t];
      const double J = wheel.inertia;
      eliminate(i, six(J * b, {}), J, products);
    }
  }

  /// All modes of a flexible body at once: what its nodes carry, rows included, comes to its base point by them.
  void eliminate_modes(std::uint32_t i) {
    using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
    const FlexibleOf<double>& f = mechanism_.flexible[mechanism_.links[i].flexible];
    const auto m = static_cast<Eigen::Index>(f.modes);
    Matrix ee = Matrix::Identity(m, m), re(6, m);
    for (Eigen::Index a = 0; a < m; ++a) {
      const Wrench<double>& C = kinematics_.modes[f.modal + static_cast<std::size_t>(a)].C;
      re.col(a) = six(C.torque, C.force);
    }
    std::map<std::uint32_t, Matrix> products;  // by row
    for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
      const std::uint32_t node = mechanism_.modal_nodes[t].body;
      Matrix Pi(6, m);
      for (Eigen::Index a = 0; a < m; ++a) Pi.col(a) = subspace(node, static_cast<std::uint32_t>(a));
      const SixSquare X = shift(kinematics_.bodies[node].r);
      ee += Pi.transpose() * inertia_[node] * Pi;
      re += X.transpose() * inertia_[node] * Pi;
      inertia_[i] += X.transpose() * inertia_[node] * X;
      for (const auto& [row, K] : K_[node]) {
        products.try_emplace(row, Matrix::Zero(m, 1)).first->second += Pi.transpose() * K;
        column(i, row) += X.transpose() * K;
      }
      K_[node].clear();
    }
    const Eigen::LLT<Matrix> factors(ee);
    inertia_[i] -= re * factors.solve(re.transpose());
    for (const auto& [row, g] : products) {
      const Matrix solved = factors.solve(g);
      column(i, row) -= re * solved;
      for (const auto& [other, h] : products) L_[row][other] += (h.transpose() * solved)(0, 0);
    }
  }

  void eliminate_joint(std::uint32_t i) {
    const Link& link = mechanism_.links[i];
    if (link.motion == JointMotion::modal) return;
    const std::uint32_t parent = link.parent;
    for (std::uint32_t k = link.nu; k-- > 0;) {
      const std::uint32_t u = link.u + k;
      for (const std::uint32_t t : terms_[u]) column(i, structure_.terms[t].row);  // a column, if it had none
      if (!free_[u]) continue;
      const Six S = subspace(i, k), U = inertia_[i] * S;
      const Number D = S.dot(U);
      const SixSquare& all = composite_[i];
      const Number whole = S.head<3>().squaredNorm() * all.topLeftCorner<3, 3>().trace() +
                           S.tail<3>().squaredNorm() * all.bottomRightCorner<3, 3>().trace();
      if (!(D > no_inertia * whole)) {
        choice_.massless = i;
        continue;
      }
      std::map<std::uint32_t, Number> products;
      for (const auto& [row, K] : K_[i]) products[row] = S.dot(K);
      for (const std::uint32_t t : terms_[u]) products[structure_.terms[t].row] += rows_.coefficients[t];
      eliminate(i, U, D, products);
    }
    if (parent != 0) {
      const SixSquare X = shift(kinematics_.bodies[i].r);
      inertia_[parent] += X.transpose() * inertia_[i] * X;
      for (const auto& [row, K] : K_[i]) column(parent, row) += X.transpose() * K;
    }
    K_[i].clear();
  }

  /// Is all of the row outboard of body i, or on it?
  [[nodiscard]] bool complete(std::uint32_t i, std::uint32_t row) const {
    const std::uint32_t home = paths_[row].home;
    if (home != 0) return home >= i && home < mechanism_.end[i];
    return std::ranges::all_of(paths_[row].starts, [&](std::uint32_t s) { return s >= i && s < mechanism_.end[i]; }) &&
           (structure_.bodies[row][0] != 0 || structure_.bodies[row][1] != 0);
  }

  /// How much the row could still gain from motion further inboard, were body i free.
  [[nodiscard]] std::optional<Number> inboard_part(const Eigen::LDLT<SixSquare>& factors, const Six& K) const {
    if (factors.info() != Eigen::Success || !(factors.vectorD().minCoeff() > 0)) return std::nullopt;
    return K.dot(factors.solve(K));
  }

  void eliminate_rows(std::uint32_t i) {
    std::set<std::uint32_t> candidates;
    if (i == 0) {
      candidates = open_;
    } else {
      for (const auto& [row, K] : K_[i]) {
        const bool to_world = paths_[row].home == 0;
        if (complete(i, row) && (!to_world || K_[i].size() > most_open)) candidates.insert(row);
      }
    }
    while (!candidates.empty()) {
      const std::uint32_t best = best_of(candidates);
      const Number ratio = L_[best][best] / choice_.scale[best];
      if (i == 0) {
        if (!(ratio >= redundant_pivot)) break;  // and so are the others
        take(i, best, ratio);
        candidates.erase(best);
        continue;
      }
      const bool to_world = paths_[best].home == 0;
      if (to_world && K_[i].size() <= most_open) {
        candidates.erase(best);
        continue;
      }
      bool accepted = ratio >= good_pivot;
      bool redundant = false;
      if (!accepted && !to_world) {
        const Eigen::LDLT<SixSquare> factors(inertia_[i]);
        const auto inboard = inboard_part(factors, K_[i].at(best));
        accepted = inboard && ratio >= redundant_pivot && *inboard <= 100 * L_[best][best];
        redundant = inboard && (L_[best][best] + *inboard) / choice_.scale[best] < redundant_pivot;
      }
      if (accepted) take(i, best, ratio);
      if (redundant) drop(i, best);
      candidates.erase(best);  // what is neither stays open
    }
    if (i == 0) {
      for (const std::uint32_t row : std::set<std::uint32_t>(open_)) drop(0, row);
    }
  }

  /// Of those whose pivots are near the largest, the one with the fewest neighbours.
  [[nodiscard]] std::uint32_t best_of(const std::set<std::uint32_t>& candidates) const {
    const auto ratio = [&](std::uint32_t row) { return L_[row].at(row) / choice_.scale[row]; };
    Number largest = -1;
    for (const std::uint32_t row : candidates) largest = std::max(largest, ratio(row));
    std::uint32_t best = *candidates.begin();
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const std::uint32_t row : candidates) {
      if (!(ratio(row) >= 0.1L * largest) || L_[row].size() >= fewest) continue;
      best = row;
      fewest = L_[row].size();
    }
    return best;
  }

  void take(std::uint32_t i, std::uint32_t row, Number ratio) {
    choice_.node_of[row] = i;
    choice_.weakest = std::min(choice_.weakest, static_cast<double>(ratio));
    const Number w = 1 / L_[row][row];
    const std::map<std::uint32_t, Number> coupled = L_[row];
    if (i != 0) {
      const Six k = K_[i].at(row);
      inertia_[i] += k * k.transpose() * w;
      for (const auto& [s, L] : coupled) {
        if (s != row) column(i, s) -= k * (w * L);
      }
    }
    for (const auto& [s, L] : coupled) {
      if (s == row) continue;
      for (const auto& [t, M] : coupled) {
        if (t != row) L_[s][t] -= L * w * M;
      }
    }
    forget(i, row);
  }

  void drop(std::uint32_t i, std::uint32_t row) {
    choice_.node_of[row] = ClosurePlan::none;
    forget(i, row);
  }

  void forget(std::uint32_t i, std::uint32_t row) {
    for (const auto& [s, L] : L_[row]) {
      if (s != row) L_[s].erase(row);
    }
    if (i != 0) K_[i].erase(row);
    open_.erase(row);
  }

  const Mechanism& mechanism_;
  const Kinematics<double>& kinematics_;
  const std::vector<Truth>& free_;
  const RowStructure& structure_;
  const ConstraintRows<double>& rows_;
  std::vector<RowPath> paths_;
  std::vector<SixSquare> inertia_;                  // articulated, about the base point
  std::vector<SixSquare> composite_;                // with all joints outboard locked, about the base point
  std::vector<std::map<std::uint32_t, Six>> K_;     // by body: of the rows that are open on it
  std::vector<std::map<std::uint32_t, Number>> L_;  // by row
  std::vector<std::vector<std::uint32_t>> terms_;   // by speed
  std::set<std::uint32_t> open_;
  ClosureChoice choice_;
};

}  // namespace

ClosureChoice choose_rows(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                          const std::vector<Truth>& free, const RowStructure& structure,
                          const ConstraintRows<double>& rows) {
  return Chooser(mechanism, kinematics, free, structure, rows).choose();
}

}  // namespace gyrostat
