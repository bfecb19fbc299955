// What recorded columns are, for the plots that a page shows at first.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "gyrostat/model/load.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

/// In the order in which they are shown.
enum class Kind {
  attitude,
  body_rates,
  angles,
  displacements,
  rates,
  speeds,
  wheel_speeds,
  wheel_torques,
  joint_torques,
  thruster_commands,
  control,
  loads,
  signals,
  others,
  positions,
  velocities,
  momentum,
  energy,
  reactions,
  driving,
  ledger,
  base_angles,      // roll, pitch and yaw: shown as attitude if nothing else is
  base_quaternion,  // the same if there are no angles either
  none              // not shown
};

/// Empty: plots of that kind are called by the names of their columns.
inline constexpr std::array<std::string_view, 21> kind_titles = {"Attitude",
                                                                 "Body rates",
                                                                 "Joint angles",
                                                                 "Joint displacements",
                                                                 "Joint rates",
                                                                 "Joint speeds",
                                                                 "Wheel speeds",
                                                                 "Wheel torques",
                                                                 "Joint torques",
                                                                 "Thruster commands",
                                                                 "",
                                                                 "Loads",
                                                                 "",
                                                                 "",
                                                                 "Position",
                                                                 "Velocity",
                                                                 "Angular momentum",
                                                                 "Energy",
                                                                 "Reactions",
                                                                 "Driving torques",
                                                                 "Ledger"};

/// What names of a model's columns mean. Columns of `motion/` serve the picture, wheel angles are ramps: neither is
/// shown at first.
class Kinds {
 public:
  /// Without a model, names have to do.
  explicit Kinds(const Model* model);

  [[nodiscard]] Kind of(const PageColumn& column) const;

  /// The column of a body that says the same as this one of the joint to the world, or empty: bus.omega_x for
  /// base.omega_x.
  [[nodiscard]] std::string same_of_body(const std::string& column) const;

 private:
  void add_state(const System& system);
  void add_signals(const Description& description);
  [[nodiscard]] bool is_attitude(const Expression& expression, const std::unordered_set<std::string>& parameters) const;

  std::unordered_map<std::string, Kind> known_;
  std::unordered_map<std::string, std::string> same_of_body_;
  std::unordered_set<std::string>
      turned_;  // signals that mention attitudes: angles of the body, or vectors in its axes
};

}  // namespace gyrostat::report
