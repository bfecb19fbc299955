#include "gyrostat/flexible/component_modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <Eigen/QR>
#include <fmt/format.h>

#include "gyrostat/flexible/normal_modes.h"
#include "gyrostat/math/least_norm.h"

namespace gyrostat {

namespace {

using Indices = std::vector<Eigen::Index>;

/// Those of 0 to n - 1 that are in neither list.
Indices without(Eigen::Index n, const Indices& a, const Indices& b) {
  std::vector<bool> out(static_cast<std::size_t>(n), false);
  for (const Eigen::Index i : a) out[static_cast<std::size_t>(i)] = true;
  for (const Eigen::Index i : b) out[static_cast<std::size_t>(i)] = true;
  Indices rest;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!out[static_cast<std::size_t>(i)]) rest.push_back(i);
  }
  return rest;
}

/// Over all degrees of freedom, zero where there are no rows.
Eigen::MatrixXd spread(const Eigen::MatrixXd& rows, const Indices& places, Eigen::Index n) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n, rows.cols());
  all(places, Eigen::all) = rows;
  return all;
}

/// Unit displacement of each boundary degree of freedom, the others of the boundary at rest, the interior in
/// equilibrium: the interior part minimises |E x|.
Eigen::MatrixXd constraint_modes(const FiniteElementModel& model, const Indices& interior, const Indices& boundary) {
  const auto count = static_cast<Eigen::Index>(boundary.size());
  Eigen::MatrixXd modes = Eigen::MatrixXd::Zero(model.strain.cols(), count);
  modes(boundary, Eigen::all).setIdentity();
  if (count == 0 || interior.empty()) return modes;
  const Eigen::MatrixXd inner = model.strain(Eigen::all, interior), outer = model.strain(Eigen::all, boundary);
  for (const auto& set : coupled_sets(inner, Eigen::MatrixXd::Zero(inner.cols(), inner.cols()))) {
    Indices places;
    for (const Eigen::Index i : set) places.push_back(interior[static_cast<std::size_t>(i)]);
    modes(places, Eigen::all) = -Eigen::HouseholderQR<Eigen::MatrixXd>(inner(Eigen::all, set)).solve(outer);
  }
  return modes;
}

struct Selector {
  const FiniteElementModel& model;
  const Eigen::MatrixXd& statics;  // n x static modes
  const NormalModes& normal;       // over all degrees of freedom
  Eigen::MatrixXd momentum;        // n x 6, about the inboard node
  Indices clamped;
  ModeKind kind;

  [[nodiscard]] Eigen::Index available() const { return normal.shapes.cols(); }

  [[nodiscard]] static Indices first(Eigen::Index count) {
    Indices numbers;
    for (Eigen::Index i = 0; i < count; ++i) numbers.push_back(i);
    return numbers;
  }

  Indices operator()(const ModeCount& wanted) const {
    if (wanted.count > static_cast<std::size_t>(available())) {
      throw std::invalid_argument(fmt::format("{} modes are wanted, the mesh has {}", wanted.count, available()));
    }
    return first(static_cast<Eigen::Index>(wanted.count));
  }

  Indices operator()(const ModesBelow& limit) const {
    if (!(limit.frequency > 0)) {
      throw std::invalid_argument(fmt::format("modes below {} Hz are wanted; it must be positive", limit.frequency));
    }
    const auto frequency = normal.stiffness.array().sqrt() / (2 * std::numbers::pi);
    return first((frequency < limit.frequency).count());
  }

  Indices operator()(const ModeNumbers& wanted) const {
    Indices numbers;
    for (const std::size_t number : wanted.numbers) {
      if (number < 1 || number > static_cast<std::size_t>(available())) {
        throw std::invalid_argument(fmt::format("mode {} is wanted, the mesh has 1 to {}", number, available()));
      }
      numbers.push_back(static_cast<Eigen::Index>(number) - 1);
    }
    std::sort(numbers.begin(), numbers.end());
    if (const auto twice = std::adjacent_find(numbers.begin(), numbers.end()); twice != numbers.end()) {
      throw std::invalid_argument(fmt::format("mode {} is wanted twice", *twice + 1));
    }
    return numbers;
  }

  Indices operator()(const EffectiveMassFraction& wanted) const {
    if (kind == ModeKind::free_free) {
      throw std::invalid_argument(
          "modes of a free structure have no effective mass; select them by count, frequency or number");
    }
    if (!(wanted.fraction > 0 && wanted.fraction <= 1)) {
      throw std::invalid_argument(fmt::format(
          "the fraction {} of the effective mass is wanted; it must be above 0 and at most 1", wanted.fraction));
    }
    return first(needed(wanted.fraction));
  }

  /// The effective mass of all modes of the mesh.
  [[nodiscard]] Vector6 total() const {
    if (statics.cols() == 0) return (normal.shapes.transpose() * momentum).colwise().squaredNorm().transpose();
    const Indices free = without(model.strain.cols(), clamped, {});
    const NormalModes all =
        normal_modes_by_set(model.strain(Eigen::all, free), model.mass(free, free), model.size(free));
    return (all.shapes.transpose() * momentum(free, Eigen::all)).colwise().squaredNorm().transpose();
  }

  /// How many modes reach the fraction. Modes are made orthogonal to those before them, so that their effective masses
  /// add.
  [[nodiscard]] Eigen::Index needed(double fraction) const {
    const Vector6 all = total();
    Vector6 sum = Vector6::Zero();
    const auto reached = [&](Eigen::Index i) {
      const double largest = all.segment<3>(i < 3 ? 0 : 3).maxCoeff();
      return all(i) <= 1e-12 * largest || sum(i) >= fraction * (1 - 1e-12) * all(i);
    };
    const auto done = [&] {
      const auto directions = first(6);
      return std::all_of(directions.begin(), directions.end(), reached);
    };
    std::vector<Eigen::VectorXd> basis;
    const auto add = [&](Eigen::VectorXd shape) {
      const double before = shape.dot(model.mass * shape);
      for (int pass = 0; pass < 2; ++pass) {
        for (const auto& other : basis) shape -= other.dot(model.mass * shape) * other;
      }
      const double norm2 = shape.dot(model.mass * shape);
      if (norm2 <= 1e-10 * before) return;
      basis.push_back(shape / std::sqrt(norm2));
      sum += (momentum.transpose() * basis.back()).cwiseAbs2();
    };
    for (Eigen::Index i = 0; i < statics.cols(); ++i) add(statics.col(i));
    Eigen::Index count = 0;
    while (count < available() && !done()) add(normal.shapes.col(count++));
    return count;
  }
};

}  // namespace

Eigen::MatrixXd motions_of_momentum(const Matrix6& rigid_mass, const Eigen::MatrixXd& momentum) {
  const Vector6 roots = rigid_mass.diagonal().cwiseSqrt();
  const Vector6 scale = roots.unaryExpr([](double x) { return x > 0 ? 1 / x : 0; });
  const Matrix6 scaled = scale.asDiagonal() * rigid_mass * scale.asDiagonal();
  return scale.asDiagonal() * least_norm_solution(scaled, scale.asDiagonal() * momentum, 1e-12);
}

ModeBasis component_modes(const FiniteElementModel& model, const Indices& clamped, const Indices& boundary_dofs,
                          const ModeOptions& options, const Vector3& point) {
  const Eigen::Index n = model.strain.cols();
  const bool free = options.kind == ModeKind::free_free;
  const Indices boundary = options.kind == ModeKind::component ? boundary_dofs : Indices{};
  const Indices interior = without(n, clamped, boundary);
  const Eigen::MatrixXd followed =
      free ? motions_of_momentum(model.rigid_mass, model.momentum.transpose()) : Eigen::MatrixXd::Zero(6, n);
  const Eigen::MatrixXd mass = free ? Eigen::MatrixXd(model.mass - model.momentum * followed) : model.mass;

  const Eigen::MatrixXd inner = model.strain(Eigen::all, interior);
  NormalModes normal = normal_modes_by_set(inner, mass(interior, interior), model.size(interior));
  normal.shapes = spread(normal.shapes, interior, n);
  const Eigen::MatrixXd statics = constraint_modes(model, interior, boundary);
  Eigen::MatrixXd momentum = model.momentum;
  momentum.rightCols<3>() -= model.momentum.leftCols<3>() * skew(point).transpose();
  const Indices chosen =
      std::visit(Selector{model, statics, normal, momentum, clamped, options.kind}, options.selection);

  Eigen::MatrixXd all(n, statics.cols() + static_cast<Eigen::Index>(chosen.size()));
  all.leftCols(statics.cols()) = statics;
  all.rightCols(all.cols() - statics.cols()) = normal.shapes(Eigen::all, chosen);
  if (all.cols() == 0) throw std::invalid_argument("no mode is selected, and there are no static modes");
  const NormalModes reduced =
      normal_modes_by_set(model.strain * all, all.transpose() * mass * all, Eigen::VectorXd::Ones(all.cols()));
  if (reduced.shapes.cols() == 0) throw std::invalid_argument("no mode is left: none of those selected moves any mass");

  ModeBasis basis;
  basis.shapes = all * reduced.shapes;
  basis.rigid = -followed * basis.shapes;
  const Eigen::VectorXd signs = signs_of(basis.shapes + model.rigid * basis.rigid, model.size);
  basis.shapes *= signs.asDiagonal();
  basis.rigid *= signs.asDiagonal();
  basis.stiffness = reduced.stiffness;
  basis.report = {static_cast<std::size_t>(statics.cols()), chosen.size(),
                  static_cast<std::size_t>(normal.shapes.cols()), normal.massless, reduced.massless};
  return basis;
}

EffectiveMasses effective_masses(const FlexibleData& data, const Vector3& point) {
  EffectiveMasses masses;
  masses.modes.setZero(6, static_cast<Eigen::Index>(data.modes()));
  for (std::size_t i = 0; i < data.nodes.size(); ++i) {
    const FlexibleNode& node = data.nodes[i];
    const Vector3 c = node.position - point;
    masses.modes.topRows<3>() += node.mass * node.shape.translation;
    masses.modes.bottomRows<3>() += node.inertia * node.shape.rotation + node.mass * skew(c) * node.shape.translation;
    if (i == data.frame_node) continue;
    masses.total.head<3>().array() += node.mass;
    masses.total.tail<3>() += (node.inertia - node.mass * skew(c) * skew(c)).diagonal();
  }
  if (data.integrals) {
    masses.modes.topRows<3>() += data.integrals->momentum;
    masses.modes.bottomRows<3>() += data.integrals->angular_momentum - skew(point) * data.integrals->momentum;
  }
  masses.modes = masses.modes.cwiseAbs2();
  return masses;
}

}  // namespace gyrostat
