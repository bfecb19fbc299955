// Everything a program that uses the library needs.
#pragma once

#include "gyrostat/expression/program.h"
#include "gyrostat/model/load.h"
#include "gyrostat/model/system.h"
