// The ledger of a run: energy against work, momentum against impulse, attitudes against unit length, accelerations
// against those of another formulation. The residuals are the error of the run, by laws that know nothing of how it was
// computed.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/plant/run.h"
#include "gyrostat/simulate/quadrature.h"

namespace gyrostat {

struct Balance {
  double residual = 0;  // now
  double largest = 0;   // so far
  double scale = 0;     // the size of what is balanced
  double floor = 0;     // residuals up to this count as zero
  [[nodiscard]] double relative() const { return largest <= floor ? 0 : largest / std::max(scale, floor); }
};

/// The residual of a law of the ledger, and relative to its scale.
struct LawResidual {
  std::string_view name, unit;
  double largest = 0, relative = 0;
};

/// Relative residuals above `allowed`, in words; and accelerations that differ too much from those of another
/// formulation.
std::vector<std::string> unexplained(std::span<const LawResidual> laws, double allowed, double accelerations,
                                     std::string_view other_formulation);

/// The largest of something, and whose it is.
struct Extreme {
  double value = 0, of = 0;  // of: a number in a list
  void take(double now, std::size_t number) {
    if (now > value) value = now, of = static_cast<double>(number);
  }
};

class Ledger {
 public:
  /// One that is not kept costs nothing and stays empty.
  explicit Ledger(PlantRun& run, bool kept = true);

  /// At the first instant, at stage signals.
  void start();

  /// What flows in at this instant, over each second.
  struct Flow {
    std::vector<double> powers;  // by source [W]
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  };
  /// Keeps what flows at the present instant, node k of the quadrature; at `sample_stage`.
  void sample(std::size_t k);
  [[nodiscard]] Stage sample_stage() const { return reactions_ ? Stage::acceleration : Stage::forces; }
  /// Takes the samples of a step of this length.
  void take(double length);

  /// Of a state that is kept.
  void note_violation(const Violation& now) {
    violation.position = std::max(violation.position, now.position);
    violation.speed = std::max(violation.speed, now.speed);
  }

  /// At the end of a step, at stage signals: the residuals.
  void balance(double distance_from_unit);

  /// Before and after an event at which speeds may jump, each at stage signals.
  void before_jump();
  void after_jump();

  /// At stage acceleration: accelerations by another formulation.
  void compare_accelerations();

  Balance energy, momentum, angular_momentum;
  double attitude = 0;               // largest distance from unit length
  Violation violation;               // of constraints: the largest of the states that were kept
  double accelerations = 0;          // largest disagreement, relative to the largest acceleration
  std::uint64_t compared = 0;        // how often
  std::string other_formulation;     // which it was compared with
  double dependent_since = never;    // the first instant at which constraints were nearly dependent [s]
  double dependent_of = 0;           // then the constraint with the weakest pivot, by its number in the system
  std::vector<Redundant> redundant;  // at the start, or where the run was resumed
  Extreme spin, deflection;          // of flexible bodies, as FlexibleRange has them
  Violation assembled;               // of the initial state, before it was moved onto the constraints
  std::vector<std::string> sources;  // of work
  std::vector<double> work;          // by source [J]

  /// Does any law fail to hold because of what the user asked for? "gyroscopic terms are dropped", or empty.
  std::string exempt;

  /// All that is unexplained, unless it is exempt.
  [[nodiscard]] std::vector<std::string> warnings(double allowed) const;

  [[nodiscard]] bool needs_samples() const { return flows_; }
  /// Numbers that a resumed run starts with.
  [[nodiscard]] std::vector<double> save() const;
  void restore(const std::vector<double>& numbers);

 private:
  struct Sums {
    double kinetic = 0, potential = 0;
    Vector3 momentum = Vector3::Zero(), angular = Vector3::Zero();
  };
  Sums find_sums();
  void note_flexible();
  void add_constraint_powers(Flow& flow);
  [[nodiscard]] double acceleration_floor(const State& state) const;

  PlantRun& run_;
  bool kept_ = true;
  std::vector<std::size_t> source_of_;  // by constraint of the system: of the work that it does
  bool flows_ = false, reactions_ = false, jumps_ = false;
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
