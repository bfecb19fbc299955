#include "gyrostat/campaign/ranks.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

namespace gyrostat::campaign {

namespace {

/// The first of the variables that is set: those of OpenMPI, PMIx and PMI.
int number_in_environment(std::initializer_list<const char*> names, int without) {
  for (const char* name : names) {
    if (const char* text = std::getenv(name)) return std::atoi(text);
  }
  return without;
}

}  // namespace

int processes_started() { return std::max(1, number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1)); }
int process_number() { return number_in_environment({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}, 0); }

}  // namespace gyrostat::campaign
