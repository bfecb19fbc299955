// The command `derive`. Each function returns its exit code (exit_codes.h).
#pragma once

#include <array>
#include <string>

#include "commands.h"

namespace gyrostat::app {

struct DeriveArguments {
  ModelArguments model;
  std::string form;    // vector or scalar
  std::string format;  // text, latex, html, json, c, python
  std::string output;  // empty: printed
  std::string body;    // vector form: equations of one body
  bool terms = false;  // vector form: terms explained
  bool ascii = false;
  bool force = false;
  bool jacobian = false;  // scalar form: A and B too
};

int derive(const DeriveArguments& arguments);
int derive_scalar(const DeriveArguments& arguments);

}  // namespace gyrostat::app
