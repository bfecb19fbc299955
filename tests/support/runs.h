// Whole runs of the program: in a directory, in the background, killed; and whether two have the same numbers.
#pragma once

#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "gyrostat/results/results_reader.h"

#include "support/program.h"

namespace gyrostat::testing {

/// As if typed in `directory`.
inline Outcome run_in(const std::filesystem::path& directory, const std::string& arguments,
                      const std::string& environment = "") {
  return run(arguments, "cd '" + directory.string() + "' && " + environment);
}

/// The program in the background, in `directory`; its output goes to the files `out` and `err` there.
class Background {
 public:
  Background(const std::filesystem::path& directory, std::vector<std::string> arguments) {
    child_ = fork();
    if (child_ != 0) return;
    const auto redirect = [](const std::string& path, int to) {
      dup2(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), to);
    };
    std::signal(SIGINT, SIG_DFL);  // where tests run in the background of a script it is ignored, and that is inherited
    if (chdir(directory.c_str()) != 0) _exit(99);
    redirect("out", 1);
    redirect("err", 2);
    arguments.insert(arguments.begin(), GYROSTAT_PROGRAM);
    std::vector<char*> list;
    for (std::string& argument : arguments) list.push_back(argument.data());
    list.push_back(nullptr);
    execv(GYROSTAT_PROGRAM, list.data());
    _exit(99);
  }
  ~Background() {
    if (child_ > 0) {
      send(SIGKILL);
      wait();
    }
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void send(int signal) const { kill(child_, signal); }
  /// Its exit code; 128 and the signal that ended it.
  int wait() {
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t child_ = -1;
};

inline void pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// Waits until a file is there; false if it does not come.
inline bool await(const std::filesystem::path& path, double seconds = 20) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!std::filesystem::exists(path)) {
    if (std::chrono::steady_clock::now() > end) return false;
    pause(0.002);
  }
  return true;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// Every number but how long it took.
inline void expect_same_results(const std::string& a, const std::string& b) {
  const results::ResultsReader first(a), second(b);
  EXPECT_EQ(first.status(), second.status());
  EXPECT_TRUE(same_bits(first.time(), second.time())) << first.records() << " and " << second.records();
  ASSERT_EQ(first.columns().size(), second.columns().size());
  std::string differing;
  for (const results::Column& column : first.columns()) {
    const std::vector<double> x = first.column(column.name), y = second.column(column.name);
    if (same_bits(x, y)) continue;
    std::size_t at = 0;
    while (at < std::min(x.size(), y.size()) && std::memcmp(&x[at], &y[at], sizeof(double)) == 0) ++at;
    differing += " " + column.name + " from record " + std::to_string(at);
  }
  EXPECT_EQ(differing, "");
  ASSERT_EQ(first.events().size(), second.events().size());
  for (std::size_t k = 0; k < first.events().size(); ++k) {
    EXPECT_TRUE(first.events()[k].t == second.events()[k].t && first.events()[k].name == second.events()[k].name &&
                first.events()[k].what == second.events()[k].what)
        << "event " << k;
  }
  ASSERT_EQ(first.statistics().size(), second.statistics().size());
  for (std::size_t k = 0; k < first.statistics().size(); ++k) {
    const auto& [name, value] = first.statistics()[k];
    if (name == "seconds") continue;
    EXPECT_EQ(value, second.statistics()[k].second) << name;
  }
}

inline double statistic(const results::ResultsReader& results, const std::string& name) {
  for (const auto& [key, value] : results.statistics()) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "there is no statistic " << name;
  return 0;
}

/// A free bus with a panel on a spring: something to run.
inline const std::string small_model = R"--(gyrostat: 1
name: A bus with a panel
parameters: {K: 20 N*m/rad}
bodies:
  bus: {mass: 100, inertia: [10, 12, 8]}
  panel: {mass: 5, com: [0, 1, 0], inertia: [1.7, 0.1, 1.8]}
joints:
  base: {initial: {omega: [0.01, 0.02, 0.03]}}
  hinge: {type: revolute, parent: bus, child: panel, parent_point: [0, 0.5, 0], axis: [1, 0, 0],
    initial: {angle: 0.2}, stiffness: K, damping: 0.1}
signals: {twice: 2*hinge.angle, push: "step(0.5)"}
loads: [{body: bus, torque: [push, 0, 0]}]
simulation: {duration: 2, integrator: {method: dopri5, tolerance: 1e-9}}
output: {interval: 0.1}
)--";

}  // namespace gyrostat::testing
