// What can hold joints and wheels in a run, and let go of them: latches, dry friction, stops, the speed limit of a
// wheel. docs/theory/mechanisms.md has the equations; which of them hold at an instant is in the DiscreteState.
#pragma once

#include <limits>
#include <string>

#include "gyrostat/forces/observable.h"

namespace gyrostat {

/// A latch: while it is closed all speeds of its joint are zero.
struct JointLatch {
  std::string name;  // "joints.boom"
  std::uint32_t u = 0, nu = 0;
  std::uint32_t source = 0;                            // of the work of its impulses
  expression::Slot when = no_slot, release = no_slot;  // true where they are positive; without a slot never
};

/// The part of a friction's level that is proportional to the force that the joint transmits across its axis.
struct ReactionLevel {
  std::uint32_t body = 0;                                     // whose inboard joint it is; 0: there is no such part
  expression::Slot coulomb = no_slot, static_most = no_slot;  // level over force [1, or m where the joint turns]
  expression::Slot coefficient = no_slot;                     // the same at the present speed, while it slides
  expression::Slot force = no_slot;                           // input: what it exerts, found with the accelerations
};

/// Dry friction of one speed, rigid ends of its range, or both.
struct Restraint {
  static constexpr std::uint32_t no_latch = static_cast<std::uint32_t>(-1);

  std::string name;  // "joints.pan", "bodies.bus.wheels.rw1"
  std::uint32_t q = 0, u = 0;
  std::uint32_t source = 0;        // of its work
  std::uint32_t latch = no_latch;  // of the same joint
  bool friction = false;
  expression::Slot coulomb = no_slot, static_most = no_slot;  // levels; below zero they count as zero [N m, N]
  bool stribeck = false;                                      // sliding begins at the static level
  expression::Slot sliding = no_slot;                         // input: DiscreteState::sliding
  ReactionLevel by_reaction;
  double low = -std::numeric_limits<double>::infinity(), high = -low;  // of q, or of the speed [rad, m; rad/s]
  bool of_speed = false;                                               // the range is that of the speed
  expression::Slot beyond = no_slot;  // input: the sign of a speed that an impulse has carried beyond its limit, or 0
  double restitution = 0;
};

}  // namespace gyrostat
