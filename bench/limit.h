// The machine's limit: how long the counted operations take when nothing else is in the way.
#pragma once

#include <cmath>

#include "counted.h"

namespace gyrostat::bench {

#if defined(__x86_64__) && defined(__GNUC__)
#define GYROSTAT_WITH_FMA [[gnu::target("fma"), gnu::noinline]]
#else
#define GYROSTAT_WITH_FMA [[gnu::noinline]]
#endif

/// Executes `operations` on independent numbers: multiplications and additions in pairs as fused multiply-adds, one
/// scalar at a time, ten chains so that none waits; divisions; and sines with cosines eight at a time.
GYROSTAT_WITH_FMA inline double execute(const Operations& operations, double seed) {
  double a0 = seed, a1 = seed, a2 = seed, a3 = seed, a4 = seed, a5 = seed, a6 = seed, a7 = seed, a8 = seed, a9 = seed;
  const double x = 0.999999, y = 1e-9;
  const long rounds = operations.flops() / 20;
  for (long k = 0; k < rounds; ++k) {
    a0 = __builtin_fma(a0, x, y);
    a1 = __builtin_fma(a1, x, y);
    a2 = __builtin_fma(a2, x, y);
    a3 = __builtin_fma(a3, x, y);
    a4 = __builtin_fma(a4, x, y);
    a5 = __builtin_fma(a5, x, y);
    a6 = __builtin_fma(a6, x, y);
    a7 = __builtin_fma(a7, x, y);
    a8 = __builtin_fma(a8, x, y);
    a9 = __builtin_fma(a9, x, y);
    asm volatile(""
                 : "+x"(a0), "+x"(a1), "+x"(a2), "+x"(a3), "+x"(a4), "+x"(a5), "+x"(a6), "+x"(a7), "+x"(a8), "+x"(a9));
  }
  double sum = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9;
  for (long k = 0; k < operations.divisions; ++k) {
    double quotient = 1 / (seed + static_cast<double>(k));
    asm volatile("" : "+x"(quotient));
    sum += quotient;
  }
  for (long k = 0; k < operations.sincos; k += static_cast<long>(Pack<4>::lanes)) {
    const SinCos<Pack<4>> angle = gyrostat::sincos(Pack<4>(seed + static_cast<double>(k)));
    sum += angle.sin[0] + angle.cos[3];
  }
  return sum;
}

}  // namespace gyrostat::bench
