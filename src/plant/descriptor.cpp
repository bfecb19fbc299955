// The equations of motion in descriptor form: the constraints stand beside them, with multipliers as unknowns.
#include "gyrostat/constraints/multipliers.h"
#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

namespace {

/// The evaluation of one scalar: forces with those of the multipliers, and the rows.
template <class T>
void exert(const Plant& plant, const T* multipliers, PlantData<T>& data) {
  if (data.closures.empty()) return;
  evaluate_kept_rows(plant, plant.constants(), data);
  const std::vector<std::uint32_t>& kept = data.closures.plan->kept;
  for (T& multiplier : data.closures.multipliers) multiplier = T(0.0);
  for (std::size_t k = 0; k < kept.size(); ++k) data.closures.multipliers[kept[k]] = multipliers[k];
  add_forces(data.closures, data.closures.multipliers, data.forces);
}

/// What goes with accelerations that are in data.udot. `corrected` are the speeds that move the coordinates.
template <class T>
void gather(const Plant& plant, const PlantData<T>& data, const T* y, const T* corrected, T* rates, T* residuals) {
  const Layout& layout = plant.layout();
  layout.gather_rates(y, data.q.data(), corrected, rates);
  for (std::size_t k = 0; k < layout.nu; ++k) rates[layout.u + k] = data.udot[k];
  for (std::size_t k = 0; k < layout.nx; ++k) rates[layout.x + k] = data.values[plant.signals().states[k].rate];
  if (data.closures.empty()) return;
  const std::vector<std::uint32_t>& kept = data.closures.plan->kept;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    residuals[k] = data.closures.values.rows[kept[k]].residual;
    residuals[kept.size() + k] = data.closures.values.rows[kept[k]].rate;
  }
}

}  // namespace

/// Speeds with what mu adds to those that are free: J^T mu.
template <class T>
void PlantRun::correct_speeds(const T* mu, const PlantData<T>& data, std::vector<T>& corrected) const {
  corrected.assign(data.u.begin(), data.u.end());
  for (std::size_t k = 0; k < corrected.size(); ++k) {
    if (!data_.forces.free[k]) continue;
    for (Eigen::Index r = 0; r < descriptor_->J.rows(); ++r) {
      corrected[k] = corrected[k] + descriptor_->J(r, static_cast<Eigen::Index>(k)) * mu[r];
    }
  }
}

void PlantRun::find_multipliers(double t, const double* y, double* lambda) {
  if (data_.closures.empty()) return;
  evaluate(t, y, Stage::acceleration);
  const Closures<double>& closures = solved_closures();
  for (std::size_t k = 0; k < closures.plan->kept.size(); ++k) lambda[k] = closures.multipliers[closures.plan->kept[k]];
}

void PlantRun::descriptor(double t, const double* y, const double* lambda, double* rates, double* residuals) {
  if (!descriptor_) descriptor_ = std::make_unique<Descriptor>();
  if (!recursion_) recursion_ = std::make_unique<Recursion>(plant_);
  const Mechanism& mechanism = plant_.mechanism();
  set_state(plant_, data_, t, y);
  advance(plant_, plant_.constants(), data_, Stage::forces);
  exert(plant_, lambda, data_);
  accelerations(mechanism, data_.kinematics, data_.u.data(), data_.forces, recursion_->articulated, data_.udot.data());
  const std::size_t rows = kept_rows();
  Descriptor& d = *descriptor_;
  d.J.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(mechanism.nu));
  if (rows > 0) {
    find_jacobian(mechanism, data_.kinematics, *data_.closures.structure, data_.closures.values,
                  data_.closures.plan->kept, d.J);
  }
  correct_speeds(lambda + rows, data_, d.corrected);
  gather(plant_, data_, y, d.corrected.data(), rates, residuals);
  data_.stage = Stage::none;  // its forces have the multipliers in them
}

void PlantRun::descriptor_jacobian(double t, const double* y, const double* lambda, double* by_columns) {
  constexpr std::size_t directions = 8;
  const std::size_t size = plant_.size(), rows = kept_rows(), all = size + 2 * rows;
  if (!jacobian_) jacobian_ = std::make_unique<JacobianData>(plant_);
  if (!descriptor_) descriptor_ = std::make_unique<Descriptor>();
  JacobianData& j = *jacobian_;
  Descriptor& d = *descriptor_;
  d.values.resize(all);
  descriptor(t, y, lambda, d.values.data(), d.values.data() + size);  // the point, and J there
  j.data.formulation.at.emplace(
      Differentiated{plant_.mechanism(), data_.kinematics, recursion_->articulated, data_.udot.data()});
  gyrostat::set_discrete(j.data, 0, discrete_);
  d.unknowns.resize(all);
  d.results.resize(all);
  for (std::size_t k = 0; k < all; ++k) d.unknowns[k] = k < size ? y[k] : lambda[k - size];
  for (std::size_t first = 0; first < all; first += directions) {
    const std::size_t last = std::min(first + directions, all);
    for (std::size_t k = first; k < last; ++k) {
      d.unknowns[k] = Directional::variable(d.unknowns[k].value, k - first);
    }
    set_state(plant_, j.data, Directional(t), d.unknowns.data());
    advance(plant_, plant_.constants(), j.data, Stage::forces);
    exert(plant_, d.unknowns.data() + size, j.data);
    differentiate(*j.data.formulation.at, j.data.kinematics, j.data.u.data(), j.data.forces, j.data.closures,
                  j.data.formulation.derivatives, j.data.udot.data());
    correct_speeds(d.unknowns.data() + size + rows, j.data, d.corrected_along);
    gather(plant_, j.data, d.unknowns.data(), d.corrected_along.data(), d.results.data(), d.results.data() + size);
    for (std::size_t column = first; column < last; ++column) {
      for (std::size_t k = 0; k < all; ++k) by_columns[column * all + k] = d.results[k].d[column - first];
    }
    for (std::size_t k = first; k < last; ++k) d.unknowns[k] = Directional(d.unknowns[k].value);
  }
}

}  // namespace gyrostat
