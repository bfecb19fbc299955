// Flight code in shared libraries.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gyrostat/format/description.h"
#include "gyrostat/signals/plugin.h"

namespace gyrostat {

/// A library that cannot be opened, or has no such function.
class PluginError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The function of a plugin block, with the library it is in kept open.
struct PluginFunction {
  std::shared_ptr<void> library;
  gyrostat_function function = nullptr;
  std::size_t memory = 0;  // bytes
};

/// Opens the library and finds the function. A relative path is taken from `directory`, where the model file is.
/// Runs the library's code: only call it where the user has allowed that.
PluginFunction open_plugin(const PluginBlock& block, const std::string& directory);

}  // namespace gyrostat
