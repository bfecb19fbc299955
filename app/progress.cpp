#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace gyrostat::app {

namespace {

constexpr auto between_bars = std::chrono::milliseconds(100);
constexpr auto longest_between_lines = std::chrono::minutes(10);

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60), std::fmod(seconds, 60));
  return fmt::format("{:.0f} h {:02.0f} min", std::floor(seconds / 3600), std::fmod(seconds, 3600) / 60);
}

Progress::Progress(double from, double until, bool quiet)
    : from_(from), until_(until), visible_(!quiet), terminal_(isatty(fileno(stderr)) != 0) {}

double Progress::elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

void Progress::show(double t) {
  if (!visible_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < (terminal_ ? between_bars : between_lines_)) return;
  last_ = now;
  const double part = until_ > 0 ? std::clamp(t / until_, 0.0, 1.0) : 1;
  const double speed = (t - from_) / elapsed();
  const double left = speed > 0 ? (until_ - t) / speed : 0;
  if (!terminal_) {
    between_lines_ = std::min(2 * between_lines_, std::chrono::milliseconds(longest_between_lines));
    fmt::print(stderr, "{:.0f} %  t = {:.4g} s  {:.3g} x real time  {} left\n", 100 * part, t, speed,
               duration_text(left));
    std::fflush(stderr);
    return;
  }
  constexpr int width = 30;
  const int full = static_cast<int>(part * width);
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < full ? "█" : "░";
  fmt::print(stderr, "\r\033[K{} {:3.0f} %  t = {:.4g} s  {:.3g} x real time  {} left", bar, 100 * part, t, speed,
             duration_text(left));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace gyrostat::app
