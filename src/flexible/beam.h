// A straight uniform beam by finite elements: bending in two planes, and torsion and extension where stiffnesses are
// given. Elements have the exact static shape functions of Euler-Bernoulli or Timoshenko beams. Frequencies of bending
// converge with the fourth power of the element length h, with shear, extension and torsion with the second: relative
// errors are (beta h)^4 / 1440, omega^2 h^2 m / (24 kGA), omega^2 h^2 m / (24 EA).
//
// Section axes S: x along the beam, z the part of `up` perpendicular to it, y = z cross x. A node has six degrees of
// freedom: translations along, rotations about x, y, z of the section axes. Curvature is the derivative of the
// rotation; strain is (u', v' - thz, w' + thy): extension and shear.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "gyrostat/flexible/component_modes.h"
#include "gyrostat/math/rotation.h"
#include "gyrostat/math/spatial.h"

namespace gyrostat {

struct BeamLump {
  std::string name;                   // may be empty
  double distance = 0;                // along the beam [m]
  double mass = 0;                    // [kg]
  Matrix3 inertia = Matrix3::Zero();  // about the beam's axis at that distance, body axes [kg m^2]
};

struct BeamStation {
  std::string name;
  double distance = 0;  // along the beam [m]
};

struct BeamDescription {
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();  // ends, from the body's origin, body axes [m]
  /// Direction of the section's z, body axes; its part along the beam is left out. If absent: the body's z, or the
  /// body's x if the sine of the angle between beam and z is below 1e-6.
  std::optional<Vector3> up;
  std::size_t elements = 1;                       // equal ones; lumps and stations divide them further
  double mass_per_length = 0;                     // [kg/m]
  std::array<double, 2> EI{};                     // bending about y (deflection along z), about z (along y) [N m^2]
  std::optional<double> GJ;                       // if absent: rigid in torsion [N m^2]
  std::optional<double> EA;                       // if absent: inextensible [N]
  std::optional<std::array<double, 2>> shear;     // kGA for deflection along y, along z; if absent: no shear [N]
  std::array<double, 2> rotary_inertia{};         // about y, about z; about x it is their sum [kg m]
  std::vector<BeamLump> lumps;                    // masses at nodes of their own
  std::vector<BeamStation> stations;              // named nodes
  static constexpr std::size_t most_nodes = 501;  // of the mesh: matrices are dense
};

/// Fields within an element are polynomials of xi = 0..1 times its 12 nodal values (both ends' degrees of freedom).
struct BeamElement {
  using Rows = Eigen::Matrix<double, 3, 12>;

  double start = 0, length = 0;     // along the beam [m]
  std::array<Rows, 4> translation;  // coefficients of 1, xi, xi^2, xi^3
  std::array<Rows, 3> rotation;     // coefficients of 1, xi, xi^2
  Rows strain;                      // constant along the element

  [[nodiscard]] Rows translation_at(double xi) const;
  [[nodiscard]] Rows rotation_at(double xi) const;
};

/// Gauss integration over xi = 0..1, exact up to the seventh power.
struct GaussPoint {
  double xi = 0, weight = 0;
};
const std::array<GaussPoint, 4>& gauss_points();

struct BeamModel {
  Vector3 origin = Vector3::Zero();                        // the root, body axes [m]
  Matrix3 R_BS = Matrix3::Identity();                      // section to body axes
  double length = 0;                                       // [m]
  std::vector<double> nodes;                               // distances from the root, ascending [m]
  std::vector<std::pair<std::string, std::size_t>> names;  // of nodes; a node may have several or none
  std::vector<double> node_mass;                           // of lumps, by node [kg]
  std::vector<Matrix3> node_inertia;                       // of lumps, by node, body axes [kg m^2]
  std::vector<BeamElement> elements;
  std::vector<Eigen::Index> dofs;  // those that exist, of six for each node
  FiniteElementModel matrices;     // over these; rigid-body motions in section axes, about the root

  /// The node of that name. Throws std::invalid_argument if there is none.
  [[nodiscard]] std::size_t node(const std::string& name) const;
  /// The degrees of freedom of a node: places in `dofs`.
  [[nodiscard]] std::vector<Eigen::Index> dofs_of(std::size_t node) const;
  /// The nodal values of rigid-body motions about the root, section axes: 3 translations, 3 rotations.
  [[nodiscard]] Eigen::MatrixXd rigid_motions() const;
};

/// Throws std::invalid_argument if the description makes no sense.
BeamModel beam_model(const BeamDescription& beam);

}  // namespace gyrostat
