// Beams as flexible bodies.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/flexible/beam.h"
#include "gyrostat/flexible/component_modes.h"
#include "gyrostat/flexible/flexible_data.h"

namespace gyrostat {

/// The nodes are those of the mesh from root to tip, with the mass of lumps (a node with several names follows itself
/// without mass), and then the Gauss points of the elements, without names, with the mass of the beam. Sums over nodes
/// give the finite elements' mass matrix.
///
/// `inboard` and `boundary` are names of nodes; for free_free `inboard` is not used, and the data are floating.
///
/// Second-order shapes are those of a beam whose curvatures k and strains g (in axes that follow the section) are
/// linear in the modal coordinates: with rotation al, k = al',
///   r2' = A2 e1 + al x g,   A2' = [al]x [k]x,   theta2' = 1/2 al x k,
/// zero at the inboard node. Those of free_free modes have no momentum and no angular momentum, like the modes.
///
/// Throws std::invalid_argument if the description or the options make no sense.
FlexibleData make_beam(const BeamDescription& beam, const std::string& inboard,
                       const std::vector<std::string>& boundary, const ModeOptions& options,
                       ModeReport* report = nullptr);

}  // namespace gyrostat
