#include "support/random_model.h"

#include <Eigen/Cholesky>

#include "gyrostat/flexible/modal_integrals.h"

namespace gyrostat::testing {

FlexibleData random_flexible(Random& random, std::size_t modes, bool second_order, bool mass_points) {
  FlexibleData data;
  const auto m = static_cast<Eigen::Index>(modes), pairs = static_cast<Eigen::Index>(pair_count(modes));
  const auto columns = [&](Eigen::Index count, double size) {
    Eigen::Matrix3Xd list(3, count);
    for (Eigen::Index k = 0; k < count; ++k) list.col(k) = random.vector(size);
    return list;
  };
  for (std::size_t k = 0; k < 6 + 2 * modes; ++k) {
    FlexibleNode node;
    const bool frame = k == 0, named = k < 3;
    if (named) node.name = "n" + std::to_string(k);
    node.position = frame ? Vector3(Vector3::Zero()) : random.vector();
    if (!named || random.chance(0.3)) {
      node.mass = random.uniform(0.1, 0.6);
      const Vector3 part = random.vector_between(0.02, 0.1);
      const Matrix3 R = random.rotation();
      node.inertia = R * Vector3(part.sum() * Vector3::Ones() - part).asDiagonal() * R.transpose();
      node.inertia = (node.inertia + node.inertia.transpose().eval()) / 2;
      if (mass_points) node.inertia.setZero();
    }
    const double size = frame ? 0 : 1;
    node.shape = {columns(m, size), columns(m, size), columns(second_order ? pairs : 0, size),
                  columns(second_order ? pairs : 0, size)};
    data.nodes.push_back(std::move(node));
  }
  data.frame_node = 0;
  data.second_order = second_order;
  data.mass = data.damping = Eigen::MatrixXd::Zero(m, m);
  data.stiffness = Eigen::VectorXd::LinSpaced(m, 10, 50).asDiagonal();
  const Eigen::MatrixXd Me = modal_integrals(data, Vector3::Zero(), FlexibleTerms::linear).Me;
  const Eigen::MatrixXd T = Me.llt().matrixU().solve(Eigen::MatrixXd::Identity(m, m));  // T' Me T = 1
  for (FlexibleNode& node : data.nodes) {
    node.shape.translation = node.shape.translation * T;
    node.shape.rotation = node.shape.rotation * T;
  }
  data.mass.setIdentity();
  return data;
}

Description RandomModel::make() {
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

JointDescription RandomModel::joint(const Allowance& allowed, bool for_point_mass) {
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

std::pair<std::size_t, std::size_t> RandomModel::axes_of(JointType type) {
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

double RandomModel::angle() {
  return options_.special && random_.chance(0.4) ? 0 : random_.uniform(-std::numbers::pi, std::numbers::pi);
}

Vector3 RandomModel::axis() {
  if (!options_.special || random_.chance(0.2)) return random_.direction();
  return random_.chance(0.5) ? Vector3::UnitZ() : Vector3(Vector3::Unit(static_cast<int>(random_.index(3))));
}

std::vector<Vector3> RandomModel::axes(std::size_t count, bool rotations) {
  for (;;) {
    std::vector<Vector3> list(count);
    for (Vector3& a : list) a = axis();
    bool distinct = true;
    for (std::size_t i = 0; i + 1 < count; ++i) distinct = distinct && list[i].cross(list[i + 1]).norm() > 0.3;
    if (distinct && (rotations || count < 3 || volume(list[0], list[1], list[2]) > 0.2)) return list;
  }
}

void RandomModel::place_axes(JointDescription& j, std::size_t t, std::size_t r) {
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

BodyDescription RandomModel::body(Kind kind, std::size_t number) {
  BodyDescription b;
  b.name = "b" + std::to_string(number);
  for (std::size_t k = random_.index(3); k-- > 0;) b.points.push_back({"p" + std::to_string(k), random_.vector()});
  if (kind == Kind::massless) return b;
  b.mass = random_.uniform(0.5, 5);
  b.com = point();
  b.point_mass = kind == Kind::point_mass;
  if (b.point_mass) return b;
  // Principal moments b + c, a + c, a + b with positive a, b, c are those of a body.
  const Vector3 part = random_.vector_between(0.2, 1);
  const Matrix3 R = random_.chance(0.5) ? random_.rotation() : Matrix3(Matrix3::Identity());
  const Vector3 moments = part.sum() * Vector3::Ones() - part;
  b.inertia = R * moments.asDiagonal() * R.transpose();
  b.inertia = (b.inertia + b.inertia.transpose().eval()) / 2;
  add_wheels(b, R, moments);
  return b;
}

void RandomModel::make_flexible(BodyDescription& b) {
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

void RandomModel::add_wheels(BodyDescription& b, const Matrix3& R, const Vector3& moments) {
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

void RandomModel::connect(JointDescription j, std::size_t number, const std::string& inner, const std::string& outer) {
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

void RandomModel::add_body(std::size_t number, std::size_t count) {
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

Description random_description(std::uint64_t seed, const RandomModelOptions& options) {
  return RandomModel(seed, options).make();
}

}  // namespace gyrostat::testing
