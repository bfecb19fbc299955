#!/usr/bin/env python3
"""Prints the model of a scissor mast with the number of bays that is given, or 40: scissor.yaml is

    examples/scissor/make.py > examples/scissor/scissor.yaml
"""
import sys

bays = int(sys.argv[1]) if len(sys.argv) > 1 else 40

print(f"""\
# A scissor mast of {bays} bays that lifts an instrument off a spacecraft. A bay is two crossed bars with a pin in the middle, and their ends are
# pinned to those of the next bay. The feet stand on two carriages, which a screw with a right-hand and a left-hand thread moves
# symmetrically; the head, too, has carriages. At zero angles all bars lie along x. Written by make.py, which prints such masts with any number of bays.
gyrostat: 1
name: Scissor mast of {bays} bays

parameters:
  L: 0.5 m                      # of a bar, between the pins of its ends
  folded: 4 deg                 # angle of the bars to the deck, at the start
  deployed: 65 deg              # and at the end
  T: 60 s                       # of the deployment
  m: 0.1 kg                     # of a bar
  I: "m*L^2/12*[0, 1, 1] + [2e-5, 0, 0]"        # kg m^2, of a bar; x is along it

templates:
  bar:
    parameters: {{side: number, color: value}}    # 1: it rises to the right (+x), -1: to the left
    bodies:
      body: {{mass: m, com: [side*L/2, 0, 0], inertia: I, shape: [{{box: [L, 0.02, 0.02], at: [side*L/2, side*0.012, 0], color: color}}]}}
  carriage:                     # on a rail along x, at `side` of the middle
    parameters: {{rail: body, side: number}}
    bodies:
      body: {{mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], shape: [{{box: [0.04, 0.08, 0.02], color: "#c0392b"}}]}}
    joints:
      slide: {{type: prismatic, parent: rail, child: body, axis: [1, 0, 0], initial: {{displacement: side*L/2*cos(folded)}}}}
  bay:
    parameters:
      left: body                # what the bar that rises to the right stands on
      right: body               # and the other one
      at: L                     # the upper ends of the bars of the bay below
    instances:
      r: {{template: bar, with: {{side: 1, color: "#c0c6cf"}}}}
      l: {{template: bar, with: {{side: -1, color: "#7f8c9b"}}}}
    joints:                     # the right foot closes a loop
      foot: {{type: revolute, parent: left, child: r.body, parent_point: [-at, 0, 0], axis: [0, -1, 0], initial: {{angle: (1 + at/L)*folded}}}}
      cross: {{type: revolute, parent: r.body, child: l.body, parent_point: [L/2, 0, 0], child_point: [-L/2, 0, 0], axis: [0, -1, 0],
              initial: {{angle: -2*folded}}}}
      other_foot: {{type: revolute, parent: right, child: l.body, parent_point: [at, 0, 0], axis: [0, -1, 0], cut: true}}

bodies:
  bus:
    mass: 300
    com: [0, 0, -0.5]           # the frame is in the middle of the deck
    inertia: [50, 50, 50]
    shape: [{{box: [1, 1, 1], at: [0, 0, -0.52], color: "#8a7f6a"}}, {{box: [0.6, 0.06, 0.02], at: [0, 0, -0.01], color: "#444a52"}}]
  instrument:                   # the frame is in the middle of its lower side
    mass: 8
    com: [0, 0, 0.15]
    inertia: [0.3, 0.3, 0.3]
    shape: [{{box: [0.6, 0.06, 0.02], at: [0, 0, 0.01], color: "#444a52"}}, {{cylinder: [0.2, 0.3], at: [0, 0, 0.17], color: "#26428b"}}]

instances:
  rail: {{template: carriage, with: {{rail: bus}}, for: {{left: {{side: -1}}, right: {{side: 1}}}}}}
  slot: {{template: carriage, with: {{rail: instrument}}, for: {{left: {{side: -1}}, right: {{side: 1}}}}}}
  bay1: {{template: bay, with: {{left: rail.left.body, right: rail.right.body, at: 0}}}}""")
for k in range(2, bays + 1):
    print(f"  bay{k}: {{template: bay, with: {{left: bay{k - 1}.l.body, right: bay{k - 1}.r.body}}}}")
print(f"""\

joints:
  head_left: {{type: revolute, parent: bay{bays}.l.body, child: slot.left.body, parent_point: [-L, 0, 0], axis: [0, -1, 0], initial: {{angle: folded}}}}
  head_right: {{type: revolute, parent: bay{bays}.r.body, child: slot.right.body, parent_point: [L, 0, 0], axis: [0, -1, 0], cut: true}}

signals:
  s: "clamp(t/T, 0, 1)"                                                     # the time of the deployment, from 0 to 1
  command: "folded + (deployed - folded)*(10*s^3 - 15*s^4 + 6*s^5)"         # without jumps up to the acceleration
  height: "instrument.position_z - bus.position_z"
  closed_form: "{bays}*L*sin(command)"

constraints:
  screw:      {{coupling: {{rail.left.slide.displacement: 1, rail.right.slide.displacement: 1}}}}
  head_screw: {{coupling: {{slot.left.slide.displacement: 1, slot.right.slide.displacement: 1}}}}
  motor:      {{coordinate: bay1.foot.angle, equals: command}}

simulation: {{duration: 65, integrator: {{method: cvode_adams, tolerance: 1e-8}}}}
output:
  interval: 1
  record: [command, height, closed_form, bay1.foot.angle, rail.right.slide.displacement, bay{bays}.cross.angle, slot.right.slide.displacement,
           bus.position, bus.omega, instrument.position, "system.*"]
  reactions: [motor]""")
