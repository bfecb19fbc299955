#include "gyrostat/model/prescribed.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/format/ordering.h"
#include "gyrostat/math/jet.h"
#include "gyrostat/model/compiler.h"

namespace gyrostat {

std::vector<PrescribedTarget> prescribed_targets(const Description& description, const Names& names,
                                                 const System& system) {
  std::vector<PrescribedTarget> targets;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    if (system.joints[i].motion != Motion::prescribed) continue;
    const JointDescription& joint = description.joints[*names.joint(system.joints[i].name)];
    if (joint.prescribed.kind != Prescribed::Kind::position) continue;
    for (std::uint32_t k = 0; k < joint.prescribed.motion.size(); ++k) {
      targets.push_back({fmt::format("joints.{}.prescribed.position", joint.name), &joint.prescribed.motion[k],
                         system.joints[i].q + k, system.joints[i].u + k, false});
    }
  }
  for (const Wheel& wheel : system.wheels) {
    if (!wheel.speed_prescribed) continue;
    const std::string& body = system.bodies[wheel.body].name;
    for (const WheelDescription& w : description.bodies[*names.body(body)].wheels) {
      if (w.name != wheel.name) continue;
      targets.push_back({fmt::format("bodies.{}.wheels.{}.speed", body, w.name), &w.speed, wheel.q, wheel.u, true});
    }
  }
  for (const ConstraintDescription& constraint : description.constraints) {
    const auto built = std::ranges::find(system.constraints, "constraints." + constraint.name, &Constraint::path);
    for (std::uint32_t k = 0; k < built->equals.size() && !constraint.equals.empty(); ++k) {
      const Expression& value = constraint.equals[constraint.equals.size() == 1 ? 0 : k];
      targets.push_back({built->path + ".equals", &value, 0, 0, false, true, built->first_equal + k});
    }
  }
  return targets;
}

bool changes_with_time(const Expression& expression, const Names& names) {
  using expression::Operation;
  return std::ranges::any_of(expression.nodes, [&](const expression::Node& node) {
    if (node.operation == Operation::step || node.operation == Operation::ramp || node.operation == Operation::pulse) {
      return true;
    }
    if (node.operation != expression::Operation::name || expression.names[node.name] == "pi") return false;
    const auto answer = names.resolve(expression.names[node.name]);
    const auto* reference = std::get_if<Reference>(&answer);
    return reference != nullptr && reference->quantity != Quantity::parameter;
  });
}

void set_prescribed_state(const Description& description, const Names& names, System& system, Problems& problems) {
  const std::vector<PrescribedTarget> targets = prescribed_targets(description, names, system);
  if (targets.empty()) return;
  ExpressionCompiler compiler(description, names);
  const std::vector<bool> of_time = signals_of_time(description, names);
  for (const std::uint32_t i : order_by_need(signals_needed(description, names, false)).order) {
    if (of_time[i]) compiler.outputs[i] = {compiler.add(std::get<Expression>(description.signals[i].block))};
  }
  std::vector<Slot> slots;
  for (const PrescribedTarget& target : targets) slots.push_back(compiler.add(*target.expression));
  std::vector<std::string> owners;
  const expression::Program program = compiler.finish(owners);
  std::vector<Jet> values(program.slots);
  expression::prepare<Jet>(program, values);
  values[0] = Jet::time(0);
  expression::evaluate<Jet>(program, values);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const PrescribedTarget& target = targets[k];
    const Jet& x = values[slots[k]];
    const bool bad_constraint = target.constraint && !std::isfinite(x.value + x.rate);
    if (target.constraint && !bad_constraint) {
      for (Constraint& constraint : system.constraints) {
        const std::uint32_t place = target.equal - constraint.first_equal;
        if (target.equal >= constraint.first_equal && place < constraint.equals.size())
          constraint.equals[place] = x.value;
        const bool negative =
            std::holds_alternative<Distance>(constraint.kind) && constraint.path + ".equals" == target.path;
        if (negative && !(x.value > 0)) problems.error(target.path, "a distance must be positive");
      }
    } else if (!std::isfinite(x.value) || !(target.speed || std::isfinite(x.rate))) {
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
