#include "gyrostat/simulate/outputs.h"

#include <algorithm>
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

}  // namespace

Outputs::Outputs(Plant& plant) : plant_(plant), numbers_(plant.model().system) {
  const OutputDescription& output = plant.model().description.output;
  if (output.record) {
    for (const std::string& name : *output.record) add(name);
  } else {
    add_default(plant);
  }
  add_reactions();
  columns_.push_back({"ledger/energy", "J", "energy less what loads have put in since the start"});
  columns_.push_back({"ledger/momentum", "N*s", "momentum less impulses since the start: the length of what is left"});
  columns_.push_back({"ledger/angular_momentum", "N*m*s",
                      "angular momentum about the mass centre less impulses since the start: the length of it"});
}

void Outputs::add(const std::string& name) {
  if (std::ranges::find(columns_, name, &OutputColumn::name) != columns_.end()) return;
  const Model& model = plant_.model();
  const auto answer = plant_.names().resolve(name);
  const Reference reference = std::get<Reference>(answer);
  const Kind kind = kind_of(reference.quantity);
  OutputColumn column{name, std::string(kind.unit), std::string(kind.description)};
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

/// Every coordinate and speed, every signal, angular momentum and energy.
void Outputs::add_default(const Plant& plant) {
  const System& system = plant.model().system;
  const auto add_state = [&](const std::vector<StateEntry>& entries, Quantity quantity, std::string_view what) {
    for (std::uint32_t k = 0; k < entries.size(); ++k) {
      Source source;
      source.observable.quantity = quantity;
      source.observable.index = k;
      sources_.push_back(source);
      columns_.push_back({entries[k].name, std::string(entries[k].unit), std::string(what)});
    }
  };
  add_state(coordinate_entries(system), Quantity::joint_coordinate, "coordinate");
  add_state(speed_entries(system), Quantity::joint_speed, "speed");
  const Description& description = plant.model().description;
  for (std::uint32_t i = 0; i < description.signals.size(); ++i) {
    const auto& names = output_names(description.signals[i].block);
    const std::vector<Slot>& slots = plant_.signals().program().outputs[i];
    for (std::size_t k = 0; k < slots.size(); ++k) {
      const std::string& name = description.signals[i].name;
      columns_.push_back({k < names.size() ? name + "." + names[k] : name, "", "signal"});
      sources_.push_back({Source::Kind::signal, 0, slots[k], {}});
    }
  }
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z", "system.energy"}) add(name);
}

void Outputs::add_reactions() {
  const System& system = plant_.model().system;
  for (const std::string& name : plant_.model().description.output.reactions) {
    const std::uint32_t joint = numbers_.joint(name);
    if (joint == 0 || std::ranges::find(reactions_, joint) != reactions_.end()) continue;
    reactions_.push_back(joint);
    for (const char* axis : {"x", "y", "z"}) {
      columns_.push_back(
          {fmt::format("reactions/{}.force_{}", name, axis), "N", "force on the child at the joint point, child axes"});
    }
    for (const char* axis : {"x", "y", "z"}) {
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
  row[at++] = ledger.energy.error;
  row[at++] = ledger.momentum.error;
  row[at++] = ledger.angular_momentum.error;
}

}  // namespace gyrostat
