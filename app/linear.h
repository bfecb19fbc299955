// The commands about linear models: what they share. Each returns its exit code (exit_codes.h).
#pragma once

#include <array>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/state_space.h"
#include "gyrostat/analysis/trim.h"

#include "commands.h"

namespace gyrostat::app {

inline constexpr double degrees_per_radian = 180 / std::numbers::pi;

/// In the order of SteadyMotion.
inline constexpr std::array<std::string_view, 3> steady_motions = {"rest", "orbit", "spin"};

struct LinearArguments {
  ModelArguments model;
  std::optional<double> at;  // s
  std::string state;         // a file
  bool trim = false;         // from there, to a steady motion
  std::string steady;        // rest, orbit or spin
  std::vector<std::string> hold;
  std::vector<std::string> inputs, outputs, open;
  std::vector<std::string> gains, describe;  // NAME=VALUE
  int pade = 3;
  bool discrete = false;
  std::string output;
  bool force = false;
  std::optional<std::string> report;  // a page is wanted; empty: with a name made from the model's
  std::string page;                   // a file to take for it instead of the program's own page
};

/// What a command works on.
struct LinearTask {
  const Source& source;  // the text of the model
  const Model& model;
  const OperatingPoint& point;
  const LinearizeSettings& settings;
  const LinearModel& linear;
};

/// "a, atan2(b, c)": parts between commas that no parentheses enclose, of all texts. Throws UsageError for an empty
/// one.
std::vector<std::string> split_list(const std::vector<std::string>& texts, const std::string& option);

/// The state that --at and --state say.
OperatingPoint untrimmed_point(const LinearArguments& arguments, const Model& model);
/// The same, trimmed if that is asked for.
OperatingPoint point_of(const LinearArguments& arguments, const Model& model);
TrimSettings trim_settings_of(const LinearArguments& arguments);
/// Why there is no steady motion, and what to try.
std::string failure_text(const Trim& trim);

/// Reads the model and calls `act`; reports what is wrong.
int with_model(const ModelArguments& arguments, const std::function<int(const Source&, const Model&)>& act);

/// Reads the model, finds the operating point, linearises, and calls `act`; reports what is wrong.
int with_linear_model(const LinearArguments& arguments, const std::function<int(const LinearTask&)>& act);
/// The same of a model that is there; throws what is wrong.
int with_linear_model(const LinearArguments& arguments, const Source& source, const Model& model,
                      const std::function<int(const LinearTask&)>& act);

/// The model in continuous time, or as the arguments ask for.
StateSpace space_of(const LinearArguments& arguments, const LinearModel& model);

/// "model.yaml at t = 0 s: 12 states", and the notes.
void print_heading(const LinearArguments& arguments, const LinearTask& task);

/// Of --inputs, --outputs, --open, --gain and --describe.
LinearizeSettings linearize_settings_of(const LinearArguments& arguments);

/// "0.1:100", either of which may be missing. Throws UsageError.
struct Limits {
  std::optional<double> from, to;
};
Limits range_of(const std::string& text);

struct ResponseArguments {
  LinearArguments linear;
  std::string from, to;
  std::string range;  // "0.1:100" rad/s; of a step: seconds
  std::string size;   // of a picture
};

struct RandomArguments {
  LinearArguments linear;
  std::vector<std::string> spectra;  // INPUT=LEVEL or INPUT=FILE.csv
  std::string range;                 // "0.1:100" Hz
  std::string size;                  // of a picture
};

struct LocusArguments {
  LinearArguments linear;
  std::string vary;  // "K=0:5000"
  std::string size;  // of a picture
};

int linearize(const LinearArguments& arguments);
int modes(const LinearArguments& arguments);
int margins(const LinearArguments& arguments);
int trim(const LinearArguments& arguments);
int bode(const ResponseArguments& arguments);
int nichols(const ResponseArguments& arguments);
int step(const ResponseArguments& arguments);
int psd(const RandomArguments& arguments);
int root_locus(const LocusArguments& arguments);

}  // namespace gyrostat::app
