#include "gyrostat/model/prescribed.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gyrostat/expression/program.h"
#include "gyrostat/model/ordering.h"

namespace gyrostat {

namespace {

using expression::Slot;

/// Expressions of time compiled together, evaluated at t = 0 with their rates.
class AtStart {
 public:
  AtStart(const Description& description, const Names& names) : description_(description), names_(names) {
    for (const TableDescription& t : description.tables)
      builder_.add_table(Table(t.x, t.y, t.interpolation, t.outside));
    add_signals();
  }

  Slot add(const Expression& expression) {
    return builder_.add(
        expression, [this](std::string_view name) { return slot_of(name); },
        [this](std::string_view name) { return *names_.table(name); });
  }

  /// Once, after all have been added.
  void evaluate() {
    const expression::Program program = builder_.finish();
    slots_.resize(program.slots);
    expression::prepare<Dual<1>>(program, slots_);
    slots_[0] = Dual<1>::variable(0, 0);
    expression::evaluate<Dual<1>>(program, slots_);
  }

  [[nodiscard]] double value(Slot slot) const { return slots_[slot].value; }
  [[nodiscard]] double rate(Slot slot) const { return slots_[slot].d[0]; }

 private:
  /// Signals that are expressions, those they need first; of the others only expressions of time are ever asked for.
  void add_signals() {
    const auto& signals = description_.signals;
    std::vector<std::vector<std::uint32_t>> needs(signals.size());
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const auto* e = std::get_if<Expression>(&signals[i].block);
      for (std::size_t k = 0; e != nullptr && k < e->names.size(); ++k) {
        if (const auto needed = names_.signal(e->names[k])) needs[i].push_back(*needed);
      }
    }
    signal_slots_.assign(signals.size(), builder_.constant(std::nan("")));
    for (const std::uint32_t i : order_by_need(needs).order) {
      if (const auto* e = std::get_if<Expression>(&signals[i].block)) signal_slots_[i] = add(*e);
    }
  }

  Slot slot_of(std::string_view name) {
    if (name == "pi") return builder_.constant(std::numbers::pi);
    const auto answer = names_.resolve(name);
    const Reference reference = std::get<Reference>(answer);
    if (reference.quantity == Quantity::time) return 0;
    if (reference.quantity == Quantity::parameter)
      return builder_.constant(description_.parameters[reference.object].value.value);
    if (reference.quantity == Quantity::signal) return signal_slots_[reference.object];
    return builder_.constant(std::nan(""));  // in a signal that moves; no prescribed motion uses it
  }

  const Description& description_;
  const Names& names_;
  expression::ProgramBuilder builder_{1, 0};
  std::vector<Slot> signal_slots_;
  std::vector<Dual<1>> slots_;
};

struct Target {
  std::string path;
  Slot slot;
  Eigen::Index q, u;  // where its value and its rate go
  bool speed;         // of a wheel: the value goes to u
};

}  // namespace

void set_prescribed_state(const Description& description, const Names& names, const Topology& topology, System& system,
                          Problems& problems) {
  std::vector<Target> targets;
  std::optional<AtStart> start;
  const auto add = [&](std::string path, const Expression& e, std::uint32_t q, std::uint32_t u, bool speed) {
    if (!start) start.emplace(description, names);
    targets.push_back({std::move(path), start->add(e), q, u, speed});
  };
  std::size_t wheel = 0;
  for (std::size_t i = 1; i < topology.entries.size(); ++i) {
    const JointDescription& joint = description.joints[topology.entries[i].joint];
    const auto& motion = joint.prescribed.motion;
    for (std::uint32_t k = 0; joint.prescribed.kind == Prescribed::Kind::position && k < motion.size(); ++k) {
      add(fmt::format("joints.{}.prescribed.position", joint.name), motion[k], system.joints[i].q + k,
          system.joints[i].u + k, false);
    }
    const BodyDescription& body = description.bodies[topology.entries[i].body];
    for (const WheelDescription& w : body.wheels) {
      const Wheel& numbered = system.wheels[wheel++];
      if (!w.speed.empty())
        add(fmt::format("bodies.{}.wheels.{}.speed", body.name, w.name), w.speed, numbered.q, numbered.u, true);
    }
  }
  if (!start) return;
  start->evaluate();
  for (const Target& target : targets) {
    const double value = start->value(target.slot), rate = start->rate(target.slot);
    if (!std::isfinite(value) || !(target.speed || std::isfinite(rate))) {
      problems.error(target.path, fmt::format("is not finite at t = 0 (value {}, rate {})", value, rate));
    } else if (target.speed) {
      system.initial.u[target.u] = value;
    } else {
      system.initial.q[target.q] = value;
      system.initial.u[target.u] = rate;
    }
  }
}

}  // namespace gyrostat
