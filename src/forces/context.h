// What a force element is made from: its description, and the program that computes the values it reads.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "gyrostat/dynamics/mechanism.h"
#include "gyrostat/forces/observable.h"
#include "gyrostat/model/compiler.h"

namespace gyrostat {

class ElementContext {
 public:
  ElementContext(ExpressionCompiler& to, const System& of, const Mechanism& with)
      : compiler(to), system(of), mechanism(with) {}

  ExpressionCompiler& compiler;
  const System& system;
  const Mechanism& mechanism;
  std::map<Observable, Slot> observed;  // inputs of the program
  std::vector<Slot> used;               // values that forces depend on
  std::uint32_t torsion_springs = 0;    // made so far

  /// A value that forces depend on.
  Slot use(Slot slot) {
    used.push_back(slot);
    return slot;
  }

  /// Of an expression; none where it is empty.
  Slot slot(const Expression& expression) { return expression.empty() ? no_slot : use(compiler.add(expression)); }
  std::array<Slot, 3> slots(const std::vector<Expression>& list) {
    std::array<Slot, 3> three = {no_slot, no_slot, no_slot};
    for (std::size_t k = 0; k < std::min(list.size(), three.size()); ++k) three[k] = slot(list[k]);
    return three;
  }
  /// The input that holds a quantity of the motion.
  Slot observe(const Observable& wanted);

  [[nodiscard]] std::uint32_t node(const PointReference& reference) const { return node_of(system, reference); }
  /// In the axes M of a body, from body axes.
  [[nodiscard]] Vec3<double> in_M(std::uint32_t body, const Vector3& v) const {
    return transpose_times(mechanism.bodies[body].R_BM, cast<double>(v));
  }

  /// -k(x) x, with k a table.
  Slot table_spring(const std::string& table, Slot x) {
    return use(compiler.negative(compiler.product(compiler.look_up(compiler.table(table), x), x)));
  }
  /// -d(x) v, with d a table.
  Slot table_damper(const std::string& table, Slot x, Slot v) {
    return use(compiler.negative(compiler.product(compiler.look_up(compiler.table(table), x), v)));
  }
  /// -c x, with c an expression.
  Slot varying(const Expression& coefficient, Slot x) {
    return use(compiler.negative(compiler.product(compiler.add(coefficient), x)));
  }
};

}  // namespace gyrostat
