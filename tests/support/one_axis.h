// A body of mass 1 on a straight line, joint `j`, with signals and whatever drives it: runs in which everything that
// happens is known in closed form.
#pragma once

#include <cctype>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/flight.h"

namespace gyrostat::testing {

struct OneAxis {
  std::string signals = "";    // "a: \"sin(t)\", b: {integral: a}"
  std::string force = "";      // on the body, an expression
  std::string initial = "{}";  // of the joint: {displacement: 1, speed: 2}
  std::string tables = "";     // "bent: {x: [0, 1], y: [0, 2]}"
  double duration = 2, interval = 0.1;
  std::string method = "dopri5";
  double tolerance = 1e-10;
  double step = 0.01;   // of rk4
  bool watched = true;  // every signal reaches a force, multiplied by zero, so that its switches are events

  [[nodiscard]] std::string text() const {
    std::string model = fmt::format(R"(gyrostat: 1
bodies: {{b: {{mass: 1, inertia: [1, 1, 1]}}}}
parameters: {{nothing: 0}}
joints: {{j: {{type: prismatic, parent: world, child: b, axis: [1, 0, 0], initial: {}{}}}}}
tables: {{{}}}
signals: {{{}}}
simulation: {{duration: {}, integrator: {}}}
output: {{interval: {}}}
)",
                                    initial, driven().empty() ? "" : ", torque: \"" + driven() + "\"", tables, signals,
                                    duration, integrator(), interval);
    return model;
  }

 private:
  [[nodiscard]] std::string driven() const {
    std::string all = force;
    if (watched) {
      for (const std::string& name : names()) all += (all.empty() ? "nothing*" : " + nothing*") + name;
    }
    return all;
  }

  /// Of the signals with one output: what stands before a ':' outside of braces and quotes.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    std::string word;
    int depth = 0;
    bool quoted = false;
    for (const char c : signals) {
      if (c == '"') quoted = !quoted;
      depth += quoted ? 0 : (c == '{' || c == '[') ? 1 : (c == '}' || c == ']') ? -1 : 0;
      const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
      if (depth == 0 && !quoted && c == ':' && !word.empty()) list.push_back(word);
      word = letter && depth == 0 && !quoted ? word + c : "";
    }
    const bool several = signals.find("outputs:") != std::string::npos;
    return several ? std::vector<std::string>() : list;
  }

  [[nodiscard]] std::string integrator() const {
    return method == "rk4" ? fmt::format("{{method: rk4, step: {}}}", step)
                           : fmt::format("{{method: {}, tolerance: {}}}", method, tolerance);
  }
};

inline const std::vector<std::string> adaptive = {"dopri5", "cvode_adams"};
inline const std::vector<std::string> every_method = {"dopri5", "cvode_adams", "cvode_bdf", "rk4"};

}  // namespace gyrostat::testing
