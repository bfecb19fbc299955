// Many states of one model evaluated at once, for optimisation and learning.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gyrostat/analysis/linear_model.h"
#include "gyrostat/plant/batch.h"
#include "gyrostat/plant/run.h"

namespace gyrostat {

/// One for each thread. All arrays have one row per state, its numbers one after the other.
class StateBatch {
 public:
  /// Keeps pointing at the model. Inputs as find_input names them; a signal is replaced by its input. Throws
  /// AnalysisError.
  StateBatch(const Model& model, const std::vector<std::string>& inputs);

  [[nodiscard]] const Plant& plant() const { return *plant_; }
  [[nodiscard]] const std::vector<LinearVariable>& inputs() const { return inputs_; }
  /// How many states are evaluated at once: the lanes of this processor, or one.
  [[nodiscard]] std::size_t lanes() const { return packed_ ? PlantBatch::lanes() : 1; }
  /// Why states are evaluated one by one, or empty: what the model remembers, and where its switches are, depends on
  /// the state.
  [[nodiscard]] const std::string& not_packed() const { return not_packed_; }

  /// y' at (t, y), with every switch where its condition says and what blocks hold as at the start from that state.
  void derivative(std::size_t count, const double* t, const double* y, const double* inputs, double* ydot);

  /// u' at (q, u) and t = 0: what is prescribed as given, and relative to the orbit where the model's state is so.
  void accelerations(std::size_t count, const double* q, const double* u, const double* inputs, double* udot);

  /// The number of a state whose last rates are not all finite, or `count`.
  [[nodiscard]] static std::size_t find_non_finite(std::size_t count, std::size_t size, const double* rates);

 private:
  [[nodiscard]] std::string find_memory() const;
  void set_inputs(const double* inputs);
  template <class Gather, class Scatter>
  void for_packs(std::size_t count, const double* inputs, const Gather& gather, const Scatter& scatter);

  std::vector<LinearVariable> inputs_;
  std::unique_ptr<Plant> plant_;
  std::string not_packed_;
  std::unique_ptr<PlantRun> run_;
  Eigen::VectorXd start_;  // y of the model's initial state
  DiscreteState discrete_;
  std::unique_ptr<PlantBatch> packed_;
  std::vector<double> t_, y_, ydot_, input_;  // by lane
};

}  // namespace gyrostat
