// The kinds of load.
#pragma once

#include <variant>

#include "gyrostat/format/loads/body_load.h"
#include "gyrostat/format/loads/spring.h"
#include "gyrostat/format/loads/thruster.h"
#include "gyrostat/format/loads/torque_between.h"
#include "gyrostat/format/loads/torsion_spring.h"

namespace gyrostat {

using LoadDescription = std::variant<BodyLoad,           //
                                     SpringLoad,         //
                                     ThrusterLoad,       //
                                     TorqueBetweenLoad,  //
                                     TorsionSpringLoad>;

}  // namespace gyrostat
