// The integrators alone, on equations whose solutions are known.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "gyrostat/simulate/integrator.h"

namespace gyrostat::testing {
namespace {

using Rates = std::function<void(double t, const double* y, double* ydot)>;

struct TestProblem {
  Rates rates;
  std::vector<double> start;
  std::function<std::vector<double>(double t)> solution;

  [[nodiscard]] Ode ode() const {
    Ode ode;
    ode.context = const_cast<Rates*>(&rates);
    ode.size = start.size();
    ode.rates = [](void* f, double t, const double* y, double* ydot) { (*static_cast<const Rates*>(f))(t, y, ydot); };
    return ode;
  }
  [[nodiscard]] Eigen::VectorXd first() const {
    return Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size()));
  }
  [[nodiscard]] double error(double t, const Eigen::VectorXd& y) const {
    double most = 0;
    const std::vector<double> exact = solution(t);
    for (std::size_t k = 0; k < exact.size(); ++k) {
      most = std::max(most, std::abs(y[static_cast<Eigen::Index>(k)] - exact[k]));
    }
    return most;
  }
};

/// A pendulum in the plane of (x, v) that depends on time and is not linear: x = sin t + 2.
const TestProblem wave = {[](double t, const double* y, double* ydot) {
                            ydot[0] = y[1] * (y[0] * y[0]) / std::pow(std::sin(t) + 2, 2);
                            ydot[1] = -std::sin(t) + (y[0] - std::sin(t) - 2) * y[1];
                          },
                          {2, 1},
                          [](double t) {
                            return std::vector{std::sin(t) + 2, std::cos(t)};
                          }};

const TestProblem explosion = {[](double, const double* y, double* ydot) { ydot[0] = y[0] * y[0]; },
                               {1},
                               [](double t) { return std::vector{1 / (1 - t)}; }};

/// Largest error at the ends of steps and within them, with steps of exactly this length.
struct Errors {
  double end = 0, within = 0;
};

template <class Method>
Errors with_steps(const TestProblem& problem, Method& method, double h, int count) {
  method.restart(0, problem.first());
  method.suggest_step(h);
  Eigen::VectorXd y(problem.start.size());
  Errors errors;
  for (int k = 1; k <= count; ++k) {
    const Step step = method.step(h * k);
    EXPECT_EQ(step.to, h * k) << "more than one step: " << step.failure;
    for (const double s : {0.15, 0.3, 0.45, 0.7, 0.85}) {
      const double t = step.from + s * (step.to - step.from);
      method.interpolate(t, y);
      errors.within = std::max(errors.within, problem.error(t, y));
    }
    errors.end = std::max(errors.end, problem.error(step.to, method.state()));
  }
  return errors;
}

Errors orders(const Errors& coarse, const Errors& fine) {
  return {std::log2(coarse.end / fine.end), std::log2(coarse.within / fine.within)};
}

constexpr double any_error = 1e30;

TEST(Integrators, Rk4IsOfFourthOrder) {
  Rk4 coarse(wave.ode(), 1.0 / 64), fine(wave.ode(), 1.0 / 128);
  const Errors order = orders(with_steps(wave, coarse, 1.0 / 64, 128), with_steps(wave, fine, 1.0 / 128, 256));
  EXPECT_NEAR(order.end, 4, 0.1);
}

TEST(Integrators, Dopri5IsOfFifthOrder) {
  Dopri5 coarse(wave.ode(), {any_error, any_error, 0}), fine = coarse;
  const Errors order = orders(with_steps(wave, coarse, 1.0 / 32, 64), with_steps(wave, fine, 1.0 / 64, 128));
  EXPECT_NEAR(order.end, 5, 0.1);
}

/// Errors of one step only: those of the ends do not hide those within.
template <class Make>
double order_within_one_step(Make make, double h) {
  auto coarse = make(h), fine = make(h / 2);
  return orders(with_steps(wave, coarse, h, 1), with_steps(wave, fine, h / 2, 1)).within;
}

TEST(Integrators, WithinAStepOfRk4ACubicIsOfThirdOrder) {  // a local error with the fourth power of the step
  EXPECT_NEAR(order_within_one_step([](double h) { return Rk4(wave.ode(), h); }, 1.0 / 64), 4, 0.1);
}

TEST(Integrators, WithinAStepOfDopri5TheOrderIsFour) {  // a local error with the fifth power of the step
  const auto make = [](double) { return Dopri5(wave.ode(), {any_error, any_error, 0}); };
  EXPECT_NEAR(order_within_one_step(make, 1.0 / 32), 5, 0.1);
}

double error_at(const TestProblem& problem, const std::string& method, double tolerance, double until) {
  Integrator integrator(problem.ode(), {method, tolerance, 0, 0});
  integrator.restart(0, problem.first());
  for (double t = 0; t < until;) {
    const Step step = integrator.step(until);
    EXPECT_EQ(step.failure, "");
    if (!step.failure.empty()) return any_error;
    t = step.to;
  }
  return problem.error(until, integrator.state());
}

TEST(Integrators, ErrorsFollowTheTolerance) {
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    double largest_ratio = 0;
    for (int k = 4; k <= 11; ++k) {
      const double tolerance = std::pow(10.0, -k);
      largest_ratio = std::max(largest_ratio, error_at(wave, method, tolerance, 3) / tolerance);
    }
    EXPECT_LT(largest_ratio, 100);  // errors of some hundred steps, none larger than the tolerance, and they grow
    const double span = std::log10(error_at(wave, method, 1e-5, 3) / error_at(wave, method, 1e-10, 3));
    EXPECT_GT(span, 0.7 * 5);  // five decades of tolerance
  }
}

TEST(Integrators, StepsEndExactlyWhereTheyAreTold) {
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    Integrator integrator(wave.ode(), {std::string(method), 1e-8, 0.03, 0});
    integrator.restart(0, wave.first());
    double t = 0;
    for (const double stop : {0.1, 0.1 + 1e-9, 1.0 / 3, 2.0}) {
      while (t < stop) {
        const Step step = integrator.step(stop);
        ASSERT_EQ(step.failure, "");
        ASSERT_EQ(step.from, t);
        ASSERT_GT(step.to, t);
        t = step.to;
      }
      EXPECT_EQ(t, stop);
      EXPECT_LT(wave.error(t, integrator.state()), 1e-5);
      Eigen::VectorXd y;
      integrator.interpolate(stop, y);
      EXPECT_EQ(y, integrator.state());
    }
  }
}

TEST(Integrators, NoStepIsLongerThanTheLongest) {
  const TestProblem rest = {[](double, const double*, double* ydot) { ydot[0] = 0; }, {1}, {}};
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    Integrator integrator(rest.ode(), {method, 1e-6, 0, 0.25});
    integrator.restart(0, rest.first());
    for (double t = 0; t < 10;) {
      const Step step = integrator.step(10);
      ASSERT_EQ(step.failure, "");
      EXPECT_LE(step.to - step.from, 0.25 * (1 + 1e-12));
      t = step.to;
    }
  }
}

TEST(Integrators, GoOnFromWhereTheyAreRestarted) {
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    Integrator used(wave.ode(), {std::string(method), 1e-9, 0.01, 0}),
        fresh(wave.ode(), {std::string(method), 1e-9, 0.01, 0});
    used.restart(0, wave.first());
    for (double t = 0; t < 1;) t = used.step(1).to;
    const Eigen::VectorXd there = Eigen::Vector2d(std::sin(5) + 2, std::cos(5));
    for (Integrator* integrator : {&used, &fresh}) {
      integrator->restart(5, there);
      EXPECT_EQ(integrator->state(), there);
      for (double t = 5; t < 6;) t = integrator->step(6).to;
      EXPECT_LT(wave.error(6, integrator->state()), 1e-6);
    }
    EXPECT_EQ(used.statistics().restarts, 2u);
    if (method == "dopri5") continue;  // keeps the step it had
    EXPECT_EQ(used.state(), fresh.state());
  }
}

TEST(Integrators, CountGoesOnAfterARestart) {
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    Integrator integrator(wave.ode(), {std::string(method), 1e-9, 0.01, 0});
    std::uint64_t steps = 0, evaluations = 0;
    for (int leg = 0; leg < 3; ++leg) {
      integrator.restart(0, wave.first());
      for (double t = 0; t < 1; ++steps) t = integrator.step(1).to;
      EXPECT_EQ(integrator.statistics().steps, steps);
      EXPECT_GT(integrator.statistics().evaluations, evaluations);
      evaluations = integrator.statistics().evaluations;
    }
  }
}

/// Steps until it fails or gets there; where it stopped.
std::pair<double, std::string> run_until_failure(const TestProblem& problem, const std::string& method, double until) {
  Integrator integrator(problem.ode(), {method, 1e-8, 1e-3, 0});
  integrator.restart(0, problem.first());
  double t = 0;
  for (int steps = 0; t < until; ++steps) {
    if (steps == 200'000) return {t, "hangs"};
    const Step step = integrator.step(until);
    if (!step.failure.empty()) return {t, step.failure};
    t = step.to;
  }
  return {t, ""};
}

TEST(Integrators, ASolutionThatGoesToInfinityStopsThere) {
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    const auto [t, failure] = run_until_failure(explosion, std::string(method), 2);
    EXPECT_NE(failure, "");
    EXPECT_NE(failure, "hangs");
    EXPECT_NEAR(t, 1, method == "rk4" ? 0.02 : 1e-6);  // a fixed step of 1e-3 runs over the pole before it overflows
  }
}

TEST(Integrators, RatesThatAreNotNumbersStopTheRunWhereTheyBegin) {
  const TestProblem cliff = {
      [](double t, const double*, double* ydot) { ydot[0] = t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : 1; },
      {0},
      {}};
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    const auto [t, failure] = run_until_failure(cliff, std::string(method), 1);
    EXPECT_NE(failure, "");
    EXPECT_NE(failure, "hangs");
    EXPECT_LE(t, 0.5);
    EXPECT_GT(t, 0.4);
  }
}

TEST(Integrators, RatesThatAreNeverNumbersStopTheRunAtOnce) {
  const TestProblem nothing_known = {
      [](double, const double*, double* ydot) { ydot[0] = std::numeric_limits<double>::quiet_NaN(); }, {1}, {}};
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    const auto [t, failure] = run_until_failure(nothing_known, std::string(method), 1);
    EXPECT_EQ(t, 0);
    EXPECT_NE(failure, "");
    EXPECT_NE(failure, "hangs");
  }
}

TEST(Integrators, AfterAFailureTheStateIsTheLastGoodOne) {
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    Integrator integrator(explosion.ode(), {std::string(method), 1e-8, 1e-3, 0});
    integrator.restart(0, explosion.first());
    Eigen::VectorXd last = explosion.first();
    for (int k = 0; k < 200'000; ++k) {
      if (!integrator.step(2).failure.empty()) break;
      last = integrator.state();
    }
    EXPECT_EQ(integrator.state(), last);
    EXPECT_TRUE(integrator.state().allFinite());
  }
}

TEST(Integrators, NothingToIntegrateIsNoTrouble) {
  const TestProblem nothing = {[](double, const double*, double*) {}, {}, {}};
  for (const std::string_view method : integrator_names) {
    SCOPED_TRACE(method);
    const auto [t, failure] = run_until_failure(nothing, std::string(method), 3);
    EXPECT_EQ(failure, "");
    EXPECT_EQ(t, 3);
  }
}

TEST(Integrators, BdfTakesFewStepsThroughAStiffDecay) {
  const TestProblem stiff = {[](double t, const double* y, double* ydot) { ydot[0] = -1e6 * (y[0] - std::cos(t)); },
                             {1},
                             [](double t) { return std::vector{std::cos(t) + 1e-6 * std::sin(t)}; }};
  Ode ode = stiff.ode();
  ode.jacobian = [](void*, double, const double*, double* j) { j[0] = -1e6; };
  Integrator integrator(ode, {"cvode_bdf", 1e-8, 0, 0});
  integrator.restart(0, stiff.first());
  for (double t = 0; t < 2;) t = integrator.step(2).to;
  EXPECT_LT(stiff.error(2, integrator.state()), 1e-6);
  EXPECT_LT(integrator.statistics().steps, 1000u);
  EXPECT_GT(integrator.statistics().jacobians, 0u);
}

}  // namespace
}  // namespace gyrostat::testing
