// Everything a program that uses the library needs.
#pragma once

#include "gyrostat/dynamics/conserved.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/dynamics/formulation.h"
#include "gyrostat/dynamics/jacobian.h"
#include "gyrostat/dynamics/reactions.h"
#include "gyrostat/dynamics/singularity.h"
#include "gyrostat/expression/program.h"
#include "gyrostat/loads/actions.h"
#include "gyrostat/model/load.h"
#include "gyrostat/model/system.h"
#include "gyrostat/record/results_reader.h"
#include "gyrostat/record/results_writer.h"
#include "gyrostat/signals/start.h"
#include "gyrostat/simulate/simulation.h"
