// The structure of the equations in absolute coordinates: which equations of constraint there are, which bodies each
// acts on, and where all numbers are kept. It changes only when speeds become free or given.
#pragma once

#include "gyrostat/dynamics/absolute_factors.h"
#include "gyrostat/dynamics/absolute_rows.h"

namespace gyrostat {

/// What a speed belongs to.
struct AbsoluteSpeed {
  bool of_wheel = false;
  std::uint32_t number = 0;   // of the wheel, or of the joint's row among those of all joints: six for each
  std::uint32_t decided = 0;  // the speed whose flag says whether it is free
};

/// Constants of the formulation.
struct Absolute {
  AbsoluteModel model;
  AbsoluteConstraints constraints;
  std::vector<AbsoluteSpeed> speeds;
  std::vector<Matrix3> inertia_inverse;  // by body; of one without mass or inertia in some direction it is not used
  std::vector<bool> singular;            // by body: it has none, or may have none
  double mass_scale = 1;                 // of the bodies: a size for what stands in for the mass they lack [kg]
  double inertia_scale = 1;              // [kg m^2]
  Forces<double> as_built;               // what is free as the system says

  Absolute(const System& system, const DynamicsSettings& settings);

  [[nodiscard]] std::uint32_t joint_rows() const { return 6 * static_cast<std::uint32_t>(model.bodies.size()); }
};

/// A part of an equation: a row between two bodies, or the speed of a wheel, with a coefficient.
struct AbsolutePart {
  static constexpr std::uint32_t nowhere = ~0U;

  bool of_wheel = false;
  std::uint32_t number = 0;  // of the row, those of joints first, then those of closures; or of the wheel
  double coefficient = 1;
  std::array<std::uint32_t, 2> body = {0, 0};               // P and C, or that with the wheel; 0: the world, or none
  std::array<std::uint32_t, 2> place = {nowhere, nowhere};  // in D: of the carriers of both bodies, or the second of
                                                            // the wheel
};

/// One equation of constraint, the sum of its parts.
struct AbsoluteEquation {
  enum class Given : std::uint8_t { nothing, speed, value };

  std::uint32_t first = 0, end = 0;  // parts
  Given given = Given::nothing;
  std::uint32_t index = 0;       // of the speed, or in Forces::equals
  std::uint32_t constraint = 0;  // the number of its row among those that may be redundant, from `first_constraint` on
  bool stiff = false;            // it acts on a body without mass or inertia in some direction
};

/// Bodies whose inverse mass matrix is one block: a single body, a flexible one with its nodes, or one without mass in
/// some direction together with all bodies that its constraints connect it to.
struct AbsoluteBlock {
  std::uint32_t first_body = 0, end_body = 0;      // in block_bodies
  std::uint32_t first_column = 0, end_column = 0;  // in columns: the equations that act on it
  std::uint32_t size = 0;                          // coordinates
  std::uint32_t x = 0;                             // where they begin
  std::uint32_t D = 0;                             // where its part of D^T begins, by columns
  std::uint32_t slots = 0;                         // where its pairs of columns begin in `slots`
  std::uint32_t matrix = 0;                        // where its mass matrix begins; of single rigid bodies, none is kept
  bool dense = false;                              // it is kept
};

struct AbsolutePlan {
  std::vector<bool> given;  // by speed
  std::vector<AbsoluteEquation> equations;
  std::uint32_t first_constraint = 0;  // equations from here on are those of the system's constraints
  std::vector<AbsolutePart> parts;
  std::vector<AbsoluteBlock> blocks;
  std::vector<std::uint32_t> block_bodies, columns, slots;
  std::vector<std::uint32_t> x;  // by body: where its coordinates begin
  std::uint32_t coordinates = 0, D_size = 0, matrix_size = 0, largest_block = 0;
  SymmetricFactors factors;

  AbsolutePlan() = default;
  AbsolutePlan(const Absolute& constants, const Forces<double>& forces);

  [[nodiscard]] bool fits(const Absolute& constants, const Forces<double>& forces) const;
};

/// Where the coordinate of a part's wheel is among those of its body.
std::uint32_t wheel_within(const Absolute& constants, const AbsolutePart& part);

inline bool is_given(const Absolute& constants, const Forces<double>& forces, std::size_t speed) {
  return !forces.free[constants.speeds[speed].decided];
}

}  // namespace gyrostat
