// Motions given as functions of time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gyrostat/expression/program.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/math/jet.h"
#include "gyrostat/model/names.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

/// Prescribed positions of joints and prescribed speeds of wheels, with their derivatives by exact differentiation.
/// Built once; evaluated as often as needed.
class PrescribedMotion {
 public:
  /// Precondition: the description is valid and the system is its own.
  PrescribedMotion(const Description& description, const Names& names, const System& system);

  struct Target {
    std::string path;  // "joints.pan.prescribed.position"
    expression::Slot slot = 0;
    std::uint32_t q = 0, u = 0;  // of the coordinate and its speed in the state
    bool speed = false;          // it is the rate of a wheel that is given
  };
  [[nodiscard]] const std::vector<Target>& targets() const { return targets_; }

  /// Runs the expressions at t [s]: every switch as its guard says, or held where `modes` says.
  void evaluate(double t);
  void evaluate(double t, std::span<const std::uint32_t> modes);
  [[nodiscard]] const Jet& at(const Target& target) const { return slots_[target.slot]; }

  [[nodiscard]] const expression::Program& program() const { return program_; }
  /// By switch of the program: what it belongs to, "joints.pan.prescribed.position" or "signals.slew".
  [[nodiscard]] const std::vector<std::string>& owners() const { return owners_; }
  [[nodiscard]] double value(expression::Slot slot) const { return slots_[slot].value; }

 private:
  std::vector<Target> targets_;
  expression::Program program_;
  std::vector<std::string> owners_;
  std::vector<Jet> slots_;
};

/// Puts the values at t = 0 of prescribed positions, their rates and prescribed wheel speeds into the initial state.
/// What is not finite there is reported.
void set_prescribed_state(const Description& description, const Names& names, System& system, Problems& problems);

}  // namespace gyrostat
