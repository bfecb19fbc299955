#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.h"

namespace gyrostat::app {

namespace {

std::string fish_quoted(std::string_view text) {
  std::string doubled;  // in single quotes fish takes a backslash before a quote or a backslash
  for (const char c : text) doubled += c == '\\' ? "\\\\" : std::string(1, c);
  return in_quotes(doubled, "\\'");
}

/// Files with one of these extensions, and folders. A command that fish does not know gets files.
constexpr std::string_view fish_function = R"(
function __gyrostat_files
    set -l files (complete -C "__gyrostat_any_file "(commandline -ct))
    for extension in $argv
        string match -r -- "^.*\\.$extension\$" $files
    end
    string match -r -- '^.*/$' $files
end
)";

/// What is offered, as arguments of `complete`.
std::string offered(const Argument& a) {
  if (!a.offer.words.empty()) return fmt::format(" -a '{}'", fmt::join(a.offer.words, " "));
  if (!a.offer.extensions.empty()) {
    return fmt::format(" -a '(__gyrostat_files {})'", fmt::join(a.offer.extensions, " "));
  }
  return "";
}

std::string options_of(const CommandOutline& command, std::string_view condition) {
  std::string text;
  for (const Argument& a : command.options) {
    text += fmt::format("complete -c gyrostat -n {}", condition);
    for (const std::string& name : a.names) {
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!a.label.empty()) text += " -x" + offered(a);
    text += fmt::format(" -d {}\n", fish_quoted(a.description));
  }
  return text;
}

}  // namespace

std::string fish_completion(const Outline& outline) {
  std::string text = "# Completion of gyrostat for fish, made by 'gyrostat completion fish'.\n" +
                     std::string(fish_function) + "\ncomplete -c gyrostat -f\n" +
                     options_of(outline.program, "__fish_use_subcommand");
  for (const CommandOutline& command : outline.commands) {
    text += fmt::format("\ncomplete -c gyrostat -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.description));
    const std::string condition = fmt::format("'__fish_seen_subcommand_from {}'", command.name);
    text += options_of(command, condition);
    for (const Argument& a : command.positionals) {
      if (const std::string what = offered(a); !what.empty()) {
        text += fmt::format("complete -c gyrostat -n {}{}\n", condition, what);
        break;  // fish does not count arguments: the first that is offered anything
      }
    }
  }
  return text;
}

}  // namespace gyrostat::app
