// Random models for property tests. The same seed gives the same model. Flexible bodies are of random nodes: whatever
// the shapes are, the equations of motion follow from them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "gyrostat/format/description.h"

namespace gyrostat::testing {

/// Draw into variables, not in the arguments of a call: in which order those are evaluated differs from compiler to
/// compiler, and with it the systems that a seed gives.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  std::size_t index(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_); }
  std::size_t between(std::size_t least, std::size_t most) { return least + index(most - least + 1); }
  Vector3 vector(double size = 1) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  /// With components between these.
  Vector3 vector_between(double low, double high) {
    Vector3 v;
    for (int k = 3; k-- > 0;) v[k] = uniform(low, high);
    return v;
  }
  Vector3 direction() {
    for (;;) {
      const Vector3 v = vector();
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  /// A quaternion w, x, y, z of unit length.
  Eigen::Vector4d quaternion() {
    for (;;) {
      Eigen::Vector4d q;
      for (int k = 4; k-- > 0;) q[k] = uniform(-1, 1);
      if (q.norm() > 0.1 && q.norm() < 1) return q.normalized();
    }
  }
  Matrix3 rotation() {
    const Vector3 axis = direction();
    return Eigen::AngleAxisd(uniform(-3, 3), axis).toRotationMatrix();
  }

  template <class List>
  void shuffle(List& list) {
    std::shuffle(list.begin(), list.end(), engine_);
  }

 private:
  std::mt19937_64 engine_;
};

/// Named nodes n0 (of the frame, where all shapes vanish), n1, n2, and nodes with mass between. Unit modal mass.
/// With mass points, nodes have no inertia.
FlexibleData random_flexible(Random& random, std::size_t modes, bool second_order = true, bool mass_points = false);

/// Probabilities and sizes. With `determinate` every model is valid; without it, massless bodies and point masses
/// stand anywhere, and `special` makes parallel axes, coinciding points and wheels that are all of a body's inertia
/// frequent.
struct RandomModelOptions {
  std::size_t least_bodies = 1, most_bodies = 30;
  double point_masses = 0.15, massless = 0.15, wheels = 0.3;
  double locked = 0.1, prescribed = 0.1, reversed = 0.5, springs = 0.3, implicit_base = 0.3;
  double flexible = 0;  // of bodies with mass; with it the first body is the base and nothing is shuffled
  bool determinate = true, special = false, shuffled = true;
};

/// Small systems, and every so often a large one.
inline RandomModelOptions mixed_sizes(std::uint64_t seed, std::size_t small = 12, std::size_t large = 60,
                                      std::uint64_t every = 10) {
  RandomModelOptions options;
  options.most_bodies = seed % every == 0 ? large : small;
  return options;
}

/// How many translations and rotations a joint may have.
struct Allowance {
  std::size_t translations = 3, rotations = 3;
};

class RandomModel {
 public:
  RandomModel(std::uint64_t seed, const RandomModelOptions& options) : random_(seed), options_(options) {}

  Description make();

  /// A joint of any type within the allowance, with initial coordinates; its bodies and name are left open.
  JointDescription joint(const Allowance& allowed, bool for_point_mass = false);

 private:
  enum class Kind { full, point_mass, massless };

  std::pair<std::size_t, std::size_t> axes_of(JointType type);
  double scalar() { return options_.special && random_.chance(0.3) ? 0 : random_.uniform(-1, 1); }
  double angle();
  Vector3 point() { return options_.special && random_.chance(0.6) ? Vector3(Vector3::Zero()) : random_.vector(); }
  Vector3 axis();
  static double volume(const Vector3& a, const Vector3& b, const Vector3& c) { return std::abs(a.dot(b.cross(c))); }
  std::vector<Vector3> axes(std::size_t count, bool rotations);
  void place_axes(JointDescription& j, std::size_t t, std::size_t r);
  BodyDescription body(Kind kind, std::size_t number);
  void make_flexible(BodyDescription& b);
  void add_wheels(BodyDescription& b, const Matrix3& R, const Vector3& moments);
  void connect(JointDescription j, std::size_t number, const std::string& inner, const std::string& outer);

  /// The degrees of freedom of a massless body are determined by the next body, its child, which is chosen so that the
  /// joints between the massless bodies and the first one with inertia have independent degrees of freedom.
  void add_body(std::size_t number, std::size_t count);

  Random random_;
  RandomModelOptions options_;
  Description d_;
  bool implicit_base_ = false;
  std::string support_of_;  // the massless body that the next one makes determinate
  Allowance left_;          // degrees of freedom that the next joint may have
};

Description random_description(std::uint64_t seed, const RandomModelOptions& options = {});

}  // namespace gyrostat::testing
