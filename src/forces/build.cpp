#include "gyrostat/forces/build.h"

#include <cmath>

#include <fmt/format.h>

namespace gyrostat {

Slot ElementContext::observe(const Observable& wanted) {
  if (wanted.kind == Observable::Kind::time) return 0;
  const auto [at, is_new] = observed.try_emplace(wanted, 0);
  if (is_new) at->second = compiler.builder().add_inputs();
  return at->second;
}

namespace {

class ForceBuilder {
 public:
  explicit ForceBuilder(ElementContext& context) : context_(context) {}

  ForceModel build(const AnalysisPoints& points, std::span<const Slot> inputs) {
    const Description& description = context_.compiler.description();
    for (const JointDescription& joint : description.joints) {
      if (const auto in_tree = context_.system.index.joints.find(joint.name)) add_joint(joint, *in_tree);
    }
    for (const BodyDescription& body : description.bodies) {
      for (const WheelDescription& wheel : body.wheels) {
        add_source(fmt::format("bodies.{}.wheels.{}", body.name, wheel.name));
        add_wheel(wheel, context_.system.wheels[context_.system.wheel(body.name + "." + wheel.name)]);
      }
    }
    for (const FlexibleBody& body : context_.system.flexible) add_modes(body);
    model_.first_load = static_cast<std::uint32_t>(model_.sources.size());
    for (std::size_t k = 0; k < description.loads.size(); ++k) {
      add_source(fmt::format("loads[{}]", k));
      std::visit([this](const auto& load) { add_load(load); }, description.loads[k]);
    }
    add_source("gravity gradient");
    add_environment(description.environment);
    if (!points.inputs.empty()) add_source("inputs");
    for (std::size_t k = 0; k < points.inputs.size(); ++k) {
      std::visit([&](const auto& input) { add_input(input, inputs[k]); }, points.inputs[k]);
    }
    model_.used = std::move(context_.used);
    return std::move(model_);
  }

 private:
  void add_source(std::string name) { model_.sources.push_back(std::move(name)); }

  template <class Element>
  void add(Element element) {
    element.source = static_cast<std::uint32_t>(model_.sources.size() - 1);
    std::get<std::vector<Element>>(model_.elements.lists).push_back(std::move(element));
    context_.compiler.own(model_.sources.back());
  }
  void add_load(const BodyLoad& load) { add(BodyForce<double>::make(load, context_)); }
  void add_load(const SpringLoad& load) { add(LineSpring<double>::make(load, context_)); }
  void add_load(const ThrusterLoad& load) { add(Thruster<double>::make(load, context_)); }
  void add_load(const TorqueBetweenLoad& load) { add(TorqueBetween<double>::make(load, context_)); }
  void add_load(const TorsionSpringLoad& load) { add(TorsionSpring<double>::make(load, context_)); }

  void add_joint(const JointDescription& d, std::uint32_t number) {
    const Joint& joint = context_.system.joints[number];
    add_source("joints." + d.name);
    for (std::uint32_t k = 0; k < joint.nu; ++k) {
      const bool driven = !d.torque.empty() && !d.torque[k].empty();
      if (!d.stiffness.empty() || !d.damping.empty() || d.thermal || driven) {
        add(JointForce<double>::make(d, joint, k, context_));
      }
      if (d.prescribed.kind == Prescribed::Kind::acceleration) {
        model_.given.push_back({joint.u + k, context_.slot(d.prescribed.motion[k])});
      }
    }
    if (!d.axis_torque.empty()) add(AxisTorque<double>::make(d, number, context_));
    add_restraints(d, joint, number);
  }

  void add_wheel(const WheelDescription& d, const Wheel& wheel) {
    JointForce<double> motor = JointForce<double>::make(d, wheel, context_);
    if (std::isfinite(d.torque_limit)) motor.force = limited(motor.force, d.torque_limit);
    Slot beyond = no_slot;
    if (std::isfinite(d.speed_limit) && !d.torque.empty()) {
      beyond = context_.compiler.builder().add_inputs();
      motor.force = braking(motor.force, beyond);
    }
    add(motor);
    if (!d.drag.empty()) {
      ExpressionCompiler& c = context_.compiler;
      add_force(wheel.q, wheel.u, c.negative(c.look_up(c.table(d.drag), speed(wheel.u))));
    }
    if (d.static_imbalance != 0 || d.dynamic_imbalance != 0) add(imbalance(d, wheel));
    if (!d.friction && std::isinf(d.speed_limit)) return;
    Restraint restraint = restraint_of(wheel.q, wheel.u);
    if (d.friction) add_friction(*d.friction, restraint);
    restraint.of_speed = true;
    restraint.beyond = beyond;
    restraint.high = d.speed_limit;
    restraint.low = -d.speed_limit;
    model_.restraints.push_back(std::move(restraint));
  }

  Slot speed(std::uint32_t u) { return context_.observe({Observable::Kind::speed, u}); }

  Slot limited(Slot force, double most) {
    ExpressionCompiler& c = context_.compiler;
    return context_.use(c.builder().clamp(force, c.number(-most), c.number(most), "torque limit"));
  }

  /// Beyond the speed limit a motor gives nothing of what would make the wheel faster.
  Slot braking(Slot force, Slot beyond) {
    ExpressionCompiler& c = context_.compiler;
    const Slot faster = c.builder().where_positive(c.product(beyond, force), force, c.zero(), "");
    return context_.use(c.difference(force, c.product(c.product(beyond, beyond), faster)));
  }

  void add_force(std::uint32_t q, std::uint32_t u, Slot value, double damping = 0) {
    JointForce<double> force;
    force.q = q;
    force.u = u;
    force.force = context_.use(value);
    force.damping = damping;
    add(force);
  }

  /// The once-per-turn force and torque of a rotor: docs/theory/mechanisms.md (11).
  BodyForce<double> imbalance(const WheelDescription& d, const Wheel& wheel) {
    ExpressionCompiler& c = context_.compiler;
    const Vector3 e1 = wheel.axis.unitOrthogonal(), e2 = wheel.axis.cross(e1), at = d.at.value_or(Vector3::Zero());
    const Slot angle = context_.observe({Observable::Kind::coordinate, wheel.q});
    const Slot squared = c.product(speed(wheel.u), speed(wheel.u));
    const Slot cosine = c.product(squared, c.builder().emit(expression::Code::cos, angle));
    const Slot sine = c.product(squared, c.builder().emit(expression::Code::sin, angle));
    const Vector3 force1 = d.static_imbalance * e1, force2 = d.static_imbalance * e2;
    const Vector3 torque1 = d.dynamic_imbalance * e1 + at.cross(force1),
                  torque2 = d.dynamic_imbalance * e2 + at.cross(force2);
    const auto along = [&](double first, double second) {
      return context_.use(c.sum(c.scaled(first, cosine), c.scaled(second, sine)));
    };
    BodyForce<double> force;
    force.node = context_.system.bodies[wheel.body].origin_node;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      force.force[k] = along(force1[i], force2[i]);
      force.torque[k] = along(torque1[i], torque2[i]);
    }
    return force;
  }

  // --- what may hold a joint -----------------------------------------------------------------------------------------

  [[nodiscard]] Restraint restraint_of(std::uint32_t q, std::uint32_t u) const {
    Restraint restraint;
    restraint.name = model_.sources.back();
    restraint.q = q;
    restraint.u = u;
    restraint.source = static_cast<std::uint32_t>(model_.sources.size() - 1);
    return restraint;
  }

  void add_restraints(const JointDescription& d, const Joint& joint, std::uint32_t number) {
    if (d.latch) {
      model_.latches.push_back({model_.sources.back(), joint.u, joint.nu,
                                static_cast<std::uint32_t>(model_.sources.size() - 1), context_.slot(d.latch->when),
                                context_.slot(d.latch->release)});
    }
    const bool rigid = d.stops && !d.stops->stiffness;
    if (d.stops && !rigid) add_compliant_stops(*d.stops, joint);
    if (!d.friction && !rigid) return;
    Restraint restraint = restraint_of(joint.q, joint.u);
    if (d.latch) restraint.latch = static_cast<std::uint32_t>(model_.latches.size() - 1);
    if (d.friction) add_friction(*d.friction, restraint);
    if (d.friction && d.friction->by_reaction) add_reaction_level(*d.friction, number, restraint);
    if (rigid) {
      restraint.low = d.stops->low;
      restraint.high = d.stops->high;
      restraint.restitution = d.stops->restitution;
    }
    model_.restraints.push_back(std::move(restraint));
  }

  /// A level of friction; below zero it counts as zero.
  Slot level(const Expression& of) {
    ExpressionCompiler& c = context_.compiler;
    const Slot value = c.add(of);
    if (of.nodes.size() == 1 && of.nodes[0].operation == expression::Operation::number) return value;
    return context_.use(c.builder().where_positive(value, value, c.zero(), "friction"));
  }

  /// -s (F_c + (F_s - F_c) exp(-(u / u_s)^2)) - d u, where s is the sign of the sliding speed: (3).
  void add_friction(const FrictionDescription& d, Restraint& restraint) {
    ExpressionCompiler& c = context_.compiler;
    restraint.friction = true;
    restraint.coulomb = d.coulomb.empty() ? c.zero() : level(d.coulomb);
    restraint.static_most = d.static_most.empty() ? restraint.coulomb : level(d.static_most);
    restraint.stribeck = d.stribeck > 0;
    restraint.sliding = c.builder().add_inputs();
    const Slot slides = falling(d, restraint.u, restraint.coulomb, restraint.static_most);
    add_force(restraint.q, restraint.u, c.negative(c.product(restraint.sliding, slides)), d.viscous);
  }

  /// From the static to the other one as the speed grows: F_c + (F_s - F_c) exp(-(u / u_s)^2).
  Slot falling(const FrictionDescription& d, std::uint32_t u, Slot coulomb, Slot static_most) {
    if (!(d.stribeck > 0)) return coulomb;
    ExpressionCompiler& c = context_.compiler;
    const Slot over = c.scaled(1 / d.stribeck, speed(u));
    const Slot left = c.builder().emit(expression::Code::exp, c.negative(c.product(over, over)));
    return c.sum(coulomb, c.product(c.difference(static_most, coulomb), left));
  }

  /// mu r |R|, R the reaction across the axis: (12). The force is no expression: it is found with the accelerations.
  void add_reaction_level(const FrictionDescription& d, std::uint32_t body, Restraint& restraint) {
    ExpressionCompiler& c = context_.compiler;
    const ReactionFrictionDescription& of = *d.by_reaction;
    ReactionLevel& level = restraint.by_reaction;
    level.body = body;
    level.coulomb = context_.use(c.number(of.coefficient * of.radius));
    level.static_most = context_.use(c.number(of.static_coefficient * of.radius));
    level.coefficient = context_.use(falling(d, restraint.u, level.coulomb, level.static_most));
    level.force = c.builder().add_inputs();
    add_force(restraint.q, restraint.u, level.force);
    model_.by_reaction.push_back(static_cast<std::uint32_t>(model_.restraints.size()));
  }

  /// k x + d x', where it pushes, at each end: (10).
  void add_compliant_stops(const StopsDescription& d, const Joint& joint) {
    ExpressionCompiler& c = context_.compiler;
    const Slot q = context_.observe({Observable::Kind::coordinate, joint.q});
    for (const double sign : {-1.0, 1.0}) {
      const double end = sign > 0 ? d.high : d.low;
      if (std::isinf(end)) continue;
      const Slot x = c.scaled(sign, c.difference(q, c.number(end)));
      const Slot push = c.sum(c.scaled(*d.stiffness, x), c.scaled(sign * d.damping, speed(joint.u)));
      const Slot pushes = c.builder().where_positive(push, push, c.zero(), "stop");
      add_force(joint.q, joint.u, c.scaled(-sign, c.builder().where_positive(x, pushes, c.zero(), "stop")));
    }
  }

  void add_modes(const FlexibleBody& body) {
    add_source(fmt::format("bodies.{}.flexible", context_.system.bodies[body.body].name));
    const auto modes = static_cast<std::uint32_t>(body.data.modes());
    for (std::uint32_t a = 0; a < modes; ++a) {
      add(JointForce<double>::make(body, a));
      for (std::uint32_t b = 0; b < a && body.data.damping.size() > 0; ++b) {
        const double damping = body.data.damping(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
        if (damping == 0) continue;
        ModalDamping<double> coupled;
        coupled.first = body.u + a;
        coupled.second = body.u + b;
        coupled.damping = damping;
        add(coupled);
      }
    }
  }

  void add_input(const SignalInput&, Slot) {}
  void add_input(const SpeedInput& input, Slot slot) {
    JointForce<double> force;
    force.u = input.u;
    force.force = context_.use(slot);
    add(force);
  }
  void add_input(const NodeInput& input, Slot slot) {
    BodyForce<double> force;
    force.node = input.node;
    force.axes = input.axes;
    (input.torque ? force.torque : force.force)[input.component] = context_.use(slot);
    add(force);
  }

  void add_environment(const EnvironmentDescription& environment) {
    if (environment.orbit) model_.orbit.emplace(*environment.orbit);
    if (!environment.gravity.isZero(0)) {
      UniformGravity<double> gravity;
      gravity.g = cast<double>(environment.gravity);
      add(gravity);
    }
    if (environment.gravity_gradient == GravityGradient::perturbation) {
      GravityGradientForce<double> gradient;
      gradient.orbit = *model_.orbit;
      add(gradient);
    }
    if (environment.gravity_gradient == GravityGradient::full) {
      CentralAttraction<double> attraction;
      attraction.mu = model_.orbit->mu();
      add(attraction);
    }
  }

  ElementContext& context_;
  ForceModel model_;
};

}  // namespace

bool same_structure(const ForceElements<double>& a, const ForceElements<double>& b) {
  return [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    const auto same = [](const auto& x, const auto& y) { return x.tie() == y.tie(); };
    return (std::ranges::equal(std::get<kind>(a.lists), std::get<kind>(b.lists), same) && ...);
  }
  (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(a.lists)>>>());
}

ForceModel build_forces(ElementContext& context, const AnalysisPoints& points, std::span<const Slot> inputs) {
  return ForceBuilder(context).build(points, inputs);
}

}  // namespace gyrostat
