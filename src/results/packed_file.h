// The file of a run that has ended: the same datasets, compressed, in blocks that carry checksums.
#pragma once

#include "gyrostat/results/histories.h"
#include "gyrostat/results/layout.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::results {

/// All that `source` holds, with these contents and this status, the checkpoint from which the run can go on, if there
/// is one, and histories of some of the records.
void create_packed_file(RawFile& file, const Contents& contents, const ResultsReader& source, const std::string& status,
                        const std::string& checkpoint, const Histories* histories = nullptr);

}  // namespace gyrostat::results
