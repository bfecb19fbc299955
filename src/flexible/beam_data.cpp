#include "gyrostat/flexible/beam_data.h"

#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/flexible/beam_shapes.h"

namespace gyrostat {

namespace {

/// The finite-element nodes, with lumps, and the Gauss points; without shapes.
std::vector<FlexibleNode> beam_nodes(const BeamDescription& beam, const BeamModel& model, const BeamShapes& shapes) {
  const auto [jy, jz] = beam.rotary_inertia;
  const Matrix3 rotary = model.R_BS * Vector3(jy + jz, jy, jz).asDiagonal() * model.R_BS.transpose();
  std::vector<FlexibleNode> nodes(shapes.shapes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].position = model.origin + shapes.distance[i] * model.R_BS.col(0);
  }
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    nodes[i].mass = model.node_mass[i];
    nodes[i].inertia = model.node_inertia[i];
  }
  std::size_t i = model.nodes.size();
  for (const BeamElement& element : model.elements) {
    for (const GaussPoint& point : gauss_points()) {
      nodes[i].mass = point.weight * element.length * beam.mass_per_length;
      nodes[i++].inertia = point.weight * element.length * rotary;
    }
  }
  return nodes;
}

/// In the axes that R maps to.
NodeShape rotated(const Matrix3& R, const NodeShape& shape) {
  return {R * shape.translation, R * shape.rotation, R * shape.translation2, R * shape.rotation2};
}

/// Takes momentum and angular momentum from second-order shapes.
void remove_momentum(const BeamModel& model, const std::vector<FlexibleNode>& nodes, BeamShapes& shapes) {
  Eigen::MatrixXd momentum = Eigen::MatrixXd::Zero(6, shapes.shapes.front().translation2.cols());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeShape& shape = shapes.shapes[i];
    const Matrix3 I = model.R_BS.transpose() * nodes[i].inertia * model.R_BS;
    const Vector3 c(shapes.distance[i], 0, 0);
    momentum.topRows<3>() += nodes[i].mass * shape.translation2;
    momentum.bottomRows<3>() += nodes[i].mass * skew(c) * shape.translation2 + I * shape.rotation2;
  }
  move_second_order(-motions_of_momentum(model.matrices.rigid_mass, momentum), shapes);
}

/// Names, each on a node of its own: the nodes of the mesh, with a massless copy for every further name; then the rest.
std::vector<FlexibleNode> with_names(const BeamModel& model, const std::vector<FlexibleNode>& nodes,
                                     std::size_t inboard, std::size_t& frame_node) {
  std::vector<FlexibleNode> named;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == inboard) frame_node = named.size();
    if (i >= model.nodes.size()) {
      if (nodes[i].mass != 0 || !nodes[i].inertia.isZero(0)) named.push_back(nodes[i]);
      continue;
    }
    named.push_back(nodes[i]);
    for (const auto& [name, node] : model.names) {
      if (node != i) continue;
      if (!named.back().name.empty()) {
        named.push_back(nodes[i]);
        named.back().mass = 0;
        named.back().inertia.setZero();
      }
      named.back().name = name;
    }
  }
  return named;
}

std::vector<Eigen::Index> boundary_dofs(const BeamModel& model, std::size_t inboard,
                                        const std::vector<std::string>& names) {
  std::vector<bool> taken(model.nodes.size(), false);
  std::vector<Eigen::Index> dofs;
  for (const std::string& name : names) {
    const std::size_t node = model.node(name);
    if (node == inboard) {
      throw std::invalid_argument(fmt::format("beam: boundary node '{}' is the inboard node, which is clamped", name));
    }
    if (taken[node]) continue;
    taken[node] = true;
    for (const Eigen::Index dof : model.dofs_of(node)) dofs.push_back(dof);
  }
  return dofs;
}

}  // namespace

FlexibleData make_beam(const BeamDescription& beam, const std::string& inboard,
                       const std::vector<std::string>& boundary, const ModeOptions& options, ModeReport* report) {
  const BeamModel model = beam_model(beam);
  const bool free = options.kind == ModeKind::free_free;
  const std::size_t origin = free ? 0 : model.node(inboard);
  const std::vector<Eigen::Index> outer = free ? std::vector<Eigen::Index>{} : boundary_dofs(model, origin, boundary);
  const ModeBasis basis =
      component_modes(model.matrices, model.dofs_of(origin), outer, options, Vector3(model.nodes[origin], 0, 0));
  if (report != nullptr) *report = basis.report;

  Eigen::MatrixXd values = model.rigid_motions() * basis.rigid;
  values(model.dofs, Eigen::all) += basis.shapes;
  BeamShapes shapes = beam_shapes(model, values);
  std::vector<FlexibleNode> nodes = beam_nodes(beam, model, shapes);
  if (free) {
    remove_momentum(model, nodes, shapes);
  } else {
    refer_to_node(origin, shapes);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].shape = rotated(model.R_BS, shapes.shapes[i]);

  FlexibleData data;
  data.nodes = with_names(model, nodes, free ? FlexibleData::floating : origin, data.frame_node);
  const Eigen::Index modes = basis.stiffness.size();
  data.mass.setIdentity(modes, modes);
  data.stiffness = basis.stiffness.asDiagonal();
  data.damping.setZero(modes, modes);
  data.second_order = true;
  return data;
}

}  // namespace gyrostat
