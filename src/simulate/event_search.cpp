// Finds the first event within a step.
#include <algorithm>
#include <cmath>

#include "gyrostat/simulate/simulation.h"

namespace gyrostat {

void Simulation::evaluate_within_step(double t, Stage stage) {
  integrator_.interpolate(t, y_);
  run_.evaluate(t, y_.data(), stage);
}

/// What thresholds and measures are read from, in a lane where there is one.
void Simulation::find_values_within_step(double t) {
  if (by_lane_ == nullptr || run_.restrained()) return evaluate_within_step(t, Stage::signals);
  integrator_.interpolate(t, y_);
  by_lane_->find(by_lane_->context, PlantLanes::Asked::values, t, y_.data(), lane_values_.data());
  if (!run_.take_values(t, lane_values_.data())) run_.evaluate(t, y_.data(), Stage::signals);
}

/// Looks along a step for thresholds that are crossed, and takes what flows in for the ledger. True if one was; then
/// `to` is the first instant beyond it, to 1e-12 s.
bool Simulation::examine(const Step& step, double& to) {
  const bool watch = run_.watches();
  std::array<double, 5> nodes = {step.from, 0, 0, 0, step.to};
  for (std::size_t k = 0; k < 3; ++k) nodes[k + 1] = step.from + gauss_nodes[k] * (step.to - step.from);
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const bool is_sample = k < 4 && needs_samples();
    if (!is_sample && !watch) continue;
    if (is_sample) {
      sample(nodes[k], k - 1);
    } else {
      evaluate_within_step(nodes[k], Stage::signals);
    }
    if (!watch) continue;
    double beyond = nodes[k], before = nodes[k - 1];
    bool crossed = run_.any_crossed();
    if (!crossed) {
      run_.find_event_functions(event_functions_[k]);
      crossed = k >= 2 && find_tangential_crossing(nodes[k - 2], nodes[k - 1], nodes[k], k, beyond);
      before = k >= 2 ? nodes[k - 2] : before;
    }
    if (!crossed) {
      run_.follow_smoothly();
      continue;
    }
    to = locate(before, beyond);
    if (needs_samples()) sample_again(step.from, to);
    return true;
  }
  if (ledger_.needs_samples()) ledger_.take(step.to - step.from);
  return false;
}

/// No threshold is crossed at `before`, one is at `beyond`: the end of the last interval found between them.
double Simulation::locate(double before, double beyond) {
  while (beyond - before > 0.5 * same_instant(beyond)) {
    const double middle = before + (beyond - before) / 2;
    if (middle <= before || middle >= beyond) break;
    evaluate_within_step(middle, Stage::signals);
    (run_.any_crossed() ? beyond : before) = middle;
  }
  return beyond;
}

/// A node of the quadrature, for the ledger and the measures.
void Simulation::sample(double t, std::size_t node) {
  const bool flows = ledger_.needs_samples();
  if (flows) {
    evaluate_within_step(t, ledger_.sample_stage());
    ledger_.sample(node);
  }
  if (!flows || by_lane_ != nullptr) find_values_within_step(t);
  measures_.sample(node, run_.data().values.data());
}

/// All nodes, of a step that an event has cut short.
void Simulation::sample_again(double from, double to) {
  for (std::size_t k = 0; k < gauss_nodes.size(); ++k) sample(from + gauss_nodes[k] * (to - from), k);
  if (ledger_.needs_samples()) ledger_.take(to - from);
}

void Simulation::take_measures(double from, double to) {
  const auto values_at = [this](double t) {
    if (run_.time() != t || run_.data().stage < Stage::signals) evaluate_within_step(t, Stage::signals);
    return run_.data().values.data();
  };
  measures_.take(from, to, values_at(to), values_at);
}

/// Does the parabola of any event function through three nodes, the last of them number k, dip below zero between them?
/// Then the instant of its lowest point is evaluated.
bool Simulation::find_tangential_crossing(double a, double b, double c, std::size_t k, double& crossed) {
  for (std::size_t i = 0; i < event_functions_[k].size(); ++i) {
    const double fa = event_functions_[k - 2][i], fb = event_functions_[k - 1][i], fc = event_functions_[k][i];
    if (!std::isfinite(fa + fb + fc)) continue;
    const double ab = (fb - fa) / (b - a), bc = (fc - fb) / (c - b), curvature = (bc - ab) / (c - a);
    if (!(curvature > 0)) continue;
    const double lowest = (a + b) / 2 - ab / (2 * curvature);
    if (!(lowest > a && lowest < c)) continue;
    const double least = fa + (lowest - a) * (ab + (lowest - b) * curvature);
    if (least > 0.1 * std::min({fa, fb, fc})) continue;
    evaluate_within_step(lowest, Stage::signals);
    if (run_.any_crossed()) {
      crossed = lowest;
      return true;
    }
  }
  return false;
}

}  // namespace gyrostat
