#include <charconv>
#include <cmath>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/analysis/random_response.h"

#include "gnuplot.h"
#include "linear.h"
#include "output.h"
#include "response_picture.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

std::optional<double> number_of(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, last - first + 1);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Lines FREQUENCY,DENSITY; empty ones, those that begin with #, and a first one without numbers are passed over.
TabulatedSpectrum read_spectrum(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError(fmt::format("--spectrum {}: cannot be read", printable(path)));
  TabulatedSpectrum table;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line.starts_with('#')) continue;
    const auto wrong = [&](const std::string& what) {
      return UsageError(fmt::format("{}:{}: {}", printable(path), number, what));
    };
    const std::size_t comma = line.find(',');
    const auto f = number_of(std::string_view(line).substr(0, comma));
    const auto density =
        comma == std::string::npos ? std::nullopt : number_of(std::string_view(line).substr(comma + 1));
    if (!f && !density && table.frequency.empty()) continue;
    if (!f || !density) throw wrong("expected FREQUENCY,DENSITY: two numbers");
    if (!(*f > 0)) throw wrong("a frequency is positive");
    if (!table.frequency.empty() && *f <= table.frequency.back()) throw wrong("frequencies increase from line to line");
    if (*density < 0) throw wrong("a density is not negative");
    table.frequency.push_back(*f);
    table.density.push_back(*density);
  }
  if (table.frequency.size() < 2) {
    throw UsageError(fmt::format("{}: expected two lines FREQUENCY,DENSITY at least", printable(path)));
  }
  return table;
}

std::vector<RandomSource> given_sources(const RandomArguments& arguments) {
  std::vector<RandomSource> sources;
  for (const std::string& text : split_list(arguments.spectra, "--spectrum")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw UsageError(
          fmt::format("--spectrum {}: expected INPUT=DENSITY, in unit^2/Hz, or INPUT=FILE.csv", printable(text)));
    }
    const std::string input = text.substr(0, equals), value = text.substr(equals + 1);
    if (std::ranges::find(sources, input, &RandomSource::input) != sources.end()) {
      throw UsageError(fmt::format("--spectrum {}: is given twice", printable(input)));
    }
    if (const auto density = number_of(value)) {
      if (*density < 0) throw UsageError(fmt::format("--spectrum {}: a density is not negative", printable(text)));
      sources.push_back({input, WhiteSpectrum{*density}});
    } else {
      sources.push_back({input, read_spectrum(value)});
    }
  }
  return sources;
}

/// All that disturbs: what is given, and the noise blocks of the model that have no other spectrum.
std::vector<RandomSource> all_sources(const RandomArguments& arguments, const Model& model) {
  std::vector<RandomSource> sources = given_sources(arguments);
  for (RandomSource& noise : noise_of(model)) {
    if (std::ranges::find(sources, noise.input, &RandomSource::input) == sources.end()) {
      sources.push_back(std::move(noise));
    }
  }
  if (sources.empty()) {
    throw UsageError(
        "nothing disturbs the model: it has no noise block; name an input and its density with --spectrum, like "
        "bus.torque_x=1e-6");
  }
  return sources;
}

std::string squared(const std::string& unit) { return unit.empty() ? "1/Hz" : fmt::format("({})^2/Hz", unit); }

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// Numbers of modes, the largest part first.
std::vector<std::size_t> by_size(const std::vector<double>& parts) {
  std::vector<std::size_t> order(parts.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return std::abs(parts[a]) > std::abs(parts[b]); });
  return order;
}

std::vector<const Mode*> moving_modes(const RandomResponse& response) {
  std::vector<const Mode*> modes;
  for (const Mode& mode : response.modes.modes) {
    if (!mode.rigid) modes.push_back(&mode);
  }
  return modes;
}

std::string frequency_text(double f) { return f == 0 ? "0" : std::isinf(f) ? "infinity" : fmt::format("{:.6g} Hz", f); }

void print_output(const LinearTask& task, const std::vector<RandomSource>& sources, const RandomResponse& response,
                  std::size_t number) {
  const RandomOutput& output = response.outputs[number];
  const LinearVariable& variable = task.linear.outputs[number];
  const double square = output.rms * output.rms;
  fmt::print("\n{}: rms {:.5g}{}{}, from {} to {}\n", printable(variable.name), output.rms,
             variable.unit.empty() ? "" : " ", variable.unit, frequency_text(response.from),
             frequency_text(response.to));
  fmt::print("  {:>12}  {:>12}  by source\n", "rms", "mean square");
  for (std::size_t k = 0; k < sources.size(); ++k) {
    fmt::print("  {:>12.5g}  {:>10.2f} %  {}\n", output.by_source[k],
               percent(output.by_source[k] * output.by_source[k], square), printable(sources[k].input));
  }
  fmt::print("  {:>12}  {:>12}  by mode\n", "", "");
  const std::vector<const Mode*> modes = moving_modes(response);
  const auto line = [&](double part, const std::string& what) {
    fmt::print("  {:>12}  {:>10.2f} %  {}\n", part >= 0 ? fmt::format("{:.5g}", std::sqrt(part)) : "",
               percent(part, square), what);
  };
  double small = output.rest;
  for (const std::size_t k : by_size(output.by_mode)) {
    if (std::abs(output.by_mode[k]) < 1e-3 * square) {
      small += output.by_mode[k];
      continue;
    }
    const Mode& mode = *modes[k];
    line(output.by_mode[k], fmt::format("{:.5g} {}, {}", mode.natural_frequency() / (2 * std::numbers::pi),
                                        mode.oscillates() ? fmt::format("Hz, damping {:.4g}", mode.damping_ratio())
                                                          : "Hz, not oscillating",
                                        words_of(mode, response.states, task.model.system)));
  }
  if (std::abs(small) >= 5e-5 * square) line(small, "all else");
}

Json as_json(const LinearTask& task, const std::vector<RandomSource>& sources, const RandomResponse& response) {
  Json outputs = Json::array();
  const std::vector<const Mode*> modes = moving_modes(response);
  for (std::size_t k = 0; k < response.outputs.size(); ++k) {
    const RandomOutput& output = response.outputs[k];
    Json by_source = Json::object(), by_mode = Json::array();
    for (std::size_t s = 0; s < sources.size(); ++s) by_source[sources[s].input] = output.by_source[s];
    for (std::size_t m = 0; m < modes.size(); ++m) {
      by_mode.push_back({{"frequency", modes[m]->natural_frequency() / (2 * std::numbers::pi)},
                         {"damping_ratio", modes[m]->damping_ratio()},
                         {"what_moves", words_of(*modes[m], response.states, task.model.system)},
                         {"mean_square", output.by_mode[m]}});
    }
    outputs.push_back({{"name", task.linear.outputs[k].name},
                       {"unit", task.linear.outputs[k].unit},
                       {"rms", output.rms},
                       {"by_source", std::move(by_source)},
                       {"by_mode", std::move(by_mode)},
                       {"rest", output.rest},
                       {"density", output.density}});
  }
  std::vector<std::string> notes = task.linear.notes;
  notes.insert(notes.end(), response.notes.begin(), response.notes.end());
  return {{"frequency", response.frequency},
          {"from", response.from},
          {"to", std::isinf(response.to) ? Json() : Json(response.to)},
          {"outputs", std::move(outputs)},
          {"notes", notes}};
}

std::string as_csv(const LinearTask& task, const RandomResponse& response) {
  std::string text = "frequency", units = "Hz";
  for (const LinearVariable& output : task.linear.outputs) {
    text += fmt::format(",\"{}\"", output.name);
    units += ", " + squared(output.unit);
  }
  text += "  # gyrostat linear 1: " + units + "\n";
  for (std::size_t i = 0; i < response.frequency.size(); ++i) {
    text += fmt::format("{}", response.frequency[i]);
    for (const RandomOutput& output : response.outputs) text += fmt::format(",{}", output.density[i]);
    text += "\n";
  }
  return text;
}

int respond(const RandomArguments& arguments, const Limits& range, const std::vector<RandomSource>& sources,
            const LinearTask& task) {
  const RandomResponse response = random_response(task.linear, sources, range.from, range.to, arguments.linear.pade);
  if (arguments.linear.model.json) {
    print_json(as_json(task, sources, response));
    return exit_code::done;
  }
  print_heading(arguments.linear, task);
  for (const std::string& note : response.notes) fmt::print("  note: {}\n", printable(note));
  for (std::size_t k = 0; k < response.outputs.size(); ++k) print_output(task, sources, response, k);
  const std::string& path = arguments.linear.output;
  if (path.ends_with(".csv")) {
    write_table(arguments.linear, as_csv(task, response));
  } else if (!path.empty()) {
    std::vector<ResponsePanel> panels;
    for (std::size_t k = 0; k < response.outputs.size(); ++k) {
      const LinearVariable& output = task.linear.outputs[k];
      panels.push_back({"frequency [Hz]", fmt::format("{} [{}]", output.name, squared(output.unit)), true,
                        &response.frequency, &response.outputs[k].density, true});
    }
    draw(arguments.linear, arguments.size, "power spectral density", panels);
  }
  return exit_code::done;
}

}  // namespace

int psd(const RandomArguments& arguments) {
  try {
    check_output(arguments.linear.output);
    const Limits range = range_of(arguments.range);
    static_cast<void>(given_sources(arguments));
    return with_model(arguments.linear.model, [&](const Source& source_text, const Model& model) {
      const std::vector<RandomSource> sources = all_sources(arguments, model);
      LinearArguments linear = arguments.linear;
      const std::vector<std::string> open = split_list(linear.open, "--open");
      for (const RandomSource& source : sources) {
        if (std::ranges::find(open, source.input) == open.end()) linear.inputs.push_back(source.input);
      }
      return with_linear_model(linear, source_text, model,
                               [&](const LinearTask& task) { return respond(arguments, range, sources, task); });
    });
  } catch (const UsageError& error) {
    return refuse(arguments.linear.model.json, printable(error.what()));
  } catch (const GnuplotError& error) {
    return refuse(arguments.linear.model.json, printable(error.what()), exit_code::cannot_go_on);
  }
}

}  // namespace gyrostat::app
