#include "usage_error.h"

#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"

namespace gyrostat::app {

namespace {

std::vector<std::string> names_of(const std::vector<Argument>& options) {
  std::vector<std::string> names;
  for (const Argument& a : options) names.insert(names.end(), a.names.begin(), a.names.end());
  return names;
}

std::string without_dashes(const std::string& name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// "; did you mean '--interval'?" The dashes do not count as letters.
std::string meant_option(const std::string& word, const std::vector<std::string>& names) {
  std::vector<std::string> bare;
  for (const std::string& name : names) bare.push_back(without_dashes(name));
  auto found = std::ranges::find(bare, without_dashes(word));
  if (found == bare.end()) {
    if (const auto near = nearest(without_dashes(word), bare)) found = std::ranges::find(bare, *near);
  }
  if (found == bare.end()) return "";
  return fmt::format("; did you mean '{}'?", names[static_cast<std::size_t>(found - bare.begin())]);
}

std::string unknown_before_command(const Outline& outline, const std::string& word) {
  if (!word.starts_with('-')) {
    std::vector<std::string> commands;
    for (const CommandOutline& command : outline.commands) commands.push_back(command.name);
    return fmt::format("unknown command '{}'{}", word, did_you_mean(word, commands));
  }
  for (const CommandOutline& command : outline.commands) {
    if (std::ranges::count(names_of(command.options), word) > 0) {
      return fmt::format("the option '{}' belongs to commands: write it after the command", word);
    }
  }
  return fmt::format("unknown option '{}'{}", word, meant_option(word, names_of(outline.program.options)));
}

/// The first of the words that looks like an option, or else the first.
std::string culprit(const std::vector<std::string>& words) {
  const auto option = std::ranges::find_if(words, [](const std::string& w) { return w.starts_with('-') && w != "--"; });
  const std::string word = option == words.end() ? words.front() : *option;
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word;
}

}  // namespace

std::string unknown_word(const Program& program) {
  const Outline outline = outline_of(program);
  if (const std::vector<std::string> words = program.remaining(); !words.empty()) {
    const std::string& first = words.front();
    return unknown_before_command(outline, first.starts_with("--") ? first.substr(0, first.find('=')) : first) +
           "\nRun 'gyrostat --help' for the commands.";
  }
  for (const CommandOutline& command : outline.commands) {
    const CLI::App* parsed = program.get_subcommand(command.name);
    const std::vector<std::string> words = parsed->remaining();
    if (words.empty()) continue;
    const std::string word = culprit(words);
    const std::string what = word.starts_with('-') ? fmt::format("unknown option '{}' of '{}'{}", word, command.name,
                                                                 meant_option(word, names_of(command.options)))
                                                   : fmt::format("unexpected argument '{}': the usage is 'gyrostat {}'",
                                                                 word, synopsis(command));
    return fmt::format("{}\nRun 'gyrostat {} --help' for its options.", what, command.name);
  }
  return "";
}

}  // namespace gyrostat::app
