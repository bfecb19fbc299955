#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/analysis/frequency_response.h"

#include "linear.h"
#include "linear_report.h"
#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

constexpr std::size_t most_margins = 4;

double decibels(double factor) { return 20 * std::log10(factor); }

Json margins_json(const Margins& m) {
  Json gain = Json::array(), phase = Json::array();
  for (const Crossover& c : m.gain) gain.push_back({{"frequency", c.frequency}, {"factor", c.margin}});
  for (const Crossover& c : m.phase) phase.push_back({{"frequency", c.frequency}, {"angle", c.margin}});
  Json json = {{"signal", m.signal},
               {"closed_loop_stable", m.closed_loop_stable},
               {"gain", std::move(gain)},
               {"phase", std::move(phase)}};
  json["delay"] = m.delay ? Json{{"frequency", m.delay->frequency}, {"time", m.delay->margin}} : Json();
  json["modulus"] = m.modulus ? Json{{"frequency", m.modulus->frequency}, {"distance", m.modulus->margin}} : Json();
  return json;
}

void print_margins(const Margins& m) {
  fmt::print("\nloop at {}: the closed loop is {}\n", m.signal,
             m.closed_loop_stable ? "stable" : "unstable, and its margins say how far it is from being at the limit");
  if (m.gain.empty()) fmt::print("  gain margin   none: the loop gain is never real and negative\n");
  std::vector<Crossover> gain = m.gain;  // those nearest to the limit
  std::ranges::stable_sort(gain, {}, [](const Crossover& c) { return std::abs(std::log(c.margin)); });
  gain.resize(std::min(gain.size(), most_margins));
  std::ranges::sort(gain, {}, &Crossover::frequency);
  for (const Crossover& c : gain) {
    fmt::print("  gain margin   {:>10.4g} = {:>8.2f} dB    at {:.6g} rad/s ({:.6g} Hz)\n", c.margin, decibels(c.margin),
               c.frequency, c.frequency / (2 * std::numbers::pi));
  }
  if (m.gain.size() > gain.size())
    fmt::print("  and {} more that are further from the limit\n", m.gain.size() - gain.size());
  if (m.phase.empty()) fmt::print("  phase margin  none: the loop gain never has magnitude one\n");
  for (const Crossover& c : m.phase) {
    fmt::print("  phase margin  {:>10.2f} deg{:>12}    at {:.6g} rad/s ({:.6g} Hz)\n", c.margin * degrees_per_radian,
               "", c.frequency, c.frequency / (2 * std::numbers::pi));
  }
  if (m.delay) {
    fmt::print("  delay margin  {:>10.4g} s{:>14}    at {:.6g} rad/s\n", m.delay->margin, "", m.delay->frequency);
  }
  if (m.modulus) {
    fmt::print("  least |1 + L| {:>10.4g}{:>16}    at {:.6g} rad/s\n", m.modulus->margin, "", m.modulus->frequency);
  }
}

}  // namespace

int margins(const LinearArguments& arguments) {
  if (arguments.open.empty()) {
    return refuse(arguments.model.json,
                  "margins are those of loops: name the signals at which to open them with --open");
  }
  std::vector<std::string> signals;
  try {
    signals = split_list(arguments.open, "--open");
  } catch (const UsageError& error) {
    return refuse(arguments.model.json, printable(error.what()));
  }
  LinearArguments closed = arguments;
  closed.open.clear();
  return with_linear_model(closed, [&](const LinearTask& task) {
    LinearReport report(arguments, "margins");
    const Modes closed_modes = find_modes(state_space(task.linear, arguments.pade).A);
    const bool stable = std::ranges::none_of(closed_modes.modes, &Mode::grows);
    std::vector<Margins> all;
    report::LinearStudy study;
    for (const std::string& signal : signals) {  // one loop at a time: the others stay closed
      LinearizeSettings settings = task.settings;
      settings.inputs.clear();
      settings.outputs.clear();
      settings.open = {signal};
      const LinearModel opened = gyrostat::linearize(task.model, task.point, settings);
      all.push_back(find_margins(opened, signal, stable));
      if (report.wanted()) study.responses.push_back(report::study_loop(opened, signal, task.linear, arguments.pade));
    }
    report.write(task, task.linear, std::move(study));
    if (arguments.model.json) {
      Json list = Json::array();
      for (const Margins& margins : all) list.push_back(margins_json(margins));
      Json answer = {{"t", task.linear.t}, {"loops", std::move(list)}, {"notes", task.linear.notes}};
      report.add_to(answer);
      print_json(answer);
      return exit_code::done;
    }
    print_heading(arguments, task);
    for (const Margins& margins : all) print_margins(margins);
    report.print();
    return exit_code::done;
  });
}

}  // namespace gyrostat::app
