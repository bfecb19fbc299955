#include "gyrostat/derive/scalar_form.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_constants.h"
#include "gyrostat/derive/scalar_polynomial.h"
#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/composite_body_sweeps.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/forces/observe.h"
#include "gyrostat/model/prescribed.h"

namespace gyrostat::scalar {

namespace {

/// What the templates ask for beyond arithmetic: where the orbit is, which table is meant.
struct Around {
  std::span<const Table> tables;
  OrbitPoint<Symbolic> orbit;
};
thread_local const Around* around = nullptr;

}  // namespace

// Found by the templates of forces/ and expression/.
static OrbitPoint<Symbolic> orbit_at(const Orbit&, const Symbolic&) { return around->orbit; }
static Symbolic osculating_anomaly(const Orbit&, const Vec3<Symbolic>&, const Vec3<Symbolic>&) {
  return around->orbit.true_anomaly;
}
static Symbolic lookup(const Table& table, const Symbolic& x) {
  const auto number = static_cast<std::uint32_t>(&table - around->tables.data());
  return Symbolic::of(recorded().look_up(number, x.id, 0));
}
static Symbolic table_energy(const Table&, const Symbolic&) {
  throw std::invalid_argument(
      "an expression reads system.energy, and a spring's stiffness is a table: the energy of such a spring has no "
      "scalar form; give the expression a signal instead, which is an input");
}

namespace {

/// Terms that expressions are multiplied out to.
constexpr std::size_t most_terms = 400, most_terms_for_reading = 1200;
/// Expressions that are compared one by one.
constexpr std::size_t most_mixed = 500;

class FormBuilder {
 public:
  FormBuilder(const Model& model, const Options& options)
      : model_(model), system_(model.system), options_(options), recording_(form_.graph), parameters_(form_) {}
  ~FormBuilder() { around = nullptr; }
  FormBuilder(const FormBuilder&) = delete;
  FormBuilder& operator=(const FormBuilder&) = delete;

  Form build() {
    refuse_what_has_no_form();
    form_.name = system_.name;
    add_state_symbols();
    const Mechanism plain = mechanism_in_body_axes(model_);
    const Names names(model_.description);
    const AnalysisPoints points = opened_signals(names);
    const SignalProgram signals(model_, names, plain, {}, points);
    mechanism_.emplace(symbolic_mechanism(model_, plain, parameters_));
    nodes_ = symbolic_nodes(model_, *mechanism_, parameters_);
    elements_ = symbolic_elements(model_, signals.forces, parameters_);
    form_.tables = signals.program.tables;
    for (const TableDescription& table : model_.description.tables) form_.table_names.push_back(table.name);

    choose_axes();
    set_orbit(signals);
    around_.tables = signals.program.tables;
    around = &around_;
    values_.resize(signals.program.slots);
    for (const auto& [slot, number] : symbolic_program_numbers(model_, plain, signals, points, parameters_)) {
      values_[slot] = number;
    }
    Kinematics<Symbolic> kinematics(*mechanism_);
    move_bodies(kinematics, nullptr);
    std::vector<BasePoint<Symbolic>> base_points(mechanism_->links.size());
    find_base_points(*mechanism_, kinematics, turned_u_.data(), base_points);
    const Instant<Symbolic, Symbolic> instant{*mechanism_, nodes_.data(), q_.data(), turned_u_.data(),
                                              kinematics,  base_points,   t_};
    evaluate_signals(signals, points, instant);
    Forces<Symbolic> forces(system_);
    find_given(signals, forces);
    find_forces(instant, forces);
    assemble(kinematics, forces);
    simplify();
    solve();
    solve_by_recursion(kinematics, forces);
    add_rates();
    leave_out_unused(form_.s);
    if (options_.jacobian) differentiate(forces);
    leave_out_unused(form_.p);
    return std::move(form_);
  }

 private:
  void refuse_what_has_no_form() const {
    for (const FlexibleBody& body : system_.flexible) {
      throw std::invalid_argument(fmt::format("the body '{}' is flexible: the scalar form is written for rigid bodies",
                                              system_.bodies[body.body].name));
    }
    for (const Constraint& constraint : system_.constraints) {
      throw std::invalid_argument(
          fmt::format("'{}' closes a loop: the scalar form is written for trees; leave it out, or use the vector form",
                      constraint.name));
    }
  }

  Symbolic new_symbol(std::vector<Variable>& list, std::string name, std::string_view unit, double value) {
    list.push_back({std::move(name), std::string(unit), value, form_.graph.symbol()});
    return Symbolic::of(list.back().id);
  }

  void add_state_symbols() {
    form_.time = form_.graph.symbol();
    t_ = Symbolic::of(form_.time);
    for (const StateEntry& entry : coordinate_entries(system_)) {
      const double value = system_.initial.q[static_cast<Eigen::Index>(q_.size())];
      q_.push_back(new_symbol(form_.q, entry.name, entry.unit, value));
    }
    for (const StateEntry& entry : speed_entries(system_)) {
      const double value = system_.initial.u[static_cast<Eigen::Index>(u_.size())];
      u_.push_back(new_symbol(form_.u, entry.name, entry.unit, value));
    }
  }

  /// Every signal is an input where it is read, but those of time that prescribed motions may read, which must be
  /// differentiated.
  [[nodiscard]] AnalysisPoints opened_signals(const Names& names) const {
    const Description& d = model_.description;
    AnalysisPoints points;
    const bool prescribed = !prescribed_targets(d, names, system_).empty();
    const std::vector<bool> of_time = signals_of_time(d, names);
    for (std::uint32_t k = 0; k < d.signals.size(); ++k) {
      if (prescribed && of_time[k]) continue;
      const auto parts = static_cast<std::uint32_t>(part_names(d.signals[k]).size());
      for (std::uint32_t part = 0; part < parts; ++part) points.inputs.emplace_back(SignalInput{k, part, true});
    }
    return points;
  }

  // --- axes ----------------------------------------------------------------------------------------------------------

  /// The equations do not depend on the axes they are written along. Where one body is on the world, and its attitude
  /// is a rotation about one axis or any rotation, they are written along the axes of that body: its attitude then
  /// stands in them only where something fixed in the world acts.       (12)
  void choose_axes() {
    const auto& links = mechanism_->links;
    turned_u_ = u_;
    const auto roots = std::count_if(links.begin() + 1, links.end(), [](const auto& l) { return l.parent == 0; });
    if (roots != 1) return;
    const JointOf<Symbolic>& joint = mechanism_->joints[1];
    const bool one_axis = !joint.quaternion && joint.rotations == 1 && joint.translations == 0;
    if (joint.reversed || !(joint.quaternion || one_axis)) return;
    base_ = true;
    R_ = joint_position(joint, q_.data() + links[1].q).R_PC;
    if (joint.free) {
      const Vec3<Symbolic> v = turned({u_[3], u_[4], u_[5]});
      turned_u_[3] = v.x, turned_u_[4] = v.y, turned_u_[5] = v.z;
    }
  }

  /// Along the axes of the equations, from world axes.
  [[nodiscard]] Vec3<Symbolic> turned(const Vec3<Symbolic>& v) const { return base_ ? transpose_times(R_, v) : v; }

  /// Motion of all bodies along the axes of the equations; `udot` given or none.
  void move_bodies(Kinematics<Symbolic>& k, const Symbolic* udot) const {
    const auto& links = mechanism_->links;
    if (!base_) {
      if (udot == nullptr) {
        outward<Symbolic, false>(*mechanism_, q_.data(), turned_u_.data(), udot, k);
      } else {
        outward<Symbolic, true>(*mechanism_, q_.data(), turned_u_.data(), udot, k);
      }
      return;
    }
    k.bodies[0].R_NM = transposed(R_);
    for (std::uint32_t i = 1; i < links.size(); ++i) {
      Twist<Symbolic>* S = k.S.data() + links[i].S;
      if (i == 1) {
        move_base(k, S);
      } else {
        move_outboard(*mechanism_, i, q_.data() + links[i].q, turned_u_.data() + links[i].u, k.bodies[links[i].parent],
                      k.bodies[i], S);
      }
      if (udot != nullptr) add_given(S, links[i].nu, udot + links[i].u, k.bodies[i]);
    }
  }

  /// The body whose axes those of the equations are.
  void move_base(Kinematics<Symbolic>& k, Twist<Symbolic>* S) const {
    const JointOf<Symbolic>& joint = mechanism_->joints[1];
    BodyMotion<Symbolic>& body = k.bodies[1];
    const Mat3<Symbolic> one = cast<Symbolic>(Matrix3(Matrix3::Identity()));
    body.R_NM = one;
    body.r = turned(mechanism_->links[1].p_PF);
    if (joint.quaternion) {
      S[0] = {one.x, {}}, S[1] = {one.y, {}}, S[2] = {one.z, {}};
      body.w = {u_[0], u_[1], u_[2]};
      if (joint.free) {
        S[3] = {{}, one.x}, S[4] = {{}, one.y}, S[5] = {{}, one.z};
        body.r = turned(mechanism_->links[1].p_PF + Vec3<Symbolic>{q_[0], q_[1], q_[2]});
      }
    } else {
      S[0] = {transpose_times(joint.R_0, joint.a[0]), {}};  // the axis is fixed in both bodies
      body.w = u_[0] * S[0].w;
    }
    body.alpha = {};
    body.a = {};
    body.W = acceleration_gradient(body.alpha, body.w);
  }

  // --- signals and forces --------------------------------------------------------------------------------------------

  void set_orbit(const SignalProgram& signals) {
    if (!signals.forces.orbit) return;
    position_ = {new_symbol(form_.s, "orbit.position_x", "m", 0), new_symbol(form_.s, "orbit.position_y", "m", 0),
                 new_symbol(form_.s, "orbit.position_z", "m", 0)};
    around_.orbit.radius = sqrt(dot(position_, position_));
    around_.orbit.true_anomaly = new_symbol(form_.s, "orbit.true_anomaly", "rad", 0);
    around_.orbit.mu = parameters_.number("environment.orbit_mu", "m^3/s^2", signals.forces.orbit->mu(), true);
    const OrbitState at = signals.forces.orbit->at(0);
    for (std::size_t k = 0; k < 3; ++k) form_.s[form_.s.size() - 4 + k].value = at.position[static_cast<int>(k)];
    form_.s.back().value = at.true_anomaly;
  }

  /// Slots that forces and given motions depend on.
  static std::vector<bool> needed_slots(const SignalProgram& signals) {
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

  void evaluate_signals(const SignalProgram& signals, const AnalysisPoints& points,
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
    Shared<Symbolic> shared;
    for (const auto& [slot, observable] : signals.observed) {
      if (needed[slot]) values_[slot] = observed(signals, observable, instant, shared);
    }
    around_.orbit.position = position_;
    expression::evaluate<Symbolic>(signals.program, signals.program.prologue, values_);
    expression::evaluate<Symbolic>(signals.program, values_);
  }

  /// A quantity along world axes is taken from motions along world axes; others from those of the equations.
  Symbolic observed(const SignalProgram& signals, const Observable& o, const Instant<Symbolic, Symbolic>& instant,
                    Shared<Symbolic>& shared) {
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

  /// Accelerations of what is locked, prescribed or given, along the axes of the equations in `forces`.
  void find_given(const SignalProgram& signals, Forces<Symbolic>& forces) {
    for (const PrescribedMotion& motion : signals.prescribed) {
      Id rate = values_[motion.slot].id;
      refuse_inputs(rate, motion.path);
      for (int k = motion.speed ? 1 : 2; k > 0; --k) rate = form_.graph.gradient(rate, {&form_.time, 1})[0];
      forces.udot[motion.u] = Symbolic::of(rate);
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

  void refuse_inputs(Id id, const std::string& path) const {
    const std::vector<bool> needed = form_.graph.needed_by({&id, 1});
    for (const Variable& input : form_.s) {
      if (!needed[input.id]) continue;
      throw std::invalid_argument(fmt::format(
          "{}: reads the signal '{}', whose derivatives the scalar form does not know; write it as an expression of t",
          path, input.name));
    }
  }

  void find_forces(const Instant<Symbolic, Symbolic>& instant, Forces<Symbolic>& forces) {
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

  // --- the equations -------------------------------------------------------------------------------------------------

  /// M' and f' along the axes of the equations, of the free speeds; what is given moves to f'.
  void assemble(const Kinematics<Symbolic>& kinematics, const Forces<Symbolic>& forces) {
    const std::size_t nu = u_.size(), count = mechanism_->links.size();
    std::vector<Inertia<Symbolic>> composite(count);
    std::vector<Symbolic> M(nu * nu), none(nu), bias(nu);
    assemble_mass_matrix(*mechanism_, kinematics, composite, TriangleRows<Symbolic>{M.data(), nu});
    std::vector<Wrench<Symbolic>> transmitted(count);
    transmit(*mechanism_, kinematics, turned_u_.data(), none.data(), forces, transmitted, bias.data());
    const auto entry = [&](std::size_t k, std::size_t l) { return M[k < l ? l * nu + k : k * nu + l]; };
    for (const std::uint32_t k : form_.free) {
      for (const std::uint32_t l : form_.free) {
        if (l <= k) form_.solved_M.push_back(entry(k, l).id);
      }
      Symbolic f = forces.tau[k] - bias[k];
      for (const Given& given : form_.given) f -= entry(k, given.u) * forces.udot[given.u];
      form_.solved_f.push_back(f.id);
    }
  }

  void simplify() {
    std::vector<Id> all = form_.solved_M;
    all.insert(all.end(), form_.solved_f.begin(), form_.solved_f.end());
    const std::vector<Id> shorter = shortened(all);
    const auto n = static_cast<std::ptrdiff_t>(form_.solved_M.size());
    form_.solved_M.assign(shorter.begin(), shorter.begin() + n);
    form_.solved_f.assign(shorter.begin() + n, shorter.end());
  }

  /// Entry of a lower triangle.
  static std::size_t at(std::size_t k, std::size_t l) { return k * (k + 1) / 2 + l; }

  /// M' = L^T D L from the last speed inwards, so that what is zero stays zero; then udot.
  void solve() {
    Graph& g = form_.graph;
    const std::size_t n = form_.nf();
    std::vector<Id> L = form_.solved_M, x = form_.solved_f;
    form_.D_inverse.resize(n);
    for (std::size_t k = n; k-- > 0;) {
      form_.D_inverse[k] = g.divide(1, L[at(k, k)]);
      L[at(k, k)] = 1;
      for (std::size_t i = k; i-- > 0;) {
        if (L[at(k, i)] == 0) continue;
        const Id a = g.multiply(L[at(k, i)], form_.D_inverse[k]);
        for (std::size_t j = 0; j <= i; ++j) L[at(i, j)] = g.subtract(L[at(i, j)], g.multiply(a, L[at(k, j)]));
        L[at(k, i)] = a;
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t i = 0; i < k; ++i) x[i] = g.subtract(x[i], g.multiply(L[at(k, i)], x[k]));
    }
    for (std::size_t k = 0; k < n; ++k) {
      x[k] = g.multiply(x[k], form_.D_inverse[k]);
      for (std::size_t i = 0; i < k; ++i) x[k] = g.subtract(x[k], g.multiply(L[at(k, i)], x[i]));
    }
    form_.L = std::move(L);
    turn_back(x);
    form_.udot.assign(u_.size(), 0);
    for (std::size_t k = 0; k < n; ++k) form_.udot[form_.free[k]] = x[k];
    for (const Given& given : form_.given) form_.udot[given.u] = given.acceleration;
  }

  /// The same accelerations by the recursion of articulated bodies, where that has fewer operations: for many bodies.
  void solve_by_recursion(const Kinematics<Symbolic>& kinematics, const Forces<Symbolic>& forces) {
    ArticulatedBodyData<Symbolic> workspace(*mechanism_);
    std::vector<Symbolic> udot(u_.size());
    articulated_body_accelerations(*mechanism_, kinematics, turned_u_.data(), forces, workspace, udot.data());
    if (form_.turned.first >= 0) {
      const Vec3<Symbolic> v = R_ * Vec3<Symbolic>{udot[3], udot[4], udot[5]};
      udot[3] = v.x, udot[4] = v.y, udot[5] = v.z;
    }
    std::vector<Id> ids = form_.udot;
    for (const std::uint32_t k : form_.free) ids[k] = udot[k].id;
    if (count_operations(form_.graph, ids).all() >= count_operations(form_.graph, form_.udot).all()) return;
    form_.udot = std::move(ids);
    form_.recursive = true;
  }

  /// From the axes of the equations to those of the state: M, f and the solution.
  void turn_back(std::vector<Id>& udot) {
    const std::size_t n = form_.nf();
    form_.f = form_.solved_f;
    form_.M.resize(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l < n; ++l) form_.M[k * n + l] = form_.solved_M[k < l ? at(l, k) : at(k, l)];
    }
    if (!base_ || !mechanism_->joints[1].free || n == 0 || form_.free[0] != 0) return;
    form_.turned.first = 3;
    for (const Vec3<Symbolic>& row : {Vec3<Symbolic>{R_.x.x, R_.y.x, R_.z.x}, Vec3<Symbolic>{R_.x.y, R_.y.y, R_.z.y},
                                      Vec3<Symbolic>{R_.x.z, R_.y.z, R_.z.z}}) {
      for (const Symbolic& x : {row.x, row.y, row.z}) form_.turned.R.push_back(x.id);
    }
    const auto turn = [&](Id& x, Id& y, Id& z) {
      const Vec3<Symbolic> v = R_ * Vec3<Symbolic>{Symbolic::of(x), Symbolic::of(y), Symbolic::of(z)};
      x = v.x.id, y = v.y.id, z = v.z.id;
    };
    turn(form_.f[3], form_.f[4], form_.f[5]);
    turn(udot[3], udot[4], udot[5]);
    std::vector<Id>& M = form_.M;
    const auto m = [&](std::size_t k, std::size_t l) -> Id& { return M[k * n + l]; };
    // the block of translations is the mass times the unit matrix, whatever the axes
    const bool is_mass = m(3, 3) == m(4, 4) && m(4, 4) == m(5, 5) && m(4, 3) == 0 && m(5, 3) == 0 && m(5, 4) == 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (is_mass && k >= 3 && k < 6) continue;
      turn(m(k, 3), m(k, 4), m(k, 5));
    }
    for (std::size_t l = 0; l < n; ++l) {
      if (l >= 3 && l < 6) {
        if (!is_mass) turn(m(3, l), m(4, l), m(5, l));
        continue;
      }
      for (std::size_t k = 3; k < 6; ++k) m(k, l) = m(l, k);
    }
  }

  void add_rates() {
    std::vector<Symbolic> qdot(q_.size());
    coordinate_rates(system_, q_.data(), u_.data(), qdot.data());
    for (const Symbolic& x : qdot) form_.qdot.push_back(x.id);
  }

  /// Parameters or inputs that nothing needs.
  void leave_out_unused(std::vector<Variable>& list) const {
    std::vector<Id> all = form_.udot;
    const auto add = [&](const std::vector<Id>& ids) { all.insert(all.end(), ids.begin(), ids.end()); };
    add(form_.M), add(form_.f), add(form_.qdot);
    if (form_.jacobian) add(form_.jacobian->G), add(form_.jacobian->given);
    const std::vector<bool> needed = form_.graph.needed_by(all);
    std::erase_if(list, [&](const Variable& v) { return !needed[v.id]; });
  }

  /// The same expressions, multiplied out where that makes them shorter: for reading, each of them; for code, all of
  /// them together.
  std::vector<Id> shortened(std::vector<Id> ids) {
    Simplifier simplifier(form_.graph, options_.readable ? most_terms_for_reading : most_terms, options_.readable);
    const std::vector<Id> simpler = simplifier.simplified(ids);
    const auto count = [&](std::span<const Id> list) { return count_operations(form_.graph, list).all(); };
    for (std::size_t k = 0; k < ids.size(); ++k) {
      if (form_.graph.is_constant(simpler[k])) ids[k] = simpler[k];  // it was zero all along
    }
    std::vector<Id> mixed = ids;
    if (ids.size() <= most_mixed) {
      for (std::size_t k = 0; k < ids.size(); ++k) {
        if (count({&simpler[k], 1}) < count({&ids[k], 1})) mixed[k] = simpler[k];
      }
    }
    if (options_.readable) return mixed;
    const std::size_t as_is = count(ids), all_simpler = count(simpler), some_simpler = count(mixed);
    if (some_simpler < as_is && some_simpler < all_simpler) return mixed;
    return all_simpler < as_is ? simpler : ids;
  }

  /// What is left of the equations for any accelerations is r' = tau - (inverse dynamics); where r' = 0, derivatives of
  /// the accelerations follow from M' udot'_x = r'_x.       (13)
  void differentiate(const Forces<Symbolic>& forces) {
    Graph& g = form_.graph;
    JacobianForm& j = form_.jacobian.emplace();
    std::vector<Symbolic> udot = forces.udot;
    j.udot.assign(u_.size(), 0);
    for (const std::uint32_t k : form_.free) {
      j.udot[k] = g.symbol();
      udot[k] = Symbolic::of(j.udot[k]);
    }
    for (const Given& given : form_.given) j.udot[given.u] = given.acceleration;
    if (form_.turned.first >= 0) {
      const Vec3<Symbolic> v = turned({udot[3], udot[4], udot[5]});
      udot[3] = v.x, udot[4] = v.y, udot[5] = v.z;
    }
    Kinematics<Symbolic> kinematics(*mechanism_);
    move_bodies(kinematics, udot.data());
    std::vector<Wrench<Symbolic>> transmitted(mechanism_->links.size());
    std::vector<Symbolic> needed(u_.size());
    transmit(*mechanism_, kinematics, turned_u_.data(), udot.data(), forces, transmitted, needed.data());
    std::vector<Id> columns;
    for (const auto* list : {&form_.q, &form_.u, &form_.s}) {
      for (const Variable& v : *list) columns.push_back(v.id);
    }
    const auto append = [&](std::vector<Id>& to, Id of, std::span<const Id> by) {
      const std::vector<Id> row = g.gradient(of, by);
      to.insert(to.end(), row.begin(), row.end());
    };
    std::vector<Id> residuals;
    for (const std::uint32_t k : form_.free) residuals.push_back((forces.tau[k] - needed[k]).id);
    for (const Id id : shortened(residuals)) append(j.G, id, columns);
    for (const Given& given : form_.given) append(j.given, given.acceleration, columns);
    const std::span<const Id> by(columns);
    for (const Id id : form_.qdot) append(j.qdot_q, id, by.first(q_.size()));
    for (const Id id : form_.qdot) append(j.qdot_u, id, by.subspan(q_.size(), u_.size()));
  }

  struct World {
    Kinematics<Symbolic> kinematics;
    std::vector<BasePoint<Symbolic>> base_points;
    Shared<Symbolic> shared;

    explicit World(const MechanismOf<Symbolic>& mechanism) : kinematics(mechanism) {}
  };

  const Model& model_;
  const System& system_;
  Options options_;
  Form form_;
  Recording recording_;
  Parameters parameters_;
  std::vector<Symbolic> q_, u_, turned_u_, values_;
  Symbolic t_;
  std::optional<MechanismOf<Symbolic>> mechanism_;
  std::vector<NodeOf<Symbolic>> nodes_;
  ForceElements<Symbolic> elements_;
  bool base_ = false;  // the axes are those of body 1, else the world's
  Mat3<Symbolic> R_;   // from them to the world's
  Vec3<Symbolic> position_;
  Around around_;
  std::optional<World> world_;
};

}  // namespace

Form derive_form(const Model& model, const Options& options) { return FormBuilder(model, options).build(); }

}  // namespace gyrostat::scalar
