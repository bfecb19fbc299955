// Vectors and rotations of a model: what names mean, where they may stand, and what is left of them: numbers.
#pragma once

#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/model/names.h"

namespace gyrostat {

/// Replaces every expression of vectors by expressions of numbers, and every signal that is a vector or a rotation by
/// one signal for each component: error.x, error.y, error.z. What does not fit is reported.
void take_vectors_apart(Description& description, Problems& problems);

/// Vectors in the list of recorded quantities become their components. Precondition: the list is valid.
void record_components(OutputDescription& output, const Names& names);

}  // namespace gyrostat
