#include "gyrostat/dynamics/linear_total_fixed.h"

namespace gyrostat {

void accelerations(const System& /*system*/, const State& state, const Forces<double>& forces,
                   LinearTotalFixed& workspace, Eigen::VectorXd& udot) {
  SmallMotion& small = workspace.small;
  const Mat3<double> R = base_rotation(small.tree, state);
  resolve_loads(state, forces, R, small);
  for (const WeldedBody& welded : small.welded) {
    const Wrench<double>& wrench = forces.wrench[welded.number];
    Wrench<double>& host = small.branch[welded.host];
    const Vec3<double> force = transpose_times(R, wrench.force);
    host.torque += transpose_times(R, wrench.torque) + cross(welded.lever, force);
    host.force += force;
  }
  for (std::size_t k = small.bodies.size(); k-- > 1;) {
    Wrench<double>& inboard = small.branch[small.bodies[k].parent];
    inboard.torque += small.branch[k].torque + cross(small.bodies[k].link, small.branch[k].force);  // (1)
    inboard.force += small.branch[k].force;
  }
  const Vec3<double>& force = small.branch[0].force;
  const Vec3<double> whole = small.branch[0].torque + cross(small.bodies[0].d, force);  // (1)
  double* in = small.in.data();
  in[0] = whole.x, in[1] = whole.y, in[2] = whole.z;
  in += 3;
  for (const NominalHinge& hinge : small.hinges) {
    if (!hinge.free) continue;
    *in++ = forces.tau[hinge.u] + dot(hinge.g, small.branch[hinge.body].torque) + dot(hinge.h, force);  // (2)
  }
  respond(state, forces, R, force, small, udot);
}

}  // namespace gyrostat
