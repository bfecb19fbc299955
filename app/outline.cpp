#include "outline.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace gyrostat::app {

namespace {

Argument argument_of(const CLI::Option& option, const Program& program) {
  Argument a;
  a.description = option.get_description();
  const bool takes_value = option.get_items_expected_max() > 0;
  a.required = option.get_required();
  a.several = option.get_items_expected_max() > 1 && option.get_expected_max() > 1;
  a.repeatable = takes_value && option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (option.nonpositional()) {
    for (const std::string& name : option.get_snames()) a.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) a.names.push_back("--" + name);
    if (takes_value) a.label = option.get_type_name();
    if (!option.get_default_str().empty()) a.description += "; default " + option.get_default_str();
  } else {
    a.names = {option.get_name(true)};
    a.label = a.names.front();
  }
  if (const auto found = program.offers.find(&option); found != program.offers.end()) a.offer = found->second;
  return a;
}

CommandOutline command_of(const CLI::App& app, const Program& program) {
  const bool own_footer = &app == &program || app.get_footer() != program.get_footer();  // or inherited
  CommandOutline command{app.get_name(), app.get_description(), own_footer ? app.get_footer() : "", {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // not in --help
    (option->nonpositional() ? command.options : command.positionals).push_back(argument_of(*option, program));
  }
  return command;
}

}  // namespace

Outline outline_of(const Program& program) {
  Outline outline{command_of(program, program), {}};
  for (const CLI::App* app : program.get_subcommands([](const CLI::App*) { return true; })) {
    outline.commands.push_back(command_of(*app, program));
  }
  return outline;
}

std::string synopsis(const CommandOutline& command) {
  std::string text = command.name;
  if (!command.options.empty()) text += " [OPTIONS]";
  for (const Argument& a : command.positionals) {
    const std::string label = a.label + (a.several ? "..." : "");
    text += a.required ? " " + label : " [" + label + "]";
  }
  return text;
}

}  // namespace gyrostat::app
