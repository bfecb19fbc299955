#include "gyrostat/forces/actions.h"

#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/forces/numbers.h"

namespace gyrostat {

namespace {

/// What the description says, in the system's numbers.
struct Translation {
  const System& system;
  Numbers numbers;
  std::unordered_map<std::string_view, int> tables;

  Translation(const Description& description, const System& of) : system(of), numbers(of) {
    for (std::size_t k = 0; k < description.tables.size(); ++k)
      tables[description.tables[k].name] = static_cast<int>(k);
  }

  [[nodiscard]] BodyPoint point(const PointReference& reference) const {
    const std::uint32_t body = numbers.body(reference.body);
    if (reference.position) return {body, *reference.position};
    if (reference.point.empty()) return {body, system.bodies[body].mass_properties.com};
    for (const NamedPoint& p : system.bodies[body].points) {
      if (p.name == reference.point) return {body, p.position};
    }
    return {body, Vector3::Zero()};
  }

  [[nodiscard]] DeflectionCoefficient coefficient(const Coefficient& c) const {
    return {c.value, c.table.empty() ? -1 : tables.at(c.table)};
  }
};

SourceNumber add_source(Actions& actions, std::string name) {
  actions.sources.push_back(std::move(name));
  return static_cast<SourceNumber>(actions.sources.size() - 1);
}

void add_joint(const JointDescription& d, const Joint& joint, std::uint32_t number, const Translation& to,
               const Actions::Place& place, Slot thermal_place, Actions& actions) {
  const SourceNumber source = add_source(actions, "joints." + d.name);
  for (std::uint32_t k = 0; k < joint.nu; ++k) {
    SpeedAction action;
    action.q = has_quaternion(joint.type) ? 0 : joint.q + k;
    action.u = joint.u + k;
    if (!d.stiffness.empty()) action.stiffness = to.coefficient(d.stiffness[k]);
    if (!d.damping.empty()) action.damping = to.coefficient(d.damping[k]);
    if (!d.rest.empty()) action.rest = d.rest[k];
    if (!d.torque.empty()) action.force = place(d.torque[k]);
    action.source = source;
    if (d.thermal) {
      action.thermal = thermal_place + static_cast<Slot>(actions.thermal.size());
      actions.thermal.push_back(
          {action.rest, d.thermal->steady[k], d.thermal->time_constant, place(d.thermal->factor)});
    }
    if (!d.stiffness.empty() || !d.damping.empty() || action.force != nothing) actions.speeds.push_back(action);
    if (d.prescribed.kind == Prescribed::Kind::acceleration) {
      actions.given.push_back({joint.u + k, place(d.prescribed.motion[k])});
    }
  }
  if (d.axis_torque.empty()) return;
  AxisTorqueAction action;
  action.joint = number;
  action.source = source;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, d.axis_torque.size()); ++k) {
    action.along[k] = place(d.axis_torque[k]);
  }
  actions.axis_torques.push_back(action);
}

void add_wheel(const std::string& body, const WheelDescription& d, const Wheel& wheel, const Actions::Place& place,
               Actions& actions) {
  SpeedAction action;
  action.source = add_source(actions, fmt::format("bodies.{}.wheels.{}", body, d.name));
  action.q = wheel.q;
  action.u = wheel.u;
  action.stiffness.value = d.stiffness;
  action.damping.value = d.damping;
  action.force = place(d.torque);
  actions.speeds.push_back(action);
}

struct AddLoad {
  const Translation& to;
  const Actions::Place& place;
  SourceNumber source;
  Actions& actions;

  [[nodiscard]] std::array<Slot, 3> places(const std::vector<Expression>& list) const {
    std::array<Slot, 3> slots = {nothing, nothing, nothing};
    for (std::size_t k = 0; k < list.size(); ++k) slots[k] = place(list[k]);
    return slots;
  }
  void operator()(const BodyLoad& load) const {
    actions.bodies.push_back({to.point(load.at), places(load.force), places(load.torque), load.axes, source});
  }
  void operator()(const SpringLoad& load) const {
    actions.springs.push_back({to.point(load.from), to.point(load.to), to.coefficient(load.stiffness),
                               to.coefficient(load.damping), load.length, place(load.force), source});
  }
  void operator()(const ThrusterLoad& load) const {
    actions.thrusters.push_back({to.point(load.at), load.direction, place(load.thrust), place(load.command), source});
  }
  void operator()(const TorqueBetweenLoad& load) const {
    actions.torques_between.push_back(
        {to.numbers.body(load.from), to.numbers.body(load.to), load.axis, place(load.torque), source});
  }
};

}  // namespace

std::size_t thermal_rest_count(const Description& description, const System& system) {
  const Numbers numbers(system);
  std::size_t count = 0;
  for (const JointDescription& d : description.joints) {
    const std::uint32_t number = numbers.joint(d.name);
    if (number != 0 && d.thermal) count += system.joints[number].nu;
  }
  return count;
}

Actions::Actions(const Description& description, const System& system, const Place& place, Slot thermal_place)
    : gravity(description.environment.gravity), gravity_gradient(description.environment.gravity_gradient) {
  if (description.environment.orbit) orbit.emplace(*description.environment.orbit);
  for (const TableDescription& t : description.tables) tables.emplace_back(t.x, t.y, t.interpolation, t.outside);
  const Translation to(description, system);
  const Place place_or_nothing = [&](const Expression& e) { return e.empty() ? nothing : place(e); };
  for (const JointDescription& d : description.joints) {
    const std::uint32_t number = to.numbers.joint(d.name);
    if (number != 0) add_joint(d, system.joints[number], number, to, place_or_nothing, thermal_place, *this);
  }
  for (const BodyDescription& body : description.bodies) {
    for (const WheelDescription& d : body.wheels) {
      add_wheel(body.name, d, system.wheels[to.numbers.wheel(body.name, d.name)], place_or_nothing, *this);
    }
  }
  for (std::size_t k = 0; k < description.loads.size(); ++k) {
    const SourceNumber source = add_source(*this, fmt::format("loads[{}]", k));
    std::visit(AddLoad{to, place_or_nothing, source, *this}, description.loads[k]);
  }
  const auto number = [this](auto& actions) {
    for (auto& action : actions) {
      for (DeflectionCoefficient* c : {&action.stiffness, &action.damping}) {
        if (c->table >= 0) c->place = coefficients_with_tables++;
      }
    }
  };
  number(speeds);
  number(springs);
}

}  // namespace gyrostat
