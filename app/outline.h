// The command line as data: what --help is made of, for completion, the manual page and messages.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace gyrostat::app {

/// What a shell may offer for an argument: words, or files with these extensions (without the dot).
struct Offer {
  std::vector<std::string> words;
  std::vector<std::string> extensions;
};

inline const Offer model_files{{}, {"yaml", "yml"}};
inline const Offer results_files{{}, {"h5"}};

/// The description of the command line, with offers beside it.
class Program : public CLI::App {
 public:
  using CLI::App::App;
  std::map<const CLI::Option*, Offer> offers;

  CLI::Option* offer(CLI::Option* option, Offer what) {
    offers[option] = std::move(what);
    return option;
  }
};

struct Argument {
  std::vector<std::string> names;  // "-o", "--output"; of a positional, its label alone
  std::string label;               // of its value: "SECONDS"; empty: it takes none
  std::string description;
  bool required = false;
  bool several = false;     // takes as many values as follow
  bool repeatable = false;  // may be given more than once
  Offer offer;
};

struct CommandOutline {
  std::string name, description, footer;
  std::vector<Argument> positionals, options;  // those that --help lists, in its order
};

struct Outline {
  CommandOutline program;
  std::vector<CommandOutline> commands;
};

Outline outline_of(const Program& program);

/// "run [OPTIONS] FILE"
std::string synopsis(const CommandOutline& command);

}  // namespace gyrostat::app
