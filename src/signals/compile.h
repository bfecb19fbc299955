// The signals and force elements of a model compiled: one program over slots. Its inputs are time, quantities of the
// motion, the states of blocks, and the outputs of blocks that are held between events.
#pragma once

#include "gyrostat/constraints/constraints.h"
#include "gyrostat/forces/build.h"
#include "gyrostat/model/load.h"
#include "gyrostat/signals/blocks/blocks.h"
#include "gyrostat/signals/switches.h"

namespace gyrostat {

/// A block whose output is not computed by the program.
struct HeldBlock {
  std::string name;  // of the signal
  HeldKind kind;
  Slot output = 0;  // the first of its outputs
  std::uint32_t outputs = 1;
  std::uint32_t first = 0;  // of its outputs in DiscreteState::held
  std::vector<Slot> inputs;
};

/// A coordinate that is a given function of time, the speed of a wheel, or the value of a constraint.
struct PrescribedMotion {
  std::string path;  // "joints.pan.prescribed.position"
  Slot slot = 0;
  std::uint32_t q = 0, u = 0;
  bool speed = false;              // the speed is given
  std::uint32_t equal = no_equal;  // of a constraint: which of Forces::equals
};

/// What a slot depends on at the same instant.
struct Dependence {
  std::vector<std::uint32_t> switches;
  std::vector<std::uint32_t> held;    // blocks
  std::vector<std::uint32_t> states;  // of blocks
  bool motion = false;
};

/// Never changed after it is built, and shared by all runs.
struct SignalProgram {
  expression::Program program;
  std::vector<std::string> owners;  // by switch: what it belongs to, "signals.jet1"
  std::vector<bool> unlisted;       // by switch: it is in a condition of a state machine, whose transitions are listed
  Switches switches;
  std::vector<std::pair<Slot, Observable>> observed;
  std::vector<ExpressionCompiler::State> states;
  std::vector<StartsAt> starts_at;
  std::vector<HeldBlock> held;             // each after those it needs
  std::vector<std::uint32_t> watched;      // among the held blocks: those with event functions
  std::vector<std::uint32_t> delays;       // among the held blocks
  std::vector<std::uint32_t> unwraps;      // the same
  std::vector<Dependence> delayed;         // of the input of each of those
  std::vector<std::string> names;          // of signals
  std::vector<std::vector<Slot>> outputs;  // by signal
  ForceModel forces;

  // Of the analysis points.
  std::vector<Slot> inputs;    // zero unless PlantRun::set_input changes them
  std::vector<Slot> computed;  // by input: what the signal is before it; of other inputs, no_slot
  std::vector<Slot> measured;  // the outputs

  std::vector<PrescribedMotion> prescribed;
  std::vector<expression::Instruction> prescribed_instructions;  // those of the program that they depend on
  std::vector<std::uint32_t> prescribed_switches;                // the same

  std::size_t held_outputs = 0;
  double longest_step = never;  // the shortest delay [s]

  /// `plugins` by signal, in the order of the description; empty where there is none or it must not run.
  SignalProgram(const Model& model, const Names& names, const Mechanism& mechanism,
                std::vector<PluginFunction> plugins = {}, const AnalysisPoints& points = {});
  SignalProgram(const SignalProgram&) = delete;
  SignalProgram& operator=(const SignalProgram&) = delete;

  [[nodiscard]] const Delay& delay(std::uint32_t number) const { return std::get<Delay>(held[delays[number]].kind); }

  [[nodiscard]] const Unwrap& unwrap(std::uint32_t number) const {
    return std::get<Unwrap>(held[unwraps[number]].kind);
  }

  [[nodiscard]] Dependence dependence_of(Slot slot) const;

 private:
  [[nodiscard]] std::vector<bool> switches_that_matter() const;
};

}  // namespace gyrostat
