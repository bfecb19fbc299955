#include "gyrostat/analysis/modes.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "linear.h"
#include "linear_report.h"
#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

Json complex_json(std::complex<double> z) { return {z.real(), z.imag()}; }

Json mode_json(const Mode& mode, const StateSpace& space, const System& system) {
  Json shape = Json::object(), participation = Json::object();
  for (std::size_t k = 0; k < space.states.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    shape[space.states[k].name] = complex_json(mode.shape[i]);
    participation[space.states[k].name] = mode.participation[i];
  }
  const std::complex<double> lambda = continuous_eigenvalue(mode, space.period);
  Json json = {{"eigenvalue", complex_json(mode.eigenvalue)}, {"rigid", mode.rigid}};
  if (!mode.rigid) {
    json["frequency"] = std::abs(lambda) / (2 * std::numbers::pi);
    json["damping_ratio"] = -lambda.real() / std::abs(lambda);
    json["time_constant"] = -1 / lambda.real();
  }
  json["what_moves"] = words_of(mode, space.states, system);
  json["shape"] = std::move(shape);
  json["participation"] = std::move(participation);
  return json;
}

void print_modes(const Modes& found, const StateSpace& space, const System& system) {
  const bool discrete = space.period != 0;
  if (found.rigid > 0) {
    fmt::print("\n{} {} {}: {}\n", counted(found.rigid, "eigenvalue", "eigenvalues"), found.rigid == 1 ? "is" : "are",
               discrete ? "one" : "zero", words_of_chains(found));
    fmt::print("  {}\n", words_of_zeros(found, space.states));
  }
  if (found.modes.size() == found.rigid) return;
  fmt::print("\n  {:>3}  {:>26}  {:>11}  {:>9}  {:>11}  {}\n", "", discrete ? "eigenvalue" : "eigenvalue [1/s]", "Hz",
             "damping", "time [s]", "what moves");
  std::size_t number = 0, growing = 0;
  for (const Mode& mode : found.modes) {
    if (mode.rigid) continue;
    const std::complex<double> lambda = continuous_eigenvalue(mode, space.period);
    const bool pair = mode.oscillates(), undamped = std::abs(lambda.real()) <= negligible_damping * std::abs(lambda);
    const bool grows = lambda.real() > 0 && !undamped;
    growing += grows ? 1 : 0;
    const double real = undamped && !discrete ? 0 : mode.eigenvalue.real();
    fmt::print("  {:>3}  {:>26}  {:>11}  {:>9}  {:>11}  {}{}\n", ++number,
               pair ? fmt::format("{:.5g} +- {:.6g}i", real, mode.eigenvalue.imag()) : fmt::format("{:.6g}", real),
               pair ? fmt::format("{:.6g}", std::abs(lambda) / (2 * std::numbers::pi)) : "-",
               pair ? fmt::format("{:.4g}", undamped ? 0 : -lambda.real() / std::abs(lambda)) : "-",
               undamped ? "-" : fmt::format("{:.5g}", -1 / lambda.real()), words_of(mode, space.states, system),
               grows ? "  (grows)" : "");
  }
  if (growing > 0)
    fmt::print("\nunstable: {} {}\n", counted(growing, "mode", "modes"), growing == 1 ? "grows" : "grow");
}

}  // namespace

int modes(const LinearArguments& arguments) {
  return with_linear_model(arguments, [&](const LinearTask& task) {
    LinearReport report(arguments, "modes");
    const StateSpace space = space_of(arguments, task.linear);
    const Modes found = find_modes(space);
    if (report.wanted()) {
      report::LinearStudy study;
      study.responses = report::study_loops(task.linear, arguments.pade);
      report.write(task, task.linear, std::move(study));
    }
    if (arguments.model.json) {
      Json list = Json::array();
      for (const Mode& mode : found.modes) list.push_back(mode_json(mode, space, task.model.system));
      Json answer = {{"t", task.linear.t},     {"period", space.period},   {"zero_eigenvalues", found.rigid},
                     {"chains", found.chains}, {"modes", std::move(list)}, {"notes", task.linear.notes}};
      report.add_to(answer);
      print_json(answer);
      return exit_code::done;
    }
    print_heading(arguments, task);
    print_modes(found, space, task.model.system);
    report.print();
    return exit_code::done;
  });
}

}  // namespace gyrostat::app
