// `gyrostat derive`: the equations of motion on paper. Each function returns its exit code (exit_codes.h).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "commands.h"

namespace gyrostat::app {

struct DeriveArguments {
  ModelArguments model;
  std::string form;       // vector or scalar; empty: vector
  std::string format;     // one of derive_formats; empty: as the output's name says, or text
  std::string output;     // a file, or empty: printed
  std::string body;       // whose equations alone
  bool terms = false;     // each term is explained
  bool ascii = false;     // no other characters in text
  bool force = false;     // replace a file that Gyrostat did not write
  bool jacobian = false;  // of the scalar form: the linear model too
};

inline constexpr std::array<std::string_view, 2> derive_forms = {"vector", "scalar"};
inline constexpr std::array<std::string_view, 6> derive_formats = {"text", "latex", "html", "json", "c", "python"};

int derive(const DeriveArguments& arguments);

/// The scalar form.
int derive_scalar(const DeriveArguments& arguments);

}  // namespace gyrostat::app
