// The commands of the program. Each returns its exit code (exit_codes.h).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/model/load.h"

namespace gyrostat::app {

struct ModelArguments {
  std::string file;
  std::vector<std::string> set;  // NAME=VALUE
  bool json = false;
};

struct AccelArguments {
  ModelArguments model;
  std::string formulation;  // empty: the model's own; or all
  std::string state;        // a file, or empty: the initial state
};

struct AssembleArguments {
  ModelArguments model;
  std::vector<std::string> hold;  // joints that stay where they are
  std::string state;              // a file to begin with, or empty: the initial state
  std::string output;             // state file, or none
  bool force = false;             // replace a file that is not a state file
};

struct ImportArguments {
  std::string format, file;
  std::string output;  // empty: the file's name with .yaml, here
  bool force = false, json = false;
};

struct FlexArguments {
  ModelArguments model;
  std::string body;
  std::string output;  // .json or .h5; empty: the modes are printed
  bool force = false;
};

/// What `import` reads.
inline constexpr std::array<std::string_view, 1> import_formats = {"dasc"};

int assemble(const AssembleArguments& arguments);
int check(const ModelArguments& arguments);
int expand(const std::string& file);
int info(const ModelArguments& arguments);
int accel(const AccelArguments& arguments);
int flex(const FlexArguments& arguments);
int import_model(const ImportArguments& arguments);
/// Of model files, or of campaign files.
int schema(bool campaign);

}  // namespace gyrostat::app
