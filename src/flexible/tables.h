// What files of flexible data hold, before it is checked and becomes FlexibleData.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gyrostat/flexible/flexible_data.h"
#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/flexible/unit_loads.h"

namespace gyrostat {

struct NodeTable {
  std::string name;
  Vector3 position = Vector3::Zero();  // from the body's origin, body axes [m]
  double mass = 0;                     // [kg]
  Vector3 com = Vector3::Zero();       // its mass centre, from the node, body axes [m]
  Matrix3 inertia = Matrix3::Zero();   // about its mass centre, body axes [kg m^2]
  NodeShape shape;                     // second-order shapes: or none
  std::optional<ForceStiffness> force_stiffness;
};

struct FlexibleTables {
  std::vector<NodeTable> nodes;
  Eigen::MatrixXd mass, stiffness, damping;  // mass without elements: that of the nodes; damping without: none
  std::string frame;                         // a node's name; empty: floating
  std::optional<UnitLoads> unit_loads;
  std::optional<MassIntegrals> integrals;
};

/// Where a field stands in its file. Of a node's field the number is that of the node.
using FieldPlace = std::function<std::string(const std::string& field, std::optional<std::size_t> node)>;

/// Checks what the tables mean and makes data of them, with orthonormal modes. Sizes and finiteness are known to be
/// right. Throws FlexibleFileError.
FlexibleFile data_of(const FlexibleTables& tables, const FieldPlace& place);

/// A number that is not finite or whose magnitude is beyond `most_magnitude` is an error at this place.
void check_number(double number, const std::string& where);

/// Throws std::invalid_argument unless the data can be written: orthonormal modes, a frame node with a name, masses at
/// nodes only.
void check_writable(const FlexibleData& data);

}  // namespace gyrostat
