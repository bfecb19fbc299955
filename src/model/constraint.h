// Constraints on the motion that the spanning tree allows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gyrostat/model/joint.h"

namespace gyrostat {

/// A joint that is not in the spanning tree. It has no coordinates in the state: joint.q and joint.u are not used.
struct CutJoint {
  Joint joint;
  std::vector<double> position;  // the coordinates its user gave it; a locked joint keeps them
};

/// q2 = ratio q1 + offset, between the coordinates of two joints of the tree.
struct Gear {
  std::array<std::uint32_t, 2> joints = {0, 0};
  double ratio = 1, offset = 0;  // [1, m/rad or rad/m], [rad or m]
};

/// Two nodes keep a distance.
struct Distance {
  std::uint32_t parent_node = 0, child_node = 0;
  double length = 0;  // [m]
};

struct Constraint {
  std::string name;
  JointType type = JointType::weld;  // as its user described it
  std::variant<CutJoint, Gear, Distance> kind;
};

}  // namespace gyrostat
