// The compiler's vectors of doubles, and how many of them a register holds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gyrostat/math/inline.h"

/// Doubles in a register of the processor that a text is compiled for. A macro: it differs between the parts of a
/// program, and nothing with a name that they share may.
#if defined(__AVX512F__)
#define GYROSTAT_LANES 8
#elif defined(__AVX__)
#define GYROSTAT_LANES 4
#else
#define GYROSTAT_LANES 2
#endif

namespace gyrostat {

/// The compiler's vectors.
template <std::size_t N>
struct Vectors;
template <>
struct Vectors<2> {
  using Doubles [[gnu::vector_size(16)]] = double;
  using Longs [[gnu::vector_size(16)]] = std::int64_t;
};
template <>
struct Vectors<4> {
  using Doubles [[gnu::vector_size(32)]] = double;
  using Longs [[gnu::vector_size(32)]] = std::int64_t;
};
template <>
struct Vectors<8> {
  using Doubles [[gnu::vector_size(64)]] = double;
  using Longs [[gnu::vector_size(64)]] = std::int64_t;
};

}  // namespace gyrostat
