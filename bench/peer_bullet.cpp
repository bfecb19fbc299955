// Bullet's btMultiBody. A link's frame is at its mass centre along principal axes.
//
// Timed: the parent-to-link rotation and offset of every link from its angle (updateCacheMultiDof, as Bullet's own step
// of positions does), then computeAccelerationsArticulatedBodyAlgorithmMultiDof with gyroscopic terms. World transforms
// of links are not among it: accelerations do not need them.
#include "peer.h"

#ifdef GYROSTAT_PEER_BULLET

#include <vector>

#include <BulletDynamics/Featherstone/btMultiBody.h>

namespace gyrostat::bench {
namespace {

btVector3 vector(const Vector3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}
btQuaternion quaternion(const Matrix3& R) {
  const Quaternion q = normalised(to_quaternion(R));
  return {static_cast<btScalar>(q.x), static_cast<btScalar>(q.y), static_cast<btScalar>(q.z),
          static_cast<btScalar>(q.w)};
}

class Bullet final : public Peer {
 public:
  explicit Bullet(const System& system) : base_(system.joints[1]), links_(static_cast<int>(system.body_count()) - 1) {
    std::vector<Principal> frame(system.bodies.size());
    for (std::size_t i = 1; i < frame.size(); ++i) frame[i] = principal(system.bodies[i].mass_properties);
    R_BA_ = frame[1].X_BA.R;
    to_com_ = frame[1].X_BA.p - base_.child_point;

    const auto mass = [&](std::size_t i) { return static_cast<btScalar>(system.bodies[i].mass_properties.mass); };
    body_ = std::make_unique<btMultiBody>(links_, mass(1), vector(frame[1].moments), false, false);
    for (int link = 0; link < links_; ++link) {
      const std::size_t i = static_cast<std::size_t>(link) + 2, p = system.parent[i];
      const Joint& joint = system.joints[i];
      const Pose X_AB = inverse(frame[i].X_BA), X_AB_parent = inverse(frame[p].X_BA);
      const Matrix3 R_AP = X_AB.R * joint.R_0.transpose();
      body_->setupRevolute(link, mass(i), vector(frame[i].moments), static_cast<int>(p) - 2,
                           quaternion(R_AP * frame[p].X_BA.R), vector(R_AP * joint.a[0]),
                           vector(X_AB_parent * joint.parent_point), vector(-(X_AB * joint.child_point)), true);
    }
    body_->setLinearDamping(0);
    body_->setAngularDamping(0);
    body_->setUseGyroTerm(true);
    body_->finalizeMultiDof();
  }

  std::string name() const override { return sizeof(btScalar) == sizeof(double) ? "Bullet" : "Bullet (float)"; }

  double tolerance() const override { return sizeof(btScalar) == sizeof(double) ? 1e-9 : 5e-3; }

  void set_state(const State& state) override {
    const auto q = state.q.segment<7>(base_.q);
    R_NB_ = to_rotation({q[3], q[4], q[5], q[6]});
    w_N_ = R_NB_ * state.u.segment<3>(base_.u);
    r_N_ = R_NB_ * to_com_;
    body_->setBasePos(vector(base_.parent_point + q.head<3>() + r_N_));
    body_->setWorldToBaseRot(quaternion((R_NB_ * R_BA_).transpose()));
    body_->setBaseOmega(vector(w_N_));
    body_->setBaseVel(vector(state.u.segment<3>(base_.u + 3) + w_N_.cross(r_N_)));
    for (int link = 0; link < links_; ++link) {
      body_->getJointPosMultiDof(link)[0] = static_cast<btScalar>(state.q[7 + link]);
      body_->getJointVelMultiDof(link)[0] = static_cast<btScalar>(state.u[6 + link]);
    }
  }

  void evaluate() override {
    for (int link = 0; link < links_; ++link) body_->getLink(link).updateCacheMultiDof();
    // A step of 0 leaves the velocities as they are.
    body_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, reals_, vectors_, matrices_, false, false, false);
  }

  /// Bullet leaves them in its scratch space: the base's angular and its mass centre's, world axes, then the hinges'.
  Eigen::VectorXd accelerations() const override {
    Eigen::VectorXd udot(6 + links_);
    for (int k = 0; k < 6 + links_; ++k) udot[k] = static_cast<double>(reals_[links_ + k]);
    const Vector3 angular = udot.head<3>();
    udot.head<3>() = R_NB_.transpose() * angular;
    udot.segment<3>(3) -= angular.cross(r_N_) + w_N_.cross(w_N_.cross(r_N_));
    return udot;
  }

 private:
  Joint base_;
  int links_;
  Matrix3 R_BA_;                        // principal axes of the base
  Vector3 to_com_;                      // base: from the joint point to the mass centre, body axes [m]
  Matrix3 R_NB_ = Matrix3::Identity();  // of the base, at the state set
  Vector3 w_N_ = Vector3::Zero(), r_N_ = Vector3::Zero();  // its angular velocity and to_com, world axes
  std::unique_ptr<btMultiBody> body_;
  btAlignedObjectArray<btScalar> reals_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

}  // namespace

std::unique_ptr<Peer> bullet_peer(const System& system) {
  require_only_hinges(system);
  return std::make_unique<Bullet>(system);
}

}  // namespace gyrostat::bench

#else

std::unique_ptr<gyrostat::bench::Peer> gyrostat::bench::bullet_peer(const System&) { return nullptr; }

#endif
