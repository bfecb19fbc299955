// The recursions are compiled several times (kernels.cpp), for different processors. Their functions live in a
// namespace with the processor's name, so that the linker never takes one for another.
#pragma once

#ifndef GYROSTAT_PROCESSOR
#define GYROSTAT_PROCESSOR portable
#endif
