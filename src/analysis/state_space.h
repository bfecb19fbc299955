// The linear model without its channels: a delay becomes a Pade approximation, a sample and hold a delay by half its
// period, or the whole a model in discrete time.
#pragma once

#include "gyrostat/analysis/linear_model.h"

namespace gyrostat {

/// x' = A x + B v, y = C x + D v; or, with a period, x_{k+1} = A x_k + B v_k.
struct StateSpace {
  std::vector<LinearVariable> states, inputs, outputs;
  Eigen::MatrixXd A, B, C, D;
  double period = 0;  // [s]; 0: continuous time
};

/// Complex gains have their real parts. Throws AnalysisError where `order` is none of 1 to 8, or an algebraic loop has
/// no solution.
StateSpace state_space(const LinearModel& model, int pade_order = 3);

/// At the period of the samples, which must be the same for all, with inputs that are held too. Throws AnalysisError
/// where there is none.
StateSpace discrete_state_space(const LinearModel& model, int pade_order = 3);

/// exp(-s time) as a model of `order` states, balanced: x' = A x + B w, z = C x + D w.
struct PadeDelay {
  Eigen::MatrixXd A;
  Eigen::VectorXd B;
  Eigen::RowVectorXd C;
  double D = 0;
};
PadeDelay pade_delay(double time, int order);

}  // namespace gyrostat
