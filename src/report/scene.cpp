#include "gyrostat/report/scene.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/forces/orbit.h"
#include "gyrostat/report/deformation.h"
#include "gyrostat/report/shapes.h"

namespace gyrostat::report {

namespace {

std::vector<double> flat(const std::vector<Vector3>& list) {
  std::vector<double> numbers;
  for (const Vector3& v : list) numbers.insert(numbers.end(), v.begin(), v.end());
  return numbers;
}

/// In the user's direction, but for what the tree turns round.
SceneJoint shown_joint(const Joint& joint) {
  SceneJoint shown;
  shown.name = joint.name;
  shown.type = type_name(joint.type);
  shown.at = joint.parent_point;
  shown.child_at = joint.child_point;
  if (joint.reversed) std::swap(shown.at, shown.child_at);
  // Where the tree goes from child to parent, the outboard body turns and moves the other way.
  const Matrix3 turn = joint.reversed ? Matrix3(-joint.R_0.transpose()) : Matrix3::Identity();
  for (std::size_t k = 0; k < joint.rotations; ++k) shown.rotations.emplace_back(turn * joint.a[k]);
  for (std::size_t k = 0; k < joint.translations; ++k) shown.translations.emplace_back(turn * joint.d[k]);
  return shown;
}

/// Those of the tree, then those that are cut.
std::vector<SceneJoint> joints_of(const System& system) {
  std::vector<SceneJoint> list;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    SceneJoint shown = shown_joint(system.joints[i]);
    shown.body = static_cast<int>(i) - 1;
    shown.parent = static_cast<int>(system.parent[i]) - 1;
    list.push_back(std::move(shown));
  }
  for (const Constraint& constraint : system.constraints) {
    const auto* cut = std::get_if<CutJoint>(&constraint.kind);
    if (!cut) continue;
    SceneJoint shown = shown_joint(cut->joint);
    const auto [parent, child] = bodies_of(system, constraint);
    shown.body = static_cast<int>(child) - 1;
    shown.parent = static_cast<int>(parent) - 1;
    shown.cut = true;
    list.push_back(std::move(shown));
  }
  return list;
}

/// Those that have a place: distances and points held in a frame.
std::vector<SceneConstraint> constraints_of(const System& system) {
  const auto anchor_at = [&](std::uint32_t node) {
    return SceneAnchor{static_cast<int>(system.nodes[node].body) - 1, system.nodes[node].p};
  };
  std::vector<SceneConstraint> list;
  for (const Constraint& c : system.constraints) {
    if (const auto* rod = std::get_if<Distance>(&c.kind)) {
      list.push_back({c.name, "distance", anchor_at(rod->parent_node), anchor_at(rod->child_node), {}});
    } else if (const auto* point = std::get_if<PointOnFrame>(&c.kind)) {
      list.push_back({c.name, "point", anchor_at(point->frame_node), anchor_at(point->point_node), point->directions});
    }
  }
  return list;
}

/// A share of how far the body reaches at right angles to the axis; not too small where it is thin. On a node of a
/// flexible body, which has no shape, a share of the whole.
double wheel_radius(const Wheel& wheel, const Vector3& com, const std::vector<SceneShape>& shapes, double whole) {
  if (shapes.empty()) return 0.03 * whole;
  const Vector3 side = wheel.axis.unitOrthogonal(), other = wheel.axis.cross(side);
  double widest = 0, narrowest = 0;
  constexpr int directions = 16;
  for (int k = 0; k < directions; ++k) {
    const double angle = 3.141592653589793 * 2 * k / directions;
    const Vector3 d = std::cos(angle) * side + std::sin(angle) * other;
    double here = 0;
    for (const SceneShape& s : shapes) here = std::max(here, reach_along(s, d) - com.dot(d));
    widest = std::max(widest, here);
    narrowest = k == 0 ? here : std::min(narrowest, here);
  }
  return std::max({0.3 * narrowest, 0.05 * widest, 1e-6});
}

/// A wheel that has no place in the model: at the mass centre of its body. Where the body has several, each goes out
/// along its axis, so that they do not run into each other; those with the same axis stand side by side.
Vector3 wheel_place(const Wheel& wheel, const System& system, double radius) {
  const auto is_parallel = [&](const Wheel& other) { return std::abs(other.axis.dot(wheel.axis)) > 0.99; };
  bool all_parallel = true;
  int beside = 0;
  for (const Wheel& other : system.wheels) {
    if (other.body != wheel.body) continue;
    all_parallel = all_parallel && is_parallel(other);
    if (&other < &wheel && is_parallel(other)) ++beside;
  }
  const double place = beside % 2 == 0 ? beside / 2.0 : -(beside + 1) / 2.0;
  const double out = all_parallel ? 0 : 1.5;
  const double along = (place < 0 ? -out : out) + 0.4 * place;
  return system.bodies[wheel.body].mass_properties.com + along * radius * wheel.axis;
}

/// Without columns nothing is recorded of them.
std::vector<SceneWheel> wheels_of(const Model& model, const RecordedColumns* columns,
                                  const std::vector<std::vector<SceneShape>>& shapes, double whole) {
  const System& system = model.system;
  std::unordered_map<std::string, const WheelDescription*> given;
  for (const BodyDescription& body : model.description.bodies) {
    for (const WheelDescription& wheel : body.wheels) given[body.name + "." + wheel.name] = &wheel;
  }
  std::vector<SceneWheel> list;
  for (const Wheel& wheel : system.wheels) {
    const Body& body = system.bodies[wheel.body];
    SceneWheel shown;
    shown.name = body.name + "." + wheel.name;
    shown.body = static_cast<int>(wheel.body) - 1;
    shown.axis = wheel.axis;
    const WheelDescription& description = *given.at(shown.name);
    shown.radius =
        description.radius.value_or(wheel_radius(wheel, body.mass_properties.com, shapes[wheel.body - 1], whole));
    shown.at = description.at.value_or(wheel_place(wheel, system, shown.radius));
    const auto column = columns != nullptr ? columns->find_motion(shown.name + ".angle") : std::nullopt;
    if (column) shown.angle = static_cast<int>(*column);
    list.push_back(std::move(shown));
  }
  return list;
}

/// Columns of a load, -1 for those that are not there, and the largest magnitude of all together.
void set_columns(RecordedColumns& columns, const std::vector<std::string>& names, SceneLoad& load) {
  std::vector<double> squares;
  for (const std::string& name : names) {
    const auto column = columns.results().find(name);
    load.columns.push_back(column ? static_cast<int>(*column) : -1);
    if (!column) continue;
    const std::vector<double>& values = columns.values(*column);
    squares.resize(values.size());
    for (std::size_t i = 0; i < squares.size(); ++i) squares[i] += std::isfinite(values[i]) ? values[i] * values[i] : 0;
  }
  if (!squares.empty()) load.largest = std::sqrt(std::ranges::max(squares));
}

class Loads {
 public:
  /// Without columns, springs only.
  Loads(const Model& model, RecordedColumns* columns) : system_(model.system), columns_(columns) {
    for (const LoadDescription& load : model.description.loads) {
      std::visit([this](const auto& one) { add(one); }, load);
      ++number_;
    }
  }

  std::vector<SceneLoad> loads;
  std::vector<SceneSpring> springs;

 private:
  [[nodiscard]] std::string name() const { return fmt::format("loads[{}]", number_); }

  /// Unless nothing of it is recorded.
  void add(const std::string& kind, const PointReference& point, Axes axes, const Vector3& direction,
           const std::vector<std::string>& columns) {
    if (columns_ == nullptr) return;
    const SceneAnchor at = anchor(system_, point);
    SceneLoad load{name(), kind, at.body, at.at, axes, direction, {}, 0};
    std::vector<std::string> names;
    for (const std::string& column : columns) names.push_back(fmt::format("loads/{}.{}", number_, column));
    set_columns(*columns_, names, load);
    const bool recorded = std::ranges::any_of(load.columns, [](int c) { return c >= 0; });
    if (recorded && at.body >= 0) loads.push_back(std::move(load));
  }

  void add(const ThrusterLoad& t) { add("thruster", t.at, Axes::body, t.direction, {"thrust"}); }
  void add(const BodyLoad& b) {
    if (!b.force.empty()) add("force", b.at, b.axes, Vector3::Zero(), {"force_x", "force_y", "force_z"});
    if (!b.torque.empty()) add("torque", b.at, b.axes, Vector3::Zero(), {"torque_x", "torque_y", "torque_z"});
  }
  void add(const SpringLoad& s) { springs.push_back({name(), anchor(system_, s.from), anchor(system_, s.to)}); }
  void add(const TorqueBetweenLoad& /*torque*/) {}  // the page has no sign for it
  void add(const TorsionSpringLoad& /*spring*/) {}  // the same

  const System& system_;
  RecordedColumns* columns_;
  std::size_t number_ = 0;
};

/// Down and forward, by frame. Where the orbit is integrated along, forward is where the mass centre goes until the
/// next frame, which is in the plane of the orbit.
std::optional<SceneOrbit> orbit_of(const EnvironmentDescription& environment, const Frames& frames, Blocks& blocks) {
  if (!environment.orbit) return std::nullopt;
  const Orbit orbit(*environment.orbit);
  const bool flown = environment.gravity_gradient == GravityGradient::full;
  std::vector<float> nadir, along;
  const std::size_t count = frames.time.size();
  for (std::size_t k = 0; k < count; ++k) {
    const OrbitState given = orbit.at(frames.time[k]);
    Vector3 position = given.position, motion = given.velocity;
    if (flown && frames.centre[k].norm() > 0) {
      position = frames.centre[k];
      const std::size_t from = k + 1 < count ? k : k - 1;
      if (count > 1) motion = frames.centre[from + 1] - frames.centre[from];
    }
    const Vector3 up = position.normalized();
    Vector3 forward = motion - motion.dot(up) * up;
    forward = forward.norm() > 0 ? Vector3(forward.normalized()) : up.unitOrthogonal();
    for (const double x : up) nadir.push_back(static_cast<float>(-x));
    for (const double x : forward) along.push_back(static_cast<float>(x));
  }
  return SceneOrbit{blocks.add(std::span<const float>(nadir), 3), blocks.add(std::span<const float>(along), 3)};
}

/// The scale is that of what the momentum is a sum of, so that one that cancels is seen to be nothing.
std::optional<SceneMomentum> momentum_of(RecordedColumns& columns, const Frames& frames) {
  SceneMomentum momentum;
  std::vector<double> squares(columns.results().records(), 0.0);
  std::size_t k = 0;
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"}) {
    const auto column = columns.find_motion(name);
    if (!column) return std::nullopt;
    momentum.columns.at(k++) = static_cast<int>(*column);
    const std::vector<double>& values = columns.values(*column);
    for (std::size_t i = 0; i < squares.size(); ++i) squares[i] += std::isfinite(values[i]) ? values[i] * values[i] : 0;
  }
  momentum.scale = std::max(frames.momentum, std::sqrt(std::ranges::max(squares)));
  return momentum;
}

/// `columns` may be missing: then nothing is recorded. Precondition: there is a frame.
Scene scene_of_frames(const Model& model, const Frames& frames, RecordedColumns* columns,
                      const std::filesystem::path& folder, Blocks& blocks, std::vector<std::string>& warnings) {
  const System& system = model.system;
  auto shapes = shapes_of(model, frames.first, frames.centre.front(), folder, blocks, warnings);

  Scene scene;
  scene.time = blocks.add(std::span<const double>(frames.time));
  scene.centre = blocks.add(std::span<const double>(flat(frames.centre)), 3);
  scene.radius = std::max(radius_about(frames.centre.front(), frames.first, shapes),
                          radius_about(frames.centre.front(), frames.first, flexible_points(system)));
  scene.joints = joints_of(system);
  scene.constraints = constraints_of(system);
  scene.wheels = wheels_of(model, columns, shapes, scene.radius);
  Loads loads(model, columns);
  scene.loads = std::move(loads.loads);
  scene.springs = std::move(loads.springs);
  if (columns != nullptr) scene.momentum = momentum_of(*columns, frames);
  scene.sun = model.description.environment.sun;
  scene.orbit = orbit_of(model.description.environment, frames, blocks);
  scene.flexible = flexible_of(system, frames, shapes, scene.radius, blocks);
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    const Body& body = system.bodies[i];
    scene.bodies.push_back({body.name, body.mass_properties.com, std::move(shapes[i - 1]), body.points,
                            blocks.add(std::span<const float>(frames.poses[i - 1]), 7)});
  }
  return scene;
}

}  // namespace

std::optional<Scene> scene_of(const Model& model, RecordedColumns& columns, Blocks& blocks,
                              std::vector<std::string>& warnings) {
  const Frames frames = frames_of(model.system, columns, warnings);
  if (frames.time.empty()) return std::nullopt;
  const auto folder = std::filesystem::path(columns.results().header().model_file).parent_path();
  return scene_of_frames(model, frames, &columns, folder, blocks, warnings);
}

std::optional<Scene> still_scene(const Model& model, double t, const Eigen::VectorXd& q,
                                 const std::filesystem::path& folder, Blocks& blocks,
                                 std::vector<std::string>& warnings) {
  const Frames frames = still_frame(model.system, t, q, warnings);
  if (frames.time.empty()) return std::nullopt;
  return scene_of_frames(model, frames, nullptr, folder, blocks, warnings);
}

}  // namespace gyrostat::report
