#include "gyrostat/constraints/assemble.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/constraints/refusal.h"
#include "gyrostat/expression/nearest.h"
#include "gyrostat/plant/run.h"
#include "gyrostat/results/results.h"
#include "gyrostat/results/target.h"

#include "output.h"
#include "results_text.h"
#include "state_file.h"

namespace gyrostat::app {

namespace {

struct Moved {
  std::string name, unit;
  double from = 0, to = 0;
};

/// Coordinates and speeds that changed by more than rounding.
std::vector<Moved> moved_entries(const std::vector<StateEntry>& entries, const Eigen::VectorXd& from,
                                 const Eigen::VectorXd& to) {
  std::vector<Moved> list;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    if (std::abs(to[i] - from[i]) <= 1e-12 * (1 + std::abs(from[i]))) continue;
    list.push_back({entries[k].name, std::string(entries[k].unit), from[i], to[i]});
  }
  return list;
}

void print_moved(const char* what, const std::vector<Moved>& list) {
  if (list.empty()) return;
  std::size_t width = 12;
  for (const Moved& m : list) width = std::max(width, m.name.size());
  fmt::print("\n{:<{}}  {:>16}{:>16}{:>16}\n", what, width, "from", "to", "change");
  for (const Moved& m : list) {
    fmt::print("{:<{}}  {:>16.9g}{:>16.9g}{:>16.3g}  {}\n", m.name, width, m.from, m.to, m.to - m.from, m.unit);
  }
}

Json moved_json(const std::vector<Moved>& list) {
  Json json = Json::object();
  for (const Moved& m : list) json[m.name] = {{"from", m.from}, {"to", m.to}};
  return json;
}

const Constraint& constraint_of(const Plant& plant, std::uint32_t row) {
  return plant.system().constraints[plant.constraints().constraint_of(row)];
}

}  // namespace

int assemble(const AssembleArguments& arguments) {
  const Loaded loaded = load(arguments.model);
  const bool json = arguments.model.json;
  if (!loaded.model) return refuse_model(json, loaded);
  if (!json) print_problems(loaded);
  const System& system = loaded.model->system;
  const Plant plant(*loaded.model, "articulated_body");
  std::vector<Truth> movable = Forces<double>(system).free;
  for (const std::string& name : arguments.hold) {
    const auto joint = system.index.joints.find(name);
    if (!joint) {
      if (std::ranges::find(system.constraints, "joints." + name, &Constraint::path) != system.constraints.end()) {
        return refuse(json, fmt::format("--hold {}: it closes a loop and has no coordinates; hold other joints", name));
      }
      std::vector<std::string> names;
      for (std::size_t i = 1; i < system.joints.size(); ++i) names.push_back(system.joints[i].name);
      return refuse(json,
                    fmt::format("--hold {}: there is no such joint{}", printable(name), did_you_mean(name, names)));
    }
    for (std::uint32_t k = system.joints[*joint].u; k < system.joints[*joint].u + system.joints[*joint].nu; ++k) {
      movable[k] = false;
    }
  }
  State start = system.initial;
  if (!arguments.state.empty()) {
    auto read = read_state(arguments.state, *loaded.model);
    if (const auto* wrong = std::get_if<std::string>(&read)) {
      return refuse(json, fmt::format("{}: {}", arguments.state, *wrong));
    }
    start = std::get<State>(std::move(read));
  }
  const Assembly assembly = PlantRun(plant).assembled(start, movable);
  const std::vector<Moved> coordinates = moved_entries(coordinate_entries(system), start.q, assembly.state.q),
                           speeds = moved_entries(speed_entries(system), start.u, assembly.state.u);
  const std::string worst = plant.constraints().rows() > 0 ? constraint_of(plant, assembly.worst_row).name : "";
  if (!arguments.output.empty() && assembly.closed()) {
    try {
      results::check_target(arguments.output, results::FileKind::state, arguments.force);
      write_state(arguments.output, *loaded.model, assembly.state);
    } catch (const results::ResultsError& error) {
      return refuse(json, printable(error.what()), exit_code_of(error));
    }
  }
  if (json) {
    print_json({{"closed", assembly.closed()},
                {"residual_before", assembly.position_before},
                {"residual", assembly.position},
                {"rate_before", assembly.speed_before},
                {"rate", assembly.speed},
                {"worst", worst},
                {"coordinates", moved_json(coordinates)},
                {"speeds", moved_json(speeds)}});
    return assembly.closed() ? exit_code::done : exit_code::wrong_model;
  }
  fmt::print(
      "{} of constraints; largest residual {:.3g} m or rad as given, {:.3g} now; of the rates {:.3g} and {:.3g}\n",
      counted(plant.constraints().rows(), "row", "rows"), assembly.position_before, assembly.position,
      assembly.speed_before, assembly.speed);
  print_moved("coordinate", coordinates);
  print_moved("speed", speeds);
  if (!assembly.closed()) {
    const bool positions = !(assembly.position <= assembled_residual);
    return refuse_at(false, loaded, constraint_of(plant, assembly.worst_row).path,
                     positions ? not_closed(assembly.position) : rate_not_met(assembly.speed));
  }
  if (coordinates.empty() && speeds.empty()) fmt::print("nothing had to be moved\n");
  if (!arguments.output.empty())
    fmt::print("\nwritten to {}; for `run --state` and `accel --state`\n", arguments.output);
  return exit_code::done;
}

}  // namespace gyrostat::app
