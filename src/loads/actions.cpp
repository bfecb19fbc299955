#include "gyrostat/loads/actions.h"

#include <algorithm>
#include <cmath>

#include "gyrostat/dynamics/joint_motion.h"
#include "gyrostat/loads/numbers.h"

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

void add_joint(const JointDescription& d, const Joint& joint, std::uint32_t number, const Translation& to,
               const Actions::Place& place, Actions& actions) {
  for (std::uint32_t k = 0; k < joint.nu; ++k) {
    SpeedAction action;
    action.q = has_quaternion(joint.type) ? 0 : joint.q + k;
    action.u = joint.u + k;
    if (!d.stiffness.empty()) action.stiffness = to.coefficient(d.stiffness[k]);
    if (!d.damping.empty()) action.damping = to.coefficient(d.damping[k]);
    if (!d.rest.empty()) action.rest = d.rest[k];
    if (!d.torque.empty()) action.force = place(d.torque[k]);
    if (!d.stiffness.empty() || !d.damping.empty() || action.force != nothing) actions.speeds.push_back(action);
    if (d.prescribed.kind == Prescribed::Kind::acceleration) {
      actions.given.push_back({joint.u + k, place(d.prescribed.motion[k])});
    }
  }
  if (d.axis_torque.empty()) return;
  AxisTorqueAction action;
  action.joint = number;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, d.axis_torque.size()); ++k) {
    action.along[k] = place(d.axis_torque[k]);
  }
  actions.axis_torques.push_back(action);
}

void add_wheel(const WheelDescription& d, const Wheel& wheel, const Actions::Place& place, Actions& actions) {
  SpeedAction action;
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
  Actions& actions;

  [[nodiscard]] std::array<Slot, 3> places(const std::vector<Expression>& list) const {
    std::array<Slot, 3> slots = {nothing, nothing, nothing};
    for (std::size_t k = 0; k < list.size(); ++k) slots[k] = place(list[k]);
    return slots;
  }
  void operator()(const BodyLoad& load) const {
    actions.bodies.push_back({to.point(load.at), places(load.force), places(load.torque), load.axes});
  }
  void operator()(const SpringLoad& load) const {
    actions.springs.push_back({to.point(load.from), to.point(load.to), to.coefficient(load.stiffness),
                               to.coefficient(load.damping), load.length, place(load.force)});
  }
  void operator()(const ThrusterLoad& load) const {
    actions.thrusters.push_back({to.point(load.at), load.direction, place(load.thrust), place(load.command)});
  }
  void operator()(const TorqueBetweenLoad& load) const {
    actions.torques_between.push_back(
        {to.numbers.body(load.from), to.numbers.body(load.to), load.axis, place(load.torque)});
  }
};

double at_deflection(const Actions& actions, const DeflectionCoefficient& c, double deflection) {
  return c.table < 0 ? c.value : actions.tables[static_cast<std::size_t>(c.table)].at(deflection).value;
}

Vector3 vector_at(std::span<const double> values, const std::array<Slot, 3>& slots) {
  return {value_at(values, slots[0]), value_at(values, slots[1]), value_at(values, slots[2])};
}

void apply_axis_torque(const AxisTorqueAction& action, const Instant& instant, std::span<const double> values,
                       Forces<double>& forces) {
  const Joint& joint = instant.system().joints[action.joint];
  const JointPosition<double> x = joint_position(joint, instant.state.q.data() + joint.q);
  Vec3<double> torque;
  for (std::size_t k = 0; k < x.turns; ++k) torque += value_at(values, action.along[k]) * x.turn[k];
  for (std::size_t k = 0; k < x.turns; ++k) forces.tau[joint.u + x.first_turn + k] += dot(x.turn[k], torque);
}

/// Tension pulls the two points together.
void apply_spring(const Actions& actions, const SpringAction& spring, const Instant& instant,
                  std::span<const double> values, Forces<double>& forces) {
  const Vector3 along =
      instant.position(spring.to.body, spring.to.point) - instant.position(spring.from.body, spring.from.point);
  const double distance = along.norm();
  if (distance == 0) return;  // without a direction there is no force
  const Vector3 direction = along / distance;
  const double rate = direction.dot(instant.velocity(spring.to.body, spring.to.point) -
                                    instant.velocity(spring.from.body, spring.from.point));
  const double deflection = distance - spring.length;
  const double tension = at_deflection(actions, spring.stiffness, deflection) * deflection +
                         at_deflection(actions, spring.damping, deflection) * rate + value_at(values, spring.force);
  act(instant, spring.from.body, spring.from.point, tension * direction, Vector3::Zero(), forces);
  act(instant, spring.to.body, spring.to.point, -tension * direction, Vector3::Zero(), forces);
}

/// Integral of k(x) x up to the deflection: exact for a constant and for tables, whose pieces are at most cubic.
double spring_energy(const Actions& actions, const DeflectionCoefficient& c, double deflection) {
  if (c.table < 0) return 0.5 * c.value * deflection * deflection;
  const Table& table = actions.tables[static_cast<std::size_t>(c.table)];
  // From zero, or from where the table begins to answer.
  const double first =
      table.outside() == Outside::error ? std::clamp(0.0, table.knots().front(), table.knots().back()) : 0;
  std::vector<double> ends = {first, deflection};
  for (const double knot : table.knots()) {
    if (knot > std::min(first, deflection) && knot < std::max(first, deflection)) ends.push_back(knot);
  }
  std::ranges::sort(ends);
  double energy = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {  // Gauss-Legendre, three points
    const double middle = (ends[k] + ends[k + 1]) / 2, half = (ends[k + 1] - ends[k]) / 2;
    for (const auto& [node, weight] :
         {std::pair{0.0, 8.0 / 9}, {std::sqrt(0.6), 5.0 / 9}, {-std::sqrt(0.6), 5.0 / 9}}) {
      const double x = middle + half * node;
      energy += half * weight * table.at(x).value * x;
    }
  }
  return deflection < first ? -energy : energy;
}

}  // namespace

Actions::Actions(const Description& description, const System& system, const Place& place)
    : gravity(description.environment.gravity) {
  for (const TableDescription& t : description.tables) tables.emplace_back(t.x, t.y, t.interpolation, t.outside);
  const Translation to(description, system);
  const Place place_or_nothing = [&](const Expression& e) { return e.empty() ? nothing : place(e); };
  for (const JointDescription& d : description.joints) {
    const std::uint32_t number = to.numbers.joint(d.name);
    if (number != 0) add_joint(d, system.joints[number], number, to, place_or_nothing, *this);
  }
  for (const BodyDescription& body : description.bodies) {
    for (const WheelDescription& d : body.wheels) {
      add_wheel(d, system.wheels[to.numbers.wheel(body.name, d.name)], place_or_nothing, *this);
    }
  }
  for (const LoadDescription& load : description.loads) {
    std::visit(AddLoad{to, place_or_nothing, *this}, load);
  }
}

void apply(const Actions& actions, const Instant& instant, std::span<const double> values, Forces<double>& forces) {
  std::ranges::fill(forces.tau, 0.0);
  std::ranges::fill(forces.wrench, Wrench<double>{});
  for (const SpeedAction& action : actions.speeds) {
    const double deflection = instant.state.q[action.q] - action.rest;
    forces.tau[action.u] += value_at(values, action.force) -
                            at_deflection(actions, action.stiffness, deflection) * deflection -
                            at_deflection(actions, action.damping, deflection) * instant.state.u[action.u];
  }
  for (const AxisTorqueAction& action : actions.axis_torques) apply_axis_torque(action, instant, values, forces);
  for (const BodyAction& action : actions.bodies) {
    const Matrix3 R = action.axes == Axes::world ? Matrix3(Matrix3::Identity()) : instant.rotation(action.at.body);
    act(instant, action.at.body, action.at.point, R * vector_at(values, action.force),
        R * vector_at(values, action.torque), forces);
  }
  for (const SpringAction& spring : actions.springs) apply_spring(actions, spring, instant, values, forces);
  for (const ThrusterAction& action : actions.thrusters) {
    const double command = action.command == nothing ? 1 : values[action.command];
    const Vector3 direction = instant.rotation(action.at.body) * action.direction;
    act(instant, action.at.body, action.at.point, command * value_at(values, action.thrust) * direction,
        Vector3::Zero(), forces);
  }
  for (const TorqueBetweenAction& action : actions.torques_between) {
    const Vector3 torque = value_at(values, action.torque) * (instant.rotation(action.from) * action.axis);
    act(instant, action.to, Vector3::Zero(), Vector3::Zero(), torque, forces);
    act(instant, action.from, Vector3::Zero(), Vector3::Zero(), -torque, forces);
  }
  if (!actions.gravity.isZero(0)) {
    const Vec3<double> g = cast<double>(actions.gravity);
    for (std::uint32_t i = 1; i < forces.wrench.size(); ++i) {
      const Link& link = instant.mechanism.links[i];
      forces.wrench[i].force += link.mass * g;
      forces.wrench[i].torque += cross(instant.kinematics.bodies[i].R * link.mc, g);
    }
  }
  for (const GivenAcceleration& given : actions.given) forces.udot[given.u] = value_at(values, given.value);
}

double potential_energy(const Actions& actions, const Instant& instant) {
  double energy = 0;
  for (const SpeedAction& action : actions.speeds) {
    energy += spring_energy(actions, action.stiffness, instant.state.q[action.q] - action.rest);
  }
  for (const SpringAction& spring : actions.springs) {
    const double distance =
        (instant.position(spring.to.body, spring.to.point) - instant.position(spring.from.body, spring.from.point))
            .norm();
    energy += spring_energy(actions, spring.stiffness, distance - spring.length);
  }
  for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
    const MassProperties& body = instant.system().bodies[i].mass_properties;
    energy -= body.mass * actions.gravity.dot(instant.position(i, body.com));
  }
  return energy;
}

}  // namespace gyrostat
