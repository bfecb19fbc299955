// Random models with loops.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/assemble.h"
#include "support/random_model.h"
#include "support/reference.h"

namespace gyrostat::testing {

/// Closes loops that the bodies' initial poses satisfy.
inline Description with_loops(std::uint64_t seed, Description d) {
  RandomModel model(seed, {});
  Random random(seed);
  const Assembled tree = assemble(d);
  d = tree.description;
  const std::map<std::string, Pose> X_N = reference_poses(d, initial_coordinates(d));
  const std::size_t count = random.between(1, 3);
  for (std::size_t k = 0; k < count; ++k) {
    JointDescription j = random.chance(0.3) ? joint("", JointType::distance, "", "") : model.joint({});
    const std::size_t p = random.index(d.bodies.size() + 1), c = random.index(d.bodies.size() + 1);
    if (p == c) continue;
    j.name = "loop" + std::to_string(k);
    j.cut = !is_loop_constraint(j.type);
    j.stiffness.clear(), j.damping.clear(), j.rest.clear();  // it has no coordinates
    j.torque.clear(), j.axis_torque.clear(), j.thermal.reset();
    j.prescribed = {};
    j.locked = j.cut && random.chance(0.1);
    j.parent = p == d.bodies.size() ? "world" : d.bodies[p].name;
    j.child = c == d.bodies.size() ? "world" : d.bodies[c].name;
    const Pose X_PC = inverse(X_N.at(j.parent)) * X_N.at(j.child);
    if (j.type == JointType::distance) {
      j.parent_point = random.vector();
      j.child_point = random.vector();
      j.length = (X_PC * j.child_point - j.parent_point).norm();
    } else if (has_quaternion(j.type)) {
      const Quaternion q = to_quaternion(X_PC.R);
      const std::vector<double> turned = {q.w, q.x, q.y, q.z};
      std::copy(turned.begin(), turned.end(), j.position.end() - 4);
    } else {
      const Matrix3 R = reference_joint_pose(j, j.position).R * j.orientation.transpose();
      j.orientation = R.transpose() * X_PC.R;
    }
    if (!is_loop_constraint(j.type)) j.parent_point += X_PC.p - reference_joint_pose(j, j.position).p;
    d.joints.push_back(j);
  }
  return d;
}

}  // namespace gyrostat::testing
