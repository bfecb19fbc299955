// What it costs to get from a description or a file to a System, per body.
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "gyrostat/model/load.h"

namespace bench_model {

using namespace gyrostat;

Description chain(std::size_t count) {
  Description model;
  for (std::size_t i = 0; i < count; ++i) {
    BodyDescription body;
    body.name = fmt::format("b{}", i);
    body.mass = 1;
    body.com = {0.5, 0, 0};
    body.inertia = Vector3(0.01, 0.1, 0.1).asDiagonal();
    model.bodies.push_back(body);
    if (i == 0) continue;
    JointDescription joint;
    joint.name = fmt::format("j{}", i);
    joint.type = JointType::revolute;
    joint.parent = fmt::format("b{}", i - 1);
    joint.child = body.name;
    joint.parent_point = {1, 0, 0};
    joint.rotations = {Vector3::Unit(static_cast<Eigen::Index>(i % 3))};
    joint.position = {0.1};
    joint.speed = {0};
    model.joints.push_back(joint);
  }
  return model;
}

std::string chain_file(std::size_t count) {
  std::string text = "gyrostat: 1\nbodies:\n";
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format("  b{}: {{mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}\n", i);
  text += "joints:\n";
  for (std::size_t i = 1; i < count; ++i) {
    text += fmt::format(
        "  j{}: {{type: revolute, parent: b{}, child: b{}, parent_point: [1, 0, 0], axis: [0, 0, 1], "
        "initial: {{angle: 0.1}}}}\n",
        i, i - 1, i);
  }
  return text;
}

void per_body(benchmark::State& state) {
  state.counters["s_per_body"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void build(benchmark::State& state, const Description& description) {
  for (auto _ : state) {
    state.PauseTiming();
    Description copy = description;
    state.ResumeTiming();
    benchmark::DoNotOptimize(load_description(std::move(copy)));
  }
  per_body(state);
}

/// Validate, find the tree, number, build.
void build_chain(benchmark::State& state) { build(state, chain(static_cast<std::size_t>(state.range(0)))); }
BENCHMARK(build_chain)->RangeMultiplier(10)->Range(10, 100'000)->Unit(benchmark::kMillisecond);

/// The same with a massless body in the chain, so that the rank of the mass matrix is looked at.
void build_chain_with_massless_body(benchmark::State& state) {
  Description description = chain(static_cast<std::size_t>(state.range(0)));
  BodyDescription& body = description.bodies[description.bodies.size() / 2];
  body.mass = 0;
  body.inertia.setZero();
  build(state, description);
}
BENCHMARK(build_chain_with_massless_body)->RangeMultiplier(10)->Range(10, 100'000)->Unit(benchmark::kMillisecond);

/// From the text of a file: YAML, reading, validating, building.
void load_chain_file(benchmark::State& state) {
  const std::string text = chain_file(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(load_text("chain.yaml", text));
  per_body(state);
}
BENCHMARK(load_chain_file)->RangeMultiplier(10)->Range(10, 100'000)->Unit(benchmark::kMillisecond);

void load_five_body(benchmark::State& state) {
  const std::string path = GYROSTAT_SOURCE_DIR "/examples/five_body/five_body.yaml";
  for (auto _ : state) benchmark::DoNotOptimize(load_file(path));
}
BENCHMARK(load_five_body)->Unit(benchmark::kMillisecond);

}  // namespace bench_model
