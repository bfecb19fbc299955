#include "gyrostat/plant/plant.h"

#include <fmt/format.h>

#include "gyrostat/plant/fingerprint.h"
#include "gyrostat/signals/events.h"

namespace gyrostat {

namespace {

PlantConstants<double> constants_of(const Model& model, const DynamicsSettings& settings) {
  Mechanism mechanism(model.system, settings);
  std::vector<NodeOf<double>> nodes = nodes_of(model.system, mechanism);
  Constraints constraints = make_constraints(mechanism);
  return {std::move(mechanism), std::move(nodes), std::move(constraints), {}, {}, {}};
}

}  // namespace

Plant::Plant(const Model& model, std::string_view formulation, std::vector<PluginFunction> plugins,
             const AnalysisPoints& points)
    : model_(model),
      formulation_name_(formulation),
      names_(model.description),
      settings_(model),
      constants_(constants_of(model, settings_)),
      signals_(model, names_, constants_.mechanism, std::move(plugins), points),
      formulation_(make_formulation(constants_.mechanism, settings_, formulation)),
      layout_(model.system,
              model.description.simulation.attitude == "direction_cosines" ? Attitude::direction_cosines
                                                                           : Attitude::quaternion,
              signals_.states.size()) {
  const SimulationDescription& simulation = model.description.simulation;
  for (const double* x : constants_.constraints.numbers()) constraint_numbers_.push_back(*x);
  if (simulation.baumgarte) feedback_ = {simulation.alpha, simulation.beta};
  constants_.elements = signals_.forces.elements;
  if (signals_.forces.orbit) constants_.orbit.push_back(*signals_.forces.orbit);
  constants_.program_numbers = signals_.program.constants;
}

DiscreteState Plant::initial_discrete_state() const {
  const Forces<double> as_given(system());
  DiscreteState discrete = gyrostat::initial_discrete_state(signals_, as_given.free);
  if (constraints().rows() > 0) discrete.closures = plan_at(system().initial.q, as_given.free);
  return discrete;
}

ClosurePlan Plant::plan_at(const Eigen::VectorXd& q, const std::vector<Truth>& free) const {
  const std::vector<double> at_rest(mechanism().nu);
  const Forces<double> as_given(system());
  Kinematics<double> kinematics(mechanism());
  Closures<double> closures = make_closures<double>(constraints());
  update(mechanism(), q.data(), at_rest.data(), kinematics);
  evaluate_closures(constraints(), mechanism(), kinematics, q.data(), at_rest.data(), as_given, {}, closures);
  return plan_closures(mechanism(), kinematics, free, closures);
}

std::string structural_difference(const Plant& a, const Plant& b) {
  if (std::string why = structural_difference(a.mechanism(), b.mechanism()); !why.empty()) return why;
  if (!same_structure(a.constraints(), b.constraints())) return "their constraints have different structures";
  if (a.layout().attitude != b.layout().attitude) return "attitudes are integrated in different forms";
  const SignalProgram &s = a.signals(), &o = b.signals();
  const auto differ = [](const auto& x, const auto& y, auto equal) { return !std::ranges::equal(x, y, equal); };
  const auto same = [](const auto& x, const auto& y) { return x == y; };
  if (s.names != o.names) return "their signals have different names";
  if (differ(s.held, o.held, [](const HeldBlock& x, const HeldBlock& y) {
        return x.kind.index() == y.kind.index() && x.output == y.output && x.outputs == y.outputs;
      })) {
    return "their signals have different blocks";
  }
  if (s.observed != o.observed || s.outputs != o.outputs || s.program.slots != o.program.slots ||
      differ(s.program.instructions, o.program.instructions, same) ||
      differ(s.program.prologue, o.program.prologue, same) ||
      differ(s.program.constants, o.program.constants,
             [](const auto& x, const auto& y) { return x.first == y.first; }) ||
      differ(s.program.switches, o.program.switches, [](const expression::Switch& x, const expression::Switch& y) {
        return x.kind == y.kind && x.guard == y.guard && x.other == y.other && x.table == y.table;
      })) {
    return "their expressions differ in more than the values of parameters";
  }
  if (differ(s.forces.latches, o.forces.latches,
             [](const JointLatch& x, const JointLatch& y) {
               return x.u == y.u && x.when == y.when && x.release == y.release;
             }) ||
      differ(s.forces.restraints, o.forces.restraints, [](const Restraint& x, const Restraint& y) {
        return x.u == y.u && x.sliding == y.sliding && x.of_speed == y.of_speed && x.beyond == y.beyond &&
               x.by_reaction.force == y.by_reaction.force && x.by_reaction.coefficient == y.by_reaction.coefficient;
      })) {
    return "their joints have different latches, friction or stops";
  }
  if (differ(a.tables(), b.tables(), same)) return "their tables differ";
  if (s.forces.sources != o.forces.sources || s.forces.orbit.has_value() != o.forces.orbit.has_value() ||
      !same_structure(s.forces.elements, o.forces.elements)) {
    return "different force elements act on them";
  }
  return {};
}

std::uint64_t Plant::fingerprint() const {
  Fingerprint f;
  f.add(formulation_name_);
  f.add(static_cast<std::uint64_t>(layout_.attitude));
  add_to(f, constants_.mechanism);
  f.add_list(constraint_numbers_);
  f.add(feedback_.alpha);
  f.add(feedback_.beta);
  add_to(f, system());
  f.add_list(settings_.about);
  f.add_list(settings_.linearized);
  f.add(static_cast<std::uint64_t>(settings_.computing_frame));
  add_to(f, signals_);
  return f.value();
}

}  // namespace gyrostat
