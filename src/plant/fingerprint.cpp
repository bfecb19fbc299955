#include "gyrostat/plant/fingerprint.h"

namespace gyrostat {

void add_to(Fingerprint& f, const Mechanism& mechanism) {
  for_numbers([&](const double& x) { f.add(x); }, mechanism);
  for (const Link& link : mechanism.links) {
    for (const std::uint32_t n : {link.parent, link.q, link.u}) f.add(n);
    f.add(link.motion);
    f.add(link.gyroscopic);
  }
  for (const FlexibleStructure& body : mechanism.flexible) {
    for (const std::uint32_t n : {body.body, body.q, body.u, body.modes}) f.add(n);
    f.add(body.terms);
  }
  for (const auto& joint : mechanism.joints) {
    f.add(joint.quaternion);
    f.add(joint.reversed);
    f.add(joint.first_rotation);
  }
}

void add_to(Fingerprint& f, const System& system) {
  for (const double x : system.initial.q) f.add(x);
  for (const double x : system.initial.u) f.add(x);
  for (const Body& body : system.bodies) f.add(body.name);
  for (const Joint& joint : system.joints) {
    f.add(joint.name);
    f.add(joint.type);
    f.add(joint.motion);
  }
  for (const Wheel& wheel : system.wheels) {
    f.add(wheel.name);
    f.add(wheel.speed_prescribed);
  }
  for (const Node& node : system.nodes) {
    f.add(node.body);
    for (const double x : node.p) f.add(x);
    for (const double x : node.R.reshaped()) f.add(x);
  }
}

namespace {

void add_program(Fingerprint& f, const expression::Program& program) {
  for (const auto& [slot, value] : program.constants) {
    f.add(slot);
    f.add(value);
  }
  for (const auto* list : {&program.prologue, &program.instructions}) {
    for (const expression::Instruction& i : *list) {
      f.add(i.code);
      for (const std::uint32_t n : {i.target, i.a, i.b, i.which}) f.add(n);
    }
  }
  for (const expression::Switch& s : program.switches) {
    f.add(s.kind);
    for (const std::uint32_t n : {s.guard, s.other, s.table}) f.add(n);
  }
  for (const Table& table : program.tables) {
    for (const double x : table.knots()) f.add(x);
    for (const double y : table.values()) f.add(y);
    f.add(table.interpolation());
    f.add(table.outside());
  }
}

void add_elements(Fingerprint& f, const ForceElements<double>& elements) {
  elements.for_each(
      [&](const auto& element) { std::apply([&](const auto&... field) { (f.add(field), ...); }, element.tie()); });
  const auto number = [&](const auto& x) {
    if constexpr (std::is_same_v<decltype(x), const Orbit&>) {
      f.add(x.numbers());
    } else {
      f.add(x);
    }
  };
  for_element_numbers(number, elements);
}

}  // namespace

void add_to(Fingerprint& f, const SignalProgram& signals) {
  add_program(f, signals.program);
  for (const std::string& name : signals.names) f.add(name);
  for (const auto& [slot, o] : signals.observed) {
    f.add(o.kind);
    for (const std::uint32_t n : {slot, o.index, o.other, o.component}) f.add(n);
  }
  for (const auto& state : signals.states) {
    f.add(state.slot);
    f.add(state.rate);
    f.add(state.initial);
  }
  for (const HeldBlock& block : signals.held) {
    f.add(block.kind.index());
    std::visit(
        [&](const auto& kind) {
          for (const double x : kind.numbers()) f.add(x);
        },
        block.kind);
    for (const Slot slot : block.inputs) f.add(slot);
  }
  for (const PrescribedMotion& motion : signals.prescribed) {
    for (const std::uint32_t n : {motion.slot, motion.q, motion.u}) f.add(n);
    f.add(motion.speed);
  }
  for (const GivenAcceleration& given : signals.forces.given) {
    f.add(given.u);
    f.add(given.value);
  }
  for (const JointLatch& latch : signals.forces.latches) {
    for (const std::uint32_t n : {latch.u, latch.nu, latch.when, latch.release}) f.add(n);
  }
  for (const Restraint& r : signals.forces.restraints) {
    for (const std::uint32_t n : {r.q, r.u, r.latch, r.coulomb, r.static_most, r.sliding, r.beyond}) f.add(n);
    for (const double x : {r.low, r.high, r.restitution}) f.add(x);
    f.add(r.of_speed);
    const ReactionLevel& level = r.by_reaction;
    if (level.body == 0) continue;
    for (const std::uint32_t n : {level.body, level.coulomb, level.static_most, level.coefficient, level.force}) {
      f.add(n);
    }
  }
  for (const std::string& source : signals.forces.sources) f.add(source);
  if (signals.forces.orbit) f.add(signals.forces.orbit->numbers());
  add_elements(f, signals.forces.elements);
}

}  // namespace gyrostat
