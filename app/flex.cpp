#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/results/results.h"
#include "gyrostat/results/target.h"

#include "modes_text.h"
#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

/// The flexible body of this name, or nothing and why.
const FlexibleBody* find_body(const System& system, const std::string& name, std::string& why) {
  std::vector<std::string_view> known;
  for (const FlexibleBody& body : system.flexible) {
    if (system.bodies[body.body].name == name) return &body;
    known.push_back(system.bodies[body.body].name);
  }
  if (known.empty()) {
    why = "the model has no flexible body";
  } else if (!name.empty()) {
    why = fmt::format("'{}' is no flexible body; those are {}", printable(name), fmt::join(known, ", "));
  } else if (known.size() > 1) {
    why = fmt::format("say which of the flexible bodies: {}", fmt::join(known, ", "));
  } else {
    return &system.flexible.front();
  }
  return nullptr;
}

}  // namespace

int flex(const FlexArguments& arguments) {
  const bool json = arguments.model.json;
  const auto kind = flexible_file_kind(arguments.output);
  if (!arguments.output.empty() && kind == FlexibleFileKind::other) {
    return refuse(json, fmt::format("{}: the name of a file of flexible data ends with .json or .h5",
                                    printable(arguments.output)));
  }
  const Loaded loaded = load(arguments.model);
  if (!loaded.model) return refuse_model(json, loaded);
  const System& system = loaded.model->system;
  std::string why;
  const FlexibleBody* body = find_body(system, arguments.body, why);
  if (body == nullptr) return refuse(json, why);
  if (!arguments.output.empty()) {
    try {
      results::check_target(arguments.output, results::FileKind::flexible, arguments.force);
      write_file(arguments.output,
                 kind == FlexibleFileKind::json ? flexible_json(body->data) : flexible_hdf5(body->data));
    } catch (const results::ResultsError& error) {
      return refuse(json, printable(error.what()), exit_code_of(error));
    } catch (const std::invalid_argument& error) {
      return refuse(json, error.what());
    }
  }
  if (json) {
    Json answer = problems_as_json(loaded);
    answer.update(modes_json(system, *body));
    if (!arguments.output.empty()) answer["file"] = arguments.output;
    print_json(answer);
    return exit_code::done;
  }
  print_problems(loaded);
  if (arguments.output.empty()) {
    print_modes(system, *body);
  } else {
    fmt::print("{}: written, {}, {}\n", printable(arguments.output), counted(body->data.nodes.size(), "node", "nodes"),
               counted(body->data.modes(), "mode", "modes"));
  }
  return exit_code::done;
}

}  // namespace gyrostat::app
