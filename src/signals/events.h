// Signals at events: what is due, what has crossed its threshold, and what then changes. `values` are those of the
// program's slots at the present instant.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gyrostat/signals/compile.h"

namespace gyrostat {

/// Recomputes all values at the present instant with the present discrete state.
using Reevaluate = std::function<void()>;

/// Nothing remembered, every speed free or given as `free` says.
DiscreteState initial_discrete_state(const SignalProgram& signals, std::vector<Truth> free);

/// t = 0: positions, held outputs, histories and the states x of blocks as they are to be just after.
void start_signals(const SignalProgram& signals, DiscreteState& discrete, const double* values,
                   const Reevaluate& reevaluate, std::span<double> x);

/// The first instant after t at which something is due.
[[nodiscard]] double next_time(const SignalProgram& signals, const DiscreteState& discrete, double t);

/// Can anything change at an instant that is not known beforehand?
[[nodiscard]] bool watches(const SignalProgram& signals);

/// Is any switch or amplifier not where its input says?
[[nodiscard]] bool any_crossed(const SignalProgram& signals, const DiscreteState& discrete, double t,
                               const double* values);

/// Event functions, negative beyond the threshold: appended, always in the same order.
void append_event_functions(const SignalProgram& signals, const DiscreteState& discrete, double t, const double* values,
                            std::vector<double>& list);

/// Switches of prescribed motions go where they belong at t; did any change?
bool iterate_prescribed(const SignalProgram& signals, DiscreteState& discrete, double t, const double* values,
                        std::vector<Change>& changes);

/// Event iteration: everything that is due at t or has crossed its threshold changes, as often as it takes until all is
/// where it belongs; and of the states x of blocks those that entering a state of a state machine sets. `changes` are
/// those that came before, of prescribed motions. False, with the last changes, if it does not end.
bool iterate_events(const SignalProgram& signals, DiscreteState& discrete, double t, const double* values,
                    const Reevaluate& reevaluate, std::span<double> x, std::vector<Change>& changes);

/// What changes without end, from the last changes of an iteration that did not end.
[[nodiscard]] std::string endless_changes(const SignalProgram& signals, const std::vector<Change>& changes);

/// In which state each state machine is, as changes: "starts in detumble".
[[nodiscard]] std::vector<Change> states_at_start(const SignalProgram& signals, const DiscreteState& discrete);

/// After a step without an event in it: follows what is smooth.
void follow_smoothly(const SignalProgram& signals, DiscreteState& discrete, const double* values);

/// Delays remember a step; `evaluate_at(t)` computes the values at an instant of it.
void remember(const SignalProgram& signals, DiscreteState& discrete, double from, double to, const double* values,
              const std::function<void(double)>& evaluate_at, int halvings = 0);

/// A signal whose value is not finite, or empty.
[[nodiscard]] std::string find_non_finite(const SignalProgram& signals, const double* values);

}  // namespace gyrostat
