#include "linear.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/report/page.h"
#include "gyrostat/results/results.h"

#include "output.h"
#include "results_text.h"
#include "state_file.h"

namespace gyrostat::app {

namespace {

/// "jet1=0.3"
std::map<std::string, double> pairs_of(const std::vector<std::string>& texts, const std::string& option) {
  std::map<std::string, double> pairs;
  for (const std::string& text : split_list(texts, option)) {
    const std::size_t equals = text.find('=');
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto read = equals == std::string::npos ? std::from_chars_result{nullptr, std::errc::invalid_argument}
                                                  : std::from_chars(text.data() + equals + 1, end, value);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) {
      throw UsageError(fmt::format("{} {}: expected SIGNAL=NUMBER", option, printable(text)));
    }
    if (!pairs.emplace(text.substr(0, equals), value).second) {
      throw UsageError(fmt::format("{} {}: is given twice", option, printable(text)));
    }
  }
  return pairs;
}

std::optional<State> state_of(const LinearArguments& arguments, const Model& model) {
  if (arguments.state.empty()) return std::nullopt;
  auto read = read_state(arguments.state, model);
  if (const auto* why = std::get_if<std::string>(&read))
    throw UsageError(fmt::format("{}: {}", printable(arguments.state), *why));
  return std::get<State>(read);
}

}  // namespace

std::vector<std::string> split_list(const std::vector<std::string>& texts, const std::string& option) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& part) {
    const std::size_t first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    if (first == std::string::npos) throw UsageError(option + ": a name is empty");
    parts.push_back(part.substr(first, last - first + 1));
  };
  for (const std::string& text : texts) {
    int depth = 0;
    std::string part;
    for (const char c : text) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        add(std::exchange(part, ""));
      } else {
        part += c;
      }
    }
    add(part);
  }
  return parts;
}

OperatingPoint untrimmed_point(const LinearArguments& arguments, const Model& model) {
  if (arguments.at && !(*arguments.at >= 0 && std::isfinite(*arguments.at))) {
    throw UsageError("--at: a time is zero or positive");
  }
  return arguments.at ? point_at(model, *arguments.at) : initial_point(model, state_of(arguments, model));
}

TrimSettings trim_settings_of(const LinearArguments& arguments) {
  TrimSettings settings;
  settings.hold = split_list(arguments.hold, "--hold");
  const auto kind = std::ranges::find(steady_motions, arguments.steady);
  if (!arguments.steady.empty() && kind == steady_motions.end()) {
    throw UsageError(
        fmt::format("--steady {}: expected {}", printable(arguments.steady), fmt::join(steady_motions, ", ")));
  }
  if (!arguments.steady.empty()) settings.motion = static_cast<SteadyMotion>(kind - steady_motions.begin());
  return settings;
}

OperatingPoint point_of(const LinearArguments& arguments, const Model& model) {
  OperatingPoint point = untrimmed_point(arguments, model);
  if (!arguments.trim && (!arguments.steady.empty() || !arguments.hold.empty())) {
    throw UsageError("--steady and --hold say how to trim: add --trim");
  }
  if (!arguments.trim) return point;
  Trim found = gyrostat::trim(model, point, trim_settings_of(arguments));
  if (!found.found()) throw AnalysisError(failure_text(found));
  return std::move(found.point);
}

int with_model(const ModelArguments& arguments, const std::function<int(const Source&, const Model&)>& act) {
  const bool json = arguments.json;
  const Loaded loaded = load(arguments);
  if (!loaded.model) return refuse_model(json, loaded);
  if (!json) print_problems(loaded);
  try {
    return act(loaded.source, *loaded.model);
  } catch (const AnalysisError& error) {
    return refuse(json, printable(error.what()));
  } catch (const UsageError& error) {
    return refuse(json, printable(error.what()));
  } catch (const report::ReportError& error) {
    return refuse(json, printable(error.what()));
  } catch (const results::ResultsError& error) {
    return refuse(json, printable(error.what()), exit_code_of(error));
  }
}

LinearizeSettings linearize_settings_of(const LinearArguments& arguments) {
  LinearizeSettings settings;
  settings.inputs = split_list(arguments.inputs, "--inputs");
  settings.outputs = split_list(arguments.outputs, "--outputs");
  settings.open = split_list(arguments.open, "--open");
  settings.gains = pairs_of(arguments.gains, "--gain");
  settings.amplitudes = pairs_of(arguments.describe, "--describe");
  return settings;
}

Limits range_of(const std::string& text) {
  Limits range;
  if (text.empty()) return range;
  const std::size_t colon = text.find(':');
  const auto number = [&](std::string_view part) -> std::optional<double> {
    if (part.empty()) return std::nullopt;
    double value = 0;
    const auto read = std::from_chars(part.data(), part.data() + part.size(), value);
    if (read.ec != std::errc() || read.ptr != part.data() + part.size() || !std::isfinite(value)) {
      throw UsageError(fmt::format("--range {}: expected LOW:HIGH", printable(text)));
    }
    return value;
  };
  if (colon == std::string::npos) throw UsageError(fmt::format("--range {}: expected LOW:HIGH", printable(text)));
  range.from = number(std::string_view(text).substr(0, colon));
  range.to = number(std::string_view(text).substr(colon + 1));
  return range;
}

int with_linear_model(const LinearArguments& arguments, const Source& source, const Model& model,
                      const std::function<int(const LinearTask&)>& act) {
  const LinearizeSettings settings = linearize_settings_of(arguments);
  const OperatingPoint point = point_of(arguments, model);
  const LinearModel linear = gyrostat::linearize(model, point, settings);
  return act({source, model, point, settings, linear});
}

int with_linear_model(const LinearArguments& arguments, const std::function<int(const LinearTask&)>& act) {
  return with_model(arguments.model, [&](const Source& source, const Model& model) {
    return with_linear_model(arguments, source, model, act);
  });
}

StateSpace space_of(const LinearArguments& arguments, const LinearModel& model) {
  return arguments.discrete ? discrete_state_space(model, arguments.pade) : state_space(model, arguments.pade);
}

void print_heading(const LinearArguments& arguments, const LinearTask& task) {
  fmt::print("{} at t = {:.6g} s: {}\n", printable(arguments.model.file), task.linear.t,
             counted(task.linear.states.size(), "state", "states"));
  for (const std::string& note : task.linear.notes) fmt::print("  note: {}\n", printable(note));
}

}  // namespace gyrostat::app
