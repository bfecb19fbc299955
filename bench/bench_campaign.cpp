// Flights of a campaign on one thread: in the lanes of packs, and one by one.
#include <stdexcept>

#include <benchmark/benchmark.h>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/campaign/lanes.h"

namespace gyrostat::campaign {
namespace bench_campaign {

const FlightPlan& five_body() {
  static const FlightPlan plan = [] {
    ReadCampaign read = read_campaign(GYROSTAT_SOURCE_DIR "/examples/campaign/five_body.yaml");
    auto made = make_plan(read);
    if (!made) throw std::runtime_error("the example is wrong");
    return std::move(*made);
  }();
  return plan;
}

constexpr std::uint64_t flights = 32;

void in_lanes(benchmark::State& state) {
  const FlightPlan& plan = five_body();
  const std::atomic<bool> stop = false;
  for (auto _ : state) {
    std::uint64_t next = 0, ended = 0;
    fly_all(
        plan, [&] { return next < flights ? std::optional(next++) : std::nullopt; }, [&](FlightResult&&) { ++ended; },
        stop);
    if (ended != flights) throw std::runtime_error("flights are missing");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(flights));
}
BENCHMARK(in_lanes)->Unit(benchmark::kMillisecond);

class Silent : public Observer {
  void record(double, std::span<const double>) override {}
  void event(double, const Change&) override {}
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return true; }
};

/// As a run is flown, but for ledger and records.
void one_by_one(benchmark::State& state) {
  const FlightPlan& plan = five_body();
  for (auto _ : state) {
    for (std::uint64_t k = 0; k < flights; ++k) {
      const Loaded loaded = plan.load(k);
      RunSettings settings = plan.settings(k);
      settings.as_lane = false;
      Simulation simulation(loaded.model.value(), settings);
      Silent silent;
      if (simulation.run(silent).kind != Outcome::Kind::finished) throw std::runtime_error("a flight failed");
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(flights));
}
BENCHMARK(one_by_one)->Unit(benchmark::kMillisecond);

/// What every flight costs before its first step.
void loaded_and_built(benchmark::State& state) {
  const FlightPlan& plan = five_body();
  std::uint64_t k = 0;
  for (auto _ : state) {
    const Loaded loaded = plan.load(k);
    const Simulation simulation(loaded.model.value(), plan.settings(k++ % 1000));
    benchmark::DoNotOptimize(simulation.time());
  }
}
BENCHMARK(loaded_and_built)->Unit(benchmark::kMillisecond);

}  // namespace bench_campaign
}  // namespace gyrostat::campaign
