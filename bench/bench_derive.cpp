// The C that `gyrostat derive --form scalar` writes, compiled by the system's compiler, against the recursions. The
// same chains and states as in bench_dynamics.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "gyrostat/derive/scalar_print.h"
#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/composite_body.h"

#include "mechanisms.h"

namespace gyrostat::bench {
namespace bench_derive {

using Accelerations = void(const double* p, const double* q, const double* u, double t, const double* s, double* udot);

/// A chain whose equations are printed, compiled and loaded.
struct Printed {
  Loaded loaded;
  scalar::Form form;
  std::vector<double> p;
  std::vector<State> states;
  Accelerations* accelerations = nullptr;
  std::size_t turn = 0;

  explicit Printed(std::size_t count, const std::string& options)
      : loaded(load_description(chain(count, 1000 + count))) {
    if (!loaded.model) throw std::invalid_argument(loaded.problems.all().at(0).message);
    loaded.model->system.name = fmt::format("chain{}", count);
    form = scalar::derive_form(*loaded.model);
    p = scalar::values_of(form.p);
    for (std::uint64_t s = 0; s < 64; ++s) states.push_back(random_state(loaded.model->system, s));
    std::string folder = (std::filesystem::temp_directory_path() / "gyrostat-bench-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder for the compiled equations");
    std::ofstream(folder + "/equations.c") << scalar::to_c(form);
    const std::string command =
        fmt::format("cc -std=c99 {1} -shared -fPIC '{0}/equations.c' -o '{0}/equations.so' -lm", folder, options);
    if (std::system(command.c_str()) != 0) throw std::runtime_error("the equations did not compile");
    void* library = dlopen((folder + "/equations.so").c_str(), RTLD_NOW);
    if (library == nullptr) throw std::runtime_error(dlerror());
    accelerations =
        reinterpret_cast<Accelerations*>(dlsym(library, fmt::format("chain{}_accelerations", count).c_str()));
    std::filesystem::remove_all(folder);
  }
  const State& next() { return states[++turn % states.size()]; }
};

Printed& printed(std::size_t count, const std::string& options) {
  static std::map<std::pair<std::size_t, std::string>, Printed> all;
  const auto key = std::pair(count, options);
  const auto found = all.find(key);
  return found != all.end()
             ? found->second
             : all.emplace(std::piecewise_construct, std::forward_as_tuple(key), std::forward_as_tuple(count, options))
                   .first->second;
}

void of_printed(benchmark::State& run, const char* options) {
  Printed& b = printed(static_cast<std::size_t>(run.range(0)), options);
  std::vector<double> udot(b.form.u.size());
  for (auto _ : run) {
    const State& state = b.next();
    b.accelerations(b.p.data(), state.q.data(), state.u.data(), 0, nullptr, udot.data());
    benchmark::DoNotOptimize(udot.data());
  }
  run.counters["operations"] = static_cast<double>(scalar::count_operations(b.form.graph, b.form.udot).all());
}
void printed_c(benchmark::State& run) { of_printed(run, "-O2"); }
void printed_c_native(benchmark::State& run) { of_printed(run, "-O2 -march=native"); }

/// Of the kernels, for the same chain.
template <class Data>
void by_kernel(benchmark::State& run) {
  const System system =
      system_of(chain(static_cast<std::size_t>(run.range(0)), 1000 + static_cast<std::uint64_t>(run.range(0))));
  const Mechanism mechanism(system);
  const Forces<double> forces(system);
  std::vector<State> states;
  for (std::uint64_t s = 0; s < 64; ++s) states.push_back(random_state(system, s));
  Kinematics<double> kinematics(mechanism);
  Data workspace(mechanism);
  std::vector<double> udot(mechanism.nu);
  std::size_t turn = 0;
  for (auto _ : run) {
    const State& state = states[++turn % states.size()];
    update(mechanism, state.q.data(), state.u.data(), kinematics);
    accelerations(mechanism, kinematics, state.u.data(), forces, workspace, udot.data());
    benchmark::DoNotOptimize(udot.data());
  }
}

/// How long it takes to derive the equations and to print them as C.
void derive_and_print(benchmark::State& run) {
  const Loaded loaded =
      load_description(chain(static_cast<std::size_t>(run.range(0)), 1000 + static_cast<std::uint64_t>(run.range(0))));
  for (auto _ : run) {
    const std::string text = scalar::to_c(scalar::derive_form(*loaded.model));
    benchmark::DoNotOptimize(text.data());
  }
}

BENCHMARK(printed_c)->Arg(2)->Arg(5)->Arg(10)->Arg(20);
BENCHMARK(printed_c_native)->Arg(2)->Arg(5)->Arg(10)->Arg(20);
BENCHMARK(by_kernel<ArticulatedBodyData<double>>)->Name("articulated_body")->Arg(2)->Arg(5)->Arg(10)->Arg(20);
BENCHMARK(by_kernel<CompositeBodyData>)->Name("composite_body")->Arg(2)->Arg(5)->Arg(10)->Arg(20);
BENCHMARK(derive_and_print)->Arg(2)->Arg(10)->Arg(20)->Arg(50)->Unit(benchmark::kMillisecond);

}  // namespace bench_derive
}  // namespace gyrostat::bench
