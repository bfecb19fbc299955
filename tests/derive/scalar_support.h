// A scalar form beside the plant of the same model, at any state.
#pragma once

#include <gtest/gtest.h>

#include "gyrostat/derive/scalar_form.h"
#include "gyrostat/plant/run.h"

#include "support/load.h"
#include "support/random_model.h"

namespace gyrostat::testing {

inline std::vector<double> list_of(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

inline double largest_of(const std::vector<double>& list) {
  double most = 1;
  for (const double x : list) most = std::max(most, std::abs(x));
  return most;
}

/// What a form is evaluated with.
struct ScalarPoint {
  std::vector<double> p, q, u, s;
  double t = 0;
};

inline scalar::Evaluation evaluate_at(const scalar::Form& form, const ScalarPoint& x) {
  return scalar::evaluate(form, x.p, x.q, x.u, x.t, x.s);
}

/// Any coordinates and speeds; quaternions have unit length.
inline State random_state(const System& system, Random& random) {
  State state = system.initial;
  for (double& q : state.q) q = random.uniform(-1.2, 1.2);
  for (double& u : state.u) u = random.uniform(-1, 1);
  for (const Joint& joint : system.joints) {
    if (!has_quaternion(joint.type)) continue;
    state.q.segment<4>(joint.q + joint.nq - 4) = random.quaternion();
  }
  return state;
}

/// The plant of a model at a state at t = 0, as given.
class PlantAt {
 public:
  explicit PlantAt(const Model& model) : plant_(model, "articulated_body"), run_(plant_) {}

  void set(const State& state) {
    y_.resize(static_cast<Eigen::Index>(plant_.size()));
    run_.start_as_given(y_, state);
    run_.evaluate(0, y_.data(), Stage::acceleration);
    state_ = run_.state();
  }

  /// Where the form is to be evaluated: the same numbers, and as inputs what the signals are worth there.
  [[nodiscard]] ScalarPoint point(const scalar::Form& form) const {
    ScalarPoint x{scalar::values_of(form.p), list_of(state_.q), list_of(state_.u), {}, 0};
    for (const scalar::Variable& input : form.s) x.s.push_back(value_of(input.name));
    return x;
  }
  [[nodiscard]] std::vector<double> udot() const { return list_of(run_.udot()); }
  [[nodiscard]] Eigen::MatrixXd mass_matrix() const {
    CompositeBodyData w(plant_.mechanism());
    gyrostat::mass_matrix(plant_.mechanism(), run_.data().kinematics, w);
    const auto n = static_cast<Eigen::Index>(plant_.mechanism().nu);
    Eigen::MatrixXd M(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      for (Eigen::Index l = 0; l <= k; ++l) M(k, l) = M(l, k) = w.mass_matrix.row(static_cast<std::size_t>(k))[l];
    }
    return M;
  }
  [[nodiscard]] Eigen::MatrixXd jacobian() {
    Eigen::MatrixXd J(y_.size(), y_.size());
    run_.jacobian(0, y_.data(), J.data());
    return J;
  }
  [[nodiscard]] const Plant& plant() const { return plant_; }

 private:
  [[nodiscard]] double value_of(const std::string& name) const {
    const SignalProgram& signals = plant_.signals();
    const Description& d = plant_.model().description;
    for (std::size_t k = 0; k < signals.names.size(); ++k) {
      const std::vector<std::string> parts = part_names(d.signals[k]);
      for (std::size_t part = 0; part < signals.outputs[k].size(); ++part) {
        if (name == parts[part]) return run_.value(signals.outputs[k][part]);
      }
    }
    for (std::size_t k = 0; k < signals.states.size(); ++k) {
      if (signals.states[k].owner == name) return y_[static_cast<Eigen::Index>(plant_.layout().x + k)];
    }
    for (const Restraint& restraint : signals.forces.restraints) {
      const std::string speed = speed_entries(plant_.system())[restraint.u].name;
      if (restraint.friction && name == speed.substr(0, speed.rfind('.')) + ".sliding")
        return run_.value(restraint.sliding);
    }
    if (!signals.forces.orbit) throw std::logic_error("no value for the input " + name);
    const OrbitState at = signals.forces.orbit->at(0);
    if (name == "orbit.position_x") return at.position.x();
    if (name == "orbit.position_y") return at.position.y();
    if (name == "orbit.position_z") return at.position.z();
    return at.true_anomaly;
  }

  Plant plant_;
  PlantRun run_;
  Eigen::VectorXd y_;
  State state_;
};

/// Accelerations that agree to `limit` times what the condition of the equations makes of rounding.
inline void expect_same_accelerations(const scalar::Form& form, const std::vector<double>& udot, const PlantAt& plant,
                                      double limit = 1e-12) {
  const Eigen::MatrixXd M = plant.mass_matrix();
  const auto n = static_cast<Eigen::Index>(form.nf());
  Eigen::MatrixXd free(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index l = 0; l < n; ++l) {
      free(k, l) = M(form.free[static_cast<std::size_t>(k)], form.free[static_cast<std::size_t>(l)]);
    }
  }
  const Eigen::VectorXd sizes = n == 0 ? Eigen::VectorXd::Ones(1) : Eigen::VectorXd(free.jacobiSvd().singularValues());
  const double condition = std::max(1.0, 1e-3 * sizes[0] / sizes[sizes.size() - 1]);
  const std::vector<double> expected = plant.udot();
  const double most = largest_of(expected);
  ASSERT_EQ(udot.size(), expected.size());
  for (std::size_t k = 0; k < udot.size(); ++k) {
    ASSERT_NEAR(udot[k], expected[k], limit * condition * most) << form.u[k].name << ", condition " << condition;
  }
}

/// How far A is from the exact Jacobian of the plant where the model begins, in parts of its largest entry. The plant
/// gives quaternions unit length first: along them accelerations do not change.
struct JacobianError {
  double accelerations = 0, rates = 0;
};
inline JacobianError error_of_jacobian(const System& system, const scalar::Evaluation& e, PlantAt& plant) {
  const Eigen::Index nq = system.initial.q.size(), nx = nq + system.initial.u.size();
  const Eigen::MatrixXd A = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(e.A.data(), nx, nx);
  Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(nx, nx);
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type)) continue;
    const Eigen::Index at = joint.q + joint.nq - 4;
    const Eigen::Vector4d q = system.initial.q.segment<4>(at).normalized();
    unit.block<4, 4>(at, at) -= q * q.transpose();
  }
  const Eigen::MatrixXd J = plant.jacobian();
  const double scale = 1 + J.cwiseAbs().maxCoeff();
  return {(A.bottomRows(nx - nq) * unit - J.block(nq, 0, nx - nq, nx)).cwiseAbs().maxCoeff() / scale,
          (A.topRows(nq) - J.block(0, 0, nq, nx)).cwiseAbs().maxCoeff() / scale};
}

inline constexpr const char* double_pendulum = R"(gyrostat: 1
name: double pendulum
bodies:
  upper: {mass: 2, inertia: [0.1, 0.1, 0.02], com: [0, 0, -0.4]}
  lower: {mass: 1, inertia: [0.05, 0.05, 0.01], com: [0, 0, -0.3]}
joints:
  shoulder: {type: revolute, parent: world, child: upper, axis: [0, 1, 0]}
  elbow: {type: revolute, parent: upper, child: lower, parent_point: [0, 0, -0.8], axis: [0, 1, 0]}
environment: {gravity: {uniform: [0, 0, -9.81]}}
)";

/// A model whose laws are vectors, or lists of their components.
inline std::string vector_laws(
    const std::string& torque = "\"-kp*e - kd*w\"",
    const std::string& force = "\"norm(push)*in(world, ball.omega) - cross(push, bus.velocity)\"",
    const std::string& motor = "\"-kp*socket.omega + 0.1*kd*[1, t, 2]\"") {
  return R"yaml(gyrostat: 1
name: vector laws
parameters: {kp: 3, kd: 0.8, push: [0.2, -0.1, 0.4]}
bodies:
  bus: {mass: 20, inertia: {xx: 3, yy: 4, zz: 5, xy: 0.2}, com: [0.1, 0, 0.05]}
  ball: {mass: 2, inertia: [0.3, 0.2, 0.1], com: [0, 0.2, 0]}
joints:
  base: {type: free, parent: world, child: bus}
  socket: {type: spherical, parent: bus, child: ball, parent_point: [0.4, 0, 0], torque: )yaml" +
         motor + R"yaml(}
signals:
  e: "error_vector(bus.attitude, quaternion(0.9, 0.1, -0.3, 0.2))"
  w: {integral: "bus.omega - w", initial: [0.3, 0.2, -0.1]}
loads:
  - {body: bus, axes: body, torque: )yaml" +
         torque + "}\n  - {body: ball, axes: world, force: " + force + "}\n";
}

/// A model with every kind of load and joint that the form takes.
inline constexpr const char* many_loads = R"yaml(gyrostat: 1
name: many loads
parameters: {gain: 2.5, offset: 0 rad, ramp_rate: 0.3}
tables:
  softening: {x: [-2, -0.5, 0.5, 2], y: [1, 3, 4, 2], interpolation: cubic, outside: extend}
bodies:
  bus:
    mass: 12
    inertia: {xx: 3, yy: 4, zz: 5, xy: 0.1, xz: -0.2, yz: 0.3}
    com: [0.1, 0, -0.05]
    points: {jet: [0.5, 0.2, 0], eye: [0, 0.4, 0.1]}
    wheels:
      rw1: {axis: [0, 0, 1], inertia: 0.2, rate: 30, torque: "0.1*command - 0.01*bus.rw1.rate"}
      rw2: {axis: [0.6, 0.8, 0], inertia: 0.1, speed: "20 + ramp_rate*t"}
  arm: {mass: 3, inertia: [0.2, 0.3, 0.4], com: [0.3, 0, 0], points: {tip: [0.8, 0, 0]}}
  hand: {mass: 1, inertia: [0.02, 0.03, 0.04], com: [0.1, 0, 0]}
  slider: {mass: 0.7, inertia: [0.01, 0.01, 0.01]}
  ball: {mass: 0.5, inertia: [0.02, 0.02, 0.02], com: [0, 0.1, 0.1]}
joints:
  shoulder:
    type: universal
    parent: bus
    child: arm
    parent_point: [0.6, 0, 0.1]
    axes: [[0, 0, 1], [0, 1, 0]]
    stiffness: [5, 6]
    damping: [0.1, 0.2]
    rest: [0.1, -0.2]
    torque: ["gain*(offset - shoulder.angle1)", "max(-1, min(1, gain*sin(t) - shoulder.rate2))"]
  wrist: {type: revolute, parent: arm, child: hand, parent_point: [0.8, 0, 0], axis: [0.6, 0, 0.8], stiffness: {table: softening}, damping: 0.3}
  rail: {type: prismatic, parent: bus, child: slider, axis: [0, 0.6, 0.8], parent_point: [0, 0, 0.5], stiffness: 30, damping: 2}
  socket: {type: spherical, parent: bus, child: ball, parent_point: [-0.4, 0, 0]}
signals:
  command: {integral: "bus.omega_z", initial: 0.4}
  jet_on: "bus.omega_x > 0.1 ? 1 : 0"
loads:
  - {thruster: {body: bus, point: jet, direction: [0, 0.6, -0.8], thrust: 3, command: jet_on}}
  - {body: arm, point: tip, force: ["0.2*t", 0, "0.1*hand.omega_y"], axes: world}
  - {body: hand, torque: ["0.1*command", 0, "-0.05*abs(hand.omega_z)"]}
  - {spring: {from: [bus, eye], to: [hand, com], stiffness: 4, damping: 0.5, length: 0.3}}
  - {torque_between: {from: bus, to: ball, axis: [0.6, 0.8, 0], torque: "0.3*cos(2*t)"}}
  - {torsion_spring: {from: bus, to: slider, axis: [0, 0, 1], from_line: [1, 0, 0], to_line: [1, 0, 0], stiffness: 2, damping: 0.1}}
environment: {gravity: {uniform: [0.2, -0.1, -9.81]}}
)yaml";

}  // namespace gyrostat::testing
