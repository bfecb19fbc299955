// Forward dynamics, inverse dynamics, derivatives: time per body, and how it grows.
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "gyrostat/constraints/closed_system.h"
#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/dynamics/inverse_dynamics.h"
#include "gyrostat/dynamics/kernels.h"

#include "mechanisms.h"

namespace gyrostat::bench {
namespace bench_dynamics {

enum Shape { chain_shape, tree_shape };

/// A mechanism and states enough that every evaluation is at another one.
struct Bench {
  System system;
  Mechanism mechanism;
  std::vector<State> states;
  Forces<double> forces;
  std::size_t turn = 0;

  Bench(std::size_t count, Shape shape)
      : system(system_of(shape == tree_shape ? binary_tree(count, 1000 + count) : chain(count, 1000 + count))),
        mechanism(system),
        forces(system) {
    for (std::uint64_t s = 0; s < (count > 1000 ? 4 : 64); ++s) states.push_back(random_state(system, s));
  }
  const State& next() { return states[++turn % states.size()]; }
};

void per_body(benchmark::State& run, std::size_t bodies, std::size_t systems = 1) {
  const auto total = static_cast<double>(run.iterations()) * static_cast<double>(bodies * systems);
  run.counters["per_body"] = benchmark::Counter(total, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <Shape shape>
void articulated_body(benchmark::State& run) {
  Bench b(static_cast<std::size_t>(run.range(0)), shape);
  Kinematics<double> kinematics(b.mechanism);
  ArticulatedBodyData<double> workspace(b.mechanism);
  Eigen::VectorXd udot(b.system.initial.u.size());
  for (auto _ : run) {
    const State& state = b.next();
    update(b.mechanism, state.q.data(), state.u.data(), kinematics);
    accelerations(b.mechanism, kinematics, state.u.data(), b.forces, workspace, udot.data());
    benchmark::DoNotOptimize(udot.data());
  }
  per_body(run, b.system.body_count());
}
BENCHMARK(articulated_body<chain_shape>)
    ->Name("articulated_body/chain")
    ->Arg(1)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(50)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(5000)
    ->Arg(20000)
    ->Arg(100000);
BENCHMARK(articulated_body<tree_shape>)
    ->Name("articulated_body/tree")
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(50)
    ->Arg(1000)
    ->Arg(5000)
    ->Arg(100000);

/// A tower of four-bars, or the same without the hinges that close them; `run.range(0)` is the number of loops. As in a
/// run: of the rows those that the plan keeps.
template <bool closed>
void four_bars(benchmark::State& run) {
  const System system = system_of(tower(static_cast<std::size_t>(run.range(0)), 1, closed));
  const Mechanism mechanism(system);
  const Constraints constraints = make_constraints(mechanism);
  Kinematics<double> kinematics(mechanism);
  ArticulatedBodyData<double> workspace(mechanism);
  Closures<double> closures = make_closures<double>(constraints);
  const Forces<double> forces(system);
  std::vector<State> states;
  for (std::uint64_t s = 0; s < 16; ++s) states.push_back(tower_state(system, s));
  const auto evaluate_at = [&](const State& state) {
    update(mechanism, state.q.data(), state.u.data(), kinematics);
    if (closed)
      evaluate_closures(constraints, mechanism, kinematics, state.q.data(), state.u.data(), forces, {}, closures);
  };
  ClosurePlan plan;
  if (closed) {
    evaluate_at(states[0]);
    plan = plan_closures(mechanism, kinematics, forces.free, closures);
    closures.plan = &plan;
    closures.whole = false;
    workspace.closures.resize(plan);
  }
  Eigen::VectorXd udot(system.initial.u.size());
  std::size_t turn = 0;
  for (auto _ : run) {
    const State& state = states[++turn % states.size()];
    evaluate_at(state);
    if (closed) {
      accelerations(mechanism, kinematics, state.u.data(), forces, closures, workspace, udot.data());
    } else {
      accelerations(mechanism, kinematics, state.u.data(), forces, workspace, udot.data());
    }
    benchmark::DoNotOptimize(udot.data());
  }
  per_body(run, system.body_count());
}
BENCHMARK(four_bars<true>)->Name("articulated_body/tower")->Arg(1)->Arg(10)->Arg(40)->Arg(160);
BENCHMARK(four_bars<false>)->Name("articulated_body/tower as a tree")->Arg(1)->Arg(10)->Arg(40)->Arg(160);

/// As many systems at once as a register holds, with kernels for any processor this one can stand in for.
template <class Lanes, class C>
void several(benchmark::State& run, Bench& b, const KernelsOf<Lanes, C>& k, const MechanismOf<C>& mechanism) {
  Kinematics<Lanes> kinematics(mechanism);
  ArticulatedBodyData<Lanes> workspace(mechanism);
  const Forces<Lanes> forces(b.system);
  std::vector<std::vector<Lanes>> q(8), u(8);
  for (std::size_t s = 0; s < q.size(); ++s) {
    q[s].resize(b.mechanism.nq);
    u[s].resize(b.mechanism.nu);
    for (std::size_t lane = 0; lane < Lanes::lanes; ++lane) {
      const State& state = b.next();
      for (std::size_t i = 0; i < b.mechanism.nq; ++i) q[s][i][lane] = state.q[static_cast<Eigen::Index>(i)];
      for (std::size_t i = 0; i < b.mechanism.nu; ++i) u[s][i][lane] = state.u[static_cast<Eigen::Index>(i)];
    }
  }
  std::vector<Lanes> udot(b.mechanism.nu);
  std::size_t turn = 0;
  for (auto _ : run) {
    const std::size_t s = ++turn % q.size();
    k.update(mechanism, q[s].data(), u[s].data(), kinematics);
    k.accelerations(mechanism, kinematics, u[s].data(), forces, workspace, udot.data());
    benchmark::DoNotOptimize(udot.data());
  }
  per_body(run, b.system.body_count(), Lanes::lanes);
}

template <Shape shape>
void packed(benchmark::State& run) {
  Bench b(static_cast<std::size_t>(run.range(0)), shape);
  std::visit([&](const auto& k) { several(run, b, k.of_one, b.mechanism); }, kernels().packed);
}

/// Each lane with numbers of its own.
void packed_mechanisms(benchmark::State& run) {
  Bench b(static_cast<std::size_t>(run.range(0)), chain_shape);
  std::visit(
      [&]<std::size_t N>(const PackKernels<N>& k) {
        const std::vector<const Mechanism*> lanes(N, &b.mechanism);
        several(run, b, k.of_each, gathered<N>(lanes));
      },
      kernels().packed);
}

BENCHMARK(packed_mechanisms)->Name("packed, a mechanism in each lane/chain")->Arg(10)->Arg(50);
BENCHMARK(packed<chain_shape>)->Name("packed/chain")->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Arg(100)->Arg(1000);
BENCHMARK(packed<tree_shape>)->Name("packed/tree")->Arg(2)->Arg(10)->Arg(50)->Arg(1000);

void inverse(benchmark::State& run) {
  Bench b(static_cast<std::size_t>(run.range(0)), chain_shape);
  InverseDynamics<double> workspace(b.mechanism);
  const Eigen::VectorXd udot = Eigen::VectorXd::LinSpaced(b.system.initial.u.size(), -1, 1);
  Eigen::VectorXd tau(udot.size());
  for (auto _ : run) {
    const State& state = b.next();
    inverse_dynamics(b.mechanism, state.q.data(), state.u.data(), udot.data(), b.forces, workspace, tau.data());
    benchmark::DoNotOptimize(tau.data());
  }
  per_body(run, b.system.body_count());
}
BENCHMARK(inverse)->Name("inverse_dynamics/chain")->Arg(2)->Arg(10)->Arg(50)->Arg(1000);

void derivatives(benchmark::State& run) {
  Bench b(static_cast<std::size_t>(run.range(0)), chain_shape);
  Derivatives workspace(b.mechanism);
  for (auto _ : run) {
    const State& state = b.next();
    differentiate(b.mechanism, state.q.data(), state.u.data(), b.forces, workspace);
    benchmark::DoNotOptimize(workspace.by_q.entries.data());
  }
}
BENCHMARK(derivatives)->Name("derivatives/chain")->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Unit(benchmark::kMicrosecond);

// With the kernels of every processor that this one can stand in for.
void one_of(benchmark::State& run, const Kernels& k) {
  Bench b(static_cast<std::size_t>(run.range(0)), chain_shape);
  Kinematics<double> kinematics(b.mechanism);
  ArticulatedBodyData<double> workspace(b.mechanism);
  Eigen::VectorXd udot(b.system.initial.u.size());
  for (auto _ : run) {
    const State& state = b.next();
    k.one.update(b.mechanism, state.q.data(), state.u.data(), kinematics);
    k.one.accelerations(b.mechanism, kinematics, state.u.data(), b.forces, workspace, udot.data());
    benchmark::DoNotOptimize(udot.data());
  }
  per_body(run, b.system.body_count());
}
void packed_of(benchmark::State& run, const Kernels& kernels) {
  Bench b(static_cast<std::size_t>(run.range(0)), chain_shape);
  std::visit([&](const auto& k) { several(run, b, k.of_one, b.mechanism); }, kernels.packed);
}
void derivatives_of(benchmark::State& run, const Kernels& k) {
  Bench b(static_cast<std::size_t>(run.range(0)), chain_shape);
  Derivatives workspace(b.mechanism);
  for (auto _ : run) {
    const State& state = b.next();
    differentiate(k, b.mechanism, state.q.data(), state.u.data(), b.forces, workspace);
    benchmark::DoNotOptimize(workspace.by_q.entries.data());
  }
}
[[maybe_unused]] const bool of_all_processors = [] {
  using Of = void (*)(benchmark::State&, const Kernels&);
  for (const Kernels* k : available_kernels()) {
    for (const auto& [name, run] :
         {std::pair<std::string, Of>{"one", one_of}, {"packed", packed_of}, {"derivatives", derivatives_of}}) {
      const Of of = run;
      benchmark::RegisterBenchmark((std::string(k->processor) + "/" + name).c_str(),
                                   [of, k](benchmark::State& state) { of(state, *k); })
          ->Arg(10)
          ->Arg(50);
    }
  }
  return true;
}();

/// Any formulation by name; loads are none.
void formulation(benchmark::State& run, const System& system, const DynamicsSettings& settings, std::string_view name) {
  Dynamics dynamics(system, settings, name);
  const Forces<double> forces(system);
  std::vector<State> states;
  for (std::uint64_t s = 0; s < 64; ++s) states.push_back(random_state(system, s));
  Eigen::VectorXd udot(system.initial.u.size());
  std::size_t turn = 0;
  const bool own_kinematics = !uses_kinematics(dynamics.formulation());
  for (auto _ : run) {
    const State& state = states[++turn % states.size()];
    if (!own_kinematics) dynamics.update(state);
    dynamics.accelerations(state, forces, udot);
    benchmark::DoNotOptimize(udot.data());
  }
  per_body(run, system.body_count());
}

void formulation_on_chain(benchmark::State& run, std::string_view name) {
  const System system = system_of(chain(static_cast<std::size_t>(run.range(0)), 7));
  formulation(run, system, DynamicsSettings(system), name);
}
BENCHMARK_CAPTURE(formulation_on_chain, composite_body, "composite_body")
    ->Name("composite_body/chain")
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(50)
    ->Arg(200);
BENCHMARK_CAPTURE(formulation_on_chain, kane, "kane")
    ->Name("kane/chain")
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(50)
    ->Arg(200);
BENCHMARK_CAPTURE(formulation_on_chain, nested_body, "nested_body")
    ->Name("nested_body/chain")
    ->Arg(2)
    ->Arg(10)
    ->Arg(50);
BENCHMARK_CAPTURE(formulation_on_chain, augmented_body, "augmented_body")
    ->Name("augmented_body/chain")
    ->Arg(2)
    ->Arg(10)
    ->Arg(50);
BENCHMARK_CAPTURE(formulation_on_chain, absolute, "absolute")->Name("absolute/chain")->Arg(5)->Arg(10)->Arg(50);
BENCHMARK_CAPTURE(formulation_on_chain, mixed, "mixed")->Name("mixed/chain")->Arg(5)->Arg(10)->Arg(50);

// --- flexible bodies ------------------------------------------------------------------------------------------------

/// Arguments: bodies, modes of each, terms.
System flexible_system(const benchmark::State& run) {
  return system_of(flexible_chain(static_cast<std::size_t>(run.range(0)), static_cast<std::size_t>(run.range(1)),
                                  static_cast<FlexibleTerms>(run.range(2))));
}

/// Accelerations with the positions and velocities that they need, as in a run.
void flexible(benchmark::State& run, std::string_view name) {
  const System system = flexible_system(run);
  formulation(run, system, DynamicsSettings(system), name);
}

/// Positions, velocities and what the deformation makes of the inertias, which all formulations need.
void flexible_kinematics(benchmark::State& run) {
  const System system = flexible_system(run);
  const Mechanism mechanism(system);
  Kinematics<double> kinematics(mechanism);
  const State state = random_state(system, 1);
  for (auto _ : run) {
    update(mechanism, state.q.data(), state.u.data(), kinematics);
    benchmark::DoNotOptimize(kinematics.bodies.data());
  }
}

void modes_of_ten(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"bodies", "modes", "terms"});
  for (const auto terms : {FlexibleTerms::ruthless, FlexibleTerms::stiffened}) {
    for (const int modes : {1, 2, 5, 10, 20}) bench->Args({10, modes, static_cast<int>(terms)});
  }
}
void many_bodies(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"bodies", "modes", "terms"});
  for (const int bodies : {10, 100, 1000}) bench->Args({bodies, 5, static_cast<int>(FlexibleTerms::stiffened)});
}
BENCHMARK(flexible_kinematics)->Name("flexible/kinematics")->Apply(modes_of_ten);
BENCHMARK_CAPTURE(flexible, articulated, "articulated_body")->Name("flexible/articulated_body")->Apply(modes_of_ten);
BENCHMARK_CAPTURE(flexible, composite, "composite_body")->Name("flexible/composite_body")->Apply(modes_of_ten);
BENCHMARK_CAPTURE(flexible, many, "articulated_body")->Name("flexible/articulated_body")->Apply(many_bodies);

// --- JPL's comparisons ---------------------------------------------------------------------------------------------

System five_body(bool platform_prescribed) {
  const Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/five_body/five_body.yaml");
  Description description = loaded.model->description;
  for (JointDescription& joint : description.joints) {
    if (!platform_prescribed || (joint.name != "pan" && joint.name != "tilt")) continue;
    joint.torque.clear();
    joint.prescribed.kind = Prescribed::Kind::acceleration;
    joint.prescribed.motion.assign(1, expression::constant(0));
  }
  return system_of(description);
}

void on_five_body(benchmark::State& run, std::string_view name, bool prescribed) {
  const System system = five_body(prescribed);
  DynamicsSettings settings(system);
  formulation(run, system, settings, name);
}
BENCHMARK_CAPTURE(on_five_body, augmented, "augmented_body", false)->Name("five_body/augmented_body");
BENCHMARK_CAPTURE(on_five_body, prescribed, "augmented_body", true)
    ->Name("five_body/augmented_body, platform prescribed");
BENCHMARK_CAPTURE(on_five_body, total, "linear_total", false)->Name("five_body/linear_total");
BENCHMARK_CAPTURE(on_five_body, fixed, "linear_total_fixed", false)->Name("five_body/linear_total_fixed");
BENCHMARK_CAPTURE(on_five_body, articulated, "articulated_body", false)->Name("five_body/articulated_body");
BENCHMARK_CAPTURE(on_five_body, articulated_prescribed, "articulated_body", true)
    ->Name("five_body/articulated_body, platform prescribed");

/// A base with `hinges` hinges in a chain, the last `small` of them linearised.
void on_hinges(benchmark::State& run, std::string_view name, std::size_t hinges, std::size_t small) {
  const System system = system_of(chain(hinges + 1, 7));
  DynamicsSettings settings(system);
  for (std::size_t i = hinges + 2 - small; i < hinges + 2; ++i)
    settings.linearized.push_back(static_cast<std::uint32_t>(i));
  formulation(run, system, settings, name);
}
BENCHMARK_CAPTURE(on_hinges, augmented, "augmented_body", 14, 0)->Name("17_freedoms/augmented_body");
BENCHMARK_CAPTURE(on_hinges, total, "linear_total", 14, 0)->Name("17_freedoms/linear_total");
BENCHMARK_CAPTURE(on_hinges, fixed, "linear_total_fixed", 14, 0)->Name("17_freedoms/linear_total_fixed");
BENCHMARK_CAPTURE(on_hinges, partial, "linear_partial", 14, 10)->Name("17_freedoms/linear_partial, 10 of 14");

}  // namespace bench_dynamics
}  // namespace gyrostat::bench
