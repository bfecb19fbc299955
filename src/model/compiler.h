// The expressions of a model compiled into one program: names become slots. Slot 0 is time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "gyrostat/expression/program.h"
#include "gyrostat/model/names.h"

namespace gyrostat {

using expression::Slot;

class ExpressionCompiler {
 public:
  /// Keeps pointing at both. Precondition: the description is valid.
  ExpressionCompiler(const Description& description, const Names& names);
  ExpressionCompiler(const ExpressionCompiler&) = delete;
  ExpressionCompiler& operator=(const ExpressionCompiler&) = delete;

  /// Input slot of a quantity of the motion. Without it, only time, parameters and signals have slots.
  std::function<Slot(const Reference&)> observe;

  /// Slots of the outputs of each signal, by whoever compiles the signal.
  std::vector<std::vector<Slot>> outputs;

  /// A state of a block: its value is an input, its rate is computed.
  struct State {
    Slot slot = 0, rate = 0;
    double initial = 0;
    std::string owner = {};  // a signal, or "pan.rest"
  };
  std::vector<State> states;

  /// The slot of an expression's value. Its switches belong to the expression's path.
  Slot add(const Expression& expression);
  /// Switches added since the last call that have no owner belong to `path`: "signals.jet1".
  void own(const std::string& path) { owners_.resize(builder_.switch_count(), path); }
  [[nodiscard]] const std::string& path_of(const Expression& expression) const;

  /// The number of a new state.
  std::size_t add_state(double initial, std::string owner);

  // Arithmetic on slots, for what is not written as an expression. Numbers are parameters: their values do not change
  // the program.
  Slot number(double value) { return builder_.parameter(value); }
  Slot zero() { return builder_.constant(0); }
  Slot sum(Slot a, Slot b) { return builder_.emit(expression::Code::add, a, b); }
  Slot difference(Slot a, Slot b) { return builder_.emit(expression::Code::subtract, a, b); }
  Slot product(Slot a, Slot b) { return builder_.emit(expression::Code::multiply, a, b); }
  Slot negative(Slot a) { return builder_.emit(expression::Code::negate, a); }
  Slot scaled(double factor, Slot a) { return product(number(factor), a); }
  /// Adds factor * a to a sum that may still be empty; nothing for a factor of zero.
  void accumulate(std::optional<Slot>& total, double factor, Slot a);
  Slot look_up(std::uint32_t table, Slot x) { return builder_.look_up(table, x); }
  [[nodiscard]] std::uint32_t table(std::string_view name) const { return *names_.table(name); }

  expression::ProgramBuilder& builder() { return builder_; }
  [[nodiscard]] const Description& description() const { return description_; }
  [[nodiscard]] const Names& names() const { return names_; }

  /// The program, and by switch what it belongs to.
  expression::Program finish(std::vector<std::string>& owners);

 private:
  Slot slot_of(std::string_view name);

  const Description& description_;
  const Names& names_;
  expression::ProgramBuilder builder_{1, 0};
  std::vector<std::string> owners_;
  std::vector<std::optional<Slot>> parameters_;
  std::unordered_map<const Expression*, std::string> paths_;
};

/// Does a signal depend on time and parameters only? By signal.
std::vector<bool> signals_of_time(const Description& description, const Names& names);

/// The signals that the input of each signal names; with `at_once`, only where the output depends on it at the same
/// instant.
std::vector<std::vector<std::uint32_t>> signals_needed(const Description& description, const Names& names,
                                                       bool at_once);

}  // namespace gyrostat
