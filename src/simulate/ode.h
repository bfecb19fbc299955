// What an integrator sees: y' = f(t, y), and how well it is to be solved.
#pragma once

#include <cstdint>
#include <string>

#include <Eigen/Core>

namespace gyrostat {

/// The same with its constraints as equations of their own, whose multipliers lambda are unknowns, and after them as
/// many mu that correct the rates: y' = rates(t, y, lambda), and residuals, two for each row, are zero.
struct Descriptor {
  std::size_t (*rows)(void* context) = nullptr;  // may change between restarts
  void (*multipliers)(void* context, double t, const double* y, double* lambda) = nullptr;
  void (*rates)(void* context, double t, const double* y, const double* lambda, double* rates,
                double* residuals) = nullptr;
  void (*jacobian)(void* context, double t, const double* y, const double* lambda, double* by_columns) = nullptr;
};

/// A function pointer, so that the right-hand side costs no more than a call.
struct Ode {
  void* context = nullptr;
  void (*rates)(void* context, double t, const double* y, double* ydot) = nullptr;
  void (*jacobian)(void* context, double t, const double* y, double* by_columns) = nullptr;  // or none
  std::size_t size = 0;
  void (*project)(void* context, double t, double* y) = nullptr;  // back onto what y must satisfy; none: nothing
  const Descriptor* descriptor = nullptr;                         // or none
  void* rates_context = nullptr;                                  // of `rates`, where it has one of its own

  void operator()(double t, const double* y, double* ydot) const {
    rates(rates_context != nullptr ? rates_context : context, t, y, ydot);
  }
};

/// The error of a step, each component over relative * |y| + absolute, has a root mean square below one.
struct Tolerance {
  double relative = 1e-9;
  double absolute = 1e-12;
  double longest_step = 0;  // [s]; 0: any
};

struct IntegratorStatistics {
  std::uint64_t steps = 0, rejected = 0, evaluations = 0, jacobians = 0, restarts = 0;
};

/// One accepted step.
struct Step {
  double from = 0, to = 0;
  std::string failure;  // why no step could be made, or empty
};

}  // namespace gyrostat
