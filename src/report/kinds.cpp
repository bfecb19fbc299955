#include "gyrostat/report/kinds.h"

#include <algorithm>

namespace gyrostat::report {

namespace {

bool is_attitude_name(std::string_view name) {
  const std::string_view part = name.substr(name.rfind('.') + 1);
  const auto is_index = [](char c) { return c >= '1' && c <= '3'; };
  return part.starts_with("quaternion_") ||
         (part.size() == 3 && part[0] == 'C' && is_index(part[1]) && is_index(part[2]));
}

bool is_attitude_angle(std::string_view name) {
  return name.ends_with(".roll") || name.ends_with(".pitch") || name.ends_with(".yaw");
}

bool mentions_attitude(std::string_view name) { return is_attitude_name(name) || is_attitude_angle(name); }

/// Its value is that of asin, acos, atan or atan2, whatever it is multiplied by.
bool is_angle(const Expression& expression) {
  using expression::Operation;
  const auto& nodes = expression.nodes;
  if (nodes.empty()) return false;
  for (std::size_t k = nodes.size() - 1;;) {
    const auto& node = nodes[k];
    switch (node.operation) {
      case Operation::asin:
      case Operation::acos:
      case Operation::atan:
      case Operation::atan2: return true;
      case Operation::negate: k = node.operand[0]; break;
      case Operation::multiply: {
        const bool first = nodes[node.operand[0]].operation == Operation::number;
        k = node.operand[first ? 1 : 0];
        break;
      }
      default: return false;
    }
  }
}

Kind kind_by_name(std::string_view name) {
  if (is_attitude_angle(name)) return Kind::base_angles;
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

/// What signals drive. One that is all of a torque or a command is that; others are control all the same.
class Commands {
 public:
  explicit Commands(const Description& description) {
    for (const JointDescription& joint : description.joints) {
      for (const Expression& e : joint.torque) note(e, Kind::joint_torques);
      for (const Expression& e : joint.axis_torque) note(e, Kind::joint_torques);
    }
    for (const BodyDescription& body : description.bodies) {
      for (const WheelDescription& wheel : body.wheels) {
        note(wheel.torque, Kind::wheel_torques);
        note(wheel.speed, Kind::control);
      }
    }
    for (const LoadDescription& load : description.loads) {
      if (const auto* b = std::get_if<BodyLoad>(&load)) {
        for (const Expression& e : b->force) note(e, Kind::control);
        for (const Expression& e : b->torque) note(e, Kind::control);
      } else if (const auto* s = std::get_if<SpringLoad>(&load)) {
        note(s->force, Kind::control);
      } else if (const auto* t = std::get_if<ThrusterLoad>(&load)) {
        note(t->thrust, Kind::control);
        note(t->command, Kind::thruster_commands);
      } else if (const auto* between = std::get_if<TorqueBetweenLoad>(&load)) {
        note(between->torque, Kind::control);
      } else if (const auto* torsion = std::get_if<TorsionSpringLoad>(&load)) {
        note(torsion->torque, Kind::control);
      }
    }
  }

  std::unordered_map<std::string, Kind> kinds;  // of signals, and of outputs of blocks

 private:
  void note(const Expression& e, Kind whole) {
    using expression::Operation;
    const auto is_name_of = [&](std::size_t k) { return e.nodes[k].operation == Operation::name; };
    const bool alone =
        !e.empty() && (is_name_of(e.nodes.size() - 1) ||
                       (e.nodes.back().operation == Operation::negate && is_name_of(e.nodes.back().operand[0])));
    for (const std::string& name : e.names) {
      kinds.emplace(name, alone ? whole : Kind::control);
      kinds.emplace(name.substr(0, name.rfind('.')), Kind::control);  // the block of an output
    }
  }
};

}  // namespace

Kinds::Kinds(const Model* model) {
  if (model == nullptr) return;
  add_state(model->system);
  add_signals(model->description);
}

Kind Kinds::of(const PageColumn& column) const {
  const std::string_view name = column.name;
  for (const auto& [group, kind] : {std::pair{"loads/", Kind::loads},
                                    {"reactions/", Kind::reactions},
                                    {"driving/", Kind::driving},
                                    {"ledger/", Kind::ledger},
                                    {"motion/", Kind::none}}) {
    if (name.starts_with(group)) return kind;
  }
  auto found = known_.find(column.name);
  const std::size_t dot = name.rfind('.');
  if (found == known_.end() && dot != std::string_view::npos)  // an output of a block
    found = known_.find(std::string(name.substr(0, dot)));
  if (found == known_.end()) return kind_by_name(name);
  if (!turned_.contains(found->first) || column.unit.empty()) return found->second;
  if (column.unit == "rad") return Kind::attitude;  // the unit knows better than the look of the expression
  return found->second == Kind::attitude ? Kind::signals : found->second;
}

std::string Kinds::same_of_body(const std::string& column) const {
  const auto found = same_of_body_.find(column);
  return found == same_of_body_.end() || found->second == column ? std::string() : found->second;
}

void Kinds::add_state(const System& system) {
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
      if (kind == Kind::body_rates) same_of_body_[joint.name + "." + s.name] = system.bodies[i].name + "." + s.name;
    }
  }
  for (const Wheel& wheel : system.wheels) {
    const std::string name = system.bodies[wheel.body].name + "." + wheel.name;
    known_[name + ".angle"] = Kind::none;
    known_[name + ".rate"] = Kind::wheel_speeds;
  }
}

/// Control is what switches or regulates, and what is named where forces and torques are given.
void Kinds::add_signals(const Description& description) {
  std::unordered_set<std::string> parameters;
  for (const ParameterDescription& p : description.parameters) parameters.insert(p.name);
  const Commands commands(description);
  for (const auto& [name, kind] : commands.kinds) {
    if (name.find('.') != std::string::npos && !known_.contains(name)) known_[name] = kind;  // an output of a block
  }
  for (const SignalDescription& signal : description.signals) {
    const auto* expression = std::get_if<Expression>(&signal.block);
    const auto command = commands.kinds.find(signal.name);
    Kind kind = Kind::signals;
    if (std::holds_alternative<SwitchingAmplifierBlock>(signal.block) ||
        std::holds_alternative<PidBlock>(signal.block) || std::holds_alternative<LatchBlock>(signal.block) ||
        std::holds_alternative<LargestBlock>(signal.block) || std::holds_alternative<RelayBlock>(signal.block))
      kind = Kind::control;
    if (command != commands.kinds.end()) kind = command->second;
    if (std::holds_alternative<ModesBlock>(signal.block)) kind = Kind::none;  // its states are named in a band
    if (expression != nullptr && std::ranges::any_of(expression->names, mentions_attitude)) turned_.insert(signal.name);
    if (expression != nullptr && kind == Kind::signals && is_attitude(*expression, parameters)) {
      kind = Kind::attitude;
      turned_.insert(signal.name);
    }
    known_[signal.name] = kind;
  }
}

/// Angles of direction cosines or quaternions, and what follows from such angles and parameters alone.
bool Kinds::is_attitude(const Expression& expression, const std::unordered_set<std::string>& parameters) const {
  bool follows = false;
  bool only_angles = true;
  for (const std::string& name : expression.names) {
    const auto found = known_.find(name);
    const bool attitude = is_attitude_angle(name) || (found != known_.end() && found->second == Kind::attitude);
    follows = follows || attitude;
    only_angles = only_angles && (attitude || parameters.contains(name));
  }
  const bool of_body = std::ranges::any_of(
      expression.names, [this](const std::string& name) { return mentions_attitude(name) || turned_.contains(name); });
  return (of_body && is_angle(expression)) || (follows && only_angles);
}

}  // namespace gyrostat::report
