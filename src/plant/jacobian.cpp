#include "gyrostat/plant/run_data.h"

namespace gyrostat {

namespace {

constexpr std::size_t directions_at_once = 8;

}  // namespace

/// The point about which derivatives are taken.
PlantRun::JacobianData& PlantRun::differentiate_at(double t, const double* y) {
  if (!jacobian_) jacobian_ = std::make_unique<JacobianData>(plant_);
  JacobianData& j = *jacobian_;
  // friction by reaction is among the forces once accelerations are known
  evaluate(t, y, data_.friction.n == 0 ? Stage::forces : Stage::acceleration);
  j.data.friction_at = &data_.friction;
  const Recursion& recursion = solve_by_recursion();
  const Closures<double>* closures = data_.closures.empty() ? nullptr : &data_.closures;
  j.data.formulation.at.emplace(
      Differentiated{plant_.mechanism(), data_.kinematics, recursion.articulated, recursion.udot.data(), closures});
  gyrostat::set_discrete(j.data, 0, discrete_);
  for (const Slot input : plant_.signals().inputs) j.data.values[input] = data_.values[input];
  for (std::size_t k = 0; k < plant_.size(); ++k) j.y[k] = y[k];
  return j;
}

void PlantRun::jacobian(double t, const double* y, double* by_columns) {
  const std::size_t size = plant_.size();
  JacobianData& j = differentiate_at(t, y);
  for (std::size_t first = 0; first < size; first += directions_at_once) {
    const std::size_t last = std::min(first + directions_at_once, size);
    for (std::size_t k = first; k < last; ++k) j.y[k] = Directional::variable(y[k], k - first);
    find_rates(plant_, plant_.constants(), j.data, Directional(t), j.y.data(), j.ydot.data());
    for (std::size_t column = first; column < last; ++column) {
      for (std::size_t k = 0; k < size; ++k) by_columns[column * size + k] = j.ydot[k].d[column - first];
    }
    for (std::size_t k = first; k < last; ++k) j.y[k] = y[k];
  }
}

void PlantRun::differentiate_along(double t, const double* y, std::span<const Direction> directions,
                                   const SeeDerivatives& see) {
  JacobianData& j = differentiate_at(t, y);
  const std::vector<Slot>& inputs = plant_.signals().inputs;
  for (std::size_t first = 0; first < directions.size(); first += directions_at_once) {
    const std::size_t count = std::min(directions_at_once, directions.size() - first);
    for (std::size_t k = 0; k < plant_.size(); ++k) j.y[k] = y[k];
    for (Directional& held : j.data.held) held = Directional(held.value);
    for (const Slot input : inputs) j.data.values[input] = Directional(j.data.values[input].value);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const Direction& along = directions[first + lane];
      for (std::size_t k = 0; k < along.y.size(); ++k) j.y[k].d[lane] = along.y[k];
      if (along.input) j.data.values[inputs[*along.input]].d[lane] = 1;
      if (along.held) j.data.held[*along.held].d[lane] = 1;
    }
    find_rates(plant_, plant_.constants(), j.data, Directional(t), j.y.data(), j.ydot.data());
    see(first, count, j.data, j.ydot.data());
  }
}

void PlantRun::set_input(std::size_t input, double value) {
  data_.values[plant_.signals().inputs[input]] = value;
  data_.stage = std::min(data_.stage, Stage::velocity);
}

}  // namespace gyrostat
