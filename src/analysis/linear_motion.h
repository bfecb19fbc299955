// The motion that a linear model predicts beside a simulation: x' = A x + B v + f(t), where f is what drives the
// operating point itself. Numbers in comments are the equations of docs/theory/linear_model.md.
#pragma once

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/state_space.h"
#include "gyrostat/analysis/tangent.h"

namespace gyrostat {

struct LinearMotionSettings {
  OperatingPoint about;     // at t = 0
  LinearizeSettings model;  // what stands for switches; inputs and outputs are not used
  int pade_order = 3;
};

class LinearMotion {
 public:
  /// Keeps pointing at the model. Throws AnalysisError where there is no linear model, or a constraint is a function of
  /// time.
  LinearMotion(const Model& model, LinearMotionSettings settings);
  ~LinearMotion();
  LinearMotion(const LinearMotion&) = delete;
  LinearMotion& operator=(const LinearMotion&) = delete;

  /// From the state of a simulation at t = 0, and what it remembers there.
  void start(const Eigen::VectorXd& y, const DiscreteState& simulated);

  /// To a later instant.
  void advance(double t);

  /// Noise of the simulation at the instant reached, from which on it acts here too.
  void follow(const DiscreteState& simulated);

  /// Of the quantities that runs of the model record: those that are no forces and no balances.
  [[nodiscard]] const std::vector<OutputColumn>& columns() const { return columns_; }

  /// Their values at the instant reached: of the state that is perturbed so.
  void fill(std::span<double> row);

  [[nodiscard]] const LinearModel& model() const { return linear_; }
  /// Where it is, by state of the model and of what stands for delays.
  [[nodiscard]] const Eigen::VectorXd& perturbation() const { return x_; }

 private:
  void find_rates(double t, const double* x, double* rates);
  /// Where the operating point has gone to, its signals, and what they add to the inputs of channels.
  void evaluate_reference(double t);

  LinearMotionSettings settings_;
  Plant plant_;
  PlantRun run_;
  Tangent at_start_, tangent_;  // of the operating point, and where it has gone to
  LinearModel linear_;
  StateSpace space_;
  Eigen::MatrixXd basis_, speeds_by_coordinates_;  // in the axes of the tangent
  std::vector<Eigen::Index> independent_;          // by coordinate of the model: its place in the tangent
  std::vector<std::uint32_t> noise_;               // by input: the held output that it is
  struct HeldOutput {
    std::uint32_t block = 0, held = 0;  // number of the block; of its output
    double value = 0, input = 0;        // of its output and its input at the operating point
  };
  std::vector<HeldOutput> channels_;  // by output of the model
  Ledger ledger_;
  Outputs outputs_;
  std::vector<OutputColumn> columns_;
  std::vector<std::size_t> recorded_;  // by column: its place in a row of outputs
  std::vector<double> row_;

  double t_ = 0;
  Eigen::VectorXd x_, reference_, reference_rates_;
  Eigen::VectorXd v_;  // noise, then what is added to the inputs of channels
  DiscreteState discrete_;
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace gyrostat
