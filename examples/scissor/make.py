#!/usr/bin/env python3
"""Prints the model of a scissor mast with the number of bays that is given, or 40: scissor.yaml is

    examples/scissor/make.py > examples/scissor/scissor.yaml
"""
import sys

bays = int(sys.argv[1]) if len(sys.argv) > 1 else 40

print(f"""\
# A scissor mast of {bays} bays that lifts an instrument off a spacecraft. A bay is two crossed bars with a pin in the middle:
# r1, r2, .. rise to the right (to +x) and l1, l2, .. to the left, and their ends are pinned to those of the next bay. The feet stand
# on two carriages, which a screw with a right-hand and a left-hand thread moves symmetrically; the head, too, has carriages.
# At zero angles all bars lie along x. Written by make.py, which prints such masts with any number of bays.
gyrostat: 1
name: Scissor mast of {bays} bays

parameters:
  L: 0.5 m                      # of a bar, between the pins of its ends
  folded: 4 deg                 # angle of the bars to the deck, at the start
  deployed: 65 deg              # and at the end
  T: 60 s                       # of the deployment
  m: 0.1 kg                     # of a bar
  I: m*L^2/12                   # of a bar, about its middle
  J: 2e-5 kg*m^2                # of a bar, about its length

bodies:
  bus:
    mass: 300
    com: [0, 0, -0.5]           # the frame is in the middle of the deck
    inertia: [50, 50, 50]
    shape: [{{box: [1, 1, 1], at: [0, 0, -0.52], color: "#8a7f6a"}}, {{box: [0.6, 0.06, 0.02], at: [0, 0, -0.01], color: "#444a52"}}]
  foot_left:  {{mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], shape: [{{box: [0.04, 0.08, 0.02], color: "#c0392b"}}]}}
  foot_right: {{mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], shape: [{{box: [0.04, 0.08, 0.02], color: "#c0392b"}}]}}""")
for k in range(1, bays + 1):
    for name, sign, side in (("r", "", 0.012), ("l", "-", -0.012)):
        color = "#c0c6cf" if name == "r" else "#7f8c9b"
        print(f'  {name}{k}: {{mass: m, com: [{sign}L/2, 0, 0], inertia: [J, I, I], '
              f'shape: [{{box: [L, 0.02, 0.02], at: [{sign}L/2, {side}, 0], color: "{color}"}}]}}')
print("""\
  head_right: {mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], shape: [{box: [0.04, 0.08, 0.02], color: "#c0392b"}]}
  head_left:  {mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], shape: [{box: [0.04, 0.08, 0.02], color: "#c0392b"}]}
  instrument:                   # the frame is in the middle of its lower side
    mass: 8
    com: [0, 0, 0.15]
    inertia: [0.3, 0.3, 0.3]
    shape: [{box: [0.6, 0.06, 0.02], at: [0, 0, 0.01], color: "#444a52"}, {cylinder: [0.2, 0.3], at: [0, 0, 0.17], color: "#26428b"}]

joints:
  rail_left:  {type: prismatic, parent: bus, child: foot_left, axis: [1, 0, 0], initial: {displacement: -L/2*cos(folded)}}
  rail_right: {type: prismatic, parent: bus, child: foot_right, axis: [1, 0, 0], initial: {displacement: L/2*cos(folded)}}
  # Up the left side: the right bar of a bay stands on the left bar of the bay below, and carries the left bar by the pin in the middle.
  r1_foot: {type: revolute, parent: foot_left, child: r1, axis: [0, -1, 0], initial: {angle: folded}}""")
for k in range(1, bays + 1):
    print(f"  cross{k}: {{type: revolute, parent: r{k}, child: l{k}, parent_point: [L/2, 0, 0], child_point: [-L/2, 0, 0], axis: [0, -1, 0], "
          "initial: {angle: -2*folded}}")
    if k < bays:
        print(f"  r{k + 1}_foot: {{type: revolute, parent: l{k}, child: r{k + 1}, parent_point: [-L, 0, 0], axis: [0, -1, 0], "
              "initial: {angle: 2*folded}}")
print("""\
  # The right side closes the loops.
  l1_foot: {type: revolute, parent: foot_right, child: l1, axis: [0, -1, 0], cut: true}""")
for k in range(2, bays + 1):
    print(f"  l{k}_foot: {{type: revolute, parent: r{k - 1}, child: l{k}, parent_point: [L, 0, 0], axis: [0, -1, 0], cut: true}}")
print(f"""\
  l{bays}_head: {{type: revolute, parent: l{bays}, child: head_left, parent_point: [-L, 0, 0], axis: [0, -1, 0], initial: {{angle: folded}}}}
  slot_left:  {{type: prismatic, parent: instrument, child: head_left, axis: [1, 0, 0], initial: {{displacement: -L/2*cos(folded)}}}}
  slot_right: {{type: prismatic, parent: instrument, child: head_right, axis: [1, 0, 0], initial: {{displacement: L/2*cos(folded)}}}}
  r{bays}_head: {{type: revolute, parent: r{bays}, child: head_right, parent_point: [L, 0, 0], axis: [0, -1, 0], cut: true}}

signals:
  s: "clamp(t/T, 0, 1)"                                                     # the time of the deployment, from 0 to 1
  command: "folded + (deployed - folded)*(10*s^3 - 15*s^4 + 6*s^5)"         # without jumps up to the acceleration
  height: "instrument.position_z - bus.position_z"
  closed_form: "{bays}*L*sin(command)"

constraints:
  screw:      {{coupling: {{rail_left.displacement: 1, rail_right.displacement: 1}}}}
  head_screw: {{coupling: {{slot_left.displacement: 1, slot_right.displacement: 1}}}}
  motor:      {{coordinate: r1_foot.angle, equals: command}}

simulation: {{duration: 65, integrator: {{method: cvode_adams, tolerance: 1e-8}}}}
output:
  interval: 1
  record: [command, height, closed_form, r1_foot.angle, rail_right.displacement, cross{bays}.angle, slot_right.displacement, "bus.position_*",
           "bus.omega_*", "instrument.position_*", "system.*"]
  reactions: [motor]""")
