// Where the entry actions of a state machine stand in the file: those on the components of a vector, where the vector
// is set.
#pragma once

#include <algorithm>
#include <string>

#include "gyrostat/format/description.h"

namespace gyrostat {

/// The signal's name in the file: "error" of error.x.
inline std::string written_name(const Description& description, const std::string& signal) {
  const auto found = std::ranges::find(description.signals, signal, &SignalDescription::name);
  return found == description.signals.end() || found->written.empty() ? signal : found->written;
}

/// Within the description.
inline std::string path_of_entry(const Description& description, const SignalDescription& machine,
                                 const ModeState& state, const ModeEntry& entry) {
  return machine.path() + "." + ModesBlock::path_of(state, ModeEntry{written_name(description, entry.signal), {}});
}

}  // namespace gyrostat
