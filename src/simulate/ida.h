// SUNDIALS' IDA: BDF of order up to 5 on the equations of motion in descriptor form, where constraints are equations of
// their own (index 2, stabilised as Gear, Gupta and Leimkuhler do), with Newton's iteration and the exact Jacobian.
#pragma once

#include <memory>

#include "gyrostat/simulate/ode.h"

namespace gyrostat {

class Ida {
 public:
  /// Without ode.descriptor there are no constraints.
  Ida(const Ode& ode, const Tolerance& tolerance);
  Ida(Ida&&) noexcept;
  Ida& operator=(Ida&&) noexcept;
  ~Ida();

  /// Goes on from here, after a jump, with other rows, or at the start: at first order, without a history.
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

  Ode ode_;
  Tolerance tolerance_;
  std::unique_ptr<Memory> memory_;  // of the last restart
  Eigen::VectorXd y_;
  double t_ = 0;
  IntegratorStatistics statistics_, before_;  // before: counted before the last restart
};

}  // namespace gyrostat
