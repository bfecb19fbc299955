#include "gyrostat/analysis/held_channels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace gyrostat {

namespace {

/// A gain stands for a block that is held between events, and has one input and one output.
void check_replaced(const Plant& plant, const std::string& name, std::string_view option) {
  const Names& names = plant.names();
  if (!names.signal(name)) {
    const auto answer = names.resolve(name);
    const auto* why = std::get_if<std::string>(&answer);
    throw AnalysisError(fmt::format("{} {}: {}", option, name, why != nullptr ? *why : "it is no signal"));
  }
  const auto& held = plant.signals().held;
  const auto block = std::ranges::find(held, name, &HeldBlock::name);
  const bool amplifier = block != held.end() && std::holds_alternative<SwitchingAmplifier>(block->kind);
  if (option == "--describe" && !amplifier) {
    throw AnalysisError(fmt::format("--describe {}: it is no switching_amplifier", name));
  }
  if (block == held.end() || block->inputs.size() != 1 || block->outputs != 1) {
    throw AnalysisError(fmt::format(
        "--gain {}: a gain stands for a switching_amplifier, sample, delay, or plugin with one input and one output",
        name));
  }
}

void describe(const SwitchingAmplifier& amplifier, double amplitude, HeldChannel& held, HeldChannels& result) {
  const std::string& name = held.channel.signal;
  const std::complex<double> gain = describing_function(amplifier.deadband, amplifier.hysteresis, amplitude);
  held.channel.gain = gain;
  result.notes.push_back(fmt::format("{}: describing function at amplitude {:.6g}: {:.6g}{}", name, amplitude,
                                     gain.real(), gain.imag() == 0 ? "" : fmt::format(" {:+.6g}i", gain.imag())));
  if (amplifier.min_on_time > 0 || amplifier.min_off_time > 0) {
    result.notes.push_back(fmt::format("{}: least times on and off are left out", name));
  }
}

}  // namespace

HeldChannels find_channels(const Plant& plant, const LinearizeSettings& settings) {
  for (const auto& [name, gain] : settings.gains) check_replaced(plant, name, "--gain");
  for (const auto& [name, amplitude] : settings.amplitudes) {
    check_replaced(plant, name, "--describe");
    if (!(amplitude > 0)) throw AnalysisError(fmt::format("--describe {}: an amplitude is positive", name));
  }
  HeldChannels result;
  for (const HeldBlock& block : plant.signals().held) {
    HeldChannel held{
        {block.name, Channel::Kind::gain, 0, 0.0}, block.first, block.inputs.empty() ? 0 : block.inputs[0]};
    const auto gain = settings.gains.find(block.name);
    const auto amplitude = settings.amplitudes.find(block.name);
    if (gain != settings.gains.end()) {
      held.channel.gain = gain->second;
    } else if (const auto* amplifier = std::get_if<SwitchingAmplifier>(&block.kind)) {
      held.differentiable = amplitude != settings.amplitudes.end();
      if (held.differentiable) describe(*amplifier, amplitude->second, held, result);
    } else if (const auto* delay = std::get_if<Delay>(&block.kind)) {
      held.channel.kind = Channel::Kind::delay;
      held.channel.time = delay->time;
    } else if (const auto* sample = std::get_if<Sample>(&block.kind)) {
      held.channel.kind = Channel::Kind::sample;
      held.channel.time = sample->period;
    } else if (std::holds_alternative<Plugin>(block.kind)) {
      held.differentiable = false;
    } else {
      continue;  // noise, and what is held until something passes a threshold: constant
    }
    result.list.push_back(std::move(held));
  }
  return result;
}

std::string why_not_differentiable(const Plant& plant, const HeldChannel& channel) {
  const std::string& signal = channel.channel.signal;
  const auto block = std::ranges::find(plant.signals().held, signal, &HeldBlock::name);
  if (std::holds_alternative<SwitchingAmplifier>(block->kind)) {
    return fmt::format(
        "signals.{0}: a switching amplifier has no derivative; say what stands for it: --gain {0}=K, or "
        "--describe {0}=AMPLITUDE for its describing function",
        signal);
  }
  return fmt::format(
      "signals.{0}: the derivative of a plugin is not known; say what stands for it: --gain {0}=K, if it has one "
      "input and one output",
      signal);
}

std::complex<double> describing_function(double deadband, double hysteresis, double amplitude) {
  if (amplitude <= deadband) return 0;
  const double on = deadband / amplitude, off = (deadband - hysteresis) / amplitude;
  const double scale = 2 / (std::numbers::pi * amplitude);
  return {scale * (std::sqrt(1 - on * on) + std::sqrt(1 - off * off)), -scale * (on - off)};
}

}  // namespace gyrostat
