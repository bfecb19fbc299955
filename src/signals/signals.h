// Signals as a run goes on: their values while every switch is held, and what changes at events.
#pragma once

#include <string>

#include "gyrostat/signals/compile.h"
#include "gyrostat/signals/history.h"
#include "gyrostat/signals/plugin_library.h"
#include "gyrostat/signals/switchboard.h"

namespace gyrostat {

/// Something that changed at an event.
struct Change {
  std::string name;  // "jet1", "joints.pan.torque"
  std::string what;  // "on +", "off", "step", ...
};

/// What held blocks remember.
struct HeldMemory {
  double since = 0;                   // amplifier: of its last change [s]
  std::uint64_t next = 0;             // sample, noise, plugin: the number of the next instant
  History history;                    // delay
  std::vector<unsigned char> memory;  // plugin
};

class Signals {
 public:
  /// Keeps pointing at the model. `plugins` by signal, in the order of the description; empty where there is none or
  /// it must not run: its outputs stay zero.
  Signals(const Model& model, const Names& names, std::vector<PluginFunction> plugins = {});
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  [[nodiscard]] const SignalProgram& program() const { return program_; }
  [[nodiscard]] const Actions& actions() const { return *program_.actions; }

  /// Values of everything with all switches held. `x` are the states of blocks.
  template <class T>
  void evaluate(const Instant<T>& instant, const T* x, std::vector<T>& values, Shared<T>& shared) const;
  void evaluate(const Instant<double>& instant, const double* x, Shared<double>& shared) {
    evaluate(instant, x, values_, shared);
  }
  [[nodiscard]] std::span<const double> values() const { return values_; }
  [[nodiscard]] double value(Slot slot) const { return values_[slot]; }

  /// Rates of the states of blocks, after `evaluate`.
  void rates(double* xdot) const {
    for (std::size_t k = 0; k < program_.rates.size(); ++k) xdot[k] = values_[program_.rates[k]];
  }

  /// t = 0: states, switches and held outputs as they are to be just after.
  void start(const Instant<double>& instant, double* x);

  /// The last instant of the run.
  void set_end(double t) { board_.set_end(t); }

  /// The first instant after t at which something is due.
  [[nodiscard]] double next_time(double t) const;

  /// No step may be longer than the shortest delay [s].
  [[nodiscard]] double longest_step() const { return longest_step_; }

  /// Can anything change at an instant that is not known beforehand?
  [[nodiscard]] bool watches() const { return watches_; }

  /// After `evaluate`: is any switch, amplifier or table not where its input says?
  [[nodiscard]] bool any_misplaced(const Instant<double>& instant);

  /// The same in numbers: how far each is from its threshold, negative beyond. Appended, always in the same order.
  void append_margins(const Instant<double>& instant, std::vector<double>& margins);

  /// An event: everything that is due at this instant or has crossed its threshold changes, as often as it takes until
  /// all is where it belongs. False, with the last changes, if that never comes.
  bool settle(const Instant<double>& instant, const double* x, std::vector<Change>& changes);

  /// After each step without an event in it: follows what is smooth.
  void follow();

  /// Delays remember a step; `at(t)` evaluates at an instant of it.
  template <class At>
  void remember(double from, double to, At at, int halvings = 0) {
    if (delays_.empty()) return;
    const auto input = [this](std::size_t d) { return values_[program_.held[delays_[d]].inputs[0]]; };
    std::vector<std::array<double, 5>> values(delays_.size());
    for (std::size_t k = 0; k < history_nodes.size(); ++k) {
      at(from + history_nodes[k] * (to - from));
      for (std::size_t d = 0; d < delays_.size(); ++d) values[d][k] = input(d);
    }
    bool good = true;  // halfway between the outer nodes, where a polynomial is worst
    for (const double x : {0.125, 0.875}) {
      at(from + x * (to - from));
      for (std::size_t d = 0; d < delays_.size(); ++d) {
        const double scale = std::abs(*std::ranges::max_element(values[d], {}, [](double v) { return std::abs(v); }));
        good = good && std::abs(through_nodes(values[d], x) - input(d)) <= 1e-10 * scale + 1e-14;
      }
    }
    constexpr int most_halvings = 10;
    if (!good && halvings < most_halvings) {
      const double middle = from + (to - from) / 2;
      remember(from, middle, at, halvings + 1);
      remember(middle, to, at, halvings + 1);
      return;
    }
    for (std::size_t d = 0; d < delays_.size(); ++d) memory_[delays_[d]].history.add_step(from, to, values[d]);
  }

  /// The name of a plugin that returned something else than 0, or of a signal whose value is not finite, and why.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] std::string find_lost_value() const;

  // For checkpoints.
  Switchboard& board() { return board_; }
  std::vector<HeldMemory>& memory() { return memory_; }
  std::vector<double>& held_values() { return held_values_; }
  std::vector<std::uint32_t>& segments() { return segments_; }
  [[nodiscard]] const std::vector<std::uint32_t>& segments() const { return segments_; }

 private:
  [[nodiscard]] const Block& block_of(const HeldBlock& held) const {
    return model_.description.signals[held.signal].block;
  }
  [[nodiscard]] const std::string& name_of(const HeldBlock& held) const {
    return model_.description.signals[held.signal].name;
  }
  [[nodiscard]] double& output_of(const HeldBlock& held) { return held_values_[held.output - first_held_]; }
  [[nodiscard]] double due(std::size_t held) const;
  [[nodiscard]] double delay_of(std::size_t held) const {
    return std::get<DelayBlock>(block_of(program_.held[held])).time;
  }
  [[nodiscard]] double may_change_at(std::size_t amplifier) const;
  [[nodiscard]] double wanted(std::size_t amplifier) const;
  [[nodiscard]] bool begins_piece(std::size_t delay, bool motion_jumped) const;
  void forget();
  void evaluate_again(const Instant<double>& instant, const double* x);
  bool update(std::size_t held, double t, std::vector<Change>& changes);
  void call_plugin(std::size_t held, double t);
  void move_delays_on(double t, std::vector<Change>& changes);
  bool settle_switches(const Instant<double>& instant, const double* x, std::vector<Change>& changes);
  bool settle_segments(const Instant<double>& instant, std::vector<Change>& changes);

  const Model& model_;
  SignalProgram program_;
  Switchboard board_;
  std::vector<PluginFunction> plugins_;
  Slot first_held_ = 0;
  std::vector<double> held_values_;  // outputs of held blocks, in the order of their slots
  std::vector<HeldMemory> memory_;   // by held block
  std::vector<std::size_t> amplifiers_, delays_, sampled_;
  std::vector<std::uint32_t> segments_;  // of tables of springs
  std::vector<Deflection> deflections_;
  std::vector<double> values_;
  /// What a delay's input depends on at the same instant.
  struct Needs {
    std::vector<std::uint32_t> switches;
    std::vector<std::size_t> held;
    bool motion = false;
  };
  static Needs find_needs(const SignalProgram& program, Slot slot);
  std::vector<Needs> needs_;              // by delay, in the order of delays_
  std::vector<bool> switched_, updated_;  // at the present event: by switch, by held block
  bool calls_plugins_ = true;
  double longest_step_ = never;
  bool watches_ = false;
  std::string failure_;
};

}  // namespace gyrostat
