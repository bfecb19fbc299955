#include "gyrostat/campaign/lanes.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include "gyrostat/plant/lanes.h"

namespace gyrostat::campaign {

namespace {

using boost::context::fiber;

/// Of a context: models are read in it, expressions with their parentheses by recursion. Memory that is not touched is
/// not used.
constexpr std::size_t stack_bytes = std::size_t{4} << 20U;

class LaneScheduler {
 public:
  LaneScheduler(const FlightPlan& plan, const NextFlight& next, const FlightEnded& ended, const std::atomic<bool>& stop,
                const HistoryPlan* recorded)
      : plan_(plan), next_(next), ended_(ended), stop_(stop), recorded_(recorded), lanes_(plants_.size()) {
    for (std::size_t k = 0; k < lanes_.size(); ++k) start(k);
  }

  /// Each goes on until it asks for rates or values; then those that are evaluated go on.
  void run() {
    for (;;) {
      bool any = false, asks = false;
      for (Lane& lane : lanes_) {
        if (lane.flights && !plants_.waits(lane.number)) lane.flights = std::move(lane.flights).resume();
        any = any || lane.flights;
        asks = asks || plants_.waits(lane.number);
      }
      if (!any) return;
      if (asks) plants_.evaluate();
    }
  }

 private:
  struct Lane {
    LaneScheduler* scheduler = nullptr;
    std::size_t number = 0;
    fiber flights, back;
    std::optional<PlantLanes> own;  // where its plant has another structure than those of the other lanes
  };

  void start(std::size_t number) {
    Lane& lane = lanes_[number];
    lane.scheduler = this;
    lane.number = number;
    lane.flights =
        fiber(std::allocator_arg, boost::context::protected_fixedsize_stack(stack_bytes), [this, &lane](fiber&& back) {
          lane.back = std::move(back);
          fly_in(lane);
          return std::move(lane.back);
        });
  }

  void fly_in(Lane& lane) {
    const LaneOfFlight of_flight = {{&lane, &LaneScheduler::find}, &lane, &LaneScheduler::enter, &LaneScheduler::leave};
    while (!stop_.load(std::memory_order_relaxed)) {
      const std::optional<std::uint64_t> flight = next_();
      if (!flight) return;
      ended_(fly(plan_, *flight, stop_, &of_flight, recorded_));
    }
  }

  static void enter(void* p, Simulation& simulation) {
    Lane& lane = *static_cast<Lane*>(p);
    const Plant& nominal = lane.scheduler->plan_.nominal_plant();
    if (structural_difference(nominal, simulation.plant()).empty()) {
      lane.scheduler->plants_.occupy(lane.number, simulation.run_state());
    } else {
      lane.own.emplace().occupy(0, simulation.run_state());
    }
  }

  static void leave(void* p) {
    Lane& lane = *static_cast<Lane*>(p);
    lane.own.reset();
    lane.scheduler->plants_.leave(lane.number);
  }

  static void find(void* p, PlantLanes::Asked what, double t, const double* y, double* into) {
    Lane& lane = *static_cast<Lane*>(p);
    if (lane.own) return lane.own->answer_alone(what, t, y, into);
    lane.scheduler->plants_.ask(lane.number, what, t, y);
    lane.back = std::move(lane.back).resume();
    lane.scheduler->plants_.answer(lane.number, what, into);
  }

  const FlightPlan& plan_;
  const NextFlight& next_;
  const FlightEnded& ended_;
  const std::atomic<bool>& stop_;
  const HistoryPlan* recorded_;
  PlantLanes plants_;
  std::vector<Lane> lanes_;
};

}  // namespace

void fly_all(const FlightPlan& plan, const NextFlight& next, const FlightEnded& ended, const std::atomic<bool>& stop,
             const HistoryPlan* recorded) {
  if (plan.alone_because().empty()) return LaneScheduler(plan, next, ended, stop, recorded).run();
  while (!stop.load(std::memory_order_relaxed)) {
    const std::optional<std::uint64_t> flight = next();
    if (!flight) return;
    ended(fly(plan, *flight, stop, nullptr, recorded));
  }
}

}  // namespace gyrostat::campaign
