// Commands that simulate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "campaign.h"
#include "linear.h"

namespace gyrostat::app {

struct RunArguments {
  ModelArguments model;
  std::string output;                   // results file; empty: the model's name with .h5
  std::string csv;                      // the same as text, or empty
  std::string formulation, integrator;  // empty: the model's
  std::optional<double> tolerance, step, until, interval;
  std::optional<double> checkpoint;  // [s] of simulated time
  std::string state;                 // a file, or empty: the model's initial state
  std::string campaign;              // a flight of it, by its file or its results; or empty
  std::optional<std::uint64_t> sample;
  bool force = false;  // replace files that Gyrostat did not write
  bool allow_plugins = false;
  bool quiet = false;
  bool linear = false;     // integrate a linear model beside
  std::string about;       // its operating point: a state file, or a kind of steady motion; empty: the initial state
  LinearArguments beside;  // what stands for switches in it
  bool report = false;     // write one beside the results
  std::string page;        // a file to take for it instead of the program's own page
};

struct ResumeArguments {
  std::string file;             // results of a run
  std::optional<double> until;  // [s]
  bool allow_plugins = false;
  bool quiet = false;
  bool json = false;
};

/// Each returns its exit code (exit_codes.h). A run of a flight of a campaign is that flight, of another model.
int run(const RunArguments& arguments, const std::string& command_line);
int resume(const ResumeArguments& arguments);
/// A flight of a campaign, alone and recorded.
int fly_again(const CampaignArguments& arguments, const std::string& command_line);

}  // namespace gyrostat::app
