// The equations of motion of a system as data: what printers print and the evaluator evaluates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gyrostat/derive/algebra.h"
#include "gyrostat/derive/craft.h"
#include "gyrostat/derive/evaluate.h"

namespace gyrostat::derive {

/// Numbers of the model: a scalar, three components of a vector, or xx, yy, zz, xy, xz, yz of a dyadic.
struct Constant {
  std::vector<double> components;
  std::string frame;  // the body in whose axes they are, or "world"; of a scalar, empty
};

/// What the symbols are about: in this order they are listed.
enum class Section { body, joint, wheel, load, loop, motion, nest, resultant };
std::string_view section_name(Section section);

struct Definition {
  Symbol symbol;
  Section section = Section::body;
  std::string meaning;               // a phrase without a full stop
  std::string unit;                  // "1" if it has none
  Expr value;                        // null: it is not made of other symbols
  std::optional<Constant> constant;  // its numbers
  std::string formula, latex;        // of the model's own expressions, as its file has it, and as LaTeX; of numbers,
                                     // what they are computed from
  std::string body;                  // that it belongs to
  std::vector<Symbol> needs = {};    // those that its meaning speaks of, where it has no value
};

/// What stands before the formula of a definition: a number equals it, a direction points along it.
std::string_view formula_lead(const Definition& definition);

struct SetDefinition {
  Symbol set;
  std::string meaning;
  std::vector<std::string> members;
};

/// As N-BOD groups the terms.
enum class Group { inertia, prescribed, centripetal, gyroscopic, hinge, external, constraint, kinematics };
std::string_view group_name(Group group);

struct Term {
  Group group = Group::inertia;
  Expr value;
  std::string meaning;  // a sentence
};

enum class EquationKind { kinematics, rotation, translation, wheel, elimination, reduced, loop };
std::string_view kind_name(EquationKind kind);

/// The sum of the terms on the left is that of the terms on the right; without terms it is zero.
struct Equation {
  std::string id;  // of the whole document's, unique: letters, digits, '-'
  EquationKind kind = EquationKind::kinematics;
  Type type = Type::vector;
  std::string title;
  std::string of;    // the joint, wheel or constraint
  std::string body;  // outboard of the joint, or that carries the wheel
  std::vector<Term> left, right;
};

/// A term that is not there, and why.
struct LeftOut {
  std::string what, why;
  std::string body;  // that it concerns; empty: several
};

/// An unknown of the reduced equations, or an acceleration that is given.
struct Unknown {
  Symbol speed;             // its derivative by time is the acceleration
  std::uint32_t index = 0;  // in the state's u
  std::string name;         // "pan.rate"
  bool given = false;       // prescribed
};

struct Document {
  std::string title;
  std::vector<Branch> tree;
  std::vector<SetDefinition> sets;
  std::vector<Definition> definitions;
  std::vector<Equation> equations;
  std::vector<Unknown> unknowns;
  std::vector<LeftOut> left_out;
  std::string body;  // whose equations alone these are; empty: of the whole

  /// All definitions, for an evaluator.
  [[nodiscard]] std::map<Symbol, Expr> made_of() const;
};

/// The sum of terms.
Expr total(const std::vector<Term>& terms, Type type);

/// The equations of one body, and the definitions, sets and reasons that they need. Throws std::out_of_range where
/// there is no such body; its message names the nearest.
Document for_body(const Document& document, const std::string& body);

/// Symbols in a tree, those of all members of its sums among them.
void collect(const Expr& expression, std::vector<Symbol>& symbols);

/// Leaves out definitions that nothing refers to.
void keep_used(Document& document);

}  // namespace gyrostat::derive
