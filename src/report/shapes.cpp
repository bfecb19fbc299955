#include "gyrostat/report/shapes.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "gyrostat/report/mesh.h"
#include "gyrostat/report/node_lines.h"

namespace gyrostat::report {

namespace {

constexpr double thinnest = 0.04;        // edge of a box, of its largest
constexpr double strut_radius = 0.006;   // of the size of the whole
constexpr double ball_radius = 0.15;     // of a point mass that is all there is; the same
constexpr double least_ball = 0.02;      // the same
constexpr double most_metres = 1e12;     // larger than any spacecraft
constexpr std::size_t most_struts = 50;  // of a body

/// Principal axes as columns, each beside the body axis that it is nearest to.
Matrix3 principal_axes(const Matrix3& inertia) {
  const double off_diagonal = std::abs(inertia(0, 1)) + std::abs(inertia(0, 2)) + std::abs(inertia(1, 2));
  if (off_diagonal <= 1e-12 * inertia.diagonal().cwiseAbs().maxCoeff()) return Matrix3::Identity();
  const Matrix3 vectors = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia).eigenvectors();
  Matrix3 axes = Matrix3::Identity();
  double best = -1;
  std::array<int, 3> order = {0, 1, 2};
  do {
    const double nearness =
        std::abs(vectors(0, order[0])) + std::abs(vectors(1, order[1])) + std::abs(vectors(2, order[2]));
    if (nearness <= best) continue;
    best = nearness;
    for (int k = 0; k < 3; ++k) {
      const int from = order[static_cast<std::size_t>(k)];
      axes.col(k) = (vectors(k, from) < 0 ? -1 : 1) * vectors.col(from);
    }
  } while (std::ranges::next_permutation(order).found);
  if (axes.determinant() < 0) axes.col(2) *= -1;
  return axes;
}

SceneShape ball(const Vector3& at, double radius) {
  SceneShape shape;
  shape.kind = Shape::Kind::sphere;
  shape.at = at;
  shape.size = {radius, 0, 0};
  return shape;
}

/// The half edges of the box about a shape, in the shape's axes.
Vector3 half_size(const SceneShape& s) {
  switch (s.kind) {
    case Shape::Kind::box: return s.size / 2;
    case Shape::Kind::cylinder: return {s.size[0], s.size[0], s.size[1] / 2};
    case Shape::Kind::sphere: return Vector3::Constant(s.size[0]);
    default: return Vector3::Constant(s.mesh_radius);
  }
}

bool is_inside(const SceneShape& shape, const Vector3& point) {
  const Vector3 p = to_rotation(shape.orientation).transpose() * (point - shape.at);
  return (p.cwiseAbs() - 1.001 * half_size(shape)).maxCoeff() <= 0;
}

bool is_sound(const Shape& s) {
  const bool sizes = s.kind == Shape::Kind::box        ? s.size.minCoeff() > 0
                     : s.kind == Shape::Kind::cylinder ? s.size[0] > 0 && s.size[1] > 0
                     : s.kind == Shape::Kind::sphere   ? s.size[0] > 0
                                                       : true;
  return sizes && s.size.maxCoeff() < most_metres && s.at.cwiseAbs().maxCoeff() < most_metres;
}

/// Those of the model that can be shown.
std::vector<SceneShape> given_shapes(const BodyDescription& body, Meshes& meshes, std::vector<std::string>& warnings) {
  std::vector<SceneShape> shapes;
  for (std::size_t k = 0; k < body.shapes.size(); ++k) {
    const Shape& s = body.shapes[k];
    if (!is_sound(s)) continue;
    SceneShape shape;
    shape.kind = s.kind;
    shape.size = s.size;
    shape.at = s.at;
    shape.orientation = to_quaternion(s.orientation);
    shape.color = s.color;
    if (s.kind == Shape::Kind::mesh) {
      const Meshes::Answer& mesh = meshes.get(s.file);
      if (!mesh.problem.empty()) {
        warnings.push_back("bodies." + body.name + ".shape: " + mesh.problem);
        continue;
      }
      shape.size.setZero();
      shape.mesh = mesh.block;
      shape.mesh_radius = mesh.radius;
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

/// Points of every body where something is attached: joints, thrusters.
std::vector<std::vector<Vector3>> attached_points(const Model& model) {
  const System& system = model.system;
  std::vector<std::vector<Vector3>> points(system.bodies.size());
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (joint.type == JointType::free) continue;
    points[system.parent[i]].push_back(joint.reversed ? joint.child_point : joint.parent_point);
    points[i].push_back(joint.reversed ? joint.parent_point : joint.child_point);
  }
  for (const LoadDescription& load : model.description.loads) {
    const auto* thruster = std::get_if<ThrusterLoad>(&load);
    if (thruster == nullptr) continue;
    const SceneAnchor at = anchor(system, thruster->at);
    points[system.body(thruster->at.body)].push_back(at.at);
  }
  return points;
}

/// Of the whole: how far joint points and shapes are from the mass centre.
double size_of(const System& system, std::span<const Pose> poses, const Vector3& centre,
               std::span<const std::vector<SceneShape>> shapes, std::span<const std::vector<Vector3>> points) {
  double size = std::max(radius_about(centre, poses, shapes), radius_about(centre, poses, points));
  size = std::max(size, radius_about(centre, poses, flexible_points(system)));
  for (std::size_t i = 1; i < poses.size(); ++i) {
    size = std::max(size, (poses[i] * system.bodies[i].mass_properties.com - centre).norm());
  }
  return size > 1e-9 && size < most_metres ? size : 1;
}

void add_struts(const Vector3& com, std::span<const Vector3> points, double size, std::vector<SceneShape>& shapes) {
  const SceneShape middle = shapes.front();
  std::vector<Vector3> done;
  for (const Vector3& p : points) {
    const double length = (p - com).norm();
    if (done.size() == most_struts || is_inside(middle, p) || length < 1e-6 * size || !(length < most_metres)) continue;
    if (std::ranges::any_of(done, [&](const Vector3& other) { return (p - other).norm() < 1e-6 * size; })) continue;
    done.push_back(p);
    shapes.push_back(strut(com, p, strut_radius * size));
  }
}

bool is_drawn_by_nodes(const System& system, const Body& body) {
  if (body.node != Body::none) return true;
  return body.flexible != Body::none && has_node_lines(system.flexible[body.flexible].data);
}

}  // namespace

std::optional<SceneShape> equivalent_box(const MassProperties& body) {
  const double largest_moment = body.inertia.cwiseAbs().maxCoeff();
  if (!(body.mass > 0) || !(largest_moment > 0)) return std::nullopt;
  const Matrix3 axes = principal_axes(body.inertia);
  const Vector3 moments = (axes.transpose() * body.inertia * axes).diagonal();
  SceneShape box;
  for (int k = 0; k < 3; ++k) {
    const double square = 6 * (moments.sum() - 2 * moments[k]) / body.mass;
    box.size[k] = std::sqrt(std::clamp(square, 0.0, most_metres * most_metres));
  }
  const double largest = box.size.maxCoeff();
  if (!(largest > 0)) return std::nullopt;
  box.size = box.size.cwiseMax(thinnest * largest);
  box.at = body.com;
  box.orientation = to_quaternion(axes);
  return box;
}

SceneShape strut(const Vector3& from, const Vector3& to, double radius) {
  SceneShape shape;
  shape.kind = Shape::Kind::cylinder;
  shape.size = {radius, (to - from).norm(), 0};
  shape.at = (from + to) / 2;
  const Vector3 along = to - from;  // the cylinder's z axis, turned about an axis in its x-y plane
  const double across = std::hypot(along.x(), along.y());
  const double half = std::atan2(across, along.z()) / 2;
  const double x = across > 0 ? -along.y() / across : 1, y = across > 0 ? along.x() / across : 0;
  shape.orientation = {std::cos(half), x * std::sin(half), y * std::sin(half), 0};
  return shape;
}

std::vector<Vector3> corners_of(const SceneShape& shape) {
  const Vector3 half = half_size(shape);
  const Matrix3 R = to_rotation(shape.orientation);
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k) {
    const Vector3 signs((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1);
    corners.emplace_back(shape.at + R * half.cwiseProduct(signs));
  }
  return corners;
}

double reach(const SceneShape& shape, const Vector3& from) {
  const Vector3 middle = to_rotation(shape.orientation).transpose() * (shape.at - from);
  if (shape.kind == Shape::Kind::sphere || shape.kind == Shape::Kind::mesh) return middle.norm() + half_size(shape)[0];
  return (middle.cwiseAbs() + half_size(shape)).norm();
}

double reach_along(const SceneShape& shape, const Vector3& direction) {
  const double middle = shape.at.dot(direction);
  if (shape.kind == Shape::Kind::sphere || shape.kind == Shape::Kind::mesh) return middle + half_size(shape)[0];
  return middle + (to_rotation(shape.orientation).transpose() * direction).cwiseAbs().dot(half_size(shape));
}

SceneAnchor anchor(const System& system, const PointReference& point) {
  const Node& node = system.nodes[node_of(system, point)];
  return {static_cast<int>(node.body) - 1, node.p};
}

std::vector<std::vector<SceneShape>> shapes_of(const Model& model, std::span<const Pose> poses, const Vector3& centre,
                                               const std::filesystem::path& folder, Blocks& blocks,
                                               std::vector<std::string>& warnings) {
  const System& system = model.system;
  std::vector<std::vector<SceneShape>> shapes(system.bodies.size());
  Meshes meshes(folder, blocks);
  for (const BodyDescription& body : model.description.bodies) {
    shapes[system.body(body.name)] = given_shapes(body, meshes, warnings);
  }
  std::vector<bool> made(shapes.size(), false);
  for (std::size_t i = 1; i < shapes.size(); ++i) {
    made[i] = shapes[i].empty() && !is_drawn_by_nodes(system, system.bodies[i]);
    if (!made[i]) continue;
    if (const auto box = equivalent_box(system.bodies[i].mass_properties)) shapes[i] = {*box};
  }
  const auto points = attached_points(model);
  const double size = size_of(system, poses, centre, shapes, points);
  double total_mass = 0;
  for (const Body& body : system.bodies) total_mass += body.mass_properties.mass;
  for (std::size_t i = 1; i < shapes.size(); ++i) {
    const MassProperties& m = system.bodies[i].mass_properties;
    if (!made[i]) continue;
    if (shapes[i].empty()) {
      const double share = m.mass > 0 ? std::cbrt(m.mass / total_mass) : 0;
      shapes[i] = {ball(m.com, size * std::max(least_ball, ball_radius * share))};
    }
    add_struts(m.com, points[i], size, shapes[i]);
  }
  shapes.erase(shapes.begin());
  return shapes;
}

std::vector<std::vector<Vector3>> flexible_points(const System& system) {
  std::vector<std::vector<Vector3>> points(system.bodies.size());
  for (const FlexibleBody& body : system.flexible) {
    for (const FlexibleNode& node : body.data.nodes) points[body.body].push_back(node.position);
  }
  return points;
}

double radius_about(const Vector3& centre, std::span<const Pose> poses, std::span<const std::vector<Vector3>> points) {
  double radius = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    for (const Vector3& p : points[i]) radius = std::max(radius, (poses[i] * p - centre).norm());
  }
  return radius;
}

double radius_about(const Vector3& centre, std::span<const Pose> poses,
                    std::span<const std::vector<SceneShape>> shapes) {
  double radius = 0;
  const std::size_t world = poses.size() - shapes.size();  // shapes may leave it out
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (const SceneShape& s : shapes[i]) radius = std::max(radius, reach(s, inverse(poses[world + i]) * centre));
  }
  return radius;
}

}  // namespace gyrostat::report
