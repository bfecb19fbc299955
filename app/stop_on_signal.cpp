#include "stop_on_signal.h"

namespace gyrostat::app {

namespace {

volatile std::sig_atomic_t stop_requested = 0;
void request_stop(int) { stop_requested = 1; }

}  // namespace

StopOnSignal::StopOnSignal() {
  stop_requested = 0;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    struct sigaction action {};  // without SA_RESTART: waiting for the reader of a pipe ends too
    action.sa_handler = request_stop;
    sigaction(signals[k], &action, &before_[k]);
    if (before_[k].sa_handler == SIG_IGN) sigaction(signals[k], &before_[k], nullptr);
  }
}

StopOnSignal::~StopOnSignal() {
  for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before_[k], nullptr);
}

bool StopOnSignal::requested() { return stop_requested != 0; }

}  // namespace gyrostat::app
