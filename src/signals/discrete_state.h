// What a run remembers between steps beside the integrated state: constant between events, saved whole by checkpoints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gyrostat/dynamics/closure_plan.h"
#include "gyrostat/math/condition.h"
#include "gyrostat/signals/history.h"
#include "gyrostat/signals/instants.h"

namespace gyrostat {

/// What a held block remembers.
struct HeldMemory {
  double since = -never;              // amplifier, edge, modes: of its last change [s]
  std::uint64_t next = 0;             // sample, noise, plugin: the number of the next instant
  History history;                    // delay
  std::vector<unsigned char> memory;  // plugin
  std::vector<double> times;  // modes: since when the condition of each transition is true; never: it is not [s]
};

struct DiscreteState {
  std::vector<std::uint32_t> positions;  // of switches: on or off; of a table's knots, the segment
  std::vector<double> held;              // outputs of held blocks
  std::vector<HeldMemory> memory;        // by held block
  std::vector<Truth> free;               // by speed: its acceleration follows from the equations of motion
  std::vector<Truth> latched;            // by latch
  std::vector<std::int8_t> sliding;      // by restraint: the sign of the speed that its friction opposes; 0: it sticks
  std::vector<std::int8_t> stopped;      // by restraint: -1 at its low bound, 1 at its high one, 0 at neither;
                                         // of a speed: -2, 2 beyond it
  ClosurePlan closures;                  // which rows of the constraints are solved for
  std::uint64_t noise_stream = 0;        // which numbers noise blocks draw, beside their seeds
  double end = never;                    // the last instant of the run [s]: a table that ends there is not left
  std::string failure;                   // of a plugin, or empty
};

/// Something that changed at an event.
struct Change {
  std::string name;  // "signals.jet1", "joints.pan.torque"
  std::string what;  // "on +", "off", "step", ...; empty: not to be listed
};

}  // namespace gyrostat
