// Signals, given motions and forces of a scalar form.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_builder.h"

namespace gyrostat::scalar {

namespace {

/// Slots that forces and given motions depend on.
std::vector<bool> needed_slots(const SignalProgram& signals) {
  const expression::Program& program = signals.program;
  std::vector<bool> needed(program.slots);
  const auto need = [&](Slot slot) {
    if (slot != no_slot) needed[slot] = true;
  };
  for (const Slot slot : signals.forces.used) need(slot);
  for (const GivenAcceleration& given : signals.forces.given) need(given.value);
  for (const PrescribedMotion& motion : signals.prescribed) need(motion.slot);
  for (const auto* list : {&program.instructions, &program.prologue}) {
    for (auto i = list->rbegin(); i != list->rend(); ++i) {
      if (!needed[i->target]) continue;
      need(i->a);
      if (i->code != expression::Code::table) need(i->b);
      if (i->code == expression::Code::select) need(program.switches[i->which].guard);
    }
  }
  return needed;
}

}  // namespace

void FormBuilder::set_orbit(const SignalProgram& signals) {
  if (!signals.forces.orbit) return;
  position_ = {new_symbol(form_.s, "orbit.position_x", "m", 0), new_symbol(form_.s, "orbit.position_y", "m", 0),
               new_symbol(form_.s, "orbit.position_z", "m", 0)};
  around_.orbit.radius = sqrt(dot(position_, position_));
  around_.orbit.true_anomaly = new_symbol(form_.s, "orbit.true_anomaly", "rad", 0);
  around_.orbit.mu = parameters_.number("environment.orbit_mu", "m^3/s^2", signals.forces.orbit->mu(),
                                        "environment.orbit.center.mu", true);
  const OrbitState at = signals.forces.orbit->at(0);
  for (std::size_t k = 0; k < 3; ++k) form_.s[form_.s.size() - 4 + k].value = at.position[static_cast<int>(k)];
  form_.s.back().value = at.true_anomaly;
}

void FormBuilder::evaluate_signals(const SignalProgram& signals, const AnalysisPoints& points,
                                   const Instant<Symbolic, Symbolic>& instant) {
  const std::vector<bool> needed = needed_slots(signals);
  values_[0] = t_;
  for (std::size_t k = 0; k < points.inputs.size(); ++k) {
    const Slot slot = signals.inputs[k];
    if (!needed[slot]) continue;
    const auto& input = std::get<SignalInput>(points.inputs[k]);
    const SignalDescription& signal = model_.description.signals[input.signal];
    const std::string unit = signal.dimension && *signal.dimension != Dimension{} ? unit_text(*signal.dimension) : "";
    values_[slot] = new_symbol(form_.s, part_names(signal)[input.part], unit, 0);
  }
  for (const ExpressionCompiler::State& state : signals.states) {
    if (needed[state.slot]) values_[state.slot] = new_symbol(form_.s, state.owner, "", state.initial);
  }
  for (const Restraint& restraint : signals.forces.restraints) {
    if (restraint.beyond != no_slot) values_[restraint.beyond] = Symbolic(0.0);
    if (!restraint.friction) continue;
    if (restraint.by_reaction.body != 0) {
      throw std::invalid_argument(
          fmt::format("{}.friction.reaction: the scalar form has no friction that follows the reaction of its joint; "
                      "give 'coulomb' instead",
                      restraint.name));
    }
    const std::string owner = form_.u[restraint.u].name.substr(0, form_.u[restraint.u].name.rfind('.'));
    values_[restraint.sliding] = new_symbol(form_.s, owner + ".sliding", "", 0);
  }
  Shared<Symbolic> shared;
  for (const auto& [slot, observable] : signals.observed) {
    if (needed[slot]) values_[slot] = observed(signals, observable, instant, shared);
  }
  around_.orbit.position = position_;
  expression::evaluate<Symbolic>(signals.program, signals.program.prologue, values_);
  expression::evaluate<Symbolic>(signals.program, values_);
}

Symbolic FormBuilder::observed(const SignalProgram& signals, const Observable& o,
                               const Instant<Symbolic, Symbolic>& instant, Shared<Symbolic>& shared) {
  using Kind = Observable::Kind;
  const Surroundings<Symbolic> surroundings{elements_, around_.tables,
                                            signals.forces.orbit ? &*signals.forces.orbit : nullptr};
  const Values<Symbolic> values{values_.data()};
  switch (o.kind) {
    case Kind::coordinate:
    case Kind::omega:
    case Kind::distance:
    case Kind::distance_rate:
    case Kind::torsion_sine:
    case Kind::torsion_cosine:
    case Kind::torsion_rate: return observe(o, instant, surroundings, values, shared);
    case Kind::speed: return u_[o.index];
    default: break;
  }
  if (!world_) {
    world_.emplace(*mechanism_);
    outward<Symbolic, false>(*mechanism_, q_.data(), u_.data(), static_cast<const Symbolic*>(nullptr),
                             world_->kinematics);
    find_base_points(*mechanism_, world_->kinematics, u_.data(), world_->base_points);
  }
  around_.orbit.position = position_;
  const Instant<Symbolic, Symbolic> in_world{*mechanism_,        nodes_.data(),       q_.data(), u_.data(),
                                             world_->kinematics, world_->base_points, t_};
  return observe(o, in_world, surroundings, values, world_->shared);
}

void FormBuilder::find_given(const SignalProgram& signals, Forces<Symbolic>& forces) {
  for (const PrescribedMotion& motion : signals.prescribed) {
    Id rate = values_[motion.slot].id;
    refuse_inputs(rate, motion.path);
    for (int k = motion.speed ? 1 : 2; k > 0; --k) rate = form_.graph.gradient(rate, {&form_.time, 1})[0];
    // of a constraint only the acceleration stands in the equations
    (motion.equal == no_equal ? forces.udot[motion.u] : forces.equals[motion.equal].acceleration) = Symbolic::of(rate);
  }
  for (const GivenAcceleration& given : signals.forces.given) forces.udot[given.u] = values_[given.value];
  for (std::uint32_t k = 0; k < forces.free.size(); ++k) {
    if (forces.free[k].id == 0) {
      form_.given.push_back({k, forces.udot[k].id});
    } else {
      form_.free.push_back(k);
    }
  }
  if (base_ && mechanism_->joints[1].free && forces.free[0].id == 0) {
    const Vec3<Symbolic> v = turned({forces.udot[3], forces.udot[4], forces.udot[5]});
    forces.udot[3] = v.x, forces.udot[4] = v.y, forces.udot[5] = v.z;
  }
}

void FormBuilder::refuse_inputs(Id id, const std::string& path) const {
  const std::vector<bool> needed = form_.graph.needed_by({&id, 1});
  for (const Variable& input : form_.s) {
    if (!needed[input.id]) continue;
    throw std::invalid_argument(fmt::format(
        "{}: reads the signal '{}', whose derivatives the scalar form does not know; write it as an expression of t",
        path, input.name));
  }
}

void FormBuilder::find_forces(const Instant<Symbolic, Symbolic>& instant, Forces<Symbolic>& forces) {
  around_.orbit.position = turned(position_);
  for (UniformGravity<Symbolic>& gravity : elements_.of<UniformGravity>()) gravity.g = turned(gravity.g);
  std::vector<BodyForce<Symbolic>> in_world;
  std::vector<BodyForce<Symbolic>>& loads = elements_.of<BodyForce>();
  std::ranges::copy_if(loads, std::back_inserter(in_world), [](const auto& e) { return e.axes == Axes::world; });
  std::erase_if(loads, [](const auto& e) { return e.axes == Axes::world; });
  const Values<Symbolic> values{values_.data()};
  apply(elements_, instant, values, forces);
  for (const BodyForce<Symbolic>& load : in_world) {
    apply_force(instant, load.node, turned(values.vector(load.force)), forces);
    forces.wrench[nodes_[load.node].body].torque += turned(values.vector(load.torque));
  }
}

}  // namespace gyrostat::scalar
