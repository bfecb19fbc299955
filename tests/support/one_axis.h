// A body of mass 1 on a straight line, joint `j`, with signals and whatever drives it: runs in which everything that
// happens is known in closed form.
#pragma once

#include <string>

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
  double step = 0.01;  // of rk4

  [[nodiscard]] std::string text() const {
    std::string model = fmt::format(R"(gyrostat: 1
bodies: {{b: {{mass: 1, inertia: [1, 1, 1]}}}}
joints: {{j: {{type: prismatic, parent: world, child: b, axis: [1, 0, 0], initial: {}{}}}}}
tables: {{{}}}
signals: {{{}}}
simulation: {{duration: {}, integrator: {}}}
output: {{interval: {}}}
)",
                                    initial, force.empty() ? "" : ", torque: \"" + force + "\"", tables, signals,
                                    duration, integrator(), interval);
    return model;
  }

 private:
  [[nodiscard]] std::string integrator() const {
    return method == "rk4" ? fmt::format("{{method: rk4, step: {}}}", step)
                           : fmt::format("{{method: {}, tolerance: {}}}", method, tolerance);
  }
};

inline const std::vector<std::string> adaptive = {"dopri5", "cvode_adams"};
inline const std::vector<std::string> every_method = {"dopri5", "cvode_adams", "cvode_bdf", "rk4"};

}  // namespace gyrostat::testing
