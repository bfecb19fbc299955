#include "gyrostat/plant/run.h"

namespace gyrostat {

/// The right-hand side with derivatives along eight directions at a time. Accelerations are those of articulated
/// bodies, which any exact formulation agrees with; to a linearised one they are near enough for an iteration.
struct PlantRun::JacobianData {
  ArticulatedBodyData<double> articulated;
  std::vector<double> udot;
  PlantData<Directional> data;
  std::vector<Directional> y, ydot;

  explicit JacobianData(const Plant& plant)
      : articulated(plant.mechanism()),
        udot(plant.layout().nu),
        data(plant, plant.constants()),
        y(plant.size()),
        ydot(plant.size()) {}
};

PlantRun::PlantRun(const Plant& plant)
    : plant_(plant), discrete_(plant.initial_discrete_state()), data_(plant, plant.constants()) {
  take_over_discrete();
}
PlantRun::~PlantRun() = default;

void PlantRun::jacobian(double t, const double* y, double* by_columns) {
  constexpr std::size_t directions = 8;
  const std::size_t size = plant_.size();
  const Mechanism& mechanism = plant_.mechanism();
  if (!jacobian_) jacobian_ = std::make_unique<JacobianData>(plant_);
  JacobianData& j = *jacobian_;
  evaluate(t, y, Stage::forces);
  if (data_.closures.empty()) {
    accelerations(mechanism, data_.kinematics, data_.u.data(), data_.forces, j.articulated, j.udot.data());
  } else {
    evaluate_closures(plant_.constraints(), mechanism, data_.kinematics, data_.q.data(), data_.u.data(), data_.forces,
                      plant_.feedback(), data_.closures);
    j.articulated.closures.resize(*data_.closures.plan);
    accelerations(mechanism, data_.kinematics, data_.u.data(), data_.forces, data_.closures, j.articulated,
                  j.udot.data());
  }
  const Closures<double>* closures = data_.closures.empty() ? nullptr : &data_.closures;
  j.data.formulation.at.emplace(Differentiated{mechanism, data_.kinematics, j.articulated, j.udot.data(), closures});
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
