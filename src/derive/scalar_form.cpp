#include "gyrostat/derive/scalar_form.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/derive/scalar_builder.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/model/prescribed.h"

namespace gyrostat::scalar {

Form FormBuilder::build() {
  refuse_what_has_no_form();
  form_.name = system_.name;
  form_.tree = derive::tree_of(system_);
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
  factorise();
  if (system_.constraints.empty()) {
    set_accelerations(completed(half_solved(form_.solved_f)));
    solve_by_recursion(kinematics, forces);
  } else {
    solve_closed(plain, kinematics, forces);
  }
  add_rates();
  leave_out_unused(form_.s);
  if (options_.jacobian) differentiate(forces);
  leave_out_unused(form_.p);
  add_notes();
  return std::move(form_);
}

void FormBuilder::refuse_what_has_no_form() const {
  for (const FlexibleBody& body : system_.flexible) {
    throw std::invalid_argument(fmt::format("the body '{}' is flexible: the scalar form is written for rigid bodies",
                                            system_.bodies[body.body].name));
  }
}

Symbolic FormBuilder::new_symbol(std::vector<Variable>& list, std::string name, std::string_view unit, double value) {
  list.push_back({std::move(name), std::string(unit), value, form_.graph.symbol()});
  return Symbolic::of(list.back().id);
}

void FormBuilder::add_state_symbols() {
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

AnalysisPoints FormBuilder::opened_signals(const Names& names) const {
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

// --- axes ------------------------------------------------------------------------------------------------------------

void FormBuilder::choose_axes() {
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

void FormBuilder::move_bodies(Kinematics<Symbolic>& k, const Symbolic* udot) const {
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

void FormBuilder::move_base(Kinematics<Symbolic>& k, Twist<Symbolic>* S) const {
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

void FormBuilder::add_rates() {
  std::vector<Symbolic> qdot(q_.size());
  coordinate_rates(system_, q_.data(), u_.data(), qdot.data());
  for (const Symbolic& x : qdot) form_.qdot.push_back(x.id);
}

void FormBuilder::leave_out_unused(std::vector<Variable>& list) const {
  std::vector<Id> all = form_.udot;
  const auto add = [&](const std::vector<Id>& ids) { all.insert(all.end(), ids.begin(), ids.end()); };
  add(form_.M), add(form_.f), add(form_.qdot);
  if (form_.loops) add(form_.loops->G), add(form_.loops->gamma), add(form_.loops->multipliers);
  if (form_.jacobian) add(form_.jacobian->R), add(form_.jacobian->S), add(form_.jacobian->given);
  const std::vector<bool> needed = form_.graph.needed_by(all);
  std::erase_if(list, [&](const Variable& v) { return !needed[v.id]; });
}

void FormBuilder::add_notes() {
  const auto say = [&](std::string sentence) { form_.notes.push_back(std::move(sentence)); };
  if (form_.loops && !form_.loops->left_out.empty()) {
    say(fmt::format("Constraint rows that follow from the others where the model begins are left out: {}.",
                    fmt::join(form_.loops->left_out, "; ")));
  }
  if (form_.loops && model_.description.simulation.baumgarte)
    say("Left out: the feedback (baumgarte) by which a run keeps the loops closed.");
  const auto of_friction = [&](const std::string& name) {
    if (std::ranges::find(form_.s, name + ".sliding", &Variable::name) == form_.s.end()) return;
    say(fmt::format("{0}.sliding is 1 or -1 while {0} slides that way against its dry friction; 0 leaves it out.",
                    name));
  };
  const auto left_out = [&](const std::string& name, const std::vector<std::string>& what) {
    if (what.empty()) return;
    say(fmt::format("Left out: {} of {}. The equations are those of the motion while nothing holds it.",
                    fmt::join(what, ", "), name));
  };
  for (const JointDescription& joint : model_.description.joints) {
    of_friction(joint.name);
    std::vector<std::string> what;
    if (joint.latch) what.emplace_back("the latch");
    if (joint.friction) what.emplace_back("sticking");
    if (joint.stops && !joint.stops->stiffness) what.emplace_back("the rigid stops");
    left_out(joint.name, what);
  }
  for (const BodyDescription& body : model_.description.bodies) {
    for (const WheelDescription& wheel : body.wheels) {
      const std::string name = body.name + "." + wheel.name;
      of_friction(name);
      std::vector<std::string> what;
      if (wheel.friction) what.emplace_back("sticking");
      if (std::isfinite(wheel.speed_limit)) what.emplace_back("the limit of the speed");
      left_out(name, what);
    }
  }
  for (const std::string& number : parameters_.not_followed()) {
    say(fmt::format("Computed from parameters in the model file, and a number here that does not follow them: {}.",
                    number));
  }
}

Form derive_form(const Model& model, const Options& options) { return FormBuilder(model, options).build(); }

}  // namespace gyrostat::scalar
