// Small motion of a free-flying tree about a configuration at rest, with first-order transformations between bodies
// (Fleischer and Likins 1974, Eq. 13): the matrix of the equations is constant and inverted once. Numbers in comments
// are the equations of docs/theory/linear_total.md.
#pragma once

#include "gyrostat/dynamics/line_hinges.h"

namespace gyrostat {

/// A hinge where all is at `about`, base axes.
struct NominalHinge {
  Vec3<double> g;  // its axis
  Vec3<double> h;  // g x d of its branch [m]
  std::uint32_t body = 0, q = 0, u = 0;
  double about = 0;  // [rad]
  bool free = true;  // its acceleration is unknown: as the System has it, for good
};

/// A body where all is at `about`, base axes.
struct NominalBody {
  std::uint32_t number = 0, parent = 0, hinge = 0, hinges = 0;
  HingeKind kind = HingeKind::line;
  Vec3<double> link;  // from the parent's base point to this one's [m]
  Vec3<double> D, d;  // from the barycentre to the base point; the sum of those of the branch [m]
  Quaternion about;   // of a ball
};

/// What both totally linearised formulations have in common: constants. The matrix is inverted once, so which hinges
/// are free is decided by the System they are built of; `accelerations` throws std::invalid_argument if the forces say
/// otherwise. Inputs of the gain are the torque on the whole, the
/// right-hand sides of free hinges and the accelerations of given ones. Outputs are the base's angular
/// acceleration, those of the free hinges, and what both do to the acceleration of the base point; base axes.
struct SmallMotion {
  LineHinges tree;
  std::vector<NominalBody> bodies;
  std::vector<NominalHinge> hinges;
  std::vector<WeldedBody> welded;    // levers in base axes
  std::vector<std::uint32_t> all;    // hinges
  std::vector<std::uint32_t> free;   // in the state's u: the free hinges
  std::vector<std::uint32_t> given;  // in the state's u: the others
  std::size_t inputs = 0, outputs = 0;
  std::vector<double> gain;  // (4), (5): columns of `outputs`

  SmallMotion(const System& system, const DynamicsSettings& settings);
};

struct SmallMotionData {
  std::vector<Wrench<double>> branch;  // by body: torque about its base point and force on its branch, base axes
  std::vector<double> in, out;

  explicit SmallMotionData(const SmallMotion& small)
      : branch(small.bodies.size()), in(small.inputs), out(small.outputs) {}
};

struct LinearTotal {
  SmallMotion small;

  LinearTotal(const System& system, const DynamicsSettings& settings) : small(system, settings) {}
};

struct LinearTotalData {
  SmallMotionData small;
  std::vector<Vec3<double>> theta;    // by body: the small rotation relative to the base [rad]
  std::vector<Vec3<double>> link, d;  // by body, to first order [m]
  std::vector<Vec3<double>> g;        // by hinge, to first order

  explicit LinearTotalData(const LinearTotal& constants);
};

/// What keeps linear_total and linear_total_fixed from taking the system, naming it, or empty.
std::string outside_domain_of_linear_total(const System& system, const DynamicsSettings& settings);

/// Derivatives of all speeds. Throws std::invalid_argument if other joints are free than those of the System.
void accelerations(const LinearTotal& constants, const double* q, const double* u, const Forces<double>& forces,
                   LinearTotalData& workspace, double* udot);

/// What acts on each body, those welded to it left out, in base axes: in `branch`.
void resolve_loads(const SmallMotion& small, const double* q, const Forces<double>& forces, const Mat3<double>& R,
                   SmallMotionData& data);

/// From `in` without its given part to udot. `R` is that of the base, `force` that on the whole in base axes.
void respond(const SmallMotion& small, const double* q, const double* u, const Forces<double>& forces,
             const Mat3<double>& R, const Vec3<double>& force, SmallMotionData& data, double* udot);

}  // namespace gyrostat
