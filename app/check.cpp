#include <fmt/format.h>

#include "output.h"

namespace gyrostat::app {

int check(const ModelArguments& arguments) {
  const Loaded loaded = load(arguments);
  if (arguments.json) {
    print_json(problems_as_json(loaded));
  } else {
    print_problems(loaded);
    if (loaded.model) {
      const System& system = loaded.model->system;
      const Freedoms freedoms = count_freedoms(system);
      fmt::print(
          "{}: ok, {}, {}{}\n", arguments.file, counted(system.body_count(), "body", "bodies"),
          counted(freedoms.free + freedoms.wheels, "degree of freedom", "degrees of freedom"),
          loaded.problems.warnings() > 0 ? ", " + counted(loaded.problems.warnings(), "warning", "warnings") : "");
    }
  }
  return loaded.model ? 0 : 1;
}

}  // namespace gyrostat::app
