// What a results file holds besides its numbers.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gyrostat::results {

/// A results file cannot be written or read. The message begins with the file: "run.h5: no such file".
class ResultsError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What was to be written did not go into the file: a full disk.
class WriteError : public ResultsError {
  using ResultsError::ResultsError;
};

/// One recorded quantity. "bus.omega_x" is a dataset of that name; "ledger/energy" is `energy` in the group `ledger`.
struct Column {
  std::string name, unit, description;
  std::vector<std::string> states = {};  // of a state machine: the names of its states, by number
  std::string note = {};                 // what a reader of its values has to know, or empty
};

/// Numbers that came with what was asked for, and not from it: a column of a table of samples.
struct Table {
  std::string name, unit;
  std::vector<double> values;
};

/// Where the results come from. Each entry is an attribute of the file, but the model's text, which is a dataset, and
/// what stands in `texts` and `tables`: attributes are shorter than 64 kB.
struct Header {
  std::string model_name, model_file, model_text, version, command, formulation, integrator;
  std::vector<std::pair<std::string, std::string>> more;  // read back in the order of their names
  std::string index = "time";  // what numbers the records; those of others than a run are sorted by it when it ends
  std::vector<std::pair<std::string, std::string>> texts = {};  // of others than runs, any length, by name
  std::vector<Table> tables = {};                               // likewise: numbers that the records follow from
};

struct Event {
  double t = 0;      // s
  std::string name;  // of a signal or a joint
  std::string what;  // "on", "off", "step"
};

using Statistics = std::vector<std::pair<std::string, double>>;

}  // namespace gyrostat::results
