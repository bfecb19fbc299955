// The equations of motion of a model as explicit scalar expressions: M(q, p) udot = f(q, u, p, t, s), with the physical
// constants p kept as symbols. The plant's own templates, run on a symbolic scalar, write them.
//
// p: the parameters of the model by their own names, wherever its file computes a number from them; all other masses,
// inertias, mass centres, joint points, axes and orientations that are not along the axes, stiffnesses, dampings,
// directions and lengths of loads, gravity: each named after what it belongs to, "bus.mass". What is zero in the model,
// and no parameter, stays zero.
// s: the signals that loads read, by name, the states of thermal springs, which way joints slide against dry friction,
// and where the orbit is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gyrostat/derive/craft.h"
#include "gyrostat/derive/symbolic.h"
#include "gyrostat/format/formulas.h"
#include "gyrostat/model/load.h"

namespace gyrostat::scalar {

struct Variable {
  std::string name, unit;
  double value = 0;  // in the model: of a parameter; initially: of a coordinate or speed
  Id id = 0;
};

/// Entry of a lower triangle that is stored row by row.
constexpr std::size_t in_triangle(std::size_t row, std::size_t column) { return row * (row + 1) / 2 + column; }

struct Given {
  std::uint32_t u = 0;  // the speed
  Id acceleration = 0;
};

/// Derivatives of the accelerations by x, which is q, then u, then s: M udot_x - G^T lambda_x = R and G udot_x = S,
/// column by column; without loops, M udot_x = R.
struct JacobianForm {
  std::vector<Id> udot;      // symbols that stand for the accelerations, by speed
  std::vector<Id> lambda;    // and for the multipliers
  std::vector<Id> R;         // by free speed, then by column
  std::vector<Id> S;         // by row of the loops, then by column
  std::vector<Id> solved_R;  // R along the axes in which the equations are solved (`turned`)
  std::vector<Id> given;     // derivatives of given accelerations: by entry of Form::given, then by column
  std::vector<Id> qdot_q;    // of the rates of the coordinates: nq by nq
  std::vector<Id> qdot_u;    // nq by nu
};

/// Constraints that close loops: M udot - G^T lambda = f and G udot = gamma, with the rows that are independent where
/// the model begins.
struct LoopForm {
  std::vector<std::string> rows;      // what they belong to: "closure, row 2"
  std::vector<std::string> left_out;  // rows that follow from these there
  std::vector<Id> G;                  // by row, then by free speed
  std::vector<Id> gamma;              // what the accelerations that are given contribute is in it
  std::vector<Id> multipliers;        // lambda
  // How they are solved: L^T Z^T = G'^T, W = Z D^-1 Z^T, G' along the axes of the solution.
  std::vector<Id> Z;  // by row, then by free speed
  std::vector<Id> W;  // row r has r + 1 entries: of L D where W = L D L^T, and 1/D on the diagonal
};

struct Form {
  std::string name;  // of the model
  std::vector<derive::Branch> tree;
  Graph graph;
  std::vector<Table> tables;
  std::vector<std::string> table_names;
  Id time = 0;
  std::vector<Variable> p, q, u, s;
  std::vector<std::uint32_t> free;  // speeds whose accelerations the equations decide
  std::vector<Given> given;         // the others
  /// What a reader has to know beside the equations, in sentences: what was left out, what does not follow parameters.
  std::vector<std::string> notes;

  // Of the free speeds, in their order.
  std::vector<Id> M;  // all of the matrix, row by row
  std::vector<Id> f;
  // The same along the axes in which they are solved, and the solution.
  std::vector<Id> solved_M, solved_f;  // of M: row k has k + 1 entries
  std::vector<Id> L;                   // row by row like solved_M; unit diagonal
  std::vector<Id> D_inverse;
  std::vector<Id> udot;    // of all speeds
  bool recursive = false;  // by the recursion of articulated bodies, which is shorter here
  std::vector<Id> qdot;

  /// Speeds u[k], u[k + 1], u[k + 2] are turned by R: their accelerations along the axes of the equations are R^T
  /// times those of the state. None: k is negative.
  struct Turned {
    std::int32_t first = -1;  // among the free speeds
    std::vector<Id> R;        // row by row
  } turned;

  std::optional<LoopForm> loops;
  std::optional<JacobianForm> jacobian;

  [[nodiscard]] std::size_t nf() const { return free.size(); }
  /// How many columns the derivatives have.
  [[nodiscard]] std::size_t columns() const { return q.size() + u.size() + s.size(); }
};

struct Options {
  bool jacobian = false;
  /// For reading: sums of angles are joined, and simplification goes further than speed asks for.
  bool readable = false;
  /// What the model file computes its numbers from; without it only expressions know of parameters.
  const Formulas* formulas = nullptr;
};

/// Throws std::invalid_argument, naming the part of the model and the reason, where there is no scalar form: of
/// flexible bodies.
Form derive_form(const Model& model, const Options& options = {});

/// Values of everything at an instant: what the printed functions compute.
struct Evaluation {
  std::vector<double> M, f, udot, qdot;
  std::vector<double> G, gamma, multipliers;  // of loops
  // Row by row; empty without jacobian.
  std::vector<double> A, B;  // of [qdot; udot] by [q; u] and by s
  std::vector<double> R, S;
};
Evaluation evaluate(const Form& form, std::span<const double> p, std::span<const double> q, std::span<const double> u,
                    double t, std::span<const double> s);

/// The values of p in the model.
std::vector<double> values_of(const std::vector<Variable>& variables);

}  // namespace gyrostat::scalar
