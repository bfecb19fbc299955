// The classical Runge-Kutta method of fourth order with a fixed step.
#pragma once

#include "gyrostat/simulate/ode.h"

namespace gyrostat {

class Rk4 {
 public:
  Rk4(const Ode& ode, double step);

  /// Goes on from here, after a jump or at the start.
  void restart(double t, const Eigen::VectorXd& y);

  /// One step, shortened where it would pass `stop`; it ends there exactly.
  Step step(double stop);

  /// The state after the last step; what is changed there is where the next one begins.
  [[nodiscard]] Eigen::VectorXd& state() { return y_; }

  /// Within the last step, by the cubic that has its ends and slopes.
  void interpolate(double t, Eigen::VectorXd& y) const;

  [[nodiscard]] double suggested_step() const { return h_; }
  void suggest_step(double) {}
  [[nodiscard]] const IntegratorStatistics& statistics() const { return statistics_; }
  void set_statistics(const IntegratorStatistics& statistics) { statistics_ = statistics; }

 private:
  Ode ode_;
  double h_;
  double t_ = 0;
  double from_ = 0;
  bool has_rates_ = false;  // f1_ belongs to y_ at t_
  Eigen::VectorXd y_, y0_, f0_, f1_, k2_, k3_, k4_, stage_;
  IntegratorStatistics statistics_;
};

}  // namespace gyrostat
