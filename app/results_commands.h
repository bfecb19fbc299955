// The commands that read results files. Each returns its exit code (exit_codes.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gyrostat::app {

struct ShowArguments {
  std::string file;
  std::vector<std::string> names;  // of columns; '*' and '?' stand for any characters
  std::vector<double> at;          // s; empty: all records
  bool events = false;             // list the events
  bool csv = false, json = false;
};

struct CompareArguments {
  std::string first, second;
  std::vector<std::string> names;  // as above; empty: all that both have
  double tolerance = 1e-9;         // of the relative difference
  double floor = 1e-6;             // no column's magnitude counts as smaller
  bool json = false;
};

struct PlotArguments {
  std::string file;
  std::vector<std::string> names;             // as above
  std::string output;                         // picture; empty: in the terminal
  std::string size;                           // of the picture: "1000x600"
  std::optional<double> from, to;             // s
  std::optional<std::int64_t> width, height;  // in the terminal, characters
  bool ascii = false;                         // plain characters only
  bool force = false;                         // replace a file that is not a picture of Gyrostat's
};

int show(const ShowArguments& arguments);
int plot(const PlotArguments& arguments);
int compare(const CompareArguments& arguments);

}  // namespace gyrostat::app
