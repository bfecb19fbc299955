// What is wrong where a run cannot go on, or goes slowly.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gyrostat/dynamics/flexible_range.h"
#include "gyrostat/dynamics/joint_motion.h"
#include "gyrostat/dynamics/singularity.h"
#include "gyrostat/simulate/simulation.h"

namespace gyrostat {

/// Gimbal lock at the end of a step, or passed within it: there the axes' volume changes its sign.
std::optional<std::string> Simulation::find_gimbal_lock_passed() {
  const double* q = run_.data().q.data();
  if (auto lock = find_gimbal_lock(plant_.mechanism(), q, run_.data().forces)) return lock;
  std::size_t k = 0;
  for (std::size_t i = 1; i < model_.system.joints.size(); ++i) {
    const Joint& joint = model_.system.joints[i];
    if (joint.rotations != 3 || !run_.discrete().free[joint.u]) continue;
    const JointPosition<double> x = joint_position(plant_.mechanism().joints[i], q + joint.q);
    const double volume = dot(x.rotation[0], cross(x.rotation[1], x.rotation[2]));
    if (k == volumes_.size()) volumes_.push_back(volume);
    if (volume * volumes_[k] < 0) {
      return fmt::format(
          "joint '{}' has passed through gimbal lock, to angle2 = {:.6g} deg; there its rates do not determine the "
          "motion: "
          "use a spherical joint, or axes in another order",
          joint.name, q[joint.q + plant_.mechanism().joints[i].rotation_coordinate + 1u] * 180 / std::numbers::pi);
    }
    volumes_[k++] = volume;
  }
  return std::nullopt;
}

/// Why no step can be made from the last state: what is wrong there, or a little further on, or what changes fastest.
std::string Simulation::explain(const std::string& reason) {
  const Eigen::VectorXd y = integrator_.state();
  Eigen::VectorXd rates(y.size());
  run_.derivative(t_, y.data(), rates.data());
  if (const auto failure = run_.find_failure()) return *failure;
  const Eigen::VectorXd udot = run_.udot();
  for (double h = 1e-12; h < 0.1; h *= 10) {
    const Eigen::VectorXd ahead = y + h * rates;
    run_.evaluate(t_ + h, ahead.data(), Stage::acceleration);
    if (const auto failure = run_.find_failure()) return *failure;
  }
  const auto bodies = static_cast<std::uint32_t>(model_.system.bodies.size());
  if (const auto bent = find_indefinite(plant_.mechanism(), run_.data().kinematics, run_.data().q.data(), 1, bodies)) {
    return *bent;
  }
  if (udot.size() == 0) return reason;
  Eigen::Index k = 0;
  udot.cwiseAbs().maxCoeff(&k);
  for (const Joint& joint : model_.system.joints) {
    const bool fastest = k >= joint.u && k < joint.u + joint.nu;
    if (joint.rotations != 3 || !fastest) continue;
    const double angle = y[static_cast<Eigen::Index>(plant_.layout().place_of(joint.q + joint.translations + 1u))];
    return fmt::format(
        "{}; joint '{}' runs away, as a gimbal does at lock, where its three axes lie in a plane (angle2 "
        "= {:.6g} deg): use a spherical joint, or axes in another order",
        reason, joint.name, angle * 180 / std::numbers::pi);
  }
  const StateEntry entry = speed_entries(model_.system)[static_cast<std::size_t>(k)];
  return fmt::format(
      "{}; {} changes fastest, by {:.3g} {}/s: a spring that is too stiff, a singular configuration, or a "
      "load without bounds; cvode_bdf bears stiff springs",
      reason, entry.name, std::abs(udot[k]), entry.unit);
}

/// An explicit method whose steps are as long as its stability allows, not its tolerance: they are of the order of the
/// shortest time constant of the model.
std::string Simulation::stiffness_hint() {
  const std::uint64_t steps = integrator_.statistics().steps;
  const auto n = static_cast<Eigen::Index>(plant_.size());
  constexpr std::uint64_t many_steps = 5000;
  constexpr Eigen::Index most_states = 500;
  const std::string& method = settings_.integrator.method;
  if (method == "cvode_bdf" || method == "rk4" || steps < many_steps || n > most_states) return {};
  Eigen::MatrixXd jacobian(n, n);
  run_.jacobian(t_, y_.data(), jacobian.data());
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, 1, 2).normalized();
  double largest = 0;  // eigenvalue, by power iteration [1/s]
  for (int k = 0; k < 50; ++k) {
    const Eigen::VectorXd next = jacobian * x;
    largest = next.norm();
    if (!(largest > 0 && std::isfinite(largest))) return {};
    x = next / largest;
  }
  const bool decays = x.dot(jacobian * x) < -0.5 * largest;
  const double mean_step = t_ / static_cast<double>(steps);
  const double stable =
      method == "cvode_adams" ? 0.3 : 1;  // longest step over the time constant, in order of magnitude
  if (!decays || mean_step * largest < stable) return {};
  return fmt::format(
      "the model is stiff: something in it decays within {:.1e} s, and {} took {} steps of about that length; "
      "cvode_bdf may need far fewer",
      1 / largest, method, steps);
}

}  // namespace gyrostat
