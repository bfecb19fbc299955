#include "gyrostat/dynamics/jacobian.h"

namespace gyrostat {

void point_jacobian(const Mechanism& mechanism, const Kinematics<double>& kinematics, std::uint32_t body,
                    const Vector3& point, Eigen::Matrix<double, 6, Eigen::Dynamic>& jacobian) {
  jacobian.setZero(6, static_cast<Eigen::Index>(mechanism.nu));
  if (body == 0) return;
  const BodyNumbers<double>& frames = mechanism.bodies[body];
  Vector3 lever =
      to_eigen(kinematics.bodies[body].R_NM) * (to_eigen(frames.R_BM).transpose() * (point - to_eigen(frames.base)));
  for (std::uint32_t i = body; i != 0; i = mechanism.links[i].parent) {
    const Link& link = mechanism.links[i];
    Twist<double> only;
    const Twist<double>* S = subspace_of(link, kinematics, kinematics.bodies[i], only);
    for (std::uint32_t k = 0; k < link.nu; ++k) {
      const Vector3 w = to_eigen(S[k].w);
      jacobian.col(link.u + k) << w, to_eigen(S[k].v) + w.cross(lever);
    }
    lever += to_eigen(kinematics.bodies[i].r);
  }
}

}  // namespace gyrostat
