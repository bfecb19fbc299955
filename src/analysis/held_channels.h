// The blocks whose outputs are held between events, or delayed, as channels of a linear model.
#pragma once

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/plant/plant.h"

namespace gyrostat {

/// A held block whose output varies with its input.
struct HeldChannel {
  Channel channel;
  std::uint32_t held = 0;  // its output in DiscreteState::held
  Slot input = 0;
  bool differentiable = true;  // or its gain is not known
};

struct HeldChannels {
  std::vector<HeldChannel> list;
  std::vector<std::string> notes;  // about what stands for switches
};

/// With the gains and describing functions of the settings. Throws AnalysisError where those cannot stand for a block.
HeldChannels find_channels(const Plant& plant, const LinearizeSettings& settings);

/// In words, with what can be done.
std::string why_not_differentiable(const Plant& plant, const HeldChannel& channel);

/// Fundamental harmonic of the output over that of a sinusoidal input of this amplitude, for an amplifier with this
/// deadband and hysteresis: zero where the input stays in the deadband.
std::complex<double> describing_function(double deadband, double hysteresis, double amplitude);

}  // namespace gyrostat
