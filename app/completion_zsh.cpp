#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.h"

namespace gyrostat::app {

namespace {

/// With a backslash before characters that mean something in a specification of _arguments or _describe.
std::string escaped(std::string_view text, std::string_view characters) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string action(const Argument& a) {
  if (!a.offer.words.empty()) return fmt::format("({})", fmt::join(a.offer.words, " "));
  if (!a.offer.extensions.empty()) return fmt::format("_files -g \"*.{}\"", fmt::join(a.offer.extensions, " *."));
  return " ";
}

/// Specifications of an option: one for each of its names, which exclude each other unless it may be repeated.
std::vector<std::string> specifications(const Argument& a) {
  std::vector<std::string> all;
  const bool ends = a.names.back() == "--help" || a.names.back() == "--version";
  for (const std::string& name : a.names) {
    std::string text = a.repeatable ? "*" : ends ? "(- *)" : fmt::format("({})", fmt::join(a.names, " "));
    text += name;
    if (!a.label.empty() && !a.several) text += name.starts_with("--") ? "=" : "+";
    text += "[" + escaped(a.description, "[]\\") + "]";
    if (!a.label.empty()) {
      text += fmt::format(":{}{}:{}", a.several ? "*-*:" : "", escaped(a.label, ":\\"), action(a));
    }
    all.push_back(in_quotes(text));
  }
  return all;
}

std::string arguments_of(const CommandOutline& command, std::string_view indent) {
  std::vector<std::string> lines;
  for (const Argument& a : command.options) {
    for (std::string& line : specifications(a)) lines.push_back(std::move(line));
  }
  for (std::size_t k = 0; k < command.positionals.size(); ++k) {
    const Argument& a = command.positionals[k];
    const std::string place = a.several ? "*" : fmt::format("{}{}", k + 1, a.required ? "" : ":");
    lines.push_back(in_quotes(fmt::format("{}:{}:{}", place, escaped(a.label, ":\\"), action(a))));
  }
  return fmt::format("{}", fmt::join(lines, fmt::format(" \\\n{}", indent)));
}

}  // namespace

std::string zsh_completion(const Outline& outline) {
  std::string commands, cases;
  for (const CommandOutline& command : outline.commands) {
    commands += fmt::format("        {}\n", in_quotes(command.name + ":" + escaped(command.description, "\\")));
    cases += fmt::format("        {})\n          _arguments -s -S \\\n            {} && ret=0\n          ;;\n",
                         command.name, arguments_of(command, "            "));
  }
  return fmt::format(R"(#compdef gyrostat
# Completion of gyrostat for zsh, made by 'gyrostat completion zsh'.

_gyrostat() {{
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  _arguments -C \
    {} \
    '1: :->command' \
    '*::: :->argument' && ret=0
  case $state in
    command)
      local -a commands=(
{}      )
      _describe -t commands command commands && ret=0
      ;;
    argument)
      words=($line[1] "${{words[@]}}")
      (( CURRENT += 1 ))
      curcontext="${{curcontext%:*:*}}:gyrostat-$line[1]:"
      case $line[1] in
{}      esac
      ;;
  esac
  return ret
}}

if [[ $funcstack[1] == _gyrostat ]]; then
  _gyrostat "$@"
else
  compdef _gyrostat gyrostat
fi
)",
                     arguments_of(outline.program, "    "), commands, cases);
}

}  // namespace gyrostat::app
