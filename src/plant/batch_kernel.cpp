// Compiled once for each kind of processor, with GYROSTAT_PROCESSOR its name: the right-hand side in packs of its
// native width. Whatever is instantiated in here for those packs exists in no other processor's build
// (tests/architecture looks).
#include <cstring>

#include "gyrostat/plant/answered_slots.h"
#include "gyrostat/plant/batch.h"
#include "gyrostat/plant/right_hand_side.h"

#define GYROSTAT_STRING(name) #name
#define GYROSTAT_NAME(name) GYROSTAT_STRING(name)

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

namespace {

using Number = Pack<native_lanes>;
constexpr std::size_t lanes = native_lanes;

/// Numbers of each lane, side by side.
void gather_lane(double from, std::size_t lane, Number& to) { to[lane] = from; }
void gather_lane(const Orbit& from, std::size_t lane, std::array<Orbit, lanes>& to) { to[lane] = from; }

PlantConstants<Number> gathered_constants(const Plant* const* plants) {
  const Mechanism* mechanisms[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) mechanisms[lane] = &plants[lane]->mechanism();
  const PlantConstants<double>& first = plants[0]->constants();
  PlantConstants<Number> all{gathered<lanes>(mechanisms),
                             std::vector<NodeOf<Number>>(first.nodes.size()),
                             first.constraints.as<Number>(),
                             with_structure_of<Number>(first.elements),
                             std::vector<std::array<Orbit, lanes>>(first.orbit.size()),
                             std::vector<std::pair<Slot, Number>>(first.program_numbers.size())};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const PlantConstants<double>& one = plants[lane]->constants();
    for (std::size_t k = 0; k < all.nodes.size(); ++k) {
      all.nodes[k].body = one.nodes[k].body;
      all.nodes[k].p.x[lane] = one.nodes[k].p.x;
      all.nodes[k].p.y[lane] = one.nodes[k].p.y;
      all.nodes[k].p.z[lane] = one.nodes[k].p.z;
    }
    const std::vector<Number*> packed = all.constraints.numbers();
    const std::vector<double>& single = plants[lane]->constraint_numbers();
    for (std::size_t k = 0; k < packed.size(); ++k) (*packed[k])[lane] = single[k];
    for_element_numbers([lane](auto& to, const auto& from) { gather_lane(from, lane, to); }, all.elements,
                        one.elements);
    for (std::size_t k = 0; k < all.orbit.size(); ++k) all.orbit[k][lane] = one.orbit[k];
    for (std::size_t k = 0; k < all.program_numbers.size(); ++k) {
      all.program_numbers[k].first = one.program_numbers[k].first;
      all.program_numbers[k].second[lane] = one.program_numbers[k].second;
    }
  }
  return all;
}

struct Evaluation {
  const Plant& plant;
  PlantConstants<Number> constants;
  PlantData<Number> data;
  std::vector<Number> y, ydot;
  AnsweredSlots answered;

  explicit Evaluation(const Plant* const* plants)
      : plant(*plants[0]),
        constants(gathered_constants(plants)),
        data(plant, constants, std::span<const Plant* const, lanes>(plants, lanes)),
        y(plant.size()),
        ydot(plant.size()),
        answered(answered_slots(plant.signals())) {}
};

void* create(const Plant* const* plants) { return new Evaluation(plants); }
void destroy(void* evaluation) { delete static_cast<Evaluation*>(evaluation); }

void set_lane_discrete(void* evaluation, std::size_t lane, const DiscreteState& discrete) {
  set_discrete(static_cast<Evaluation*>(evaluation)->data, lane, discrete);
}

void set_lane_inputs(void* evaluation, std::size_t input, const double* values) {
  PlantData<Number>& data = static_cast<Evaluation*>(evaluation)->data;
  std::memcpy(static_cast<void*>(&data.values[data.lanes[0].plant->signals().inputs[input]]), values, sizeof(Number));
}

Number take_over(Evaluation& e, const double* t, const double* y) {
  Number time;
  std::memcpy(static_cast<void*>(&time), t, sizeof time);
  std::memcpy(static_cast<void*>(e.y.data()), y, e.y.size() * sizeof(Number));
  return time;
}

void derivative(void* evaluation, const double* t, const double* y, double* ydot) {
  Evaluation& e = *static_cast<Evaluation*>(evaluation);
  const Number time = take_over(e, t, y);
  find_rates(e.plant, e.constants, e.data, time, e.y.data(), e.ydot.data());
  std::memcpy(ydot, e.ydot.data(), e.ydot.size() * sizeof(Number));
}

void signals(void* evaluation, const double* t, const double* y) {
  Evaluation& e = *static_cast<Evaluation*>(evaluation);
  const Number time = take_over(e, t, y);
  set_state(e.plant, e.data, time, e.y.data());
  advance(e.plant, e.constants, e.data, Stage::signals);
}

void values(const void* evaluation, std::size_t lane, double* values) {
  const Evaluation& e = *static_cast<const Evaluation*>(evaluation);
  for (std::size_t k = 0; k < e.answered.count; ++k) {
    const Slot slot = e.answered.slots[k];
    values[slot] = e.data.values[slot][lane];
  }
}

}  // namespace

extern const BatchKernel batch_kernel;
const BatchKernel batch_kernel = {GYROSTAT_NAME(GYROSTAT_PROCESSOR),
                                  lanes,
                                  create,
                                  destroy,
                                  set_lane_discrete,
                                  set_lane_inputs,
                                  derivative,
                                  signals,
                                  values};

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
