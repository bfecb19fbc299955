// A column belongs to the first kind, in the order of `Kind`, that takes it; kinds are shown in that order. Columns of
// `motion/` serve the picture, wheel angles are ramps: neither is shown at first.
//
// Of a kind, columns that do not move are left out: those whose span (largest less least) is below 1e-12 of the largest
// value of their group. A group in which nothing moves is left out whole, but for energy and the ledger. The rest is
// split by unit, then by span: curves that are thirty times flatter than the steepest go into a group of their own, and
// so on three times. What still has more than eight curves is cut in order, at most five times.
#include "gyrostat/report/plots.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace gyrostat::report {

namespace {

enum class Kind {
  attitude,
  body_rates,
  angles,
  displacements,
  rates,
  speeds,
  wheel_speeds,
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
  base_quaternion,  // shown as attitude if nothing else is
  none              // not shown
};

constexpr std::array<std::string_view, 18> titles = {"Attitude",
                                                     "Body rates",
                                                     "Joint angles",
                                                     "Joint displacements",
                                                     "Joint rates",
                                                     "Joint speeds",
                                                     "Wheel speeds",
                                                     "Control activity",
                                                     "Loads",
                                                     "Signals",
                                                     "Other quantities",
                                                     "Position",
                                                     "Velocity",
                                                     "Angular momentum",
                                                     "Energy",
                                                     "Reactions",
                                                     "Driving torques",
                                                     "Ledger"};

constexpr std::size_t most_curves = 8, most_pieces = 5;
constexpr double flatter = 30, still = 1e-12;

bool is_attitude_name(std::string_view name) {
  const std::string_view part = name.substr(name.rfind('.') + 1);
  const auto is_index = [](char c) { return c >= '1' && c <= '3'; };
  return part.starts_with("quaternion_") ||
         (part.size() == 3 && part[0] == 'C' && is_index(part[1]) && is_index(part[2]));
}

/// What names of the model's columns mean.
class Kinds {
 public:
  explicit Kinds(const Model* model) {
    if (model == nullptr) return;
    add_state(model->system);
    add_signals(model->description);
  }

  [[nodiscard]] Kind of(const PageColumn& column) const {
    const std::string_view name = column.name;
    for (const auto& [group, kind] : {std::pair{"loads/", Kind::loads},
                                      {"reactions/", Kind::reactions},
                                      {"driving/", Kind::driving},
                                      {"ledger/", Kind::ledger},
                                      {"motion/", Kind::none}}) {
      if (name.starts_with(group)) return kind;
    }
    if (const auto found = known_.find(column.name); found != known_.end()) return found->second;
    const std::size_t dot = name.rfind('.');
    if (dot != std::string_view::npos) {  // an output of a block
      if (const auto found = known_.find(std::string(name.substr(0, dot))); found != known_.end()) return found->second;
    }
    return by_name(name);
  }

 private:
  static Kind by_name(std::string_view name) {
    if (is_attitude_name(name)) return Kind::attitude;
    if (name.starts_with("system.momentum")) return Kind::momentum;
    if (name == "system.energy") return Kind::energy;
    const std::string_view part = name.substr(name.rfind('.') + 1);
    for (const auto& [start, kind] : {std::pair{"omega_", Kind::body_rates},
                                      {"position_", Kind::positions},
                                      {"com_", Kind::positions},
                                      {"velocity_", Kind::velocities},
                                      {"angle", Kind::angles},
                                      {"displacement", Kind::displacements},
                                      {"rate", Kind::rates},
                                      {"speed", Kind::speeds}}) {
      if (part.starts_with(start) && part.size() < name.size()) return kind;
    }
    return Kind::others;
  }

  void add_state(const System& system) {
    for (std::size_t i = 1; i < system.joints.size(); ++i) {
      const Joint& joint = system.joints[i];
      const bool base = system.parent[i] == 0;
      for (const NamedQuantity& c : coordinate_names(joint.type, joint.translations, joint.rotations)) {
        Kind kind = c.rotational ? Kind::angles : Kind::displacements;
        if (joint.type == JointType::free && base && !c.rotational) kind = Kind::positions;
        if (has_quaternion(joint.type) && c.rotational) kind = base ? Kind::base_quaternion : Kind::angles;
        known_[joint.name + "." + c.name] = kind;
      }
      for (const NamedQuantity& s : speed_names(joint.type, joint.translations, joint.rotations)) {
        Kind kind = s.rotational ? Kind::rates : Kind::speeds;
        if (has_quaternion(joint.type) && base) kind = s.rotational ? Kind::body_rates : Kind::velocities;
        known_[joint.name + "." + s.name] = kind;
      }
    }
    for (const Wheel& wheel : system.wheels) {
      const std::string name = system.bodies[wheel.body].name + "." + wheel.name;
      known_[name + ".angle"] = Kind::none;
      known_[name + ".rate"] = Kind::wheel_speeds;
    }
  }

  /// Attitudes are expressions that mention direction cosines or quaternions, or attitudes and nothing else that moves.
  /// Control is what switches or regulates, and what is named where forces and torques are given.
  void add_signals(const Description& description) {
    std::unordered_set<std::string> commands, parameters;
    for (const ParameterDescription& p : description.parameters) parameters.insert(p.name);
    add_commands(description, commands);
    for (const SignalDescription& signal : description.signals) {
      const auto* expression = std::get_if<Expression>(&signal.block);
      const bool regulates = std::holds_alternative<SwitchingAmplifierBlock>(signal.block) ||
                             std::holds_alternative<PidBlock>(signal.block) || commands.contains(signal.name);
      Kind kind = regulates ? Kind::control : Kind::signals;
      if (expression != nullptr && std::ranges::any_of(expression->names, is_attitude_name)) kind = Kind::attitude;
      if (expression != nullptr && kind == Kind::signals && derives(*expression, parameters)) kind = Kind::attitude;
      known_[signal.name] = kind;
    }
  }

  [[nodiscard]] bool derives(const Expression& expression, const std::unordered_set<std::string>& parameters) const {
    bool any = false;
    for (const std::string& name : expression.names) {
      const auto found = known_.find(name);
      const bool attitude = found != known_.end() && found->second == Kind::attitude;
      if (!attitude && !parameters.contains(name)) return false;
      any = any || attitude;
    }
    return any;
  }

  static void add_commands(const Description& description, std::unordered_set<std::string>& commands) {
    const auto note = [&](const Expression& e) {
      for (const std::string& name : e.names) {
        commands.insert(name);
        commands.insert(name.substr(0, name.find('.')));  // the block of an output
      }
    };
    for (const JointDescription& joint : description.joints) {
      for (const Expression& e : joint.torque) note(e);
      for (const Expression& e : joint.axis_torque) note(e);
    }
    for (const BodyDescription& body : description.bodies) {
      for (const WheelDescription& wheel : body.wheels) {
        note(wheel.torque);
        note(wheel.speed);
      }
    }
    for (const LoadDescription& load : description.loads) {
      if (const auto* b = std::get_if<BodyLoad>(&load)) {
        for (const Expression& e : b->force) note(e);
        for (const Expression& e : b->torque) note(e);
      } else if (const auto* s = std::get_if<SpringLoad>(&load)) {
        note(s->force);
      } else if (const auto* t = std::get_if<ThrusterLoad>(&load)) {
        note(t->thrust);
        note(t->command);
      } else if (const auto* between = std::get_if<TorqueBetweenLoad>(&load)) {
        note(between->torque);
      }
    }
  }

  std::unordered_map<std::string, Kind> known_;
};

using Members = std::vector<std::size_t>;

/// Splits what has one kind and one unit.
class Splitter {
 public:
  Splitter(std::span<const PageColumn> columns, std::vector<PlotGroup>& plots) : columns_(columns), plots_(plots) {}

  void add(const std::string& title, const Members& members, bool keep_still) {
    double magnitude = 0;
    for (const std::size_t i : members)
      magnitude = std::max({magnitude, std::abs(*columns_[i].least), std::abs(*columns_[i].largest)});
    Members moving;
    for (const std::size_t i : members) {
      if (span(i) > still * magnitude) moving.push_back(i);
    }
    if (moving.empty() && keep_still) cut(title, members);
    constexpr std::array<std::string_view, 4> levels = {"", ", small", ", smaller", ", smallest"};
    for (std::size_t level = 0; level < levels.size() && !moving.empty(); ++level) {
      double widest = 0;
      for (const std::size_t i : moving) widest = std::max(widest, span(i));
      Members here, rest;
      const bool last = level + 1 == levels.size();
      for (const std::size_t i : moving) (last || span(i) * flatter >= widest ? here : rest).push_back(i);
      cut(title + std::string(levels[level]), here);
      moving = std::move(rest);
    }
  }

 private:
  [[nodiscard]] double span(std::size_t i) const { return *columns_[i].largest - *columns_[i].least; }

  void cut(const std::string& title, const Members& members) {
    if (members.size() <= most_curves) {
      plots_.push_back({title, members});
      return;
    }
    for (std::size_t at = 0; at < std::min(members.size(), most_curves * most_pieces); at += most_curves) {
      const std::size_t end = std::min(at + most_curves, members.size());
      plots_.push_back(
          {fmt::format("{} {}-{}", title, at + 1, end), Members(members.begin() + static_cast<std::ptrdiff_t>(at),
                                                                members.begin() + static_cast<std::ptrdiff_t>(end))});
    }
  }

  std::span<const PageColumn> columns_;
  std::vector<PlotGroup>& plots_;
};

}  // namespace

std::vector<PlotGroup> default_plots(std::span<const PageColumn> columns, const Model* model) {
  const Kinds known(model);
  std::vector<Kind> kinds;
  for (const PageColumn& column : columns) kinds.push_back(known.of(column));
  const bool has_attitude = std::ranges::find(kinds, Kind::attitude) != kinds.end();
  std::ranges::replace(kinds, Kind::base_quaternion, has_attitude ? Kind::none : Kind::attitude);
  std::array<std::vector<std::pair<std::string, Members>>, titles.size()> by_kind;  // then by unit
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (kinds[i] == Kind::none || !columns[i].least) continue;
    const std::string unit = columns[i].unit == "1" ? "" : columns[i].unit;
    auto& units = by_kind[static_cast<std::size_t>(kinds[i])];
    auto found = std::ranges::find(units, unit, [](const auto& pair) { return pair.first; });
    if (found == units.end()) found = units.insert(units.end(), {unit, {}});
    found->second.push_back(i);
  }
  std::vector<PlotGroup> plots;
  Splitter splitter(columns, plots);
  for (std::size_t k = 0; k < titles.size(); ++k) {
    const bool keep_still = k == static_cast<std::size_t>(Kind::energy) || k == static_cast<std::size_t>(Kind::ledger);
    for (const auto& [unit, members] : by_kind[k]) {
      const bool alone = by_kind[k].size() == 1;
      const std::string shown = unit.empty() ? "no unit" : unit;
      splitter.add(std::string(titles[k]) + (alone ? "" : " [" + shown + "]"), members, keep_still);
    }
  }
  return plots;
}

}  // namespace gyrostat::report
