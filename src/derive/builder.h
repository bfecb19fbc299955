// What the parts of the derivation share. Not for users: equations.h is.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "gyrostat/derive/document.h"
#include "gyrostat/derive/simplify.h"
#include "gyrostat/dynamics/settings.h"
#include "gyrostat/format/formulas.h"
#include "gyrostat/model/load.h"

namespace gyrostat::derive {

/// What stands below the symbols of a wheel: its name, with that of its body where another has the same.
std::string wheel_index(const System& system, std::size_t w);

/// A speed of a joint and its free coordinate vector.
struct Axis {
  bool rotation = false;
  std::uint32_t u = 0;      // in the state's speeds
  std::uint32_t q = 0;      // in the state's coordinates; of a ball's axes, none
  std::uint32_t local = 0;  // among the joint's speeds
  std::string index;        // "" for the only one of its kind; "1", "x"
};

/// Joint k and the body outboard of it.
struct Hinge {
  std::uint32_t inboard = 0;  // J
  std::uint32_t parent = 0;   // the body in which its first axis and its translations are fixed: P
  std::uint32_t child = 0;    // the other: C
  double sign = 1;            // -1 where C is inboard
  bool ball = false;
  bool turns = false, slides = false;  // it has such axes, and they are not locked
  bool free = false;                   // the equations of motion decide its accelerations
  std::vector<Axis> rotations, translations;
  std::vector<std::uint32_t> nest;  // body k and all outboard of it
  std::vector<std::uint32_t> path;  // joints from the world to k, k the last
};

/// The index of what has one letter for rotations and translations, in a joint that has both: "rotation",
/// "translation2", "rotation_x".
std::string index_among_both(bool rotation, const std::string& index);

struct Builder {
  const Model& model;
  const System& system;
  DynamicsSettings settings;
  std::vector<Hinge> hinges;  // by body; entry 0 means nothing
  Knowledge known;
  Document document;
  std::map<Symbol, Definition> defined;  // all that may be needed, aliases among them
  std::vector<Symbol> order;             // in which they were defined
  std::map<Symbol, SetDefinition> sets;
  std::map<std::uint32_t, std::vector<Expr>> coupled;  // by speed: what couplings exert on it
  std::vector<Equation> loop_equations;

  explicit Builder(const Model& model);

  // --- symbols
  [[nodiscard]] const std::string& body(std::uint32_t k) const { return system.bodies[k].name; }
  [[nodiscard]] const std::string& joint(std::uint32_t k) const { return system.joints[k].name; }
  [[nodiscard]] std::string wheel(std::size_t w) const { return wheel_index(system, w); }
  [[nodiscard]] Symbol axis_symbol(const std::string& letter, std::uint32_t k, const Axis& axis) const;
  /// Of a letter that rotations and translations share: stiffness, damping, motor.
  [[nodiscard]] Symbol shared_symbol(const std::string& letter, std::uint32_t k, const Axis& axis) const;
  [[nodiscard]] Expr of_axis(const std::string& letter, std::uint32_t k, const Axis& axis) const {
    return symbol(axis_symbol(letter, k, axis));
  }
  /// What the model file says of a joint; null of one that it does not have.
  [[nodiscard]] const JointDescription* described(std::uint32_t k) const;
  [[nodiscard]] const WheelDescription& wheel_description(std::size_t w) const;
  /// What the joint's axis follows: positions or accelerations that are functions of time; null where it is not given.
  [[nodiscard]] const Expression* followed(std::uint32_t k, const Axis& axis, Prescribed::Kind kind) const;
  /// Is its friction one by reaction? Then its force is needed.
  [[nodiscard]] bool rubs_by_reaction(std::uint32_t k) const;
  [[nodiscard]] Expr omega(std::uint32_t k) const { return symbol({"omega", {{body(k), false}}}); }

  // --- definitions
  /// A symbol that is not made of others.
  void define(const Symbol& symbol, Section section, std::string meaning, std::string unit, const std::string& of_body,
              std::optional<Constant> constant = {}, std::string formula = {}, std::string latex = {});
  /// One that an expression of the model file computes; none: nothing is said of it.
  void define(const Symbol& symbol, Section section, std::string meaning, std::string unit, const std::string& of_body,
              const Expression* follows);
  /// One that is: simplified, and an alias if it is zero or another symbol.
  void define(const Symbol& symbol, Section section, std::string meaning, std::string unit, const std::string& of_body,
              const Expr& value);
  /// One that is another symbol is called by its own name all the same.
  void keep_name(const Symbol& symbol);
  /// From the mass centre of body a to that of b; of the world, its origin.
  [[nodiscard]] Expr from_to(std::uint32_t a, std::uint32_t b) const;
  /// It vanishes.
  void vanish(const Symbol& symbol) { known.aliases[symbol] = zero(derive::symbol(symbol)->type); }
  void fix(const Symbol& symbol, const std::string& frame, const Vector3& components) {
    known.fixed[symbol][frame] = components;
  }
  [[nodiscard]] bool vanishes(const Symbol& symbol) const;
  [[nodiscard]] Expr short_form(const Expr& e) const { return simplified(e, known); }

  // --- sets
  [[nodiscard]] Range nest_range(std::uint32_t k);
  /// Turning or sliding joints inboard of k on its path, or outboard of k in its nest.
  [[nodiscard]] Range joints_range(std::uint32_t k, bool inboard, bool turning);
  [[nodiscard]] Range path_range(std::uint32_t k);  // turning joints to body k
  [[nodiscard]] Range wheels_range(std::uint32_t k);
  [[nodiscard]] Range body_wheels_range(std::uint32_t k);

  // --- the parts, in this order
  void describe_tree();
  void define_bodies();  // builder_symbols.cpp
  void define_joints();
  void define_wheels();
  void define_loads();  // builder_loads.cpp
  void define_environment();
  void define_gravity(std::uint32_t k, std::vector<Expr>& forces, std::vector<Expr>& torques);
  void add_imbalance(std::size_t w, std::map<std::uint32_t, std::vector<Expr>>& forces,
                     std::map<std::uint32_t, std::vector<Expr>>& torques);
  void define_hinges();  // builder_hinges.cpp
  void add_friction(const FrictionDescription& of, const Symbol& friction, const Symbol& viscous, Section section,
                    const std::string& name, bool turn, const std::string& of_body, const Expr& speed,
                    std::vector<Expr>& parts);
  void define_normal_force(std::uint32_t k, const Axis& axis);
  void define_motion();  // builder_motion.cpp
  void define_gammas();
  void define_nests();  // builder_nests.cpp
  void add_kinematics();
  void add_nests();
  void add_wheels();
  void add_eliminations();
  void define_resultants();  // builder_reduced.cpp
  void add_reduced();
  void define_loops();  // builder_loops.cpp
  void add_loops();
  void add_loop_terms(Equation& e, std::uint32_t k, const Axis& axis) const;
  void add_coupled(Equation& e, std::uint32_t u) const;
  void name_parameters(const Formulas& formulas);  // builder_parameters.cpp
  void say_what_is_left_out();                     // builder_left_out.cpp
  void keep_what_is_used();

  /// Adds the term if it does not vanish.
  void add_term(std::vector<Term>& terms, Group group, const Expr& value, std::string meaning) const;
  void add_equation(Equation equation);

  /// What stands before the acceleration of axis `b` of joint `j` in the equation of axis `a` of joint `k`, or of a
  /// wheel's.
  [[nodiscard]] Expr element(std::uint32_t k, const Axis& a, std::uint32_t j, const Axis& b) const;
  [[nodiscard]] bool inboard_of(std::uint32_t j, std::uint32_t k) const;  // j is on the path to k, and not k
};

inline Symbol sym(const std::string& letter) { return {letter, {}}; }
inline Symbol sym(const std::string& letter, const std::string& index) { return {letter, {{index, false}}}; }
inline Symbol sym(const std::string& letter, const std::string& a, const std::string& b) {
  return {letter, {{a, false}, {b, false}}};
}
inline Expr ref(const std::string& letter, const std::string& index) { return symbol(sym(letter, index)); }
inline Expr ref(const std::string& letter, const std::string& a, const std::string& b) {
  return symbol(sym(letter, a, b));
}
/// With the running index.
inline Index running(const std::string& variable) { return {variable, true}; }
inline Expr ref(const std::string& letter, const Index& a) { return symbol({letter, {a}}); }
inline Expr ref(const std::string& letter, const Index& a, const Index& b) { return symbol({letter, {a, b}}); }
inline Index named(const std::string& name) { return {name, false}; }
inline Expr rate(const Expr& a) { return derivative(a, "world"); }

/// "a, b and c"
std::string listed(const std::vector<std::string>& names);

}  // namespace gyrostat::derive
