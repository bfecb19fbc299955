#include "gyrostat/plant/lanes.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace gyrostat {

namespace {

constexpr auto asks = [](const auto& lane) { return lane.asked != PlantLanes::Asked::nothing; };

}  // namespace

void PlantLanes::occupy(std::size_t lane, const PlantRun& run) {
  lanes_[lane] = {&run, 0, Asked::nothing};
  stale_ = true;
}

void PlantLanes::leave(std::size_t lane) {
  lanes_[lane] = {};
  stale_ = true;
}

void PlantLanes::ask(std::size_t lane, Asked what, double t, const double* y) {
  const std::size_t count = size(), n = lanes_[lane].run->plant().size();
  if (y_.size() != n * count) {
    y_.assign(n * count, 0.0);
    ydot_.assign(n * count, 0.0);
  }
  t_[lane] = t;
  double* into = y_.data() + lane;
  for (const double* end = y + n; y != end; into += count) *into = *y++;
  lanes_[lane].asked = what;
}

/// Lanes without a run have that of the first one that asks.
void PlantLanes::build() {
  const auto first = std::ranges::find_if(lanes_, asks);
  std::vector<const Plant*> plants;
  for (const Lane& lane : lanes_) plants.push_back(&(lane.run != nullptr ? lane.run : first->run)->plant());
  batch_.emplace(plants);
  stale_ = false;
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    const PlantRun& run = *(lanes_[k].run != nullptr ? lanes_[k].run : first->run);
    batch_->set_discrete(k, run.discrete());
    lanes_[k].changes = run.discrete_changes();
  }
}

/// Signals take some two thirds of the time of rates. Lanes that wait meet the others again where these ask for rates.
bool PlantLanes::worth_values_only() const {
  const auto values = std::ranges::count(lanes_, Asked::values, &Lane::asked);
  const auto rates = std::ranges::count(lanes_, Asked::rates, &Lane::asked);
  return values > 2 * rates;
}

void PlantLanes::evaluate() {
  const std::size_t count = size();
  const auto first = static_cast<std::size_t>(std::ranges::find_if(lanes_, asks) - lanes_.begin());
  assert(first < count);
  if (stale_) build();
  const bool values_only = worth_values_only();
  for (std::size_t lane = 0; lane < count; ++lane) {
    Lane& of = lanes_[lane];
    if (of.asked == Asked::nothing) {
      t_[lane] = t_[first];
      for (std::size_t k = 0; k < y_.size(); k += count) y_[k + lane] = y_[k + first];
    }
    if (of.run != nullptr && of.changes != of.run->discrete_changes()) {
      batch_->set_discrete(lane, of.run->discrete());
      of.changes = of.run->discrete_changes();
    }
  }
  if (values_only) {
    batch_->signals(t_.data(), y_.data());
  } else {
    batch_->derivative(t_.data(), y_.data(), ydot_.data());
  }
  for (Lane& of : lanes_) {
    if (!values_only || of.asked == Asked::values) of.asked = Asked::nothing;
  }
}

void PlantLanes::answer(std::size_t lane, Asked what, double* into) const {
  if (what == Asked::values) return batch_->values(lane, into);
  const std::size_t count = size();
  for (std::size_t k = lane; k < ydot_.size(); k += count) *into++ = ydot_[k];
}

std::string outside_lanes(const Plant& plant) {
  if (plant.formulation_name() != "articulated_body") {
    return fmt::format("formulation {}; packs have articulated_body", plant.formulation_name());
  }
  if (plant.constraints().rows() > 0) return "loops, of which each flight may solve for other rows";
  return {};
}

}  // namespace gyrostat
