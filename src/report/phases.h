// What state machines, joints and wheels are in over the time of a run, from its events.
#pragma once

#include <vector>

#include "gyrostat/model/load.h"
#include "gyrostat/report/payload.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::report {

/// All state machines; and those joints and wheels that something held at some time.
std::vector<Phases> phases_of(const Model& model, const results::ResultsReader& results, Blocks& blocks);

}  // namespace gyrostat::report
