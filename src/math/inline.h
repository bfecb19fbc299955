// Functions that are part of the text they are called from, in every build: the small algebra that the kernels compute
// with. None of them leaves a symbol behind, so that parts of a program that are compiled for different processors
// share no code of theirs.
#pragma once

#define GYROSTAT_INLINE __attribute__((always_inline)) inline
