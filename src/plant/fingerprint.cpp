#include "gyrostat/plant/fingerprint.h"

namespace gyrostat {

namespace {

void add_structure(Fingerprint& f, const LinkStructure& link) {
  f.add_each(link.parent, link.q, link.u, link.nu, link.motion, link.wheels, link.gyroscopic, link.flexible,
             link.modal_node);
}

void add_structure(Fingerprint& f, const JointStructure& joint) {
  f.add_each(joint.quaternion, joint.free, joint.reversed, joint.translations, joint.rotations, joint.first_translation,
             joint.first_rotation, joint.translation_coordinate, joint.rotation_coordinate);
}

void add_structure(Fingerprint& f, const FlexibleStructure& body) {
  f.add_each(body.body, body.q, body.u, body.modes, body.first_node, body.nodes, body.terms);
}

void add_structure(Fingerprint& f, const WheelStructure& wheel) { f.add_each(wheel.body, wheel.u); }

void add_structure(Fingerprint& f, const ModalNodeStructure& node) {
  f.add_each(node.body, node.flexible, node.loaded);
}

void add_vectors(Fingerprint& f, const std::vector<Vector3>& list) {
  f.add(list.size());
  for (const Vector3& x : list) f.add_list(x);
}

void add_kind(Fingerprint& f, const CutJoint& cut) {
  const Joint& joint = cut.joint;
  f.add_each(joint.type, joint.reversed, joint.rotation_first, joint.translations, joint.rotations, joint.motion,
             joint.parent_node, joint.child_node);
  f.add_list(cut.position);
}

void add_kind(Fingerprint& f, const Coupling& coupling) {
  f.add(coupling.terms.size());
  for (const Coupling::Term& term : coupling.terms) f.add_each(term.q, term.u, term.coefficient);
}

void add_kind(Fingerprint& f, const Distance& distance) { f.add_each(distance.parent_node, distance.child_node); }

void add_kind(Fingerprint& f, const PointOnFrame& point) {
  f.add_each(point.frame_node, point.point_node);
  add_vectors(f, point.directions);
}

void add_program(Fingerprint& f, const expression::Program& program) {
  f.add_each(program.inputs, program.slots, program.constants.size());
  for (const auto& [slot, value] : program.constants) f.add_each(slot, value);
  for (const auto* list : {&program.prologue, &program.instructions}) {
    f.add(list->size());
    for (const expression::Instruction& i : *list) f.add_each(i.code, i.target, i.a, i.b, i.which);
  }
  f.add(program.switches.size());
  for (const expression::Switch& s : program.switches) {
    f.add_each(s.kind, s.guard, s.other, s.table, s.time.has_value(), s.time.value_or(0), s.falls, s.fixed);
  }
  f.add(program.tables.size());
  for (const Table& table : program.tables) {
    f.add_list(table.knots());
    f.add_list(table.values());
    f.add_each(table.interpolation(), table.outside());
  }
}

void add_elements(Fingerprint& f, const ForceElements<double>& elements) {
  std::apply([&](const auto&... list) { f.add_each(list.size()...); }, elements.lists);
  elements.for_each(
      [&](const auto& element) { std::apply([&](const auto&... field) { f.add_each(field...); }, element.tie()); });
  const auto number = [&](const auto& x) {
    if constexpr (std::is_same_v<decltype(x), const Orbit&>) {
      f.add_list(x.numbers());
    } else {
      f.add(x);
    }
  };
  for_element_numbers(number, elements);
}

void add_restraint(Fingerprint& f, const Restraint& r) {
  f.add_each(r.name, r.q, r.u, r.source, r.latch, r.friction, r.coulomb, r.static_most, r.stribeck, r.sliding, r.beyond,
             r.low, r.high, r.of_speed, r.restitution);
  const ReactionLevel& level = r.by_reaction;
  f.add_each(level.body, level.coulomb, level.static_most, level.coefficient, level.force);
}

void add_forces(Fingerprint& f, const ForceModel& forces) {
  f.add(forces.given.size());
  for (const GivenAcceleration& given : forces.given) f.add_each(given.u, given.value);
  f.add(forces.latches.size());
  for (const JointLatch& latch : forces.latches) {
    f.add_each(latch.name, latch.u, latch.nu, latch.source, latch.when, latch.release);
  }
  f.add(forces.restraints.size());
  for (const Restraint& r : forces.restraints) add_restraint(f, r);
  f.add_list(forces.sources);
  f.add(forces.orbit.has_value());
  if (forces.orbit) f.add_list(forces.orbit->numbers());
  add_elements(f, forces.elements);
}

void add_held(Fingerprint& f, const HeldBlock& block) {
  f.add_each(block.name, block.kind.index(), block.output, block.outputs, block.first);
  std::visit([&](const auto& kind) { f.add_list(kind.numbers()); }, block.kind);
  f.add_list(block.inputs);
}

}  // namespace

void add_to(Fingerprint& f, const Mechanism& mechanism) {
  f.add_each(mechanism.links.size(), mechanism.nq, mechanism.nu);
  const auto add_all = [&](const auto& list) {
    f.add(list.size());
    for (const auto& one : list) add_structure(f, one);
  };
  add_all(mechanism.links);
  add_all(mechanism.joints);
  add_all(mechanism.wheels);
  add_all(mechanism.flexible);
  add_all(mechanism.modal_nodes);
  for_numbers([&](const double& x) { f.add(x); }, mechanism);
}

void add_to(Fingerprint& f, const System& system) {
  f.add_list(system.initial.q);
  f.add_list(system.initial.u);
  for (const Body& body : system.bodies) f.add_each(body.name, body.flexible, body.node);
  for (const Joint& joint : system.joints) {
    f.add_each(joint.name, joint.type, joint.motion, joint.may_lock, joint.parent_node, joint.child_node);
  }
  for (const Wheel& wheel : system.wheels) f.add_each(wheel.name, wheel.speed_prescribed, wheel.may_lock);
  f.add(system.nodes.size());
  for (const Node& node : system.nodes) {
    f.add(node.body);
    f.add_list(node.p);
    f.add_list(node.R.reshaped());
  }
  f.add(system.constraints.size());
  for (const Constraint& constraint : system.constraints) {
    f.add_each(constraint.name, constraint.type, constraint.first_equal, constraint.kind.index());
    std::visit([&](const auto& kind) { add_kind(f, kind); }, constraint.kind);
    f.add_list(constraint.equals);
  }
}

void add_to(Fingerprint& f, const SignalProgram& signals) {
  add_program(f, signals.program);
  f.add_list(signals.names);
  for (const std::vector<Slot>& outputs : signals.outputs) f.add_list(outputs);
  f.add(signals.observed.size());
  for (const auto& [slot, o] : signals.observed) f.add_each(slot, o.kind, o.index, o.other, o.component);
  f.add(signals.states.size());
  for (const auto& state : signals.states) f.add_each(state.slot, state.rate, state.initial);
  f.add(signals.starts_at.size());
  for (const StartsAt& start : signals.starts_at) f.add_each(start.state, start.slot);
  f.add(signals.held.size());
  for (const HeldBlock& block : signals.held) add_held(f, block);
  f.add(signals.prescribed.size());
  for (const PrescribedMotion& motion : signals.prescribed) {
    f.add_each(motion.slot, motion.q, motion.u, motion.speed, motion.equal);
  }
  for (const std::vector<Slot>* points : {&signals.inputs, &signals.computed, &signals.measured}) f.add_list(*points);
  add_forces(f, signals.forces);
}

}  // namespace gyrostat
