// The recursions are compiled several times (kernels.cpp), for different processors. Their functions live in a
// namespace with the processor's name, so that the linker never takes one for another.
#pragma once

#ifndef GYROSTAT_PROCESSOR
#define GYROSTAT_PROCESSOR portable
#endif

/// Everything a function calls is inlined into it: in optimised builds, the only ones that have several versions.
#ifdef NDEBUG
#define GYROSTAT_WHOLE gnu::flatten
#else
#define GYROSTAT_WHOLE maybe_unused
#endif
