// The recursions are compiled several times (kernels.cpp), for different processors. Their functions live in a
// namespace with the processor's name, so that the linker never takes one for another.
#pragma once

#include <cstddef>

#include "gyrostat/math/vectors.h"

#ifndef GYROSTAT_PROCESSOR
#define GYROSTAT_PROCESSOR portable
#endif

/// Everything a function calls is inlined into it: in optimised builds, the only ones that have several versions.
#ifdef NDEBUG
#define GYROSTAT_WHOLE gnu::flatten
#else
#define GYROSTAT_WHOLE maybe_unused
#endif

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// The width of packs that fill a register of the processor this text is compiled for.
inline constexpr std::size_t native_lanes = GYROSTAT_LANES;

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
