// Latches, dry friction and stops at an event: what impulses do, and what holds after them (docs/theory/mechanisms.md).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/math/box_minimum.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

namespace {

constexpr double rounding_of_jumps = 1e-12;          // of a speed, over the largest jump
constexpr double rounding_of_accelerations = 1e-15;  // the same of an acceleration where the reaction is at its limit

/// A bounce lower or shorter than this is the last one.
constexpr double smallest_bounce = 1e-10;  // [m or rad], over the coordinate where that is more than one
constexpr double shortest_bounce = 1e-6;   // [s]

std::int8_t sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

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
    const double direction = -discrete_.stopped[k], speed = direction * u[r.u];
    jumps.stops.push_back({k, direction, speed < 0 ? -r.restitution * speed : 0, 0});
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
  std::vector<std::pair<std::uint32_t, std::int8_t>> bounced;
  for (const Jumps::Stop& stop : jumps.stops) {
    const Restraint& r = model.restraints[stop.restraint];
    if (stop.least > 0 && stop.impulse > 0) bounced.emplace_back(stop.restraint, discrete_.stopped[stop.restraint]);
    if (is_rest(u[r.u]) || (stop.impulse > 0 && stop.least == 0)) {
      u[r.u] = 0;
    } else {
      discrete_.stopped[stop.restraint] = 0;
    }
  }
  for (std::size_t k = 0; k < model.restraints.size(); ++k) {
    const Restraint& r = model.restraints[k];
    if (is_latched(r)) continue;
    if (r.of_speed && discrete_.stopped[k] != 0 && !is_rest(u[r.u] - before[r.u])) discrete_.stopped[k] = 0;
    if (!r.friction) continue;
    if (is_rest(u[r.u])) u[r.u] = 0;
    discrete_.sliding[k] = sign_of(u[r.u]);
  }
  update_free(t, y);
  if (bounced.empty()) return std::nullopt;
  evaluate(t, y, Stage::acceleration);
  std::vector<std::uint32_t> caught;
  for (const auto& [k, side] : bounced) {
    if (comes_to_rest(k, side)) {
      discrete_.stopped[k] = side;
      discrete_.sliding[k] = 0;
      caught.push_back(k);
    } else {
      changes.push_back({model.restraints[k].name, "bounces"});
    }
  }
  return catch_speeds(t, y, caught);
}

/// At stage acceleration, just after a bounce from the stop at that side.
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

// --- accelerations ---------------------------------------------------------------------------------------------------

/// Of all that stand still where friction or a stop may hold them: which stay and which start, all at once (9).
std::optional<std::string> PlantRun::decide_what_holds(double t, double* y) {
  const std::vector<Restraint>& restraints = plant_.signals().forces.restraints;
  update_free(t, y);
  std::vector<std::uint32_t> open;
  for (std::uint32_t k = 0; k < restraints.size(); ++k) {
    if (is_held(k) && !is_latched(restraints[k])) open.push_back(k);
  }
  const auto all_hold = [&] {
    evaluate(t, y, Stage::acceleration);
    reactions();
    return std::ranges::none_of(open, [&](std::uint32_t k) { return distance_from_change(k) < 0; });
  };
  if (open.empty() || all_hold()) return std::nullopt;

  std::vector<Truth> free = discrete_.free;
  for (const std::uint32_t k : open) free[restraints[k].u] = true;
  set_free(std::move(free), t, y);
  evaluate(t, y, Stage::acceleration);
  const auto n = static_cast<Eigen::Index>(open.size());
  Eigen::VectorXd without(n), low(n), high(n);  // accelerations if none held; limits of reactions
  const auto u_of = [&](Eigen::Index i) { return restraints[open[static_cast<std::size_t>(i)]].u; };
  for (Eigen::Index i = 0; i < n; ++i) without[i] = data_.udot[u_of(i)];
  Eigen::MatrixXd W(n, n);
  AtRest& r = at_rest();
  for (Eigen::Index j = 0; j < n; ++j) {
    r.forces.tau[u_of(j)] = 1;
    solve_at_rest(r);
    r.forces.tau[u_of(j)] = 0;
    for (Eigen::Index i = 0; i < n; ++i) W(i, j) = r.change[u_of(i)];
  }
  W = ((W + W.transpose()) / 2).eval();

  std::vector<bool> starts(open.size(), false);
  Eigen::VectorXd accelerations;
  for (bool more = true; more;) {  // what starts has the level of sliding, which may let others start
    more = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const Range range = reactions_of(open[static_cast<std::size_t>(i)], starts[static_cast<std::size_t>(i)]);
      low[i] = range.low, high[i] = range.high;
    }
    const auto reactions = minimum_in_box(W, without, low, high);
    if (!reactions) {
      return fmt::format(
          "no forces hold {} where its stop is and none let it leave: the motion has no consistent solution here; what "
          "drives it onto the stop is prescribed or given by constraints",
          restraints[open.front()].name);
    }
    accelerations = without + W * *reactions;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double scale = std::abs(without[i]) + W.row(i).cwiseAbs().dot(reactions->cwiseAbs());
      const double a = accelerations[i], least = rounding_of_accelerations * scale;
      const bool moves = ((*reactions)[i] == low[i] && a > least) || ((*reactions)[i] == high[i] && a < -least);
      if (!moves) accelerations[i] = 0;
      more = more || (moves && !starts[static_cast<std::size_t>(i)]);
      if (moves) starts[static_cast<std::size_t>(i)] = true;
    }
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    const double a = accelerations[static_cast<Eigen::Index>(i)];
    if (a == 0) continue;
    discrete_.stopped[open[i]] = 0;
    if (restraints[open[i]].friction && discrete_.sliding[open[i]] == 0) discrete_.sliding[open[i]] = sign_of(a);
  }
  update_free(t, y);
  std::erase_if(open, [&](std::uint32_t k) { return !is_held(k); });
  if (open.empty() || all_hold()) return std::nullopt;
  return fmt::format(
      "which of the joints that stick in a loop carry the load is not determined: {} and others hold each other; let "
      "one of them have the friction of all",
      restraints[open.front()].name);
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
