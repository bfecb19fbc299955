// What may go wrong in a process of its own.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/sanitized.h"

namespace gyrostat::testing {

/// In a process of its own with little memory and time. Returns whether it ended by itself and well.
inline bool survives(const std::function<void()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit memory{1U << 30U, 1U << 30U};
    if (!sanitized) setrlimit(RLIMIT_AS, &memory);
    const rlimit seconds{60, 60};  // of the processor: a slow disk is no endless loop
    setrlimit(RLIMIT_CPU, &seconds);
    alarm(280);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) std::exit(2);  // HDF5 complains as the program ends
    act();
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace gyrostat::testing
