// The ledger of a run: energy against work, momentum against impulse, attitudes against unit length, accelerations
// against those of another formulation. What is left over is the error of the run, by laws that know nothing of how it
// was computed.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/plant/plant.h"

namespace gyrostat {

/// Nodes and weights of Gauss-Legendre quadrature on [0, 1]: exact to the fifth power of the step.
inline constexpr std::array<double, 3> gauss_nodes = {0.11270166537925831, 0.5, 0.88729833462074169};
inline constexpr std::array<double, 3> gauss_weights = {5.0 / 18, 8.0 / 18, 5.0 / 18};

struct Balance {
  double error = 0;    // now
  double largest = 0;  // so far
  double scale = 0;    // the size of what is balanced
  double floor = 0;    // so little is nothing
  [[nodiscard]] double relative() const { return largest <= floor ? 0 : largest / std::max(scale, floor); }
};

/// What a law of the ledger leaves over, and how much that is of its size.
struct LeftOver {
  std::string_view name, unit;
  double largest = 0, relative = 0;
};

/// What is off by more than `allowed`, relative to its size, in words; and accelerations that differ too much from
/// those of another formulation.
std::vector<std::string> unexplained(std::span<const LeftOver> laws, double allowed, double accelerations,
                                     std::string_view other_formulation);

class Ledger {
 public:
  explicit Ledger(Plant& plant);

  /// After a look at the first instant.
  void start();

  /// What flows in at this instant, over each second.
  struct Flow {
    std::vector<double> powers;  // by source [W]
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  };
  /// Looks at an instant of a step and keeps what flows there, at node k of the quadrature.
  void sample(std::size_t k);
  /// Takes the samples of a step of this length.
  void take(double length);

  /// After a look at the end of a step: what is left over.
  void balance(double distance_from_unit);

  /// Before and after an event at which speeds may jump, each after a look.
  void before_jump();
  void after_jump();

  /// After a close look: accelerations by another formulation.
  void compare_accelerations();

  Balance energy, momentum, angular_momentum;
  double attitude = 0;               // largest distance from unit length
  double accelerations = 0;          // largest disagreement, relative to the largest acceleration
  std::uint64_t compared = 0;        // how often
  std::string other_formulation;     // which it was compared with
  std::vector<std::string> sources;  // of work
  std::vector<double> work;          // by source [J]

  /// Does any law fail to hold because of what the user asked for? "gyroscopic terms are dropped", or empty.
  std::string exempt;

  /// All that is unexplained, unless it is exempt.
  [[nodiscard]] std::vector<std::string> warnings(double allowed) const;

  [[nodiscard]] bool needs_samples() const { return flows_; }
  [[nodiscard]] bool needs_close_look() const { return reactions_; }
  /// Numbers that a resumed run starts with.
  [[nodiscard]] std::vector<double> save() const;
  void restore(const std::vector<double>& numbers);

 private:
  struct Sums {
    double kinetic = 0, potential = 0;
    Vector3 momentum = Vector3::Zero(), angular = Vector3::Zero();
  };
  Sums look_at_sums();

  Plant& plant_;
  bool flows_ = false, reactions_ = false, drives_ = false;
  std::vector<double> thermal_rates_;
  Forces<double> scratch_;
  std::array<Flow, 3> samples_;
  Sums first_, jump_;
  Vector3 impulse_ = Vector3::Zero(), angular_impulse_ = Vector3::Zero();
  double potential_scale_ = 0, kinetic_scale_ = 0;
  double internal_scale_ = 0;      // kinetic energy relative to the mass centre
  double mass_ = 0, inertia_ = 0;  // of the whole: total mass, and half the trace of its inertia at the start
  double largest_difference_ = 0, acceleration_scale_ = 0;
  std::optional<Dynamics> other_;
  std::optional<InverseDynamics<double>> inverse_;
};

}  // namespace gyrostat
