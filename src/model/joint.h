// Joint geometry: where a joint puts the child, and how the child can move. What computes with joints sees poses and
// motion subspaces, never a type.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "gyrostat/format/description.h"
#include "gyrostat/math/spatial.h"

namespace gyrostat {

/// What a joint's coordinates do in a simulation.
enum class Motion : std::uint8_t { free, locked, prescribed };

inline std::string_view motion_name(Motion motion) {
  return motion == Motion::free ? "free" : motion == Motion::locked ? "locked" : "prescribed";
}

/// Three rotation axes whose unit vectors span less volume than this are at gimbal lock: at 1e-5 accelerations have six
/// digits left, and they lose two with every power of ten.
inline constexpr double locked_gimbal_volume = 1e-5;

/// Columns are the twists of unit speeds.
using Subspace = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// A joint as its user described it, from the user's parent P to the user's child C. In the tree the inboard body is P,
/// or C where `reversed`; coordinates, speeds and their signs are the user's in both cases.
struct Joint {
  std::string name;
  JointType type = JointType::weld;
  bool reversed = false;
  bool rotation_first = false;  // cylindrical: the angle stands before the displacement
  std::uint8_t translations = 0, rotations = 0;
  std::array<Vector3, 3> d, a;             // unit translation and rotation axes, parent axes at zero coordinates
  Vector3 parent_point = Vector3::Zero();  // [m]
  Vector3 child_point = Vector3::Zero();   // [m]
  Matrix3 R_0 = Matrix3::Identity();       // R_PC at zero coordinates
  Motion motion = Motion::free;
  bool may_lock = false;        // a latch, dry friction or a stop may hold it in a run, and let go of it
  std::uint32_t q = 0, u = 0;   // where its coordinates and speeds begin in the state
  std::uint8_t nq = 0, nu = 0;  // how many
  std::uint32_t parent_node = 0,
                child_node = 0;  // P's and C's node at the joint point, axes aligned at zero coordinates
};

/// X_PC: the child's body frame in the parent's, at coordinates q.
Pose joint_pose(const Joint& joint, const double* q);

/// Twist of C relative to P for unit speeds: at C's origin, in C's axes.
Subspace joint_subspace(const Joint& joint, const double* q);

/// The same for the tree: the outboard body relative to the inboard one.
Pose tree_pose(const Joint& joint, const double* q);
Subspace tree_subspace(const Joint& joint, const double* q);

/// The joint of a description; its place in the state and in the tree is not set.
Joint make_joint(const JointDescription& description);

}  // namespace gyrostat
