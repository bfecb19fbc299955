#include "gyrostat/flexible/beam.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "gyrostat/flexible/beam_check.h"

namespace gyrostat {

namespace {

constexpr double same_place = 1e-9;  // nodes are one if their distance is below this part of the length

/// A plane of bending: deflection v, rotation th, v' = sign th + shear. Places of v and th within a node's six.
struct Plane {
  Eigen::Index v, th;
  double sign;
};
constexpr std::array<Plane, 2> planes{{{1, 5, 1}, {2, 4, -1}}};  // x-y, x-z

double bending_stiffness(const BeamDescription& beam, std::size_t plane) { return beam.EI[1 - plane]; }

/// 12 EI / (kGA l^2), zero without shear.
double shear_parameter(const BeamDescription& beam, std::size_t plane, double l) {
  return beam.shear ? 12 * bending_stiffness(beam, plane) / ((*beam.shear)[plane] * l * l) : 0;
}

/// Bending with exact static shape functions; phi is the shear parameter.
void add_plane(const Plane& plane, double phi, BeamElement& element) {
  const double l = element.length, mu = 1 / (1 + phi);
  const std::array<std::array<double, 4>, 4> v{{{1, -mu * phi, -3 * mu, 2 * mu},
                                                {0, l * mu * (1 + phi / 2), -l * mu * (2 + phi / 2), l * mu},
                                                {0, mu * phi, 3 * mu, -2 * mu},
                                                {0, -l * mu * phi / 2, -l * mu * (1 - phi / 2), l * mu}}};
  const std::array<std::array<double, 3>, 4> th{{{0, -6 * mu / l, 6 * mu / l},
                                                 {1, -mu * (4 + phi), 3 * mu},
                                                 {0, 6 * mu / l, -6 * mu / l},
                                                 {0, mu * (phi - 2), 3 * mu}}};
  const std::array<double, 4> shear{-mu * phi / l, -mu * phi / 2, mu * phi / l, -mu * phi / 2};
  for (std::size_t i = 0; i < 4; ++i) {
    const bool rotates = i % 2 == 1;
    const Eigen::Index column = (i < 2 ? 0 : 6) + (rotates ? plane.th : plane.v);
    const double sign = rotates ? plane.sign : 1;
    for (std::size_t p = 0; p < 4; ++p) element.translation[p](plane.v, column) = sign * v[i][p];
    for (std::size_t p = 0; p < 3; ++p) element.rotation[p](plane.th - 3, column) = sign * plane.sign * th[i][p];
    element.strain(plane.v, column) = sign * shear[i];
  }
}

BeamElement make_element(const BeamDescription& beam, double start, double length) {
  BeamElement element;
  element.start = start;
  element.length = length;
  for (auto& rows : element.translation) rows.setZero();
  for (auto& rows : element.rotation) rows.setZero();
  element.strain.setZero();
  element.translation[0](0, 0) = element.rotation[0](0, 3) = 1;
  element.translation[1](0, 0) = element.rotation[1](0, 3) = -1;
  element.translation[1](0, 6) = element.rotation[1](0, 9) = 1;
  element.strain(0, 0) = -1 / length;
  element.strain(0, 6) = 1 / length;
  for (std::size_t p = 0; p < 2; ++p) add_plane(planes[p], shear_parameter(beam, p, length), element);
  return element;
}

/// Natural strains of an element times the roots of their stiffnesses: change of rotation, and mean rotation less
/// rotation of the chord, in each plane; twist; extension.
Eigen::Matrix<double, 6, 12> strain_rows(const BeamDescription& beam, double l) {
  Eigen::Matrix<double, 6, 12> rows = Eigen::Matrix<double, 6, 12>::Zero();
  for (std::size_t p = 0; p < 2; ++p) {
    const auto [v, th, sign] = planes[p];
    const auto row = static_cast<Eigen::Index>(2 * p);
    const double EI = bending_stiffness(beam, p);
    const double bending = std::sqrt(EI / l), chord = std::sqrt(12 * EI / (l * (1 + shear_parameter(beam, p, l))));
    rows(row, th) = -bending;
    rows(row, 6 + th) = bending;
    rows(row + 1, th) = rows(row + 1, 6 + th) = chord * sign / 2;
    rows(row + 1, v) = chord / l;
    rows(row + 1, 6 + v) = -chord / l;
  }
  const auto bar = [&](Eigen::Index row, Eigen::Index dof, double stiffness) {
    rows(row, 6 + dof) = std::sqrt(stiffness / l);
    rows(row, dof) = -rows(row, 6 + dof);
  };
  bar(4, 3, beam.GJ.value_or(0));
  bar(5, 0, beam.EA.value_or(0));
  return rows;
}

Eigen::Matrix<double, 12, 12> element_mass(const BeamDescription& beam, const BeamElement& element) {
  const auto [jy, jz] = beam.rotary_inertia;
  const Vector3 rotary(jy + jz, jy, jz);
  Eigen::Matrix<double, 12, 12> M = Eigen::Matrix<double, 12, 12>::Zero();
  for (const auto& [xi, weight] : gauss_points()) {
    const BeamElement::Rows u = element.translation_at(xi), th = element.rotation_at(xi);
    M += weight * element.length *
         (beam.mass_per_length * u.transpose() * u + th.transpose() * rotary.asDiagonal() * th);
  }
  return M;
}

/// Section axes; rounding that would couple what is not coupled is left out.
Matrix3 in_section(const Matrix3& R_BS, const Matrix3& inertia) {
  const Matrix3 I = R_BS.transpose() * inertia * R_BS;
  const double least = 1e-14 * I.cwiseAbs().maxCoeff();
  return 0.5 * (I + I.transpose()).unaryExpr([=](double x) { return std::abs(x) > least ? x : 0.0; });
}

void find_axes(const BeamDescription& beam, BeamModel& model) {
  model.origin = beam.from;
  model.length = (beam.to - beam.from).norm();
  const Vector3 x = (beam.to - beam.from) / model.length;
  Vector3 up = Vector3::UnitZ();
  if (beam.up) {
    up = beam.up->normalized();
  } else if (x.cross(up).norm() < 1e-6) {
    up = Vector3::UnitX();
  }
  const Vector3 y = up.cross(x).normalized();
  model.R_BS << x, y, x.cross(y);
}

/// The node at a distance, or one past the end if there is none.
std::size_t node_at(const BeamModel& model, double distance) {
  const auto found = std::find_if(model.nodes.begin(), model.nodes.end(),
                                  [&](double s) { return std::abs(s - distance) <= same_place * model.length; });
  return static_cast<std::size_t>(found - model.nodes.begin());
}

void find_nodes(const BeamDescription& beam, BeamModel& model) {
  const auto count = static_cast<double>(beam.elements);
  for (std::size_t i = 0; i <= beam.elements; ++i)
    model.nodes.push_back(model.length * (static_cast<double>(i) / count));
  const auto add = [&](double distance) {
    if (node_at(model, distance) == model.nodes.size()) model.nodes.push_back(distance);
  };
  for (const auto& lump : beam.lumps) add(lump.distance);
  for (const auto& station : beam.stations) add(station.distance);
  std::sort(model.nodes.begin(), model.nodes.end());
  if (model.nodes.size() > BeamDescription::most_nodes) {
    throw std::invalid_argument(fmt::format("beam: the mesh has {} nodes, at most {} are allowed", model.nodes.size(),
                                            BeamDescription::most_nodes));
  }
  model.names = {{"root", 0}, {"tip", model.nodes.size() - 1}};
  model.node_mass.assign(model.nodes.size(), 0);
  model.node_inertia.assign(model.nodes.size(), Matrix3::Zero());
  for (const auto& station : beam.stations) model.names.emplace_back(station.name, node_at(model, station.distance));
  for (const auto& lump : beam.lumps) {
    const std::size_t node = node_at(model, lump.distance);
    if (!lump.name.empty()) model.names.emplace_back(lump.name, node);
    model.node_mass[node] += lump.mass;
    model.node_inertia[node] += lump.inertia;
  }
}

void find_dofs(const BeamDescription& beam, BeamModel& model) {
  const auto count = static_cast<Eigen::Index>(6 * model.nodes.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const bool axial = i % 6 == 0, torsional = i % 6 == 3;
    if ((!axial || beam.EA) && (!torsional || beam.GJ)) model.dofs.push_back(i);
  }
}

void assemble(const BeamDescription& beam, BeamModel& model) {
  const auto n = static_cast<Eigen::Index>(model.nodes.size()), elements = n - 1;
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(6 * elements, 6 * n), M = Eigen::MatrixXd::Zero(6 * n, 6 * n);
  for (Eigen::Index e = 0; e < elements; ++e) {
    const auto i = static_cast<std::size_t>(e);
    model.elements.push_back(make_element(beam, model.nodes[i], model.nodes[i + 1] - model.nodes[i]));
    E.block<6, 12>(6 * e, 6 * e) = strain_rows(beam, model.elements.back().length);
    M.block<12, 12>(6 * e, 6 * e) += element_mass(beam, model.elements.back());
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto node = static_cast<std::size_t>(i);
    M.diagonal().segment<3>(6 * i).array() += model.node_mass[node];
    M.block<3, 3>(6 * i + 3, 6 * i + 3) += in_section(model.R_BS, model.node_inertia[node]);
  }
  const Eigen::MatrixXd rigid = model.rigid_motions(), momentum = M * rigid;
  FiniteElementModel& matrices = model.matrices;
  matrices.strain = E(Eigen::all, model.dofs);
  matrices.mass = M(model.dofs, model.dofs);
  matrices.rigid = rigid(model.dofs, Eigen::all);
  matrices.momentum = momentum(model.dofs, Eigen::all);
  matrices.rigid_mass = rigid.transpose() * momentum;
  matrices.size.resize(static_cast<Eigen::Index>(model.dofs.size()));
  for (std::size_t i = 0; i < model.dofs.size(); ++i) {
    matrices.size(static_cast<Eigen::Index>(i)) = model.dofs[i] % 6 < 3 ? 1 : 1e-3 * model.length;
  }
}

}  // namespace

const std::array<GaussPoint, 4>& gauss_points() {
  static const std::array<GaussPoint, 4> points = [] {
    const double root = std::sqrt(6.0 / 5), inner = std::sqrt((3 - 2 * root) / 7),
                 outer = std::sqrt((3 + 2 * root) / 7);
    const double much = (18 + std::sqrt(30.0)) / 72, little = (18 - std::sqrt(30.0)) / 72;
    return std::array<GaussPoint, 4>{
        {{(1 - outer) / 2, little}, {(1 - inner) / 2, much}, {(1 + inner) / 2, much}, {(1 + outer) / 2, little}}};
  }();
  return points;
}

BeamElement::Rows BeamElement::translation_at(double xi) const {
  return translation[0] + xi * (translation[1] + xi * (translation[2] + xi * translation[3]));
}

BeamElement::Rows BeamElement::rotation_at(double xi) const {
  return rotation[0] + xi * (rotation[1] + xi * rotation[2]);
}

std::size_t BeamModel::node(const std::string& name) const {
  for (const auto& [known, index] : names) {
    if (known == name) return index;
  }
  std::string all;
  for (const auto& [known, index] : names) all += (all.empty() ? "" : ", ") + known;
  throw std::invalid_argument(fmt::format("beam: there is no node '{}'; its nodes are {}", name, all));
}

std::vector<Eigen::Index> BeamModel::dofs_of(std::size_t node) const {
  std::vector<Eigen::Index> places;
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    if (static_cast<std::size_t>(dofs[i]) / 6 == node) places.push_back(static_cast<Eigen::Index>(i));
  }
  return places;
}

Eigen::MatrixXd BeamModel::rigid_motions() const {
  Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(6 * nodes.size()), 6);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    auto rows = motions.middleRows<6>(static_cast<Eigen::Index>(6 * i));
    rows.setIdentity();
    rows.block<3, 3>(0, 3) = -skew(Vector3(nodes[i], 0, 0));
  }
  return motions;
}

BeamModel beam_model(const BeamDescription& beam) {
  check_beam(beam);
  BeamModel model;
  find_axes(beam, model);
  find_nodes(beam, model);
  find_dofs(beam, model);
  assemble(beam, model);
  return model;
}

}  // namespace gyrostat
