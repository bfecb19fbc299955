// Commands that simulate.
#pragma once

#include <optional>
#include <string>

#include "commands.h"

namespace gyrostat::app {

struct RunArguments {
  ModelArguments model;
  std::string output;                   // results file; empty: the model's name with .h5
  std::string csv;                      // the same as text, or empty
  std::string formulation, integrator;  // empty: the model's
  std::optional<double> tolerance, step, until, interval;
  double checkpoint = 0;  // [s] of simulated time; 0: none
  bool allow_plugins = false;
  bool quiet = false;
  bool report = false;  // write one beside the results
  std::string page;     // a file to take for it instead of the program's own page
};

struct ResumeArguments {
  std::string file;  // results of a run with checkpoints
  bool allow_plugins = false;
  bool quiet = false;
  bool json = false;
};

/// Each returns its exit code (exit_codes.h).
int run(const RunArguments& arguments, const std::string& command_line);
int resume(const ResumeArguments& arguments);

}  // namespace gyrostat::app
