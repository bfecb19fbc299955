// Simbody. A body's frame is its joint's outboard frame, with the hinge along z: the case Simbody has short cuts for.
//
// Timed: realize(Stage::Acceleration) from Stage::Model on: time, positions, velocities, dynamics, accelerations. There
// is no force subsystem.
#include "peer.h"

#ifdef GYROSTAT_PEER_SIMBODY

#include <vector>

// The layout of Simbody's classes depends on NDEBUG, and Debian's library is built without it.
#undef NDEBUG
#include <cassert>

// Simbody's index types compare through conversions, in which C++20 sees two equal ways. An exact one settles it.
#include <SimTKcommon/internal/common.h>
namespace SimTK {
template <class Index>
requires requires(const Index& i) {
  Index::Invalid();
  i.isValidExtended();
}
bool operator==(const Index& a, const Index& b) { return static_cast<int>(a) == static_cast<int>(b); }
}  // namespace SimTK

// A header that is not needed here and that clang does not take as C++20.
#define SimTK_SIMMATH_MULTIBODY_GRAPH_MAKER_H_

#include <simbody/internal/Constraint_Ball.h>
#include <simbody/internal/MobilizedBody_Free.h>
#include <simbody/internal/MobilizedBody_Ground.h>
#include <simbody/internal/MobilizedBody_Pin.h>
#include <simbody/internal/MultibodySystem.h>
#include <simbody/internal/SimbodyMatterSubsystem.h>

namespace gyrostat::bench {
namespace {

SimTK::Vec3 to_simbody(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

SimTK::Transform to_simbody(const Pose& X) {
  SimTK::Mat33 m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m(r, c) = X.R(r, c);
  return {SimTK::Rotation(m, true), to_simbody(X.p)};
}

SimTK::Body::Rigid to_simbody(const MassProperties& body) {
  const Matrix3& J = body.inertia;
  const SimTK::Vec3 com = to_simbody(body.com);
  const SimTK::Inertia inertia(J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2));
  return SimTK::Body::Rigid(SimTK::MassProperties(body.mass, com, inertia.shiftFromMassCenter(com, body.mass)));
}

Matrix3 with_z_along(const Vector3& axis) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), axis).toRotationMatrix();
}

class Simbody final : public Peer {
 public:
  explicit Simbody(const System& system) : base_(system.joints[1]), matter_(multibody_), first_(system.bodies.size()) {
    std::vector<Pose> X_BA(system.bodies.size());
    std::vector<SimTK::MobilizedBody> bodies{matter_.updGround()};
    for (std::size_t i = 1; i < system.bodies.size(); ++i) {
      const Joint& joint = system.joints[i];
      const std::size_t p = system.parent[i];
      const Matrix3 R_PF = i == 1 ? Matrix3::Identity() : with_z_along(joint.a[0]);
      X_BA[i] = {i == 1 ? Matrix3::Identity() : Matrix3(joint.R_0.transpose() * R_PF), joint.child_point};
      const auto body = to_simbody(in_frame(inverse(X_BA[i]), system.bodies[i].mass_properties));
      const auto inboard = to_simbody(inverse(X_BA[p]) * Pose{R_PF, joint.parent_point});
      if (i == 1)
        bodies.emplace_back(SimTK::MobilizedBody::Free(bodies[p], inboard, body, SimTK::Transform()));
      else
        bodies.emplace_back(SimTK::MobilizedBody::Pin(bodies[p], inboard, body, SimTK::Transform()));
    }
    for (const Constraint& constraint : system.constraints) {
      const Joint& joint = std::get<CutJoint>(constraint.kind).joint;
      const auto place = [&](const Node& node) { return to_simbody(inverse(X_BA[node.body]) * node.p); };
      const Node &a = system.nodes[joint.parent_node], &b = system.nodes[joint.child_node];
      SimTK::Constraint::Ball(bodies[a.body], place(a), bodies[b.body], place(b));
    }
    state_ = multibody_.realizeTopology();
    multibody_.realizeModel(state_);
    // Simbody numbers coordinates level by level, not in the order of the bodies.
    for (std::size_t i = 1; i < bodies.size(); ++i)
      first_[i] = {bodies[i].getFirstQIndex(state_), bodies[i].getFirstUIndex(state_)};
  }

  std::string name() const override { return "Simbody"; }

  void set_state(const State& state) override {
    double* q = &state_.updQ()[0];
    double* u = &state_.updU()[0];
    const auto pose = state.q.segment<7>(base_.q);
    R_NB_ = to_rotation({pose[3], pose[4], pose[5], pose[6]});
    Eigen::Map<Eigen::Vector<double, 7>>(q + first_[1].q) << pose.tail<4>(), pose.head<3>();
    Eigen::Map<Vector6>(u + first_[1].u) << R_NB_ * state.u.segment<3>(base_.u), state.u.segment<3>(base_.u + 3);
    for (std::size_t i = 2; i < first_.size(); ++i) {
      q[first_[i].q] = state.q[static_cast<Eigen::Index>(i) + 5];
      u[first_[i].u] = state.u[static_cast<Eigen::Index>(i) + 4];
    }
  }

  void evaluate() override { multibody_.realize(state_, SimTK::Stage::Acceleration); }

  /// The base's angular acceleration is in world axes.
  Eigen::VectorXd accelerations() const override {
    const double* from = &state_.getUDot()[0];
    Eigen::VectorXd udot(state_.getNU());
    const Eigen::Map<const Vector6> base(from + first_[1].u);
    udot.head<6>() << R_NB_.transpose() * base.head<3>(), base.tail<3>();
    for (std::size_t i = 2; i < first_.size(); ++i) udot[static_cast<Eigen::Index>(i) + 4] = from[first_[i].u];
    return udot;
  }

 private:
  struct First {
    int q = 0, u = 0;
  };

  Joint base_;
  SimTK::MultibodySystem multibody_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::State state_;
  std::vector<First> first_;            // by body
  Matrix3 R_NB_ = Matrix3::Identity();  // of the base, at the state set
};

}  // namespace

std::unique_ptr<Peer> simbody_peer(const System& system) {
  require_only_hinges(system);
  return std::make_unique<Simbody>(system);
}

}  // namespace gyrostat::bench

#else

std::unique_ptr<gyrostat::bench::Peer> gyrostat::bench::simbody_peer(const System&) { return nullptr; }

#endif
