// The file beside a results file from which a run can go on.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace gyrostat::app {

struct CheckpointFile {
  double t = 0;                           // [s]
  std::uint64_t records = 0, events = 0;  // in the results file by then
  std::string bytes;                      // what the simulation saved
};

std::string checkpoint_path(const std::string& results);

/// In one move: there is always a whole one. Throws std::runtime_error.
void write_checkpoint(const std::string& path, const CheckpointFile& checkpoint);

/// Or what is wrong with it.
std::variant<CheckpointFile, std::string> read_checkpoint(const std::string& path);

}  // namespace gyrostat::app
