// Flexible bodies: formulations against each other, and against the laws of mechanics, over random systems.
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/dynamics/conserved.h"
#include "gyrostat/dynamics/inverse_dynamics.h"

#include "support/closed_case.h"
#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace flexible_test {

RandomModelOptions flexible_options(std::uint64_t seed) {
  RandomModelOptions options;
  options.most_bodies = seed % 10 == 0 ? 20 : 6;
  options.flexible = 0.5;
  return options;
}

TEST(FlexibleAgreement, OfFormulations) {
  int asked = 0, flexible = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const RandomCase c = RandomCase::make(seed, flexible_options(seed));
    if (c.system().flexible.empty()) continue;
    ++flexible;
    const DynamicsSettings settings(c.system());
    const Eigen::VectorXd articulated = c.accelerations();
    Eigen::VectorXd udot(c.state.u.size());
    for (const std::string_view name : {"composite_body", "kane", "absolute"}) {
      Dynamics dynamics(c.system(), settings, name);
      dynamics.update(c.state);
      dynamics.accelerations(c.state, c.forces, udot);
      ASSERT_LT((articulated - udot).cwiseAbs().maxCoeff(), 1e-10 * (1 + articulated.cwiseAbs().maxCoeff()))
          << name << " seed " << seed;
      ++asked;
    }
    InverseDynamics<double> workspace(*c.mechanism);
    Eigen::VectorXd tau(c.state.u.size());
    inverse_dynamics(*c.mechanism, c.state.q.data(), c.state.u.data(), articulated.data(), c.forces, workspace,
                     tau.data());
    for (std::size_t k = 0; k < c.forces.free.size(); ++k) {
      if (c.forces.free[k]) {
        ASSERT_NEAR(tau[static_cast<Eigen::Index>(k)], c.forces.tau[k], 1e-10 * (1 + articulated.cwiseAbs().maxCoeff()))
            << "seed " << seed << " speed " << k;
      }
    }
  }
  EXPECT_GT(flexible, 300);
  EXPECT_EQ(asked, 3 * flexible);
}

/// Energy and momenta at a state.
Conserved<double> conserved_at(const Mechanism& mechanism, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  Kinematics<double> kinematics(mechanism);
  std::vector<BasePoint<double>> points;
  update(mechanism, q.data(), u.data(), kinematics);
  find_base_points(mechanism, kinematics, u.data(), points);
  return conserved(mechanism, kinematics, u.data(), points);
}

Eigen::VectorXd rates(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  Eigen::VectorXd qdot(q.size());
  coordinate_rates(system, q.data(), u.data(), qdot.data());
  return qdot;
}

/// The derivative by time of a function of the state along the motion, by differences of fourth order.
template <class Function>
auto along(const RandomCase& c, const Eigen::VectorXd& udot, Function f) {
  const Eigen::VectorXd qdot = rates(c.system(), c.state.q, c.state.u);
  const double h = 1e-3;
  const auto at = [&](double s) {
    return f(Eigen::VectorXd(c.state.q + s * h * qdot), Eigen::VectorXd(c.state.u + s * h * udot));
  };
  return ((at(1) - at(-1)) * (8 / (12 * h)) - (at(2) - at(-2)) * (1 / (12 * h)));
}

bool derives_from_a_lagrangian(const System& system) {
  for (const FlexibleBody& body : system.flexible) {
    if (body.terms == FlexibleTerms::ruthless) return false;
  }
  return !system.flexible.empty();
}

/// Random flexible systems that float, or not.
RandomCase lagrangian_case(std::uint64_t seed, bool floating) {
  RandomModelOptions options = flexible_options(seed);
  options.implicit_base = floating ? 1 : 0.3;
  options.locked = options.prescribed = options.wheels = 0;
  return RandomCase::make(seed, options);
}

TEST(FlexibleLaw, EnergyChangesByThePowerOfTheForces) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomCase c = lagrangian_case(seed, false);
    if (!derives_from_a_lagrangian(c.system())) continue;
    for (auto& wrench : c.forces.wrench) wrench = {};
    const Eigen::VectorXd udot = c.accelerations();
    double power = 0;
    for (std::size_t k = 0; k < c.forces.tau.size(); ++k)
      power += c.forces.tau[k] * c.state.u[static_cast<Eigen::Index>(k)];
    const double rate =
        along(c, udot, [&](const auto& q, const auto& u) { return conserved_at(*c.mechanism, q, u).kinetic; });
    ASSERT_NEAR(rate, power, 1e-7 * (1 + udot.cwiseAbs().maxCoeff())) << "seed " << seed;
    ++checked;
  }
  EXPECT_GT(checked, 80);
}

TEST(FlexibleLaw, MomentumIsKeptByInternalForces) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomCase c = lagrangian_case(seed, true);
    if (!derives_from_a_lagrangian(c.system())) continue;
    for (auto& wrench : c.forces.wrench) wrench = {};
    for (std::size_t k = 0; k < 6; ++k) c.forces.tau[k] = 0;
    const Eigen::VectorXd udot = c.accelerations();
    const auto momenta = [&](const auto& q, const auto& u) {
      const Conserved<double> sum = conserved_at(*c.mechanism, q, u);
      Eigen::Matrix<double, 6, 1> all;
      all << to_eigen(sum.linear), to_eigen(sum.angular_origin);
      return all;
    };
    ASSERT_LT(along(c, udot, momenta).norm(), 1e-7 * (1 + udot.cwiseAbs().maxCoeff())) << "seed " << seed;
    ++checked;
  }
  EXPECT_GT(checked, 80);
}

/// Lagrange's equation of a coordinate whose rate is a speed, with kinetic energy alone: d/dt dT/du = dT/dq + tau.
TEST(FlexibleLaw, LagrangesEquationsOfModesAndHinges) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomCase c = lagrangian_case(seed, seed % 2 == 0);
    if (!derives_from_a_lagrangian(c.system())) continue;
    for (auto& wrench : c.forces.wrench) wrench = {};
    const Eigen::VectorXd udot = c.accelerations();
    std::vector<std::pair<Eigen::Index, Eigen::Index>> coordinates;  // places in q and u
    for (std::size_t i = 1; i < c.system().joints.size(); ++i) {
      const Joint& joint = c.system().joints[i];
      if (has_quaternion(joint.type)) continue;
      for (std::uint32_t k = 0; k < joint.nu; ++k) coordinates.emplace_back(joint.q + k, joint.u + k);
    }
    for (const FlexibleBody& body : c.system().flexible) {
      for (std::uint32_t k = 0; k < body.data.modes(); ++k) coordinates.emplace_back(body.q + k, body.u + k);
    }
    const auto kinetic = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
      return conserved_at(*c.mechanism, q, u).kinetic;
    };
    for (const auto& [q_k, u_k] : coordinates) {
      const auto momentum = [&, u_k = u_k](const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& u) {  // exact: T is quadratic in u
        const Eigen::VectorXd step = Eigen::VectorXd::Unit(u.size(), u_k);
        return (kinetic(q, u + step) - kinetic(q, u - step)) / 2;
      };
      const double h = 1e-3;
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(c.state.q.size(), q_k);
      const auto at = [&](double s) { return kinetic(c.state.q + s * step, c.state.u); };
      const double by_q = (at(1) - at(-1)) * (8 / (12 * h)) - (at(2) - at(-2)) / (12 * h);
      const double left = along(c, udot, momentum) - by_q - c.forces.tau[static_cast<std::size_t>(u_k)];
      ASSERT_NEAR(left, 0, 1e-6 * (1 + udot.cwiseAbs().maxCoeff())) << "seed " << seed << " speed " << u_k;
    }
    ++checked;
  }
  EXPECT_GT(checked, 40);
}

TEST(FlexibleAgreement, OfFormulationsUnderConstraints) {
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const ClosedCase c = flexible_closed_case(seed, 0.03);
    if (c.system().flexible.empty()) continue;
    const ClosedCase::Solution reference = c.dense();
    if (reference.multipliers.size() == 0 || !reference.udot.allFinite() || !(reference.residual < 1e-9)) continue;
    const ClosureChoice choice = c.choice();
    if (choice.massless != 0 || choice.weakest < 1e-6) continue;  // digits are lost near a singularity
    for (const char* name : {"articulated_body", "composite_body", "kane", "absolute"}) {
      Dynamics dynamics(c.system(), DynamicsSettings(c.system()), name);
      dynamics.update(c.state);
      Eigen::VectorXd udot;
      dynamics.accelerations(c.state, *c.forces, udot);
      ASSERT_LT((udot - reference.udot).norm(), 1e-10 * (1 + reference.udot.norm())) << name << ", seed " << seed;
    }
    ++tested;
  }
  EXPECT_GT(tested, 100);
}

}  // namespace flexible_test
}  // namespace gyrostat::testing
