// Ends what goes on for long when the user or the system asks for it.
#pragma once

#include <array>
#include <csignal>

namespace gyrostat::app {

/// While one lives, SIGINT, SIGTERM and SIGHUP are noted. One that was ignored before, as nohup does with SIGHUP,
/// remains so.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  [[nodiscard]] static bool requested();

 private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

}  // namespace gyrostat::app
