#include "gyrostat/simulate/outputs.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

namespace gyrostat {

namespace {

struct Kind {
  std::string_view unit, description;
};

Kind kind_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::time: return {"s", "time"};
    case Quantity::signal: return {"", "signal"};
    case Quantity::body_omega: return {"rad/s", "inertial angular velocity, body axes"};
    case Quantity::body_position: return {"m", "position of the origin, world axes"};
    case Quantity::body_velocity: return {"m/s", "velocity of the origin, world axes"};
    case Quantity::body_quaternion: return {"", "orientation relative to the world, scalar first"};
    case Quantity::body_direction_cosine: return {"", "direction cosine, world axes to body axes"};
    case Quantity::point_position: return {"m", "position of the point, world axes"};
    case Quantity::point_velocity: return {"m/s", "velocity of the point, world axes"};
    case Quantity::wheel_angle: return {"rad", "angle of the wheel relative to its body"};
    case Quantity::wheel_rate: return {"rad/s", "rate of the wheel relative to its body"};
    case Quantity::system_com: return {"m", "mass centre of the whole, world axes"};
    case Quantity::system_momentum: return {"N*m*s", "angular momentum about the mass centre, world axes"};
    case Quantity::system_energy: return {"J", "kinetic and potential energy"};
    case Quantity::orbit_radius: return {"m", "distance from the centre of attraction"};
    case Quantity::orbit_true_anomaly: return {"rad", "true anomaly"};
    case Quantity::orbit_nadir: return {"", "direction to the centre of attraction, world axes"};
    case Quantity::sun_direction: return {"", "direction to the sun, world axes"};
    default: return {"", ""};
  }
}

constexpr std::array<const char*, 3> axes = {"x", "y", "z"};
constexpr std::array<const char*, 3> momentum = {"system.momentum_x", "system.momentum_y", "system.momentum_z"};

/// The larger in magnitude, and of equals the earlier.
double larger(double earlier, double now) { return std::abs(now) <= std::abs(earlier) ? earlier : now; }

}  // namespace

Outputs::Outputs(Plant& plant) : plant_(plant), numbers_(plant.model().system) {
  const OutputDescription& output = plant.model().description.output;
  if (output.record) {
    for (const std::string& name : *output.record) add(name);
    add_motion();
  } else {
    add_default();
  }
  add_reactions();
  add_loads();
  columns_.push_back({"ledger/energy", "J", "energy less what loads have put in since the start"});
  columns_.push_back({"ledger/momentum", "N*s", "momentum less impulses since the start: the length of what is left"});
  columns_.push_back({"ledger/angular_momentum", "N*m*s",
                      "angular momentum about the mass centre less impulses since the start: the length of it"});
}

void Outputs::add(const std::string& name, const std::string& group) {
  if (std::ranges::find(columns_, name, &OutputColumn::name) != columns_.end()) return;
  const Model& model = plant_.model();
  const auto answer = plant_.names().resolve(name);
  const Reference reference = std::get<Reference>(answer);
  const Kind kind = kind_of(reference.quantity);
  OutputColumn column{group + name, std::string(kind.unit), std::string(kind.description)};
  Source source;
  if (reference.quantity == Quantity::signal) {
    source.kind = Source::Kind::signal;
    source.slot = plant_.signals().program().outputs[reference.object][reference.part];
  } else if (reference.quantity == Quantity::parameter) {
    source.kind = Source::Kind::constant;
    source.constant = model.description.parameters[reference.object].value.value;
    column.description = "parameter";
  } else {
    source.observable = observable(reference, model.description, model.system, numbers_);
    if (reference.quantity == Quantity::joint_coordinate || reference.quantity == Quantity::joint_speed) {
      const bool speed = reference.quantity == Quantity::joint_speed;
      const auto entries = speed ? speed_entries(model.system) : coordinate_entries(model.system);
      column.unit = entries[source.observable.index].unit;
      column.description = fmt::format("{} of joint {}", speed ? "speed" : "coordinate",
                                       model.description.joints[reference.object].name);
    }
  }
  columns_.push_back(std::move(column));
  sources_.push_back(source);
}

/// Coordinate or speed number k.
void Outputs::add_state(const StateEntry& entry, std::uint32_t k, Quantity quantity, const std::string& group) {
  Source source;
  source.observable.quantity = quantity;
  source.observable.index = k;
  sources_.push_back(source);
  columns_.push_back(
      {group + entry.name, std::string(entry.unit), quantity == Quantity::joint_coordinate ? "coordinate" : "speed"});
}

/// Every coordinate and speed, every signal, angular momentum and energy.
void Outputs::add_default() {
  const System& system = plant_.model().system;
  std::uint32_t number = 0;
  for (const StateEntry& entry : coordinate_entries(system)) add_state(entry, number++, Quantity::joint_coordinate);
  number = 0;
  for (const StateEntry& entry : speed_entries(system)) add_state(entry, number++, Quantity::joint_speed);
  const Description& description = plant_.model().description;
  for (std::uint32_t i = 0; i < description.signals.size(); ++i) {
    const auto& names = output_names(description.signals[i].block);
    const std::vector<Slot>& slots = plant_.signals().program().outputs[i];
    for (std::size_t k = 0; k < slots.size(); ++k) {
      const std::string& name = description.signals[i].name;
      columns_.push_back({k < names.size() ? name + "." + names[k] : name, "", "signal"});
      sources_.push_back({Source::Kind::signal, 0, slots[k], {}});
    }
  }
  for (const char* name : momentum) add(name);
  add("system.energy");
}

/// What a picture of the motion needs beside the list of the user.
void Outputs::add_motion() {
  const std::vector<std::string>& record = *plant_.model().description.output.record;
  const std::unordered_set<std::string> listed(record.begin(), record.end());
  std::uint32_t number = 0;
  for (const StateEntry& entry : coordinate_entries(plant_.model().system)) {
    if (!listed.contains(entry.name)) add_state(entry, number, Quantity::joint_coordinate, "motion/");
    ++number;
  }
  for (const char* name : momentum) add(name, "motion/");
}

void Outputs::add_reactions() {
  const System& system = plant_.model().system;
  for (const std::string& name : plant_.model().description.output.reactions) {
    const std::uint32_t joint = numbers_.joint(name);
    if (joint == 0 || std::ranges::find(reactions_, joint) != reactions_.end()) continue;
    reactions_.push_back(joint);
    for (const char* axis : axes) {
      columns_.push_back(
          {fmt::format("reactions/{}.force_{}", name, axis), "N", "force on the child at the joint point, child axes"});
    }
    for (const char* axis : axes) {
      columns_.push_back({fmt::format("reactions/{}.torque_{}", name, axis), "N*m",
                          "torque on the child at the joint point, child axes"});
    }
  }
  const std::vector<StateEntry> speeds = speed_entries(system);
  for (std::uint32_t k = 0; k < speeds.size(); ++k) {
    if (speeds[k].motion != Motion::prescribed) continue;
    driving_.push_back(k);
    columns_.push_back({"driving/" + speeds[k].name, speeds[k].unit == "rad/s" ? "N*m" : "N",
                        "what the drive adds to the forces given, to make the prescribed motion"});
  }
}

/// Thrusters, forces and torques, by their place in the model's list.
void Outputs::add_loads() {
  const Actions& actions = plant_.signals().actions();
  const std::vector<LoadDescription>& list = plant_.model().description.loads;
  std::size_t thruster = 0, body = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (std::holds_alternative<ThrusterLoad>(list[k])) {
      const ThrusterAction& action = actions.thrusters[thruster++];
      add_load(fmt::format("loads/{}.thrust", k), "N", "thrust", action.thrust, action.command);
    }
    if (!std::holds_alternative<BodyLoad>(list[k])) continue;
    const BodyAction& action = actions.bodies[body++];
    const std::string_view of = action.axes == Axes::body ? "body" : "world";
    for (std::size_t i = 0; i < 3; ++i) {
      add_load(fmt::format("loads/{}.force_{}", k, axes[i]), "N", fmt::format("force, {} axes", of), action.force[i]);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      add_load(fmt::format("loads/{}.torque_{}", k, axes[i]), "N*m", fmt::format("torque, {} axes", of),
               action.torque[i]);
    }
  }
  peaks_.assign(loads_.size(), 0.0);
}

void Outputs::add_load(std::string name, std::string_view unit, std::string_view what, Slot value, Slot factor) {
  if (value == nothing) return;
  loads_.push_back({value, factor});
  columns_.push_back(
      {std::move(name), std::string(unit),
       fmt::format("{}: the largest of those at the record before, just after events since, and at this record",
                   what)});
}

double Outputs::value_of(const LoadSource& load) const {
  const Signals& signals = plant_.signals();
  const double value = signals.value(load.value);
  return load.factor == nothing ? value : signals.value(load.factor) * value;
}

void Outputs::note_loads() {
  for (std::size_t k = 0; k < loads_.size(); ++k) peaks_[k] = larger(peaks_[k], value_of(loads_[k]));
}

void Outputs::fill(const Ledger& ledger, std::span<double> row) {
  const Instant<double> instant = plant_.instant();
  Signals& signals = plant_.signals();
  Shared<double>& shared = plant_.shared();
  std::size_t at = 0;
  for (const Source& source : sources_) {
    switch (source.kind) {
      case Source::Kind::constant: row[at++] = source.constant; break;
      case Source::Kind::signal: row[at++] = signals.value(source.slot); break;
      case Source::Kind::observed:
        row[at++] = observe<double>(source.observable, instant, signals.actions(), signals.values(), shared);
        break;
    }
  }
  if (needs_close_look()) {
    const Reactions& reactions = plant_.reactions();
    for (const std::uint32_t joint : reactions_) {
      for (const double x : reactions.joints[joint].force) row[at++] = x;
      for (const double x : reactions.joints[joint].torque) row[at++] = x;
    }
    for (const std::uint32_t k : driving_) row[at++] = reactions.driving[k];
  }
  for (std::size_t k = 0; k < loads_.size(); ++k) {
    const double now = value_of(loads_[k]);
    row[at++] = larger(peaks_[k], now);
    peaks_[k] = now;
  }
  row[at++] = ledger.energy.error;
  row[at++] = ledger.momentum.error;
  row[at++] = ledger.angular_momentum.error;
}

}  // namespace gyrostat
