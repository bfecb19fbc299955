// The names of a model: what exists, and what a name in an expression means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"

namespace gyrostat {

enum class Quantity : std::uint8_t {
  time,
  parameter,
  signal,  // `part` is the output of a block with several
  joint_coordinate,
  joint_speed,
  body_omega,     // inertial angular velocity, body axes
  body_position,  // of the origin, world axes
  body_velocity,
  body_quaternion,        // q_world_body
  body_attitude_angle,    // roll, pitch, yaw: R_world_body turns about z by yaw, then y by pitch, then x by roll
  body_direction_cosine,  // component 3 (i - 1) + j - 1 of C = R_body_world
  point_position,
  point_velocity,
  modal_coordinate,
  modal_rate,
  wheel_angle,
  wheel_rate,
  system_com,
  system_momentum,  // angular, about the com, world axes
  system_energy,
  orbit_radius,
  orbit_true_anomaly,
  orbit_nadir,
  sun_direction,
};

/// What a name stands for. Numbers count from 0 in the description's lists.
struct Reference {
  Quantity quantity = Quantity::time;
  std::uint32_t object = 0;     // parameter, signal, joint or body
  std::uint32_t part = 0;       // output of the signal, point or wheel of the body
  std::uint32_t component = 0;  // of a vector, quaternion or matrix; coordinate of the joint
};

/// An index of a description's names. Keeps pointing at the description.
class Names {
 public:
  /// Suggestions in messages cost a look at all names each.
  enum class Suggestions { given, none };

  /// With `problems`, suggestions end when the list of problems is full.
  explicit Names(const Description& description, const Problems* problems = nullptr,
                 Suggestions suggestions = Suggestions::given);

  using Index = std::optional<std::uint32_t>;
  [[nodiscard]] Index body(std::string_view name) const { return find(bodies_, name); }
  [[nodiscard]] Index joint(std::string_view name) const { return find(joints_, name); }
  [[nodiscard]] Index signal(std::string_view name) const { return find(signals_, name); }
  [[nodiscard]] Index parameter(std::string_view name) const { return find(parameters_, name); }
  [[nodiscard]] Index table(std::string_view name) const { return find(tables_, name); }

  /// What a name in an expression means, or why it means nothing.
  [[nodiscard]] std::variant<Reference, std::string> resolve(std::string_view name) const;

  /// The name itself, or the numbers of the vector or rotation that it names: bus.omega_x, error.y; empty if it means
  /// nothing.
  [[nodiscard]] std::vector<std::string> numbers_of(std::string_view name) const;

  /// All quantities whose names match a pattern with '*' and '?', but parameters: bodies, points and wheels, joints,
  /// signals, the system, the orbit.
  [[nodiscard]] std::vector<std::string> matching(std::string_view pattern) const;

  // "no body 'buss'; did you mean 'bus'?"
  [[nodiscard]] std::string no_body(std::string_view name) const;
  [[nodiscard]] std::string no_joint(std::string_view name) const;
  [[nodiscard]] std::string no_joint_or_constraint(std::string_view name) const;
  [[nodiscard]] std::string no_table(std::string_view name) const;
  [[nodiscard]] std::string no_signal(std::string_view name) const;

  /// "the body 'bus' has no point 'jte'; did you mean 'jet'?"
  [[nodiscard]] std::string no_point(std::uint32_t body, std::string_view name) const;

 private:
  using Map = std::unordered_map<std::string_view, std::uint32_t>;
  static Index find(const Map& map, std::string_view name);

  using Answer = std::variant<Reference, std::string>;
  [[nodiscard]] Answer resolve_single(std::string_view name) const;
  [[nodiscard]] Answer resolve_attribute(std::string_view object, std::string_view attribute) const;
  [[nodiscard]] Answer resolve_part(std::string_view object, std::string_view rest) const;

  [[nodiscard]] bool is_instance(std::string_view name) const;
  [[nodiscard]] std::string not_in_instance(std::string_view name) const;
  [[nodiscard]] bool no_more_hints() const;

  const Description& description_;
  const Problems* problems_;
  Suggestions suggestions_;
  Map bodies_, joints_, signals_, parameters_, tables_;
};

/// The names of a block's outputs; empty where the signal itself is the output.
const std::vector<std::string>& output_names(const Block& block);

/// The names of the states of a state machine; none of other blocks.
std::vector<std::string_view> state_names(const Block& block);

/// What expressions call the parts of a signal, in the order of Reference::part: its name; or SIGNAL.OUTPUT for each
/// output; or, of a state machine, its name, which is the number of its state, and SIGNAL.STATE for each state.
std::vector<std::string> part_names(const SignalDescription& signal);

}  // namespace gyrostat
