// Kinetic energy is a sum of squares: of body i alone, half of |W_i V_i|^2, where V_i is its twist and W_i has six
// columns. Of body i and all that is outboard of it, whatever the joints outboard do, at least half of |A_i V_i|^2,
// where A_i stacks W_i and what each child leaves of its own A_c when the joint's best speeds are taken:
//   min over u of |A_c (X_c V + S_c u)|^2 = |P_c A_c X_c V|^2, P_c the projection onto what is orthogonal to A_c S_c.
//   (1)
// A motion of joint c leaves all mass at rest where A_c S_c has a null vector v: joint c moves with v, nothing inboard
// of it moves, and the joints outboard of it follow with their best speeds,
//   u = -(A S)^+ A X V_parent. (2)
// The rank of the mass matrix is thus found joint by joint from factors, not from their squares: what a square loses to
// rounding, one part in 1e16, is one part in 1e8 of a factor, and no decision here is near that.
// With loops, a motion counts only if the loops allow it: G Z y = 0, Z the null motions, G the loops' rows.
#include "gyrostat/model/determinacy.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace gyrostat {

namespace {

constexpr double noise = 1e-12;            // rows this small, relative to those they are left of, are rounding
constexpr double zero = 1e-9;              // relative singular values below this mean dependence
constexpr double no_inertia = 1e-12;       // of a body's inertia: squares, not factors
constexpr std::size_t motions_named = 10;  // each costs a pass over the bodies

// All matrices are dynamic, and all factored by one type: bounded ones would compile for minutes, to no use.
using Rows = Eigen::MatrixXd;  // with six columns
using Factors = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

struct NullVector {
  std::uint32_t joint;
  Eigen::VectorXd v;
};

struct Eliminated {
  Eigen::MatrixXd S;     // 6 x nu
  Eigen::MatrixXd gain;  // maps a twist V to the u of least |A (V - S u)|, nu x 6
};

/// How many pivots are above the level.
Eigen::Index rank_above(const Factors& qr, double level) {
  const Eigen::Index most = qr.matrixQR().diagonalSize();
  Eigen::Index rank = 0;
  while (rank < most && std::abs(qr.matrixQR()(rank, rank)) > level) ++rank;
  return rank;
}

/// The first rows of R, in the order of the columns of what was factored.
Eigen::MatrixXd upper_rows(const Factors& qr, Eigen::Index count) {
  const Eigen::MatrixXd R = qr.matrixQR().topRows(count).triangularView<Eigen::Upper>();
  return R * qr.colsPermutation().transpose();
}

/// Solves with the first rows of R and of the columns, in place.
void solve_triangle(const Factors& qr, Eigen::Index rank, Eigen::MatrixXd& columns) {
  if (columns.cols() == 0) return;  // there is no memory, and none of its rows has an address
  for (Eigen::Index k = rank; k-- > 0;) {
    columns.row(k) /= qr.matrixQR()(k, k);
    for (Eigen::Index i = 0; i < k; ++i) columns.row(i) -= qr.matrixQR()(i, k) * columns.row(k);
  }
}

/// A basis, one vector per column, of what a matrix of this rank maps to zero.
Eigen::MatrixXd null_space(const Factors& qr, Eigen::Index rank) {
  const Eigen::Index columns = qr.cols();
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(columns, columns).rightCols(columns - rank);
  basis.topRows(rank) = -qr.matrixQR().topRightCorner(rank, columns - rank);
  solve_triangle(qr, rank, basis);
  return qr.colsPermutation() * basis;
}

/// What the transposed Q makes of the columns: of the first rows the factored matrix can make anything, of the others
/// nothing.
Eigen::MatrixXd turned(const Factors& qr, Eigen::MatrixXd columns) {
  for (Eigen::Index k = 0; k < qr.matrixQR().diagonalSize(); ++k) {  // Householder's reflections, one by one
    const Eigen::Index below = qr.rows() - k - 1;
    for (Eigen::Index j = 0; j < columns.cols(); ++j) {
      const double along = columns(k, j) + qr.matrixQR().col(k).tail(below).dot(columns.col(j).tail(below));
      columns(k, j) -= qr.hCoeffs()[k] * along;
      columns.col(j).tail(below) -= qr.hCoeffs()[k] * along * qr.matrixQR().col(k).tail(below);
    }
  }
  return columns;
}

/// What to multiply a matrix of this rank with to come nearest to columns that were turned.
Eigen::MatrixXd nearest(const Factors& qr, Eigen::Index rank, const Eigen::MatrixXd& turned) {
  Eigen::MatrixXd solution = Eigen::MatrixXd::Zero(qr.cols(), turned.cols());
  solution.topRows(rank) = turned.topRows(rank);
  solve_triangle(qr, rank, solution);
  return qr.colsPermutation() * solution;
}

/// The body's inertia with its free wheels running: they take no part in a turn about their axes.
std::vector<Matrix3> inertias_without_wheels(const System& system) {
  std::vector<Matrix3> inertias(system.bodies.size(), Matrix3::Zero());
  for (std::size_t i = 1; i < inertias.size(); ++i) inertias[i] = system.bodies[i].mass_properties.inertia;
  for (const Wheel& wheel : system.wheels) {
    if (!wheel.speed_prescribed) inertias[wheel.body] -= wheel.inertia * wheel.axis * wheel.axis.transpose();
  }
  return inertias;
}

/// Does every motion of the body by itself move some mass?
bool has_full_inertia(const Matrix3& without_wheels, const MassProperties& body) {
  return body.mass > 0 && principal_moments(without_wheels)[0] > no_inertia * body.inertia.trace();
}

/// The size of the system [m], to compare turns with shifts.
double length_scale(const System& system) {
  double length = 0;
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    const MassProperties& m = system.bodies[i].mass_properties;
    const Joint& joint = system.joints[i];
    const Vector3& outboard = joint.reversed ? joint.parent_point : joint.child_point;
    const Vector3& inboard = joint.reversed ? joint.child_point : joint.parent_point;
    length = std::max({length, m.com.norm(), outboard.norm()});
    if (system.parent[i] != 0) length = std::max(length, inboard.norm());  // where the world has its joint is no size
    if (m.mass > 0) length = std::max(length, std::sqrt(m.inertia.trace() / m.mass));
  }
  return length > 0 ? length : 1;
}

class Elimination {
 public:
  Elimination(const System& system, std::vector<Matrix3> inertias)
      : system_(system), inertias_(std::move(inertias)), length_(length_scale(system)) {
    const std::size_t n = system.bodies.size();
    outboard_.resize(n);
    X_.resize(n);
    std::vector<Rows> A(n, Rows(0, 6));
    for (std::size_t i = n; i-- > 1;) {
      const Joint& joint = system_.joints[i];
      const double* q = system_.initial.q.data() + joint.q;
      X_[i] = twist_transform(tree_pose(joint, q));
      Rows rows = stacked(A[i], body_rows(i));
      if (joint.motion == Motion::free && joint.nu > 0) rows = eliminate(i, joint, q, rows);
      Rows& inboard = A[system_.parent[i]];
      if (system_.parent[i] != 0) inboard = stacked(inboard, rows * X_[i]);  // (1)
      A[i] = Rows(0, 6);
    }
  }

  [[nodiscard]] const std::vector<NullVector>& null_vectors() const { return null_vectors_; }
  [[nodiscard]] double length() const { return length_; }

  /// All speeds (of joints, in the state's order) of the motion that a null vector begins.   (2)
  [[nodiscard]] Eigen::VectorXd motion(const NullVector& null) const {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(system_.initial.u.size());
    std::vector<Vector6> V(system_.bodies.size(), Vector6::Zero());
    for (std::size_t i = null.joint; i < system_.bodies.size(); ++i) {
      const std::size_t parent = system_.parent[i];
      if (i > null.joint && parent < null.joint) break;  // past the last outboard body
      V[i] = X_[i] * V[parent];
      const Eliminated& e = outboard_[i];
      if (e.S.cols() == 0) continue;
      const Eigen::VectorXd speeds = i == null.joint ? null.v : Eigen::VectorXd(-(e.gain * V[i]));
      u.segment(system_.joints[i].u, system_.joints[i].nu) = speeds;
      V[i] += e.S * speeds;
    }
    return u;
  }

 private:
  /// Twice the kinetic energy is |W V|^2: three rows for the velocity of the com, three for the turn.
  [[nodiscard]] Rows body_rows(std::size_t i) const {
    const MassProperties& m = system_.bodies[i].mass_properties;
    Rows W = Rows::Zero(6, 6);
    const double root = std::sqrt(m.mass);
    W.topRows<3>() << -root * skew(m.com), root * Matrix3::Identity();
    const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(inertias_[i]);
    for (Eigen::Index k = 0; k < 3; ++k) {
      const double moment = eigen.eigenvalues()[k];
      const bool present = moment > no_inertia * m.inertia.trace();
      if (present) W.block<1, 3>(3 + k, 0) = std::sqrt(moment) * eigen.eigenvectors().col(k).transpose();
    }
    return W;
  }

  /// At most six rows with the same sum of squares as both together.
  static Rows stacked(const Rows& a, const Rows& b) {
    Rows both(a.rows() + b.rows(), 6);
    both << a, b;
    if (both.rows() <= 6) return both;
    return upper_rows(Factors(both), 6);
  }

  /// Columns in comparable units: a turn counts as the shift it makes at a distance of the system's size.
  [[nodiscard]] double size(const Rows& rows) const {
    return std::hypot(rows.leftCols<3>().norm() / length_, rows.rightCols<3>().norm());
  }

  /// Takes the joint's speeds out of the rows, and notes those that the rows do not see.
  Rows eliminate(std::size_t i, const Joint& joint, const double* q, const Rows& rows) {
    Eliminated& e = outboard_[i];
    e.S = tree_subspace(joint, q);
    const double whole = size(rows);
    Eigen::VectorXd scale(joint.nu);
    for (Eigen::Index k = 0; k < joint.nu; ++k) {
      scale[k] = std::hypot(length_ * e.S.col(k).head<3>().norm(), e.S.col(k).tail<3>().norm());
    }
    const Factors seen(rows * e.S * scale.cwiseInverse().asDiagonal());
    const Eigen::Index rank = whole > 0 ? rank_above(seen, zero * whole) : 0;
    const Eigen::MatrixXd null = scale.cwiseInverse().asDiagonal() * null_space(seen, rank);
    for (Eigen::Index k = 0; k < null.cols(); ++k) {
      null_vectors_.push_back({static_cast<std::uint32_t>(i), null.col(k).normalized()});
    }
    const Eigen::MatrixXd parts = turned(seen, rows);
    e.gain = scale.cwiseInverse().asDiagonal() * nearest(seen, rank, parts);
    return without_noise(parts.bottomRows(rows.rows() - rank), noise * whole);
  }

  /// Equivalent rows, those that are rounding errors of what was taken out left away.
  [[nodiscard]] Rows without_noise(Rows rows, double level) const {
    rows.leftCols<3>() /= length_;
    const Factors qr(rows);
    Rows kept = upper_rows(qr, rank_above(qr, level));
    kept.leftCols<3>() *= length_;
    return kept;
  }

  const System& system_;
  std::vector<Matrix3> inertias_;
  double length_;
  std::vector<Eliminated> outboard_;
  std::vector<Matrix6> X_;  // twist transform from the parent's frame
  std::vector<NullVector> null_vectors_;
};

/// The rate at which a motion violates a constraint: six numbers, or one in the first.
Vector6 violation(const System& system, const Constraint& constraint, const std::vector<Pose>& X_N,
                  const std::vector<Vector6>& V, const Eigen::VectorXd& u) {
  Vector6 rate = Vector6::Zero();
  if (const auto* coupling = std::get_if<Coupling>(&constraint.kind)) {
    for (const Coupling::Term& term : coupling->terms) rate[0] += term.coefficient * u[term.u];
    return rate;
  }
  const auto [parent, child] = bodies_of(system, constraint);
  const Pose X_PC = inverse(X_N[parent]) * X_N[child];
  Vector6 relative = V[child] - twist_transform(X_PC) * V[parent];  // of C to P, at C, C's axes
  if (const auto* rod = std::get_if<Distance>(&constraint.kind)) {
    const Vector3 &on_P = system.nodes[rod->parent_node].p, &on_C = system.nodes[rod->child_node].p;
    const Vector3 line = X_PC.R.transpose() * (X_PC * on_C - on_P);
    const Vector3 w = relative.head<3>(), v = relative.tail<3>();
    rate[0] = line.normalized().dot(v + w.cross(on_C));
    return rate;
  }
  if (const auto* point = std::get_if<PointOnFrame>(&constraint.kind)) {
    const Vector3& on_C = system.nodes[point->point_node].p;
    const Vector3 w = X_PC.R * relative.head<3>(), v = X_PC.R * relative.tail<3>();
    const Vector3 velocity = v + w.cross(X_PC.R * on_C);  // of the point to P, P's axes
    for (std::size_t k = 0; k < point->directions.size(); ++k) {
      rate[3 + static_cast<Eigen::Index>(k)] = point->directions[k].dot(velocity);
    }
    return rate;
  }
  const auto& cut = std::get<CutJoint>(constraint.kind);
  const Eigen::MatrixXd S = joint_subspace(cut.joint, cut.position.data());
  const bool moves = cut.joint.motion == Motion::free && S.cols() > 0;
  if (moves) {
    const Factors qr(S);
    relative -= S * nearest(qr, S.cols(), turned(qr, relative));
  }
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
    const bool moves = joint.nu > 0 && u.segment(joint.u, joint.nu).cwiseAbs().maxCoeff() > 1e-6 * largest;
    if (moves) motion.joints.push_back(i);
  }
  return motion;
}

/// Those combinations of the null motions that the loops allow.
MasslessMotions allowed_by_loops(const System& system, const Elimination& elimination) {
  const auto& null_vectors = elimination.null_vectors();
  const std::vector<Pose> X_N = body_poses(system, system.initial.q);
  const auto columns = static_cast<Eigen::Index>(null_vectors.size());
  Eigen::MatrixXd Z(system.initial.u.size(), columns),
      GZ(6 * static_cast<Eigen::Index>(system.constraints.size()), columns);
  for (Eigen::Index k = 0; k < columns; ++k) {
    Z.col(k) = elimination.motion(null_vectors[static_cast<std::size_t>(k)]);
    const std::vector<Vector6> V = body_twists(system, Z.col(k));
    double fastest = 0;
    for (const Vector6& twist : V) {
      fastest = std::max(fastest, std::hypot(elimination.length() * twist.head<3>().norm(), twist.tail<3>().norm()));
    }
    if (fastest > 0) Z.col(k) /= fastest;
    for (std::size_t l = 0; l < system.constraints.size(); ++l) {
      const Vector6 rate =
          violation(system, system.constraints[l], X_N, V, Z.col(k) * fastest) / (fastest > 0 ? fastest : 1);
      GZ.col(k).segment<6>(6 * static_cast<Eigen::Index>(l)) << elimination.length() * rate.head<3>(), rate.tail<3>();
    }
  }
  const Factors qr(GZ);
  const Eigen::MatrixXd allowed = null_space(qr, rank_above(qr, zero));
  MasslessMotions result;
  result.count = static_cast<std::size_t>(allowed.cols());
  for (Eigen::Index k = 0; k < allowed.cols() && result.motions.size() < motions_named; ++k) {
    result.motions.push_back(named(system, Z * allowed.col(k)));
  }
  return result;
}

}  // namespace

MasslessMotions find_massless_motions(const System& system) {
  std::vector<Matrix3> inertias = inertias_without_wheels(system);
  bool all_full = true;
  for (std::size_t i = 1; i < inertias.size() && all_full; ++i) {
    all_full = has_full_inertia(inertias[i], system.bodies[i].mass_properties);
  }
  if (all_full) return {};  // every motion moves some mass

  const Elimination elimination(system, std::move(inertias));
  const auto& null_vectors = elimination.null_vectors();
  const std::size_t entries =
      null_vectors.size() * (static_cast<std::size_t>(system.initial.u.size()) + 6 * system.constraints.size());
  const bool few = null_vectors.size() <= massless_motions_with_loops && entries <= 20'000'000;
  if (!system.constraints.empty() && !null_vectors.empty() && few) {
    return allowed_by_loops(system, elimination);
  }
  MasslessMotions result;
  result.count = null_vectors.size();
  result.loops_ignored = !system.constraints.empty() && !null_vectors.empty();
  for (std::size_t k = 0; k < std::min(null_vectors.size(), motions_named); ++k) {
    result.motions.push_back(named(system, elimination.motion(null_vectors[k])));
  }
  return result;
}

}  // namespace gyrostat
