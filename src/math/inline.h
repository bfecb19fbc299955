// Functions that are part of the text they are called from: the small algebra that the kernels compute with. In a build
// that is optimised none of them leaves a symbol behind, so that parts of a program that are compiled for different
// processors share no code of theirs. Debug builds have no such parts, and tests (GYROSTAT_PLAIN_INLINE) are none;
// there they are functions like others, which takes a fraction of the time to compile.
#pragma once

#if defined(NDEBUG) && !defined(GYROSTAT_PLAIN_INLINE)
#define GYROSTAT_ALWAYS_INLINE __attribute__((always_inline))
#else
#define GYROSTAT_ALWAYS_INLINE
#endif
#define GYROSTAT_INLINE GYROSTAT_ALWAYS_INLINE inline
