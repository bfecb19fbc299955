#include "gyrostat/report/deformation.h"

#include <algorithm>

#include "gyrostat/report/node_lines.h"

namespace gyrostat::report {

namespace {

// Numbers of second-order shapes of a body in a page. A beam of 20 elements has some 80 nodes, which with 20 modes is
// 100,000 numbers. Where there are more, displacements in the page are of first order: foreshortening is not seen.
constexpr std::size_t most_second_order = 300'000;

constexpr double tube_of_length = 0.008, tube_of_whole = 0.003;  // radius

/// Shapes at nodes, and the terms that they are multiplied by: modal coordinates, then their products by pair_index,
/// with one half where both are the same.
class Shapes {
 public:
  Shapes(const FlexibleBody& body, const std::vector<std::size_t>& nodes) : modes_(body.data.modes()) {
    const auto has_second_order = [&](std::size_t i) { return body.data.nodes[i].shape.translation2.cols() > 0; };
    const std::size_t numbers = 6 * nodes.size() * pair_count(modes_);
    second_order_ = body.terms == FlexibleTerms::stiffened && numbers <= most_second_order &&
                    std::ranges::all_of(nodes, has_second_order);
    const auto columns = static_cast<Eigen::Index>(terms());
    translation.resize(static_cast<Eigen::Index>(3 * nodes.size()), columns);
    rotation.resize(translation.rows(), columns);
    Eigen::Index row = 0;
    for (const std::size_t i : nodes) {
      const NodeShape& shape = body.data.nodes[i].shape;
      const auto modes = static_cast<Eigen::Index>(modes_);
      translation.middleRows<3>(row).leftCols(modes) = shape.translation;
      rotation.middleRows<3>(row).leftCols(modes) = shape.rotation;
      if (second_order_) {
        translation.middleRows<3>(row).rightCols(columns - modes) = shape.translation2;
        rotation.middleRows<3>(row).rightCols(columns - modes) = shape.rotation2;
      }
      row += 3;
    }
  }

  [[nodiscard]] std::size_t terms() const { return modes_ + (second_order_ ? pair_count(modes_) : 0); }

  void set_terms(const float* eta, Eigen::VectorXd& terms) const {
    Eigen::Index k = 0;
    for (std::size_t a = 0; a < modes_; ++a) terms[k++] = eta[a];
    for (std::size_t a = 0; second_order_ && a < modes_; ++a) {
      for (std::size_t b = 0; b <= a; ++b) terms[k++] = (a == b ? 0.5 : 1.0) * eta[a] * eta[b];
    }
  }

  Eigen::MatrixXd translation, rotation;  // three rows for each node, a column for each term

 private:
  std::size_t modes_ = 0;
  bool second_order_ = false;
};

/// Node by node, of each the three components of every term.
std::vector<float> by_node(const Eigen::MatrixXd& shapes) {
  std::vector<float> list;
  list.reserve(static_cast<std::size_t>(shapes.size()));
  for (Eigen::Index row = 0; row < shapes.rows(); row += 3) {
    for (const double x : shapes.middleRows<3>(row).reshaped()) list.push_back(static_cast<float>(x));
  }
  return list;
}

/// Over all nodes, lines and frames.
void find_largest(const Shapes& shapes, const std::vector<Vector3>& nodes, const NodeLines& drawn,
                  const std::vector<float>& modal, SceneFlexible& shown) {
  Eigen::VectorXd terms(static_cast<Eigen::Index>(shown.terms));
  for (std::size_t at = 0; shown.modes > 0 && at < modal.size(); at += shown.modes) {
    shapes.set_terms(modal.data() + at, terms);
    const Eigen::Matrix3Xd u = (shapes.translation * terms).reshaped(3, static_cast<Eigen::Index>(nodes.size()));
    const Eigen::Matrix3Xd theta = (shapes.rotation * terms).reshaped(3, u.cols());
    shown.largest_displacement = std::max(shown.largest_displacement, u.colwise().norm().maxCoeff());
    for (const auto& [a, b] : drawn.lines) {
      const double change = (theta.col(b) - theta.col(a)).norm();
      shown.largest_strain = std::max(shown.largest_strain, change / (nodes[b] - nodes[a]).norm());
    }
  }
}

/// Those that are bodies of their own, each as a node of the data.
std::vector<std::pair<std::uint32_t, std::size_t>> node_bodies(const System& system, std::uint32_t flexible_body) {
  std::vector<std::pair<std::uint32_t, std::size_t>> list;
  for (std::uint32_t i = flexible_body + 1; i < system.bodies.size(); ++i) {
    if (system.parent[i] == flexible_body && system.bodies[i].node != Body::none) {
      list.emplace_back(i, system.bodies[i].node);
    }
  }
  return list;
}

SceneFlexible shown_body(const System& system, const FlexibleBody& body, const std::vector<float>& modal,
                         Blocks& blocks) {
  SceneFlexible shown;
  shown.body = static_cast<int>(body.body) - 1;
  const auto attached = node_bodies(system, body.body);
  std::vector<std::size_t> wanted;
  for (const auto& [number, node] : attached) wanted.push_back(node);
  const NodeLines drawn = node_lines(body.data, wanted);

  std::vector<Vector3> places;
  std::vector<float> nodes;
  for (const std::size_t i : drawn.nodes) {
    places.push_back(body.data.nodes[i].position);
    for (const double x : places.back()) nodes.push_back(static_cast<float>(x));
  }
  for (const auto& [number, node] : attached) {
    const Vector3& at = body.data.nodes[node].position;
    const auto nearest = std::ranges::min_element(places, {}, [&](const Vector3& p) { return (p - at).norm(); });
    shown.attached.push_back({static_cast<int>(number) - 1, static_cast<int>(nearest - places.begin())});
  }
  std::vector<std::uint32_t> ends;
  for (const auto& [a, b] : drawn.lines) ends.insert(ends.end(), {a, b});

  const Shapes shapes(body, drawn.nodes);
  shown.modes = body.data.modes();
  shown.terms = shapes.terms();
  find_largest(shapes, places, drawn, modal, shown);
  shown.nodes = blocks.add(std::span<const float>(nodes), 3);
  shown.translation = blocks.add(std::span<const float>(by_node(shapes.translation)), 3);
  shown.rotation = blocks.add(std::span<const float>(by_node(shapes.rotation)), 3);
  shown.lines = blocks.add(std::span<const std::uint32_t>(ends), 2);
  shown.modal = blocks.add(std::span<const float>(modal), std::max<std::size_t>(shown.modes, 1));
  return shown;
}

double length_of(const FlexibleData& data) {
  double length = 0;
  for (const FlexibleNode& node : data.nodes) {
    length = std::max(length, (node.position - data.nodes.front().position).norm());
  }
  return length;
}

}  // namespace

std::vector<SceneFlexible> flexible_of(const System& system, const Frames& frames,
                                       const std::vector<std::vector<SceneShape>>& shapes, double whole,
                                       Blocks& blocks) {
  std::vector<SceneFlexible> list;
  for (std::size_t k = 0; k < system.flexible.size(); ++k) {
    const FlexibleBody& body = system.flexible[k];
    if (!has_node_lines(body.data)) continue;
    SceneFlexible shown = shown_body(system, body, frames.modal[k], blocks);
    if (shapes[body.body - 1].empty()) {
      shown.tube = std::max(tube_of_length * length_of(body.data), tube_of_whole * whole);
    }
    list.push_back(std::move(shown));
  }
  return list;
}

}  // namespace gyrostat::report
