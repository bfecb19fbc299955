// A System made ready for the fast recursions: every body's frame is moved to its inboard joint and turned so that an
// only axis is z, and constants are folded. Built once, never changed.
//
// The frame of body i in here has its origin at the base point of the body (forces.h). For a joint with one axis its z
// is that axis, pointing so that the outboard body moves along or about +z for a positive speed. The turn about z that
// is left makes the xy element of the second moments vanish.
#pragma once

#include <cstdint>
#include <vector>

#include "gyrostat/dynamics/forces.h"
#include "gyrostat/dynamics/settings.h"

namespace gyrostat {

/// How the outboard body can move, as the recursions see it.
enum class Subspaces : std::uint8_t {
  turn,      // about z
  slide,     // along z
  floating,  // six freedoms from the world
  columns,   // anything else: given by the columns of a matrix
};

/// Constants of body i and of its inboard joint. P is the parent's frame, B the body's, both as in here.
struct Link {
  Mat3<double> R_PF;      // axes of the joint at zero coordinates, for turn and slide
  Vec3<double> p_PF;      // joint point from the parent's base point, P axes; zero displacement [m]
  double mass = 0;        // [kg]
  Vec3<double> mc;        // first moment about the base point, B axes [kg m]
  double e0 = 0, e1 = 0;  // second moments (integral of x x^T dm) about the base point [kg m^2]:
  Vec3<double> e;         //   E = e0 1 + e1 x x^T + z e^T + e z^T
  std::uint32_t parent = 0, q = 0, u = 0;
  std::uint8_t nu = 0;
  Subspaces subspace = Subspaces::columns;
  Motion motion = Motion::free;
  bool wheels = false;
  bool gyroscopic = true;
  std::uint32_t floats = 0;    // where it stands among the floating bodies, if it floats
  std::uint32_t gather = 0;    // children but the first one gather here; 0: there are none
  bool starts_gather = false;  // the first of those that the inward pass meets
};

struct WheelLink {
  std::uint32_t body = 0, u = 0;
  Vec3<double> axis;  // B axes
  double inertia = 0;
  bool prescribed = false;
};

struct Mechanism {
  const System* system = nullptr;
  std::vector<Link> links;              // [0] is the world
  std::vector<Matrix3> R_UB;            // from the frames in here to the user's body axes
  std::vector<WheelLink> wheels;        // in the order of their bodies
  std::vector<std::uint32_t> wheel_of;  // wheels of body i: wheel_of[i] .. wheel_of[i + 1]
  std::vector<std::uint32_t> turning;   // bodies whose joint turns about z
  std::vector<std::uint32_t> floating;  // bodies that float in the world
  std::vector<std::uint32_t> end;       // the bodies outboard of body i, itself included, are i .. end[i] - 1
  std::size_t gathers = 1;              // how many places for gathering there are, the unused one included
  std::size_t nq = 0, nu = 0;

  /// `system` must outlive it.
  explicit Mechanism(const System& system);
  Mechanism(const System& system, const DynamicsSettings& settings);

  [[nodiscard]] std::size_t body_count() const { return links.size() - 1; }
};

}  // namespace gyrostat
