#include "gyrostat/model/kind_check.h"

#include <algorithm>

namespace gyrostat {

void KindCheck::check(const FieldFormat& field, const std::string& at, const std::string& name) const {
  if (name.empty()) return;
  if (field.form == Form::table_name && !names.table(name)) problems.error(at, names.no_table(name));
  if (field.form == Form::body_name && name != "world" && !names.body(name)) problems.error(at, names.no_body(name));
}

void KindCheck::check(const FieldFormat& field, const std::string& at, const PointReference& point) const {
  if (point.body.empty()) return;
  const auto body = names.body(point.body);
  const bool attachment = field.form == Form::attachment;
  if (attachment && point.body == "world") {
    if (!point.position) problems.error(at + "[1]", "a point of the world is given by its position [x, y, z]");
    return;
  }
  if (!body) {
    if (field.form != Form::point) problems.error(attachment ? at + "[0]" : at, names.no_body(point.body));
    return;
  }
  if (field.form == Form::body_name || point.point.empty()) return;
  const auto& known = description.bodies[*body].points;
  const bool found =
      std::any_of(known.begin(), known.end(), [&](const NamedPoint& p) { return p.name == point.point; });
  if (!found) problems.error(attachment ? at + "[1]" : at, names.no_point(*body, point.point));
}

void KindCheck::check(const FieldFormat& /*field*/, const std::string& at, const Coefficient& coefficient) const {
  if (!coefficient.table.empty() && !names.table(coefficient.table))
    problems.error(at, names.no_table(coefficient.table));
}

}  // namespace gyrostat
