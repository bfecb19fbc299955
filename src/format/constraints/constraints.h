// The kinds of constraint that are no joints.
#pragma once

#include <variant>

#include "gyrostat/format/constraints/coordinate.h"
#include "gyrostat/format/constraints/coupling.h"
#include "gyrostat/format/constraints/distance.h"
#include "gyrostat/format/constraints/point.h"

namespace gyrostat {

using Relation = std::variant<CouplingRelation,  //
                              DistanceRelation,  //
                              PointRelation,     //
                              CoordinateRelation>;

}  // namespace gyrostat
