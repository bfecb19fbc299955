// All integrators behind one face: build, restart, step, look into the last step.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "gyrostat/format/format.h"
#include "gyrostat/simulate/cvode.h"
#include "gyrostat/simulate/dopri5.h"
#include "gyrostat/simulate/ida.h"
#include "gyrostat/simulate/rk4.h"

namespace gyrostat {

inline constexpr std::span<const std::string_view> integrator_names(format::methods);

struct IntegratorSettings {
  std::string method = "cvode_adams";
  double tolerance = 1e-9;
  double step = 0;          // of rk4 [s]
  double longest_step = 0;  // of the others [s]; 0: any
};

/// In absolute terms, for what is near zero.
inline constexpr double absolute_part = 1e-3;

class Integrator {
 public:
  /// Precondition: the method is one of integrator_names.
  Integrator(const Ode& ode, const IntegratorSettings& settings);

  void restart(double t, const Eigen::VectorXd& y) {
    std::visit([&](auto& i) { i.restart(t, y); }, method_);
  }
  Step step(double stop) {
    return std::visit([&](auto& i) { return i.step(stop); }, method_);
  }
  Eigen::VectorXd& state() {
    return std::visit([](auto& i) -> Eigen::VectorXd& { return i.state(); }, method_);
  }
  void interpolate(double t, Eigen::VectorXd& y) const {
    std::visit([&](const auto& i) { i.interpolate(t, y); }, method_);
  }
  /// May the state be changed between steps?
  [[nodiscard]] bool can_project() const {
    return !std::holds_alternative<Cvode>(method_) && !std::holds_alternative<Ida>(method_);
  }
  [[nodiscard]] double suggested_step() const {
    return std::visit([](const auto& i) { return i.suggested_step(); }, method_);
  }
  void suggest_step(double h) {
    std::visit([&](auto& i) { i.suggest_step(h); }, method_);
  }
  /// Through a singular configuration with steps as they are, of methods that would shorten them there for ever.
  void hold_step(bool hold) {
    if (auto* dopri5 = std::get_if<Dopri5>(&method_)) dopri5->hold_step(hold);
  }
  [[nodiscard]] const IntegratorStatistics& statistics() const {
    return std::visit([](const auto& i) -> const IntegratorStatistics& { return i.statistics(); }, method_);
  }
  /// Counting goes on from here.
  void set_statistics(const IntegratorStatistics& statistics) {
    std::visit([&](auto& i) { i.set_statistics(statistics); }, method_);
  }

 private:
  std::variant<Cvode, Dopri5, Ida, Rk4> method_;
};

}  // namespace gyrostat
