#include <fmt/format.h>

#include "gyrostat/format/limits.h"
#include "gyrostat/format/read_sections.h"

namespace gyrostat::reading {

TableDescription read_table(const Value& value, std::string_view name) {
  const Fields fields(value, format::table);
  TableDescription table;
  table.name = name;
  table.x = fields.filled_list("x");
  table.y = fields.filled_list("y");
  table.interpolation = fields.choice_as("interpolation", Interpolation::linear);
  table.outside = fields.choice_as("outside", Outside::error);
  return table;
}

namespace {

WheelDescription read_wheel(const Value& value, std::string_view name) {
  const Fields fields(value, format::wheel);
  WheelDescription wheel;
  wheel.name = name;
  wheel.axis = fields.direction("axis");
  wheel.inertia = fields.constant("inertia", unreadable);
  wheel.rate = fields.constant("rate");
  wheel.torque = fields.dynamic("torque");
  wheel.speed = fields.dynamic("speed");
  wheel.stiffness = fields.constant("stiffness");
  wheel.damping = fields.constant("damping");
  if (const auto f = fields.find("friction")) wheel.friction = read_friction(*f, format::wheel_friction, true);
  wheel.torque_limit = fields.constant("torque_limit", wheel.torque_limit);
  wheel.speed_limit = fields.constant("speed_limit", wheel.speed_limit);
  wheel.drag = fields.text("drag");
  wheel.static_imbalance = fields.constant("static_imbalance");
  wheel.dynamic_imbalance = fields.constant("dynamic_imbalance");
  if (fields.has("at")) wheel.at = fields.vector("at");
  wheel.node = fields.text("node");
  if (fields.has("radius")) wheel.radius = fields.constant("radius", unreadable);
  if (fields.has("speed")) {
    for (const std::string_view other :
         {"torque", "rate", "stiffness", "damping", "friction", "torque_limit", "speed_limit", "drag"}) {
      if (const auto field = fields.find(other))
        field->error("the wheel's speed is prescribed; remove this field or 'speed'");
    }
  }
  return wheel;
}

std::optional<Shape> read_shape(const Value& value) {
  const Fields fields(value, format::shape);
  const auto kind = fields.kind();
  if (!kind) return std::nullopt;
  Shape shape;
  shape.at = fields.vector("at");
  if (const auto orientation = fields.find("orientation")) shape.orientation = read_orientation(*orientation);
  shape.color = fields.text("color");
  if (*kind == "box") {
    shape.kind = Shape::Kind::box;
    shape.size = fields.vector("box");
  } else if (*kind == "cylinder") {
    shape.kind = Shape::Kind::cylinder;
    const std::vector<double> size = fields.constant_list("cylinder");
    if (size.size() != 2) {
      if (fields.find("cylinder")->is_list()) fields.find("cylinder")->error("expected [radius, height]");
      return std::nullopt;
    }
    shape.size = {size[0], size[1], 0};
  } else if (*kind == "sphere") {
    shape.kind = Shape::Kind::sphere;
    shape.size.x() = fields.constant("sphere");
  } else {
    shape.kind = Shape::Kind::mesh;
    shape.file = fields.text("mesh");
  }
  if (shape.size.minCoeff() < 0) value.error("the size of a shape cannot be negative");
  const bool hexadecimal =
      shape.color.empty() || (shape.color.front() == '#' && (shape.color.size() == 4 || shape.color.size() == 7) &&
                              shape.color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos);
  if (!hexadecimal) fields.find("color")->error("expected a colour like '#888' or '#c0ffee', in quotes");
  return shape;
}

}  // namespace

BodyDescription read_body(const Value& value, std::string_view name) {
  const Fields fields(value, format::body);
  BodyDescription body;
  body.name = name;
  if (const auto flexible = fields.find("flexible")) {
    body.flexible = read_flexible(*flexible);
    if (fields.has("mass")) body.flexible->mass = fields.constant("mass");
    if (fields.has("com")) body.flexible->com = fields.vector("com");
    if (const auto inertia = fields.find("inertia")) body.flexible->inertia = read_inertia(*inertia);
    if (const auto field = fields.find("point_mass")) field->error("a flexible body is not a point");
  } else if (!fields.has("mass") && (value.is_mapping() || value.is_null())) {
    fields.missing("mass", "it is required (kg)");
  }
  body.mass = fields.constant("mass", body.flexible ? 0 : unreadable);
  body.com = fields.vector("com");
  body.accept_unphysical = fields.boolean("accept_unphysical");
  body.point_mass = fields.boolean("point_mass");
  if (const auto inertia = fields.find("inertia")) {
    body.inertia = read_inertia(*inertia);
    if (body.point_mass) inertia->error("a point mass has no inertia; remove this field or 'point_mass'");
  } else if (!body.point_mass && body.mass > 0 && !body.flexible) {
    fields.missing("inertia", "give the inertia about the com, or say 'point_mass: true'");
  }
  for (const std::string_view part : {"points", "wheels"}) {
    const auto parts = fields.find(part);
    if (!parts || parts->node.items.size() <= 2 * limits::parts) continue;
    parts->error(fmt::format("{} {}; the limit is {}", parts->node.items.size() / 2, part, limits::parts));
    return body;
  }
  if (const auto points = fields.find("points")) {
    for_each_entry(*points, [&](std::string_view point, const Value& position) {
      body.points.push_back({std::string(point), read_vector(position, dimension::length)});
    });
  }
  if (const auto wheels = fields.find("wheels")) {
    for_each_entry(
        *wheels, [&](std::string_view wheel, const Value& entry) { body.wheels.push_back(read_wheel(entry, wheel)); });
    if (body.point_mass) wheels->error("a point mass cannot carry wheels");
  }
  if (const auto shapes = fields.find("shape")) {
    if (!shapes->is_list()) shapes->expected("a list of shapes");
    for (std::size_t i = 0; shapes->is_list() && i < shapes->node.items.size(); ++i) {
      if (auto shape = read_shape(shapes->item(i))) body.shapes.push_back(std::move(*shape));
    }
  }
  return body;
}

}  // namespace gyrostat::reading
