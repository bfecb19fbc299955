// Frequency responses of a linear model, with delays, samples and describing functions as they are.
#pragma once

#include <optional>

#include "gyrostat/analysis/modes.h"

namespace gyrostat {

/// Outputs by inputs, at many frequencies: A is brought to triangular form once.
class TransferMatrix {
 public:
  explicit TransferMatrix(const LinearModel& model);

  /// At a frequency [rad/s]. Infinite where it is that of an undamped mode.
  [[nodiscard]] Eigen::MatrixXcd at(double frequency) const;

 private:
  Eigen::MatrixXcd T_, B_, C_, D_;  // A = U T U^-1, U^-1 B, C U
  Eigen::Index inputs_ = 0, outputs_ = 0;
  std::vector<Channel> channels_;
};

/// At one frequency [rad/s].
inline Eigen::MatrixXcd response_at(const LinearModel& model, double frequency) {
  return TransferMatrix(model).at(frequency);
}

/// Frequencies for a plot: `per_decade` of them, and more where a lightly damped mode has its resonance, so that no
/// peak is passed over. Without a range, from a tenth of the slowest to ten times the fastest mode.
std::vector<double> frequency_grid(const Modes& modes, std::optional<double> from, std::optional<double> to,
                                   int per_decade = 50);

/// From an input to an output, or the gain of a loop.
struct FrequencyResponse {
  std::vector<double> frequency;            // [rad/s]
  std::vector<std::complex<double>> value;  // by frequency
  std::vector<double> decibels, phase;      // [dB, deg]; the phase without jumps by 360 deg
};

/// `sign` is a factor, -1 for the gain of a loop. Frequencies ascend.
FrequencyResponse frequency_response(const LinearModel& model, Eigen::Index input, Eigen::Index output, double sign,
                                     const std::vector<double>& frequencies);

/// The same with frequencies between those given, until neighbours are so near to each other that a curve through them
/// is smooth: by 6 deg and 1.5 dB, or as near as a thousandth of what they were.
FrequencyResponse smooth_response(const LinearModel& model, Eigen::Index input, Eigen::Index output, double sign,
                                  std::vector<double> frequencies);

struct Crossover {
  double frequency = 0;  // [rad/s]
  double margin = 0;     // a factor on the gain, or an angle [rad]
};

/// Of a loop that is opened at a signal: with the response G of what computes the signal to what reads it, the loop
/// gain is L = -G, and the closed loop is at its limit where L = -1.
struct Margins {
  std::string signal;
  std::vector<Crossover> gain;       // where L is real and negative: the factor on the gain that would make it -1
  std::vector<Crossover> phase;      // where |L| = 1: the angle by which L may turn until it is -1, positive: by lag
  std::optional<Crossover> delay;    // the least further delay that makes it -1 [s], and the frequency of it
  std::optional<Crossover> modulus;  // the least |1 + L|
  bool closed_loop_stable = false;   // but for eigenvalues zero
};

/// `number` counts the opened signals: inputs and outputs of the same name.
Margins find_margins(const LinearModel& opened, const std::string& signal, bool closed_loop_stable);

}  // namespace gyrostat
