// Runs whose rates are evaluated together, each in a lane of the processor's registers. The rates of a lane have the
// same bits whatever is in the others, and wherever it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gyrostat/plant/batch.h"
#include "gyrostat/plant/run.h"

namespace gyrostat {

class PlantLanes {
 public:
  PlantLanes() : lanes_(PlantBatch::lanes()), t_(lanes_.size()) {}

  [[nodiscard]] std::size_t size() const { return lanes_.size(); }

  /// Keeps pointing at the run. All runs have plants of one structure.
  void occupy(std::size_t lane, const PlantRun& run);
  void leave(std::size_t lane);

  /// What is asked for: y', or the values of signals.
  enum class Asked : std::uint8_t { nothing, values, rates };

  /// Of an occupied lane: what `evaluate` is to find, and where.
  void ask(std::size_t lane, Asked what, double t, const double* y);
  /// For lanes that have asked: where most ask for values only, these, which takes less; else all of them.
  void evaluate();
  /// Has it asked, and was not evaluated yet?
  [[nodiscard]] bool waits(std::size_t lane) const { return lanes_[lane].asked != Asked::nothing; }
  /// y', or the values of the program's slots.
  void answer(std::size_t lane, Asked what, double* into) const;

  /// For the run in the first lane, where there is no other.
  void answer_alone(Asked what, double t, const double* y, double* into) {
    ask(0, what, t, y);
    evaluate();
    answer(0, what, into);
  }

 private:
  struct Lane {
    const PlantRun* run = nullptr;
    std::uint64_t changes = 0;  // of the discrete state that the batch has
    Asked asked = Asked::nothing;
  };
  void build();
  [[nodiscard]] bool worth_values_only() const;

  std::vector<Lane> lanes_;
  std::optional<PlantBatch> batch_;
  bool stale_ = true;  // the runs in the lanes have changed; answers of the last evaluation are still to be had
  std::vector<double> t_, y_, ydot_;
};

/// Why a plant cannot be in a lane, or empty.
std::string outside_lanes(const Plant& plant);

}  // namespace gyrostat
