#include "gyrostat/plant/plant.h"

#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/dynamics/singularity.h"

namespace gyrostat {

Plant::Plant(const Model& model, std::string_view formulation, std::vector<PluginFunction> plugins)
    : model_(model),
      formulation_(formulation),
      names_(model.description),
      settings_(model),
      dynamics_(model.system, settings_, formulation),
      signals_(model, names_, std::move(plugins)),
      prescribed_(model.description, names_, model.system),
      board_(prescribed_.program()),
      layout_(model.system,
              model.description.simulation.attitude == "direction_cosines" ? Attitude::direction_cosines
                                                                           : Attitude::quaternion,
              signals_.program().state_count()),
      state_(model.system.initial),
      forces_(model.system),
      udot_(Eigen::VectorXd::Zero(state_.u.size())),
      qdot_(Eigen::VectorXd::Zero(state_.q.size())) {}

void Plant::start(Eigen::VectorXd& y) {
  State initial = model_.system.initial;
  place_on_orbit(model_.description, model_.system, initial);
  y.setZero(static_cast<Eigen::Index>(layout_.size));
  layout_.gather(initial, y.data());
  for (std::uint32_t k = 0; k < board_.size(); ++k) {
    board_.settle(k, 0, [this](Slot slot) { return prescribed_.value(slot); });
  }
  layout_.scatter(y.data(), state_.q.data(), state_.u.data());
  prescribe(0);
  for (std::uint32_t k = 0; k < board_.size(); ++k) {  // now that guards have values
    board_.settle(k, 0, [this](Slot slot) { return prescribed_.value(slot); });
  }
  prescribe(0);
  layout_.gather(state_, y.data());
  t_ = 0;
  dynamics_.update(state_);
  find_base_points(mechanism(), dynamics_.kinematics(), state_.u.data(), base_points_);
  signals_.start(instant(), y.data() + layout_.x);
}

void Plant::prescribe(double t) {
  if (prescribed_.targets().empty()) return;
  prescribed_.evaluate(t, board_.modes());
  for (const PrescribedMotion::Target& target : prescribed_.targets()) {
    const Jet& value = prescribed_.at(target);
    if (target.speed) {
      state_.u[target.u] = value.value;
      forces_.udot[target.u] = value.rate;
    } else {
      state_.q[target.q] = value.value;
      state_.u[target.u] = value.rate;
      forces_.udot[target.u] = value.acceleration;
    }
  }
}

void Plant::look(double t, const double* y) {
  t_ = t;
  layout_.scatter(y, state_.q.data(), state_.u.data());
  prescribe(t);
  dynamics_.update(state_);
  find_base_points(mechanism(), dynamics_.kinematics(), state_.u.data(), base_points_);
  shared_ = {};
  signals_.evaluate(instant(), y + layout_.x, shared_);
}

void Plant::look_closely(double t, const double* y) {
  look(t, y);
  apply<double>(signals_.actions(), instant(), signals_.values(), forces_);
  dynamics_.accelerations(state_, forces_, udot_);
}

void Plant::derivative(double t, const double* y, double* ydot) {
  look_closely(t, y);
  layout_.gather_rates(model_.system, y, state_.q.data(), state_.u.data(), qdot_.data(), ydot);
  std::copy_n(udot_.data(), layout_.nu, ydot + layout_.u);
  signals_.rates(ydot + layout_.x);
}

double Plant::next_time(double t) const { return std::min(board_.next_time(t), signals_.next_time(t)); }

bool Plant::any_misplaced() {
  return board_.any_misplaced([this](Slot slot) { return prescribed_.value(slot); }) ||
         signals_.any_misplaced(instant());
}

void Plant::find_margins(std::vector<double>& margins) {
  margins.clear();
  board_.append_margins([this](Slot slot) { return prescribed_.value(slot); }, margins);
  signals_.append_margins(instant(), margins);
}

std::optional<std::string> Plant::settle(double t, double* y, std::vector<Change>& changes) {
  look(t, y);
  bool moved = false;
  for (std::uint32_t k = 0; k < board_.size(); ++k) {
    if (!board_.settle(k, t, [this](Slot slot) { return prescribed_.value(slot); })) continue;
    moved = true;
    changes.push_back({prescribed_.owners()[k], std::string(prescribed_.program().switches[k].cause)});
  }
  if (moved) {
    const State before = state_;
    look(t, y);
    for (const PrescribedMotion::Target& target : prescribed_.targets()) {
      const double jump = target.speed ? 0 : std::abs(state_.q[target.q] - before.q[target.q]);
      if (jump > 1e-9 * (1 + std::abs(before.q[target.q]))) {
        return fmt::format("{} jumps by {:.6g}; a position may bend, but not jump", target.path, jump);
      }
    }
    jolt(before, y);
  }
  look(t, y);
  if (!signals_.settle(instant(), y + layout_.x, changes)) {
    return fmt::format("the signals do not come to rest: {} and others change each other without end at one instant",
                       changes.empty() ? "they" : changes.back().name);
  }
  return std::nullopt;
}

/// Where prescribed rates jump, impulses of their drives make the others jump too: the equations of motion without
/// velocities and loads, with jumps in place of accelerations.
void Plant::jolt(const State& before, double* y) {
  Forces<double> none(model_.system);
  bool any = false;
  for (const PrescribedMotion::Target& target : prescribed_.targets()) {
    none.udot[target.u] = state_.u[target.u] - before.u[target.u];
    any = any || none.udot[target.u] != 0;
  }
  if (!any) return;
  State still = state_;
  still.u.setZero();
  Dynamics dynamics(model_.system, settings_);
  Eigen::VectorXd jump;
  dynamics.update(still);
  dynamics.accelerations(still, none, jump);
  for (std::size_t k = 0; k < layout_.nu; ++k) y[layout_.u + k] += jump[static_cast<Eigen::Index>(k)];
}

void Plant::follow() {
  board_.follow_smoothly([this](Slot slot) { return prescribed_.value(slot); });
  signals_.follow();
}

const Reactions& Plant::reactions() {
  if (!reactions_) reactions_.emplace(mechanism());
  find_reactions(mechanism(), state_.q.data(), state_.u.data(), udot_.data(), forces_, *reactions_);
  return *reactions_;
}

std::optional<std::string> Plant::find_trouble() {
  if (!signals_.failure().empty()) return signals_.failure();
  if (const std::string lost = signals_.find_lost_value(); !lost.empty()) {
    return fmt::format(
        "signal '{}' is not finite: a division by zero, a root or logarithm of a negative number, or a "
        "table asked outside its range",
        lost);
  }
  if (auto lost = find_lost_force(mechanism(), forces_)) return lost;
  Dynamics articulated(model_.system, settings_);
  Eigen::VectorXd udot;
  articulated.update(state_);
  articulated.accelerations(state_, forces_, udot);
  return find_singularity(articulated.mechanism(), state_.q.data(), articulated.kinematics(), forces_,
                          std::get<ArticulatedBodyData<double>>(articulated.data()), udot.data());
}

}  // namespace gyrostat
