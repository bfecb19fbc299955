// What a page shows of a linear model: modes with the motion of the spacecraft in them, responses with margins, a root
// locus. viewer/src/payload.ts explains the fields of Analysis.
#pragma once

#include "gyrostat/analysis/frequency_response.h"
#include "gyrostat/analysis/linear_file.h"
#include "gyrostat/analysis/root_locus.h"
#include "gyrostat/model/load.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

// --- what is given
// ----------------------------------------------------------------------------------------------------

struct StudiedResponse {
  std::string title;  // "loop gain at command", "bus.torque_z to pin.angle"
  std::string unit;   // of output by input, or empty
  FrequencyResponse response;
  std::optional<Margins> margins;  // of a loop that is opened
};

struct StudiedLocus {
  std::string parameter, unit;
  std::optional<double> nominal;  // what the model says
  RootLocus locus;
};

/// What was computed about a linear model, by a command or from a file.
struct LinearStudy {
  LinearModel linear;  // whose modes are shown
  StateSpace space;    // the same without channels, in continuous or discrete time
  LinearOrigin origin;
  std::string label;  // "gyrostat modes", or the name of a file
  std::vector<StudiedResponse> responses;
  std::optional<StudiedLocus> locus;
};

/// The gain of the loop at an opened signal, over the frequencies that its modes and crossovers ask for, with margins.
/// `closed` is the model with this loop closed.
StudiedResponse study_loop(const LinearModel& opened, const std::string& signal, const LinearModel& closed, int pade);

/// Of all loops that are opened, one at a time while the others are closed.
std::vector<StudiedResponse> study_loops(const LinearModel& model, int pade);

/// Everything that a linear model has: responses from all inputs to all outputs, a limited number of them, and the
/// loops that are opened, one at a time while the others are closed. Modes are those of the closed loop.
LinearStudy study_of(const LinearModel& model, const LinearOrigin& origin, double period);

// --- what is made of it
// -----------------------------------------------------------------------------------------------

/// Nothing of it but warnings where the spacecraft cannot be shown. `folder` has the meshes.
Analysis analysis_of(const Model& model, const LinearStudy& study, Blocks& blocks, std::vector<std::string>& warnings);

}  // namespace gyrostat::report
