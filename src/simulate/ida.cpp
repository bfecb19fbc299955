#include "gyrostat/simulate/ida.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "gyrostat/simulate/sundials.h"

namespace gyrostat {

namespace {

/// Of lambda and mu in norms: they do not judge a step, nor when Newton's iteration has converged. They are a
/// derivative higher than speeds, and rounding errors of those over the length of a step.
constexpr double no_weight = 1e-30;

double* values(N_Vector v) { return N_VGetArrayPointer_Serial(v); }

}  // namespace

/// The unknowns are y, then lambda, then mu.
struct Ida::Memory {
  Ode ode;
  Tolerance tolerance;
  std::size_t rows, all;
  SUNContext context = nullptr;
  void* ida = nullptr;
  N_Vector unknowns = nullptr, rates = nullptr, between = nullptr;  // between: inside the last step
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver newton = nullptr;
  double first_change = 0;  // of Newton's iteration

  Memory(const Ode& o, const Tolerance& limits, double t, const Eigen::VectorXd& y)
      : ode(o),
        tolerance(limits),
        rows(o.descriptor != nullptr ? o.descriptor->rows(o.context) : 0),
        all(o.size + 2 * rows) {
    SUNContext_Create(nullptr, &context);
    const auto n = static_cast<sunindextype>(all);
    unknowns = N_VNew_Serial(n, context);
    rates = N_VNew_Serial(n, context);
    between = N_VNew_Serial(n, context);
    N_VConst(0, rates);
    std::copy_n(y.data(), ode.size, values(unknowns));
    std::fill_n(values(unknowns) + ode.size, 2 * rows, 0.0);
    if (rows > 0) ode.descriptor->multipliers(ode.context, t, y.data(), values(unknowns) + ode.size);
    std::vector<double> residuals(2 * rows);
    evaluate(t, values(unknowns), values(rates), residuals.data());
    N_Vector differential = N_VClone(unknowns);
    for (std::size_t k = 0; k < all; ++k) values(differential)[k] = k < ode.size ? 1 : 0;
    matrix = SUNDenseMatrix(n, n, context);
    linear = SUNLinSol_Dense(unknowns, matrix, context);
    newton = SUNNonlinSol_Newton(unknowns, context);
    ida = IDACreate(context);
    IDASetErrHandlerFn(
        ida, [](int, const char*, const char*, char*, void*) {}, nullptr);
    IDAInit(ida, residual, t, unknowns, rates);
    IDASetUserData(ida, this);
    IDAWFtolerances(ida, weigh);
    IDASetId(ida, differential);
    IDASetSuppressAlg(ida, SUNTRUE);  // errors of multipliers do not judge a step
    IDASetMaxNumSteps(ida, -1);
    if (tolerance.longest_step > 0) IDASetMaxStep(ida, tolerance.longest_step);
    IDASetLinearSolver(ida, linear, matrix);
    // A step of another length would scale the solution as that of a differential equation, which constraints are not.
    IDASetLinearSolutionScaling(ida, SUNFALSE);
    IDASetDeltaCjLSetup(ida, 0);
    IDASetNonlinearSolver(ida, newton);
    SUNNonlinSolSetConvTestFn(newton, has_converged, this);
    if (ode.descriptor != nullptr || ode.jacobian != nullptr) IDASetJacFn(ida, jacobian);
    N_VDestroy(differential);
  }
  ~Memory() {
    IDAFree(&ida);
    SUNNonlinSolFree(newton);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(unknowns);
    N_VDestroy(rates);
    N_VDestroy(between);
    SUNContext_Free(&context);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void evaluate(double t, const double* x, double* y_rates, double* residuals) const {
    if (ode.descriptor != nullptr) {
      ode.descriptor->rates(ode.context, t, x, x + ode.size, y_rates, residuals);
    } else {
      ode(t, x, y_rates);
    }
  }

  static int residual(double t, N_Vector unknowns, N_Vector rates, N_Vector out, void* context) {
    const Memory& m = *static_cast<const Memory*>(context);
    const double* x = values(unknowns);
    double* r = values(out);
    m.evaluate(t, x, r, r + m.ode.size);
    for (std::size_t k = 0; k < m.ode.size; ++k) r[k] -= values(rates)[k];
    return std::all_of(r, r + m.all, [](double value) { return std::isfinite(value); }) ? 0 : 1;  // 1: a shorter step
  }

  static int jacobian(double t, double per_rate, N_Vector unknowns, N_Vector, N_Vector, SUNMatrix matrix, void* context,
                      N_Vector, N_Vector, N_Vector) {
    const Memory& m = *static_cast<const Memory*>(context);
    const double* x = values(unknowns);
    double* by_columns = SUNDenseMatrix_Data(matrix);
    if (m.ode.descriptor != nullptr) {
      m.ode.descriptor->jacobian(m.ode.context, t, x, x + m.ode.size, by_columns);
    } else {
      m.ode.jacobian(m.ode.context, t, x, by_columns);
    }
    for (std::size_t k = 0; k < m.ode.size; ++k) by_columns[k * m.all + k] -= per_rate;
    return 0;
  }

  /// IDA's own test takes how fast the iteration converged in earlier steps for how fast it will, which constraints
  /// punish with many rejected steps; and of a first change of the unknowns it asks that it is 1e-4 of what is allowed,
  /// or else that the next one is smaller: where the prediction is good both may be rounding.
  static int has_converged(SUNNonlinearSolver solver, N_Vector, N_Vector change, double allowed, N_Vector weights,
                           void* context) {
    constexpr double negligible = 1e-2, slowest = 0.9;
    Memory& m = *static_cast<Memory*>(context);
    const double size = N_VWrmsNorm(change, weights);
    int iteration = 0;
    SUNNonlinSolGetCurIter(solver, &iteration);
    if (size <= negligible * allowed) return SUN_NLS_SUCCESS;
    if (iteration == 0) {
      m.first_change = size;
      return SUN_NLS_CONTINUE;
    }
    const double rate = std::pow(size / m.first_change, 1.0 / iteration);
    if (!(rate <= slowest)) return SUN_NLS_CONV_RECVR;
    return size * rate / (1 - rate) <= allowed ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }

  static std::string reason(int flag) {
    switch (flag) {
      case IDA_TOO_MUCH_ACC: return "the tolerance is finer than the arithmetic";
      case IDA_ERR_FAIL: return "no step is short enough to be accurate";
      case IDA_CONV_FAIL:
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL: return "the iteration for the next step does not converge";
      case IDA_RES_FAIL:
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL: return "the rates are not finite";
      default: return std::string("IDA: ") + IDAGetReturnFlagName(flag);
    }
  }

  /// y as any integrator's.
  static int weigh(N_Vector unknowns, N_Vector weights, void* context) {
    const Memory& m = *static_cast<const Memory*>(context);
    const double* x = values(unknowns);
    double* w = values(weights);
    for (std::size_t k = 0; k < m.ode.size; ++k) {
      w[k] = 1 / (m.tolerance.relative * std::abs(x[k]) + m.tolerance.absolute);
    }
    std::fill(w + m.ode.size, w + m.all, no_weight);
    return 0;
  }
};

Ida::Ida(const Ode& ode, const Tolerance& tolerance)
    : ode_(ode), tolerance_(tolerance), y_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(ode.size))) {}
Ida::Ida(Ida&&) noexcept = default;
Ida& Ida::operator=(Ida&&) noexcept = default;
Ida::~Ida() = default;

void Ida::restart(double t, const Eigen::VectorXd& y) {
  before_ = statistics_;
  y_ = y;
  t_ = t;
  memory_ = std::make_unique<Memory>(ode_, tolerance_, t, y);  // there may be other rows
  ++before_.restarts;
  statistics_ = before_;
}

void Ida::set_statistics(const IntegratorStatistics& statistics) { statistics_ = before_ = statistics; }

void Ida::count() {
  SundialsCounts counts;
  void* ida = memory_->ida;
  IDAGetNumSteps(ida, &counts.steps);
  IDAGetNumResEvals(ida, &counts.evaluations);
  IDAGetNumErrTestFails(ida, &counts.failures);
  IDAGetNumNonlinSolvConvFails(ida, &counts.more_failures);
  IDAGetNumJacEvals(ida, &counts.jacobians);
  statistics_ = counts.after(before_);
}

Step Ida::step(double stop) {
  const double from = t_;
  IDASetStopTime(memory_->ida, stop);
  double t = from;
  const auto solve = [&](double& end) {
    return IDASolve(memory_->ida, stop, &end, memory_->unknowns, memory_->rates, IDA_ONE_STEP);
  };
  const std::string failure = step_from(from, t, solve, Memory::reason);
  count();
  if (!failure.empty()) return {from, from, failure};
  t_ = t;
  std::copy_n(values(memory_->unknowns), y_.size(), y_.data());
  return {from, t, {}};
}

void Ida::interpolate(double t, Eigen::VectorXd& y) const {
  if (t == t_) {
    y = y_;
    return;
  }
  y.resize(y_.size());
  IDAGetDky(memory_->ida, t, 0, memory_->between);
  std::copy_n(values(memory_->between), y.size(), y.data());
}

}  // namespace gyrostat
