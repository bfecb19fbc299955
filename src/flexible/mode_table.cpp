#include "gyrostat/flexible/mode_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "gyrostat/flexible/component_modes.h"

namespace gyrostat {

namespace {

/// "y", or "[0.6, 0.8, 0]" if no axis is within 18 degrees; the sign does not matter.
std::string axis_name(Vector3 direction) {
  Eigen::Index largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  if (std::abs(direction(largest)) > 0.95) return std::string(1, "xyz"[largest]);
  if (direction(largest) < 0) direction = -direction;
  const auto shown = [](double x) { return std::abs(x) < 5e-3 ? 0.0 : x; };
  return fmt::format("[{:.2g}, {:.2g}, {:.2g}]", shown(direction.x()), shown(direction.y()), shown(direction.z()));
}

std::string ordinal(std::size_t number) {
  constexpr std::array words = {"", "second ", "third ", "fourth ", "fifth ", "sixth "};
  if (number < words.size()) return words[number];
  return fmt::format("{}th ", number + 1);
}

/// Eigenvector of the largest eigenvalue, and the eigenvalues ascending.
std::pair<Vector3, Vector3> dominant(const Matrix3& matrix) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(matrix);
  return {solver.eigenvectors().col(2), solver.eigenvalues()};
}

class ModeWords {
 public:
  explicit ModeWords(const FlexibleData& data) : data_(data) {
    Vector3 mean = Vector3::Zero();
    for (const FlexibleNode& node : data.nodes) mean += node.position / static_cast<double>(data.nodes.size());
    Matrix3 spread = Matrix3::Zero();
    for (const FlexibleNode& node : data.nodes) {
      spread += (node.position - mean) * (node.position - mean).transpose();
    }
    const auto [axis, sizes] = dominant(spread);
    slender_ = sizes(2) > 0 && sizes(1) < 1e-4 * sizes(2);
    axis_ = axis;
    for (std::size_t i = 0; i < data.nodes.size(); ++i) order_.push_back(i);
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return axis_.dot(data.nodes[i].position); });
  }

  [[nodiscard]] std::string of(Eigen::Index mode) const {
    Matrix3 moving = Matrix3::Zero(), turning = Matrix3::Zero();
    const bool has_mass = std::ranges::any_of(data_.nodes, [](const FlexibleNode& node) { return node.mass > 0; });
    for (const FlexibleNode& node : data_.nodes) {
      const Vector3 phi = node.shape.translation.col(mode), psi = node.shape.rotation.col(mode);
      moving += (has_mass && !data_.integrals ? node.mass : 1.0) * phi * phi.transpose();
      turning += Matrix3(Vector3(node.inertia.diagonal().cwiseMax(0)).cwiseSqrt().asDiagonal()) * psi *
                 (Vector3(node.inertia.diagonal().cwiseMax(0)).cwiseSqrt().cwiseProduct(psi)).transpose();
    }
    if (moving.trace() + turning.trace() == 0) return "no motion of nodes";
    const bool turns = turning.trace() > moving.trace();
    const Vector3 direction = dominant(turns ? turning : moving).first;
    const std::string name = axis_name(direction);
    const bool along = std::abs(direction.dot(axis_)) > 0.7;
    std::string text;
    if (!slender_) {
      text = fmt::format("{} {}", turns ? "rotation about" : "motion along", name);
    } else if (turns && along) {
      text = fmt::format("{}torsion about {}", ordinal(order(mode, axis_, true, 1)), axis_name(axis_));
    } else if (turns) {
      text = fmt::format("rotation of sections about {}", name);
    } else if (along) {
      text = fmt::format("{}extension along {}", ordinal(order(mode, axis_, false, 1)), axis_name(axis_));
    } else {
      text = fmt::format("{}bending along {}", ordinal(order(mode, direction, false, 2)), name);
    }
    return text + largest_at(mode, turns);
  }

 private:
  /// The number of changes of sign along the body. Shapes of a free body have `rigid` more, of which none counts.
  [[nodiscard]] std::size_t order(Eigen::Index mode, const Vector3& direction, bool turns, std::size_t rigid) const {
    std::vector<double> values;
    for (const std::size_t i : order_) {
      const NodeShape& shape = data_.nodes[i].shape;
      values.push_back(direction.dot((turns ? shape.rotation : shape.translation).col(mode)));
    }
    double size = 0, last = 0;
    for (const double value : values) size = std::max(size, std::abs(value));
    std::size_t changes = 0;
    for (const double value : values) {
      if (std::abs(value) < 0.02 * size) continue;
      changes += value * last < 0;
      last = value;
    }
    if (data_.frame_node != FlexibleData::floating) return changes;
    return changes - std::min(changes, rigid);
  }

  /// ", largest at tip": at a node with a name, if its motion is within one per cent of the largest.
  [[nodiscard]] std::string largest_at(Eigen::Index mode, bool turns) const {
    const auto size = [&](const FlexibleNode& node) {
      return (turns ? node.shape.rotation : node.shape.translation).col(mode).norm();
    };
    const auto by_size = [&](const FlexibleNode& a, const FlexibleNode& b) { return size(a) < size(b); };
    const FlexibleNode& most = *std::ranges::max_element(data_.nodes, by_size);
    const FlexibleNode* named = nullptr;
    for (const FlexibleNode& node : data_.nodes) {
      if (node.name.empty() || size(node) < 0.99 * size(most)) continue;
      if (named == nullptr || size(node) > size(*named)) named = &node;
    }
    if (named != nullptr) return ", largest at " + named->name;
    return fmt::format(", largest at [{:.3g}, {:.3g}, {:.3g}] m", most.position.x(), most.position.y(),
                       most.position.z());
  }

  const FlexibleData& data_;
  bool slender_ = false;            // its nodes are on a line
  Vector3 axis_ = Vector3::Zero();  // along which the nodes extend most
  std::vector<std::size_t> order_;  // of the nodes along it
};

}  // namespace

Vector6 ModeTable::left_out() const {
  Vector6 sum = Vector6::Zero();
  for (const ModeLine& mode : modes) sum += mode.effective;
  Vector6 fraction;
  for (Eigen::Index i = 0; i < 6; ++i) {
    const double largest = total.segment<3>(i < 3 ? 0 : 3).maxCoeff();
    fraction(i) = total(i) > 1e-12 * largest ? std::max(0.0, 1 - sum(i) / total(i)) : 0;
  }
  return fraction;
}

ModeTable mode_table(const FlexibleData& data) {
  const Vector3 point =
      data.frame_node == FlexibleData::floating ? Vector3(Vector3::Zero()) : data.nodes[data.frame_node].position;
  const EffectiveMasses masses = effective_masses(data, point);
  const ModeWords words(data);
  ModeTable table;
  table.total = masses.total;
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(data.modes()); ++i) {
    const double omega = std::sqrt(data.stiffness(i, i));
    table.modes.push_back({omega / (2 * std::numbers::pi), omega > 0 ? data.damping(i, i) / (2 * omega) : 0,
                           masses.modes.col(i), words.of(i)});
  }
  return table;
}

}  // namespace gyrostat
