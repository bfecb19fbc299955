// Finds the first event within a step.
#include <algorithm>
#include <cmath>

#include "gyrostat/simulate/simulation.h"

namespace gyrostat {

void Simulation::evaluate_within_step(double t, Stage stage) {
  integrator_.interpolate(t, y_);
  run_.evaluate(t, y_.data(), stage);
}

/// What thresholds and measures are read from, in a lane where there is one: also where switches that are no events
/// have to follow, so that the values have the same bits whatever else was evaluated before.
void Simulation::find_values_within_step(double t) {
  if (!judged_by_lane()) return evaluate_within_step(t, Stage::signals);
  integrator_.interpolate(t, y_);
  const std::size_t passes = plant_.signals().switches.unwatched().size() + 1;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    by_lane_->find(by_lane_->context, PlantLanes::Asked::values, t, y_.data(), run_.values_from_elsewhere(t));
    if (run_.follow_values()) return;
  }
}

/// Looks along a step for thresholds that are crossed, and takes what flows in for the ledger. True if one was; then
/// `to` is the first instant beyond it, to 1e-12 s. If none was, and the lane judges, its end was looked at last.
bool Simulation::examine(const Step& step, double& to) {
  const bool watch = run_.watches();
  std::array<double, 5> nodes = {step.from, 0, 0, 0, step.to};
  for (std::size_t k = 0; k < 3; ++k) nodes[k + 1] = step.from + gauss_nodes[k] * (step.to - step.from);
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const bool is_sample = k < 4 && needs_samples();
    if (!is_sample && !watch && !(k == 4 && judged_by_lane())) continue;
    if (is_sample) {
      sample(nodes[k], k - 1);
    } else {
      find_values_within_step(nodes[k]);
    }
    if (!watch) continue;
    double beyond = nodes[k];
    std::size_t before = k - 1;
    bool crossed = run_.any_crossed();
    if (!crossed) {
      run_.find_event_functions(event_functions_[k]);
      crossed = k >= 2 && find_tangential_crossing(nodes[k - 2], nodes[k - 1], nodes[k], k, beyond);
      before = k >= 2 ? k - 2 : before;
    }
    if (!crossed) {
      if (k == 4 && judged_by_lane() && run_.time() != nodes[k]) find_values_within_step(nodes[k]);
      run_.follow_smoothly();
      continue;
    }
    to = locate(nodes[before], beyond, event_functions_[before]);
    if (needs_samples()) sample_again(step.from, to);
    return true;
  }
  if (ledger_.needs_samples()) ledger_.take(step.to - step.from);
  return false;
}

namespace {

/// Of an interval, the part after which the first event function would cross that is negative at its end, were they
/// straight lines; half of it where there is none.
double part_before_crossing(const std::vector<double>& begin, const std::vector<double>& end) {
  double part = 1;
  for (std::size_t i = 0; i < end.size(); ++i) {
    if (!(end[i] < 0 && begin[i] >= 0) || !std::isfinite(begin[i] - end[i])) continue;
    part = std::min(part, begin[i] / (begin[i] - end[i]));
  }
  return part < 1 ? part : 0.5;
}

}  // namespace

/// No threshold is crossed at `before`, where the event functions are those given; one is at `beyond`, which was
/// evaluated last: the end of the last interval found between them. By the method of Oliveira and Takahashi (ITP):
/// where straight lines cross, a little towards the middle, and no farther from it than lets halving end in time.
double Simulation::locate(double before, double beyond, const std::vector<double>& functions_before) {
  auto& [begin, end, here] = bracket_;
  begin = functions_before;
  run_.find_event_functions(end);
  const double least = 0.25 * same_instant(beyond), whole = beyond - before;
  double reach = 2 * least;  // half the width that the interval may have after each evaluation
  while (reach < whole) reach *= 2;
  for (; beyond - before > 2 * least; reach /= 2) {
    const double width = beyond - before, middle = before + width / 2;
    const double line = before + part_before_crossing(begin, end) * width, side = line < middle ? 1 : -1;
    const double inward = std::min(0.2 * width * width / whole, std::abs(middle - line));
    double at = line + side * inward;
    if (const double most = reach - width / 2; !(std::abs(at - middle) <= most)) at = middle - side * most;
    // Not on the threshold itself: what changes beyond it and what changes on it change together.
    if (std::abs(at - line) < least / 2) at = line + side * least / 2;
    if (!(at > before && at < beyond)) at = middle;
    if (at <= before || at >= beyond) break;
    find_values_within_step(at);
    const bool crossed = run_.any_crossed();
    run_.find_event_functions(here);
    (crossed ? beyond : before) = at;
    (crossed ? end : begin).swap(here);
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
    if (run_.time() != t || run_.data().stage < Stage::signals) find_values_within_step(t);
    return run_.data().values.data();
  };
  measures_.take(from, to, values_at(to), values_at);
}

/// Does the parabola of any event function through three nodes, the last of them number k, dip below zero between them?
/// Then the instant of its lowest point is evaluated.
bool Simulation::find_tangential_crossing(double a, double b, double c, std::size_t k, double& crossed) {
  const double per_ab = 1 / (b - a), per_bc = 1 / (c - b), per_ac = 1 / (c - a);
  for (std::size_t i = 0; i < event_functions_[k].size(); ++i) {
    const double fa = event_functions_[k - 2][i], fb = event_functions_[k - 1][i], fc = event_functions_[k][i];
    if (!std::isfinite(fa + fb + fc)) continue;
    const double ab = (fb - fa) * per_ab, bc = (fc - fb) * per_bc, curvature = (bc - ab) * per_ac;
    if (!(curvature > 0)) continue;
    const double lowest = (a + b) / 2 - ab / (2 * curvature);
    if (!(lowest > a && lowest < c)) continue;
    const double least = fa + (lowest - a) * (ab + (lowest - b) * curvature);
    if (least > 0.1 * std::min({fa, fb, fc})) continue;
    find_values_within_step(lowest);
    if (run_.any_crossed()) {
      crossed = lowest;
      return true;
    }
  }
  return false;
}

}  // namespace gyrostat
