// The exact linear model against central differences of the nonlinear right-hand side, over random closed loops.
#include "gyrostat/analysis/linearize.h"

#include <gtest/gtest.h>

#include "support/load.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace linearize_test {

using Index = Eigen::Index;

/// The nonlinear plant at an operating point, moved by small perturbations of the states of a linear model.
class Moved {
 public:
  Moved(const Model& model, const OperatingPoint& point, const LinearModel& linear)
      : plant_(model, "articulated_body"), run_(plant_), point_(point), linear_(linear) {
    run_.set_discrete(point.discrete);
    q_.resize(plant_.layout().nq);
    u_.resize(plant_.layout().nu);
    plant_.layout().scatter(point.y.data(), q_.data(), u_.data());
  }

  /// The state there. A rotation is turned by a quaternion of its own; a free body that turns has its position and
  /// velocity moved in its axes.
  Eigen::VectorXd at(const Eigen::VectorXd& x) const {
    const System& system = plant_.system();
    State state{Eigen::Map<const Eigen::VectorXd>(q_.data(), static_cast<Index>(q_.size())),
                Eigen::Map<const Eigen::VectorXd>(u_.data(), static_cast<Index>(u_.size()))};
    const auto m = static_cast<Index>(linear_.coordinates);
    Eigen::VectorXd dq = Eigen::VectorXd::Zero(state.u.size()), du = dq;
    for (Index k = 0; k < m; ++k) {
      dq[linear_.speeds[static_cast<std::size_t>(k)]] = x[k];
      du[linear_.speeds[static_cast<std::size_t>(k)]] = x[m + k];
    }
    for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
      const Joint& joint = system.joints[i];
      if (!has_quaternion(joint.type)) {
        for (std::uint32_t k = 0; k < joint.nq; ++k) state.q[joint.q + k] += dq[joint.u + k];
        state.u.segment(joint.u, joint.nu) += du.segment(joint.u, joint.nu);
        continue;
      }
      const std::uint32_t at = joint.q + (joint.type == JointType::free ? 3 : 0);
      const Eigen::Quaterniond before(state.q[at], state.q[at + 1], state.q[at + 2], state.q[at + 3]);
      const Vector3 turn = dq.segment<3>(joint.u);
      const Eigen::Quaterniond after =
          before *
          Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.norm() > 0 ? turn.normalized() : Vector3::UnitX()));
      state.q.segment<4>(at) << after.w(), after.vec();
      const Vector3 w = state.u.segment<3>(joint.u);
      state.u.segment<3>(joint.u) += du.segment<3>(joint.u);
      if (joint.type != JointType::free) continue;
      const Matrix3 R = w.isZero(0) ? Matrix3::Identity() : before.toRotationMatrix();
      state.q.segment<3>(joint.q) += R * dq.segment<3>(joint.u + 3);
      state.u.segment<3>(joint.u + 3) += R * du.segment<3>(joint.u + 3);
    }
    for (const FlexibleBody& body : system.flexible) {
      const auto modes = static_cast<Index>(body.data.modes());
      state.q.segment(body.q, modes) += dq.segment(body.u, modes);
      state.u.segment(body.u, modes) += du.segment(body.u, modes);
    }
    for (const Wheel& wheel : system.wheels) {
      state.q[wheel.q] += dq[wheel.u];
      state.u[wheel.u] += du[wheel.u];
    }
    Eigen::VectorXd y = point_.y;
    plant_.layout().gather(state, y.data());
    // states of signals: the linear model's, by name
    const auto& states = plant_.signals().states;
    Index next = 2 * m;
    for (std::size_t k = 0; k < states.size() && next < x.size(); ++k) {
      const std::string& name = linear_.states[static_cast<std::size_t>(next)].name;
      if (name != states[k].owner && !name.starts_with(states[k].owner + ".x")) continue;
      if (name.starts_with(states[k].owner + ".x")) {
        std::size_t before = 0;
        for (std::size_t j = 0; j < k; ++j) before += states[j].owner == states[k].owner ? 1 : 0;
        if (name != states[k].owner + ".x" + std::to_string(before + 1)) continue;
      }
      y[static_cast<Index>(plant_.layout().x + k)] += x[next];
      places_.resize(static_cast<std::size_t>(x.size()));
      places_[static_cast<std::size_t>(next)] = plant_.layout().x + k;
      ++next;
    }
    return y;
  }

  /// Rates of the speeds and of the states of signals, in the order of the linear model's states.
  Eigen::VectorXd rates(const Eigen::VectorXd& x) {
    const Eigen::VectorXd y = at(x);
    Eigen::VectorXd ydot(y.size());
    run_.derivative(point_.t, y.data(), ydot.data());
    const auto m = static_cast<Index>(linear_.coordinates);
    Eigen::VectorXd result = Eigen::VectorXd::Zero(x.size());
    for (Index k = 0; k < m; ++k) {
      result[m + k] = ydot[static_cast<Index>(plant_.layout().u + linear_.speeds[static_cast<std::size_t>(k)])];
    }
    for (Index k = 2 * m; k < x.size(); ++k) result[k] = ydot[static_cast<Index>(places_[static_cast<std::size_t>(k)])];
    // the velocity of a free body that turns: its rate in the axes of the operating point, which turn
    for (std::uint32_t i = 1; i < plant_.system().joints.size(); ++i) {
      const Joint& joint = plant_.system().joints[i];
      if (joint.type != JointType::free) continue;
      const Vector3 w(u_[joint.u], u_[joint.u + 1], u_[joint.u + 2]);
      const auto place = std::ranges::find(linear_.speeds, joint.u + 3) - linear_.speeds.begin();
      if (w.isZero(0) || place == static_cast<std::ptrdiff_t>(linear_.speeds.size())) continue;
      const Matrix3 R =
          Eigen::Quaterniond(q_[joint.q + 3], q_[joint.q + 4], q_[joint.q + 5], q_[joint.q + 6]).toRotationMatrix();
      const auto first = static_cast<Index>(plant_.layout().u + joint.u + 3);
      const Vector3 v = R.transpose() * y.segment<3>(first);
      result.segment<3>(m + place) = R.transpose() * ydot.segment<3>(first) - w.cross(v);
    }
    return result;
  }

  double output(const Eigen::VectorXd& x, const std::string& name) {
    const Eigen::VectorXd y = at(x);
    run_.evaluate(point_.t, y.data(), Stage::signals);
    const auto answer = plant_.names().resolve(name);
    const auto& reference = std::get<Reference>(answer);
    if (reference.quantity == Quantity::signal)
      return run_.value(plant_.signals().outputs[reference.object][reference.part]);
    return run_.observe(*observable(reference, plant_.model().description, plant_.system()));
  }

 private:
  Plant plant_;
  PlantRun run_;
  const OperatingPoint& point_;
  const LinearModel& linear_;
  std::vector<double> q_, u_;
  mutable std::vector<std::size_t> places_;
};

template <class At>
auto difference(At at, double h) -> decltype(at(h)) {
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

TEST(Linearize, AgreesWithDifferencesOverRandomClosedLoops) {
  int checked = 0, flexible = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomFlightOptions options;
    if (seed % 3 == 1) options.gradient = GravityGradient::perturbation;
    if (seed % 4 == 3) options.flexible = 0.5;
    const Loaded loaded = load_description(RandomFlight(seed, options).make());
    if (!loaded.model) continue;
    OperatingPoint point;
    LinearModel linear;
    LinearizeSettings settings;
    settings.outputs = {"lag", "pid", "plant", "system.momentum_x", "system.energy"};
    try {
      point = initial_point(*loaded.model);
      linear = linearize(*loaded.model, point, settings);
    } catch (const AnalysisError&) {
      continue;
    }
    Moved moved(*loaded.model, point, linear);
    const Index n = linear.A.rows(), m = static_cast<Index>(linear.coordinates);
    const double size = moved.rates(Eigen::VectorXd::Zero(n)).cwiseAbs().maxCoeff();
    if (size > 1e3) continue;  // so near a singularity that differences say nothing
    for (Index k = 0; k < n; ++k) {
      const auto along = [&](double h) { return moved.rates(h * Eigen::VectorXd::Unit(n, k)); };
      const Eigen::VectorXd column = difference(along, k < m ? 1e-4 : 1e-3);
      const double limit = 1e-6 * (1 + size + column.cwiseAbs().maxCoeff());
      for (Index r = m; r < n; ++r) {
        ASSERT_NEAR(linear.A(r, k), column[r], limit)
            << "seed " << seed << ": rate of " << linear.states[static_cast<std::size_t>(r)].name << " by "
            << linear.states[static_cast<std::size_t>(k)].name;
      }
      for (std::size_t j = 0; j < settings.outputs.size(); ++j) {
        const auto output = [&](double h) {
          return moved.output(h * Eigen::VectorXd::Unit(n, k), settings.outputs[j]);
        };
        const double by = difference(output, k < m ? 1e-4 : 1e-3);
        ASSERT_NEAR(linear.C(static_cast<Index>(j), k), by, 1e-6 * (1 + std::abs(by) + std::abs(output(0))))
            << "seed " << seed << ": " << settings.outputs[j] << " by "
            << linear.states[static_cast<std::size_t>(k)].name;
      }
    }
    ++checked;
    flexible += loaded.model->system.flexible.empty() ? 0 : 1;
  }
  EXPECT_GT(checked, 140);
  EXPECT_GT(flexible, 15);
}

}  // namespace linearize_test
}  // namespace gyrostat::testing
