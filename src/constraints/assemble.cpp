#include "gyrostat/constraints/assemble.h"

#include <algorithm>
#include <cmath>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/math/least_norm.h"

namespace gyrostat {

namespace {

constexpr int most_iterations = 200;
constexpr double dependent = 1e-9;  // of the rank decision, relative to the largest pivot
constexpr double idle_part = 1e-7;  // of a change that is taken for the least, along motions that constraints allow
constexpr double rounding = 1e-13;  // of an entry of the Jacobian, relative to the terms that it is the sum of

class Assembler {
 public:
  Assembler(const Mechanism& mechanism, const Constraints& constraints, const std::vector<Truth>& movable,
            const std::vector<GivenValue<double>>& equals)
      : mechanism_(mechanism),
        constraints_(constraints),
        equals_(equals),
        rows_(make_rows<double>(constraints)),
        kinematics_(mechanism),
        J_(static_cast<Eigen::Index>(constraints.rows()), static_cast<Eigen::Index>(mechanism.nu)) {
    for (std::uint32_t r = 0; r < constraints.rows(); ++r) all_.push_back(r);
    for (std::uint32_t k = 0; k < mechanism.nu; ++k) {
      if (movable[k]) free_.push_back(k);
    }
  }

  Assembly run(State start) {
    Assembly result{std::move(start), 0, 0, 0, 0, 0};
    State& state = result.state;
    if (rows_.rows.empty()) return result;
    evaluate_at(state);
    result.position_before = largest(&ConstraintRow<double>::residual);
    result.speed_before = largest(&ConstraintRow<double>::rate);
    set_weights();
    const State given = state;
    part_points_that_meet(state);
    close(state);
    take_back_idle_change(given, state);
    set_speeds(state);
    evaluate_at(state);
    result.position = largest(&ConstraintRow<double>::residual);
    result.speed = largest(&ConstraintRow<double>::rate);
    const auto number = result.position > assembled_residual || result.speed <= assembled_residual
                            ? &ConstraintRow<double>::residual
                            : &ConstraintRow<double>::rate;
    const auto worst = std::ranges::max_element(
        rows_.rows, {}, [&](const ConstraintRow<double>& row) { return std::abs(row.*number); });
    result.worst_row = static_cast<std::uint32_t>(worst - rows_.rows.begin());
    return result;
  }

 private:
  /// With a frozen Jacobian, Newton's iteration moves points towards each other, however far they are apart.
  void evaluate_at(const State& state, bool frozen = true) {
    update(mechanism_, state.q.data(), state.u.data(), kinematics_);
    evaluate(constraints_, mechanism_, kinematics_, state.q.data(), state.u.data(), static_cast<const double*>(nullptr),
             equals_.data(), rows_.rows.data(), frozen);
  }

  [[nodiscard]] double largest(double ConstraintRow<double>::*number) const {
    double most = 0;
    for (const ConstraintRow<double>& row : rows_.rows) {
      if (!(std::abs(row.*number) <= most)) most = std::abs(row.*number);
    }
    return most;
  }

  [[nodiscard]] Eigen::VectorXd list(double ConstraintRow<double>::*number) const {
    Eigen::VectorXd values(static_cast<Eigen::Index>(rows_.rows.size()));
    for (std::size_t r = 0; r < rows_.rows.size(); ++r) values[static_cast<Eigen::Index>(r)] = rows_.rows[r].*number;
    return values;
  }

  /// How far a unit of each movable speed's coordinate counts: translations 1, rotations the length of the system.
  void set_weights() {
    length_ = 0;
    for (std::size_t i = 1; i < mechanism_.links.size(); ++i)
      length_ = std::max(length_, to_eigen(kinematics_.bodies[i].r).norm());
    if (!(length_ > 0)) length_ = 1;
    weights_.resize(static_cast<Eigen::Index>(free_.size()));
    weights_.setOnes();
    for (std::uint32_t i = 1; i < mechanism_.links.size(); ++i) {
      const Link& link = mechanism_.links[i];
      Twist<double> only;
      const Twist<double>* S = subspace_of(link, kinematics_, kinematics_.bodies[i], only);
      for (std::uint32_t k = 0; k < link.nu; ++k) {
        const auto place = std::ranges::lower_bound(free_, link.u + k);
        if (place == free_.end() || *place != link.u + k) continue;
        weights_[place - free_.begin()] = to_eigen(S[k].w).norm() > 0.5 ? length_ : 1;
      }
    }
  }

  /// The rows by the movable speeds, each in units of its weight.
  [[nodiscard]] Eigen::MatrixXd weighted_jacobian() {
    find_jacobian(mechanism_, kinematics_, constraints_.structure, rows_, all_, J_);
    Eigen::MatrixXd weighted(J_.rows(), static_cast<Eigen::Index>(free_.size()));
    for (Eigen::Index k = 0; k < weighted.cols(); ++k) {
      weighted.col(k) = J_.col(free_[static_cast<std::size_t>(k)]) / weights_[k];
    }
    leave_out_rounding(weighted);
    return weighted;
  }

  /// Of all speeds, from those of movable ones in units of their weights.
  [[nodiscard]] Eigen::VectorXd of_all_speeds(const Eigen::VectorXd& weighted) const {
    Eigen::VectorXd change = Eigen::VectorXd::Zero(J_.cols());
    for (Eigen::Index k = 0; k < weighted.size(); ++k)
      change[free_[static_cast<std::size_t>(k)]] = weighted[k] / weights_[k];
    return change;
  }

  /// The least weighted change of the movable speeds that changes the rows by `wanted`.
  [[nodiscard]] Eigen::VectorXd least_change(const Eigen::VectorXd& wanted) {
    return of_all_speeds(least_norm_solution(weighted_jacobian(), wanted, dependent));
  }

  /// A speed that does not move a row has an entry of zero, not the rounding of its two sides: divided by that, a speed
  /// would be of any size.
  void leave_out_rounding(Eigen::MatrixXd& weighted) const {
    for (Eigen::Index r = 0; r < weighted.rows(); ++r) {
      double terms = 0;
      for (const Wrench<double>& F : rows_.rows[static_cast<std::size_t>(r)].on_bodies)
        terms += to_eigen(F.torque).norm() / length_ + to_eigen(F.force).norm();
      for (double& entry : weighted.row(r)) entry = std::abs(entry) > rounding * terms ? entry : 0;
    }
  }

  [[nodiscard]] State moved(const State& state, const Eigen::VectorXd& change, double part) const {
    State next = state;
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(state.q.size());
    coordinate_rates(*mechanism_.system, state.q.data(), change.data(), rates.data());
    next.q += part * rates;
    for (const Joint& joint : mechanism_.system->joints) {
      if (has_quaternion(joint.type)) next.q.segment<4>(joint.q + (joint.type == JointType::free ? 3 : 0)).normalize();
    }
    return next;
  }

  /// What leads from one state's coordinates to another's: of movable speeds, in units of their weights. Of quaternions
  /// the vector of the rotation, along which their distance grows.
  [[nodiscard]] Eigen::VectorXd weighted_change(const State& from, const State& to) const {
    const System& system = *mechanism_.system;
    Eigen::VectorXd change(J_.cols());
    for (std::size_t i = 1; i < system.joints.size(); ++i) {
      const Joint& joint = system.joints[i];
      if (!has_quaternion(joint.type)) {
        change.segment(joint.u, joint.nu) = to.q.segment(joint.q, joint.nu) - from.q.segment(joint.q, joint.nu);
        continue;
      }
      const Eigen::Index first = joint.q + (joint.type == JointType::free ? 3 : 0);
      const auto quaternion = [&](const State& state) {
        const auto q = state.q.segment<4>(first);
        return Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
      };
      const Eigen::AngleAxisd turn(quaternion(from).conjugate() * quaternion(to));
      change.segment<3>(joint.u) = turn.angle() * turn.axis();
      if (joint.type == JointType::free)
        change.segment<3>(joint.u + 3) = to.q.segment<3>(joint.q) - from.q.segment<3>(joint.q);
    }
    for (const FlexibleBody& body : system.flexible)
      change.segment(body.u, body.data.modes()) =
          to.q.segment(body.q, body.data.modes()) - from.q.segment(body.q, body.data.modes());
    for (const Wheel& wheel : system.wheels) change[wheel.u] = to.q[wheel.q] - from.q[wheel.q];
    Eigen::VectorXd weighted(weights_.size());
    for (Eigen::Index k = 0; k < weighted.size(); ++k)
      weighted[k] = weights_[k] * change[free_[static_cast<std::size_t>(k)]];
    return weighted;
  }

  /// The least steps of an iteration do not add up to the least change; with a frozen Jacobian, they turn what no row
  /// depends on. The part of the change along motions that the constraints allow is taken back, as long as that brings
  /// the state nearer to the given one.
  void take_back_idle_change(const State& given, State& state) {
    for (int pass = 0; pass < most_iterations; ++pass) {
      evaluate_at(state, false);
      if (free_.empty() || !(largest(&ConstraintRow<double>::residual) <= assembled_residual)) return;
      const Eigen::MatrixXd J = weighted_jacobian();
      const Eigen::VectorXd change = weighted_change(given, state);
      const Eigen::VectorXd idle = change - least_norm_solution(J, J * change, dependent);
      if (!(idle.norm() > idle_part * change.norm())) return;
      bool nearer = false;
      for (double part = 1; part > 1e-3 && !nearer; part /= 2) {
        State next = moved(state, of_all_speeds(idle), -part);
        close(next);
        evaluate_at(next);
        nearer = largest(&ConstraintRow<double>::residual) <= assembled_residual &&
                 weighted_change(given, next).norm() < change.norm();
        if (nearer) state = std::move(next);
      }
      if (!nearer) return;
    }
  }

  /// Points that meet have no direction in which a distance between them grows: coordinates are moved a little, each by
  /// another amount.
  void part_points_that_meet(State& state) {
    evaluate_at(state);
    const bool meet = std::ranges::any_of(rows_.rows, [](const ConstraintRow<double>& row) {
      return !std::isfinite(row.rate) && std::isfinite(row.residual);
    });
    if (!meet) return;
    Eigen::VectorXd change = Eigen::VectorXd::Zero(J_.cols());
    for (std::size_t k = 0; k < free_.size(); ++k)
      change[free_[k]] = 1e-3 * static_cast<double>(1 + k % 7) / weights_[static_cast<Eigen::Index>(k)];
    state = moved(state, change, 1);
  }

  /// Gauss and Newton's iteration; steps that do not lessen the residual are halved.
  void close(State& state) {
    constexpr double longest_turn = 0.5;  // of a joint in one step [rad]
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      evaluate_at(state);
      const Eigen::VectorXd residual = list(&ConstraintRow<double>::residual);
      if (!residual.allFinite() || free_.empty() || residual.cwiseAbs().maxCoeff() < 0.01 * assembled_residual) return;
      const Eigen::VectorXd change = least_change(-residual);
      const double turn = change.cwiseAbs().maxCoeff();
      double part = turn > longest_turn ? longest_turn / turn : 1;
      const double before = residual.norm();
      State next = moved(state, change, part);
      for (int halving = 0; halving < 20; ++halving, part /= 2, next = moved(state, change, part)) {
        evaluate_at(next);
        const double after = list(&ConstraintRow<double>::residual).norm();
        if (after < before) break;
      }
      evaluate_at(next);
      const double after = list(&ConstraintRow<double>::residual).norm();
      if (!(after < before)) return;
      state = std::move(next);
      if (after > 0.999999 * before) return;
    }
  }

  void set_speeds(State& state) {
    if (free_.empty()) return;
    for (int pass = 0; pass < 2; ++pass) {  // the second for what rounding left
      evaluate_at(state, false);
      const Eigen::VectorXd rate = list(&ConstraintRow<double>::rate);
      if (!rate.allFinite() || rate.size() == 0 || rate.cwiseAbs().maxCoeff() == 0) return;
      state.u += least_change(-rate);
    }
  }

  const Mechanism& mechanism_;
  const Constraints& constraints_;
  const std::vector<GivenValue<double>>& equals_;
  ConstraintRows<double> rows_;
  Kinematics<double> kinematics_;
  Eigen::MatrixXd J_;
  std::vector<std::uint32_t> all_, free_;
  Eigen::VectorXd weights_;
  double length_ = 1;  // of the system [m]
};

}  // namespace

Assembly assemble(const Mechanism& mechanism, const Constraints& constraints, State start,
                  const std::vector<Truth>& movable, const std::vector<GivenValue<double>>& equals) {
  // Flexible bodies bend only where joints alone do not reach.
  std::vector<Truth> of_joints = movable;
  for (const FlexibleOf<double>& body : mechanism.flexible) {
    std::fill_n(of_joints.begin() + body.u, body.modes, Truth(false));
  }
  if (of_joints != movable) {
    Assembly unbent = Assembler(mechanism, constraints, of_joints, equals).run(start);
    if (unbent.closed()) return unbent;
  }
  return Assembler(mechanism, constraints, movable, equals).run(std::move(start));
}

}  // namespace gyrostat
