#include "gyrostat/model/validate.h"

#include "gyrostat/model/dimensions.h"

namespace gyrostat {

void validate(const Description& description, const Names& names, Problems& problems) {
  if (description.bodies.empty()) problems.error("bodies", "a model needs at least one body");
  validate_names(description, problems);
  validate_tables(description, problems);
  validate_bodies(description, problems);
  validate_joints(description, names, problems);
  validate_restraints(description, names, problems);
  validate_constraints(description, names, problems);
  validate_expressions(description, names, problems);
  validate_dimensions(description, names, problems);
  validate_signals(description, names, problems);
  validate_settings(description, names, problems);
}

}  // namespace gyrostat
