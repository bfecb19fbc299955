// The mechanical system, numbered and ready for computation. Built once, never changed, shared between threads freely.
//
// Body 0 is the world. Body i and its inboard joint share the number i; parent[i] < i; the bodies outboard of body i
// follow it without a gap.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gyrostat/flexible/modal_integrals.h"
#include "gyrostat/math/mass_properties.h"
#include "gyrostat/model/constraint.h"
#include "gyrostat/model/index.h"
#include "gyrostat/model/joint.h"
#include "gyrostat/model/nodes.h"
#include "gyrostat/model/topology.h"

namespace gyrostat {

/// A body that bends. What attaches to it does so at a node: a body of its own, without mass.
struct FlexibleBody {
  std::uint32_t body = 0;
  std::uint32_t q = 0, u = 0;  // where its modal coordinates and rates begin in the state
  FlexibleTerms terms = FlexibleTerms::stiffened;
  FlexibleData data;  // shapes vanish where its inboard joint attaches; the modal mass is the unit matrix
};

struct Body {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::string name;
  MassProperties mass_properties;  // despun wheels included
  std::vector<NamedPoint> points;
  std::uint32_t origin_node = 0, com_node = 0;
  std::uint32_t flexible = none;  // its place in System::flexible, if it bends
  std::uint32_t node = none;      // of a node of a flexible body, its parent: which one of the data
};

struct Wheel {
  std::string name;
  std::uint32_t body = 0;
  Vector3 axis = Vector3::UnitZ();  // unit vector, body axes
  double inertia = 0;               // about the axis [kg m^2]
  bool speed_prescribed = false;
  std::uint32_t q = 0, u = 0;  // its angle and rate in the state
  bool may_lock = false;       // dry friction or its speed limit may hold its rate in a run, and let go of it
};

/// Coordinates q and speeds u of everything that moves, in one flat layout:
///   q: for body 1, 2, ... the coordinates of its joint (in the order of coordinate_names) and, if it is flexible, its
///      modal coordinates; then the angles of wheels 0, 1, ...
///   u: for body 1, 2, ... the speeds of its joint (in the order of speed_names) and the rates of its modal
///   coordinates;
///      then the rates of wheels 0, 1, ...
/// Locked and prescribed joints keep their entries; what moves them is not the equations of motion.
struct State {
  Eigen::VectorXd q, u;
};

struct System {
  std::string name;
  std::vector<std::uint32_t> parent;  // parent[0] is 0 and means nothing
  std::vector<Body> bodies;           // bodies[0] is the world
  std::vector<Joint> joints;          // joints[0] means nothing
  std::vector<Wheel> wheels;
  std::vector<FlexibleBody> flexible;  // in the order of their bodies
  std::vector<Node> nodes;
  std::vector<Constraint> constraints;
  State initial;
  SystemIndex index;

  /// All but the world; nodes of flexible bodies are among them.
  [[nodiscard]] std::size_t body_count() const { return bodies.size() - 1; }

  // Numbers by name. A name that does not exist is a std::out_of_range whose message suggests the nearest that does.
  [[nodiscard]] std::uint32_t body(std::string_view named) const;   // "bus"; "world" is 0
  [[nodiscard]] std::uint32_t joint(std::string_view named) const;  // "pan"; a joint that closes a loop has no number
  [[nodiscard]] std::uint32_t wheel(std::string_view named) const;  // "bus.rw1"
  /// "bus.antenna", "bus.com", "bus.origin", or "bus.pan" for the point where the joint pan attaches to the bus. Where
  /// several have the same name, the model's named point is meant.
  [[nodiscard]] std::uint32_t node(std::string_view named) const;

  // Where a coordinate stands in q and a speed in u: "pan.angle", "bus.rw1.rate", as coordinate_entries names them.
  [[nodiscard]] std::uint32_t coordinate(std::string_view named) const;
  [[nodiscard]] std::uint32_t speed(std::string_view named) const;
};

/// The node that a load refers to. Precondition: the reference is one of those in the description the system was built
/// from, or names a point or the com of one of its bodies; std::out_of_range otherwise.
std::uint32_t node_of(const System& system, const PointReference& reference);

/// Precondition: the description is valid and `topology` is its own.
System build(const Description& description, const Topology& topology);

struct StateEntry {
  std::string name;  // as in expressions: pan.angle, bus.rw1.rate
  std::string_view unit;
  Motion motion = Motion::free;
};

/// What each entry of q and of u is.
std::vector<StateEntry> coordinate_entries(const System& system);
std::vector<StateEntry> speed_entries(const System& system);

struct DegreesOfFreedom {
  std::size_t free = 0, locked = 0, prescribed = 0;  // of joints
  std::size_t wheels = 0, wheels_prescribed = 0;
  std::size_t modes = 0;  // of flexible bodies

  [[nodiscard]] std::size_t all() const { return free + wheels + modes; }
};
DegreesOfFreedom count_degrees_of_freedom(const System& system);

/// Of a node of a flexible body: does inertia attach to it, or may it? It has children, wheels or constraints.
bool is_loaded(const System& system, std::uint32_t node_body);

/// Without the nodes of flexible bodies.
std::size_t count_bodies(const System& system);

/// The body outboard of the joint that a speed belongs to, or the body that carries the wheel.
std::uint32_t body_of_speed(const System& system, std::uint32_t u);

/// The bodies that a constraint connects, the user's parent first; of a coupling, those of its first and last terms.
std::array<std::uint32_t, 2> bodies_of(const System& system, const Constraint& constraint);

/// X_NB of every body at coordinates q.
std::vector<Pose> body_poses(const System& system, const Eigen::VectorXd& q);

/// Mass, com and inertia about the com of the whole, world axes.
MassProperties total_mass_properties(const System& system, const Eigen::VectorXd& q);

}  // namespace gyrostat
