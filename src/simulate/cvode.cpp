#include "gyrostat/simulate/cvode.h"

#include <algorithm>
#include <cmath>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "gyrostat/simulate/sundials.h"

namespace gyrostat {

namespace {

int rates(double t, N_Vector y, N_Vector ydot, void* context) {
  const Ode& ode = *static_cast<const Ode*>(context);
  double* out = N_VGetArrayPointer_Serial(ydot);
  ode(t, N_VGetArrayPointer_Serial(y), out);
  const bool finite = std::all_of(out, out + ode.size, [](double x) { return std::isfinite(x); });
  return finite ? 0 : 1;  // 1: try a shorter step
}

int jacobian(double t, N_Vector y, N_Vector, SUNMatrix matrix, void* context, N_Vector, N_Vector, N_Vector) {
  const Ode& ode = *static_cast<const Ode*>(context);
  ode.jacobian(ode.context, t, N_VGetArrayPointer_Serial(y), SUNDenseMatrix_Data(matrix));
  return 0;
}

/// CVODE's own hook, which it has for BDF.
int project(double t, N_Vector y, N_Vector correction, double /*tolerance*/, N_Vector /*error*/, void* context) {
  const Ode& ode = *static_cast<const Ode*>(context);
  const double* from = N_VGetArrayPointer_Serial(y);
  double* to = N_VGetArrayPointer_Serial(correction);
  std::copy_n(from, ode.size, to);
  ode.project(ode.context, t, to);
  for (std::size_t k = 0; k < ode.size; ++k) to[k] -= from[k];
  return 0;
}

void silent(int, const char*, const char*, char*, void*) {}

std::string reason(int flag) {
  switch (flag) {
    case CV_TOO_MUCH_ACC: return "the tolerance is finer than the arithmetic";
    case CV_ERR_FAILURE: return "no step is short enough to be accurate";
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return "the iteration for the next step does not converge";
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return "the rates are not finite";
    default: return std::string("CVODE: ") + CVodeGetReturnFlagName(flag);
  }
}

}  // namespace

struct Cvode::Memory {
  Ode ode;
  SUNContext context = nullptr;
  void* cvode = nullptr;
  N_Vector y = nullptr, lent = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver nonlinear = nullptr;
  bool started = false;
  IntegratorStatistics before;  // counted before the last restart

  Memory(const Ode& o, const Tolerance& tolerance, Multistep method) : ode(o) {
    SUNContext_Create(nullptr, &context);
    const auto n = static_cast<sunindextype>(ode.size);
    y = N_VNew_Serial(n, context);
    N_VConst(0, y);
    lent = N_VNewEmpty_Serial(n, context);
    cvode = CVodeCreate(method == Multistep::adams ? CV_ADAMS : CV_BDF, context);
    CVodeSetErrHandlerFn(cvode, silent, nullptr);
    CVodeInit(cvode, rates, 0, y);
    CVodeSStolerances(cvode, tolerance.relative, tolerance.absolute);
    CVodeSetUserData(cvode, &ode);
    CVodeSetMaxNumSteps(cvode, -1);
    if (tolerance.longest_step > 0) CVodeSetMaxStep(cvode, tolerance.longest_step);
    if (method == Multistep::adams) {
      nonlinear = SUNNonlinSol_FixedPoint(y, 0, context);
      CVodeSetNonlinearSolver(cvode, nonlinear);
    } else {
      matrix = SUNDenseMatrix(n, n, context);
      linear = SUNLinSol_Dense(y, matrix, context);
      CVodeSetLinearSolver(cvode, linear, matrix);
      if (ode.jacobian != nullptr) CVodeSetJacFn(cvode, jacobian);
      if (ode.project != nullptr) {
        CVodeSetProjFn(cvode, project);
        CVodeSetProjErrEst(cvode, SUNFALSE);
      }
    }
  }
  ~Memory() {
    CVodeFree(&cvode);
    if (nonlinear != nullptr) SUNNonlinSolFree(nonlinear);
    if (linear != nullptr) SUNLinSolFree(linear);
    if (matrix != nullptr) SUNMatDestroy(matrix);
    N_VDestroy(y);
    N_VDestroy(lent);
    SUNContext_Free(&context);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
};

Cvode::Cvode(const Ode& ode, const Tolerance& tolerance, Multistep method)
    : memory_(std::make_unique<Memory>(ode, tolerance, method)),
      y_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(ode.size))) {}
Cvode::Cvode(Cvode&&) noexcept = default;
Cvode& Cvode::operator=(Cvode&&) noexcept = default;
Cvode::~Cvode() = default;

void Cvode::restart(double t, const Eigen::VectorXd& y) {
  memory_->before = statistics_;
  y_ = y;
  t_ = t;
  std::copy_n(y.data(), y.size(), N_VGetArrayPointer_Serial(memory_->y));
  CVodeReInit(memory_->cvode, t, memory_->y);
  ++memory_->before.restarts;
  statistics_ = memory_->before;
}

void Cvode::set_statistics(const IntegratorStatistics& statistics) { statistics_ = memory_->before = statistics; }

void Cvode::count() {
  SundialsCounts counts;
  void* cvode = memory_->cvode;
  CVodeGetNumSteps(cvode, &counts.steps);
  CVodeGetNumRhsEvals(cvode, &counts.evaluations);
  CVodeGetNumErrTestFails(cvode, &counts.failures);
  CVodeGetNumNonlinSolvConvFails(cvode, &counts.more_failures);
  if (memory_->linear != nullptr) CVodeGetNumJacEvals(cvode, &counts.jacobians);
  statistics_ = counts.after(memory_->before);
}

Step Cvode::step(double stop) {
  const double from = t_;
  CVodeSetStopTime(memory_->cvode, stop);
  double t = from;
  const auto solve = [&](double& end) { return CVode(memory_->cvode, stop, memory_->y, &end, CV_ONE_STEP); };
  const std::string failure = step_from(from, t, solve, reason);
  count();
  if (!failure.empty()) return {from, from, failure};
  t_ = t;
  std::copy_n(N_VGetArrayPointer_Serial(memory_->y), y_.size(), y_.data());
  return {from, t, {}};
}

void Cvode::interpolate(double t, Eigen::VectorXd& y) const {
  if (t == t_) {
    y = y_;
    return;
  }
  y.resize(y_.size());  // CVODE writes into a vector of its own kind; this one lends it the memory
  N_VSetArrayPointer_Serial(y.data(), memory_->lent);
  CVodeGetDky(memory_->cvode, t, 0, memory_->lent);
}

}  // namespace gyrostat
