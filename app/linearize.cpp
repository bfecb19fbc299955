#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/analysis/linear_file.h"
#include "gyrostat/results/target.h"

#include "linear.h"
#include "linear_report.h"
#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

constexpr std::size_t widest = 12;  // columns that are printed

void print_variables(const char* title, const std::vector<LinearVariable>& variables) {
  if (variables.empty()) return;
  std::size_t name_width = 4, unit_width = 1;
  for (const LinearVariable& v : variables) {
    name_width = std::max(name_width, v.name.size());
    unit_width = std::max(unit_width, v.unit.size());
  }
  fmt::print("\n{}\n", title);
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const LinearVariable& v = variables[k];
    fmt::print("  {:>3}  {:<{}}  {:<{}}  {}\n", k + 1, v.name, name_width, v.unit, unit_width, v.description);
  }
}

void print_matrix(const char* title, const Eigen::MatrixXd& matrix) {
  if (matrix.size() == 0 || static_cast<std::size_t>(matrix.cols()) > widest) return;
  fmt::print("\n{}\n", title);
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) {
      fmt::print("{:>12}", matrix(r, c) == 0 ? "0" : fmt::format("{:.5g}", matrix(r, c)));
    }
    fmt::print("\n");
  }
}

}  // namespace

int linearize(const LinearArguments& arguments) {
  const bool json = arguments.model.json;
  const auto kind = linear_file_kind(arguments.output);
  if (!arguments.output.empty() && !kind) {
    return refuse(json, fmt::format("{}: the name of a linear model ends with .h5, .json, .mat, .m or .csv",
                                    printable(arguments.output)));
  }
  return with_linear_model(arguments, [&](const LinearTask& task) {
    const StateSpace space = space_of(arguments, task.linear);
    const std::string& name = task.model.description.name;
    if (!arguments.output.empty()) {
      results::check_target(arguments.output, results::FileKind::linear, arguments.force);
      write_file(arguments.output, linear_file(*kind, task.linear, space, origin_of(arguments, task)));
    }
    if (json) {
      fmt::print("{}", linear_json(task.linear, space, name));
      return exit_code::done;
    }
    print_heading(arguments, task);
    if (!arguments.output.empty()) {
      fmt::print("{}: written, {}, {}, {}\n", printable(arguments.output),
                 counted(space.states.size(), "state", "states"), counted(space.inputs.size(), "input", "inputs"),
                 counted(space.outputs.size(), "output", "outputs"));
      return exit_code::done;
    }
    print_variables(space.period == 0 ? "states x" : "states x, each a sample", space.states);
    print_variables("inputs v", space.inputs);
    print_variables("outputs y", space.outputs);
    if (space.states.size() > widest) {
      fmt::print("\nA has {} columns; -o FILE writes it\n", space.states.size());
    }
    print_matrix(space.period == 0 ? "A, of x' = A x + B v" : "A, of x(k+1) = A x(k) + B v(k)", space.A);
    print_matrix("B", space.B);
    print_matrix("C, of y = C x + D v", space.C);
    print_matrix("D", space.D);
    if (space.inputs.empty()) {
      fmt::print(
          "\nno inputs: B and D are empty; name some with --inputs or --open: a signal, or a force or torque "
          "like {}.torque_x\n",
          task.model.system.bodies.size() > 1 ? task.model.system.bodies[1].name : "bus");
    }
    return exit_code::done;
  });
}

}  // namespace gyrostat::app
