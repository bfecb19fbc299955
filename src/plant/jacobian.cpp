#include "gyrostat/plant/run_data.h"

namespace gyrostat {

void PlantRun::jacobian(double t, const double* y, double* by_columns) {
  constexpr std::size_t directions = 8;
  const std::size_t size = plant_.size();
  const Mechanism& mechanism = plant_.mechanism();
  if (!jacobian_) jacobian_ = std::make_unique<JacobianData>(plant_);
  JacobianData& j = *jacobian_;
  evaluate(t, y, Stage::forces);
  const Recursion& recursion = solve_by_recursion();
  const Closures<double>* closures = data_.closures.empty() ? nullptr : &data_.closures;
  j.data.formulation.at.emplace(
      Differentiated{mechanism, data_.kinematics, recursion.articulated, recursion.udot.data(), closures});
  gyrostat::set_discrete(j.data, 0, discrete_);
  for (std::size_t k = 0; k < size; ++k) j.y[k] = y[k];
  for (std::size_t first = 0; first < size; first += directions) {
    const std::size_t last = std::min(first + directions, size);
    for (std::size_t k = first; k < last; ++k) j.y[k] = Directional::variable(y[k], k - first);
    find_rates(plant_, plant_.constants(), j.data, Directional(t), j.y.data(), j.ydot.data());
    for (std::size_t column = first; column < last; ++column) {
      for (std::size_t k = 0; k < size; ++k) by_columns[column * size + k] = j.ydot[k].d[column - first];
    }
    for (std::size_t k = first; k < last; ++k) j.y[k] = y[k];
  }
}

}  // namespace gyrostat
