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

  /// Of an occupied lane: what `evaluate` is to find the rates of.
  void ask(std::size_t lane, double t, const double* y);
  /// Of all lanes that have asked since the last time.
  void evaluate();
  void answer(std::size_t lane, double* ydot) const;

  /// Of the run in the first lane, where there is no other.
  void rates_alone(double t, const double* y, double* ydot) {
    ask(0, t, y);
    evaluate();
    answer(0, ydot);
  }

 private:
  struct Lane {
    const PlantRun* run = nullptr;
    std::uint64_t changes = 0;  // of the discrete state that the batch has
    bool asks = false;
  };
  void build();

  std::vector<Lane> lanes_;
  std::optional<PlantBatch> batch_;  // of the runs that are in the lanes; none: some have changed
  std::vector<double> t_, y_, ydot_;
};

/// Why a plant cannot be in a lane, or empty.
std::string outside_lanes(const Plant& plant);

}  // namespace gyrostat
