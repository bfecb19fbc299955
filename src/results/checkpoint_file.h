// From what a run can be resumed: a file beside the results while it goes on, and a dataset in them when it has ended.
#pragma once

#include <cstdint>
#include <string>

namespace gyrostat::results {

struct CheckpointFile {
  double t = 0;                           // [s]
  std::uint64_t records = 0, events = 0;  // in the results file at that time
  std::string bytes;                      // state of the simulation, as Simulation saves it
};

/// As it is written, and back. Throws ResultsError, naming `path`, if it is damaged or of another version.
std::string bytes_of(const CheckpointFile& checkpoint);
CheckpointFile checkpoint_of(const std::string& path, const std::string& bytes);

std::string checkpoint_path(const std::string& results_path);

/// Replaces an earlier one in one step, so that a complete one exists at any time. Throws ResultsError.
void write_checkpoint(const std::string& path, const CheckpointFile& checkpoint);

/// Throws ResultsError if there is none, or if it is damaged or of another version.
CheckpointFile read_checkpoint(const std::string& path);

/// The checkpoint of an earlier run with the same results file, or of a run that has finished.
void remove_checkpoint(const std::string& results_path);

}  // namespace gyrostat::results
