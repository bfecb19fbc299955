// SUNDIALS' CVODE: Adams methods of order up to 12 with fixed-point iteration, or BDF up to 5 with Newton's iteration
// and the exact Jacobian.
#pragma once

#include <memory>

#include "gyrostat/simulate/ode.h"

namespace gyrostat {

enum class Multistep { adams, bdf };

class Cvode {
 public:
  Cvode(const Ode& ode, const Tolerance& tolerance, Multistep method);
  Cvode(Cvode&&) noexcept;
  Cvode& operator=(Cvode&&) noexcept;
  ~Cvode();

  /// Goes on from here, after a jump or at the start: at first order, without a history.
  void restart(double t, const Eigen::VectorXd& y);

  /// One accepted step that does not pass `stop`.
  Step step(double stop);

  /// The state after the last step. Changing it has no effect.
  [[nodiscard]] Eigen::VectorXd& state() { return y_; }

  void interpolate(double t, Eigen::VectorXd& y) const;

  [[nodiscard]] double suggested_step() const { return 0; }
  void suggest_step(double) {}
  [[nodiscard]] const IntegratorStatistics& statistics() const { return statistics_; }
  void set_statistics(const IntegratorStatistics& statistics);

 private:
  struct Memory;
  void count();

  std::unique_ptr<Memory> memory_;
  Eigen::VectorXd y_;
  double t_ = 0;
  IntegratorStatistics statistics_;
};

}  // namespace gyrostat
