// The modes of flexible bodies as text and as data.
#pragma once

#include "gyrostat/model/system.h"

#include "output.h"

namespace gyrostat::app {

/// A table: number, frequency, damping ratio, effective mass in per cent of the total, and the shape in words; then
/// what the modes leave out.
void print_modes(const System& system, const FlexibleBody& body);

Json modes_json(const System& system, const FlexibleBody& body);

}  // namespace gyrostat::app
