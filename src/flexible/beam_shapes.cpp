#include "gyrostat/flexible/beam_shapes.h"

#include <array>

#include <Eigen/Geometry>

namespace gyrostat {

namespace {

/// Fields of the modes in an element: a column for each mode, section axes.
struct ElementFields {
  double length;                             // [m]
  std::array<Eigen::Matrix3Xd, 3> rotation;  // coefficients of 1, xi, xi^2
  Eigen::Matrix3Xd strain;
};

/// Coefficients of powers of xi.
using Polynomial = Eigen::Matrix<double, 3, 6>;

Vector3 at(const Polynomial& p, double xi) {
  Vector3 value = p.col(5);
  for (Eigen::Index i = 4; i >= 0; --i) value = value * xi + p.col(i);
  return value;
}

/// The integral from 0 to xi; the highest power must be absent.
Polynomial integral(const Polynomial& p) {
  Polynomial result = Polynomial::Zero();
  for (Eigen::Index i = 0; i < 5; ++i) result.col(i + 1) = p.col(i) / static_cast<double>(i + 1);
  return result;
}

/// Of a pair of modes: second derivatives of A2 e1, displacement and rotation vector.
struct SecondOrder {
  Vector3 slope = Vector3::Zero(), displacement = Vector3::Zero(), rotation = Vector3::Zero();
};

struct SecondOrderFields {
  Polynomial slope, displacement, rotation;

  [[nodiscard]] SecondOrder value(double xi) const { return {at(slope, xi), at(displacement, xi), at(rotation, xi)}; }
};

/// Along an element, from what they are at its beginning.
SecondOrderFields second_order(const ElementFields& element, Eigen::Index a, Eigen::Index b, const SecondOrder& start) {
  const Vector3 e1 = Vector3::UnitX();
  const auto column = [&](std::size_t power, Eigen::Index mode) -> Vector3 {
    return element.rotation[power].col(mode);
  };
  Polynomial bending = Polynomial::Zero(), turning = Polynomial::Zero(), stretching = Polynomial::Zero();
  for (std::size_t p = 0; p < 3; ++p) {
    const Vector3 al_a = column(p, a), al_b = column(p, b);
    for (std::size_t q = 1; q < 3; ++q) {  // times the curvature, q c_q xi^(q - 1) / length
      const auto power = static_cast<Eigen::Index>(p + q - 1);
      const Vector3 k_a = static_cast<double>(q) * column(q, a), k_b = static_cast<double>(q) * column(q, b);
      bending.col(power) += al_a.cross(k_b.cross(e1)) + al_b.cross(k_a.cross(e1));
      turning.col(power) += 0.5 * (al_a.cross(k_b) + al_b.cross(k_a));
    }
    const Vector3 g_a = element.strain.col(a), g_b = element.strain.col(b);
    stretching.col(static_cast<Eigen::Index>(p)) = al_a.cross(g_b) + al_b.cross(g_a);
  }
  SecondOrderFields fields;
  fields.slope = integral(bending);
  fields.slope.col(0) += start.slope;
  fields.displacement = element.length * integral(fields.slope + stretching);
  fields.displacement.col(0) += start.displacement;
  fields.rotation = integral(turning);
  fields.rotation.col(0) += start.rotation;
  return fields;
}

ElementFields fields_of(const BeamElement& element, const Eigen::Ref<const Eigen::MatrixXd>& values) {
  ElementFields fields;
  fields.length = element.length;
  for (std::size_t p = 0; p < 3; ++p) fields.rotation[p] = element.rotation[p] * values;
  fields.strain = element.strain * values;
  return fields;
}

}  // namespace

BeamShapes beam_shapes(const BeamModel& model, const Eigen::MatrixXd& values) {
  const std::size_t nodes = model.nodes.size(), gauss = gauss_points().size();
  const Eigen::Index modes = values.cols();
  const auto pairs = static_cast<Eigen::Index>(pair_count(static_cast<std::size_t>(modes)));
  BeamShapes result;
  result.distance = model.nodes;
  result.shapes.resize(nodes + gauss * model.elements.size());
  for (NodeShape& shape : result.shapes) shape.translation2 = shape.rotation2 = Eigen::Matrix3Xd::Zero(3, pairs);
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto row = static_cast<Eigen::Index>(6 * i);
    result.shapes[i].translation = values.middleRows<3>(row);
    result.shapes[i].rotation = values.middleRows<3>(row + 3);
  }
  std::vector<ElementFields> fields;
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const BeamElement& element = model.elements[e];
    const auto ends = values.middleRows<12>(static_cast<Eigen::Index>(6 * e));
    fields.push_back(fields_of(element, ends));
    for (std::size_t g = 0; g < gauss; ++g) {
      const double xi = gauss_points()[g].xi;
      result.distance.push_back(element.start + xi * element.length);
      result.shapes[nodes + gauss * e + g].translation = element.translation_at(xi) * ends;
      result.shapes[nodes + gauss * e + g].rotation = element.rotation_at(xi) * ends;
    }
  }
  const auto store = [&](std::size_t point, Eigen::Index pair, const SecondOrder& value) {
    result.shapes[point].translation2.col(pair) = value.displacement;
    result.shapes[point].rotation2.col(pair) = value.rotation;
  };
  for (Eigen::Index a = 0; a < modes; ++a) {
    for (Eigen::Index b = 0; b <= a; ++b) {
      const auto pair = static_cast<Eigen::Index>(pair_index(static_cast<std::size_t>(a), static_cast<std::size_t>(b)));
      const Vector3 root_a = values.col(a).segment<3>(3), root_b = values.col(b).segment<3>(3), e1 = Vector3::UnitX();
      SecondOrder state;
      state.slope = 0.5 * (root_a.cross(root_b.cross(e1)) + root_b.cross(root_a.cross(e1)));
      for (std::size_t e = 0; e < fields.size(); ++e) {
        const SecondOrderFields along = second_order(fields[e], a, b, state);
        for (std::size_t g = 0; g < gauss; ++g) store(nodes + gauss * e + g, pair, along.value(gauss_points()[g].xi));
        state = along.value(1);
        store(e + 1, pair, state);
      }
    }
  }
  return result;
}

void move_second_order(const Eigen::MatrixXd& motions, BeamShapes& shapes) {
  for (std::size_t i = 0; i < shapes.shapes.size(); ++i) {
    NodeShape& shape = shapes.shapes[i];
    const Vector3 c(shapes.distance[i], 0, 0);
    shape.translation2 += motions.topRows<3>() - skew(c) * motions.bottomRows<3>();
    shape.rotation2 += motions.bottomRows<3>();
  }
}

void refer_to_node(std::size_t node, BeamShapes& shapes) {
  const NodeShape& origin = shapes.shapes[node];
  const Vector3 c(shapes.distance[node], 0, 0);
  Eigen::MatrixXd motions(6, origin.rotation2.cols());
  motions.topRows<3>() = -origin.translation2 - skew(c) * origin.rotation2;
  motions.bottomRows<3>() = -origin.rotation2;
  move_second_order(motions, shapes);
}

}  // namespace gyrostat
