#include "gyrostat/report/node_lines.h"

#include <algorithm>

namespace gyrostat::report {

namespace {

constexpr double same_place = 1e-6;  // of the extent of the body

/// The diagonal of the box about all nodes [m].
double extent_of(const FlexibleData& data) {
  if (data.nodes.empty()) return 0;
  Vector3 low = data.nodes.front().position, high = low;
  for (const FlexibleNode& node : data.nodes) {
    low = low.cwiseMin(node.position);
    high = high.cwiseMax(node.position);
  }
  return (high - low).norm();
}

/// Each further node is the farthest from those chosen before.
std::vector<std::size_t> drawn_nodes(const FlexibleData& data, const std::vector<std::size_t>& wanted) {
  const double least = same_place * extent_of(data);
  std::vector<double> distance(data.nodes.size(), std::numeric_limits<double>::max());
  std::vector<std::size_t> chosen;
  const auto choose = [&](std::size_t i) {
    if (distance[i] <= least) return;
    chosen.push_back(i);
    for (std::size_t k = 0; k < distance.size(); ++k) {
      distance[k] = std::min(distance[k], (data.nodes[k].position - data.nodes[i].position).norm());
    }
  };
  for (const std::size_t i : wanted) choose(i);
  if (data.frame_node != FlexibleData::floating) choose(data.frame_node);
  while (chosen.size() < most_drawn_nodes && !distance.empty()) {
    const auto farthest = std::ranges::max_element(distance);
    if (*farthest <= least) break;
    choose(static_cast<std::size_t>(farthest - distance.begin()));
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

bool has_node_lines(const FlexibleData& data) { return extent_of(data) > 0; }

NodeLines node_lines(const FlexibleData& data, const std::vector<std::size_t>& wanted) {
  NodeLines result;
  result.nodes = drawn_nodes(data, wanted);
  const std::size_t count = result.nodes.size();
  Eigen::MatrixXd distance(count, count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      distance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          (data.nodes[result.nodes[i]].position - data.nodes[result.nodes[k]].position).norm();
    }
  }
  for (Eigen::Index i = 0; i < distance.rows(); ++i) {
    for (Eigen::Index k = i + 1; k < distance.rows(); ++k) {
      const double apart = distance(i, k) * (1 - same_place);
      const auto farther = distance.col(i).array().max(distance.col(k).array());  // of the two, seen from each node
      if (farther.minCoeff() < apart) continue;
      result.lines.emplace_back(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k));
    }
  }
  return result;
}

}  // namespace gyrostat::report
