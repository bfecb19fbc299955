#include "gyrostat/model/prescribed.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gyrostat/format/ordering.h"

namespace gyrostat {

namespace {

using expression::Slot;

/// Expressions of time compiled into one program; time is slot 0.
class TimeExpressions {
 public:
  /// For what `wanted` uses.
  TimeExpressions(const Description& description, const Names& names, const std::vector<const Expression*>& wanted)
      : description_(description), names_(names) {
    for (const TableDescription& t : description.tables)
      builder_.add_table(Table(t.x, t.y, t.interpolation, t.outside));
    add_signals(wanted);
  }

  Slot add(const Expression& expression) {
    return builder_.add(
        expression, [this](std::string_view name) { return slot_of(name); },
        [this](std::string_view name) { return *names_.table(name); });
  }

  /// What was added last belongs to `owner`.
  void own(const std::string& owner) { owners.resize(builder_.switch_count(), owner); }

  expression::Program finish() { return builder_.finish(); }

  std::vector<std::string> owners;  // by switch

 private:
  /// The signals that are used, those they need first.
  void add_signals(const std::vector<const Expression*>& wanted) {
    const auto& signals = description_.signals;
    std::vector<std::vector<std::uint32_t>> needs(signals.size());
    std::vector<bool> used(signals.size());
    std::vector<const Expression*> open = wanted;
    while (!open.empty()) {
      const Expression& e = *open.back();
      open.pop_back();
      for (const std::string& name : e.names) {
        const auto needed = names_.signal(name);
        if (!needed || used[*needed]) continue;
        used[*needed] = true;
        if (const auto* next = std::get_if<Expression>(&signals[*needed].block)) open.push_back(next);
      }
    }
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const auto* e = std::get_if<Expression>(&signals[i].block);
      for (std::size_t k = 0; used[i] && e != nullptr && k < e->names.size(); ++k) {
        if (const auto needed = names_.signal(e->names[k])) needs[i].push_back(*needed);
      }
    }
    signal_slots_.assign(signals.size(), builder_.constant(std::nan("")));
    for (const std::uint32_t i : order_by_need(needs).order) {
      const auto* e = std::get_if<Expression>(&signals[i].block);
      if (!used[i] || e == nullptr) continue;
      signal_slots_[i] = add(*e);
      own("signals." + signals[i].name);
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
};

}  // namespace

PrescribedMotion::PrescribedMotion(const Description& description, const Names& names, const System& system) {
  std::vector<const Expression*> wanted;  // by target
  const auto add = [&](std::string path, const Expression& e, std::uint32_t q, std::uint32_t u, bool speed) {
    targets_.push_back({std::move(path), 0, q, u, speed});
    wanted.push_back(&e);
  };
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    if (system.joints[i].motion != Motion::prescribed) continue;
    const JointDescription& joint = description.joints[*names.joint(system.joints[i].name)];
    if (joint.prescribed.kind != Prescribed::Kind::position) continue;
    for (std::uint32_t k = 0; k < joint.prescribed.motion.size(); ++k) {
      add(fmt::format("joints.{}.prescribed.position", joint.name), joint.prescribed.motion[k], system.joints[i].q + k,
          system.joints[i].u + k, false);
    }
  }
  for (const Wheel& wheel : system.wheels) {
    if (!wheel.speed_prescribed) continue;
    const std::string& body = system.bodies[wheel.body].name;
    for (const WheelDescription& w : description.bodies[*names.body(body)].wheels) {
      if (w.name == wheel.name)
        add(fmt::format("bodies.{}.wheels.{}.speed", body, w.name), w.speed, wheel.q, wheel.u, true);
    }
  }
  if (targets_.empty()) return;
  TimeExpressions expressions(description, names, wanted);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    targets_[k].slot = expressions.add(*wanted[k]);
    expressions.own(targets_[k].path);
  }
  owners_ = expressions.owners;
  program_ = expressions.finish();
  slots_.resize(program_.slots);
  expression::prepare<Jet>(program_, slots_);
}

void PrescribedMotion::evaluate(double t) {
  if (targets_.empty()) return;
  slots_[0] = Jet::time(t);
  expression::evaluate<Jet>(program_, slots_);
}

void PrescribedMotion::evaluate(double t, std::span<const std::uint32_t> modes) {
  if (targets_.empty()) return;
  slots_[0] = Jet::time(t);
  expression::evaluate<Jet, std::uint32_t>(program_, slots_, modes);
}

void set_prescribed_state(const Description& description, const Names& names, System& system, Problems& problems) {
  PrescribedMotion motion(description, names, system);
  motion.evaluate(0);
  for (const PrescribedMotion::Target& target : motion.targets()) {
    const Jet& x = motion.at(target);
    if (!std::isfinite(x.value) || !(target.speed || std::isfinite(x.rate))) {
      problems.error(target.path, fmt::format("is not finite at t = 0 (value {}, rate {})", x.value, x.rate));
    } else if (target.speed) {
      system.initial.u[target.u] = x.value;
    } else {
      system.initial.q[target.q] = x.value;
      system.initial.u[target.u] = x.rate;
    }
  }
}

}  // namespace gyrostat
