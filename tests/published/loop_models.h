// Published mechanisms with loops as model texts; `simulation` is what stands in their section of that name.
#pragma once

#include <string>

#include <fmt/format.h>

namespace gyrostat::testing {

/// A uniform rod of 1 m and 1 kg along an axis of its body, from the origin on.
inline std::string rod(const std::string& name, char axis, const std::string& more = "") {
  const std::string com = axis == 'x' ? "[0.5, 0, 0]" : "[0, 0.5, 0]";
  const std::string inertia = axis == 'x' ? "[0, 1/12, 1/12]" : "[1/12, 0, 1/12]";
  return fmt::format("  {}: {{mass: 1, com: {}, inertia: {}{}}}\n", name, com, inertia, more);
}

/// IFToMM A02: windows of rods in a row, all vertical rods at 90 degrees, the upper joints moving along +x at 1 m/s.
inline std::string windows(int count, const std::string& simulation) {
  std::string bodies = rod("v0", 'y', ", points: {b: [0, 1, 0]}"), joints;
  joints = "  a0: {type: revolute, parent: world, child: v0, axis: [0, 0, 1], initial: {rate: -1}}\n";
  for (int k = 1; k <= count; ++k) {
    bodies += rod(fmt::format("v{}", k), 'y') + rod(fmt::format("h{}", k), 'x');
    joints += fmt::format(
        "  a{0}: {{type: revolute, parent: world, child: v{0}, parent_point: [{0}, 0, 0], axis: [0, 0, 1], initial: "
        "{{rate: "
        "-1}}}}\n  b{0}: {{type: revolute, parent: v{1}, child: h{0}, parent_point: [0, 1, 0], axis: [0, 0, 1], "
        "initial: "
        "{{rate: 1}}}}\n  c{0}: {{type: revolute, parent: h{0}, child: v{0}, parent_point: [1, 0, 0], child_point: [0, "
        "1, 0], "
        "axis: [0, 0, 1], cut: true}}\n",
        k, k - 1);
  }
  return fmt::format(
      "gyrostat: 1\nbodies:\n{}joints:\n{}environment: {{gravity: {{uniform: [0, -9.81, 0]}}}}\nsimulation: {{{}}}\n"
      "output: {{interval: 1, record: [v0.b.position_x, v0.b.position_y]}}\n",
      bodies, joints, simulation);
}

/// Bricard's mechanism: five rods and the world in a ring of six revolute joints, cut at joint number `cut`.
inline std::string bricard(int cut, const std::string& simulation) {
  std::string text = R"yaml(gyrostat: 1
bodies:
  b1: {mass: 1, com: [0.5, 0, 0], inertia: [1/600, 101/1200, 101/1200]}
  b2: {mass: 1, com: [0, -0.5, 0], inertia: [101/1200, 1/600, 101/1200]}
  b3: {mass: 1, com: [0, 0, 0.5], inertia: [101/1200, 101/1200, 1/600], points: {p3: [0, 0, 1]}}
  b4: {mass: 1, com: [-0.5, 0, 0], inertia: [1/600, 101/1200, 101/1200]}
  b5: {mass: 1, com: [0, 0.5, 0], inertia: [101/1200, 1/600, 101/1200]}
joints:
  j0: {type: revolute, parent: world, child: b1, axis: [0, 1, 0]CUT0}
  j1: {type: revolute, parent: b1, child: b2, parent_point: [1, 0, 0], axis: [0, 0, 1]CUT1}
  j2: {type: revolute, parent: b2, child: b3, parent_point: [0, -1, 0], axis: [1, 0, 0]CUT2}
  j3: {type: revolute, parent: b3, child: b4, parent_point: [0, 0, 1], axis: [0, 1, 0]CUT3}
  j4: {type: revolute, parent: b4, child: b5, parent_point: [-1, 0, 0], axis: [0, 0, 1]CUT4}
  j5: {type: revolute, parent: b5, child: world, parent_point: [0, 1, 0], child_point: [0, 0, 1], axis: [1, 0, 0]CUT5}
environment: {gravity: {uniform: [0, -9.81, 0]}}
simulation: {SIMULATION}
output: {interval: 1, record: [b3.p3.position_x, b3.p3.position_y, b3.p3.position_z]}
)yaml";
  const auto replace = [&](const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("SIMULATION", simulation);
  for (int k = 0; k < 6; ++k) replace(fmt::format("CUT{}", k), k == cut ? ", cut: true" : "");
  return text;
}

/// IFToMM A01: a point mass on a massless rod, a distance constraint in a plane.
inline std::string pendulum_on_a_rod(const std::string& simulation) {
  return fmt::format(R"yaml(gyrostat: 1
bodies: {{bob: {{mass: 1, point_mass: true}}}}
joints: {{plane: {{type: translation, parent: world, child: bob, axes: [[1, 0, 0], [0, 1, 0]], initial: {{displacements: [-1, 0]}}}}}}
constraints: {{rod: {{distance: {{from: [world, [0, 0, 0]], to: [bob, [0, 0, 0]]}}, equals: 1}}}}
environment: {{gravity: {{uniform: [0, -9.81, 0]}}}}
simulation: {{{}}}
output: {{interval: 10}}
)yaml",
                     simulation);
}

/// Andrews' squeezer, of the test set for initial value problems: seven bodies, three loops, thirty milliseconds.
inline std::string squeezer(const std::string& simulation) {
  std::string text = R"yaml(gyrostat: 1
parameters: {xb: -0.03635, yb: 0.03273, xa: -0.06934, ya: -0.00227, d: 0.028, e: 0.02, rr: 0.007, ss: 0.035, zf: 0.02, zt: 0.04, u: 0.04}
bodies:
  k1: {mass: 0.04325, com: [0.00092, 0, 0], inertia: [2.194e-6, 2.194e-6, 2.194e-6]}
  k2: {mass: 0.00365, com: [-0.0115, 0, 0], inertia: [4.410e-7, 4.410e-7, 4.410e-7]}
  k3: {mass: 0.02373, com: [0.01043, -0.01874, 0], inertia: [5.255e-6, 5.255e-6, 5.255e-6], points: {d: [0.02, -0.018, 0]}}
  k4: {mass: 0.00706, com: [0, 0.01421 - e, 0], inertia: [5.667e-7, 5.667e-7, 5.667e-7]}
  k5: {mass: 0.07050, com: [0.02308, 0.00916, 0], inertia: [1.169e-5, 1.169e-5, 1.169e-5]}
  k6: {mass: 0.00706, com: [zf - 0.01421, 0, 0], inertia: [5.667e-7, 5.667e-7, 5.667e-7]}
  k7: {mass: 0.05498, com: [-0.00449, -0.01228, 0], inertia: [1.912e-5, 1.912e-5, 1.912e-5]}
joints:
  beta: {type: revolute, parent: world, child: k1, axis: [0, 0, 1], torque: 0.033, initial: {angle: -0.0617138900142764496}}
  theta: {type: revolute, parent: k1, child: k2, parent_point: [rr, 0, 0], axis: [0, 0, 1]}
  gamma: {type: revolute, parent: world, child: k3, parent_point: [xb, yb, 0], axis: [0, 0, 1], initial: {angle: 0.455279819163070380}}
  phi: {type: revolute, parent: k5, child: k4, parent_point: [zt, 0, 0], axis: [0, 0, 1], initial: {angle: 0.222668390165885885}}
  delta: {type: revolute, parent: world, child: k5, parent_point: [xa, ya, 0], axis: [0, 0, 1], initial: {angle: 0.487364979543842550}}
  omega: {type: revolute, parent: k7, child: k6, parent_point: [0, -u, 0], axis: [0, 0, 1], initial: {angle: -0.222668390165885885}}
  epsilon: {type: revolute, parent: world, child: k7, parent_point: [xa, ya, 0], axis: [0, 0, 1], initial: {angle: 1.23054744454982119}}
  p3: {type: revolute, parent: k2, child: k3, parent_point: [-d, 0, 0], child_point: [0, -ss, 0], axis: [0, 0, 1], cut: true}
  p4: {type: revolute, parent: k2, child: k4, parent_point: [-d, 0, 0], child_point: [0, -e, 0], axis: [0, 0, 1], cut: true}
  p6: {type: revolute, parent: k2, child: k6, parent_point: [-d, 0, 0], child_point: [zf, 0, 0], axis: [0, 0, 1], cut: true}
loads:
  - {spring: {from: [world, [0.014, 0.072, 0]], to: [k3, d], stiffness: 4530, length: 0.07785}}
simulation: {SIMULATION}
output: {interval: 0.03}
)yaml";
  const std::string place = "SIMULATION";
  return text.replace(text.find(place), place.size(), simulation);
}

}  // namespace gyrostat::testing
