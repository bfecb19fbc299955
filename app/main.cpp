#include <exception>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "gyrostat/model/schema.h"

#include "commands.h"

namespace gyrostat::app {

namespace {

constexpr int usage_error = 2;

CLI::App* model_command(CLI::App& program, const std::string& name, const std::string& description,
                        ModelArguments& arguments) {
  CLI::App* command = program.add_subcommand(name, description);
  command->add_option("FILE", arguments.file, "model file")->required();
  command->add_option("--set", arguments.set, "give a parameter another value; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--json", arguments.json, "answer in JSON");
  return command;
}

int run(int argc, char** argv) {
  CLI::App program("Gyrostat: attitude dynamics of spacecraft made of many bodies.", "gyrostat");
  program.set_version_flag("--version", "gyrostat " GYROSTAT_VERSION);
  program.footer(
      "Exit codes: 0 done, 1 the model is wrong, 2 the usage is wrong, 3 the motion cannot be computed.\n'gyrostat "
      "COMMAND --help' explains a command.");

  ModelArguments arguments;
  CLI::App* check_command =
      model_command(program, "check", "read a model and report everything that is wrong with it", arguments);
  CLI::App* info_command =
      model_command(program, "info", "show a model: its tree, mass properties, freedoms and state", arguments);
  AccelArguments accel_arguments;
  CLI::App* accel_command =
      model_command(program, "accel", "accelerations, reactions, energy and momentum at the initial or a given state",
                    accel_arguments.model);
  accel_command
      ->add_option("--formulation", accel_arguments.formulation,
                   "equations of motion to use, or 'all' to compare; default the model's own")
      ->type_name("NAME");
  accel_command->add_option("--state", accel_arguments.state, "JSON file with another state than the initial one")
      ->type_name("STATE.json");
  CLI::App* schema_command = program.add_subcommand("schema", "print the JSON Schema of the model format, for editors");

  try {
    program.parse(argc, argv);
    if (check_command->parsed()) return check(arguments);
    if (info_command->parsed()) return info(arguments);
    if (accel_command->parsed()) return accel(accel_arguments);
    if (schema_command->parsed()) return schema();
    fmt::print(stderr, "A subcommand is required.\n\n{}", program.help());
  } catch (const CLI::Success& success) {  // --help, --version
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    program.exit(error);
    return usage_error;
  }
  return usage_error;
}

}  // namespace

int schema() {
  fmt::print("{}", json_schema());
  return 0;
}

}  // namespace gyrostat::app

int main(int argc, char** argv) {
  try {
    return gyrostat::app::run(argc, argv);
  } catch (const std::exception& error) {  // a defect of ours, or no memory
    fmt::print(stderr, "gyrostat: internal error: {}\n", error.what());
    return 70;
  }
}
