// Without MPI: one process.
#include <stdexcept>

#include "gyrostat/campaign/ranks.h"

namespace gyrostat::campaign {

bool has_mpi() { return false; }

Ranks::Ranks() {
  if (processes_started() > 1) {
    throw std::runtime_error(
        "several processes were started, but this program was built without MPI: each would fly the whole campaign; "
        "build it where MPI is installed (Debian: libopenmpi-dev)");
  }
}
Ranks::~Ranks() = default;

std::uint64_t Ranks::take(std::uint64_t count) {
  const std::uint64_t first = next_;
  next_ += count;
  return first;
}

void Ranks::help_others() {}
void Ranks::report(const Report&) {}
Ranks::Report Ranks::reported() { return {}; }
void Ranks::share(std::vector<std::uint8_t>&) {}
void Ranks::wait_for_all() {}
double Ranks::sum(double value) { return value; }
void Ranks::leave() {}

}  // namespace gyrostat::campaign
