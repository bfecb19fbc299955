// The right-hand side: spacecraft, loads, environment and control as one system of differential equations y' = f(t, y),
// smooth as long as nothing is told to change.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gyrostat/dynamics/formulation.h"
#include "gyrostat/dynamics/reactions.h"
#include "gyrostat/model/prescribed.h"
#include "gyrostat/plant/layout.h"
#include "gyrostat/signals/signals.h"

namespace gyrostat {

class Plant {
 public:
  /// Keeps pointing at the model. Precondition: nothing keeps the formulation from taking it.
  Plant(const Model& model, std::string_view formulation, std::vector<PluginFunction> plugins = {});
  Plant(const Plant&) = delete;
  Plant& operator=(const Plant&) = delete;

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] std::size_t size() const { return layout_.size; }

  /// y at t = 0, and everything in its place there.
  void start(Eigen::VectorXd& y);

  /// y' while every switch is held.
  void derivative(double t, const double* y, double* ydot);

  /// The exact derivatives of y' by y, column by column into a matrix of size rows.
  void jacobian(double t, const double* y, double* by_columns);

  /// Motion and signals at an instant, without accelerations.
  void look(double t, const double* y);

  /// After `look`, or at another instant: forces and accelerations too.
  void look_closely(double t, const double* y);

  // --- events
  // ---------------------------------------------------------------------------------------------------------

  [[nodiscard]] double next_time(double t) const;
  [[nodiscard]] double longest_step() const { return signals_.longest_step(); }
  [[nodiscard]] bool watches() const { return signals_.watches() || board_.watches(); }

  /// After `look`: has anything crossed its threshold?
  [[nodiscard]] bool any_misplaced();

  /// How far everything is from its threshold, negative beyond; always in the same order.
  void find_margins(std::vector<double>& margins);

  /// An event at t: changes what is due or has crossed its threshold, and y where a prescribed rate jumps: then all
  /// speeds do, as the impulses that make it jump demand. What is wrong, or nothing.
  std::optional<std::string> settle(double t, double* y, std::vector<Change>& changes);

  /// After a step without events, and `look` at its end.
  void follow();

  /// The last instant of the run.
  void set_end(double t) {
    board_.set_end(t);
    signals_.set_end(t);
  }

  // --- what the last look saw
  // -----------------------------------------------------------------------------------------

  [[nodiscard]] double time() const { return t_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] Instant<double> instant() const {
    Instant<double> now = instant_of(dynamics_.mechanism(), state_, dynamics_.kinematics(), base_points_, t_);
    now.segments = signals_.segments();
    return now;
  }
  /// What several ask for at that instant.
  Shared<double>& shared() { return shared_; }
  [[nodiscard]] const Forces<double>& forces() const { return forces_; }
  [[nodiscard]] const Eigen::VectorXd& udot() const { return udot_; }
  /// What joints transmit and drives add, for the accelerations of the last close look.
  const Reactions& reactions();

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] const Mechanism& mechanism() const { return dynamics_.mechanism(); }
  [[nodiscard]] const std::string& formulation() const { return formulation_; }
  [[nodiscard]] const DynamicsSettings& settings() const { return settings_; }
  Signals& signals() { return signals_; }
  [[nodiscard]] const Signals& signals() const { return signals_; }
  Switchboard& prescribed_board() { return board_; }

  /// Why the system cannot be moved on from the state last looked at closely, or nothing.
  [[nodiscard]] std::optional<std::string> find_trouble();

 private:
  void prescribe(double t);
  void jolt(const State& before, double* y);

  const Model& model_;
  std::string formulation_;
  Names names_;
  DynamicsSettings settings_;
  Dynamics dynamics_;
  Signals signals_;
  PrescribedMotion prescribed_;
  Switchboard board_;  // of prescribed motions
  Layout layout_;

  double t_ = 0;
  State state_;
  std::vector<BasePoint<double>> base_points_;
  Shared<double> shared_;
  Forces<double> forces_;
  Eigen::VectorXd udot_, qdot_;
  std::optional<Reactions> reactions_;

  struct JacobianWorkspace;
  struct Delete {
    void operator()(JacobianWorkspace* workspace) const;
  };
  std::unique_ptr<JacobianWorkspace, Delete> jacobian_;
};

}  // namespace gyrostat
