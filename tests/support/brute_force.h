// Which motions leave all mass at rest, the long way: a matrix made by finite differences of the bodies' poses, and its
// singular values. Nothing of the program's own kinematics is used.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "support/assemble.h"
#include "support/reference.h"

namespace gyrostat::testing {

using Poses = std::map<std::string, Pose>;

/// A column of the unknowns: a speed of a joint that moves freely (of the tree, or one that closes a loop), or the
/// rate of a free wheel.
struct Column {
  const JointDescription* joint;
  std::size_t speed;
  bool closing;
};

/// Rows whose squares sum to twice the kinetic energy, then rows that loops hold at zero: A x = 0 exactly for the
/// motions that the loops allow and that leave all mass at rest.
class BruteForce {
 public:
  explicit BruteForce(const Assembled& assembled) : a_(assembled), closing_(assembled.closing()) {
    for (const JointDescription& j : a_.description.joints) {
      const bool closes = std::find(closing_.begin(), closing_.end(), j.name) != closing_.end();
      if (is_loop_constraint(j.type) || j.locked || j.prescribed.kind != Prescribed::Kind::none) continue;
      for (std::size_t k = 0; k < j.speed.size(); ++k) columns_.push_back({&j, k, closes});
    }
    std::size_t wheels = 0, rows = 6 * a_.description.bodies.size();
    for (const BodyDescription& b : a_.description.bodies) {
      wheels += static_cast<std::size_t>(
          std::count_if(b.wheels.begin(), b.wheels.end(), [](const auto& w) { return w.speed.empty(); }));
    }
    rows += wheels + 6 * closing_.size();
    matrix_ =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns_.size() + wheels));
    now_ = poses(initial_coordinates(a_.description));
    for (std::size_t k = 0; k < columns_.size(); ++k) fill(columns_[k], static_cast<Eigen::Index>(k));
    wheel_columns();
    if (matrix_.cols() > 0) svd_.compute(matrix_, Eigen::ComputeFullV);
  }

  /// Is there a clear gap between the singular values that are zero and those that are not?
  [[nodiscard]] bool clear() const {
    if (matrix_.cols() == 0) return true;
    for (const double s : svd_.singularValues()) {
      if (s > 1e-7 && s < 1e-4) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t nullity() const {
    std::size_t rank = 0;
    if (matrix_.cols() == 0) return 0;
    for (const double s : svd_.singularValues()) rank += s > 1e-5;
    return static_cast<std::size_t>(matrix_.cols()) - rank;
  }
  /// The joints of the tree that move in the last null vector.
  [[nodiscard]] std::set<std::string> support() const {
    std::set<std::string> names;
    const Eigen::VectorXd x = svd_.matrixV().rightCols<1>();
    double largest = 0;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (!columns_[k].closing) largest = std::max(largest, std::abs(x[static_cast<Eigen::Index>(k)]));
    }
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (!columns_[k].closing && std::abs(x[static_cast<Eigen::Index>(k)]) > 1e-6 * largest)
        names.insert(columns_[k].joint->name);
    }
    return names;
  }
  /// Does some null vector move these joints of the tree and no others? (One that moves all of them then exists too.)
  [[nodiscard]] bool is_support(const std::set<std::string>& joints) const {
    const Eigen::Index n = static_cast<Eigen::Index>(nullity());
    const Eigen::MatrixXd Z = svd_.matrixV().rightCols(n);
    Eigen::MatrixXd others = Eigen::MatrixXd::Zero(Z.rows(), n);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      if (!columns_[k].closing && !joints.contains(columns_[k].joint->name)) others.row(row) = Z.row(row);
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> held(others, Eigen::ComputeFullV);
    Eigen::Index first = 0;
    while (first < n && held.singularValues()[first] > 1e-5) ++first;
    const Eigen::MatrixXd left = Z * held.matrixV().rightCols(n - first);
    std::set<std::string> moving;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      if (left.cols() > 0 && left.row(row).cwiseAbs().maxCoeff() > 1e-6) moving.insert(columns_[k].joint->name);
    }
    return std::includes(moving.begin(), moving.end(), joints.begin(), joints.end());
  }

 private:
  static constexpr double h = 1e-5;

  [[nodiscard]] Poses poses(const Coordinates& q) const { return reference_poses(a_.description, q, closing_); }

  /// The motion of every body, and of every closing joint, for one unit speed.
  void fill(const Column& column, Eigen::Index at) {
    if (column.closing) {
      const JointDescription& j = *column.joint;
      const Vector6 V = twist_between(reference_joint_pose(j, moved(j, j.position, column.speed, -h)),
                                      reference_joint_pose(j, j.position),
                                      reference_joint_pose(j, moved(j, j.position, column.speed, h)), h);
      matrix_.block<6, 1>(loop_row(j.name), at) = -V;
      return;
    }
    Coordinates earlier = initial_coordinates(a_.description), later = earlier;
    const JointDescription& moving = *column.joint;
    earlier[moving.name] = moved(moving, moving.position, column.speed, -h);
    later[moving.name] = moved(moving, moving.position, column.speed, h);
    const Poses before = poses(earlier), after = poses(later);
    Eigen::Index row = 0, wheel = 6 * static_cast<Eigen::Index>(a_.description.bodies.size());
    for (const BodyDescription& b : a_.description.bodies) {
      const Vector6 V = twist_between(before.at(b.name), now_.at(b.name), after.at(b.name), h);
      const Vector3 w = V.head<3>(), v_com = V.tail<3>() + w.cross(b.com);
      Matrix3 bare = b.inertia;  // without the wheels that turn by themselves
      for (const WheelDescription& d : b.wheels) {
        if (!d.speed.empty()) continue;
        bare -= d.inertia * d.axis * d.axis.transpose();
        matrix_(wheel++, at) = std::sqrt(d.inertia) * w.dot(d.axis);  // 1/2 J (w.a + rate)^2
      }
      const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(bare);
      const Vector3 root = eigen.eigenvalues().unaryExpr([](double x) { return x > 1e-12 ? std::sqrt(x) : 0; });
      matrix_.block<3, 1>(row, at) = root.asDiagonal() * eigen.eigenvectors().transpose() * w;
      matrix_.block<3, 1>(row + 3, at) = std::sqrt(b.mass) * v_com;
      row += 6;
    }
    for (const std::string& name : closing_) hold(named(name), before, after, column, at);
  }

  void hold(const JointDescription& loop, const Poses& before, const Poses& after, const Column& column,
            Eigen::Index at) {
    const Eigen::Index row = loop_row(loop.name);
    if (loop.type == JointType::gear) {
      if (column.joint->name == loop.geared[1]) matrix_(row, at) += 1;
      if (column.joint->name == loop.geared[0]) matrix_(row, at) -= loop.ratio;
      return;
    }
    const auto relative = [&](const Poses& X) { return inverse(X.at(loop.parent)) * X.at(loop.child); };
    if (loop.type == JointType::distance) {
      const auto length = [&](const Poses& X) { return (relative(X) * loop.child_point - loop.parent_point).norm(); };
      matrix_(row, at) = (length(after) - length(before)) / (2 * h);
      return;
    }
    matrix_.block<6, 1>(row, at) = twist_between(relative(before), relative(now_), relative(after), h);
  }

  void wheel_columns() {
    Eigen::Index row = 6 * static_cast<Eigen::Index>(a_.description.bodies.size()),
                 column = static_cast<Eigen::Index>(columns_.size());
    for (const BodyDescription& b : a_.description.bodies) {
      for (const WheelDescription& d : b.wheels) {
        if (d.speed.empty()) matrix_(row++, column++) = std::sqrt(d.inertia);
      }
    }
  }

  [[nodiscard]] Eigen::Index loop_row(const std::string& name) const {
    const auto i = std::find(closing_.begin(), closing_.end(), name) - closing_.begin();
    return matrix_.rows() - 6 * static_cast<Eigen::Index>(closing_.size()) + 6 * static_cast<Eigen::Index>(i);
  }
  [[nodiscard]] const JointDescription& named(const std::string& name) const {
    return *std::find_if(a_.description.joints.begin(), a_.description.joints.end(),
                         [&](const auto& j) { return j.name == name; });
  }

  const Assembled& a_;
  std::vector<std::string> closing_;
  std::vector<Column> columns_;
  Poses now_;
  Eigen::MatrixXd matrix_;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd_;
};

}  // namespace gyrostat::testing
