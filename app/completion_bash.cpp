#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.h"

namespace gyrostat::app {

namespace {

/// The function at the end: finds out which argument is asked for, then what to offer. `takes` is what an argument
/// takes: how many values (one, several), of which kind (words, files, text), and the words or extensions.
constexpr std::string_view bash_function = R"bash(
_gyrostat_files() {  # extensions..
  local extension
  for extension in "$@"; do compgen -f -X "!*.$extension" -- "$current"; done
  compgen -d -- "$current"
}

_gyrostat() {
  local current=${COMP_WORDS[COMP_CWORD]} command='' option='' word takes=()
  local -i k position=1
  if [[ $current == '=' ]]; then
    [[ ${COMP_WORDS[COMP_CWORD - 1]} == -* ]] || return
    current=''
  fi
  for ((k = 1; k < COMP_CWORD; ++k)); do
    word=${COMP_WORDS[k]}
    if [[ $word == '=' ]]; then  # of --option=value, or within a value: NAME=VALUE is one
      [[ ${COMP_WORDS[k - 1]} == -* ]] || ((++k))
    elif [[ $word == -?* && ($option == '' || ${takes[0]} == several) ]]; then
      option=$word
      _gyrostat_takes "$command $word"
      ((${#takes[@]})) || option=''
    elif [[ $option ]]; then
      [[ ${takes[0]} == several ]] || option=''
    elif [[ $command ]]; then
      ((++position))
    else
      command=$word
    fi
  done
  COMPREPLY=()
  ((k > COMP_CWORD)) && return
  if [[ $current == -* && ($option == '' || ${takes[0]} == several) ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_gyrostat_options "$command")" -- "$current")
    return
  fi
  [[ $option ]] || _gyrostat_takes "$command #$position"
  case ${takes[1]} in
    words) mapfile -t COMPREPLY < <(compgen -W "${takes[*]:2}" -- "$current") ;;
    files)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(_gyrostat_files "${takes[@]:2}" | sort -u)
      ;;
  esac
}

complete -F _gyrostat gyrostat
)bash";

std::string taken(const Argument& a) {
  const char* number = a.several ? "several" : "one";
  if (!a.offer.words.empty()) return fmt::format("{} words {}", number, fmt::join(a.offer.words, " "));
  if (!a.offer.extensions.empty()) return fmt::format("{} files {}", number, fmt::join(a.offer.extensions, " "));
  return fmt::format("{} text", number);
}

/// The cases of `_gyrostat_takes` for a command.
std::string cases_of(const CommandOutline& command, const std::string& name) {
  std::string text;
  for (const Argument& a : command.options) {
    if (a.label.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& option : a.names) patterns.push_back(in_quotes(fmt::format("{} {}", name, option)));
    text += fmt::format("    {}) takes=({}) ;;\n", fmt::join(patterns, " | "), taken(a));
  }
  for (std::size_t k = 0; k < command.positionals.size(); ++k) {
    const Argument& a = command.positionals[k];
    const std::string pattern = in_quotes(a.several ? name + " #" : fmt::format("{} #{}", name, k + 1));
    text += fmt::format("    {}{}) takes=({}) ;;\n", pattern, a.several ? "*" : "", taken(a));
  }
  return text;
}

std::string option_names(const CommandOutline& command) {
  std::vector<std::string> names;
  for (const Argument& a : command.options) names.insert(names.end(), a.names.begin(), a.names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::string bash_completion(const Outline& outline) {
  std::vector<std::string> commands;
  std::string options = fmt::format("    '') echo '{}' ;;\n", option_names(outline.program)), takes;
  for (const CommandOutline& command : outline.commands) {
    commands.push_back(command.name);
    options += fmt::format("    {}) echo '{}' ;;\n", command.name, option_names(command));
    takes += cases_of(command, command.name);
  }
  return fmt::format(R"(# Completion of gyrostat for bash, made by 'gyrostat completion bash'.

_gyrostat_options() {{  # command
  case $1 in
{}  esac
}}

_gyrostat_takes() {{  # "COMMAND OPTION", or "COMMAND #N" for the Nth argument without a name
  takes=()
  case $1 in
    ' #1') takes=(one words {}) ;;
{}  esac
}}
{})",
                     options, fmt::join(commands, " "), takes, bash_function);
}

}  // namespace gyrostat::app
