// Checks a description: every problem it finds, with the path of the value that is wrong.
#pragma once

#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/model/names.h"

namespace gyrostat {

/// All checks that need no numbering: references, physics of bodies, geometry of joints, signals, settings.
void validate(const Description& description, const Names& names, Problems& problems);

// The parts of it.
void validate_names(const Description& description, Problems& problems);
void validate_tables(const Description& description, Problems& problems);
void validate_bodies(const Description& description, Problems& problems);
void validate_joints(const Description& description, const Names& names, Problems& problems);
void validate_restraints(const Description& description, const Names& names, Problems& problems);
void validate_constraints(const Description& description, const Names& names, Problems& problems);
void validate_expressions(const Description& description, const Names& names, Problems& problems);
void validate_signals(const Description& description, const Names& names, Problems& problems);
void validate_settings(const Description& description, const Names& names, Problems& problems);

}  // namespace gyrostat
