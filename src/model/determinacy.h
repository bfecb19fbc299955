// Is the motion determinate? It is where the mass matrix has full rank: where every motion of the joints moves some
// mass.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/model/system.h"

namespace gyrostat {

/// A motion of the joints, compatible with the loops, that leaves all mass at rest.
struct MasslessMotion {
  std::vector<std::uint32_t> joints;  // those that move, numbered as in the System
};

struct MasslessMotions {
  std::vector<MasslessMotion> motions;  // the first few
  std::size_t count = 0;                // how many independent ones there are
  bool loops_ignored = false;           // too many for the loops to be taken into account
};

/// With more motions than this that the tree alone would allow, or a very large model, loops are not looked at.
inline constexpr std::size_t massless_motions_with_loops = 500;

/// The null space of the mass matrix at the initial configuration. Locked and prescribed joints do not move. Linear in
/// the number of bodies, and with loops in that times the number of motions: the mass matrix is never formed.
MasslessMotions find_massless_motions(const System& system);

}  // namespace gyrostat
