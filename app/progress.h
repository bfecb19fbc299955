// A bar on the terminal: simulated time, speed, time left.
#pragma once

#include <chrono>

namespace gyrostat::app {

class Progress {
 public:
  /// Nothing is shown where stderr is no terminal, or if `quiet`.
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
  bool visible_;
  bool drawn_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace gyrostat::app
