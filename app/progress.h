// How far a run has come: simulated time, speed, time left. A bar on a terminal; elsewhere a line now and then.
#pragma once

#include <chrono>
#include <string>

namespace gyrostat::app {

/// "3 min 20 s"
std::string duration_text(double seconds);

class Progress {
 public:
  /// Nothing is shown if `quiet`.
  Progress(double from, double until, bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double t);
  void clear();

  /// Since the run began [s].
  [[nodiscard]] double elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;
  double from_, until_;
  bool visible_, terminal_;
  std::chrono::milliseconds between_lines_ = std::chrono::seconds(10);  // twice that after each
  bool drawn_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace gyrostat::app
