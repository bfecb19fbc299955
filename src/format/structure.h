// Descriptions that a program fills in, without the reader's care: what was left out gets its default, and what cannot
// be is refused before anything else looks at it.
#pragma once

#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"

namespace gyrostat {

/// Initial coordinates and speeds that are not given are those of a joint at rest at zero.
void complete(JointDescription& joint);
void complete(Description& description);

/// Names are names and unique; every joint has the axes of its type, of unit length, and lists of the right lengths.
void validate_structure(const Description& description, Problems& problems);

}  // namespace gyrostat
