// Signals compiled: everything that is continuous (expressions, integrals, transfer functions, ...) becomes one program
// over slots; what is held between events (amplifiers, samples, delays, noise, plugins) is an input of it.
#pragma once

#include "gyrostat/expression/program.h"
#include "gyrostat/forces/observe.h"
#include "gyrostat/model/load.h"

namespace gyrostat {

/// A block whose output is not computed by the program.
struct HeldBlock {
  std::uint32_t signal = 0;  // in the description
  Slot output = 0;           // the first of its outputs
  std::uint32_t outputs = 1;
  std::vector<Slot> inputs;
};

/// The program's inputs are: time; what it observes; the states of blocks, those of thermal springs last; the outputs
/// of held blocks. Never changed after it is built.
struct SignalProgram {
  expression::Program program;
  std::vector<std::string> owners;                        // by switch: what it belongs to, "signals.jet1"
  std::vector<Observable> observed;                       // inputs 0, 1, ...; the first is time
  Slot states = 0;                                        // the first state
  std::vector<double> initial;                            // of each state
  std::vector<Slot> rates;                                // of each state
  std::vector<std::pair<std::uint32_t, Slot>> starts_at;  // states that start with the value of a slot instead
  std::size_t thermal = 0;                                // the first state of a thermal spring
  std::vector<HeldBlock> held;                            // each after those it needs
  std::vector<std::vector<Slot>> outputs;                 // by signal
  std::optional<Actions> actions;

  [[nodiscard]] std::size_t state_count() const { return initial.size(); }
};

SignalProgram compile_signals(const Model& model, const Names& names);

}  // namespace gyrostat
