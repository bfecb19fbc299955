#include "gyrostat/plant/layout.h"

#include <algorithm>

#include "gyrostat/dynamics/joint_motion.h"

namespace gyrostat {

Layout::Layout(const System& system, Attitude chosen, std::size_t states)
    : attitude(chosen),
      nq(static_cast<std::size_t>(system.initial.q.size())),
      nu(static_cast<std::size_t>(system.initial.u.size())),
      nx(states) {
  std::size_t q = 0;
  const auto run_to = [&](std::size_t end) {
    if (end > q) runs.push_back({size, q, end - q});
    size += end - q;
    q = end;
  };
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type)) continue;
    run_to(joint.q + (joint.type == JointType::free ? 3u : 0u));
    turns.push_back({size, q, joint.u, joint.name});
    size += attitude == Attitude::quaternion ? 4 : 6;
    q += 4;
  }
  run_to(nq);
  u = size;
  x = u + nu;
  size = x + nx;
}

void Layout::gather(const State& state, double* y) const {
  for (const Run& run : runs) std::copy_n(state.q.data() + run.q, run.count, y + run.y);
  for (const Turn& turn : turns) {
    const double* e = state.q.data() + turn.q;
    if (attitude == Attitude::quaternion) {
      std::copy_n(e, 4, y + turn.y);
    } else {
      const Mat3<double> R = rotation_of_quaternion(e[0], e[1], e[2], e[3]);
      const double list[6] = {R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z};
      std::copy_n(list, 6, y + turn.y);
    }
  }
  std::copy_n(state.u.data(), nu, y + u);
}

void Layout::project(double* y) const {
  for (const Turn& turn : turns) {
    if (attitude == Attitude::quaternion) {
      const double length = length_of(y + turn.y);
      for (std::size_t k = 0; k < 4; ++k) y[turn.y + k] /= length;
    } else {
      const TwoColumns<double> c = orthonormal(columns(y + turn.y));
      const double list[6] = {c.x.x, c.x.y, c.x.z, c.y.x, c.y.y, c.y.z};
      std::copy_n(list, 6, y + turn.y);
    }
  }
}

double Layout::distance_from_unit(const double* y) const {
  double most = 0;
  for (const Turn& turn : turns) {
    const double* e = y + turn.y;
    if (attitude == Attitude::quaternion) {
      most = std::max(most, std::abs(length_of(e) - 1));
    } else {
      const TwoColumns<double> c = columns(e);
      most = std::max({most, std::abs(dot(c.x, c.x) - 1), std::abs(dot(c.y, c.y) - 1), std::abs(dot(c.x, c.y))});
    }
  }
  return most;
}

}  // namespace gyrostat
