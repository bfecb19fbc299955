#include "gyrostat/plant/layout.h"

#include <algorithm>

#include "gyrostat/dynamics/joint_motion.h"

namespace gyrostat {

Layout::Layout(const System& system, Attitude chosen, std::size_t states)
    : attitude(chosen),
      nq(static_cast<std::size_t>(system.initial.q.size())),
      nu(static_cast<std::size_t>(system.initial.u.size())),
      nx(states) {
  const auto add_run = [this](std::size_t q, std::size_t speed, std::size_t count) {
    if (count == 0) return;
    Run* last = runs.empty() ? nullptr : &runs.back();
    if (last != nullptr && last->y + last->count == size && last->q + last->count == q &&
        last->u + last->count == speed) {
      last->count += count;
    } else {
      runs.push_back({size, q, speed, count});
    }
    size += count;
  };
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (has_quaternion(joint.type)) {
      const std::size_t positions = joint.type == JointType::free ? 3 : 0;
      add_run(joint.q, joint.u + 3u, positions);
      rotations.push_back({size, joint.q + positions, joint.u});
      size += attitude == Attitude::quaternion ? 4 : 6;
    } else {
      add_run(joint.q, joint.u, joint.nq);
    }
    if (system.bodies[i].flexible == Body::none) continue;
    const FlexibleBody& body = system.flexible[system.bodies[i].flexible];
    add_run(body.q, body.u, body.data.modes());
  }
  for (const Wheel& wheel : system.wheels) add_run(wheel.q, wheel.u, 1);
  u = size;
  x = u + nu;
  size = x + nx;
}

std::size_t Layout::place_of(std::size_t coordinate) const {
  for (const Run& run : runs) {
    if (coordinate >= run.q && coordinate < run.q + run.count) return run.y + coordinate - run.q;
  }
  return 0;
}

void Layout::gather(const State& state, double* y) const {
  for (const Run& run : runs) std::copy_n(state.q.data() + run.q, run.count, y + run.y);
  for (const Rotation& r : rotations) {
    const double* e = state.q.data() + r.q;
    if (attitude == Attitude::quaternion) {
      std::copy_n(e, 4, y + r.y);
    } else {
      const Mat3<double> R = rotation_of_quaternion(e[0], e[1], e[2], e[3]);
      const double list[6] = {R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z};
      std::copy_n(list, 6, y + r.y);
    }
  }
  std::copy_n(state.u.data(), nu, y + u);
}

void Layout::project(double* y) const {
  for (const Rotation& r : rotations) {
    if (attitude == Attitude::quaternion) {
      const double length = length_of(y + r.y);
      for (std::size_t k = 0; k < 4; ++k) y[r.y + k] /= length;
    } else {
      const TwoColumns<double> c = orthonormal(columns(y + r.y));
      const double list[6] = {c.x.x, c.x.y, c.x.z, c.y.x, c.y.y, c.y.z};
      std::copy_n(list, 6, y + r.y);
    }
  }
}

double Layout::distance_from_unit(const double* y) const {
  double most = 0;
  for (const Rotation& r : rotations) {
    const double* e = y + r.y;
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
