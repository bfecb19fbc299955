// The commands about linear models on the command line.
#pragma once

#include <memory>
#include <optional>

#include "outline.h"

namespace gyrostat::app {

class LinearCommands {
 public:
  explicit LinearCommands(Program& program);
  ~LinearCommands();
  LinearCommands(const LinearCommands&) = delete;
  LinearCommands& operator=(const LinearCommands&) = delete;

  /// Runs the one that was parsed, if it is among these.
  [[nodiscard]] std::optional<int> run() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// --gain, --describe and --pade: what stands for blocks without a derivative.
void add_replacement_options(CLI::App* command, struct LinearArguments& arguments);

/// A command that takes a model file.
CLI::App* model_command(Program& program, const std::string& name, const std::string& description,
                        struct ModelArguments& arguments);

}  // namespace gyrostat::app
