// Nodes: what joints, constraints, force elements, sensors and named points attach to.
#pragma once

#include <cstdint>
#include <string>

#include "gyrostat/math/rotation.h"

namespace gyrostat {

/// A frame fixed in a body.
struct Node {
  std::string name;                 // within its body: of a point, "com", "origin", or of a joint; empty: none
  std::uint32_t body = 0;           // 0: the world
  Vector3 p = Vector3::Zero();      // position from the body's origin, body axes [m]
  Matrix3 R = Matrix3::Identity();  // from the node's axes to the body's axes
};

}  // namespace gyrostat
