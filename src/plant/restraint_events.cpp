// When latches, dry friction and stops change: event functions, and what happens at an event
// (docs/theory/mechanisms.md).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/forces/holding.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

namespace {

constexpr double rounding_of_limits = 1e-10;     // by which a reaction may exceed its limit, of the limit
constexpr double rounding_of_reactions = 1e-12;  // of a reaction, over what it is summed from
constexpr double smallest_reaction = 1e-15;      // [N, N m]

}  // namespace

bool PlantRun::is_latched(const Restraint& restraint) const {
  return restraint.latch != Restraint::no_latch && discrete_.latched[restraint.latch];
}

/// By friction or a bound of its range; a latch may hold it too.
bool PlantRun::is_held(std::size_t k) const {
  return (plant_.signals().forces.restraints[k].friction && discrete_.sliding[k] == 0) ||
         std::abs(discrete_.stopped[k]) == 1;
}

/// Of a wheel: an impulse has carried it beyond its speed limit.
bool PlantRun::is_beyond(std::size_t k) const { return std::abs(discrete_.stopped[k]) > 1; }

bool PlantRun::any_held() const {
  const std::vector<Restraint>& restraints = plant_.signals().forces.restraints;
  for (std::size_t k = 0; k < restraints.size(); ++k) {
    if (is_held(k) && !is_latched(restraints[k])) return true;
  }
  return false;
}

/// At stage signals.
bool PlantRun::wants_latch(std::size_t i) const {
  const JointLatch& latch = plant_.signals().forces.latches[i];
  if (latch.release != no_slot && value(latch.release) > 0) return false;
  return discrete_.latched[i] || value(latch.when) > 0;
}

/// What its joint transmits across its axis [N], of those reactions.
Vec3<double> PlantRun::across(const Restraint& restraint, const Reactions& reactions) const {
  const std::uint32_t body = restraint.by_reaction.body;
  const Vec3<double>&along = data_.kinematics.bodies[body].R_NM.z, &force = reactions.workspace.transmitted[body].force;
  return force - dot(along, force) * along;
}

/// With what friction holds a joint. `slides`: at the level with which sliding begins.
PlantRun::Level PlantRun::level_of(std::size_t k, bool slides) const {
  const Restraint& r = plant_.signals().forces.restraints[k];
  if (!r.friction || discrete_.sliding[k] != 0) return {};
  const bool at_rest = !slides || r.stribeck;
  Level level;
  level.preload = at_rest ? std::max(value(r.coulomb), value(r.static_most)) : value(r.coulomb);
  if (r.by_reaction.body != 0) level.coefficient = value(at_rest ? r.by_reaction.static_most : r.by_reaction.coulomb);
  return level;
}

/// What the reaction of a restraint can be where it holds: (4). Where the level follows the reaction of the joint, that
/// is known.
PlantRun::Range PlantRun::reactions_of(std::size_t k, bool slides) const {
  const Restraint& r = plant_.signals().forces.restraints[k];
  const Level of = level_of(k, slides);
  double level = of.preload;
  if (of.coefficient > 0) level += of.coefficient * length_of(across(r, *reactions_));
  return {discrete_.stopped[k] > 0 ? -never : -level, discrete_.stopped[k] < 0 ? never : level};
}

/// Of its coordinate or speed from the nearer end; negative beyond it.
double PlantRun::distance_from_range(std::size_t k) const {
  const Restraint& r = plant_.signals().forces.restraints[k];
  const double x = r.of_speed ? data_.u[r.u] : data_.q[r.q];
  return std::min(x - r.low, r.high - x);
}

/// Of the force that holds it. At stage acceleration, with the reactions.
double PlantRun::rounding_of_reaction(const Restraint& r) const {
  return rounding_of_reactions * (std::abs(reactions_->driving[r.u]) + std::abs(data_.forces.tau[r.u])) +
         smallest_reaction;
}

/// The event function of friction, and of what is held: (5). At stage acceleration, with the reactions, if any is.
double PlantRun::distance_from_change(std::size_t k) const {
  const Restraint& r = plant_.signals().forces.restraints[k];
  if (!is_held(k)) return r.friction ? discrete_.sliding[k] * data_.u[r.u] : never;
  const double reaction = reactions_->driving[r.u];
  const Range range = reactions_of(k, false);
  const double limit = std::min(std::abs(range.low), std::abs(range.high));
  return std::min(reaction - range.low, range.high - reaction) + rounding_of_limits * limit + rounding_of_reaction(r);
}

/// Of all restraints. At stage signals; goes on to what it needs. In a loop the forces that hold are not unique: where
/// those of least norm are beyond a limit, others may do.
std::vector<double> PlantRun::distances_from_change() {
  const std::vector<Restraint>& restraints = plant_.signals().forces.restraints;
  if (any_held()) {
    advance(plant_, plant_.constants(), data_, Stage::acceleration);
    reactions();
  }
  std::vector<double> distances;
  std::vector<std::uint32_t> held;
  bool beyond = false;
  for (std::uint32_t k = 0; k < restraints.size(); ++k) {
    const bool latched = is_latched(restraints[k]);
    distances.push_back(latched ? never : distance_from_change(k));
    if (latched || !is_held(k)) continue;
    held.push_back(k);
    beyond = beyond || distances[k] < 0;
  }
  if (!beyond || !constrained()) return distances;
  const double margin = margin_of_all(held);
  for (const std::uint32_t k : held) {
    if (distances[k] < 0) distances[k] = margin;
  }
  return distances;
}

bool PlantRun::restraint_crossed(std::size_t k, double distance) const {
  const Restraint& r = plant_.signals().forces.restraints[k];
  if (is_latched(r)) return false;
  if (distance < 0) return true;
  if (is_beyond(k)) return distance_from_range(k) > 0;
  if (discrete_.stopped[k] != 0 || !(distance_from_range(k) < 0)) return false;
  return r.of_speed || data_.u[r.u] * (data_.q[r.q] - r.low < 0 ? 1 : -1) < 0;
}

bool PlantRun::any_crossed() {
  data_.require_values();
  const SignalProgram& signals = plant_.signals();
  if (gyrostat::any_crossed(signals, discrete_, data_.t, data_.values.data())) return true;
  for (std::size_t i = 0; i < signals.forces.latches.size(); ++i) {
    if (wants_latch(i) != discrete_.latched[i]) return true;
  }
  const std::vector<double> distances = distances_from_change();
  for (std::size_t k = 0; k < distances.size(); ++k) {
    if (restraint_crossed(k, distances[k])) return true;
  }
  return false;
}

void PlantRun::find_event_functions(std::vector<double>& list) {
  data_.require_values();
  const SignalProgram& signals = plant_.signals();
  list.clear();
  append_event_functions(signals, discrete_, data_.t, data_.values.data(), list);
  for (std::size_t i = 0; i < signals.forces.latches.size(); ++i) {
    const JointLatch& latch = signals.forces.latches[i];
    const double release = latch.release == no_slot ? -never : value(latch.release);
    list.push_back(discrete_.latched[i] ? -release : std::max(-value(latch.when), release));
  }
  const std::vector<double> distances = distances_from_change();
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const bool latched = is_latched(signals.forces.restraints[k]);
    list.push_back(distances[k]);
    const bool at_end = latched || discrete_.stopped[k] != 0;
    list.push_back(is_beyond(k) ? -distance_from_range(k) : at_end ? never : distance_from_range(k));
  }
}

// --- at an event
// -------------------------------------------------------------------------------------------------------

namespace {

/// Of what is held, but for latches.
Holding holding_of(const Restraint& r, int stopped) {
  if (stopped == 0) return Holding::friction;
  return r.of_speed ? Holding::speed_limit : stopped < 0 ? Holding::low_stop : Holding::high_stop;
}

std::string_view event_of(Holding holding) { return holding_events[static_cast<std::size_t>(holding)]; }

/// What has become of a restraint, in words; or nothing.
std::string_view change_of(const Restraint& r, bool was_held, int slid, int was_stopped, bool is_held, int slides,
                           int stopped) {
  if (is_held && !was_held) return event_of(holding_of(r, stopped));
  if (is_held) return {};
  if (stopped != was_stopped && std::abs(stopped) > 1) return "beyond its speed limit";
  if (r.friction && slides != slid) return slides > 0 ? "slides +" : "slides -";
  if (!was_held && std::abs(was_stopped) <= 1) return {};
  if (stopped == was_stopped) return {};
  return r.of_speed ? "below its speed limit" : "leaves its stop";
}

}  // namespace

std::vector<Change> PlantRun::held_at_start() const {
  const ForceModel& model = plant_.signals().forces;
  std::vector<Change> list;
  for (std::size_t i = 0; i < model.latches.size(); ++i) {
    if (discrete_.latched[i]) list.push_back({model.latches[i].name, std::string(event_of(Holding::latch))});
  }
  for (std::size_t k = 0; k < model.restraints.size(); ++k) {
    const Restraint& r = model.restraints[k];
    if (is_held(k) && !is_latched(r))
      list.push_back({r.name, std::string(event_of(holding_of(r, discrete_.stopped[k])))});
  }
  return list;
}

/// At stage signals. `jumped`: speeds have, and signals must follow.
std::optional<std::string> PlantRun::change_restraints(double t, double* y, std::vector<Change>& changes,
                                                       bool& jumped) {
  if (!restrained()) return std::nullopt;
  const ForceModel& model = plant_.signals().forces;
  const std::vector<std::int8_t> slid = discrete_.sliding, was_stopped = discrete_.stopped;
  std::vector<bool> was_held;
  for (std::size_t k = 0; k < model.restraints.size(); ++k)
    was_held.push_back(is_held(k) && !is_latched(model.restraints[k]));

  bool closes = false;
  for (std::size_t i = 0; i < model.latches.size(); ++i) {
    const bool wanted = wants_latch(i);
    if (wanted == discrete_.latched[i]) continue;
    discrete_.latched[i] = wanted;
    changes.push_back({model.latches[i].name, wanted ? "latched" : "released"});
    closes = closes || wanted;
  }
  bool strikes = false;
  std::vector<std::uint32_t> caught;
  for (std::uint32_t k = 0; k < model.restraints.size(); ++k) {
    const Restraint& r = model.restraints[k];
    if (is_latched(r)) {
      discrete_.sliding[k] = 0;
      continue;
    }
    const double u = data_.u[r.u];
    if (is_beyond(k) && distance_from_range(k) >= 0) {  // slowed to its limit
      discrete_.stopped[k] = discrete_.stopped[k] < 0 ? -1 : 1;
      caught.push_back(k);
    } else if (discrete_.stopped[k] == 0 && distance_from_range(k) < 0) {
      const std::int8_t side = (r.of_speed ? u : data_.q[r.q]) < r.low ? -1 : 1;
      if (r.of_speed) {
        discrete_.stopped[k] = side;
        caught.push_back(k);
      } else if (side * u > 0) {
        discrete_.stopped[k] = side;
        strikes = true;
      }
    }
    if (r.friction && discrete_.sliding[k] * u < 0 && discrete_.stopped[k] == 0) {
      discrete_.sliding[k] = 0;
      caught.push_back(k);
    }
  }
  if (closes || strikes) {
    Jumps jumps(plant_);
    if (auto why = strike(t, y, jumps, changes)) return why;
    std::erase_if(caught,
                  [&](std::uint32_t k) { return !is_held(k) || y[plant_.layout().u + model.restraints[k].u] == 0; });
  }
  const std::vector<double> before = data_.u;
  if (auto why = catch_speeds(t, y, caught)) return why;
  if (constrained() && !caught.empty()) {
    if (auto why = catch_what_stops_with_them(t, y, before)) return why;
  }
  jumped = closes || strikes || !caught.empty();
  evaluate(t, y, Stage::signals);
  if (auto why = decide_what_holds(t, y)) return why;
  for (std::size_t k = 0; k < model.restraints.size(); ++k) {
    const std::string_view what = change_of(model.restraints[k], was_held[k], slid[k], was_stopped[k], is_held(k),
                                            discrete_.sliding[k], discrete_.stopped[k]);
    if (!what.empty() && !is_latched(model.restraints[k])) {
      changes.push_back({model.restraints[k].name, std::string(what)});
    }
  }
  return std::nullopt;
}

}  // namespace gyrostat
