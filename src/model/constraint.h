// Constraints on the motion that the spanning tree allows: functions of the coordinates that have given values.
#pragma once

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

/// The sum of coefficients times coordinates of joints of the tree, or angles of wheels. A gear is a case of it.
struct Coupling {
  struct Term {
    std::uint32_t q = 0, u = 0;  // of the coordinate and its speed in the state
    double coefficient = 1;
  };
  std::vector<Term> terms;
};

/// The distance of two nodes [m].
struct Distance {
  std::uint32_t parent_node = 0, child_node = 0;
};

/// Components of a node's position relative to another node, along directions fixed in the other's body [m].
struct PointOnFrame {
  std::uint32_t frame_node = 0, point_node = 0;
  std::vector<Vector3> directions;  // unit vectors, body axes of the frame's body
};

struct Constraint {
  std::string name;
  std::string path;  // where its user wrote it: "joints.closure", "constraints.mirror"
  std::string type;  // as its user named it: "revolute", "gear", "coupling"
  std::variant<CutJoint, Coupling, Distance, PointOnFrame> kind;
  std::string why;                // of a cut joint: why it was chosen of its loop's
  std::vector<double> equals;     // the values that its functions are given, at t = 0; of a cut joint, none
  std::uint32_t first_equal = 0;  // where those begin in Forces::equals
};

/// "joint 'pin' closes a loop": why the model is more than a tree.
inline std::string beyond_a_tree(const Constraint& constraint) {
  const bool joint = constraint.path.starts_with("joints.");
  return joint ? "joint '" + constraint.name + "' closes a loop" : "there is the constraint '" + constraint.name + "'";
}

}  // namespace gyrostat
