// The embedded Runge-Kutta pair 5(4) of Dormand and Prince with continuous output of order four, as in Hairer, Norsett
// and Wanner, Solving Ordinary Differential Equations I, II.4-6.
#pragma once

#include <array>

#include "gyrostat/simulate/ode.h"

namespace gyrostat {

class Dopri5 {
 public:
  Dopri5(const Ode& ode, const Tolerance& tolerance);

  /// Goes on from here, after a jump or at the start, with a step as long as the last one was if there was one.
  void restart(double t, const Eigen::VectorXd& y);

  /// One accepted step that does not pass `stop`; where it gets there, it ends there exactly.
  Step step(double stop);

  /// The state after the last step; what is changed there is where the next one begins.
  [[nodiscard]] Eigen::VectorXd& state() { return y_; }

  void interpolate(double t, Eigen::VectorXd& y) const;

  /// The step it would try next; 0: it has to find out.
  [[nodiscard]] double suggested_step() const { return h_; }
  /// Steps as long as the last one, whatever their error: through a singular configuration.
  void hold_step(bool hold) { held_ = hold; }
  void suggest_step(double h) { h_ = h; }
  [[nodiscard]] const IntegratorStatistics& statistics() const { return statistics_; }
  void set_statistics(const IntegratorStatistics& statistics) { statistics_ = statistics; }

 private:
  [[nodiscard]] double first_step(double longest);
  double attempt(double h, double to);
  void prepare_interpolation(double h);

  Ode ode_;
  Tolerance tolerance_;
  double t_ = 0, from_ = 0, h_ = 0;
  double last_error_ = 1e-4;
  bool has_rates_ = false;  // k_[0] belongs to y_ at t_
  bool held_ = false;
  Eigen::VectorXd y_, y0_, stage_, next_;
  std::array<Eigen::VectorXd, 7> k_;
  std::array<Eigen::VectorXd, 4> dense_;
  IntegratorStatistics statistics_;
};

}  // namespace gyrostat
