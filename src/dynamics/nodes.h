// Nodes as the recursions see them: points of bodies that forces, sensors and constraints refer to.
#pragma once

#include "gyrostat/dynamics/mechanism.h"

namespace gyrostat {

template <class C>
struct NodeOf {
  std::uint32_t body = 0;
  Vec3<C> p;  // from the body's base point, M axes [m]
};

/// In the order of System::nodes.
inline std::vector<NodeOf<double>> nodes_of(const System& system, const Mechanism& mechanism) {
  std::vector<NodeOf<double>> nodes;
  for (const Node& node : system.nodes) {
    const BodyNumbers<double>& body = mechanism.bodies[node.body];
    nodes.push_back({node.body, transpose_times(body.R_BM, cast<double>(node.p) - body.base)});
  }
  return nodes;
}

}  // namespace gyrostat
