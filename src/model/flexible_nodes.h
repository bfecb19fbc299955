// Flexible bodies in a description: their data, their mass, and a body of its own for each node that something refers
// to.
#pragma once

#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/model/topology.h"

namespace gyrostat {

/// Joints, loads and constraints refer to the node "tip" of the flexible body "panel" as the body "panel.tip". Where
/// that is the node of the frame, the body itself takes its place; else a body without mass is added, and a weld that
/// the deformation moves. Mass, com and inertia of the flexible bodies become those of their nodes; wheels move to the
/// bodies of their nodes, with their inertia about their axes.
void add_flexible_nodes(Description& description, Problems& problems);

/// Reports flexible bodies that the tree reaches at another node than the one their shapes are seen from.
void report_turned_nodes(const Description& description, const Topology& topology, Problems& problems);

}  // namespace gyrostat
