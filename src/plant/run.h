// A plant in a simulation: what it remembers, and its state at the instant last evaluated.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/constraints/assemble.h"
#include "gyrostat/constraints/mobility.h"
#include "gyrostat/constraints/multipliers.h"
#include "gyrostat/dynamics/reactions.h"
#include "gyrostat/plant/right_hand_side.h"
#include "gyrostat/signals/events.h"

namespace gyrostat {

struct FollowingLimits;

/// How far the constraints are from holding.
struct Violation {
  double position = 0, speed = 0;  // the largest of the rows [m or rad, m/s or rad/s]
  std::size_t row = 0;             // which has the largest residual
};

class PlantRun {
 public:
  /// Keeps pointing at the plant.
  explicit PlantRun(const Plant& plant);
  ~PlantRun();
  PlantRun(const PlantRun&) = delete;
  PlantRun& operator=(const PlantRun&) = delete;

  [[nodiscard]] const Plant& plant() const { return plant_; }

  /// y at t = 0, with the discrete state just after it, from the model's initial state, on its orbit.
  void start(Eigen::VectorXd& y) { start(y, plant_.system().initial); }
  /// The same from another state. Coordinates and speeds of prescribed motions are those of t = 0, and the others are
  /// moved onto the constraints.
  void start(Eigen::VectorXd& y, State initial);
  /// The same at any state, for one evaluation: coordinates and speeds of prescribed motions are those given, and only
  /// their accelerations those of t = 0.
  void start_as_given(Eigen::VectorXd& y, const State& state);
  /// What `start` would move onto the constraints, with less that may change: `movable` tells which of the free speeds'
  /// coordinates. Prescribed motions and drives are where they are, and as fast, at t = 0.
  Assembly assembled(const State& initial, std::vector<Truth> movable);

  /// Everything up to a stage.
  void evaluate(double t, const double* y, Stage stage);

  /// Room for the values of the program's slots at an instant, for those who compute them elsewhere: all that
  /// `any_crossed`, `find_event_functions` and `follow_smoothly` read of it, unless there are latches or restraints.
  /// Nothing else is known of that instant, coordinates and speeds neither.
  double* values_from_elsewhere(double t);
  /// After that. False where a switch that is no event belongs elsewhere: it is there now, and the values are to be
  /// computed anew.
  bool follow_values();
  /// Only coordinates and speeds.
  void take_state(double t, const double* y) { set_state(plant_, data_, t, y); }

  /// y' while every switch is held.
  void derivative(double t, const double* y, double* ydot);

  /// The exact derivatives of y' by y, column by column into a matrix of size rows.
  void jacobian(double t, const double* y, double* by_columns);

  /// What is perturbed: y, an input of the analysis points, or what a held block or a delay gives.
  struct Direction {
    std::vector<double> y;  // by component; empty where they stay
    std::optional<std::uint32_t> input, held;
  };
  /// Up to eight directions: the data are evaluated along them, number `first` and those after it in the lanes of the
  /// dual numbers.
  using SeeDerivatives =
      std::function<void(std::size_t first, std::size_t count, const PlantData<Directional>&, const Directional* ydot)>;
  /// Exact derivatives of everything that is evaluated, along directions.
  void differentiate_along(double t, const double* y, std::span<const Direction> directions, const SeeDerivatives& see);

  /// Of the analysis points, for all evaluations from now on.
  void set_input(std::size_t input, double value);

  // --- events --------------------------------------------------------------------------------------------------------

  [[nodiscard]] double next_time(double t) const { return gyrostat::next_time(plant_.signals(), discrete_, t); }
  [[nodiscard]] bool watches() const { return gyrostat::watches(plant_.signals()) || restrained(); }

  /// At stage signals; goes on to what it needs: has anything crossed its threshold?
  [[nodiscard]] bool any_crossed();

  /// The same: all event functions, negative beyond the threshold; always in the same order.
  void find_event_functions(std::vector<double>& list);

  /// An event at t: changes what is due or has crossed its threshold, and y where a prescribed rate jumps, a latch
  /// closes or a stop is met: then all speeds jump, by the impulses that make it so. What is wrong, or nothing.
  std::optional<std::string> iterate_events(double t, double* y, std::vector<Change>& changes);

  /// After start: in which states the state machines are, and what latches, friction and stops hold.
  [[nodiscard]] std::vector<Change> states_at_start() const {
    std::vector<Change> list = gyrostat::states_at_start(plant_.signals(), discrete_);
    for (Change& change : held_at_start()) list.push_back(std::move(change));
    return list;
  }

  /// Of impulses on latches and restraints in the last event, by source of the ledger [J].
  [[nodiscard]] const std::vector<double>& impulsive_work() const { return impulsive_work_; }

  /// Are there latches, dry friction or stops?
  [[nodiscard]] bool restrained() const {
    return !plant_.signals().forces.latches.empty() || !plant_.signals().forces.restraints.empty();
  }

  /// After a step without events, at stage signals at its end.
  void follow_smoothly();

  /// The last instant of the run.
  void set_end(double t) { discrete_.end = t; }
  void set_noise_stream(std::uint64_t stream) { discrete_.noise_stream = stream; }

  /// For delays, after a step; `evaluate_at(t)` evaluates to stage signals at an instant of it.
  void remember(double from, double to, const std::function<void(double)>& evaluate_at) {
    gyrostat::remember(plant_.signals(), discrete_, from, to, data_.values.data(), evaluate_at);
  }

  [[nodiscard]] const DiscreteState& discrete() const { return discrete_; }
  /// Grows whenever something in it changes that the right-hand side reads.
  [[nodiscard]] std::uint64_t discrete_changes() const { return discrete_changes_; }
  void set_discrete(DiscreteState discrete);

  /// How the start was brought onto the constraints; of a tree, nothing.
  [[nodiscard]] const std::optional<Assembly>& assembly() const { return assembly_; }

  // --- constraints ---------------------------------------------------------------------------------------------------

  [[nodiscard]] bool constrained() const { return !data_.closures.empty(); }

  /// Of the constraints at a state, which is evaluated to stage velocity.
  Violation violation(double t, const double* y);

  /// Moves coordinates, then speeds, back onto the constraints if they are further from them than `allowed`: by the
  /// least change in the metric of the masses. Prescribed and locked joints stay where they are. What is left, and y
  /// evaluated to stage velocity.
  Violation project(double t, double* y, double allowed);

  /// Chooses the rows to solve for anew at the state last evaluated. Where fewer are independent than before, it keeps
  /// those it has.
  void replan();

  /// Near a singular configuration the recursion is replaced early.
  void set_near_singularity(bool is);

  /// At stage acceleration: the rows that are solved for, with their multipliers and pivots. Formulations that do not
  /// tell both leave it to the recursion.
  const Closures<double>& solved_closures();

  /// At stage acceleration: the largest derivative of a speed, were there no constraints.
  [[nodiscard]] double largest_unconstrained();

  [[nodiscard]] const Constraint& constraint_of_row(std::size_t row) const;

  /// Constraints of which the plan does not keep all rows.
  [[nodiscard]] std::vector<Redundant> redundant() const;

  /// At stage acceleration: of the row with the smallest pivot, the constraint of the system. Precondition: some rows
  /// are kept.
  std::size_t weakest_constraint();

  /// At stage acceleration, by row of the constraints, all of which are evaluated.
  const Multipliers& multipliers();
  /// At stage acceleration: reactions and driving forces that redundant constraints leave open.
  IndeterminateForces indeterminate();
  /// At stage acceleration: of a constraint of the system that is a cut joint.
  Reaction reaction_of_cut_joint(std::size_t constraint);

  /// At stage acceleration: the forces with those of the multipliers.
  const Forces<double>& forces_with_constraints();

  // --- the equations of motion in descriptor form --------------------------------------------------------------------
  // lambda are the multipliers of the rows that the plan keeps, and after them as many mu, which keep the coordinates
  // on the constraints (Gear, Gupta and Leimkuhler): q' = N(q) (u + J^T mu), M u' = f + J^T lambda, and of every row
  // residual and rate are zero. All mu are zero in the exact solution.

  [[nodiscard]] std::size_t kept_rows() const { return constrained() ? discrete_.closures.kept.size() : 0; }
  /// lambda of a state on the constraints.
  void find_multipliers(double t, const double* y, double* lambda);
  /// y', and residuals of the rows, then their rates.
  void descriptor(double t, const double* y, const double* lambda, double* rates, double* residuals);
  /// Of [y'; residuals; rates] by [y; lambda; mu], but for the change of J in J^T mu.
  void descriptor_jacobian(double t, const double* y, const double* lambda, double* by_columns);

  // --- at the instant last evaluated ---------------------------------------------------------------------------------

  [[nodiscard]] double time() const { return data_.t; }
  [[nodiscard]] const PlantData<double>& data() const { return data_; }
  [[nodiscard]] State state() const;
  [[nodiscard]] Instant<double, double> instant() const { return instant_of(plant_.constants(), data_); }
  [[nodiscard]] Values<double> values() const { return values_of(data_); }
  [[nodiscard]] double value(Slot slot) const { return data_.values[slot]; }
  [[nodiscard]] double observe(const Observable& observable);
  [[nodiscard]] const Conserved<double>& conserved() { return conserved_of(instant(), data_.shared); }
  [[nodiscard]] double potential_energy();
  [[nodiscard]] const Forces<double>& forces() const;
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> udot() const;
  /// What joints transmit and drives add.
  const Reactions& reactions();

  /// Why the system cannot be moved on from a state at stage acceleration, or nothing.
  [[nodiscard]] std::optional<std::string> find_failure();

 private:
  void begin_from(Eigen::VectorXd& y, const State& initial, bool as_given);
  void start_from(Eigen::VectorXd& y, const State& initial, bool as_given);
  void update_unwatched();
  void take_over_discrete() {
    gyrostat::set_discrete(data_, 0, discrete_);
    ++discrete_changes_;
  }
  struct AtRest;
  AtRest& at_rest();
  void close_constraints(double* y, bool as_given);
  void solve_at_rest(AtRest& r);
  struct Recursion;
  const Recursion& solve_by_recursion();
  void evaluate_all_rows();
  struct Descriptor;
  template <class T>
  void correct_speeds(const T* mu, const PlantData<T>& data, std::vector<T>& corrected) const;
  std::optional<std::string> jump_velocities(double t, double* y, const State& before,
                                             const std::vector<GivenValue<double>>& equals,
                                             std::vector<Change>& changes);
  std::optional<std::string> change_prescribed(double t, double* y, std::vector<Change>& changes);

  // Latches and restraints (restraints.cpp, impulses.cpp).
  struct Jumps;
  const double* undo(double ConstraintRow<double>::*what);
  void project_speeds(double* y);
  [[nodiscard]] std::vector<Change> held_at_start() const;
  [[nodiscard]] bool is_latched(const Restraint& restraint) const;
  [[nodiscard]] bool is_held(std::size_t restraint) const;
  [[nodiscard]] bool is_beyond(std::size_t restraint) const;
  [[nodiscard]] bool any_held() const;
  [[nodiscard]] bool wants_latch(std::size_t latch) const;
  struct Range;
  [[nodiscard]] Range reactions_of(std::size_t restraint, bool slides) const;
  [[nodiscard]] double distance_from_range(std::size_t restraint) const;
  [[nodiscard]] Vec3<double> across(const Restraint& restraint, const Reactions& reactions) const;
  struct Level;
  [[nodiscard]] Level level_of(std::size_t restraint, bool slides) const;
  [[nodiscard]] double rounding_of_reaction(const Restraint& restraint) const;
  [[nodiscard]] double distance_from_change(std::size_t restraint) const;
  [[nodiscard]] std::vector<double> distances_from_change();
  [[nodiscard]] bool restraint_crossed(std::size_t restraint, double distance) const;
  [[nodiscard]] std::optional<std::string> find_inconsistent_friction() const;
  void set_free(std::vector<Truth> free, double t, const double* y);
  void update_free(double t, const double* y);
  void start_restraints(double* y, bool as_given);
  std::optional<std::string> change_restraints(double t, double* y, std::vector<Change>& changes, bool& jumped);
  void solve_impulses(AtRest& r, const Jumps& jumps, bool given);
  std::optional<std::string> find_stop_impulses(AtRest& r, const double* u, std::optional<double> restitution,
                                                Jumps& jumps, double& work);
  const Reactions& find_impulsive_reactions(AtRest& r);
  void note_work(AtRest& r, const double* u, const Jumps& jumps);
  std::optional<std::string> jump(double t, double* y, Jumps& jumps);
  std::optional<std::string> strike(double t, double* y, Jumps& jumps, std::vector<Change>& changes);
  std::optional<std::string> catch_speeds(double t, double* y, const std::vector<std::uint32_t>& caught);
  std::optional<std::string> catch_what_stops_with_them(double t, double* y, const std::vector<double>& before);
  [[nodiscard]] bool comes_to_rest(std::size_t restraint, int side) const;
  struct Standing;
  void find_compliance(Standing& standing);
  Standing let_go(double t, const double* y, std::vector<std::uint32_t> open);
  std::optional<std::string> find_holding_forces(double t, const double* y, Standing& standing);
  [[nodiscard]] FollowingLimits limits_about(const Standing& standing, const std::vector<std::uint32_t>& sliding) const;
  std::optional<std::string> find_forces_that_limits_follow(double t, const double* y, Standing& standing);
  [[nodiscard]] double margin_of_all(const std::vector<std::uint32_t>& held);
  std::optional<std::string> start_what_moves(double t, double* y, const std::vector<std::uint32_t>& open,
                                              const std::vector<std::uint32_t>& loose);
  std::optional<std::string> decide_what_holds(double t, double* y);

  const Plant& plant_;
  DiscreteState discrete_;
  std::uint64_t discrete_changes_ = 0;
  PlantData<double> data_;
  std::vector<Truth> movable_;  // by speed: free unless a latch or a restraint holds it
  std::vector<double> impulsive_work_;
  double violation_before_ = 0;  // of the rates of the constraints, as an event begins
  std::optional<Reactions> reactions_;
  std::optional<Assembly> assembly_;
  Multipliers multipliers_;
  std::optional<Forces<double>> exerted_;
  std::unique_ptr<AtRest> at_rest_;
  std::unique_ptr<Recursion> recursion_;
  std::unique_ptr<Descriptor> descriptor_;
  struct JacobianData;
  JacobianData& differentiate_at(double t, const double* y);
  std::unique_ptr<JacobianData> jacobian_;
};

}  // namespace gyrostat
