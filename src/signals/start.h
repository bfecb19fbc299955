// Signals and loads at the start of a simulation: every block has its initial output.
#pragma once

#include "gyrostat/expression/program.h"
#include "gyrostat/loads/observe.h"
#include "gyrostat/model/load.h"
#include "gyrostat/model/prescribed.h"

namespace gyrostat {

/// At t = 0, whatever the state: an integral, a transfer function, a state-space block and a pid have their initial
/// state; a switching amplifier is on where its input exceeds the deadband; samples and delays hold their input's
/// value; noise and plugins have not spoken yet and are zero.
class Start {
 public:
  /// Keeps pointing at the model.
  explicit Start(const Model& model);

  /// What the model has that is not computed yet, or empty.
  static std::string obstacle(const Model& model);

  /// All forces at a state, t = 0.
  void forces(const Instant& instant, Forces<double>& forces);

  [[nodiscard]] const Actions& actions() const { return *actions_; }

 private:
  struct BlockAt {
    std::uint32_t signal = 0;
    Slot output = 0;  // of the first output
    std::vector<Slot> inputs;
  };
  Slot slot_of(std::string_view name);
  Slot add(const Expression& expression);
  void add_signals();
  void evaluate(const Instant& instant);

  const Model& model_;
  Names names_;
  Numbers numbers_;
  std::optional<expression::ProgramBuilder> builder_;
  std::vector<Observable> observed_;
  std::unordered_map<std::string, Slot> inputs_;  // names that are read from outside the program
  std::vector<Slot> signal_slots_;                // of a signal's (first) output
  std::vector<BlockAt> blocks_;                   // those they need first
  expression::Program program_;
  std::vector<double> values_;
  std::optional<Actions> actions_;
  PrescribedMotion prescribed_;
};

}  // namespace gyrostat
