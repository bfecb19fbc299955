// A model with everything that remembers: amplifiers, noise, samples, delays, filters, tables, prescribed motion.
#pragma once

#include <string>

namespace gyrostat::testing {

inline const std::string busy_model = R"--(gyrostat: 1
name: A bit of everything that remembers
parameters: {K: 8 N*m/rad}
tables:
  bend: {x: [-1, -0.05, 0, 0.05, 1], y: [30, 12, 8, 12, 30], outside: hold}
bodies:
  bus:
    mass: 100
    inertia: [10, 12, 8]
    wheels: {rw: {axis: [0, 0, 1], inertia: 0.05, rate: 20, torque: "0.02*steady"}}
  panel: {mass: 5, com: [0, 1, 0], inertia: [1.7, 0.1, 1.8]}
  boom: {mass: 1, com: [0, 0, 1], inertia: [0.3, 0.3, 0.01]}
  head: {mass: 2, inertia: [0.1, 0.1, 0.1]}
joints:
  base: {initial: {omega: [0.02, 0.03, -0.01], orientation: {axis: [1, 1, 0], angle: 10 deg}}}
  hinge: {type: revolute, parent: bus, child: panel, parent_point: [0, 0.5, 0], axis: [1, 0, 0],
    stiffness: K, damping: 0.05, initial: {angle: 0.1}}
  root: {type: universal, parent: bus, child: boom, parent_point: [0, 0, 0.5], axes: [[1, 0, 0], [0, 1, 0]],
    stiffness: {table: bend}, damping: 0.02, initial: {angles: [0.08, -0.03]}}
  scan: {type: revolute, parent: bus, child: head, parent_point: [0, -0.5, 0], axis: [0, 0, 1],
    prescribed: {position: "0.3*sin(0.8*t)"}}
signals:
  roll: "atan2(bus.C23, bus.C33)"
  pitch: "-asin(clamp(bus.C13, -1, 1))"
  hiss: {noise: {seed: 7, std: 0.002, period: 0.05}}
  seen: {sample: {input: roll + hiss, period: 0.1}}
  late: {delay: {input: pitch, time: 0.13}}
  smooth: {transfer_function: {input: late, numerator: [1], denominator: [0.3, 1]}}
  jet_x: {switching_amplifier: {input: "-seen - 4*bus.omega_x", deadband: 0.01, hysteresis: 0.004, min_on_time: 20 ms}}
  jet_y: {switching_amplifier: {input: "-smooth - 4*bus.omega_y", deadband: 0.008, hysteresis: 0.002,
    min_on_time: 15 ms, min_off_time: 30 ms}}
  steady: {pid: {input: "-bus.omega_z", kp: 20, ki: 2, kd: 1, filter: 0.2, low: -1, high: 1}}
  drift: {integral: "roll*pitch"}
  wobble: "t < 40 ? 0.02*sin(3*t) : 0"
loads:
  - {body: bus, torque: ["0.3*jet_x + wobble", "0.25*jet_y + 0.01*step(13)", "0.002"]}
  - {thruster: {body: panel, point: com, direction: [0, 0, 1], thrust: 0.01, command: jet_y}}
simulation: {duration: 60, integrator: {method: dopri5, tolerance: 1e-9}}
output: {interval: 0.1}
)--";

}  // namespace gyrostat::testing
