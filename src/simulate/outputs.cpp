#include "gyrostat/simulate/outputs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "gyrostat/expression/glob.h"
#include "gyrostat/model/dimensions.h"

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
    case Quantity::body_attitude_angle: return {"rad", "turn about z by yaw, then y by pitch, then x by roll"};
    case Quantity::body_direction_cosine: return {"", "direction cosine, world axes to body axes"};
    case Quantity::point_position: return {"m", "position of the point, world axes"};
    case Quantity::point_velocity: return {"m/s", "velocity of the point, world axes"};
    case Quantity::modal_coordinate: return {"kg^0.5 m", "modal coordinate, for unit modal mass"};
    case Quantity::modal_rate: return {"kg^0.5 m/s", "rate of the modal coordinate"};
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

/// The list of the user with what patterns in it mean.
std::vector<std::string> recorded_names(const OutputDescription& output, const Names& names) {
  std::vector<std::string> all;
  for (const std::string& name : *output.record) {
    if (is_pattern(name)) {
      std::ranges::move(names.matching(name), std::back_inserter(all));
    } else {
      all.push_back(name);
    }
  }
  return all;
}

/// Those that a latch, friction or a stop may hold, ascending.
std::vector<std::uint32_t> restrained_speeds(const ForceModel& model) {
  std::vector<std::uint32_t> list;
  for (const JointLatch& latch : model.latches) {
    for (std::uint32_t k = latch.u; k < latch.u + latch.nu; ++k) list.push_back(k);
  }
  for (const Restraint& restraint : model.restraints) list.push_back(restraint.u);
  std::ranges::sort(list);
  return list;
}

std::vector<std::string> states_of(const SignalDescription& signal) {
  const std::vector<std::string_view> names = state_names(signal.block);
  return {names.begin(), names.end()};
}

/// The larger in magnitude, and of equals the earlier.
double larger(double earlier, double now) { return std::abs(now) <= std::abs(earlier) ? earlier : now; }

}  // namespace

Outputs::Outputs(PlantRun& run, bool records) : run_(run) {
  if (!records) return;
  signal_units_ = units_of_signals(run.plant().model().description, run.plant().names());
  const OutputDescription& output = run.plant().model().description.output;
  if (output.record) {
    const std::vector<std::string> names = recorded_names(output, run.plant().names());
    for (const std::string& name : names) add(name);
    add_motion(names);
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

OutputColumn column_of(const Plant& plant, const std::string& name, const std::vector<std::string>& signal_units) {
  const auto answer = plant.names().resolve(name);
  const Reference reference = std::get<Reference>(answer);
  const Kind kind = kind_of(reference.quantity);
  OutputColumn column{name, std::string(kind.unit), std::string(kind.description)};
  if (reference.quantity == Quantity::signal) {
    column.unit = signal_units[reference.object];
    if (reference.part == 0) column.states = states_of(plant.model().description.signals[reference.object]);
    if (!column.states.empty()) column.description = "number of the state";
  }
  if (reference.quantity == Quantity::parameter) column.description = "parameter";
  if (reference.quantity == Quantity::joint_coordinate || reference.quantity == Quantity::joint_speed) {
    const Model& model = plant.model();
    const bool speed = reference.quantity == Quantity::joint_speed;
    const auto entries = speed ? speed_entries(model.system) : coordinate_entries(model.system);
    column.unit = entries[observable(reference, model.description, model.system)->index].unit;
    column.description =
        fmt::format("{} of joint {}", speed ? "speed" : "coordinate", model.description.joints[reference.object].name);
  }
  return column;
}

ValueSource source_of(const Plant& plant, const Reference& reference) {
  using Kind = ValueSource::Kind;
  const Model& model = plant.model();
  switch (reference.quantity) {
    case Quantity::signal: return {Kind::signal, 0, plant.signals().outputs[reference.object][reference.part], {}};
    case Quantity::parameter:
      return {Kind::constant, model.description.parameters[reference.object].value.value, 0, {}};
    case Quantity::sun_direction:
      return {Kind::constant, (*model.description.environment.sun)[reference.component], 0, {}};
    default: return {Kind::observed, 0, 0, *observable(reference, model.description, model.system)};
  }
}

double value_of(PlantRun& run, const ValueSource& source) {
  switch (source.kind) {
    case ValueSource::Kind::constant: return source.constant;
    case ValueSource::Kind::signal: return run.value(source.slot);
    case ValueSource::Kind::observed: break;
  }
  return run.observe(source.observable);
}

void Outputs::add(const std::string& name, const std::string& group) {
  if (std::ranges::find(columns_, name, &OutputColumn::name) != columns_.end()) return;
  const Plant& plant = run_.plant();
  const auto answer = plant.names().resolve(name);
  OutputColumn column = column_of(plant, name, signal_units_);
  column.name = group + name;
  columns_.push_back(std::move(column));
  sources_.push_back(source_of(plant, std::get<Reference>(answer)));
}

/// Coordinate or speed number k.
void Outputs::add_state(const StateEntry& entry, std::uint32_t k, Observable::Kind kind, const std::string& group) {
  ValueSource source;
  source.observable = {kind, k};
  sources_.push_back(source);
  columns_.push_back(
      {group + entry.name, std::string(entry.unit), kind == Observable::Kind::coordinate ? "coordinate" : "speed"});
}

/// Every coordinate and speed, attitude and angular velocity of bodies that turn freely in the world, every signal,
/// angular momentum and energy.
void Outputs::add_default() {
  const System& system = run_.plant().system();
  std::uint32_t number = 0;
  for (const StateEntry& entry : coordinate_entries(system)) add_state(entry, number++, Observable::Kind::coordinate);
  number = 0;
  for (const StateEntry& entry : speed_entries(system)) add_state(entry, number++, Observable::Kind::speed);
  for (std::uint32_t body = 1; body <= system.body_count(); ++body) {
    const Joint& joint = system.joints[body];
    if (system.parent[body] != 0 || (joint.nq == joint.nu && joint.rotations < 3)) continue;
    for (const char* quantity : {"roll", "pitch", "yaw", "omega_x", "omega_y", "omega_z"}) {
      add(fmt::format("{}.{}", system.bodies[body].name, quantity));
    }
  }
  const Description& description = run_.plant().model().description;
  for (std::uint32_t i = 0; i < description.signals.size(); ++i) {
    const std::vector<std::string> names = part_names(description.signals[i]);
    const std::vector<Slot>& slots = run_.plant().signals().outputs[i];
    std::vector<std::string> states = states_of(description.signals[i]);
    const std::size_t count = states.empty() ? names.size() : 1;  // the state is recorded, and not once for each again
    for (std::size_t k = 0; k < count; ++k) {
      columns_.push_back({names[k], signal_units_[i], states.empty() ? "signal" : "number of the state", states});
      sources_.push_back({ValueSource::Kind::signal, 0, slots[k], {}});
    }
  }
  for (const char* name : momentum) add(name);
  add("system.energy");
}

/// What a picture of the motion needs beside the list of the user.
void Outputs::add_motion(const std::vector<std::string>& recorded) {
  const std::unordered_set<std::string> listed(recorded.begin(), recorded.end());
  std::uint32_t number = 0;
  for (const StateEntry& entry : coordinate_entries(run_.plant().system())) {
    if (!listed.contains(entry.name)) add_state(entry, number, Observable::Kind::coordinate, "motion/");
    ++number;
  }
  for (const char* name : momentum) add(name, "motion/");
}

void Outputs::add_reaction_columns(const std::string& name) {
  for (const char* axis : axes) {
    columns_.push_back(
        {fmt::format("reactions/{}.force_{}", name, axis), "N", "force on the child at the joint point, child axes"});
  }
  for (const char* axis : axes) {
    columns_.push_back({fmt::format("reactions/{}.torque_{}", name, axis), "N*m",
                        "torque on the child at the joint point, child axes"});
  }
}

/// A constraint that is no joint has multipliers: the forces along and torques about what it constrains.
void Outputs::add_constraint(std::size_t number) {
  const Constraint& constraint = run_.plant().system().constraints[number];
  const std::vector<std::uint32_t>& first = run_.plant().constraints().first_row;
  const std::uint32_t count = first[number + 1] - first[number];
  std::string unit = "N";  // of a coupling that of its first coordinate, whose coefficient is a number
  if (const auto* coupling = std::get_if<Coupling>(&constraint.kind)) {
    const StateEntry entry = coordinate_entries(run_.plant().system())[coupling->terms.front().q];
    if (entry.unit == "rad") unit = "N*m";
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    rows_.push_back(first[number] + k);
    const std::string name = count == 1 ? constraint.name : fmt::format("{}_{}", constraint.name, k + 1);
    columns_.push_back({"multipliers/" + name, unit, "what the constraint exerts, per unit of its function"});
  }
}

void Outputs::add_reactions() {
  const System& system = run_.plant().system();
  std::set<std::string> named;
  for (const std::string& name : run_.plant().model().description.output.reactions) {
    const auto joint = system.index.joints.find(name);
    if (!named.insert(name).second) continue;
    if (!joint) continue;
    reactions_.push_back(*joint);
    add_reaction_columns(name);
  }
  for (std::size_t k = 0; k < system.constraints.size(); ++k) {
    if (!named.contains(system.constraints[k].name) || !std::holds_alternative<CutJoint>(system.constraints[k].kind))
      continue;
    cut_joints_.push_back(k);
    add_reaction_columns(system.constraints[k].name);
  }
  for (std::size_t k = 0; k < system.constraints.size(); ++k) {
    const bool relation = !std::holds_alternative<CutJoint>(system.constraints[k].kind);
    if (relation && named.contains(system.constraints[k].name)) add_constraint(k);
  }
  const std::vector<StateEntry> speeds = speed_entries(system);
  const std::vector<std::uint32_t> restrained = restrained_speeds(run_.plant().signals().forces);
  for (std::uint32_t k = 0; k < speeds.size(); ++k) {
    const bool prescribed = speeds[k].motion == Motion::prescribed;
    if (!prescribed && !std::ranges::binary_search(restrained, k)) continue;
    driving_.push_back(k);
    columns_.push_back({"driving/" + speeds[k].name, speeds[k].unit == "rad/s" ? "N*m" : "N",
                        prescribed ? "what the drive adds to the forces given, to make the prescribed motion"
                                   : "what a latch, friction at rest or a stop adds to the forces given, to hold it"});
  }
}

/// What force elements have to show, by their place in the model's list of loads.
void Outputs::add_loads() {
  const std::size_t count = run_.plant().model().description.loads.size();
  std::vector<std::vector<ElementOutput>> by_load(count);
  const std::uint32_t first = run_.plant().signals().forces.first_load;
  run_.plant().constants().elements.for_each([&](const auto& element) {
    if constexpr (requires { element.outputs(); }) {
      if (element.source >= first && element.source < first + count)
        by_load[element.source - first] = element.outputs();
    }
  });
  for (std::size_t k = 0; k < count; ++k) {
    for (const ElementOutput& output : by_load[k]) {
      if (output.value == no_slot) continue;
      loads_.push_back(output);
      columns_.push_back(
          {fmt::format("loads/{}.{}", k, output.name), std::string(output.unit),
           output.peak ? fmt::format("{}: the largest of those at the record before, just after events since, and at "
                                     "this record",
                                     output.description)
                       : std::string(output.description)});
    }
  }
  peaks_.assign(loads_.size(), 0.0);
}

double Outputs::value_of(const ElementOutput& load) const {
  return run_.value(load.value) * (load.factor == no_slot ? 1 : run_.value(load.factor));
}

void Outputs::note_loads() {
  for (std::size_t k = 0; k < loads_.size(); ++k) peaks_[k] = larger(peaks_[k], value_of(loads_[k]));
}

/// In the order of `fill`.
void Outputs::note_indeterminate() {
  if (reactions_.empty() && cut_joints_.empty() && rows_.empty() && driving_.empty()) return;
  const IndeterminateForces open = run_.indeterminate();
  const std::vector<bool>& unique = run_.multipliers().unique;
  std::size_t at = sources_.size();
  const auto next = [&](bool is_open) {
    if (is_open) columns_[at].note = "not unique: shared by redundant constraints; of least norm";
    ++at;
  };
  for (const std::uint32_t joint : reactions_) std::ranges::for_each(open.joints[joint], next);
  for (const std::size_t k : cut_joints_) std::ranges::for_each(open.cut_joints[k], next);
  for (const std::uint32_t r : rows_) next(!unique[r]);
  for (const std::uint32_t k : driving_) next(open.driving[k]);
}

void Outputs::fill(const Ledger& ledger, std::span<double> row) {
  std::size_t at = 0;
  for (const ValueSource& source : sources_) row[at++] = gyrostat::value_of(run_, source);
  if (stage() == Stage::acceleration) {
    const Reactions& reactions = run_.reactions();
    for (const std::uint32_t joint : reactions_) {
      for (const double x : reactions.joints[joint].force) row[at++] = x;
      for (const double x : reactions.joints[joint].torque) row[at++] = x;
    }
    for (const std::size_t k : cut_joints_) {
      const Reaction reaction = run_.reaction_of_cut_joint(k);
      for (const double x : reaction.force) row[at++] = x;
      for (const double x : reaction.torque) row[at++] = x;
    }
    for (const std::uint32_t r : rows_) row[at++] = run_.multipliers().values[r];
    for (const std::uint32_t k : driving_) row[at++] = reactions.driving[k];
  }
  for (std::size_t k = 0; k < loads_.size(); ++k) {
    const double now = value_of(loads_[k]);
    row[at++] = loads_[k].peak ? larger(peaks_[k], now) : now;
    peaks_[k] = now;
  }
  row[at++] = ledger.energy.residual;
  row[at++] = ledger.momentum.residual;
  row[at++] = ledger.angular_momentum.residual;
}

}  // namespace gyrostat
