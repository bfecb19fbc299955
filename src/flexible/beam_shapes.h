// Shapes of a beam's modes at its nodes and Gauss points.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "gyrostat/flexible/beam.h"
#include "gyrostat/flexible/flexible_data.h"

namespace gyrostat {

/// Nodes first, then gauss_points() of each element.
struct BeamShapes {
  std::vector<double> distance;   // along the beam [m]
  std::vector<NodeShape> shapes;  // section axes
};

/// `values` are the six nodal values of each node, a column for each mode, section axes. Second-order shapes start at
/// the root with the rotation vector and the displacement that the nodal values have there: their second-order parts
/// are zero at the root.
BeamShapes beam_shapes(const BeamModel& model, const Eigen::MatrixXd& values);

/// Adds a rigid-body motion to the second-order shapes: for each pair translation and rotation about the root.
void move_second_order(const Eigen::MatrixXd& motions, BeamShapes& shapes);

/// Makes second-order shapes zero at a node, at which the first-order ones are zero.
void refer_to_node(std::size_t node, BeamShapes& shapes);

}  // namespace gyrostat
