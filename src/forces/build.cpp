#include "gyrostat/forces/build.h"

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
        add(JointForce<double>::make(wheel, context_.system.wheels[context_.system.wheel(body.name + "." + wheel.name)],
                                     context_));
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
    add_source("analysis");
    add(force);
  }
  void add_input(const NodeInput& input, Slot slot) {
    BodyForce<double> force;
    force.node = input.node;
    force.axes = input.axes;
    (input.torque ? force.torque : force.force)[input.component] = context_.use(slot);
    add_source("analysis");
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
