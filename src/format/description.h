// What a model file says, as plain data in SI units: the result of reading, the input of validation and building. A
// program may also fill it in without any file. Names refer to names; nothing is numbered yet.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gyrostat/expression/constant.h"
#include "gyrostat/flexible/beam_data.h"
#include "gyrostat/flexible/modal_integrals.h"
#include "gyrostat/format/blocks/blocks.h"
#include "gyrostat/format/constraints/constraints.h"
#include "gyrostat/format/loads/loads.h"
#include "gyrostat/math/table.h"

namespace gyrostat {

struct ParameterDescription {
  std::string name;
  expression::Constant value;
};

struct TableDescription {
  std::string name;
  std::vector<double> x, y;
  Interpolation interpolation = Interpolation::linear;
  Outside outside = Outside::error;
};

struct NamedPoint {
  std::string name;
  Vector3 position = Vector3::Zero();  // from the body's origin, body axes [m]
};

/// The part of a friction's level that is proportional to the force that the joint transmits across its axis.
struct ReactionFrictionDescription {
  double coefficient = 0, static_coefficient = 0;  // while it slides; at rest
  double radius = 1;                               // of the bearing, where the joint turns [m]; 1 where it slides
};

/// Dry friction of a joint with one coordinate, or of a wheel.
struct FrictionDescription {
  Expression coulomb;      // its level while it slides; empty: none beside `by_reaction` [N m or N]
  Expression static_most;  // the most that it holds with at rest; empty: that of `coulomb` [N m or N]
  double viscous = 0;      // [N m s/rad or N s/m]
  double stribeck = 0;     // speed over which the level falls from static to coulomb; 0: at once [rad/s or m/s]
  std::optional<ReactionFrictionDescription> by_reaction;
};

/// Ends of the range of a joint with one coordinate.
struct StopsDescription {
  double low = -std::numeric_limits<double>::infinity(), high = -low;  // [rad or m]
  double restitution = 0;                                              // of rigid stops: speed after over speed before
  std::optional<double> stiffness;                                     // of compliant stops [N m/rad or N/m]
  double damping = 0;                                                  // the same [N m s/rad or N s/m]
};

/// Locks a joint once `when` is positive, and frees it once `release` is, which goes first.
struct LatchDescription {
  Expression when, release;  // an empty one never is
};

struct WheelDescription {
  std::string name;
  Vector3 axis = Vector3::UnitZ();  // unit vector, body axes
  double inertia = 0;               // about the axis [kg m^2]
  double rate = 0;                  // initial, relative to the body [rad/s]
  Expression torque;                // on the wheel; empty: none [N m]
  Expression speed;                 // prescribed relative rate instead of torque; empty: not prescribed [rad/s]
  double stiffness = 0;             // [N m/rad]
  double damping = 0;               // [N m s/rad]
  std::optional<FrictionDescription> friction;
  double torque_limit = std::numeric_limits<double>::infinity();  // of the motor's torque either way [N m]
  double speed_limit = std::numeric_limits<double>::infinity();   // up to which the motor drives it [rad/s]
  std::string drag;                                               // table of the drag torque over the rate; empty: none
  double static_imbalance = 0;                                    // mass times distance from the axis [kg m]
  double dynamic_imbalance = 0;                                   // product of inertia [kg m^2]
  std::string node;                                               // of a flexible body, where it is mounted
  std::optional<Vector3> at;                                      // its centre, body frame; for pictures [m]
  std::optional<double> radius;                                   // the same [m]
};

struct Shape {
  enum class Kind { box, cylinder, sphere, mesh };
  Kind kind = Kind::box;
  Vector3 size = Vector3::Zero();  // box: edges; cylinder: radius, height; sphere: radius [m]
  std::string file;                // mesh
  Vector3 at = Vector3::Zero();    // its centre, body frame [m]
  Matrix3 orientation = Matrix3::Identity();
  std::string color;
};

/// How a body bends.
struct FlexibleDescription {
  std::optional<BeamDescription> beam;  // its data follow when it is known which nodes joints use
  std::optional<FlexibleData> given;    // of a file, or of the model file itself: in its own frame, with all modes
  ModeOptions modes;
  bool selects_modes = false;                     // `modes` are stated; of `given` data all are taken if not
  ModeReport report;                              // of a beam
  std::vector<double> damping_ratios;             // one for all modes, or one for each; empty: none
  std::optional<std::array<double, 2>> rayleigh;  // a and b of the damping a M + b K [1/s, s]
  std::optional<double> mass;                     // if stated, they are compared with those of the nodes
  std::optional<Vector3> com;
  std::optional<Matrix3> inertia;
  FlexibleData data;
  FlexibleTerms terms = FlexibleTerms::stiffened;
  std::vector<double> position, rate;  // initial modal coordinates and their rates; empty: zero
};

/// A node of a flexible body is a body without mass that moves with the node; its name is "BODY.NODE".
struct NodeBody {
  std::string body;      // the flexible one
  std::size_t node = 0;  // in its data
};

struct BodyDescription {
  std::string name;
  double mass = 0;                    // [kg]
  Vector3 com = Vector3::Zero();      // from the origin, body axes [m]
  Matrix3 inertia = Matrix3::Zero();  // about the com, matrix elements, despun wheels included [kg m^2]
  bool accept_unphysical = false;
  bool point_mass = false;
  std::vector<NamedPoint> points;
  std::vector<WheelDescription> wheels;
  std::vector<Shape> shapes;
  std::optional<FlexibleDescription> flexible;
  std::optional<NodeBody> node_of;
};

struct Prescribed {
  enum class Kind { none, position, acceleration };
  Kind kind = Kind::none;
  std::vector<Expression> motion;  // one for each speed
};

struct ThermalSpring {
  double time_constant = 0;    // [s]
  std::vector<double> steady;  // rest coordinate in steady sunlight, one for each coordinate
  Expression factor;           // of the steady value; empty: 1
};

struct JointDescription {
  std::string name;
  JointType type = JointType::weld;
  std::string parent, child;                  // "world" for the inertial frame
  Vector3 parent_point = Vector3::Zero();     // joint point in the parent's frame [m]
  Vector3 child_point = Vector3::Zero();      // and in the child's [m]
  std::vector<Vector3> translations;          // unit vectors d_i, parent axes at zero coordinates
  std::vector<Vector3> rotations;             // unit vectors a_i, the same
  Matrix3 orientation = Matrix3::Identity();  // R_parent_child at zero coordinates

  std::vector<double> position;  // initial coordinates, in the order of coordinate_names()
  std::vector<double> speed;     // initial speeds, in the order of speed_names()

  // One entry for each speed, or empty.
  std::vector<Coefficient> stiffness, damping;
  std::vector<double> rest;
  std::vector<Expression> torque, axis_torque;

  bool locked = false;
  bool cut = false;
  bool readable = true;  // false: its type or axes could not be read, which was reported; nothing else of it is judged
  Prescribed prescribed;
  std::optional<ThermalSpring> thermal;
  std::optional<LatchDescription> latch;
  std::optional<FrictionDescription> friction;
  std::optional<StopsDescription> stops;

  std::array<std::string, 2> geared;  // gear: q2 = ratio q1 + offset
  double ratio = 1, offset = 0;
  double length = 0;  // distance [m]
};

struct ConstraintDescription {
  std::string name;
  Relation relation;
  std::vector<Expression> equals;  // one for each of its functions, or one for all; none: zero
};

/// A signal that is a vector or a rotation becomes one signal for each component (`take_vectors_apart`): error.x, ...
struct SignalDescription {
  std::string name;
  Block block;
  std::optional<Dimension> dimension = {};  // of its output, where `unit` says it
  std::vector<Block> components = {};       // of a vector with constants, or expressions, for each of x, y and z
  std::string written = {};                 // its name in the file, if that is another one
  bool recorded = false;                    // made of a quantity in `output.record`, whose name it has

  /// Where it stands in the file.
  [[nodiscard]] std::string path() const { return "signals." + (written.empty() ? name : written); }
};

struct OrbitDescription {
  double semi_major_axis = 0;  // [m]
  double eccentricity = 0;
  double inclination = 0, raan = 0, argument_of_periapsis = 0;  // [rad]
  double time_of_periapsis = 0;                                 // [s]
  double mu = 3.986004418e14;                                   // [m^3/s^2]
  double radius = 6378137;                                      // of the central body [m]
};

enum class GravityGradient { none, perturbation, full };

struct EnvironmentDescription {
  Vector3 gravity = Vector3::Zero();  // uniform [m/s^2]
  std::optional<OrbitDescription> orbit;
  GravityGradient gravity_gradient = GravityGradient::none;
  std::optional<Vector3> sun;  // unit vector towards the sun, world axes
};

/// Of an integrator: what double precision can keep.
inline constexpr double finest_tolerance = 1e-14;

struct SimulationDescription {
  double duration = 0;  // [s]
  std::string formulation = "articulated_body";
  std::string method = "cvode_adams";
  double tolerance = 1e-9;
  double step = 0;             // rk4 [s]
  bool baumgarte = false;      // constraints are kept by feedback, not by projection
  double alpha = 0, beta = 0;  // of that [1/s]
  bool gyroscopic = true;
  std::vector<std::string> gyroscopic_dropped;  // bodies
  std::string attitude = "quaternion";
  std::string computing_frame = "inertial";
  std::vector<std::pair<std::string, std::vector<double>>> about;  // joint, coordinates
  std::vector<std::string> linearized;                             // joints
};

struct OutputDescription {
  double interval = 0;  // [s]; 0: not given
  std::optional<std::vector<std::string>> record;
  std::vector<std::string> reactions;
};

struct Description {
  std::string name;
  std::vector<ParameterDescription> parameters;
  std::vector<TableDescription> tables;
  std::vector<BodyDescription> bodies;
  std::vector<JointDescription> joints;
  std::vector<ConstraintDescription> constraints;
  std::vector<SignalDescription> signals;
  std::vector<LoadDescription> loads;
  EnvironmentDescription environment;
  SimulationDescription simulation;
  OutputDescription output;

  // Defined out of line: they are long, and would be compiled wherever a description is made.
  Description();
  Description(const Description& other);
  Description(Description&& other) noexcept;
  Description& operator=(const Description& other);
  Description& operator=(Description&& other) noexcept;
  ~Description();
};

// --- what a joint type implies -------------------------------------------------------------------------------------

/// Does the joint's rotation have a quaternion for coordinates?
inline bool has_quaternion(JointType type) { return type == JointType::spherical || type == JointType::free; }

/// Is it a constraint between coordinates or points that can never be part of the tree?
inline bool is_loop_constraint(JointType type) { return type == JointType::gear || type == JointType::distance; }

struct NamedQuantity {
  std::string name;
  std::string_view unit;
  bool rotational = false;
};

/// "angle", "displacement2", "quaternion_w" ... of a joint with these numbers of axes, in the order of the state.
std::vector<NamedQuantity> coordinate_names(JointType type, std::size_t translations, std::size_t rotations);
std::vector<NamedQuantity> speed_names(JointType type, std::size_t translations, std::size_t rotations);

/// Points at the joints of the list.
using JointsByName = std::unordered_map<std::string_view, const JointDescription*>;
JointsByName joints_by_name(const std::vector<JointDescription>& joints);

/// What a constraint's functions measure, where that is known: not of a coupling, whose coefficients may have any unit.
std::optional<Dimension> dimension_of(const Relation& relation, const JointsByName& joints);

}  // namespace gyrostat
