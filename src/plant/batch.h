// Several plants of one structure evaluated at once, one in each lane of the processor's registers. Lanes share
// instructions, not time: each has its own t, state, switch positions, held values, joints that are free or given, and
// numbers. A lane's result does not depend on what is in the other lanes.
#pragma once

#include <memory>
#include <span>

#include "gyrostat/plant/plant.h"

namespace gyrostat {

struct BatchKernel;

class PlantBatch {
 public:
  /// How many plants this processor evaluates at once.
  static std::size_t lanes();

  /// At least one plant and at most `lanes()`; the last of them is in the lanes that are left. Keeps pointing at them.
  /// Throws std::invalid_argument, naming what differs, if their structures are not the same. Accelerations are those
  /// of articulated bodies.
  explicit PlantBatch(std::span<const Plant* const> plants);
  ~PlantBatch();
  PlantBatch(const PlantBatch&) = delete;
  PlantBatch& operator=(const PlantBatch&) = delete;

  /// Before the first evaluation, and whenever the discrete state of a lane has changed. Keeps pointing at it.
  void set_discrete(std::size_t lane, const DiscreteState& discrete);

  /// Of the analysis points that all plants were built with, by lane: for all evaluations from now on.
  void set_input(std::size_t input, const double* values);

  /// y' of all lanes: number k of lane l is at [k * lanes() + l].
  void derivative(const double* t, const double* y, double* ydot);
  /// The same without forces and accelerations: what `values` needs.
  void signals(const double* t, const double* y);
  /// After either: in a lane, those of the program's slots that are asked for (answered_slots.h); the others stay.
  void values(std::size_t lane, double* values) const;

 private:
  const BatchKernel& kernel_;
  void* evaluation_ = nullptr;
};

/// The text of it compiled for one kind of processor (batch_kernel.cpp). No pack crosses this boundary.
struct BatchKernel {
  const char* processor;
  std::size_t lanes;
  void* (*create)(const Plant* const* plants);  // as many as there are lanes
  void (*destroy)(void* evaluation);
  void (*set_discrete)(void* evaluation, std::size_t lane, const DiscreteState& discrete);
  void (*set_input)(void* evaluation, std::size_t input, const double* values);
  void (*derivative)(void* evaluation, const double* t, const double* y, double* ydot);
  void (*signals)(void* evaluation, const double* t, const double* y);
  void (*values)(const void* evaluation, std::size_t lane, double* values);
};

}  // namespace gyrostat
