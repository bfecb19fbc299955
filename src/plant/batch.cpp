#include "gyrostat/plant/batch.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/dynamics/in_use.h"
#include "gyrostat/plant/answered_slots.h"

namespace gyrostat {

namespace baseline {
extern const BatchKernel batch_kernel;
}
#ifdef GYROSTAT_PROCESSORS
namespace haswell {
extern const BatchKernel batch_kernel;
}
namespace avx512 {
extern const BatchKernel batch_kernel;
}
#endif

namespace {

/// Of the same processor as the recursions in use.
const BatchKernel& kernel() {
#ifdef GYROSTAT_PROCESSORS
  return in_use(baseline::batch_kernel, {&haswell::batch_kernel, &avx512::batch_kernel});
#else
  return baseline::batch_kernel;
#endif
}

}  // namespace

AnsweredSlots answered_slots(const SignalProgram& signals) {
  std::vector<Slot> slots;
  for (const std::vector<Slot>& outputs : signals.outputs) slots.insert(slots.end(), outputs.begin(), outputs.end());
  for (const expression::Switch& s : signals.program.switches) slots.insert(slots.end(), {s.guard, s.other});
  for (const HeldBlock& block : signals.held) slots.insert(slots.end(), block.inputs.begin(), block.inputs.end());
  std::ranges::sort(slots);
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  auto kept = std::make_unique<Slot[]>(slots.size());
  std::ranges::copy(slots, kept.get());
  return {std::move(kept), slots.size()};
}

std::size_t PlantBatch::lanes() { return kernel().lanes; }

PlantBatch::PlantBatch(std::span<const Plant* const> plants) : kernel_(kernel()) {
  if (plants.empty() || plants.size() > lanes()) {
    throw std::invalid_argument(fmt::format("a batch has 1 to {} plants, not {}", lanes(), plants.size()));
  }
  std::vector<const Plant*> all(plants.begin(), plants.end());
  for (std::size_t lane = 1; lane < all.size(); ++lane) {
    if (const std::string why = structural_difference(*all[0], *all[lane]); !why.empty()) {
      throw std::invalid_argument(fmt::format("plant {} of a batch has another structure: {}", lane, why));
    }
  }
  all.resize(lanes(), all.back());
  evaluation_ = kernel_.create(all.data());
}

PlantBatch::~PlantBatch() { kernel_.destroy(evaluation_); }

void PlantBatch::set_discrete(std::size_t lane, const DiscreteState& discrete) {
  kernel_.set_discrete(evaluation_, lane, discrete);
}

void PlantBatch::set_input(std::size_t input, const double* values) { kernel_.set_input(evaluation_, input, values); }

void PlantBatch::derivative(const double* t, const double* y, double* ydot) {
  kernel_.derivative(evaluation_, t, y, ydot);
}

void PlantBatch::signals(const double* t, const double* y) { kernel_.signals(evaluation_, t, y); }

void PlantBatch::values(std::size_t lane, double* values) const { kernel_.values(evaluation_, lane, values); }

}  // namespace gyrostat
