#include "gyrostat/dynamics/linear_total_fixed.h"

namespace gyrostat {

void accelerations(const LinearTotalFixed& constants, const double* q, const double* u, const Forces<double>& forces,
                   LinearTotalFixedData& workspace, double* udot) {
  const SmallMotion& small = constants.small;
  SmallMotionData& data = workspace.small;
  require_choice(small.tree, forces, "linear_total_fixed", small.all);
  const Mat3<double> R = base_rotation(small.tree, q);
  resolve_loads(small, q, forces, R, data);
  for (const WeldedBody& welded : small.welded) {
    const Wrench<double>& wrench = forces.wrench[welded.number];
    Wrench<double>& host = data.branch[welded.host];
    const Vec3<double> force = transpose_times(R, wrench.force);
    host.torque += transpose_times(R, wrench.torque) + cross(welded.lever, force);
    host.force += force;
  }
  for (std::size_t k = small.bodies.size(); k-- > 1;) {
    Wrench<double>& inboard = data.branch[small.bodies[k].parent];
    inboard.torque += data.branch[k].torque + cross(small.bodies[k].link, data.branch[k].force);  // (1)
    inboard.force += data.branch[k].force;
  }
  const Vec3<double>& force = data.branch[0].force;
  const Vec3<double> whole = data.branch[0].torque + cross(small.bodies[0].d, force);  // (1)
  double* in = data.in.data();
  in[0] = whole.x, in[1] = whole.y, in[2] = whole.z;
  in += 3;
  for (const NominalHinge& hinge : small.hinges) {
    if (!hinge.free) continue;
    *in++ = forces.tau[hinge.u] + dot(hinge.g, data.branch[hinge.body].torque) + dot(hinge.h, force);  // (2)
  }
  respond(small, q, u, forces, R, force, data, udot);
}

}  // namespace gyrostat
