// Values of the symbols at a state, from the geometry of the joints as the model has it.
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "gyrostat/derive/builder.h"
#include "gyrostat/derive/equations.h"

namespace gyrostat::derive {

namespace {

/// A body's motion, world axes.
struct Moving {
  Matrix3 R_NB;
  Vector3 w = Vector3::Zero(), w_dot = Vector3::Zero();
};

Jet fixed_jet(const Moving& frame, const Vector3& components) {
  const Vector3 v = frame.R_NB * components, first = frame.w.cross(v);
  return {Value(v), Value(first), Value(Vector3(frame.w_dot.cross(v) + frame.w.cross(first)))};
}

class ValuesAt {
 public:
  ValuesAt(const System& system, const State& state, const Eigen::VectorXd& udot, const Forces<double>& forces,
           Values& values)
      : system_(system), state_(state), udot_(udot), forces_(forces), values_(values), bodies_(system.bodies.size()) {
    const std::vector<Pose> X_N = body_poses(system, state.q);
    for (std::size_t k = 0; k < bodies_.size(); ++k) bodies_[k].R_NB = X_N[k].R;
    for (std::uint32_t k = 1; k < bodies_.size(); ++k) add_joint(k);
    for (std::size_t w = 0; w < system.wheels.size(); ++w) add_wheel(w);
    for (std::uint32_t k = 1; k < bodies_.size(); ++k) add_body(k);
  }

  /// Of what a row of a constraint is given.
  void add_given(const Symbol& symbol) {
    const Constraint& of = *std::ranges::find(system_.constraints, symbol.indices[0].name, &Constraint::name);
    const std::size_t row = symbol.indices.size() == 1 ? 0 : std::stoul(symbol.indices[1].name) - 1;
    const GivenValue<double>& given = forces_.equals[of.first_equal + row];
    values_.given[symbol] = {Value(given.value), Value(given.rate), Value(given.acceleration)};
  }

  /// Of a vector fixed in a body, by its constants.
  void add_constant(const Definition& definition) {
    if (!definition.constant || values_.given.contains(definition.symbol)) return;
    const std::vector<double>& c = definition.constant->components;
    if (c.size() == 1) {
      values_.given[definition.symbol] = {Value(c[0]), Value(0.0), Value(0.0)};
      return;
    }
    const Moving& frame = bodies_[system_.body(definition.constant->frame)];
    if (c.size() == 3) {
      values_.given[definition.symbol] = fixed_jet(frame, {c[0], c[1], c[2]});
    } else {
      Matrix3 m;
      m << c[0], c[3], c[4], c[3], c[1], c[5], c[4], c[5], c[2];
      values_.set(definition.symbol, Matrix3(frame.R_NB * m * frame.R_NB.transpose()));
    }
  }

 private:
  [[nodiscard]] double u(std::uint32_t k) const { return state_.u[k]; }
  [[nodiscard]] double q(std::uint32_t k) const { return state_.q[k]; }
  [[nodiscard]] double a(std::uint32_t k) const { return udot_[k]; }

  void set_speed(const Symbol& symbol, std::uint32_t k) { values_.given[symbol] = {Value(u(k)), Value(a(k))}; }
  void set_coordinate(const Symbol& symbol, std::uint32_t q_index, std::uint32_t u_index) {
    values_.given[symbol] = {Value(q(q_index)), Value(u(u_index)), Value(a(u_index))};
  }

  void add_joint(std::uint32_t k) {
    const Joint& joint = system_.joints[k];
    const std::uint32_t J = system_.parent[k];
    Moving &body = bodies_[k], &inboard = bodies_[J];
    const Subspace S = tree_subspace(joint, state_.q.data() + joint.q);
    const auto name = [&](const char* letter, const std::string& index) {
      Symbol made = sym(letter, joint.name);
      if (!index.empty()) made.indices.push_back({index, false});
      return made;
    };
    const bool ball = has_quaternion(joint.type);
    const std::uint32_t rotations = ball ? 3 : joint.rotations;
    const std::uint32_t translations = joint.type == JointType::free ? 3 : joint.translations;
    const std::uint32_t first_rotation = ball || joint.rotation_first ? 0 : translations;
    const std::uint32_t first_translation = ball || joint.rotation_first ? rotations : 0;
    const auto index = [&](std::uint32_t n, std::uint32_t count) {
      return count == 1 ? std::string() : ball ? std::string(1, "xyz"[n]) : std::to_string(n + 1);
    };
    const auto shared = [&](bool rotation, const std::string& own) {
      return rotations > 0 && translations > 0 ? index_among_both(rotation, own) : own;
    };
    // The axes, in the world; their sign is that of the outboard body's motion.
    std::vector<Vector3> axes;
    Vector3 w_rel = Vector3::Zero();
    for (std::uint32_t n = 0; n < rotations; ++n) {
      axes.emplace_back(body.R_NB * S.col(first_rotation + n).head<3>());
      w_rel += u(joint.u + first_rotation + n) * axes.back();
    }
    body.w = inboard.w + w_rel;
    const Vector3 w_P = joint.reversed ? body.w : inboard.w, w_C = joint.reversed ? inboard.w : body.w;
    body.w_dot = inboard.w_dot;
    Vector3 w_axis = ball ? w_C : w_P;
    for (std::uint32_t n = 0; n < rotations; ++n) {
      const std::uint32_t at = joint.u + first_rotation + n;
      const Vector3 turning = w_axis.cross(axes[n]);
      values_.given[name("q", index(n, rotations))] = {Value(axes[n]), Value(turning)};
      set_speed(name("u", index(n, rotations)), at);
      values_.set(name("prescribed", shared(true, index(n, rotations))), a(at));
      values_.set(name("tau", index(n, rotations)), forces_.tau[at]);
      if (!ball) set_coordinate(name("theta", index(n, rotations)), joint.q + first_rotation + n, at);
      body.w_dot += a(at) * axes[n] + u(at) * turning;
      if (!ball) w_axis += (joint.reversed ? -1 : 1) * u(at) * axes[n];
    }
    const Moving& P = joint.reversed ? body : inboard;
    for (std::uint32_t n = 0; n < translations; ++n) {
      const std::uint32_t at = joint.u + first_translation + n;
      const Vector3 d = (joint.reversed ? -1 : 1) *
                        (joint.type == JointType::free ? Vector3(Vector3::Unit(static_cast<int>(n))) : joint.d[n]);
      values_.given[name("d", index(n, translations))] = fixed_jet(P, d);
      set_coordinate(name("x", index(n, translations)), joint.q + (ball ? n : first_translation + n), at);
      set_speed(name("v", index(n, translations)), at);
      values_.set(name("prescribed", shared(false, index(n, translations))), a(at));
      values_.set(name("f", index(n, translations)), forces_.tau[at]);
    }
  }

  void add_wheel(std::size_t w) {
    const Wheel& wheel = system_.wheels[w];
    const std::string name = wheel_index(system_, w);
    values_.given[sym("h", name)] = fixed_jet(bodies_[wheel.body], wheel.axis);
    set_speed(sym("Omega", name), wheel.u);
    set_coordinate(sym("psi", name), wheel.q, wheel.u);
    values_.set(sym("tau_w", name), forces_.tau[wheel.u]);
  }

  void add_body(std::uint32_t k) {
    const std::string& name = system_.bodies[k].name;
    const Vector3 F = to_eigen(forces_.wrench[k].force), T = to_eigen(forces_.wrench[k].torque);
    const Vector3 alpha = bodies_[k].R_NB * (system_.bodies[k].mass_properties.com - base_point(system_.joints[k]));
    values_.set(sym("F", name), F);
    values_.set(sym("T", name), Vector3(T - alpha.cross(F)));
  }

  const System& system_;
  const State& state_;
  const Eigen::VectorXd& udot_;
  const Forces<double>& forces_;
  Values& values_;
  std::vector<Moving> bodies_;
};

/// The few symbols that no tree defines: directions, angles, powers of distances.
void set_what_words_define(const Symbol& symbol, Values& values) {
  Evaluator evaluate(values);
  const auto of = [&](const char* letter) { return evaluate(derive::symbol(Symbol{letter, {symbol.indices[0]}})); };
  if (symbol.letter == "n") values.set(symbol, Vector3(of("p").vector.normalized()));
  if (symbol.letter == "n_load") values.set(symbol, Vector3(of("p_load").vector.normalized()));
  if (symbol.letter == "n_orbit_of") values.set(symbol, Vector3(of("r").vector.normalized()));
  if (symbol.letter == "theta_load") values.set(symbol, std::atan2(of("sin_load").scalar, of("cos_load").scalar));
  if (symbol.letter == "c3") values.set(symbol, std::pow(of("r").vector.norm(), -3));
  if (symbol.letter == "c4") values.set(symbol, std::pow(of("r").vector.norm(), -4));
}

}  // namespace

Values values_at(const Document& document, const System& system, const State& state, const Eigen::VectorXd& udot,
                 const Forces<double>& forces) {
  Values values;
  ValuesAt made(system, state, udot, forces, values);
  for (const Definition& definition : document.definitions) {
    if (definition.symbol.letter == "given") made.add_given(definition.symbol);
    made.add_constant(definition);
  }
  values.definitions = document.made_of();
  values.given[sym("omega", "world")] = {Value(Vector3(Vector3::Zero())), Value(Vector3(Vector3::Zero())),
                                         Value(Vector3(Vector3::Zero()))};
  for (const Definition& definition : document.definitions) {
    if (!definition.constant && !definition.value) set_what_words_define(definition.symbol, values);
  }
  return values;
}

}  // namespace gyrostat::derive
