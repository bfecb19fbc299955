// Random models for property tests. The same seed gives the same model.
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

#include "support/random_flexible.h"

namespace gyrostat::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  std::size_t index(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_); }
  std::size_t between(std::size_t least, std::size_t most) { return least + index(most - least + 1); }
  Vector3 vector(double size = 1) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vector3 direction() {
    for (;;) {
      const Vector3 v = vector();
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  /// A quaternion w, x, y, z of unit length.
  Eigen::Vector4d quaternion() {
    for (;;) {
      const Eigen::Vector4d q(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
      if (q.norm() > 0.1 && q.norm() < 1) return q.normalized();
    }
  }
  Matrix3 rotation() { return Eigen::AngleAxisd(uniform(-3, 3), direction()).toRotationMatrix(); }

  template <class List>
  void shuffle(List& list) {
    std::shuffle(list.begin(), list.end(), engine_);
  }

 private:
  std::mt19937_64 engine_;
};

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

  Description make() {
    const std::size_t count = random_.between(options_.least_bodies, options_.most_bodies);
    implicit_base_ = random_.chance(options_.implicit_base);
    if (options_.flexible > 0) options_.shuffled = false;
    for (std::size_t i = 0; i < count; ++i) add_body(i, count);
    if (options_.shuffled) {
      random_.shuffle(d_.bodies);
      random_.shuffle(d_.joints);
    }
    return std::move(d_);
  }

  /// A joint of any type within the allowance, with initial coordinates; its bodies and name are left open.
  JointDescription joint(const Allowance& allowed, bool for_point_mass = false) {
    JointDescription j;
    std::size_t t = 0, r = 0;
    do {
      j.type = static_cast<JointType>(random_.index(static_cast<std::size_t>(JointType::free) + 1));
      std::tie(t, r) = axes_of(j.type);
    } while (t > allowed.translations || r > allowed.rotations ||
             (for_point_mass && (j.type == JointType::planar || t + r > 3 || r > 2)));
    if (has_quaternion(j.type)) {
      const Eigen::Vector4d q = random_.quaternion();
      if (j.type == JointType::free) j.position = {scalar(), scalar(), scalar()};
      j.position.insert(j.position.end(), q.begin(), q.end());
    } else {
      place_axes(j, t, r);
      if (random_.chance(0.7)) j.orientation = random_.rotation();
    }
    const std::size_t speeds = j.type == JointType::free ? 6 : j.type == JointType::spherical ? 3 : t + r;
    for (std::size_t k = 0; k < speeds; ++k) j.speed.push_back(scalar());
    j.parent_point = point();
    j.child_point = point();
    return j;
  }

 private:
  enum class Kind { full, point_mass, massless };

  std::pair<std::size_t, std::size_t> axes_of(JointType type) {
    switch (type) {
      case JointType::revolute: return {0, 1};
      case JointType::prismatic: return {1, 0};
      case JointType::cylindrical: return {1, 1};
      case JointType::universal: return {0, 2};
      case JointType::gimbal:
      case JointType::spherical: return {0, 3};
      case JointType::translation: return {random_.between(1, 3), 0};
      case JointType::planar: return {2, 1};
      case JointType::general: {
        const std::size_t t = random_.between(0, 3);
        return {t, random_.between(t == 0 ? 1 : 0, 3)};
      }
      case JointType::free: return {3, 3};
      default: return {0, 0};
    }
  }

  double scalar() { return options_.special && random_.chance(0.3) ? 0 : random_.uniform(-1, 1); }
  double angle() {
    return options_.special && random_.chance(0.4) ? 0 : random_.uniform(-std::numbers::pi, std::numbers::pi);
  }
  Vector3 point() { return options_.special && random_.chance(0.6) ? Vector3(Vector3::Zero()) : random_.vector(); }
  Vector3 axis() {
    if (!options_.special || random_.chance(0.2)) return random_.direction();
    return random_.chance(0.5) ? Vector3::UnitZ() : Vector3(Vector3::Unit(static_cast<int>(random_.index(3))));
  }

  static double volume(const Vector3& a, const Vector3& b, const Vector3& c) { return std::abs(a.dot(b.cross(c))); }

  std::vector<Vector3> axes(std::size_t count, bool rotations) {
    for (;;) {
      std::vector<Vector3> list(count);
      for (Vector3& a : list) a = axis();
      bool distinct = true;
      for (std::size_t i = 0; i + 1 < count; ++i) distinct = distinct && list[i].cross(list[i + 1]).norm() > 0.3;
      if (distinct && (rotations || count < 3 || volume(list[0], list[1], list[2]) > 0.2)) return list;
    }
  }

  void place_axes(JointDescription& j, std::size_t t, std::size_t r) {
    j.translations = axes(t, false);
    j.rotations = axes(r, true);
    if (j.type == JointType::cylindrical) j.translations = j.rotations;
    if (j.type == JointType::planar) {
      const Vector3 n = j.rotations[0], d = n.cross(std::abs(n.x()) < 0.7 ? Vector3::UnitX() : Vector3::UnitY());
      j.translations = {d.normalized(), n.cross(d).normalized()};
    }
    std::vector<double> displacements(t), angles(r);
    for (double& x : displacements) x = scalar();
    for (int attempt = 0;; ++attempt) {  // away from gimbal lock
      if (attempt == 50) j.rotations = axes(r, true), attempt = 0;
      for (double& a : angles) a = angle();
      if (r < 3) break;
      const Vector3 third = Eigen::AngleAxisd(angles[1], j.rotations[1]) * j.rotations[2];
      if (volume(j.rotations[0], j.rotations[1], third) > 0.2) break;
    }
    const bool angle_first = j.type == JointType::cylindrical;
    j.position = angle_first ? angles : displacements;
    const auto& rest = angle_first ? displacements : angles;
    j.position.insert(j.position.end(), rest.begin(), rest.end());
  }

  BodyDescription body(Kind kind, std::size_t number) {
    BodyDescription b;
    b.name = "b" + std::to_string(number);
    for (std::size_t k = random_.index(3); k-- > 0;) b.points.push_back({"p" + std::to_string(k), random_.vector()});
    if (kind == Kind::massless) return b;
    b.mass = random_.uniform(0.5, 5);
    b.com = point();
    b.point_mass = kind == Kind::point_mass;
    if (b.point_mass) return b;
    // Principal moments b + c, a + c, a + b with positive a, b, c are those of a body.
    const Vector3 part(random_.uniform(0.2, 1), random_.uniform(0.2, 1), random_.uniform(0.2, 1));
    const Matrix3 R = random_.chance(0.5) ? random_.rotation() : Matrix3(Matrix3::Identity());
    const Vector3 moments = part.sum() * Vector3::Ones() - part;
    b.inertia = R * moments.asDiagonal() * R.transpose();
    b.inertia = (b.inertia + b.inertia.transpose().eval()) / 2;
    add_wheels(b, R, moments);
    return b;
  }

  void make_flexible(BodyDescription& b) {
    const std::size_t modes = random_.between(1, 5);
    b.flexible.emplace();
    b.flexible->data = random_flexible(random_, modes);
    b.flexible->terms = static_cast<FlexibleTerms>(random_.index(3));
    for (std::size_t k = 0; k < modes; ++k) {
      b.flexible->position.push_back(random_.uniform(-0.05, 0.05));
      b.flexible->rate.push_back(random_.uniform(-0.5, 0.5));
    }
    b.mass = 0;
    b.wheels.clear();
  }

  void add_wheels(BodyDescription& b, const Matrix3& R, const Vector3& moments) {
    if (!random_.chance(options_.wheels)) return;
    const std::size_t count = random_.between(1, 4);
    for (std::size_t k = 0; k < count; ++k) {
      WheelDescription w;
      w.name = "w" + std::to_string(k);
      w.axis = random_.direction();
      w.inertia = random_.uniform(0.05, 0.9) * moments.minCoeff() / static_cast<double>(count);
      w.rate = random_.uniform(-100, 100);
      if (random_.chance(0.3)) w.speed = expression::constant(w.rate);
      b.wheels.push_back(w);
    }
    if (!options_.special || !random_.chance(0.6)) return;
    b.wheels.resize(std::min<std::size_t>(count, 3));  // about principal axes, each all of the body's inertia about it
    for (std::size_t k = 0; k < b.wheels.size(); ++k) {
      b.wheels[k].axis = R.col(static_cast<int>(k));
      b.wheels[k].inertia = moments[static_cast<int>(k)];
    }
  }

  void connect(JointDescription j, std::size_t number, const std::string& inner, const std::string& outer) {
    j.name = "j" + std::to_string(number);
    j.parent = inner;
    j.child = outer;
    if (random_.chance(options_.reversed)) std::swap(j.parent, j.child);
    const std::size_t speeds = j.speed.size();
    if (random_.chance(options_.locked)) {
      j.locked = true;
      j.speed.assign(speeds, 0);
    } else if (speeds > 0 && random_.chance(options_.prescribed)) {
      j.prescribed.kind =
          has_quaternion(j.type) || random_.chance(0.5) ? Prescribed::Kind::acceleration : Prescribed::Kind::position;
      j.prescribed.motion.assign(speeds, expression::constant(0.1));
    }
    if (!has_quaternion(j.type) && speeds > 0 && random_.chance(options_.springs)) {
      for (std::size_t k = 0; k < speeds; ++k) {
        j.stiffness.push_back({random_.uniform(0, 10), ""});
        j.damping.push_back({random_.uniform(0, 1), ""});
        j.rest.push_back(random_.uniform(-1, 1));
      }
    }
    d_.joints.push_back(std::move(j));
  }

  /// The degrees of freedom of a massless body are determined by the next body, its child, which is chosen so that the
  /// joints between the massless bodies and the first one with inertia have independent degrees of freedom.
  void add_body(std::size_t number, std::size_t count) {
    const bool supports = !support_of_.empty() && options_.determinate;
    const bool root = number == 0, last = number + 1 == count;
    Kind kind = Kind::full;
    const double draw = random_.uniform(0, 1);
    if (draw < options_.massless) {
      kind = Kind::massless;
    } else if (draw < options_.massless + options_.point_masses && !supports) {
      kind = Kind::point_mass;
    }
    if (options_.determinate && ((root && implicit_base_) || (kind == Kind::massless && last))) kind = Kind::full;

    const Allowance allowed = supports ? left_ : Allowance{};
    JointDescription j = joint(allowed, options_.determinate && kind == Kind::point_mass);
    BodyDescription b = body(kind, number);
    if (kind == Kind::point_mass && options_.determinate) b.com = random_.vector();
    std::string inner = "world";
    if (supports) {
      inner = support_of_;
    } else if (!root && (implicit_base_ || random_.chance(0.95))) {
      inner = d_.bodies[random_.index(d_.bodies.size())].name;
    }
    const std::size_t rotations = has_quaternion(j.type) ? 3 : j.rotations.size();
    const std::size_t translations = j.type == JointType::free ? 3 : j.translations.size();
    support_of_ = kind == Kind::massless ? b.name : "";
    left_ = {allowed.translations - translations, allowed.rotations - rotations};
    if (options_.flexible > 0 && inner != "world") {
      for (const BodyDescription& other : d_.bodies) {
        if (other.name == inner && other.flexible) inner += ".n" + std::to_string(random_.index(3));
      }
    }
    if (options_.flexible > 0 && kind == Kind::full && random_.chance(options_.flexible)) make_flexible(b);
    if (!root || !implicit_base_) connect(std::move(j), number, inner, b.name);
    d_.bodies.push_back(std::move(b));
  }

  Random random_;
  RandomModelOptions options_;
  Description d_;
  bool implicit_base_ = false;
  std::string support_of_;  // the massless body that the next one makes determinate
  Allowance left_;          // degrees of freedom that the next joint may have
};

inline Description random_description(std::uint64_t seed, const RandomModelOptions& options = {}) {
  return RandomModel(seed, options).make();
}

}  // namespace gyrostat::testing
