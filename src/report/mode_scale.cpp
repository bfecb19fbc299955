#include "gyrostat/report/mode_scale.h"

#include <algorithm>
#include <cmath>

#include "gyrostat/report/node_lines.h"
#include "gyrostat/report/shapes.h"

namespace gyrostat::report {

namespace {

using Complex = std::complex<double>;

constexpr double least_displacement = 1e-12;  // of what coordinates change by, in m and rad: less is rounding

/// The largest magnitude of Re(d exp(i phi)) over all phi: half the longer axis of an ellipse.
double largest_of(const Eigen::Vector3cd& d) {
  const Complex square = (d.array() * d.array()).sum();  // without conjugation
  return std::sqrt(0.5 * (d.squaredNorm() + std::abs(square)));
}

/// exp(i phi) for the phi at which it is largest.
Complex phase_of_largest(const Eigen::Vector3cd& d) {
  const Complex square = (d.array() * d.array()).sum();
  return std::polar(1.0, -0.5 * std::arg(square));
}

Eigen::Vector3cd turned(const Eigen::Vector3cd& rotation, const Vector3& lever) {
  const Vector3 real = rotation.real(), imaginary = rotation.imag();
  Eigen::Vector3cd by;
  by.real() = real.cross(lever);
  by.imag() = imaginary.cross(lever);
  return by;
}

}  // namespace

ModeScale::ModeScale(const System& system, const Scene& scene, const std::vector<Pose>& poses)
    : system_(system), scene_(scene), poses_(poses), points_(system.bodies.size()) {
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    points_[i].emplace_back(Vector3::Zero());
    for (const SceneShape& shape : scene.bodies[i - 1].shapes) {
      const std::vector<Vector3> corners = corners_of(shape);
      points_[i].insert(points_[i].end(), corners.begin(), corners.end());
    }
  }
  numbers_ = 12 * system.body_count() + 2 * system.wheels.size();
  for (const FlexibleBody& body : system.flexible) {
    if (!has_node_lines(body.data)) continue;
    flexible_.push_back(&body);
    points_[body.body] = {Vector3::Zero()};  // shapes are carried by the nodes
    numbers_ += 2 * body.data.modes();
  }
}

template <class See>
void ModeScale::see_points(const ModeMotion& motion, const See& see) const {
  for (std::size_t i = 1; i < points_.size(); ++i) {
    for (const Vector3& p : points_[i]) {
      see(Moved{motion.translation[i] + turned(motion.rotation[i], poses_[i].R * p), i});
    }
  }
  for (const FlexibleBody* body : flexible_) {
    const std::size_t i = body->body;
    const auto eta = motion.coordinates.segment(body->u, static_cast<Eigen::Index>(body->data.modes()));
    for (const FlexibleNode& node : body->data.nodes) {
      const Eigen::Vector3cd bent = poses_[i].R.cast<Complex>() * (node.shape.translation.cast<Complex>() * eta);
      see(Moved{motion.translation[i] + turned(motion.rotation[i], poses_[i].R * node.position) + bent, i});
    }
  }
  for (std::size_t w = 0; w < system_.wheels.size(); ++w) {  // its rim
    const Wheel& wheel = system_.wheels[w];
    const Eigen::Vector3cd side = wheel.axis.unitOrthogonal().cast<Complex>();
    see(Moved{scene_.wheels[w].radius * motion.coordinates[wheel.u] * side, wheel.body});
  }
}

ModeScale::Scaled ModeScale::scaled(const ModeMotion& motion) const {
  Scaled result;
  Moved farthest;
  double displacement = 0;
  see_points(motion, [&](const Moved& point) {
    const double here = largest_of(point.by);
    if (!(here > displacement * (1 + 1e-9))) return;  // of those that move alike, the first
    displacement = here;
    farthest = point;
  });
  const double most = motion.coordinates.size() == 0 ? 0 : motion.coordinates.cwiseAbs().maxCoeff();
  if (!(displacement > least_displacement * most) || !std::isfinite(displacement)) return result;
  const Complex factor = phase_of_largest(farthest.by) / displacement;
  result.body = static_cast<int>(farthest.body) - 1;
  result.numbers.reserve(numbers_);
  const auto add = [&](Complex z) {
    z *= factor;
    result.numbers.push_back(static_cast<float>(z.real()));
    result.numbers.push_back(static_cast<float>(z.imag()));
  };
  for (std::size_t i = 1; i < system_.bodies.size(); ++i) {
    for (const Complex z : motion.translation[i]) add(z);
    for (const Complex z : motion.rotation[i]) add(z);
    result.rotation = std::max(result.rotation, largest_of(motion.rotation[i]) / displacement);
  }
  for (const FlexibleBody* body : flexible_) {
    for (std::size_t a = 0; a < body->data.modes(); ++a) {
      add(motion.coordinates[static_cast<Eigen::Index>(body->u + a)]);
    }
  }
  for (const Wheel& wheel : system_.wheels) add(motion.coordinates[wheel.u]);
  return result;
}

}  // namespace gyrostat::report
