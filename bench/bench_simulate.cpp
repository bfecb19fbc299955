// Whole runs and right-hand sides: how many times faster than real time, what recording costs, how the cost grows with
// the number of bodies.
#include <filesystem>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/modes.h"
#include "gyrostat/plant/batch.h"
#include "gyrostat/plant/run.h"
#include "gyrostat/results/results_writer.h"
#include "gyrostat/simulate/simulation.h"

#include "mechanisms.h"

namespace gyrostat::bench {
namespace bench_simulate {

class Silent : public Observer {
 public:
  void record(double, std::span<const double>) override {}
  void event(double, const Change&) override {}
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return true; }
};

/// Writes a results file as `gyrostat run` does.
class Writer : public Silent {
 public:
  Writer(const Simulation& simulation, const std::string& path)
      : writer_(path, {}, columns_of(simulation), capacity(simulation)) {}
  void record(double t, std::span<const double> row) override { writer_.append(t, row); }
  void finish() { writer_.finish(); }

 private:
  static std::uint64_t capacity(const Simulation& simulation) { return simulation.settings().record_count(); }
  static std::vector<results::Column> columns_of(const Simulation& simulation) {
    std::vector<results::Column> columns;
    for (const OutputColumn& c : simulation.columns()) columns.push_back({c.name, c.unit, c.description});
    return columns;
  }
  results::ResultsWriter writer_;
};

Model example(const std::string& path) {
  Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + path);
  if (!loaded.model) throw std::runtime_error(path + " is not valid");
  return *std::move(loaded.model);
}

void report(benchmark::State& state, double simulated, const IntegratorStatistics& statistics, std::size_t bodies) {
  using benchmark::Counter;
  const double runs = static_cast<double>(state.iterations());
  state.counters["x_real_time"] = Counter(simulated * runs, Counter::kIsRate);
  state.counters["steps"] = static_cast<double>(statistics.steps);
  state.counters["per_evaluation_and_body"] =
      Counter(runs * static_cast<double>(statistics.evaluations) * static_cast<double>(bodies),
              Counter::kIsRate | Counter::kInvert);
}

/// Each run with a results file, from building the simulation to closing the file.
void fly_and_record(benchmark::State& state, const Model& model, const RunSettings& settings) {
  const std::string path = (std::filesystem::temp_directory_path() / "bench_simulate.h5").string();
  IntegratorStatistics statistics;
  for (auto _ : state) {
    Simulation simulation(model, settings);
    Writer writer(simulation, path);
    simulation.run(writer);
    writer.finish();
    statistics = simulation.statistics();
  }
  std::filesystem::remove(path);
  report(state, settings.until, statistics, model.system.body_count());
}

void case_1(benchmark::State& state, const std::string& method) {
  const Model model = example("five_body/five_body.yaml");
  RunSettings settings(model);
  settings.integrator.method = method;
  settings.integrator.tolerance = 1e-8;
  fly_and_record(state, model, settings);
}
BENCHMARK_CAPTURE(case_1, five_body_dopri5, "dopri5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(case_1, five_body_cvode_adams, "cvode_adams")->Unit(benchmark::kMillisecond);

/// A free chain with springs and dampers in its hinges.
Model spring_chain(std::size_t bodies) {
  Description description = free_flying(bodies, 1, [](std::size_t i) { return i - 1; });
  for (JointDescription& joint : description.joints) {
    if (joint.type != JointType::revolute) continue;
    joint.stiffness = {{50, ""}};
    joint.damping = {{0.1, ""}};
    joint.position = {0.1};
  }
  Loaded loaded = load_description(std::move(description));
  if (!loaded.model) throw std::runtime_error("the chain is not valid");
  return *std::move(loaded.model);
}

void chain(benchmark::State& state) {
  const Model model = spring_chain(static_cast<std::size_t>(state.range(0)));
  RunSettings settings(model);
  settings.integrator = {"rk4", 1e-9, 1e-3, 0};  // the same work for every body, whatever the spectrum
  settings.until = state.range(0) > 100 ? 0.05 : 1;
  settings.interval = settings.until;
  IntegratorStatistics statistics;
  Silent silent;
  for (auto _ : state) {
    Simulation simulation(model, settings);
    simulation.run(silent);
    statistics = simulation.statistics();
  }
  report(state, settings.until, statistics, model.system.body_count());
}
BENCHMARK(chain)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

/// A, B, C, D of a free chain with one input and one output, from the model and the operating point; 50 bodies have 110
/// states.
void linear_model(benchmark::State& state) {
  const Model model = spring_chain(static_cast<std::size_t>(state.range(0)));
  const OperatingPoint point = initial_point(model);
  LinearizeSettings settings;
  settings.inputs = {model.system.bodies[1].name + ".torque_x"};
  settings.outputs = {model.system.bodies[1].name + ".omega_x"};
  for (auto _ : state) benchmark::DoNotOptimize(linearize(model, point, settings));
}
BENCHMARK(linear_model)->Arg(5)->Arg(50)->Unit(benchmark::kMillisecond);

void modes_of_chain(benchmark::State& state) {
  const Model model = spring_chain(static_cast<std::size_t>(state.range(0)));
  const Eigen::MatrixXd A = linearize(model, initial_point(model), {}).A;
  for (auto _ : state) benchmark::DoNotOptimize(find_modes(A));
}
BENCHMARK(modes_of_chain)->Arg(5)->Arg(50)->Unit(benchmark::kMillisecond);

/// A satellite with two panels of ten modes each, which a wheel on its bus turns by 10 degrees.
const char* satellite = R"yaml(gyrostat: 1
bodies:
  bus:
    mass: 800
    inertia: [400, 300, 450]
    wheels: {rw: {axis: [0, 0, 1], inertia: 0.5, torque: turn}}
  left: {flexible: {beam: {to: [0, 8, 0], elements: 12, mass_per_length: 3, EI: [4000, 90000], GJ: 2000, rotary_inertia: 0.4}, modes: {count: 10}, damping: 0.005}}
  right: {flexible: {beam: {to: [0, -8, 0], elements: 12, mass_per_length: 3, EI: [4000, 90000], GJ: 2000, rotary_inertia: 0.4}, modes: {count: 10}, damping: 0.005}}
joints:
  base: {type: free, parent: world, child: bus, initial: {omega: [0.001, 0.0005, 0.01]}}
  left_root: {type: weld, parent: bus, child: left.root, parent_point: [0, 1, 0]}
  right_root: {type: weld, parent: bus, child: right.root, parent_point: [0, -1, 0]}
signals: {turn: "5 * (bus.yaw - 0.17453) + 60 * bus.omega_z"}
simulation: {duration: 100, integrator: {method: cvode_adams, tolerance: 1e-8}}
output: {interval: 0.5}
)yaml";

void satellite_with_panels(benchmark::State& state, const std::string& method) {
  Loaded loaded = load_text("satellite.yaml", satellite);
  if (!loaded.model) throw std::runtime_error(loaded.problems.all().at(0).message);
  RunSettings settings(*loaded.model);
  settings.integrator.method = method;
  IntegratorStatistics statistics;
  Silent silent;
  for (auto _ : state) {
    Simulation simulation(*loaded.model, settings);
    simulation.run(silent);
    statistics = simulation.statistics();
  }
  report(state, settings.until, statistics, 3);
}
BENCHMARK_CAPTURE(satellite_with_panels, cvode_adams, "cvode_adams")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(satellite_with_panels, dopri5, "dopri5")->Unit(benchmark::kMillisecond);

/// Evaluations of the five-body plant with its control: one at a time, and as lanes of one batch. A second, in
/// evaluations.
struct FiveBodies {
  Model model = example("five_body/five_body.yaml");
  Plant plant{model, "articulated_body"};
  PlantRun run{plant};
  Eigen::VectorXd y, ydot;

  FiveBodies() {
    run.start(y);
    ydot.resize(y.size());
  }
};

void one_at_a_time(benchmark::State& state) {
  FiveBodies five;
  double t = 0;
  for (auto _ : state) {
    five.run.derivative(t, five.y.data(), five.ydot.data());
    benchmark::DoNotOptimize(five.ydot.data());
    t += 1e-9;
  }
  state.counters["evaluations"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(one_at_a_time);

void packed(benchmark::State& state) {
  FiveBodies five;
  const std::size_t lanes = PlantBatch::lanes();
  const std::vector<const Plant*> plants(lanes, &five.plant);
  PlantBatch batch(plants);
  std::vector<double> t(lanes), y(lanes * five.plant.size()), ydot(y.size());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    batch.set_discrete(lane, five.run.discrete());
    for (std::size_t k = 0; k < five.plant.size(); ++k) y[k * lanes + lane] = five.y[static_cast<Eigen::Index>(k)];
  }
  for (auto _ : state) {
    batch.derivative(t.data(), y.data(), ydot.data());
    benchmark::DoNotOptimize(ydot.data());
    for (double& time : t) time += 1e-9;
  }
  state.counters["evaluations"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(lanes), benchmark::Counter::kIsRate);
}
BENCHMARK(packed);

/// The ten-body tree with steps of 1 ms, recorded at 1 Hz or at 1 kHz.
void recording(benchmark::State& state) {
  const Model model = example("ten_body/ten_body.yaml");
  RunSettings settings(model);
  settings.integrator = {"rk4", 1e-9, 1e-3, 0};
  settings.until = 10;
  settings.interval = 1.0 / static_cast<double>(state.range(0));
  fly_and_record(state, model, settings);
}
BENCHMARK(recording)->Arg(1)->Arg(1000)->ArgName("Hz")->Unit(benchmark::kMillisecond);

}  // namespace bench_simulate
}  // namespace gyrostat::bench
