// The mass matrix M of a tree factors into blocks D_i = S_i^T A_i S_i, one for each joint, where A_i is the
// articulated inertia outboard of joint i:
//   A_i = I_i + sum over children c of X_c^T (A_c - A_c S_c D_c^+ S_c^T A_c) X_c.                               (1)
// M is positive semidefinite, so its nullity is the sum of the nullities of the D_i, and to each null vector v of D_i
// belongs a motion that leaves all mass at rest: joint i moves with v, nothing inboard of it moves, and the joints
// outboard of it follow with
//   u_c = -D_c^+ S_c^T A_c X_c V_parent.                                                                       (2)
// With loops, a motion counts only if the loop constraints allow it: G Z y = 0, Z the null motions, G the loops' rows.
#include "gyrostat/model/determinacy.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace gyrostat {

namespace {

constexpr double relative_zero = 1e-10;    // of the terms that a sum cancels from
constexpr std::size_t motions_named = 10;  // each costs a pass over the bodies
constexpr std::size_t motions_with_loops = 64;

using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

struct NullVector {
  std::uint32_t joint;
  SmallVector v;
};

struct Eliminated {
  Subspace S;
  Small gain;  // D^+ S^T A, nu x 6
};

/// Does every motion of the body alone, wheels running freely, have energy?
bool has_full_inertia(const Matrix3& inertia, double mass) {
  const Vector3 moments = principal_moments(inertia);
  return mass > 0 && moments[0] > relative_zero * moments[2];
}

class Elimination {
 public:
  explicit Elimination(const System& system)
      : system_(system), outboard_(system.bodies.size()), X_(system.bodies.size()) {}

  /// False if no body lacks mass or inertia: then every motion moves some mass, and there is nothing to eliminate.
  bool needed() {
    prepare();
    for (std::size_t i = 1; i < system_.bodies.size(); ++i) {
      if (!has_full_inertia(despun_[i], system_.bodies[i].mass_properties.mass)) return true;
    }
    return false;
  }

  void run() {
    const std::size_t n = system_.bodies.size();
    std::vector<Matrix6> A(n), terms(n);  // articulated inertia, and the size of the terms it was summed from
    for (std::size_t i = 1; i < n; ++i) {
      const MassProperties& m = system_.bodies[i].mass_properties;
      A[i] = spatial_inertia({m.mass, m.com, despun_[i]});
      terms[i] = spatial_inertia(m).cwiseAbs();
    }
    A[0].setZero();
    terms[0].setZero();
    for (std::size_t i = n; i-- > 1;) {
      const Joint& joint = system_.joints[i];
      const double* q = system_.initial.q.data() + joint.q;
      X_[i] = twist_transform(tree_pose(joint, q));
      const std::size_t parent = system_.parent[i];
      terms[parent] += X_[i].cwiseAbs().transpose() * A[i].cwiseAbs() * X_[i].cwiseAbs();
      if (joint.motion == Motion::free && joint.nu > 0) eliminate(i, joint, q, A[i], terms[i]);
      A[parent] += X_[i].transpose() * A[i] * X_[i];  // (1)
    }
  }

  [[nodiscard]] const std::vector<NullVector>& null_vectors() const { return null_vectors_; }

  /// All speeds (of joints, in the state's order) of the motion that a null vector begins.   (2)
  [[nodiscard]] Eigen::VectorXd motion(const NullVector& null) const {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(system_.initial.u.size());
    std::vector<Vector6> V(system_.bodies.size(), Vector6::Zero());
    for (std::size_t i = null.joint; i < system_.bodies.size(); ++i) {
      const std::size_t parent = system_.parent[i];
      if (i > null.joint && parent < null.joint) break;  // past the last outboard body
      const Joint& joint = system_.joints[i];
      V[i] = X_[i] * V[parent];
      if (outboard_[i].S.cols() == 0) continue;
      SmallVector speeds = -(outboard_[i].gain * V[i]);
      if (i == null.joint) speeds = null.v;
      u.segment(joint.u, joint.nu) = speeds;
      V[i] += outboard_[i].S * speeds;
    }
    return u;
  }

 private:
  /// Inertia of each body with its free wheels running: they take no part in a turn about their axes.
  void prepare() {
    despun_.resize(system_.bodies.size());
    for (std::size_t i = 1; i < despun_.size(); ++i) despun_[i] = system_.bodies[i].mass_properties.inertia;
    for (const Wheel& wheel : system_.wheels) {
      if (!wheel.speed_prescribed) despun_[wheel.body] -= wheel.inertia * wheel.axis * wheel.axis.transpose();
    }
  }

  void eliminate(std::size_t i, const Joint& joint, const double* q, Matrix6& A, const Matrix6& terms) {
    Eliminated& e = outboard_[i];
    e.S = tree_subspace(joint, q);
    const Small U = e.S.transpose() * A;  // S^T A
    const Small D = U * e.S;
    const SmallVector scale = (e.S.cwiseAbs().transpose() * terms * e.S.cwiseAbs()).diagonal().cwiseSqrt();
    SmallVector unit(joint.nu);
    for (Eigen::Index k = 0; k < unit.size(); ++k) unit[k] = scale[k] > 0 ? 1 / scale[k] : 0;
    const Small normalised = unit.asDiagonal() * D * unit.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Small> eigen(normalised);
    Small inverse = Small::Zero(joint.nu, joint.nu);
    for (Eigen::Index k = 0; k < unit.size(); ++k) {
      const double value = eigen.eigenvalues()[k];
      const SmallVector vector = eigen.eigenvectors().col(k);
      if (value > relative_zero) {
        inverse += vector * vector.transpose() / value;
      } else {
        // where the scale is zero the coordinate itself moves nothing
        SmallVector v = vector;
        for (Eigen::Index c = 0; c < v.size(); ++c) {
          if (scale[c] > 0) v[c] *= unit[c];
        }
        null_vectors_.push_back({static_cast<std::uint32_t>(i), v.normalized()});
      }
    }
    e.gain = unit.asDiagonal() * inverse * unit.asDiagonal() * U;
    A -= U.transpose() * e.gain;
  }

  const System& system_;
  std::vector<Matrix3> despun_;
  std::vector<Eliminated> outboard_;
  std::vector<Matrix6> X_;  // twist transform from the parent's frame
  std::vector<NullVector> null_vectors_;
};

/// The rate at which a motion violates a loop: six numbers, or one in the first.
Vector6 violation(const System& system, const Loop& loop, const std::vector<Pose>& X_N, const std::vector<Vector6>& V,
                  const Eigen::VectorXd& u) {
  Vector6 rate = Vector6::Zero();
  if (loop.joint.type == JointType::gear) {
    rate[0] = u[system.joints[loop.child].u] - loop.ratio * u[system.joints[loop.parent].u];
    return rate;
  }
  const Pose X_PC = inverse(X_N[loop.parent]) * X_N[loop.child];
  Vector6 relative = V[loop.child] - twist_transform(X_PC) * V[loop.parent];  // of C to P, at C, C's axes
  if (loop.joint.type == JointType::distance) {
    const Vector3 line = X_PC.R.transpose() * (X_PC * loop.joint.child_point - loop.joint.parent_point);
    const Vector3 w = relative.head<3>(), v = relative.tail<3>();
    rate[0] = line.normalized().dot(v + w.cross(loop.joint.child_point));
    return rate;
  }
  const Subspace S = joint_subspace(loop.joint, loop.position.data());
  if (S.cols() > 0) relative -= S * S.colPivHouseholderQr().solve(relative).eval();
  return relative;
}

std::vector<Vector6> body_twists(const System& system, const Eigen::VectorXd& u) {
  std::vector<Vector6> V(system.bodies.size(), Vector6::Zero());
  for (std::size_t i = 1; i < V.size(); ++i) {
    const Joint& joint = system.joints[i];
    const double* q = system.initial.q.data() + joint.q;
    V[i] = twist_transform(tree_pose(joint, q)) * V[system.parent[i]] +
           tree_subspace(joint, q) * u.segment(joint.u, joint.nu);
  }
  return V;
}

MasslessMotion named(const System& system, const Eigen::VectorXd& u) {
  MasslessMotion motion;
  const double largest = u.cwiseAbs().maxCoeff();
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (joint.nu > 0 && u.segment(joint.u, joint.nu).cwiseAbs().maxCoeff() > 1e-6 * largest) motion.joints.push_back(i);
  }
  return motion;
}

}  // namespace

MasslessMotions find_massless_motions(const System& system) {
  MasslessMotions result;
  Elimination elimination(system);
  if (!elimination.needed()) return result;
  elimination.run();
  const auto& null_vectors = elimination.null_vectors();
  result.count = null_vectors.size();
  if (system.loops.empty() || null_vectors.empty() || null_vectors.size() > motions_with_loops) {
    for (std::size_t k = 0; k < std::min(null_vectors.size(), motions_named); ++k) {
      result.motions.push_back(named(system, elimination.motion(null_vectors[k])));
    }
    return result;
  }

  // G Z: what each null motion does to each loop.
  const std::vector<Pose> X_N = body_poses(system, system.initial.q);
  const auto columns = static_cast<Eigen::Index>(null_vectors.size());
  Eigen::MatrixXd Z(system.initial.u.size(), columns), GZ(6 * static_cast<Eigen::Index>(system.loops.size()), columns);
  for (Eigen::Index k = 0; k < columns; ++k) {
    Z.col(k) = elimination.motion(null_vectors[static_cast<std::size_t>(k)]);
    const std::vector<Vector6> V = body_twists(system, Z.col(k));
    for (std::size_t l = 0; l < system.loops.size(); ++l) {
      GZ.col(k).segment<6>(6 * static_cast<Eigen::Index>(l)) = violation(system, system.loops[l], X_N, V, Z.col(k));
    }
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(GZ, Eigen::ComputeFullV);
  result.count = 0;
  for (Eigen::Index k = 0; k < columns; ++k) {
    const double value = k < svd.singularValues().size() ? svd.singularValues()[k] : 0;
    if (value > 1e-9) continue;
    ++result.count;
    if (result.motions.size() < motions_named) result.motions.push_back(named(system, Z * svd.matrixV().col(k)));
  }
  return result;
}

}  // namespace gyrostat
