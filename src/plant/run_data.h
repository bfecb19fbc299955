// What a run keeps for some of its operations, made when they are first asked for.
#pragma once

#include <cmath>

#include "gyrostat/plant/run.h"

namespace gyrostat {

/// Accelerations by the recursion of articulated bodies, whatever the formulation of the run.
struct PlantRun::Recursion {
  ArticulatedBodyData<double> articulated;
  std::vector<double> udot;

  explicit Recursion(const Plant& plant) : articulated(plant.mechanism()), udot(plant.layout().nu) {}
};

/// The right-hand side with derivatives along eight directions at a time. Accelerations are those of the recursion,
/// which any exact formulation agrees with; to a linearised one they are near enough for an iteration.
struct PlantRun::JacobianData {
  PlantData<Directional> data;
  std::vector<Directional> y, ydot;

  explicit JacobianData(const Plant& plant) : data(plant, plant.constants()), y(plant.size()), ydot(plant.size()) {}
};

/// The equations of motion in descriptor form.
struct PlantRun::Descriptor {
  Eigen::MatrixXd J;  // of the rows that are kept
  std::vector<double> corrected, values;
  std::vector<Directional> corrected_along, unknowns, results;
};

/// Equations of motion without velocities and forces: what impulses do to speeds, and least displacements, in the
/// metric of the masses.
struct PlantRun::AtRest {
  Kinematics<double> kinematics;
  ArticulatedBodyData<double> articulated;
  Closures<double> closures;
  Forces<double> forces;
  std::vector<double> speeds, change;
  std::optional<Reactions> reactions;

  explicit AtRest(const Plant& plant)
      : kinematics(plant.mechanism()),
        articulated(plant.mechanism()),
        closures(make_closures<double>(plant.constraints())),
        forces(plant.system()),
        speeds(plant.mechanism().nu),
        change(plant.mechanism().nu) {
    closures.dependent = 1e-6;  // near a singularity, what is left of violations would become large displacements
  }
};

/// What speeds jump by at an event.
struct PlantRun::Jumps {
  std::vector<double> speeds;  // by speed: of those that are not free
  std::vector<double> equals;  // of the rates of Forces::equals

  /// A stop that takes part: direction * u must be at least `least` afterwards, and its impulse pushes that way.
  struct Stop {
    std::uint32_t restraint = 0;
    double direction = 1, least = 0, impulse = 0;
    bool still = false;  // constraints and what else is held keep it at rest: there is no impulse
  };
  std::vector<Stop> stops;

  explicit Jumps(const Plant& plant)
      : speeds(plant.layout().nu), equals(Forces<double>(plant.system()).equals.size()) {}
};

/// What stands still where friction or a stop may hold it, let go of; and the forces that hold it.
struct PlantRun::Standing {
  std::vector<std::uint32_t> open, speeds;     // restraints, and their speeds
  std::vector<bool> starts;                    // at the level of sliding
  Eigen::MatrixXd W;                           // accelerations by unit forces
  std::vector<Eigen::Matrix3Xd> reactions;     // by friction by reaction: across its axis, by unit forces
  Eigen::VectorXd without, low, high, forces;  // accelerations if nothing held; limits of the forces
  double rounding = 0;                         // of an acceleration that constraints make zero

  /// What constraints hold, whatever the forces, has no acceleration; rounding is none.
  void set_acceleration_without(Eigen::Index k, double a) {
    without[k] = W(k, k) == 0 && std::abs(a) <= rounding ? 0 : a;
  }

  /// Do any forces within the limits times `scale` leave no acceleration?
  [[nodiscard]] bool can_hold(double scale) const;
  /// By how much smaller the limits of friction could be, relatively; negative where they are too small.
  [[nodiscard]] double margin() const;
};

/// Of dry friction at rest: preload + coefficient * what the joint transmits across its axis.
struct PlantRun::Level {
  double preload = 0, coefficient = 0;
};

/// Between what a reaction of a restraint can be.
struct PlantRun::Range {
  double low = 0, high = 0;
};

}  // namespace gyrostat
