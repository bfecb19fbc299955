// Flight code: a function of a shared library, called at each multiple of a period.
#pragma once

#include <fmt/format.h>

#include "gyrostat/math/checksum.h"
#include "gyrostat/signals/blocks/periodic.h"
#include "gyrostat/signals/plugin_library.h"

namespace gyrostat {

struct Plugin : Periodic {
  PluginFunction function;  // empty: it must not run, and its outputs stay zero
  std::uint32_t names = 0;  // checksum of those of its library and its function

  explicit Plugin(const PluginBlock& b)
      : Periodic{b.period}, names(static_cast<std::uint32_t>(checksum(b.library + "\n" + b.function))) {}

  [[nodiscard]] std::vector<double> numbers() const {
    return {period, static_cast<double>(names), static_cast<double>(function.memory),
            function.function != nullptr ? 1.0 : 0.0};
  }

  std::optional<std::string_view> update(const HeldCall& call) const {
    if (!is_due_at(call)) return std::nullopt;
    if (function.function != nullptr && call.calls_plugins) run(call);
    ++call.memory.next;
    return "";
  }

 private:
  void run(const HeldCall& call) const {
    std::vector<unsigned char>& memory = call.memory.memory;
    std::vector<double> inputs(call.inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k] = call.inputs[k];
    const gyrostat_call arguments = {call.t,
                                     inputs.data(),
                                     inputs.size(),
                                     call.outputs.data(),
                                     call.outputs.size(),
                                     memory.empty() ? nullptr : memory.data()};
    const int answer = function.function(&arguments);
    if (answer != 0 && call.failure.empty()) {
      call.failure = fmt::format("plugin '{}' returned {} and so stopped the run", call.name, answer);
    }
  }
};

}  // namespace gyrostat
