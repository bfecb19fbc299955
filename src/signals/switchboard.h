// The switches of a program during a run: where each is held, and when it has to change.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gyrostat/expression/program.h"

namespace gyrostat {

/// Two instants closer than this are one: events are located no better.
inline double same_instant(double t) { return std::max(1e-12, 1e-15 * std::abs(t)); }

/// Has an instant come by t?
inline bool is_due(double instant, double t) { return instant <= t + same_instant(t); }

inline constexpr double never = std::numeric_limits<double>::infinity();

class Switchboard {
 public:
  explicit Switchboard(const expression::Program& program);

  [[nodiscard]] std::span<const std::uint32_t> modes() const { return modes_; }
  void set_modes(std::span<const std::uint32_t> modes) { std::ranges::copy(modes, modes_.begin()); }

  /// The first instant after t that is known beforehand.
  [[nodiscard]] double next_time(double t) const;

  /// Are there switches whose instant nobody knows beforehand?
  [[nodiscard]] bool watches() const { return !watched_.empty(); }

  /// Is any switch not where its guard says? `value(slot)` is the value in a slot.
  template <class Value>
  [[nodiscard]] bool any_misplaced(Value value) const {
    return std::ranges::any_of(watched_, [&](std::uint32_t k) { return misplaced(k, value); });
  }

  /// How far each watched switch is from its threshold, negative beyond: appended in the order of switches.
  template <class Value>
  void append_margins(Value value, std::vector<double>& margins) const {
    for (const std::uint32_t k : watched_) {
      const expression::Switch& s = program_.switches[k];
      const double guard = value(s.guard);
      if (s.kind == expression::Switch::Kind::knots) {
        margins.push_back(program_.tables[s.table].distance_from_knots(guard, modes_[k]));
      } else if (s.kind == expression::Switch::Kind::branch_cut && !(value(s.other) < 0)) {
        margins.push_back(never);  // there is no cut on this side
      } else {
        margins.push_back(modes_[k] != 0 ? guard : -guard);
      }
    }
  }

  /// Puts a switch where it is to be after t: by its guard, or by the clock.
  template <class Value>
  bool settle(std::uint32_t k, double t, Value value) {
    const std::uint32_t wanted = program_.switches[k].time ? by_the_clock(k, t) : by_its_guard(k, value);
    if (wanted == modes_[k]) return false;
    modes_[k] = wanted;
    return true;
  }

  /// A branch cut that is passed on its smooth side is no event.
  template <class Value>
  void follow_smoothly(Value value) {
    for (const std::uint32_t k : watched_) {
      const expression::Switch& s = program_.switches[k];
      if (s.kind == expression::Switch::Kind::branch_cut && !(value(s.other) < 0)) modes_[k] = by_its_guard(k, value);
    }
  }

  [[nodiscard]] std::size_t size() const { return modes_.size(); }

  /// At the end of the run a table that ends there is not left.
  void set_end(double t) { end_ = t; }

 private:
  template <class Value>
  [[nodiscard]] std::uint32_t by_its_guard(std::uint32_t k, Value value) const {
    const expression::Switch& s = program_.switches[k];
    const double guard = value(s.guard);
    switch (s.kind) {
      case expression::Switch::Kind::positive: return guard > 0 ? 1 : 0;
      case expression::Switch::Kind::knots: return static_cast<std::uint32_t>(program_.tables[s.table].segment(guard));
      default: return guard >= 0 ? 1 : 0;
    }
  }
  template <class Value>
  [[nodiscard]] bool misplaced(std::uint32_t k, Value value) const {
    const expression::Switch& s = program_.switches[k];
    if (by_its_guard(k, value) == modes_[k]) return false;
    return s.kind != expression::Switch::Kind::branch_cut || value(s.other) < 0;
  }
  [[nodiscard]] std::uint32_t by_the_clock(std::uint32_t k, double t) const;

  const expression::Program& program_;
  std::vector<std::uint32_t> modes_;    // on or off; of a table's knots, the segment
  std::vector<std::uint32_t> watched_;  // switches without a known time
  std::vector<double> times_;           // known instants, ascending [s]
  double end_ = never;
};

}  // namespace gyrostat
