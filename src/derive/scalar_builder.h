// What the parts of the scalar derivation share. Not for users: scalar_form.h is.
#pragma once

#include "gyrostat/constraints/constraints.h"
#include "gyrostat/derive/scalar_constants.h"
#include "gyrostat/derive/scalar_surroundings.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/forces/observe.h"

namespace gyrostat::scalar {

class FormBuilder {
 public:
  FormBuilder(const Model& model, const Options& options)
      : model_(model),
        system_(model.system),
        options_(options),
        recording_(form_.graph),
        parameters_(form_, model, options.formulas) {}
  ~FormBuilder() { around = nullptr; }
  FormBuilder(const FormBuilder&) = delete;
  FormBuilder& operator=(const FormBuilder&) = delete;

  Form build();

 private:
  // --- scalar_form.cpp
  void refuse_what_has_no_form() const;
  Symbolic new_symbol(std::vector<Variable>& list, std::string name, std::string_view unit, double value);
  void add_state_symbols();
  /// Every signal is an input where it is read, but those of time that prescribed motions may read, which must be
  /// differentiated.
  [[nodiscard]] AnalysisPoints opened_signals(const Names& names) const;
  /// The equations do not depend on the axes they are written along. Where one body is on the world, and its attitude
  /// is a rotation about one axis or any rotation, they are written along the axes of that body: its attitude then
  /// stands in them only where something fixed in the world acts.       (12)
  void choose_axes();
  /// Along the axes of the equations, from world axes.
  [[nodiscard]] Vec3<Symbolic> turned(const Vec3<Symbolic>& v) const { return base_ ? transpose_times(R_, v) : v; }
  /// Motion of all bodies along the axes of the equations; `udot` given or none.
  void move_bodies(Kinematics<Symbolic>& k, const Symbolic* udot) const;
  /// The body whose axes those of the equations are.
  void move_base(Kinematics<Symbolic>& k, Twist<Symbolic>* S) const;
  void add_rates();
  /// Parameters or inputs that nothing needs.
  void leave_out_unused(std::vector<Variable>& list) const;
  void add_notes();

  // --- scalar_forces.cpp
  void set_orbit(const SignalProgram& signals);
  void evaluate_signals(const SignalProgram& signals, const AnalysisPoints& points,
                        const Instant<Symbolic, Symbolic>& instant);
  /// A quantity along world axes is taken from motions along world axes; others from those of the equations.
  Symbolic observed(const SignalProgram& signals, const Observable& o, const Instant<Symbolic, Symbolic>& instant,
                    Shared<Symbolic>& shared);
  /// Accelerations of what is locked, prescribed or given, along the axes of the equations in `forces`.
  void find_given(const SignalProgram& signals, Forces<Symbolic>& forces);
  void refuse_inputs(Id id, const std::string& path) const;
  void find_forces(const Instant<Symbolic, Symbolic>& instant, Forces<Symbolic>& forces);

  // --- scalar_solution.cpp
  /// M' and f' along the axes of the equations, of the free speeds; what is given moves to f'.
  void assemble(const Kinematics<Symbolic>& kinematics, const Forces<Symbolic>& forces);
  void simplify();
  /// M' = L^T D L from the last speed inwards, so that what is zero stays zero.
  void factorise();
  /// Of M' x = b: z of L^T z = b, and x of D L x = z.
  [[nodiscard]] std::vector<Id> half_solved(std::vector<Id> b);
  [[nodiscard]] std::vector<Id> completed(std::vector<Id> z);
  void set_accelerations(std::vector<Id> x);
  /// The same accelerations by the recursion of articulated bodies, where that has fewer operations: for many bodies.
  void solve_by_recursion(const Kinematics<Symbolic>& kinematics, const Forces<Symbolic>& forces);
  /// From the axes of the equations to those of the state: M, f and the solution.
  void turn_back(std::vector<Id>& udot);
  /// Components of a vector.
  void turn(Id& x, Id& y, Id& z) const;
  /// The same expressions, multiplied out where that makes them shorter: for reading, each of them; for code, all of
  /// them together.
  std::vector<Id> shortened(std::vector<Id> ids);
  /// What is left of the equations for any accelerations is r' = tau - (inverse dynamics); where r' = 0, derivatives of
  /// the accelerations follow from M' udot'_x = r'_x; with loops, together with those of the multipliers.       (13)
  void differentiate(const Forces<Symbolic>& forces);

  // --- scalar_loops.cpp
  /// The accelerations where constraints close loops: M' x - G'^T lambda = f', G' x = gamma, by (G' M'^-1 G'^T) lambda
  /// = gamma - G' M'^-1 f'.       (14)
  void solve_closed(const Mechanism& plain, const Kinematics<Symbolic>& kinematics, const Forces<Symbolic>& forces);
  /// Z and W of G', from which multipliers and their derivatives follow.
  void factorise_loops();
  /// Of (Z D^-1 Z^T) x = b.
  [[nodiscard]] std::vector<Id> solved_for_multipliers(std::vector<Id> b);
  /// Adds G'^T lambda to what is left of the equations at the accelerations `udot`, and then what is left of the rows:
  /// gamma - G' udot'.       (15)
  void add_loops(const Kinematics<Symbolic>& kinematics, const std::vector<Symbolic>& udot,
                 const Forces<Symbolic>& forces, std::vector<Id>& residuals);
  [[nodiscard]] ConstraintsOf<Symbolic> symbolic_constraints(const Mechanism& plain);
  /// Where the model begins; names them in the form.
  [[nodiscard]] std::vector<std::uint32_t> independent_rows();
  /// By speed, along the axes of the equations.
  [[nodiscard]] std::vector<Symbolic> jacobian_row(const RowStructure& structure, const ConstraintRows<Symbolic>& rows,
                                                   const Kinematics<Symbolic>& kinematics, std::uint32_t row) const;

  struct World {
    Kinematics<Symbolic> kinematics;
    std::vector<BasePoint<Symbolic>> base_points;
    Shared<Symbolic> shared;

    explicit World(const MechanismOf<Symbolic>& mechanism) : kinematics(mechanism) {}
  };

  const Model& model_;
  const System& system_;
  Options options_;
  Form form_;
  Recording recording_;
  Parameters parameters_;
  std::vector<Symbolic> q_, u_, turned_u_, values_;
  Symbolic t_;
  std::optional<MechanismOf<Symbolic>> mechanism_;
  std::vector<NodeOf<Symbolic>> nodes_;
  ForceElements<Symbolic> elements_;
  bool base_ = false;  // the axes are those of body 1, else the world's
  Mat3<Symbolic> R_;   // from them to the world's
  Vec3<Symbolic> position_;
  Around around_;
  std::optional<World> world_;

  struct Closed {
    ConstraintsOf<Symbolic> constraints;
    std::vector<std::uint32_t> rows;  // that are independent
    std::vector<Id> G;                // G'
  };
  std::optional<Closed> closed_;
};

}  // namespace gyrostat::scalar
