// Latches, dry friction and stops at an event: what impulses do, and what holds after them (docs/theory/mechanisms.md).
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "gyrostat/math/box_minimum.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

namespace {

constexpr double rounding_of_jumps = 1e-12;          // of a speed, over the largest jump
constexpr double rounding_of_accelerations = 1e-15;  // the same of an acceleration where the reaction is at its limit
constexpr double rounding_in_loops = 1e-13;          // of one that constraints make zero, over the largest without them

/// A bounce lower or shorter than this is the last one.
constexpr double smallest_bounce = 1e-10;  // [m or rad], over the coordinate where that is more than one
constexpr double shortest_bounce = 1e-6;   // [s]

/// Relative, of a wheel: beyond this it has not come to its limit by a torque.
constexpr double smallest_overspeed = 1e-6;

std::int8_t sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

std::string no_forces_at_stop(const Restraint& r) {
  return fmt::format(
      "no forces hold {} where its stop is and none let it leave: the motion has no consistent solution here; what "
      "drives it onto the stop is prescribed or given by constraints",
      r.name);
}

}  // namespace

// --- which speeds are free -------------------------------------------------------------------------------------------

/// With other rows of the constraints to solve for where the choice changes. Then the state is at stage velocity.
void PlantRun::set_free(std::vector<Truth> free, double t, const double* y) {
  const bool same = std::ranges::equal(free, discrete_.free, [](bool a, bool b) { return a == b; });
  discrete_.free = std::move(free);
  take_over_discrete();
  evaluate(t, y, Stage::velocity);
  if (same || !constrained()) return;
  evaluate_all_rows();
  discrete_.closures = plan_closures(plant_.mechanism(), data_.kinematics, discrete_.free, data_.closures);
  std::ranges::fill(data_.closures.multipliers, 0.0);  // those of rows that the plan does not keep
  take_over_discrete();
  evaluate(t, y, Stage::velocity);
}

/// As latches and restraints hold them now.
void PlantRun::update_free(double t, const double* y) {
  const ForceModel& model = plant_.signals().forces;
  std::vector<Truth> free = movable_;
  for (std::size_t i = 0; i < model.latches.size(); ++i) {
    if (discrete_.latched[i]) std::fill_n(free.begin() + model.latches[i].u, model.latches[i].nu, Truth(false));
  }
  for (std::size_t k = 0; k < model.restraints.size(); ++k) {
    if (is_held(k)) free[model.restraints[k].u] = false;
  }
  set_free(std::move(free), t, y);
}

// --- speeds ----------------------------------------------------------------------------------------------------------

/// Impulses: of latches, of stops, and of drives. Friction is finite and has none, so what sticks may start to slide.
std::optional<std::string> PlantRun::strike(double t, double* y, Jumps& jumps, std::vector<Change>& changes) {
  const ForceModel& model = plant_.signals().forces;
  double* u = y + plant_.layout().u;
  std::vector<Truth> free = movable_;
  for (std::size_t i = 0; i < model.latches.size(); ++i) {
    const JointLatch& latch = model.latches[i];
    for (std::uint32_t k = latch.u; discrete_.latched[i] && k < latch.u + latch.nu; ++k) {
      free[k] = false;
      jumps.speeds[k] = -u[k];
    }
  }
  for (std::uint32_t k = 0; k < model.restraints.size(); ++k) {
    const Restraint& r = model.restraints[k];
    if (discrete_.stopped[k] == 0 || r.of_speed || is_latched(r)) continue;
    jumps.stops.push_back({k, -static_cast<double>(discrete_.stopped[k]), 0, 0});
  }
  set_free(std::move(free), t, y);
  const std::vector<double> before(u, u + plant_.layout().nu);
  if (auto why = jump(t, y, jumps)) return why;
  double largest = 0;
  for (std::size_t k = 0; k < before.size(); ++k) largest = std::max(largest, std::abs(u[k] - before[k]));
  const auto is_rest = [&](double speed) { return std::abs(speed) <= rounding_of_jumps * largest; };
  for (std::size_t i = 0; i < model.latches.size(); ++i) {
    if (discrete_.latched[i]) std::fill_n(u + model.latches[i].u, model.latches[i].nu, 0.0);
  }
  struct Leaving {
    std::uint32_t restraint;
    std::int8_t side;
    bool bounces;  // or impulses elsewhere move it away
  };
  std::vector<Leaving> leaving;
  for (const Jumps::Stop& stop : jumps.stops) {
    const Restraint& r = model.restraints[stop.restraint];
    if (stop.still || is_rest(u[r.u]) || (stop.impulse > 0 && stop.least == 0)) {
      u[r.u] = 0;
    } else {
      leaving.push_back({stop.restraint, discrete_.stopped[stop.restraint], stop.impulse > 0});
      discrete_.stopped[stop.restraint] = 0;
    }
  }
  for (std::size_t k = 0; k < model.restraints.size(); ++k) {
    const Restraint& r = model.restraints[k];
    if (is_latched(r)) continue;
    if (r.of_speed && !is_rest(u[r.u] - before[r.u])) {
      const bool beyond = std::abs(u[r.u]) > (1 + smallest_overspeed) * r.high;
      discrete_.stopped[k] = static_cast<std::int8_t>(beyond ? 2 * sign_of(u[r.u]) : 0);
    }
    if (!r.friction) continue;
    if (is_rest(u[r.u])) u[r.u] = 0;
    discrete_.sliding[k] = sign_of(u[r.u]);
  }
  update_free(t, y);
  if (leaving.empty()) return std::nullopt;
  evaluate(t, y, Stage::acceleration);
  std::vector<std::uint32_t> caught;
  for (const Leaving& l : leaving) {
    if (comes_to_rest(l.restraint, l.side)) {
      discrete_.stopped[l.restraint] = l.side;
      discrete_.sliding[l.restraint] = 0;
      caught.push_back(l.restraint);
    } else if (l.bounces) {
      changes.push_back({model.restraints[l.restraint].name, "bounces"});
    }
  }
  return catch_speeds(t, y, caught);
}

/// At stage acceleration, just after leaving the stop at that side, by a bounce or by impulses elsewhere.
bool PlantRun::comes_to_rest(std::size_t k, int side) const {
  const Restraint& r = plant_.signals().forces.restraints[k];
  const double speed = -side * data_.u[r.u], towards = side * data_.udot[r.u];
  if (!(towards > 0)) return false;
  const double height = speed * speed / (2 * towards), time = 2 * speed / towards;
  return height < smallest_bounce * std::max(1.0, std::abs(data_.q[r.q])) || time < shortest_bounce;
}

/// Speeds that are where they are to be held but for rounding, exactly there.
std::optional<std::string> PlantRun::catch_speeds(double t, double* y, const std::vector<std::uint32_t>& caught) {
  if (caught.empty()) return std::nullopt;
  double* u = y + plant_.layout().u;
  Jumps jumps(plant_);
  std::vector<double> goals;
  for (const std::uint32_t k : caught) {
    const Restraint& r = plant_.signals().forces.restraints[k];
    goals.push_back(!r.of_speed || discrete_.stopped[k] == 0 ? 0 : discrete_.stopped[k] > 0 ? r.high : r.low);
    jumps.speeds[r.u] = goals.back() - u[r.u];
  }
  update_free(t, y);
  if (auto why = jump(t, y, jumps)) return why;
  for (std::size_t i = 0; i < caught.size(); ++i) u[plant_.signals().forces.restraints[caught[i]].u] = goals[i];
  return std::nullopt;
}

/// In a loop, other speeds become zero with those that were caught. `before`: speeds before that.
std::optional<std::string> PlantRun::catch_what_stops_with_them(double t, double* y,
                                                                const std::vector<double>& before) {
  constexpr double stopped = 1e-6;  // of a speed: what of it is left
  const std::vector<Restraint>& restraints = plant_.signals().forces.restraints;
  const double* u = y + plant_.layout().u;
  std::vector<std::uint32_t> caught;
  for (std::uint32_t k = 0; k < restraints.size(); ++k) {
    const Restraint& r = restraints[k];
    if (!r.friction || discrete_.sliding[k] == 0 || discrete_.stopped[k] != 0) continue;
    if (std::abs(u[r.u]) > stopped * std::abs(before[r.u])) continue;
    discrete_.sliding[k] = 0;
    caught.push_back(k);
  }
  return catch_speeds(t, y, caught);
}

// --- accelerations ---------------------------------------------------------------------------------------------------

/// What each adds to the accelerations of all, by a unit of force: a symmetric matrix, with zeros for what constraints
/// do not let move, by whatever force; and to the reactions across the axes of joints with friction by reaction.
void PlantRun::find_compliance(Standing& s) {
  const ForceModel& model = plant_.signals().forces;
  const auto n = static_cast<Eigen::Index>(s.speeds.size());
  Eigen::MatrixXd W(n, n);
  Eigen::VectorXd unconstrained(n);  // the diagonal without the constraints
  ArticulatedBodyData<double> apart(plant_.mechanism());
  std::vector<double> udot(data_.udot.size());
  s.reactions.assign(model.by_reaction.size(), Eigen::Matrix3Xd(3, n));
  AtRest& r = at_rest();
  for (Eigen::Index j = 0; j < n; ++j) {
    double& tau = r.forces.tau[s.speeds[static_cast<std::size_t>(j)]];
    tau = 1;
    solve_at_rest(r);
    for (Eigen::Index i = 0; i < n; ++i) W(i, j) = r.change[s.speeds[static_cast<std::size_t>(i)]];
    if (constrained()) accelerations(plant_.mechanism(), r.kinematics, r.speeds.data(), r.forces, apart, udot.data());
    unconstrained[j] = udot[s.speeds[static_cast<std::size_t>(j)]];
    if (!s.reactions.empty()) find_impulsive_reactions(r);
    for (std::size_t k = 0; k < s.reactions.size(); ++k) {
      const Vec3<double> R = across(model.restraints[model.by_reaction[k]], *r.reactions);
      s.reactions[k].col(j) << R.x, R.y, R.z;
    }
    tau = 0;
  }
  s.W = (W + W.transpose()) / 2;
  if (!constrained()) return;
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!(s.W(j, j) <= rounding_in_loops * unconstrained[j])) continue;
    s.W.row(j).setZero();
    s.W.col(j).setZero();
  }
}

/// Lets go of what friction or a stop holds, for the equations of what holds them. At stage acceleration then.
PlantRun::Standing PlantRun::let_go(double t, const double* y, std::vector<std::uint32_t> open) {
  Standing s;
  s.open = std::move(open);
  constexpr double amplified = 10;  // accelerations of joints, over what Baumgarte's feedback demands of rows
  const Baumgarte& feedback = plant_.feedback();
  const Violation left = constrained() ? violation(t, y) : Violation{};
  std::vector<Truth> free = discrete_.free;
  for (const std::uint32_t k : s.open) {
    s.speeds.push_back(plant_.signals().forces.restraints[k].u);
    free[s.speeds.back()] = true;
  }
  set_free(std::move(free), t, y);
  evaluate(t, y, Stage::acceleration);
  find_compliance(s);
  if (constrained()) {
    s.rounding = rounding_in_loops * largest_unconstrained() +
                 amplified * (2 * feedback.alpha * left.speed + feedback.beta * feedback.beta * left.position);
  }
  const auto n = static_cast<Eigen::Index>(s.open.size());
  s.forces = Eigen::VectorXd::Zero(n);
  s.without.resize(n), s.low.resize(n), s.high.resize(n);
  s.starts.assign(s.open.size(), false);
  return s;
}

/// Forces within the limits that hold what they can: (9).
std::optional<std::string> PlantRun::find_holding_forces(double t, const double* y, Standing& s) {
  const ForceModel& model = plant_.signals().forces;
  if (!model.by_reaction.empty()) return find_forces_that_limits_follow(t, y, s);
  evaluate(t, y, Stage::acceleration);
  for (std::size_t i = 0; i < s.open.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const Range range = reactions_of(s.open[i], s.starts[i]);
    s.low[k] = range.low, s.high[k] = range.high;
    s.set_acceleration_without(k, data_.udot[s.speeds[i]]);
  }
  const auto found = minimum_in_box(s.W, s.without, s.low, s.high);
  if (!found) return no_forces_at_stop(model.restraints[s.open.front()]);
  s.forces = *found;
  return std::nullopt;
}

/// Of those that are open: which stay and which start, all at once (9). `loose` are those that start in any case, away
/// from the limit that their forces are nearer to.
std::optional<std::string> PlantRun::start_what_moves(double t, double* y, const std::vector<std::uint32_t>& open,
                                                      const std::vector<std::uint32_t>& loose) {
  const std::vector<Restraint>& restraints = plant_.signals().forces.restraints;
  Standing s = let_go(t, y, open);
  const auto n = static_cast<Eigen::Index>(open.size());
  Eigen::VectorXd accelerations;
  for (bool more = true; more;) {  // what starts has the level of sliding, which may let others start
    more = false;
    if (auto why = find_holding_forces(t, y, s)) return why;
    accelerations = s.without + s.W * s.forces;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double scale = std::abs(s.without[i]) + s.W.row(i).cwiseAbs().dot(s.forces.cwiseAbs());
      const double a = accelerations[i], least = rounding_of_accelerations * scale + s.rounding;
      const bool moves = (s.forces[i] == s.low[i] && a > least) || (s.forces[i] == s.high[i] && a < -least);
      const bool starts = moves || std::ranges::find(loose, open[static_cast<std::size_t>(i)]) != loose.end();
      if (!moves) accelerations[i] = starts ? std::copysign(least, -s.forces[i]) : 0;
      more = more || (starts && !s.starts[static_cast<std::size_t>(i)]);
      if (starts) s.starts[static_cast<std::size_t>(i)] = true;
    }
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    const double a = accelerations[static_cast<Eigen::Index>(i)];
    if (a == 0) continue;
    discrete_.stopped[open[i]] = 0;
    if (restraints[open[i]].friction && discrete_.sliding[open[i]] == 0) discrete_.sliding[open[i]] = sign_of(a);
  }
  update_free(t, y);
  return std::nullopt;
}

/// Of all that stand still where friction or a stop may hold them: which stay and which start. Those that cannot hold
/// while the others do are decided upon together; where others then cannot, these too.
std::optional<std::string> PlantRun::decide_what_holds(double t, double* y) {
  const std::vector<Restraint>& restraints = plant_.signals().forces.restraints;
  update_free(t, y);
  std::vector<std::uint32_t> held;
  for (std::uint32_t k = 0; k < restraints.size(); ++k) {
    if (is_held(k) && !is_latched(restraints[k])) held.push_back(k);
  }
  if (held.empty()) return std::nullopt;
  const auto beyond = [&] {  // their limits
    evaluate(t, y, Stage::acceleration);
    const std::vector<double> distances = distances_from_change();
    std::vector<std::uint32_t> list;
    std::ranges::copy_if(held, std::back_inserter(list),
                         [&](std::uint32_t k) { return is_held(k) && !(distances[k] >= 0); });
    return list;
  };
  std::vector<std::uint32_t> open = beyond();
  // At a dead centre of a loop no force at a joint that stands there for an instant can hold it.
  if (open.empty() && (!constrained() || margin_of_all(held) >= 0)) return std::nullopt;
  if (constrained()) open = held;  // what each of them carries is not determined there

  const std::vector<std::int8_t> sliding = discrete_.sliding, stopped = discrete_.stopped;
  std::vector<std::uint32_t> loose;
  for (;;) {
    if (auto why = start_what_moves(t, y, open, loose)) return why;
    const std::vector<std::uint32_t> more = beyond();
    if (more.empty()) return std::nullopt;
    std::vector<std::uint32_t> wider, looser;
    std::ranges::set_union(open, more, std::back_inserter(wider));
    if (wider.size() == open.size()) {  // at their limits but for rounding, where others carry much more
      std::ranges::set_union(loose, more, std::back_inserter(looser));
      if (constrained() || looser.size() == loose.size()) {
        return fmt::format(
            "what holds {} is not determined: neither at rest nor sliding do the forces of friction and stops balance "
            "within rounding; a change of a level in the last digits may decide it",
            restraints[more.front()].name);
      }
      loose = std::move(looser);
    }
    open = std::move(wider);
    discrete_.sliding = sliding;
    discrete_.stopped = stopped;
    update_free(t, y);
  }
}

// --- the start
// ---------------------------------------------------------------------------------------------------------

/// At t = 0, at stage signals.
void PlantRun::start_restraints(double* y, bool as_given) {
  const ForceModel& model = plant_.signals().forces;
  for (std::size_t i = 0; i < model.latches.size(); ++i) {
    const JointLatch& latch = model.latches[i];
    discrete_.latched[i] = wants_latch(i);
    for (std::uint32_t k = latch.u; discrete_.latched[i] && k < latch.u + latch.nu; ++k) {
      if (data_.u[k] == 0 || as_given) continue;
      discrete_.failure = fmt::format("{} is latched at t = 0, and its initial speed is not zero", latch.name);
    }
  }
  for (std::size_t k = 0; k < model.restraints.size(); ++k) {
    const Restraint& r = model.restraints[k];
    const double u = data_.u[r.u], x = r.of_speed ? u : data_.q[r.q];
    const double close = 1e-12 * std::max(1.0, std::abs(x));
    discrete_.sliding[k] = r.friction ? sign_of(u) : 0;
    const std::int8_t side = std::abs(x - r.low) <= close ? -1 : std::abs(x - r.high) <= close ? 1 : 0;
    if (r.of_speed || u == 0) discrete_.stopped[k] = side;
    if (side == 0 && distance_from_range(k) < 0 && discrete_.failure.empty()) {
      discrete_.failure = fmt::format("{} is beyond its {} at t = 0", r.name, r.of_speed ? "speed limit" : "stops");
    }
  }
  if (auto why = decide_what_holds(0, y); why && discrete_.failure.empty()) discrete_.failure = *why;
  evaluate(0, y, Stage::signals);
}

}  // namespace gyrostat
