// The response of a linear model to random disturbances: power spectral densities of outputs, and their root mean
// squares by source and by mode. Numbers in comments are the equations of docs/theory/linear_model.md.
#pragma once

#include "gyrostat/analysis/frequency_response.h"
#include "gyrostat/model/load.h"

namespace gyrostat {

/// A white level of density [unit^2/Hz], one-sided.
struct WhiteSpectrum {
  double density = 0;
};

/// Independent random numbers of this standard deviation, each held over a period [s].
struct HeldSpectrum {
  double std = 0, period = 0;
};

/// Densities [unit^2/Hz], one-sided, at increasing frequencies [Hz]; powers of the frequency between two of them
/// (straight lines in logarithmic scales), zero outside.
struct TabulatedSpectrum {
  std::vector<double> frequency, density;
};

using Spectrum = std::variant<WhiteSpectrum, HeldSpectrum, TabulatedSpectrum>;

/// One-sided density [unit^2/Hz] at a frequency [Hz].
double density_of(const Spectrum& spectrum, double frequency);

/// What disturbs an input of the linear model.
struct RandomSource {
  std::string input;
  Spectrum spectrum;
};

/// The noise blocks of a model, each at its own signal.
std::vector<RandomSource> noise_of(const Model& model);

/// Of one output.
struct RandomOutput {
  std::vector<double> density;    // by frequency [unit^2/Hz], one-sided
  double rms = 0;                 // over the range
  std::vector<double> by_source;  // rms, by source; their squares add up to that of rms
  std::vector<double> by_mode;    // part of the mean square, by mode that is not rigid; with `rest` they add up to it
  double rest = 0;                // of zero eigenvalues, of what acts without delay, of what a Pade approximation lacks
};

struct RandomResponse {
  Modes modes;
  std::vector<LinearVariable> states;  // of the modes
  std::vector<double> frequency;       // of the densities [Hz]
  double from = 0, to = 0;             // range of the mean squares [Hz]; 0 and infinity where there is no limit
  std::vector<RandomOutput> outputs;   // by output of the model
  std::vector<std::string> notes;
};

/// Sources are independent of each other. Without a limit of the range [Hz] the mean squares are those of all
/// frequencies, unless they have none. Throws AnalysisError where the closed loop is unstable, or a mode that is
/// excited has no damping.
RandomResponse random_response(const LinearModel& model, const std::vector<RandomSource>& sources,
                               std::optional<double> from, std::optional<double> to, int pade_order = 3);

}  // namespace gyrostat
