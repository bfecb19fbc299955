// Any bytes as a model file: reader, validator and build either succeed or report; they never crash, hang or leak.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gyrostat/model/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const gyrostat::Loaded loaded =
      gyrostat::load_text("fuzz.yaml", std::string(reinterpret_cast<const char*>(data), size));
  // Whatever is refused is explained, and can be printed.
  if (!loaded.model && loaded.problems.errors() == 0) std::abort();
  if (loaded.model && loaded.problems.errors() != 0) std::abort();
  for (const auto& problem : loaded.problems.all()) {
    if (problem.message.empty() || render(problem, loaded.source, true).empty()) std::abort();
  }
  if (loaded.model) {
    const gyrostat::System& system = loaded.model->system;
    if (coordinate_entries(system).size() != static_cast<std::size_t>(system.initial.q.size())) std::abort();
    if (speed_entries(system).size() != static_cast<std::size_t>(system.initial.u.size())) std::abort();
    total_mass_properties(system, system.initial.q);
  }
  return 0;
}
