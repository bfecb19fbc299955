// The switches of a program during a run: event functions, known instants, and the position each belongs in.
#pragma once

#include <span>
#include <vector>

#include "gyrostat/expression/program.h"
#include "gyrostat/signals/instants.h"

namespace gyrostat {

/// Constant: positions are kept elsewhere. `values` are those of the program's slots, `positions` those of its
/// switches.
class Switches {
 public:
  Switches() = default;
  /// Keeps pointing at the program. Those that are not in `matters` decide nothing but what is recorded: they are no
  /// events.
  Switches(const expression::Program& program, const std::vector<bool>& matters);
  /// All of them are events.
  explicit Switches(const expression::Program& program)
      : Switches(program, std::vector<bool>(program.switches.size(), true)) {}

  [[nodiscard]] std::size_t size() const { return program_ == nullptr ? 0 : program_->switches.size(); }

  /// The first instant after t that is known beforehand.
  [[nodiscard]] double next_time(double t) const;

  /// Are there switches whose instant is not known beforehand?
  [[nodiscard]] bool watches() const { return !watched_.empty(); }

  /// Is any of those not where its guard says?
  [[nodiscard]] bool any_crossed(const double* values, std::span<const std::uint32_t> positions) const;

  /// Their event functions, negative beyond the threshold: appended in the order of switches.
  void append_event_functions(const double* values, std::span<const std::uint32_t> positions,
                              std::vector<double>& list) const;

  /// Where switch k is to be after t: by its guard, or by the clock. `end` is the last instant of the run.
  [[nodiscard]] std::uint32_t position_after(std::uint32_t k, double t, const double* values, double end) const;

  /// Is a change of switch k an event?
  [[nodiscard]] bool matters(std::uint32_t k) const { return matters_[k]; }
  /// Is it a branch cut that is passed on its smooth side? Then nothing happens.
  [[nodiscard]] bool is_smooth(std::uint32_t k, const double* values) const;
  /// Those that are no events.
  [[nodiscard]] std::span<const std::uint32_t> unwatched() const { return unwatched_; }

  /// Could switch k be there?
  [[nodiscard]] bool is_position(std::uint32_t k, std::uint32_t position) const;

  /// A branch cut that is passed on its smooth side is no event.
  void follow_smoothly(const double* values, std::span<std::uint32_t> positions) const;

 private:
  [[nodiscard]] std::uint32_t by_guard(std::uint32_t k, const double* values) const;
  [[nodiscard]] std::uint32_t by_clock(std::uint32_t k, double t, double end) const;

  const expression::Program* program_ = nullptr;
  std::vector<bool> matters_;
  std::vector<std::uint32_t> watched_;  // switches without a known time
  std::vector<std::uint32_t> unwatched_;
  std::vector<double> times_;  // known instants, ascending [s]
};

}  // namespace gyrostat
