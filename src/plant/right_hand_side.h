// The right-hand side y' = f(t, y), over any scalar T and constants of any type C: one number, dual numbers, packs
// whose lanes are simulations of their own, each with its own time, switch positions, held values and parameters. No
// branch on a scalar's value, no allocation, no string, no exception.
#pragma once

#include "gyrostat/dynamics/closure_sweeps.h"
#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"
#include "gyrostat/dynamics/kernels.h"
#include "gyrostat/forces/observe.h"
#include "gyrostat/plant/data.h"

namespace gyrostat {

// --- one lane of a scalar --------------------------------------------------------------------------------------------

// clang-format off
inline double lane_of(double x, std::size_t) { return x; }
template <std::size_t N> double lane_of(const Dual<N>& x, std::size_t) { return x.value; }
template <std::size_t N> double lane_of(const Pack<N>& x, std::size_t lane) { return x[lane]; }

/// Puts f(t) into a lane; of dual numbers, its derivatives by what t depends on follow from the rate.
inline void set_lane(double& x, std::size_t, double value, double, double) { x = value; }
template <std::size_t N> void set_lane(Pack<N>& x, std::size_t lane, double value, double, const Pack<N>&) { x[lane] = value; }
template <std::size_t N> void set_lane(Dual<N>& x, std::size_t, double value, double rate, const Dual<N>& t) { x = chain(value, rate, t); }

inline void set_position(std::uint32_t& x, std::size_t, std::uint32_t position) { x = position; }
template <class P> void set_position(P& x, std::size_t lane, std::uint32_t position) requires requires { x.segment; } { x.set(lane, position); }

inline void set_condition(Truth& x, std::size_t, bool outcome) { x = outcome; }
template <class Mask> void set_condition(Mask& x, std::size_t lane, bool outcome) requires requires { x.set(lane, outcome); } { x.set(lane, outcome); }
// clang-format on

/// Takes over what the run in a lane remembers; after each of its events.
template <class T>
void set_discrete(PlantData<T>& data, std::size_t lane, const DiscreteState& discrete) {
  data.stage = Stage::none;
  data.lanes[lane].discrete = &discrete;
  if (lane == 0) data.closures.plan = &discrete.closures;
  if (!data.closures.empty() && discrete.closures.node_of != data.closures.plan->node_of) {
    throw std::invalid_argument("the lanes of a pack solve for different rows of their constraints");
  }
  for (std::size_t k = 0; k < data.positions.size(); ++k) {
    set_position(data.positions[k], lane, discrete.positions[k]);
  }
  for (std::size_t k = 0; k < data.held.size(); ++k) set_lane(data.held[k], lane, discrete.held[k], 0, T(0.0));
  for (std::size_t k = 0; k < data.sliding.size(); ++k) {
    set_lane(data.sliding[k], lane, discrete.sliding[k], 0, T(0.0));
    const int beyond = discrete.stopped[k] / 2;  // 1 or -1 where it is 2 or -2
    set_lane(data.beyond[k], lane, beyond, 0, T(0.0));
  }
  for (std::size_t k = 0; k < discrete.free.size(); ++k) set_condition(data.forces.free[k], lane, discrete.free[k]);
}

// --- stages ----------------------------------------------------------------------------------------------------------

/// Prescribed coordinates, speeds and accelerations, lane by lane: functions of time to second order.
template <class T>
void prescribe(const Plant& plant, PlantData<T>& data) {
  const SignalProgram& signals = plant.signals();
  if (signals.prescribed.empty()) return;
  const std::size_t slots = signals.program.slots;
  for (std::size_t lane = 0; lane < data.lanes.size(); ++lane) {
    const std::span<Jet> jets(data.jets.data() + lane * slots, slots);
    const Lane& of = data.lanes[lane];
    jets[0] = Jet::time(lane_of(data.t, lane));
    expression::evaluate<Jet>(of.plant->signals().program, signals.prescribed_instructions, jets,
                              of.discrete->positions);
    for (const PrescribedMotion& motion : signals.prescribed) {
      const Jet& x = jets[motion.slot];
      if (motion.equal != no_equal) {
        GivenValue<T>& equals = data.forces.equals[motion.equal];
        set_lane(equals.value, lane, x.value, x.rate, data.t);
        set_lane(equals.rate, lane, x.rate, x.acceleration, data.t);
        set_lane(equals.acceleration, lane, x.acceleration, 0, data.t);
        continue;
      }
      const double speed = motion.speed ? x.value : x.rate, acceleration = motion.speed ? x.rate : x.acceleration;
      if (!data.as_given) {
        if (!motion.speed) set_lane(data.q[motion.q], lane, x.value, x.rate, data.t);
        set_lane(data.u[motion.u], lane, speed, acceleration, data.t);
      }
      set_lane(data.forces.udot[motion.u], lane, acceleration, 0, data.t);
    }
  }
}

template <class T>
void set_state(const Plant& plant, PlantData<T>& data, const T& t, const T* y) {
  const Layout& layout = plant.layout();
  data.t = t;
  layout.scatter(y, data.q.data(), data.u.data());
  for (std::size_t k = 0; k < layout.nx; ++k) data.values[plant.signals().states[k].slot] = y[layout.x + k];
  prescribe(plant, data);
  data.shared = {};
  data.solved_by_recursion = data.multipliers_known = data.values_alone = false;
  data.stage = Stage::state;
}

// The recursions: those of the processor where there are such, else this text's own.
inline void outward_pass(const Mechanism& mechanism, PlantData<double>& data) {
  update(mechanism, data.q.data(), data.u.data(), data.kinematics);
}
inline void outward_pass(const Mechanism& mechanism, PlantData<Directional>& data) {
  update(mechanism, data.q.data(), data.u.data(), data.kinematics);
}
template <std::size_t N>
void outward_pass(const MechanismOf<Pack<N>>& mechanism, PlantData<Pack<N>>& data) {
  std::get_if<PackKernels<N>>(&kernels().packed)
      ->of_each.update(mechanism, data.q.data(), data.u.data(), data.kinematics);
}
template <class T, class C>
void outward_pass(const MechanismOf<C>& mechanism, PlantData<T>& data) {
  outward<T, false>(mechanism, data.q.data(), data.u.data(), static_cast<const T*>(nullptr), data.kinematics);
}

/// The rows that the plan keeps, which all lanes share.
template <class T, class C>
void evaluate_kept_rows(const Plant& plant, const PlantConstants<C>& constants, PlantData<T>& data) {
  if (data.closures.empty()) return;
  data.closures.whole = false;
  evaluate_closures(constants.constraints, constants.mechanism, data.kinematics, data.q.data(), data.u.data(),
                    data.forces, plant.feedback(), data.closures);
}

// --- friction by reaction --------------------------------------------------------------------------------------------

// Inverse dynamics: what joints transmit at the accelerations and forces of the data.
inline void find_transmitted(const Mechanism& mechanism, PlantData<double>& data) {
  ReactionFriction<double>& w = data.friction;
  inverse_dynamics(mechanism, data.q.data(), data.u.data(), data.udot.data(), data.forces, *w.inverse, w.tau.data());
}
template <std::size_t N>
void find_transmitted(const MechanismOf<Pack<N>>& mechanism, PlantData<Pack<N>>& data) {
  ReactionFriction<Pack<N>>& w = data.friction;
  std::get_if<PackKernels<N>>(&kernels().packed)
      ->of_each.inverse_dynamics(mechanism, data.q.data(), data.u.data(), data.udot.data(), data.forces, *w.inverse,
                                 w.tau.data());
}
template <class T, class C>
void find_transmitted(const MechanismOf<C>& mechanism, PlantData<T>& data) {
  ReactionFriction<T>& w = data.friction;
  inverse_dynamics_sweeps(mechanism, data.q.data(), data.u.data(), data.udot.data(), data.forces, *w.inverse,
                          w.tau.data());
}

/// What the joints with friction by reaction transmit across their axes; world axes.
template <class T, class C>
void find_reactions_across(const Plant& plant, const PlantConstants<C>& constants, PlantData<T>& data,
                           Vec3<T>* reactions) {
  find_transmitted(constants.mechanism, data);
  const ForceModel& model = plant.signals().forces;
  for (std::size_t k = 0; k < data.friction.n; ++k) {
    const std::uint32_t body = model.restraints[model.by_reaction[k]].by_reaction.body;
    const Vec3<T>&along = data.kinematics.bodies[body].R_NM.z, &force = data.friction.inverse->transmitted[body].force;
    reactions[k] = force - dot(along, force) * along;
  }
}

/// Puts what friction by reaction exerts among the forces.
template <class T>
void exert_friction(const ForceModel& model, std::size_t k, const T& level, PlantData<T>& data) {
  const Restraint& r = model.restraints[model.by_reaction[k]];
  const T force = -(data.sliding[model.by_reaction[k]] * level);
  data.values[r.by_reaction.force] = force;
  data.forces.tau[r.u] = data.forces.tau[r.u] + force;
}

/// The level at which its effect is measured: a power of two, so large that accelerations and reactions without
/// friction do not round it away [N, N m].
constexpr double measured_level = 1 << 30;

/// Accelerations, by `solve`, with friction by reaction: at levels zero, with one of each, and at those that are so
/// found, because accelerations and reactions are affine functions of the levels.       (13)
template <class T, class C, class Solve>
void solve_with_friction(const Plant& plant, const PlantConstants<C>& constants, PlantData<T>& data, Solve solve) {
  solve();
  ReactionFriction<T>& w = data.friction;
  if (w.n == 0) return;
  const ForceModel& model = plant.signals().forces;
  const std::size_t nu = data.udot.size();
  find_reactions_across(plant, constants, data, w.reactions.data());
  for (std::size_t i = 0; i < nu; ++i) w.without[i] = data.udot[i];
  for (std::size_t j = 0; j < w.n; ++j) {
    const std::uint32_t number = model.by_reaction[j];
    const Restraint& r = model.restraints[number];
    const T before = data.forces.tau[r.u];
    data.forces.tau[r.u] = before - T(measured_level) * data.sliding[number];
    solve();
    for (std::size_t i = 0; i < nu; ++i) w.udot[j * nu + i] = T(1 / measured_level) * (data.udot[i] - w.without[i]);
    find_reactions_across(plant, constants, data, w.across.data());
    data.forces.tau[r.u] = before;
    for (std::size_t k = 0; k < w.n; ++k)
      w.by_level[k * w.n + j] = T(1 / measured_level) * (w.across[k] - w.reactions[k]);
    w.coefficients[j] = data.values[r.by_reaction.coefficient];
  }
  solve_levels(w);
  for (std::size_t k = 0; k < w.n; ++k) exert_friction(model, k, w.levels[k], data);
  solve();
}

/// Derivatives of the levels at a point where they are known, and of the accelerations with them: those for levels that
/// are kept, which `solve` finds, and what the change of the levels adds.       (16)
template <class Solve>
void differentiate_with_friction(const Plant& plant, const PlantConstants<double>& constants,
                                 PlantData<Directional>& data, Solve solve) {
  ReactionFriction<Directional>& w = data.friction;
  const ReactionFriction<double>* at = data.friction_at;
  const ForceModel& model = plant.signals().forces;
  for (std::size_t k = 0; k < w.n; ++k) exert_friction(model, k, Directional(at->levels[k]), data);
  solve();
  if (w.n == 0) return;
  find_reactions_across(plant, constants, data, w.reactions.data());
  for (std::size_t k = 0; k < w.n; ++k) {
    const Directional& coefficient = data.values[model.restraints[model.by_reaction[k]].by_reaction.coefficient];
    const Vec3<Directional>& R = w.reactions[k];
    const Directional length = length_of(R);
    const double scale = length.value > 0 ? coefficient.value / length.value : 0;
    w.step[k] = coefficient * length;
    w.step[k].value = 0;
    for (std::size_t j = 0; j < w.n; ++j) {
      const Vec3<double>& by = at->by_level[k * w.n + j];
      const double slope = scale * (R.x.value * by.x + R.y.value * by.y + R.z.value * by.z);
      w.matrix[k * w.n + j] = Directional((j == k ? 1.0 : 0.0) - slope);
    }
  }
  eliminate_in_place(w.n, w.matrix.data(), w.step.data());
  const std::size_t nu = data.udot.size();
  for (std::size_t k = 0; k < w.n; ++k) {
    w.levels[k] = w.step[k] + at->levels[k];
    for (std::size_t i = 0; i < nu; ++i) data.udot[i] = data.udot[i] + w.step[k] * at->udot[k * nu + i];
    const Restraint& r = model.restraints[model.by_reaction[k]];
    const Directional change = -(data.sliding[model.by_reaction[k]] * w.step[k]);
    data.values[r.by_reaction.force] = data.values[r.by_reaction.force] + change;
    data.forces.tau[r.u] = data.forces.tau[r.u] + change;
  }
}

// --- accelerations ---------------------------------------------------------------------------------------------------

inline void find_accelerations(const Plant& plant, const PlantConstants<double>& constants, PlantData<double>& data) {
  const auto solve = [&] {
    accelerations(constants.mechanism, plant.formulation(), data.kinematics, data.q.data(), data.u.data(), data.forces,
                  data.closures, data.formulation, data.udot.data());
  };
  if (data.closures.empty()) return solve_with_friction(plant, constants, data, solve);
  if (!uses_kinematics(plant.formulation())) return solve();
  solve_closed(constants.constraints, constants.mechanism, data.kinematics, data.q.data(), data.u.data(), data.forces,
               plant.feedback(), data.closures, solve);
}
inline void find_accelerations(const Plant& plant, const PlantConstants<double>& constants,
                               PlantData<Directional>& data) {
  evaluate_kept_rows(plant, constants, data);
  differentiate_with_friction(plant, constants, data, [&] {
    differentiate(*data.formulation.at, data.kinematics, data.u.data(), data.forces, data.closures,
                  data.formulation.derivatives, data.udot.data());
  });
}
template <std::size_t N>
void find_accelerations(const Plant& plant, const PlantConstants<Pack<N>>& constants, PlantData<Pack<N>>& data) {
  const auto& kernel = std::get_if<PackKernels<N>>(&kernels().packed)->of_each;
  const MechanismOf<Pack<N>>& mechanism = constants.mechanism;
  if (data.closures.empty()) {
    solve_with_friction(plant, constants, data, [&] {
      kernel.accelerations(mechanism, data.kinematics, data.u.data(), data.forces, data.formulation, data.udot.data());
    });
  } else {
    evaluate_kept_rows(plant, constants, data);
    data.formulation.closures.resize(*data.closures.plan);
    kernel.closed_accelerations(mechanism, data.kinematics, data.u.data(), data.forces, data.closures, data.formulation,
                                data.udot.data());
  }
}

template <class T, class C>
void find_accelerations(const Plant& plant, const PlantConstants<C>& constants, PlantData<T>& data) {
  const MechanismOf<C>& mechanism = constants.mechanism;
  if (data.closures.empty()) {
    solve_with_friction(plant, constants, data, [&] {
      articulated_body_accelerations(mechanism, data.kinematics, data.u.data(), data.forces, data.formulation,
                                     data.udot.data());
    });
  } else {
    evaluate_kept_rows(plant, constants, data);
    data.formulation.closures.resize(*data.closures.plan);
    closed_inward(mechanism, data.kinematics, data.u.data(), data.forces, data.closures, data.formulation);
    closed_outward(mechanism, data.kinematics, data.forces, data.closures, data.formulation, data.udot.data());
  }
}

template <class T, class C>
Instant<T, C> instant_of(const PlantConstants<C>& constants, const PlantData<T>& data) {
  data.require(Stage::velocity);
  return {constants.mechanism, constants.nodes.data(), data.q.data(), data.u.data(),
          data.kinematics,     data.base_points,       data.t};
}

template <class T>
Values<T> values_of(const PlantData<T>& data) {
  return {data.values.data()};
}

template <class T, class C>
void evaluate_signals(const Plant& plant, const PlantConstants<C>& constants, PlantData<T>& data) {
  const SignalProgram& signals = plant.signals();
  const Instant<T, C> instant = instant_of(constants, data);
  data.values[0] = data.t;
  for (const HeldBlock& block : signals.held) {
    for (std::uint32_t k = 0; k < block.outputs; ++k) data.values[block.output + k] = data.held[block.first + k];
  }
  for (std::size_t k = 0; k < data.sliding.size(); ++k) {
    const Restraint& r = signals.forces.restraints[k];
    if (r.sliding != no_slot) data.values[r.sliding] = data.sliding[k];
    if (r.beyond != no_slot) data.values[r.beyond] = data.beyond[k];
  }
  for (const std::uint32_t h : signals.delays) {
    T& output = data.values[signals.held[h].output];
    for (std::size_t lane = 0; lane < data.lanes.size(); ++lane) {
      const Lane& of = data.lanes[lane];
      const double delay = std::get_if<Delay>(&of.plant->signals().held[h].kind)->time;
      set_lane(output, lane, of.discrete->memory[h].history.at(lane_of(data.t, lane) - delay), 1, output);
    }
  }
  const Surroundings<C> around = constants.surroundings(plant.tables());
  const Values<T> values = values_of(data);
  for (const auto& [slot, observable] : signals.observed) {
    data.values[slot] = observe(observable, instant, around, values, data.shared);
  }
  expression::evaluate<T>(signals.program, data.values, data.positions);
}

template <class T, class C>
void evaluate_forces(const Plant& plant, const PlantConstants<C>& constants, PlantData<T>& data) {
  for (const std::uint32_t k : plant.signals().forces.by_reaction) {  // comes with the accelerations
    data.values[plant.signals().forces.restraints[k].by_reaction.force] = T(0.0);
  }
  apply(constants.elements, instant_of(constants, data), values_of(data), data.forces);
  for (const GivenAcceleration& given : plant.signals().forces.given) {
    data.forces.udot[given.u] = data.values[given.value];
  }
}

/// Computes what is missing up to a stage. The state must be set.
template <class T, class C>
void advance(const Plant& plant, const PlantConstants<C>& constants, PlantData<T>& data, Stage wanted) {
  data.require(Stage::state);
  if (wanted >= Stage::velocity && data.stage < Stage::velocity) {
    outward_pass(constants.mechanism, data);
    find_base_points(constants.mechanism, data.kinematics, data.u.data(), data.base_points);
    data.stage = Stage::velocity;
  }
  if (wanted >= Stage::signals && data.stage < Stage::signals) {
    evaluate_signals(plant, constants, data);
    data.stage = Stage::signals;
  }
  if (wanted >= Stage::forces && data.stage < Stage::forces) {
    evaluate_forces(plant, constants, data);
    data.stage = Stage::forces;
  }
  if (wanted >= Stage::acceleration && data.stage < Stage::acceleration) {
    find_accelerations(plant, constants, data);
    data.stage = Stage::acceleration;
  }
}

/// y' while every switch is held.
template <class T, class C>
void find_rates(const Plant& plant, const PlantConstants<C>& constants, PlantData<T>& data, const T& t, const T* y,
                T* ydot) {
  set_state(plant, data, t, y);
  advance(plant, constants, data, Stage::acceleration);
  const Layout& layout = plant.layout();
  layout.gather_rates(y, data.q.data(), data.u.data(), ydot);
  for (std::size_t k = 0; k < layout.nu; ++k) ydot[layout.u + k] = data.udot[k];
  for (std::size_t k = 0; k < layout.nx; ++k) ydot[layout.x + k] = data.values[plant.signals().states[k].rate];
}

}  // namespace gyrostat
