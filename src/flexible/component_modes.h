// Mode shapes of a structure given by finite elements: modes of the clamped structure, component modes after Craig and
// Bampton (static modes of boundary nodes and modes with these nodes fixed), or modes of the free structure.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "gyrostat/flexible/flexible_data.h"
#include "gyrostat/math/spatial.h"

namespace gyrostat {

/// A structure over its n degrees of freedom. It has six rigid-body motions, translations along and rotations about the
/// axes of a frame of its own; they may also move it where it has no degree of freedom.
struct FiniteElementModel {
  Eigen::MatrixXd strain;                // E: strains times the roots of their stiffnesses; the stiffness is E'E
  Eigen::MatrixXd mass;                  // n x n; may be singular
  Eigen::MatrixXd rigid;                 // n x 6: rigid-body motions
  Eigen::MatrixXd momentum;              // n x 6: momentum and angular momentum that unit velocities give
  Matrix6 rigid_mass = Matrix6::Zero();  // of the whole structure
  Eigen::VectorXd size;                  // n: by which degrees of freedom are multiplied to compare them

  [[nodiscard]] Eigen::MatrixXd stiffness() const { return strain.transpose() * strain; }
};

enum class ModeKind : std::uint8_t {
  component,   // inboard node clamped; static modes of the boundary nodes and modes with these nodes fixed
  cantilever,  // inboard node clamped, boundary nodes free
  free_free,   // nothing clamped; without the rigid-body modes
};

/// The first ones.
struct ModeCount {
  std::size_t count = 0;
};
/// All of lower frequency [Hz].
struct ModesBelow {
  double frequency = 0;
};
/// The first ones, until the effective mass of all modes together (static ones too) reaches this fraction of what all
/// modes of the mesh have, for translation along and rotation about each axis of the structure. The rotation is about
/// the inboard node. Directions in which no mode has any are not looked at.
struct EffectiveMassFraction {
  double fraction = 0;
};
/// Those of these numbers: 1 is the one of lowest frequency.
struct ModeNumbers {
  std::vector<std::size_t> numbers;
};
/// Which of the modes that are not static. Modes of equal frequency follow each other in the order of their degrees of
/// freedom.
using ModeSelection = std::variant<ModeCount, ModesBelow, EffectiveMassFraction, ModeNumbers>;

struct ModeOptions {
  ModeKind kind = ModeKind::component;
  ModeSelection selection = ModeCount{6};
};

/// What became of the modes.
struct ModeReport {
  std::size_t static_modes = 0;     // of the boundary nodes
  std::size_t normal_modes = 0;     // chosen
  std::size_t available = 0;        // normal modes of the mesh
  std::size_t massless = 0;         // normal modes of the mesh that move no mass; not among `available`
  std::size_t massless_static = 0;  // combinations of the static and the chosen modes that move no mass: left out
};

struct ModeBasis {
  Eigen::MatrixXd shapes;     // n x m, without rigid-body motion: zero at what is clamped
  Eigen::MatrixXd rigid;      // 6 x m: the rigid-body motion that is to be added; zero if the structure is clamped
  Eigen::VectorXd stiffness;  // omega^2, ascending; the modal mass is the unit matrix [1/s^2]
  ModeReport report;
};

/// `clamped` are the degrees of freedom of the inboard node (for free_free: of any node), without which the stiffness
/// is positive definite; `boundary` those of the boundary nodes. `point` is the inboard node in the frame of the
/// rigid-body motions [m]. The largest degree of freedom of each mode is positive (of equal ones the last). Throws
/// std::invalid_argument if the selection cannot be made or selects no mode.
ModeBasis component_modes(const FiniteElementModel& model, const std::vector<Eigen::Index>& clamped,
                          const std::vector<Eigen::Index>& boundary, const ModeOptions& options,
                          const Vector3& point = Vector3::Zero());

/// The rigid-body motions that have these momenta (6 x k); none in directions without mass.
Eigen::MatrixXd motions_of_momentum(const Matrix6& rigid_mass, const Eigen::MatrixXd& momentum);

/// Translation along x, y, z [kg], rotation about x, y, z [kg m^2]; body axes.
struct EffectiveMasses {
  Eigen::Matrix<double, 6, Eigen::Dynamic> modes;  // by mode
  Vector6 total = Vector6::Zero();                 // of all nodes but the frame's: what the sums tend to
};

/// Rotations about `point`, which is given in the body's frame. For data with unit modal mass.
EffectiveMasses effective_masses(const FlexibleData& data, const Vector3& point);

}  // namespace gyrostat
