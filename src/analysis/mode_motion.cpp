#include "gyrostat/analysis/mode_motion.h"

#include <fmt/format.h>

#include "gyrostat/dynamics/jacobian.h"
#include "gyrostat/dynamics/kernels.h"

namespace gyrostat {

ModeMotions::ModeMotions(const System& system, const LinearModel& linear) : basis_(linear.basis) {
  const Mechanism mechanism(system);
  const State& state = linear.state;
  if (state.q.size() != system.initial.q.size() || state.u.size() != system.initial.u.size() ||
      basis_.rows() != state.u.size()) {
    throw AnalysisError(
        fmt::format("the linear model has {} coordinates and {} speeds, and the model {} and {}: it is another one",
                    state.q.size(), state.u.size(), system.initial.q.size(), system.initial.u.size()));
  }
  Kinematics<double> kinematics(mechanism);
  const Eigen::VectorXd u = Eigen::VectorXd::Zero(state.u.size());
  kernels().one.update(mechanism, state.q.data(), u.data(), kinematics);
  by_coordinate_.setZero(6 * static_cast<Eigen::Index>(system.bodies.size()), basis_.cols());
  Eigen::Matrix<double, 6, Eigen::Dynamic> jacobian;
  for (std::uint32_t i = 1; i < system.bodies.size(); ++i) {
    point_jacobian(mechanism, kinematics, i, Vector3::Zero(), jacobian);
    by_coordinate_.middleRows<6>(6 * static_cast<Eigen::Index>(i)) = jacobian * basis_;
  }
}

ModeMotion ModeMotions::of(const Eigen::VectorXcd& coordinates) const {
  const Eigen::VectorXcd all = by_coordinate_ * coordinates;
  ModeMotion motion;
  for (Eigen::Index k = 0; k < all.size(); k += 6) {
    motion.rotation.emplace_back(all.segment<3>(k));
    motion.translation.emplace_back(all.segment<3>(k + 3));
  }
  motion.coordinates = basis_ * coordinates;
  return motion;
}

}  // namespace gyrostat
