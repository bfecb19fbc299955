// What bodies look like: shapes of the model, or some made from mass, inertia and joint points.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/model/load.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

/// The homogeneous box with this mass and these principal moments about the com. A thin edge is a small share of the
/// largest, so that rods, plates and moments that no body can have still show. Nothing if there are no moments.
std::optional<SceneShape> equivalent_box(const MassProperties& body);

/// A thin cylinder between two points that are not the same.
SceneShape strut(const Vector3& from, const Vector3& to, double radius);

/// Of the box about the shape, in its body's frame [m].
std::vector<Vector3> corners_of(const SceneShape& shape);

/// How far the shape reaches from a point [m].
double reach(const SceneShape& shape, const Vector3& from);

/// How far it reaches from its body's origin along a direction [m].
double reach_along(const SceneShape& shape, const Vector3& direction);

/// Where a point of a load is, in its body's frame.
SceneAnchor anchor(const System& system, const PointReference& point);

/// Shapes of every body of the system, without the world. Nodes of flexible bodies have none, nor have flexible bodies
/// for which the model gives none: they are drawn along their nodes. `poses` and the mass centre are those of one
/// instant: struts and balls are sized by the extent of the whole at that instant. Meshes are in files relative to
/// `folder`; one that cannot be read is a warning.
std::vector<std::vector<SceneShape>> shapes_of(const Model& model, std::span<const Pose> poses, const Vector3& centre,
                                               const std::filesystem::path& folder, Blocks& blocks,
                                               std::vector<std::string>& warnings);

/// Nodes of the flexible bodies in their frames, not deformed; by body with the world.
std::vector<std::vector<Vector3>> flexible_points(const System& system);

/// Of a sphere about `centre` that holds these points of all bodies and the world [m].
double radius_about(const Vector3& centre, std::span<const Pose> poses, std::span<const std::vector<Vector3>> points);

/// Of a sphere about `centre` that holds all shapes [m].
double radius_about(const Vector3& centre, std::span<const Pose> poses,
                    std::span<const std::vector<SceneShape>> shapes);

}  // namespace gyrostat::report
