// Runs a model into a complete results file, and resumes such a run: all that a program needs besides loading the
// model.
//
//   const Loaded loaded = load_file("five_body.yaml");
//   const results::RunResult result = results::run(loaded, RunSettings(*loaded.model), "five_body.h5");
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gyrostat/analysis/linear_motion.h"
#include "gyrostat/results/run_record.h"

namespace gyrostat::results {

/// The model, the settings, plugins or names of files do not allow the run. Nothing has been written.
class RunError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct RunOptions {
  std::string csv;                       // a file for the same records as text, or empty
  std::string command;                   // stored in the file: how the run was asked for
  bool allow_plugins = false;            // load and call the shared libraries that the model names
  bool force = false;                    // replace files that Gyrostat did not write
  std::vector<Override> overrides = {};  // those that the model was loaded with; they are stored beside its text
  /// A linear model to integrate beside: of each quantity NAME it predicts, linear/NAME is recorded, and what the
  /// simulated one has more, difference/NAME. Such a run cannot be resumed.
  std::optional<LinearMotionSettings> linear = {};
  std::vector<std::pair<std::string, std::string>> attributes = {};  // of the file, beside those of every run
};

struct ResumeOptions {
  const Model* model = nullptr;  // the model of the run; none: the one stored in the file
  bool allow_plugins = false;
  std::optional<double> until = {};  // another end than that of the run, and later than it came [s]
};

/// Called while a run goes on; each may be empty.
struct RunCallbacks {
  std::function<void(double from, double until)> begin;  // [s]
  std::function<bool(double t)> go_on;                   // after every step; false ends the run there [s]
};

/// How far a linear model was from the simulation.
struct LinearDifference {
  std::string name, unit;
  double largest = 0;              // difference, in magnitude
  double lowest = 0, highest = 0;  // simulated
};

/// A run that has ended, as its file describes it too.
struct RunResult {
  Outcome outcome;            // failed: the simulation or a write could not go on; what was recorded is in the file
  bool left_earlier = false;  // it failed at its beginning, and the file is still that of an earlier run
  std::string csv_failure;    // why the CSV file is not complete, or empty
  std::string path, model_file;
  double from = 0;  // where it began: a resumed one at its checkpoint [s]
  RunRecord record;
  std::uint64_t records = 0;  // in the file
  std::size_t columns = 0;
  std::vector<std::pair<std::string, double>> work;  // done by each source [J]
  std::vector<LinearDifference> differences;         // of the linear model beside it, by quantity
  std::vector<std::string> linear_notes;             // about that model
};

/// From t = 0 into a new file, which replaces an older results file of that name after the first step. If
/// settings.checkpoint_interval is not 0, checkpoints are written beside it; a run that finishes removes
/// them. One that ends without failure has one in its file. Precondition: loaded.model. Throws RunError or ResultsError
/// before the first step, also if another run writes to the same file; what goes wrong later is the outcome.
RunResult run(const Loaded& loaded, const RunSettings& settings, const std::string& path,
              const RunOptions& options = {}, const RunCallbacks& callbacks = {});

/// Goes on from the checkpoint in the file or the last one beside it, with the settings in it, as if the run had not
/// been ended. Throws RunError, ResultsError or StoredModelError and leaves the file as it is if that is not possible.
RunResult resume(const std::string& path, const ResumeOptions& options = {}, const RunCallbacks& callbacks = {});

/// The functions of plugin blocks, by signal. Throws RunError where there are some and they are not allowed, or cannot
/// be opened.
std::vector<PluginFunction> open_plugins(const Model& model, const std::string& model_file, bool allowed);

/// As results files have it: signals by their names alone.
Event event_of(double t, const Change& change);

}  // namespace gyrostat::results
